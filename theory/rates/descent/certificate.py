"""A certificate of descent: exact multipliers that prove one round's decrease, and its JSON form.

Statement. Let every loss l_m have curvature in [−θL, L] (at E = 1 it is enough that f has), let A2 hold with
relative bias P_b and relative noise P_n and share ν, and let A3 hold with (G, B) at the broadcast x and at
the next one, x_+ = x + mean of the local displacements after E steps with learning rate γ. Then for every
number of devices and every dimension
  E f(x_+) ≤ f(x) − c |∇f(x)|² + price_G·G² + price_b·b² + price_σ·σ².

Where P_b = 0 the letters b_e occur only if an absolute error b² has a price, and they have multipliers then;
the same holds of P_n, z_e and σ².

Fresh sketch (Theorem S). With ω, v > 0 the certificate has (ω/2)|ȳ|² and (v/2) mean|y^m − ȳ|² to spare, so by
Lemma 2 it also proves the descent of the round that sends the displacements y^m through a sketch drawn anew,
from s of M devices, where ω ≥ ω_L and v ≥ κ(ℓ+ω_L): E f at the new broadcast is at most the right side above
plus price_channel·σ_c² (σ_c² the noise on a number, if its size is fixed). Then x_+ = x + ȳ is no broadcast:
A3 is asked there only if "spread E" has a multiplier.

The floor. Summed over T rounds, with Δ = f(x_0) − f*:
  (1/T) Σ E|∇f(x_t)|² ≤ (1/c)·Δ/T + (price_G/c)·G² + (price_b/c)·b² + (price_σ/c)·σ² + (price_channel/c)·σ_c².

Smaller learning rates. If μ = 0 or E = 1, a certificate at γ covers γ' = sγ for every s in (0, 1], with c and
all prices but the channel's multiplied by s: to run sγ on the losses l_m is to run γ on s·l_m (Coq:
`coq/rates/Scaling.v`). If μ > 0 and E ≥ 2, the same argument keeps γμ fixed: the certificate speaks of one γ
(or of (sγ, μ/s)).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from math import inf, nextafter
from typing import Any

from theory.errors import InvalidParameter
from theory.rates.fresh_sketch import COMPRESSORS, FreshSketch

DIGEST = "sha256"
FORMAT, VERSION = "fpsverify descent certificate", 1
RATIONALS = ("L", "B", "P_b", "P_n", "mu", "nu", "theta")
SKETCH_PRICES = ("omega", "v")  # a file without them is one without a sketch: 0
OPTIONAL = ("A3", "floor", "sketch")
LONGEST_NAME = 40
MOST_LETTERS = 4000  # digits beyond this are no certificate but an attack on the reader's machine
MOST_STEPS = 1000
STATEMENT = (
    "E f(x_+) <= f(x) - c |grad f(x)|^2 + price_G G^2 + price_b b^2 + price_sigma sigma^2 for one round of E "
    "local steps with learning rate gamma, curvature of every loss in [-theta L, L], A2 and A3"
)

A3 = {False: "at the broadcast x", True: "at the broadcast x and at x + mean displacement"}


@dataclass(frozen=True)
class Floor:
    """The factors of the bound on (1/T) Σ E|∇f(x_t)|²; None where no price was asked for.

    >>> Floor(Fraction(4), G2=Fraction(1, 2), b2=Fraction(0), sigma2=Fraction(0)).bound(100, 1, G2=2)
    1.04
    """

    Delta_over_T: Fraction
    G2: Fraction
    b2: Fraction | None
    sigma2: Fraction | None
    channel: Fraction | None = None

    def __getitem__(self, name: str) -> Fraction | None:
        """A factor by its name."""
        value: Fraction | None = getattr(self, name)
        return value

    def bound(self, T: int, Delta: float, **squares: float) -> float:
        """The bound after T rounds for these sources (G2, b2, sigma2, channel)."""
        total = float(self.Delta_over_T) * float(Delta) / T
        for name, value in squares.items():
            if value:
                factor = getattr(self, name)
                total += float("inf") if factor is None else float(factor) * float(value)
        return total

    def as_json(self) -> dict[str, float | None]:
        """Floats that are not below the exact numbers; `channel` only with a sketch."""
        names = ("G2", "b2", "sigma2", "Delta_over_T", *(("channel",) if self.channel is not None else ()))
        return {
            name: None if getattr(self, name) is None else _float_up(getattr(self, name)) for name in names
        }

    def exact(self) -> dict[str, str]:
        """The factors that are known, as rationals in text."""
        return {name: str(value) for name, value in vars(self).items() if value is not None}


@dataclass(frozen=True)
class FreshRound:
    """The sketch that a certificate speaks of, who takes part, and the noise of a channel used at full power.

    `noise` is the variance of the noise on a number over the power it is sent with (1/SNR), where every
    round's tables are scaled to that power (Theorem N); noise of a fixed size has a floor in its place.
    """

    sketch: FreshSketch
    devices: int | None = None
    participants: int | None = None
    noise: Fraction = Fraction(0)

    @property
    def kappa(self) -> Fraction:
        return self.sketch.kappa(self.devices, self.participants)

    @property
    def prices(self) -> tuple[Fraction, Fraction]:
        """ω_L and v = κ(ℓ+ω_L), with the price of power on both: what a certificate has to spare at least."""
        omega, power = self.sketch.omega_L, self.power
        return omega + power, self.kappa * (self.sketch.ell + omega) + power

    @property
    def power(self) -> Fraction:
        """ν' of Theorem N for the participants, or for one where their number is not known."""
        if not self.noise:
            return Fraction(0)
        return self.sketch.power_price(self.noise, self.participants or self.devices or 1)

    def as_json(self) -> dict[str, object]:
        who = {"M": self.devices, "participants": self.participants, "noise": str(self.noise)}
        return self.sketch.as_json() | who


