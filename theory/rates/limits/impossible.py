"""From which learning rate on is every proof impossible? The smallest one with exact evidence.

Evidence is a run that A1-A4 admit with G = b = σ = 0 and whose gradient does not fall: two curvatures
(`two_curvatures`), or a spurious cycle of one or two rounds (`cycles`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf, nextafter

from theory.rates.descent.setting import Setting, setting_of_runs
from theory.rates.limits.cycle_check import GramCycle
from theory.rates.limits.cycles import least_cycle
from theory.rates.limits.two_curvatures import TwoCurvatures, least_impossible
from theory.rates.parameters import Parameters, Scalar

TOLERANCE = 2e-4
MOST_NODES = 12  # points of a cycle that are searched in about a second


@dataclass(frozen=True)
class Impossible:
    """The smallest γ known to be impossible (None: none is known), and the exact run that shows it."""

    gamma: Fraction | None
    larger_too: bool
    evidence: TwoCurvatures | GramCycle | None
    why: str

    @property
    def gamma_from(self) -> float | None:
        """γ as a float, rounded up: a number that the evidence covers."""
        if self.gamma is None:
            return None
        number = float(self.gamma)
        return number if Fraction(number) >= self.gamma else nextafter(number, inf)


def impossible_from(q: Parameters, theta: Scalar = 1, most_nodes: int = MOST_NODES) -> Impossible:
    """The smallest γ with exact evidence. Cycles of up to `most_nodes` points are searched (0: none)."""
    found = least_impossible_step(setting_of_runs(q, theta), most_nodes)
    if found is None:
        return Impossible(None, False, None, "No admissible run that fails was found.")
    gamma = found.step / Fraction(q.L)
    return Impossible(gamma, found.covers_larger, found, _words(found))


def least_impossible_step(setting: Setting, most_nodes: int) -> TwoCurvatures | GramCycle | None:
    """The evidence with the smallest step; for strongly convex losses cycles are not searched."""
    best: TwoCurvatures | GramCycle | None = least_impossible(setting)
    for rounds in (1, 2) if setting.theta >= 0 else ():
        if rounds * setting.E * (2 if setting.P_b else 1) <= most_nodes:
            cycle = least_cycle(setting, _search_end(setting, best), rounds, TOLERANCE)
            best = cycle if cycle and (best is None or cycle.step < best.step) else best
    return best


def _search_end(setting: Setting, best: TwoCurvatures | GramCycle | None) -> float:
    """Slightly above the best step so far, where a strict cycle may exist; A4 caps it."""
    end = 2.1 if best is None else float(best.step) * 1.001
    return end if setting.scales else min(end, 1 / float(setting.mu))


def _words(found: TwoCurvatures | GramCycle) -> str:
    rest = "and from there on" if found.covers_larger else "(each gamma needs its own run when mu > 0)"
    if isinstance(found, GramCycle):
        kind = "returns to its start after" + (" one round" if found.rounds == 1 else " two rounds")
        return f"At this gamma {rest} an admissible run of two devices {kind} though its gradient is not 0."
    share = f"a share {float(found.share):.4g} of the devices has"
    losses = f"{share} the loss L x^2/2, the others -theta L x^2/2"
    all_alike = "every device has the loss L x^2/2"
    return f"At this gamma {rest} a run never improves: {all_alike if found.share == 1 else losses}."
