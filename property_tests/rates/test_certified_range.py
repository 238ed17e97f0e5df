"""The certified range: known values, Theorem A, impossible rates; solvers that fail or lie.

The root finder of the search stays in its bracket and ends beside a sign change.
"""

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from property_tests.support.rate_strategies import parameters
from theory.errors import InvalidParameter
from theory.rates.answer import answer
from theory.rates.descent.certified import certified_range, certify, with_mean_smoothness
from theory.rates.descent.check import objection
from theory.rates.descent.residual_bound import sdp_bound
from theory.rates.descent.round import Setting
from theory.rates.descent.search import TOLERANCE, largest_step, root
from theory.rates.limits.impossible import TwoCurvatures, growth, impossible_from
from theory.rates.parameters import Box, Parameters
from theory.rates.ranges import supremum
from theory.rates.theorem_a import Sources

# The search stops within its tolerance of the root, and the certificate is tried one tolerance below.
LOSS = 4 * TOLERANCE
# E, B, P_b, θ and the end of the range found by an independent computation, to the digits given: the last by
# PEPit, where every device is a function of its own and the pairs are not thinned.
TABLE = [
    (2, "1", 0, 1, "2.000"),
    (2, "1.1", 0, 1, "1.818"),
    (2, "1.5", 0, 1, "1.258"),
    (3, "1", 0, 1, "1.800"),
    (3, "1.5", 0, 1, "0.7964"),
    (3, "5", 0, 1, "0.2027"),
    (5, "1", 0, 1, "1.057"),
    (5, "2", 0, 1, "0.2782"),
    (10, "1.1", 0, 1, "0.317"),
    (10, "2", 0, 1, "0.1231"),
    (3, "2", 0, 0, "1.00"),
    (10, "2", 0, 0, "0.290"),
    (2, "2", Fraction(1, 20), 1, "0.582"),
]


def last_digit(text: str) -> float:
    return 10.0 ** -len(text.partition(".")[2])


@pytest.mark.parametrize(("E", "B", "P_b", "theta", "end"), TABLE)
def test_known_ends_are_found_again(E: int, B: str, P_b: Fraction, theta: int, end: str) -> None:
    found = certified_range(Parameters(L=1, E=E, B=Fraction(B), P_b=P_b), theta)
    assert found.certificate == "exact" and found.gamma_max is not None
    assert float(end) * (1 - LOSS) - last_digit(end) <= found.gamma_max <= float(end) + last_digit(end)


@given(parameters(max_E=4))
@settings(max_examples=12)
def test_the_range_is_never_below_theorem_a(q: Parameters) -> None:
    """And what is called exact has passed the verifier, with the user's own constants."""
    found, theorem = certified_range(q), supremum("repaired_sharp", q)
    assert found.gamma_max is not None and found.gamma_max >= theorem * (1 - LOSS)
    if found.certificate == "exact":
        proof = found.proof
        assert proof is not None and objection(proof) is None and proof.gamma == found.gamma
        assert (proof.E, proof.L, proof.B, proof.mu) == (q.E, q.L, q.B, q.mu)
        assert proof.P_b >= q.P_b and proof.P_n >= q.P_n and proof.nu == q.noise_share


@given(parameters(max_E=1))
@settings(max_examples=10)
def test_one_step_gives_theorem_a(q: Parameters) -> None:
    """Theorem A's range is exact at E = 1, so nothing larger can be certified either."""
    found, theorem = certified_range(q), supremum("repaired_sharp", q)
    assert found.certificate == "exact"
    assert theorem * (1 - LOSS) <= found.gamma_max < theorem * (1 + 1e-9)


