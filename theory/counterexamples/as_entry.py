"""A refutation as an entry of the ledger: the claim is Theorem 1 for one run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial

from theory.claim import Derivation, Entry, FiniteClaim, Test, Verdict, counterexample
from theory.counterexamples.assemble import Story
from theory.counterexamples.assumption_checks import AssumptionCheck
from theory.counterexamples.refutation import Refutation, failed, short
from theory.neighbours import neighbours
from theory.provers import OnInstance
from theory.second.cases import second_run

MAIN_THEOREM = (
    r"\frac{1}{T+1}\sum_{t=0}^{T}\|\nabla f(w_t)\|^2 \le \frac{|f(w_0)-f(w^*)|}{\gamma(T+1)}"
    r" + \Big(\frac1c + \frac{(k+1)^{1-2p}-d^{1-2p}}{2p-1}\Big)(L+\mu)^2W"
    r" + 2E^2\big(1+2P_bB^2+\gamma(3+L+\mu+2P_bB^2+2P_nB^2)\big)b^2"
    r" + 2E^2\big(1+\gamma(L+\mu+1)(3+2P_bB^2+2P_nB^2)\big)\sigma^2"
)


@dataclass(frozen=True)
class Played:
    """A run that is played on first use: collecting the ledger's entries stays cheap."""

    build: Callable[[], Refutation]

    @property
    def refutation(self) -> Refutation:
        return _play(self.build)

    def near(self) -> Iterator[Played]:
        """The same run with another left side."""
        return (Played(partial(_with_left, self, left)) for left in neighbours(self.refutation.left))


def _with_left(played: Played, left: Fraction) -> Refutation:
    return replace(played.refutation, left=left)


@cache
def _play(build: Callable[[], Refutation]) -> Refutation:
    return build()


AS_PRINTED = "Every stated assumption holds as printed"
NOTE = "A whole run in exact rationals; each assumption is a function of the run that can fail."
ASSUMPTIONS = Test(
    "Assumptions 1-5 (4 in corrected form where d ≥ 2: as printed it is void there), ‖w‖² ≤ W, count sketch "
    "recovery and size, c, k, p, eq:gamma_range, ρ > 1/4",
    lambda played: not failed(played.refutation.checks),
)
STATEMENT = Test(
    "eq:main_thm holds with probability at least 1 − δ",
    lambda played: not (played.refutation.violates and played.refutation.replay()),
)


def refutation_entry(
    name: str, build: Callable[[], Refutation], audit_rows: tuple[int, ...], story: Story | None = None
) -> Entry:
    """The entry `R.<name>`."""
    played = Played(build)
    return Entry(
        id=f"R.{name}",
        place="Section 5, Theorem 1",
        title=f"Theorem 1 as stated, on the run {name}",
        printed=MAIN_THEOREM,
        claim=FiniteClaim((ASSUMPTIONS,), STATEMENT, MAIN_THEOREM),
        verdict=Verdict.REFUTED,
        evidence=(
            counterexample(
                OnInstance(played, name, _sides, second_run(name), _numbers, unlike=_certain(played))
            ),
        ),
        derivation=Derivation.WRONG,
        depends=("T1",),
        audit_rows=audit_rows,
        note=NOTE,
        reading=story.reading if story else "",
        qualification=story.qualification if story else "",
    )


def _certain(played: Played) -> Played:
    """The same run with δ = 1: then the theorem may always fail, and says nothing."""

    def build() -> Refutation:
        found = played.refutation
        return replace(found, parameters=replace(found.parameters, delta=Fraction(1)))

    return Played(build)


def _numbers(played: Played) -> tuple[Fraction, ...]:
    found = played.refutation
    return found.left, found.right.total, found.probability


def _sides(played: Played) -> str:
    found = played.refutation
    met = (
        "the appendix's step conditions hold too"
        if found.meets_appendix_conditions
        else ("the appendix's step conditions, which the theorem does not state, do not hold")
    )
    parts = (
        found.summary(),
        f"Falls with: {found.falls_with}",
        met,
        f"Reading: {found.reading}",
        _qualified(found),
    )
    shown = "; ".join(f"[{check_text(check)}]" for check in found.checks)
    return f"{found.description} " + ". ".join(parts) + f". Checks: {shown}"


def _qualified(found: Refutation) -> str:
    return f"Qualification: {found.qualification}" if found.qualification else AS_PRINTED


def check_text(check: AssumptionCheck) -> str:
    """One assumption with the numbers that decide it."""
    stated = "" if check.required else " (not stated by the theorem)"
    outcome = "holds" if check.holds else "FAILS"
    numbers = f"{short(check.value)} against {short(check.limit)}"
    return f"{check.name}{stated}: {check.statement}: {numbers}, {outcome}"
