"""The answer of `lr`: the certified range beside what is impossible, at a point or in a whole box.

A certificate at γ is a statement about all losses with curvature in [−θL, L] and all errors within B, P_b,
P_n and ν. Smaller constants only admit fewer losses and errors, so a certificate at the largest L, B, P_b,
P_n and ν covers the box. It does not cover other E or μ. Different E get a certificate each; for μ = 0 each
one covers every smaller γ, so the smallest γ of them is proved for all E. For μ > 0 and E ≥ 2 a certificate
speaks of one γ, so E and μ must be single numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from typing import Any

from theory.rates.descent.certified import CertifiedRange, certified_range, with_mean_smoothness
from theory.rates.descent.round import checked_theta
from theory.rates.limits.impossible import MOST_NODES, Impossible, impossible_from
from theory.rates.parameters import Box, Parameters, Scalar
from theory.rates.ranges import Range, learning_rate_range
from theory.rates.theorem_c import ConvexRange, convex_range

MOST_E_SEARCHED = 50  # pragma: no mutate: local steps for which failing runs are searched in a second
QUICK_NODES = 8  # pragma: no mutate: points of a cycle of two rounds; MOST_NODES is for those of one
MOST_CERTIFICATES = 5  # pragma: no mutate: one for each E of an interval, a second each
STRONGLY_CONVEX = "Losses that are strongly convex are convex: the range is that of theta = 0."
STATUS = {
    "exact": "valid: an exact certificate, checked with fractions",
    "numerical": "numerical: found by the solver, not proved",
    "none": "valid: Theorem A's range, no certificate",
}


@dataclass(frozen=True)
class Answer:
    """The certified range, the smallest γ known to be impossible, and Theorem C's range for convex losses."""

    certified: CertifiedRange
    impossible: Impossible
    convex: ConvexRange
    at: Parameters
    note: str = ""  # how θ or B was read, where it is not taken as it is

    @property
    def share(self) -> float | None:
        """Certified / impossible: 1 leaves nothing to gain."""
        largest, end = self.certified.gamma_max, self.impossible.gamma_from
        return None if largest is None or end is None else largest / end

    def as_json(self) -> dict[str, dict[str, Any]]:
        """The keys `certified` and `convex`, in plain values."""
        end = self.impossible
        limit = {"gamma_from": end.gamma_from, "larger_too": end.larger_too, "why": end.why}
        extra = {
            "unbounded": self.unbounded,
            "theorem_a": self.certified.theorem_a if self.certified.theorem_a < inf else None,
            "impossible": limit,
            "certified_over_impossible": self.share,
            "status": self.status,
        }
        says = "valid if every loss is convex" if self.convex.applies else "empty here: it does not apply"
        return {
            "certified": self.certified.as_json() | extra,
            "convex": self.convex.as_json() | {"status": says},
        }

    @property
    def unbounded(self) -> bool:
        """Is every γ allowed? Only for L = 0."""
        return self.certified.gamma_max is None and not self.certified.empty

    @property
    def status(self) -> str:
        """How sure the certified range is, in one line."""
        if self.certified.empty:
            return "empty here: no gamma is proved"
        return STATUS[self.certified.certificate]


def answer(box: Box, theta: Scalar = 1, L_f: Scalar | None = None) -> Answer:
    """What is certified everywhere in the box, and what is impossible somewhere in it."""
    found = _answer(box, checked_theta(theta), L_f)
    if theta >= 0:
        return found
    certified = replace(found.certified, why=f"{found.certified.why} {STRONGLY_CONVEX}")
    return replace(found, certified=certified, note=STRONGLY_CONVEX)