@pytest.mark.parametrize("theta", [Fraction(-1, 10), Fraction(-1, 2), Fraction(-1)])
@pytest.mark.parametrize(
    "q",
    [
        Parameters(L=1, E=5, B=2),
        Parameters(L=2, E=3, B=2, mu=Fraction(1, 2)),
        Parameters(L=3, E=2, B=2, P_b=Fraction(1, 25), P_n=Fraction(1, 5), M=4),
    ],
)
def test_strongly_convex_losses_have_the_range_of_convex_ones_and_a_limit_of_their_own(
    q: Parameters, theta: Fraction
) -> None:
    """The limit is shown by losses (L/2)x², which are in the class whatever θ is."""
    certified, impossible = certified_range(q, theta), impossible_from(q, theta)
    assert certified.proof is not None and certified.proof.theta == 0 and objection(certified.proof) is None
    run = impossible.evidence
    assert isinstance(run, TwoCurvatures) and run.share == 1 and run.proves_impossible()
    assert impossible.gamma is not None and certified.gamma is not None
    assert certified.gamma < impossible.gamma


@pytest.mark.parametrize("theta", [Fraction(-1, 10), Fraction(-1, 2)])
def test_no_limit_lies_where_strongly_convex_losses_descend(theta: Fraction) -> None:
    """The solver finds descent there beyond what fails for some convex losses."""
    q = Parameters(L=1, E=5, B=2)
    inside, end = largest_step(Setting(E=5, B=Fraction(2), theta=theta), 0.1, 2.0), impossible_from(q, theta)
    assert (impossible_from(q, 0).gamma_from or 0.0) * 1.1 < inside <= (end.gamma_from or 0.0)


def test_what_fails_for_strongly_convex_losses_fails_at_every_larger_rate() -> None:
    run = impossible_from(Parameters(L=1, E=3, B=2, P_n=Fraction(1, 3), M=2), Fraction(-1, 2)).evidence
    assert isinstance(run, TwoCurvatures) and run.covers_larger
    assert all(growth(run, run.step * Fraction(k, 10)) >= 1 for k in range(10, 40))
    assert not replace(run, share=Fraction(1, 2)).covers_larger


@pytest.mark.parametrize("q", [Parameters(L=1, E=3, B=2), Parameters(L=1, E=1, B=2, mu=Fraction(1, 2))])
def test_one_certificate_covers_every_smaller_rate_where_no_step_is_proximal(q: Parameters) -> None:
    found = certified_range(q)
    assert found.proof is not None and found.gamma is not None
    assert found.all_smaller and found.proof.covers_smaller and "every smaller gamma" in found.why
    again = certify(q, found.gamma / 7)
    assert again is not None and objection(again) is None


def test_the_proximal_cap_is_reached() -> None:
    """γμ ≤ 1 may be what ends the range; the certificate is then at 1/μ, or at the float below it."""
    for mu in (4, 5):
        found = certified_range(Parameters(L=1, E=3, B=1, mu=mu))
        assert found.binding == "gamma mu <= 1" and found.gamma is not None
        assert Fraction(1, mu) * (1 - Fraction(1, 10**15)) <= found.gamma <= Fraction(1, mu)


def test_the_smoothness_of_the_mean_counts_at_one_step() -> None:
    q = Parameters(L=4, E=1, B=2, P_b=Fraction(1, 100))
    with_mean, plain = certified_range(with_mean_smoothness(q, 1)), certified_range(q)
    assert with_mean.gamma == 4 * (plain.gamma or 0) and with_mean.proof is not None
    assert objection(with_mean.proof) is None and with_mean.proof.L == 1


def test_rates_that_are_no_rates_or_beyond_the_proximal_cap_are_refused() -> None:
    for gamma in (0, -1, float("nan"), float("inf")):
        with pytest.raises(InvalidParameter, match="^gamma: "):
            certify(Parameters(L=1, E=2), gamma)
    with pytest.raises(InvalidParameter, match="^gamma mu: got 2.0, expected at most 1$"):
        certify(Parameters(L=1, E=2, mu=1), 2)
    assert certify(Parameters(L=1, E=1, mu=1), Fraction(3, 2)) is not None  # one step has no proximal term


