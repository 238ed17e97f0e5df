"""Runs that refute Theorem 1 as stated, each as an entry of the ledger.

Four of the runs say in `qualification` what they do not meet as printed; entries T1.36 and T1.37 say why no
run can.
"""

from fractions import Fraction

from theory.counterexamples.assumption_checks import AssumptionCheck
from theory.counterexamples.exact_runs import RUNS, ExactRun
from theory.counterexamples.refutation import failed, short
from theory.counterexamples.second.theorem1 import SECOND
from theory.ledger import Entry, Evidence, FiniteClaim, Kind, Test, Verdict, counterexample
from theory.provers import OnInstance

MAIN_THEOREM = (
    r"\frac{1}{T+1}\sum_{t=0}^{T}\|\nabla f(w_t)\|^2 \le \frac{|f(w_0)-f(w^*)|}{\gamma(T+1)}"
    r" + \Big(\frac1c + \frac{(k+1)^{1-2p}-d^{1-2p}}{2p-1}\Big)(L+\mu)^2W"
    r" + 2E^2\big(1+2P_bB^2+\gamma(3+L+\mu+2P_bB^2+2P_nB^2)\big)b^2"
    r" + 2E^2\big(1+\gamma(L+\mu+1)(3+2P_bB^2+2P_nB^2)\big)\sigma^2"
)


AS_PRINTED = "Every stated assumption holds as printed"
NOTE = "A whole run in exact rationals; each assumption is a function of the run that can fail."
ASSUMPTIONS = Test(
    "Assumptions 1-5 (4 with ≤, or with the constant of the law, where d ≥ 2: as printed it is void there), "
    "‖w‖² ≤ W, count sketch recovery and size, c, k, p, eq. (11), ρ > 1/4",
    lambda run: not failed(run.refutation.checks),
)
STATEMENT = Test("eq. (12) holds with probability at least 1 − δ", lambda run: not run.refutation.violates)


BROKEN = FiniteClaim((ASSUMPTIONS,), STATEMENT, MAIN_THEOREM)


def broken_by(run: ExactRun) -> Evidence:
    """The run as a counterexample to Theorem 1."""
    shown = f"{run.story.name}, sketches kept" if run.either_sketch and run.persistent else run.story.name
    return counterexample(OnInstance(run, shown, _sides, SECOND, _numbers))


def refutation_entry(run: ExactRun) -> Entry:
    """The entry `R.<name>`; its scope says which assumption it does not meet as printed."""
    return Entry(
        id=f"R.{run.story.name}",
        kind=Kind.RUN,
        place="Section 5, eq. (12), Theorem 1",
        title=f"Theorem 1 as stated, on the run {run.story.name}",
        printed=MAIN_THEOREM,
        claim=BROKEN,
        verdict=Verdict.REFUTED,
        evidence=tuple(map(broken_by, run.readings)),
        depends=("T1",),
        scope=run.story.qualification,
        note=f"{NOTE} Read with {run.story.reading}.",
    )


def _numbers(run: ExactRun) -> tuple[Fraction, ...]:
    found = run.refutation
    return found.left, found.right.total, found.probability


def _sides(run: ExactRun) -> str:
    found = run.refutation
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
        f"Qualification: {found.qualification}" if found.qualification else AS_PRINTED,
    )
    shown = "; ".join(f"[{check_text(check)}]" for check in found.checks)
    return f"{found.description} " + ". ".join(parts) + f". Checks: {shown}"


def check_text(check: AssumptionCheck) -> str:
    """One assumption with the numbers that decide it."""
    stated = "" if check.required else " (not stated by the theorem)"
    outcome = "holds" if check.holds else "FAILS"
    numbers = f"{short(check.value)} against {short(check.limit)}"
    return f"{check.name}{stated}: {check.statement}: {numbers}, {outcome}"


ENTRIES = tuple(map(refutation_entry, RUNS))  # a run is played when its entry is judged
