"""Bad input and a missing or failing solver: one clear line each, never a crash."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from property_tests import laws
from theory.errors import InvalidParameter
from theory.rates.descent.certified import certified_range, certify
from theory.rates.descent.residual_bound import sdp_bound
from theory.rates.limits.impossible import impossible_from
from theory.rates.parameters import Parameters
from theory.rates.ranges import supremum
from theory.rates.theorem_a import Sources

SOURCE = laws.COMMANDS


@pytest.mark.parametrize("gamma", [0, -1, float("nan"), float("inf")])
def test_rates_that_are_no_rates_are_refused(gamma: float) -> None:
    with pytest.raises(InvalidParameter, match="^gamma: "):
        certify(Parameters(L=1, E=2), gamma)


def test_a_rate_beyond_the_proximal_cap_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="^gamma mu: got 2.0, expected at most 1$"):
        certify(Parameters(L=1, E=2, mu=1), 2)
    assert certify(Parameters(L=1, E=1, mu=1), Fraction(3, 2)) is not None  # one step has no proximal term


class Stopped:
    """A solver that always gives up."""

    def __init__(self, *_: Any) -> None: ...

    def solve(self) -> Any:
        return SimpleNamespace(status="NumericalError", x=[])


def test_a_failing_solver_leaves_theorem_a(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clarabel.DefaultSolver", Stopped)
    found = certified_range(Parameters(L=1, E=3, B=2))
    assert found.certificate == "none" and found.binding == "Theorem A" and "no certificate" in found.why
    assert "NumericalError" in sdp_bound(Parameters(L=1, E=3), 0.1, 10, Sources(Delta=1)).why_not


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


@pytest.mark.parametrize("B", [1e6, 1e20, 1 + 1e-9])
@pytest.mark.parametrize("extra", [{}, {"P_n": 1e15}, {"P_b": 1e-45}, {"mu": 1e12}])
def test_extreme_constants_get_an_answer(B: float, extra: dict[str, float]) -> None:
    q = Parameters(L=1e-3, E=2, B=B, **extra)  # type: ignore[arg-type]
    found = certified_range(q)
    assert found.empty or (found.gamma_max or 0) >= supremum("repaired_sharp", q) * (1 - 1e-3)
