"""From which learning rate on is every proof impossible? The smallest one with exact evidence.

Evidence is a run that A1-A4 admit with G = b = σ = 0 and whose gradient does not fall: two curvatures,
checked exactly here, or a spurious cycle of one or two rounds (`cycles`).

Two curvatures. A share p of the devices has the loss (L/2)x², the others −(θL/2)x². With L = 1 the mean is
(u/2)x² with u = p − (1−p)θ > 0, and A3 asks p + (1−p)θ² ≤ B²u². Each device may add a bias ±s·(gradient) with
s² ≤ P_b, and noise ±√P_n·(gradient) that is independent over the devices and steps (then 1/M is the share of
noise that averaging leaves, and pM is an integer) or absent. One round maps x to a random multiple of x.
If E x_+² ≥ x², the gradient of the mean loss never falls in mean square, so A does not tend to 0 although
G = b = σ = 0: no bound of any kind holds at this learning rate.

Any number M ≥ 2 of devices can do this without noise, whatever p is: take unit vectors v_m with sum 0,
orthogonal to e, and u_m = √p·e + √(1−p)·v_m. The loss of device m has curvature 1 along u_m and −θ across it.
A polynomial in its Hessian maps e to a vector with e-part p·(value at 1) + (1−p)·(value at −θ), and the v_m
cancel in the mean. One device has p = 1: there A3 holds with B = 1.

θ = 1 without errors: p = (1 + 1/B)/2, and the limit is the least root of
  (1/2)(1 + 1/B)(1 − Lγ)^E + (1/2)(1 − 1/B)(1 + Lγ)^E = 1.

Larger learning rates (μ = 0): one round of γ' = sγ, s ≥ 1, on the losses l_m/s makes the same points as γ on
l_m, and l_m/s has a smaller curvature and the same B, P_b, P_n. So every larger γ is impossible too. For
μ > 0 and E ≥ 2 the run speaks of one γ.

θ < 0 (strongly convex losses): l_m/s need not be strongly convex enough. There p = 1, every loss is (L/2)x²,
which is in the class for every θ, and E x_+²/x² is convex in γ and 1 at γ = 0: where it is 1, it stays so.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from math import inf, nextafter

from theory.rates.descent.round import Setting, setting_of_runs
from theory.rates.limits.cycle_check import GramCycle
from theory.rates.limits.cycles import least_cycle
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


MOST_STEPS = 2000  # exact powers beyond that have too many digits
GRID = 2000
DIGITS = 7
Number = Fraction | float


@dataclass(frozen=True)
class TwoCurvatures:
    """The run: step Lγ, share p, signs and size s of the bias, and the devices' independent noise (or 0)."""

    setting: Setting
    step: Fraction
    share: Fraction
    bias: Fraction = Fraction(0)
    up_sign: int = -1
    noisy_devices: int = 0

    def is_admissible(self) -> bool:
        """Do A2 and A3 hold, exactly?"""
        q, p = self.setting, self.share
        u = p - (1 - p) * q.theta
        spread = 0 < p <= 1 and u > 0 and p + (1 - p) * q.theta**2 <= q.B**2 * u**2
        whole = not self.noisy_devices or (
            (p * self.noisy_devices).denominator == 1 and Fraction(1, self.noisy_devices) <= q.nu
        )
        bias = self.bias >= 0 and self.bias**2 <= q.P_b and self.up_sign in (-1, 1)
        step = self.step > 0 and (q.E == 1 or self.step * q.mu <= 1)
        return spread and whole and bias and step

    def proves_impossible(self) -> bool:
        """Is the run admissible and without improvement, exactly?"""
        return self.is_admissible() and growth(self, self.step) >= 1

    @property
    def covers_larger(self) -> bool:
        return self.setting.scales and (self.setting.theta >= 0 or self.share == 1)

    @cached_property
    def exact(self) -> tuple[Fraction, ...]:
        """Share, μ, and of both kinds of devices the curvature times (1 ± bias) and the noise."""
        up, theta = 1 + self.up_sign * self.bias, self.setting.theta
        down = -theta * (1 + self.bias)
        return self.share, self.setting.mu, up, self.setting.P_n, down, self.setting.P_n * theta**2

    @cached_property
    def floats(self) -> tuple[float, ...]:
        return tuple(map(float, self.exact))


