"""(★) in interval arithmetic, and the runs that break it, computed a second time.

mpmath's intervals contain the exact value, so what is decided holds whatever was rounded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from mpmath.ctx_iv import MPIntervalContext

from theory.errors import EvidenceFailed
from theory.provers.second_opinion import Opinion, Second

ONE, ZERO = Fraction(1), Fraction(0)
iv = MPIntervalContext()  # its own digits, whatever others set
iv.dps = 40


@dataclass(frozen=True)
class Broken:
    """A = mean‖∇f‖² of a run, the constants that it claims, and whether exactly one assumption fails.

    P_b = P_n = 0 and B = 1 in all of them.
    """

    A: Fraction
    one_fails: bool
    L: Fraction
    gamma: Fraction
    T: int
    Delta: Fraction  # f(w_0) − f*
    E: int = 1
    b2: Fraction = ZERO
    sigma2: Fraction = ZERO
    nu: Fraction = ONE
    G2: Fraction = ZERO

    @property
    def claims(self) -> dict[str, Fraction | int]:
        """By the names that the judged run uses."""
        own = {name: value for name, value in vars(self).items() if name not in ("A", "one_fails")}
        return own | {"B2": ONE, "P_b": ZERO, "P_n": ZERO}


def _interval(value: Fraction | int) -> Any:
    number = Fraction(value)
    return iv.mpf(number.numerator) / iv.mpf(number.denominator)


def errors(q: Broken) -> tuple[Any, Any]:
    """F and N of Lemma 2' at A, for B = 1 and P_b = P_n = 0."""
    A, L, gamma = _interval(q.A), _interval(q.L), _interval(q.gamma)
    S, F, N = iv.mpf(0), iv.mpf(0), iv.mpf(0)
    for _ in range(q.E):
        slope, bias = iv.sqrt(A + _interval(q.G2)) + L * S, iv.sqrt(_interval(q.b2))
        F += (L * S + bias) / q.E
        N += _interval(q.nu * q.sigma2) / q.E**2
        S = iv.sqrt((S + gamma * (slope + bias)) ** 2 + gamma**2 * _interval(q.sigma2))
    return F, N


def allowed(q: Broken) -> Any:
    """The right side of (★) at A, without a sketch."""
    F, N = errors(q)
    start = 2 * _interval(q.Delta) / (_interval(q.gamma) * q.E * q.T)
    return start + F**2 + _largest(_interval(q.L * q.gamma * q.E), iv.sqrt(_interval(q.A)), F, N, q.E == 1)


def _largest(u: Any, root_A: Any, F: Any, N: Any, single: bool) -> Any:
    """max of −x² + u(x+√N)² (one step: u(x²+N)) over x ≥ 0, |x − √A| ≤ F: at an end, or at the vertex."""
    low, high = root_A - F, root_A + F
    low = iv.mpf([max(0, low.a), max(0, low.b)])
    points, cross = [low, high], iv.mpf(0) if single else iv.sqrt(N)
    if u.b < 1:
        vertex = u * cross / (1 - u)
        points += [vertex] if vertex.b >= low.a and vertex.a <= high.b else []
    values = [(u - 1) * x**2 + 2 * u * cross * x + u * N for x in points]
    return iv.mpf([max(value.a for value in values), max(value.b for value in values)])


def _opinion(broken: Broken) -> Opinion:
    right, A = allowed(broken), _interval(broken.A)
    if A.a <= right.b and right.a < A.b:
        raise EvidenceFailed("the intervals of both sides meet")
    return Opinion(broken.one_fails, bool(A.b <= right.a), (broken.A,))


# ---------------------------------------------------------------- the runs, f = w²/2 unless said otherwise

Draws = tuple[tuple[int, int], ...]  # equally likely (β, ζ)
EXACT: Draws = ((0, 0),)
FAIR: Draws = ((0, 1), (0, -1))


def _one_fails(
    *pasts: Draws, b2: Fraction = ZERO, sigma2: Fraction = ZERO, uncorrelated: bool = True, alike: bool = True
) -> bool:
    """Exactly one of the assumptions of A2 and A3; each past has its own law of the next (β, ζ)."""
    holds = {
        "‖β‖² ≤ b²": all(beta**2 <= b2 for past in pasts for beta, _ in past),
        "β is known from the past": all(len({beta for beta, _ in past}) == 1 for past in pasts),
        "E[ζ | past] = 0": all(sum(zeta for _, zeta in past) == 0 for past in pasts),
        "E‖ζ‖² ≤ σ²": all(sum(zeta**2 for _, zeta in past) <= sigma2 * len(past) for past in pasts),
        "the noises of two devices are uncorrelated": uncorrelated,
        "A3": alike,
    }
    return list(holds.values()).count(False) == 1