class Stopped:
    """A solver that always gives up."""

    def __init__(self, *_: Any) -> None: ...

    def solve(self) -> Any:
        return SimpleNamespace(status="NumericalError", x=[])


class Panic(BaseException):
    """What a panic of the compiled solver raises: no Exception."""


class Panicking(Stopped):
    """A solver that breaks down."""

    def solve(self) -> Any:
        raise Panic("index out of bounds")


@pytest.mark.parametrize(
    ("solver", "reason"), [(Stopped, "status NumericalError"), (Panicking, "index out of bounds")]
)
def test_a_failing_solver_leaves_theorem_a_and_says_why(
    monkeypatch: pytest.MonkeyPatch, solver: type, reason: str
) -> None:
    monkeypatch.setattr("clarabel.DefaultSolver", solver)
    found = certified_range(Parameters(L=1, E=3, B=2))
    assert found.certificate == "none" and found.binding == "Theorem A"
    assert "no certificate" in found.why and reason in found.why
    assert "the solver found none" in sdp_bound(Parameters(L=1, E=3), 0.1, 10, Sources(Delta=1)).why_not


class Liar(Stopped):
    """A solver that claims success with numbers out of the air."""

    def __init__(self, _: Any, cost: Any, *rest: Any) -> None:
        self.size = len(cost)

    def solve(self) -> Any:
        return SimpleNamespace(status="Solved", x=[1.0] * self.size)


def test_a_lying_solver_certifies_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is called exact has passed the verifier; a false answer of the solver never does."""
    monkeypatch.setattr("clarabel.DefaultSolver", Liar)
    found = certified_range(Parameters(L=1, E=3, B=2))
    assert found.certificate != "exact" and found.proof is None
    evidence = impossible_from(Parameters(L=1, E=3, B=2)).evidence
    assert evidence is not None and evidence.proves_impossible()


@given(st.floats(0.01, 0.99), st.integers(1, 9), st.floats(-6, 6), st.booleans())
def test_a_root_is_found_within_the_tolerance_in_few_calls_and_a_jump_like_one(
    zero: float, power: int, size: float, falling: bool
) -> None:
    calls = []

    def function(x: float) -> float:
        calls.append(x)
        value = 10**size * (x**power - zero**power)
        return -value if falling else value

    assert abs(root(function, 0.001, 1.0, 1e-4) - zero) <= 1e-4
    assert all(0.001 <= x <= 1.0 for x in calls)
    assert len(calls) <= 48
    assert abs(root(lambda x: 1.0 if x < zero else -1e-3, 0.001, 1.0, 1e-4) - zero) <= 1e-4


@pytest.mark.parametrize("changes", [({"M": 1}, {"M": 16}), ({"L": 1}, {"L": 2}), ({"B": 1}, {"B": 2})])
def test_what_is_certified_for_a_box_is_certified_at_each_of_its_ends(
    changes: tuple[dict[str, int], dict[str, int]],
) -> None:
    """Few devices average little noise away, so the worst M is the smallest: the other ends are the worst."""
    q = Parameters(L=1, E=2, B=1, P_n=1, M=1)
    low, high = (replace(q, **change) for change in changes)
    boxes = (Box(low, high), Box(low, low), Box(high, high))
    whole, *ends = (answer(box).certified.gamma_max for box in boxes)
    assert whole == min(ends) and max(ends) > 1.1 * min(ends)


def test_a_run_whose_noise_the_setting_excludes_proves_nothing() -> None:
    """ν = 1/4 is the share that the mean of four devices keeps: three devices would keep more."""
    q = Parameters(L=1, E=2, B=1, P_n=1, M=4)
    run = impossible_from(q).evidence
    assert isinstance(run, TwoCurvatures) and run.setting.nu == Fraction(1, 4)
    whole = replace(run, share=Fraction(1), bias=Fraction(0))
    assert replace(whole, noisy_devices=4).is_admissible()
    assert not replace(whole, noisy_devices=3).is_admissible()