@dataclass(frozen=True)
class Certificate:
    """Constants, learning rate, rate of descent and named multipliers, all exact, in the user's units."""

    E: int
    L: Fraction
    B: Fraction
    P_b: Fraction
    P_n: Fraction
    mu: Fraction
    nu: Fraction
    theta: Fraction
    gamma: Fraction
    c: Fraction
    multipliers: tuple[tuple[str, Fraction], ...]
    omega: Fraction = Fraction(0)
    v: Fraction = Fraction(0)
    sketch: FreshRound | None = None

    @property
    def covers_smaller(self) -> bool:
        """Does it prove descent for every smaller learning rate as well?"""
        return self.mu == 0 or self.E == 1

    @property
    def asks_A3_everywhere(self) -> bool:
        """Is A3 used at x_+ = x + ȳ as well?"""
        return any(value for name, value in self.multipliers if name == f"spread {self.E}")

    def has(self, kind: str) -> bool:
        """Are the letters of the bias ("bias") or of the noise ("noise") in it?"""
        share = self.P_b if kind == "bias" else self.P_n
        return share > 0 or any(name.startswith(f"{kind} ") for name, _ in self.multipliers)

    def price(self, kind: str) -> Fraction:
        """What G² ("spread"), b² ("bias") or σ² ("noise") costs in one round, where its letters are in."""
        return sum((value for name, value in self.multipliers if name.split()[0] == kind), Fraction(0))

    @property
    def floor(self) -> Floor:
        """What the certificate promises after T rounds."""
        trace = None if self.sketch is None else self.sketch.sketch.trace
        channel = None if trace is None or self.sketch is None else trace / (2 * self.sketch.sketch.rows)
        return Floor(
            Delta_over_T=1 / self.c,
            G2=self.price("spread") / self.c,
            b2=self.price("bias") / self.c if self.has("bias") else None,
            sigma2=self.price("noise") / self.c if self.has("noise") else None,
            channel=None if channel is None else channel / self.c,
        )

    def as_json(self) -> dict[str, Any]:
        """Plain values; every rational as text, so that no digit is lost."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "statement": STATEMENT,
            "smaller_gamma": "covered" if self.covers_smaller else "not covered",
            "A3": A3[self.asks_A3_everywhere],
            "parameters": {"E": self.E}
            | {name: str(getattr(self, name)) for name in (*RATIONALS, *SKETCH_PRICES)},
            "sketch": None if self.sketch is None else self.sketch.as_json(),
            "gamma": str(self.gamma),
            "c": str(self.c),
            "floor": self.floor.exact(),
            "multipliers": {name: str(value) for name, value in self.multipliers},
        }

    def dumps(self) -> str:
        """The JSON text, with the digest of all that is in it."""
        record = self.as_json()
        return json.dumps(record | {DIGEST: digest(record)}, indent=1) + "\n"


def digest(record: dict[str, Any]) -> str:
    """SHA-256 of a record without its digest: a changed digit shows even where the proof survives it."""
    rest = {name: value for name, value in record.items() if name != DIGEST}
    return sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def parsed(text: str) -> Any:
    """The JSON value of a text."""
    try:
        return json.loads(text, object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError) as error:
        raise InvalidParameter("certificate", f"text that is no JSON ({error})", "JSON") from None


def from_json(record: Any) -> Certificate:
    """A certificate from its JSON value; a digest is optional, and compared by `fpsverify check`."""
    if isinstance(record, dict):
        record = {name: value for name, value in record.items() if name != DIGEST}
    _checked_shape(record)
    constants = record["parameters"]
    steps = constants["E"]
    if isinstance(steps, bool) or not isinstance(steps, int) or not 1 <= steps <= MOST_STEPS:
        raise InvalidParameter("E", _short(steps), f"an integer from 1 to {MOST_STEPS}")
    return Certificate(
        E=steps,
        **{name: _rational(name, constants[name]) for name in RATIONALS},
        gamma=_rational("gamma", record["gamma"]),
        c=_rational("c", record["c"]),
        multipliers=tuple((name, _rational(name, value)) for name, value in record["multipliers"].items()),
        **{name: _rational(name, constants.get(name, "0")) for name in SKETCH_PRICES},
        sketch=_sketch(record.get("sketch")),
    )


def _sketch(record: Any) -> FreshRound | None:
    """The sketch of a file; its numbers are checked as those of a user."""
    if record is None:
        return None
    if not isinstance(record, dict):
        raise InvalidParameter("sketch", _short(record), "a JSON object")
    sizes, exact = ("rows", "buckets", "d"), ("ell", "trace", "class_trace")
    _checked_keys("sketch", record, {*sizes, *exact, "compressor", "M", "participants", "noise"})
    for name in (*sizes, "M", "participants"):
        if isinstance(record[name], bool) or not isinstance(record[name], int | None):
            raise InvalidParameter(name, _short(record[name]), "an integer")
    if record["compressor"] not in COMPRESSORS:
        raise InvalidParameter("compressor", _short(record["compressor"]), " or ".join(COMPRESSORS))
    rationals = {n: None if record[n] is None else _rational(n, record[n]) for n in exact}
    named = {name: record[name] for name in (*sizes, "compressor")} | rationals
    sketch = FreshSketch(**named)
    made = FreshRound(sketch, record["M"], record["participants"], _rational("noise", record["noise"]))
    made.prices  # noqa: B018  # refuses participants that do not fit
    return made


def _checked_shape(record: Any) -> None:
    wanted = {"format", "version", "statement", "smaller_gamma", "parameters", "gamma", "c", "multipliers"}
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise InvalidParameter("certificate", "another kind of file", f"format {FORMAT!r}")
    if record.get("version") != VERSION:
        raise InvalidParameter("version", _short(record.get("version")), str(VERSION))
    _checked_keys("certificate", record, wanted, OPTIONAL)
    for name in ("parameters", "multipliers"):
        if not isinstance(record[name], dict):
            raise InvalidParameter(name, _short(record[name]), "a JSON object")
    _checked_keys("parameters", record["parameters"], {"E", *RATIONALS}, SKETCH_PRICES)
    for name in record["multipliers"]:
        if len(name) > LONGEST_NAME:
            raise InvalidParameter("multipliers", _short(name), f"names of at most {LONGEST_NAME} letters")


def _checked_keys(
    field: str, record: dict[str, Any], wanted: set[str], optional: tuple[str, ...] = ()
) -> None:
    if set(record) - {*optional} != wanted:
        odd = [_short(name) for name in sorted((set(record) - {*optional}) ^ wanted)]
        raise InvalidParameter(field, f"keys that differ in {', '.join(odd)}", ", ".join(sorted(wanted)))


def _rational(field: str, value: object) -> Fraction:
    short = isinstance(value, str) and len(value) <= MOST_LETTERS
    if not short or not re.fullmatch(r"-?[0-9]+(/[0-9]+)?", str(value)):
        raise InvalidParameter(field, _short(value), "an exact rational such as '3/4' in quotes")
    try:
        return Fraction(str(value))
    except ZeroDivisionError:
        raise InvalidParameter(field, _short(value), "a denominator other than 0") from None


def _float_up(value: Fraction) -> float:
    """A float that is not below the number; infinite beyond the largest."""
    try:
        near = float(value)
    except OverflowError:
        return inf
    return near if Fraction(near) >= value else nextafter(near, inf)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."  # pragma: no mutate: shapes text


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise ValueError("a key occurs twice")
    return record