def _answer(box: Box, theta: Fraction, L_f: Scalar | None) -> Answer:
    smooth = with_mean_smoothness(_worst(box), L_f)
    convex, certified = convex_in(box, L_f), certified_in(box, theta, L_f)
    obstacle = _only_for_a_point(box)
    if smooth.L == 0 or obstacle:
        why = f"Not searched: {obstacle}." if smooth.L else "L = 0: no curvature."
        return Answer(certified, _not_searched(why), convex, _worst(box))
    points = _points(box, smooth)
    end = min((_impossible(q, theta) for q in points), key=lambda each: each.gamma_from or inf)
    at = next((q for q in points if certified.proof is not None and q.E == certified.proof.E), points[0])
    return Answer(certified, end, convex, at)


def certified_in(box: Box, theta: Scalar = 1, L_f: Scalar | None = None) -> CertifiedRange:
    """What is certified everywhere in a box."""
    theta = checked_theta(theta)
    smooth = with_mean_smoothness(_worst(box), L_f)
    if smooth.L == 0:
        return _affine(box)
    if obstacle := _only_for_a_point(box):
        covered = learning_rate_range("repaired_sharp", box)
        return _from_range(covered, f"Theorem A covers the box; {obstacle}.", max(float(theta), 0.0))
    found = [certified_range(q, theta) for q in _points(box, smooth)]
    return min(found, key=lambda each: each.gamma_max or 0.0)


def _worst(box: Box) -> Parameters:
    return replace(box.high, M=box.low.M)


def _points(box: Box, smooth: Parameters) -> list[Parameters]:
    """One for each E of the box."""
    return [replace(smooth, E=E) for E in range(box.low.E, box.high.E + 1)]


def _only_for_a_point(box: Box) -> str:
    """Why a certificate at one corner does not cover the box; empty if it does."""
    low, high = box.low, box.high
    if high.E == 1 or (low.E == high.E and low.mu == high.mu):
        return ""
    if high.mu > 0:
        return "with mu > 0 a certificate is only for a point, not for an interval of E or mu"
    if high.E - low.E >= MOST_CERTIFICATES:
        return f"each E needs its own certificate, and the search stops at {MOST_CERTIFICATES} of them"
    return ""


def _impossible(q: Parameters, theta: Fraction) -> Impossible:
    if q.E > MOST_E_SEARCHED:
        return _not_searched(f"Not searched: E is above {MOST_E_SEARCHED}.")
    one_round = q.E * (2 if q.P_b else 1)
    return impossible_from(q, theta, max(QUICK_NODES, one_round) if one_round <= MOST_NODES else QUICK_NODES)


def _not_searched(why: str) -> Impossible:
    return Impossible(None, False, None, why)


def _affine(box: Box) -> CertifiedRange:
    """L = 0: only the bias and γμ ≤ 1 can limit γ, and Theorem A's range says so."""
    sharp = learning_rate_range("repaired_sharp", box)
    limits = "only gamma mu <= 1 limits gamma" if sharp.gamma_max else "any gamma will do"
    return _from_range(sharp, f"L = 0: the losses are affine, so {limits}.", 1.0)


def _from_range(sharp: Range, why: str, theta: float) -> CertifiedRange:
    """Theorem A's range for the whole box, just inside where it is open at its end."""
    if sharp.gamma_max is None:
        end = 0.0 if sharp.empty else inf
        words = sharp.why if sharp.empty else why
        return CertifiedRange(None, sharp.binding, words, end, empty=sharp.empty, theta=theta)
    inside = sharp.gamma_max * (1 - 1e-9 * sharp.strict)
    return CertifiedRange(Fraction(inside), sharp.binding, why, inside, theta=theta)


def convex_in(box: Box, L_f: Scalar | None = None) -> ConvexRange:
    """Theorem C's range shrinks in each constant; its conditions hold in the box if they hold at its top."""
    worst = _worst(box)
    if worst.L == 0 and not worst.P_b and (not worst.mu or worst.E == 1):
        return ConvexRange(None, True, "none", "L = 0: any gamma.")
    if worst.L == 0:
        worst = replace(worst, L=1)  # Theorem C does not apply here, whatever L is
    return convex_range(worst, L_f)