def growth(run: TwoCurvatures, step: Number) -> Number:
    """E x_+²/x² for this step, exact for an exact step."""
    p, mu, *numbers = run.floats if isinstance(step, float) else run.exact
    up, down = (_moments(run, step, step * mu, *numbers[k : k + 2]) for k in (0, 2))
    mean = p * up[0] + (1 - p) * down[0]
    if not run.noisy_devices:
        return mean * mean
    variances = p * (up[1] - up[0] ** 2) + (1 - p) * (down[1] - down[0] ** 2)
    return mean * mean + variances / run.noisy_devices


def _moments(
    run: TwoCurvatures, step: Number, pull: Number, gain: Number, noise: Number
) -> tuple[Number, Number]:
    """First and second moment of w^E/x for a device with these numbers; without noise only the first."""
    shrink = 1 - pull - step * gain
    first = second = 1 + 0 * step
    square = shrink * shrink + step * step * noise
    for _ in range(run.setting.E):
        if run.noisy_devices:
            second = square * second + 2 * shrink * pull * first + pull * pull
        first = shrink * first + pull
    return first, second


@lru_cache(maxsize=64)
def least_impossible(setting: Setting) -> TwoCurvatures | None:
    """The run of this family that fails at the smallest step, with an exact proof; None if none was found."""
    if setting.E > MOST_STEPS:
        return None
    found = [_earliest(run) for run in _families(setting)]
    proved = [run for run in found if run is not None and run.proves_impossible()]
    return min(proved, key=lambda run: run.step, default=None)


def _families(setting: Setting) -> Iterator[TwoCurvatures]:
    """Shares at the edge of A3 and 1, biases of both signs, noise of the least number of devices."""
    start = Fraction(1)
    bias = _root_below(setting.P_b)
    edge = _least_share(setting)
    for share in {edge, Fraction(1)}:
        for sign in (-1, 1) if bias else (-1,):
            yield TwoCurvatures(setting, start, share, bias, sign)
    if setting.P_n:
        devices = math.ceil(1 / setting.nu)
        for share in {Fraction(math.ceil(edge * devices), devices), Fraction(1)}:
            for sign in (-1, 1) if bias else (-1,):
                yield TwoCurvatures(setting, start, share, bias, sign, devices)


def _least_share(setting: Setting) -> Fraction:
    """The smallest p that A3 admits, rounded up: B²u² = (1−θ)u + θ, p = (u+θ)/(1+θ); 1 for θ < 0."""
    theta, square = setting.theta, setting.B**2
    if theta < 0:
        return Fraction(1)
    root = _root_above((1 - theta) ** 2 + 4 * square * theta)
    u = (1 - theta + root) / (2 * square)
    return min((u + theta) / (1 + theta), Fraction(1))


def _root_below(value: Fraction) -> Fraction:
    """A rational square root, exact where there is one, else rounded down to about 12 digits."""
    exact = math.isqrt(value.numerator), math.isqrt(value.denominator)
    if exact[0] ** 2 == value.numerator and exact[1] ** 2 == value.denominator:
        return Fraction(*exact)
    unit = 10**12 * math.ceil(1 / min(value, Fraction(1)))
    return Fraction(math.isqrt(math.floor(value * unit**2)), unit)


def _root_above(value: Fraction) -> Fraction:
    below = _root_below(value)
    return below if below**2 == value else value / below


def _earliest(run: TwoCurvatures) -> TwoCurvatures | None:
    """The run at the first step of a fine grid at which it fails, then moved down by bisection."""
    largest = 2.0 if run.setting.scales else min(2.0, 1 / float(run.setting.mu))
    smallest = 1e-3 * min(largest, 1 / (run.setting.E * float(run.setting.B)))
    ratio = (largest / smallest) ** (1 / GRID)
    high = smallest
    while growth(run, high) >= 1 and high > 1e-25 * smallest:
        high /= 1000
    low, ratio = 0.0, max(ratio, (largest / high) ** (1 / GRID))
    while growth(run, high) < 1:
        low, high = high, high * ratio
        if low > largest:
            return None
    while low and high - low > 1e-9 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if growth(run, middle) >= 1 else (middle, high)
    simple = replace(run, step=Fraction(high).limit_denominator(1000))
    close = simple.step and abs(float(simple.step) - high) < 1e-7 * high
    return simple if close and simple.proves_impossible() else replace(run, step=rounded_up(high))


def rounded_up(value: float) -> Fraction:
    """A short decimal just above."""
    unit = 10 ** (DIGITS - math.floor(math.log10(value)))
    return Fraction(math.ceil(Fraction(value) * unit), unit)
