"""Learning-rate ranges for the measured constants, and Theorem A's bound against the run's own gradients."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from empirical.constants.pairs import Scale
from empirical.observed.protocol import Evidence
from empirical.spelling import COMMANDS, Spelling
from empirical.statistics.intervals import Interval, mean_interval
from fpsverify.algorithms.base import sampling_noise
from theory.bounds import terms as bounds
from theory.rates import ranges as learning_rate
from theory.rates.parameters import Box, Parameters
from theory.rates.theorem_a import Sources


@dataclass(frozen=True)
class Measured:
    """The constants of the repaired theory with their intervals; B and G² as A3 wants them. `looks`: rounds
    with replicates.
    """

    P_b: Interval
    b2: Interval
    P_n: Interval
    sigma2: Interval
    B: Interval
    G2: Interval
    L: Interval
    R2: Interval | None
    looks: int = 0


def box(constants: Measured, mu: float, E: int, M: int) -> Box:
    """Every value between the limits of the intervals; the ranges must be safe in all of it."""
    return Box(*(_corner(constants, side, mu, E, M) for side in ("low", "high")))


def _corner(constants: Measured, side: str, mu: float, E: int, M: int) -> Parameters:
    value = {name: getattr(getattr(constants, name), side) for name in ("L", "B", "P_b", "P_n")}
    return Parameters(mu=mu, E=E, M=M, **value)


def of_the_drawn(constants: Measured, scale: Scale, n: int | None) -> tuple[Measured, Scale]:
    """What Theorem A counts where n of M devices are drawn: ν = 1/n, and the draw as noise of the mean.

    The draw adds φ(D² − ‖∇f‖²), and A3 makes that at most φ((1 − 1/B²)D² + G²): n times it is added to what
    P_n D² + σ² bounds. At E = 1 this is a proof (`participation`); at E > 1 it leaves out the drift.
    """
    if n is None or n >= scale.M:
        return constants, scale
    share = n * sampling_noise(scale.M, n)
    relative = {end: share * (1 - getattr(constants.B, end) ** -2) for end in ("estimate", "low", "high")}
    absolute = {end: share * getattr(constants.G2, end) for end in ("estimate", "low", "high")}
    P_n, sigma2 = _raised(constants.P_n, relative), _raised(constants.sigma2, absolute)
    return replace(constants, P_n=P_n, sigma2=sigma2), replace(scale, M=n)


def counted(constants: Measured, scale: Scale) -> dict[str, float | None]:
    """The devices and the noise that the bound is for; null where there is no upper limit."""
    noise = {name: getattr(constants, name) for name in ("P_n", "sigma2")}
    return {"M": scale.M} | {name: None if each.is_open else each.high for name, each in noise.items()}


def _raised(interval: Interval, by: dict[str, float]) -> Interval:
    ends = {end: getattr(interval, end) + more for end, more in by.items()}
    return Interval(**ends, method=interval.method)


def without_upper_limit(constants: Measured, names: tuple[str, ...]) -> list[str]:
    """Those of the constants that the data do not bound from above."""
    return [name for name in names if (c := getattr(constants, name)) is not None and c.is_open]


def learning_rates(constants: Measured, scale: Scale, call: Spelling = COMMANDS) -> dict[str, Any]:
    """All five forms, and where the γ that was used lies; none is safe for a constant without upper limit.

    `gamma_max` is safe for every value in the intervals, `at_estimates` holds if the estimates are right.
    """
    point = _corner(constants, "estimate", scale.mu, scale.E, scale.M)
    at = {form: _limit(found) for form, found in learning_rate.ranges(Box(point, point)).items()}
    if missing := without_upper_limit(constants, ("L", "B", "P_b", "P_n")):
        none = _no_rate(missing, remedy(missing, constants.looks, scale.T, call)) | {
            "gamma_used": scale.gamma
        }
        return {form: none | {"at_estimates": at[form]} for form in learning_rate.FORMS}
    region = box(constants, scale.mu, scale.E, scale.M)
    found = {}
    for form, allowed in learning_rate.ranges(region).items():
        found[form] = allowed.as_json() | {
            "at_estimates": at[form],
            "gamma_used": scale.gamma,
            "used_is_inside": allowed.contains(scale.gamma),
            "used_over_max": scale.gamma / allowed.gamma_max if allowed.gamma_max else None,
        }
    return found


def _limit(found: learning_rate.Range) -> float | None:
    """0 where no γ is allowed, None where any is."""
    return 0.0 if found.empty else found.gamma_max


def remedy(missing: list[str], looks: int, T: int, call: Spelling = COMMANDS) -> str:
    """What gives these constants an upper limit, or a lower one.

    Tried on the demo: with 4 of 151 rounds σ² had none (5e11 times what was seen), with 16 it is 1.7 times
    what was seen. More replicates of the same rounds do not help: the rounds between are what is not known.
    """
    found = []
    if any(name != "R2" for name in missing):
        found.append(
            f"{looks} of {T + 1} rounds were looked at: {call.estimate(looks, T)} "
            "(more replicates do not help)"
        )
    if "R2" in missing:
        found.append(f"R² is known from v_t: {call.replay}, or run with {call.verify}")
    return "; ".join(found)


def _no_rate(missing: list[str], instead: str) -> dict[str, Any]:
    why = f"no upper limit for {letters(missing)}: no learning rate is safe for every value in the interval"
    why = f"{why}; {instead}"
    words = {
        "binding": f"no upper limit for {letters(missing)}",
        "why": why,
        "guarantee": "none",
        "status": why,
    }
    sizes: dict[str, Any] = {
        "gamma_max": None,
        "empty": True,
        "unbounded": False,
        "strict": False,
        "limits": {},
        "at": None,
    }
    return sizes | words | {"used_is_inside": False, "used_over_max": None}


def letters(names: list[str]) -> str:
    return ", ".join({"R2": "R²", "G2": "G²", "b2": "b²", "sigma2": "σ²"}.get(name, name) for name in names)


def average_gradient(evidence: Evidence) -> Interval | None:
    """A = (1/T) Σ_{t<T} ‖∇f(w̃_t)‖², where every round was measured."""
    x = evidence.series.get("grad_norm_squared")
    if x is None or len(x) != evidence.T + 1:
        return None
    return mean_interval(x[:-1])


def bound_against_run(
    constants: Measured,
    scale: Scale,
    average: Interval | None,
    D2: np.ndarray | None,
    rho2: float | None,
    call: Spelling = COMMANDS,
) -> dict[str, Any]:
    """Theorem A with the safe end of every interval; beside it, with measured D² and gradient residual.

    Theorem A speaks of means over all draws of batches and noise; the run, its R² included, is one draw.
    """
    result: dict[str, Any] = {"measured_average": average.as_json() if average else None}
    if constants.R2 is None:
        return result | {"theorem_a": None, "why_not": f"the residual R² was not recorded ({call.verify})"}
    measured = {} if rho2 is None else {"R2": 0.0, "rho2": rho2}
    measured |= {} if D2 is None else {"G2": 0.0, "D2": float(D2.mean())}
    found, with_measured = (_theorem_a(constants, scale, each, call) for each in ({}, measured))
    A = average.estimate if average else None
    return result | {
        "theorem_a": found.total,
        "terms": found.terms,
        "why_not": found.why_not.rstrip("."),  # a clause: readers put it into sentences
        "with_measured_D2_and_residual": with_measured.total,
        "Delta": scale.Delta,
        "ratio": found.total / A if found.total is not None and A else None,
        "holds": bool(A <= found.total) if found.total is not None and A is not None else None,
    }


SMALLER = (0.9, 0.5, 0.1)  # times Theorem A's limit


def least_below(constants: Measured, scale: Scale, limit: float, call: Spelling = COMMANDS) -> float | None:
    """The smallest of Theorem A's bounds at γ below its limit, with the residual of this run."""
    if constants.R2 is None:
        return None
    tried = (_theorem_a(constants, replace(scale, gamma=share * limit), {}, call).total for share in SMALLER)
    return min((total for total in tried if total is not None), default=None)


def _theorem_a(
    constants: Measured, scale: Scale, instead: dict[str, float], call: Spelling = COMMANDS
) -> bounds.Bound:
    """The bound; `instead`: measured values, and 0 for the sources that they replace."""
    every = ("L", "B", "P_b", "P_n", "R2", "G2", "b2", "sigma2")
    if missing := without_upper_limit(constants, tuple(n for n in every if n not in instead)):
        helps = remedy(missing, constants.looks, scale.T, call)
        why = f"no upper limit for {letters(missing)}: the bound is not finite; {helps}"
        return bounds.Bound({}, None, why)
    ends = {name: getattr(constants, name).high for name in ("R2", "G2", "b2", "sigma2")}
    q = box(constants, scale.mu, scale.E, scale.M).high
    return bounds.implicit(q, scale.gamma, scale.T, Sources(Delta=scale.Delta, **(ends | instead)))