def _beta_from_noise() -> Broken:
    """w⁺ = w − (w + ζ + β) with β = ζ = ±1, from w = 2: two draws decide E w², and both give 4."""
    after = [2 - (2 + zeta + zeta) for zeta in (1, -1)]
    again = {w - (w + zeta + zeta) for w in after for zeta in (1, -1)}
    settled = {w * w for w in (*after, *again)} == {4}
    one_fails = _one_fails(((1, 1), (-1, -1)), b2=ONE, sigma2=ONE)
    return Broken(Fraction(4), settled and one_fails, ONE, ONE, T=16, Delta=Fraction(2), b2=ONE, sigma2=ONE)


def _without_replacement() -> Broken:
    """Every sequence of first draws of six epochs; the second draw of an epoch is the opposite sign."""
    rate, total, count = Fraction(3, 2), ZERO, 0
    for firsts in product((1, -1), repeat=6):
        w, count = ZERO, count + 1
        for zeta in (sign for first in firsts for sign in (first, -first)):
            total += w * w
            w -= rate * (w + zeta)
    after = (((0, -1),), ((0, 1),))  # given the first draw of the epoch
    one_fails = _one_fails(FAIR, *after, sigma2=ONE)
    return Broken(total / (12 * count), one_fails, ONE, rate, T=12, Delta=ZERO, sigma2=ONE)


def _replayed() -> Broken:
    """Four devices, four steps: device m at step e ≥ m uses the noise of device 0 at step e − m.

    Each device's point is carried as (part of w, share of every noise); then E w² is stationary.
    """
    rate, devices = Fraction(1, 100), []
    for m in range(4):
        part = ONE
        shares: dict[tuple[int, int], Fraction] = {}
        for e in range(4):
            part, shares = part * (1 - rate), {key: share * (1 - rate) for key, share in shares.items()}
            key = (0, e - m) if e >= m else (m, e)
            shares[key] = shares.get(key, ZERO) - rate
        devices.append((part, shares))
    keep = sum((part for part, _ in devices), ZERO) / 4
    noise: dict[tuple[int, int], Fraction] = {}
    for _, shares in devices:
        for key, share in shares.items():
            noise[key] = noise.get(key, ZERO) + share / 4
    A = sum((share**2 for share in noise.values()), ZERO) / (1 - keep**2)
    own = all(len(shares) == 4 for _, shares in devices)
    one_fails = own and _one_fails(FAIR, sigma2=ONE, uncorrelated=len(noise) == 16)
    return Broken(A, one_fails, ONE, rate, T=10**4, Delta=A / 2, E=4, sigma2=ONE, nu=Fraction(1, 4))


def _hidden_bias() -> Broken:
    """w = 1 and β = −1: the step is 0. b = 0 is claimed."""
    still = ONE - (ONE - 1) / 2 == ONE
    return Broken(ONE, still and _one_fails(((-1, 0),)), ONE, Fraction(1, 2), T=1000, Delta=Fraction(1, 2))


def _hidden_noise() -> Broken:
    """w⁺ = w/2 − ζ/2: E w² = A solves A = A/4 + 1/4. σ = 0 is claimed."""
    A = Fraction(1, 3)
    stationary = A == A / 4 + Fraction(1, 4)
    return Broken(A, stationary and _one_fails(FAIR), ONE, Fraction(1, 2), T=1000, Delta=A / 2)


def _hidden_difference() -> Broken:
    """l_1' = 10w − 1 and l_2' = w + g from w = 0, two steps of 1/100 each: the mean returns to 0."""
    rate, g = Fraction(1, 100), Fraction(190, 199)
    ends = []
    for steep, slope in ((10, -ONE), (1, g)):
        w = ZERO
        for _ in range(2):
            w -= rate * (steep * w + slope)
        ends.append(w)
    A = ((g - 1) / 2) ** 2
    one_fails = _one_fails(EXACT, alike=(1 + g**2) / 2 <= A)  # B = 1 and G = 0 are claimed
    return Broken(A, sum(ends) == 0 and one_fails, Fraction(10), rate, T=10**5, Delta=A / 11, E=2)


BROKEN: dict[str, Callable[[], Broken]] = {
    "beta-depends-on-noise": _beta_from_noise,
    "without-replacement": _without_replacement,
    "replayed-noise": _replayed,
    "bias-understated": _hidden_bias,
    "noise-understated": _hidden_noise,
    "dissimilarity-understated": _hidden_difference,
}


def second_star(name: str) -> Second | None:
    """The second judge of the run of this name; it refuses a run that claims other constants."""
    build = BROKEN.get(name)
    if build is None:
        return None

    def of_run(run: Any) -> Opinion:
        broken = build()
        if vars(run.claimed) != broken.claims:
            raise EvidenceFailed("engines disagree: the second run has other constants")
        return _opinion(broken)

    return Second("second run and intervals", of_run)
