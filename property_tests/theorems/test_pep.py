"""PEPit as an independent judge of Theorem A: exact worst cases of small runs."""

import pytest

from benchmarks.validation.worst_case import judge
from theory.errors import InvalidParameter
from theory.rates.parameters import Parameters
from theory.rates.theorem_a import Sources

pytest.importorskip("PEPit")
CASES = [
    (Parameters(L=1), 0.4, 4, Sources(1)),
    (Parameters(L=1), 1.9, 3, Sources(1)),
    (Parameters(L=3, P_b=0.5), 0.3, 4, Sources(1)),
    (Parameters(L=1, P_b=0.25), 1.3, 3, Sources(1, b2=0.1)),
    (Parameters(L=1, E=2), 0.6, 2, Sources(1)),
    (Parameters(L=1, mu=0.5, E=2, P_b=0.2), 0.2, 3, Sources(2, b2=0.3)),
    (Parameters(L=2, mu=1, E=3, P_b=0.1), 0.05, 2, Sources(1, b2=0.1)),
]


@pytest.mark.parametrize(("q", "gamma", "T", "sources"), CASES)
def test_the_bound_covers_the_exact_worst_case(q: Parameters, gamma: float, T: int, sources: Sources) -> None:
    found = judge(q, gamma, T, sources)
    assert found.respected, found
    assert found.gap < 1e-4 * max(1.0, found.worst_case)
    assert found.solver == "CLARABEL"
    assert "one device" in found.scope


def test_plain_and_biased_descent_are_tight() -> None:
    """E = 1 up to γ = 1/L: the ratio is 1 without bias, and tends to 1 as γLT grows with it."""
    plain = judge(Parameters(L=1), 1.0, 5, Sources(1))
    assert plain.ratio == pytest.approx(1, abs=2 * plain.tolerance / plain.worst_case)
    short, long = (judge(Parameters(L=1, P_b=0.25), 1.0, T, Sources(1)).ratio for T in (2, 8))
    assert short > 1.01
    assert long < 1.001


def test_two_local_steps_are_nearly_tight_and_a_bound_that_is_too_small_is_caught() -> None:
    """E = 2 at γ = 1/(2L); the judge can say no: halve the initial gap that Theorem A is told about."""
    honest, cheated = (judge(Parameters(L=1, E=2), 0.5, 3, Sources(gap)) for gap in (1, 0.5))
    assert honest.respected and honest.ratio < 1.01
    assert cheated.bound < honest.worst_case - honest.tolerance


@pytest.mark.parametrize(
    ("q", "sources"),
    [(Parameters(L=1, P_n=0.1), Sources(1)), (Parameters(L=1, B=2), Sources(1)),
     (Parameters(L=1), Sources(1, R2=1)), (Parameters(L=1), Sources(0)), (Parameters(L=0), Sources(1))],
)  # fmt: skip
def test_what_is_out_of_scope_is_refused(q: Parameters, sources: Sources) -> None:
    with pytest.raises(InvalidParameter):
        judge(q, 0.5, 2, sources)
