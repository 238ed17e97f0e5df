"""A realised left side against a bound in expectation: every noise sequence of a short run is played."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product

from hypothesis import strategies as st

from property_tests.search.runs import (
    ZERO,
    Candidate,
    appendix_met,
    constants,
    line,
    moderate,
    roomy_sketch,
    searcher,
)
from theory.counterexamples import assumption_checks as check
from theory.counterexamples.assemble import EVERY, all_checks
from theory.counterexamples.federated import Perturbation, Problem, Run, mean_squared_gradient, simulate
from theory.counterexamples.printed import PrintedParameters, RightSide, right_side
from theory.counterexamples.refutation import Refutation


@dataclass(frozen=True)
class Kicked(Candidate):
    """Every noise sequence of a two-point law, with its probability; the least violating one is shown."""

    law: check.NoiseLaw = ()

    @cached_property
    def outcomes(self) -> list[tuple[Fraction, Run]]:
        q, found = self.constants, []
        for sequence in product(self.law, repeat=q.T):
            values = [value for _, value in sequence]
            noise: Perturbation = lambda t, gradient, v=values: ((ZERO,), v[t])  # type: ignore[misc]  # noqa: E731
            run = simulate(self.problem, q, self.start, roomy_sketch(q), noise)
            found.append((math.prod((p for p, _ in sequence), start=Fraction(1)), run))
        return found

    @cached_property
    def q(self) -> PrintedParameters:
        runs = [run for _, run in self.outcomes]
        return replace(self.constants, W=check.bounded_iterates(runs, self.constants).value)

    @cached_property
    def right(self) -> RightSide:
        return right_side(self.q, self.problem.gap(self.start))

    @cached_property
    def over(self) -> list[tuple[Fraction, Fraction, Run]]:
        """(left side, probability, run) of the sequences that violate the bound."""
        sides = ((mean_squared_gradient(self.problem, run.broadcast), p, run) for p, run in self.outcomes)
        return [item for item in sides if item[0] > self.right.total]

    @cached_property
    def left(self) -> Fraction:
        return min((item[0] for item in self.over), default=ZERO)

    @cached_property
    def refutation(self) -> Refutation:
        runs, sketch = [run for _, run in self.outcomes], roomy_sketch(self.q)
        shown = next((run for left, _, run in self.over if left == self.left), runs[0])
        checks = all_checks(self.problem, self.q, sketch, runs, self.law)
        chance = sum((p for _, p, _ in self.over), ZERO)
        rebuilt = replace(self, extra=self.extra)
        return Refutation(
            "found", "", "", EVERY, "", self.q, self.problem, shown, checks, self.left, self.right, chance,
            lambda: rebuilt.refutation,
        )  # fmt: skip


@st.composite
def kicked(draw: st.DrawFn) -> Kicked:
    """ζ is 1 with a small probability and slightly negative otherwise; the start is the minimum."""
    chance = Fraction(1, draw(st.integers(2, 2000)))
    q = draw(constants(st.just(Fraction(1, 1000))))
    q = replace(
        q, L=draw(moderate(q)), T=draw(st.integers(1, 3)),
        sigma2=chance / (1 - chance), delta=chance / 2, epsilon=Fraction(1),
    )  # fmt: skip
    q = replace(q, B=1 + q.sigma2 / 2)  # B² ≥ 1 + σ²/ε
    law: check.NoiseLaw = ((chance, (Fraction(1),)), (1 - chance, (-chance / (1 - chance),)))
    words = f"noise 1 with probability {chance}, else {-chance / (1 - chance)}"
    return Kicked(Problem((line(q.L),)), q, (ZERO,), law=law, extra=words)


SEARCHERS = {"R.expectation-dropped": searcher(kicked(), appendix_met)}
