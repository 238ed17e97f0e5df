"""The runs that break Theorem 1, their numbers written down once more, for the second run."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from typing import Any

from theory.counterexamples.second.algorithm1 import Loss, Setting
from theory.counterexamples.second.theorem1 import AS_PRINTED, Case, opinion
from theory.errors import EvidenceFailed
from theory.provers.second_opinion import Opinion, Second

DEFAULTS: dict[str, Any] = {
    "mu": F(0), "M": 1, "E": 1, "B": F(1), "P_n": F(0), "b2": F(0), "sigma2": F(0), "d": 1, "k": 1, "p": 2,
    "delta": F(1, 100), "epsilon": F(1, 10**6),
}  # fmt: skip


def _case(
    losses: tuple[Loss, ...], start: tuple[F, ...], columns: int, constants: dict[str, Any], **more: Any
) -> Case:
    q = DEFAULTS | constants
    of_case = {name: more.pop(name) for name in ("law", "right") if name in more}
    setting = Setting(
        losses, start, q["gamma"], q["mu"], q["T"], q["E"], q["k"], rows=5, columns=columns, **more
    )
    return Case(setting, q, **of_case)


def _line(steep: F, lowest: F = F(0)) -> Loss:
    return Loss((steep,), (lowest,))


def _range_without_L() -> Case:
    q = {"L": F(72), "gamma": F(1, 36), "T": 99, "W": F(1), "c": F(100), "P_b": F(1, 20)}
    return _case((_line(F(72)),), (F(1),), 200, q)


def _missing_rho() -> Case:
    q = {"L": F(1), "gamma": F(1, 40), "T": 199, "W": F(1), "c": F(1000), "P_b": F(1, 16)}
    return _case((_line(F(1)),), (F(1),), 2200, q, bias=F(-1, 4))


def _frozen() -> Case:
    q = {"L": F(1), "gamma": F(1, 25), "T": 99, "W": F(11, 10), "c": F(1000), "P_b": F(1, 1000), "d": 2}
    return _case((Loss((F(1), F(1)), (F(3, 4), F(1))),), (F(0), F(1)), 2200, q)


def _floor() -> Case:
    q = {"L": F(1), "gamma": F(1, 25), "T": 299, "W": F(8), "c": F(1000), "P_b": F(1, 1000), "d": 2}
    loss = Loss((F(1), F(1, 8)), (F(1), F(3, 4)))
    return _case((loss,), (F(7, 4), F(7, 4)), 2400, q, never_reset=True)


def _drift() -> Case:
    """l_1' = 10w − 1 and l_2' = w − z: two steps from 0 move by γ(2 − 0.11) and γz(2 − 0.02), in sum 0."""
    q = {
        "L": F(10), "mu": F(1), "gamma": F(1, 100), "T": 299, "W": F(1, 10**4), "c": F(1000), "M": 2, "E": 2,
        "P_b": F(1, 10**9), "B": F(50), "epsilon": F(1, 2025),
    }  # fmt: skip
    return _case((_line(F(10), F(1, 10)), _line(F(1), F(-189, 198))), (F(0),), 2400, q)


def _negative_tail() -> Case:
    q = {"L": F(1), "gamma": F(1, 40), "T": 99, "W": F(1), "c": F(100), "P_b": F(1, 100)}
    return _case((_line(F(1)),), (F(1),), 200, q, right=AS_PRINTED)


def _rare_kick() -> Case:
    q = {
        "L": F(12), "gamma": F(1, 50), "T": 7, "W": F(1, 100), "c": F(2000), "P_b": F(1, 1000),
        "sigma2": F(1, 999), "delta": F(1, 1000), "B": F(1001, 1000), "epsilon": F(1),
    }  # fmt: skip
    law = ((F(1, 1000), F(1)), (F(999, 1000), F(-1, 999)))
    return _case((_line(F(12)),), (F(0),), 3600, q, law=law)


def _two_devices() -> Case:
    q = {
        "L": F(50), "mu": F(50), "gamma": F(1, 100), "T": 2, "W": F(1), "c": F(1000), "M": 2, "E": 2,
        "P_b": F(1, 10**6), "B": F(11, 10), "epsilon": F(25),
    }  # fmt: skip
    return _case((_line(F(50), F(1, 100)), _line(F(50), F(-1, 100))), (F(1),), 1200, q)


CASES: dict[str, Callable[[], Case]] = {
    "range-without-L": _range_without_L,
    "missing-1-over-rho": _missing_rho,
    "top-k-freezing": _frozen,
    "top-k-floor": _floor,
    "heterogeneity-drift": _drift,
    "negative-sketch-term": _negative_tail,
    "expectation-dropped": _rare_kick,
    "local-steps-any-reading": _two_devices,
}


def second_run(name: str) -> Second | None:
    """The second judge of the refutation of this name."""
    build = CASES.get(name)
    if build is None:
        return None

    def of_played(played: Any) -> Opinion:
        case = build()
        if vars(played.refutation.parameters) != case.constants:
            raise EvidenceFailed("engines disagree: the second run has other constants")
        return opinion(case)

    return Second("second run and z3", of_played)


def _steep(data: dict) -> Opinion:
    """Theorem 1 for f = (L/2)w², one device, exact gradients."""
    names = ("L", "P_b", "gamma", "W", "c", "T")
    found = opinion(_case((_line(data["L"]),), (data["w0"],), 200, {n: data[n] for n in names}))
    return Opinion(found.admissible, found.holds, found.sides[:2])


STEEP = Second("second run and z3", _steep)
