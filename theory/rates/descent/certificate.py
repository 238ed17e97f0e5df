"""A certificate of descent: exact multipliers that prove one round's decrease, and its JSON form.

Statement. Let every loss l_m have curvature in [−θL, L] (at E = 1 it is enough that f has), let A2 hold with
relative bias P_b and relative noise P_n and share ν, and let A3 hold with (G, B) at the broadcast x and at
the next one, x_+ = x + mean of the local displacements after E steps with learning rate γ. Then for every
number of devices and every dimension
  E f(x_+) ≤ f(x) − c |∇f(x)|² + price_G·G² + price_b·b² + price_σ·σ².

Both matrices of the certificate are positive definite. So, where P_b = 0 (or P_n = 0) left the letters b_e
(or z_e) out, an absolute error b² (or σ²) still has some finite price: put the letters in, give them a large
multiplier, and the Schur complement stays positive definite.

Smaller learning rates. If μ = 0 or E = 1, a certificate at γ covers γ' = sγ for every s in (0, 1], with c and
all prices multiplied by s: to run sγ on the losses l_m is to run γ on s·l_m (Coq: `coq/rates/Scaling.v`).
If μ > 0 and E ≥ 2, the same argument keeps γμ fixed: the certificate speaks of one γ (or of (sγ, μ/s)).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import Any

from theory.errors import InvalidParameter

DIGEST = "sha256"
FORMAT, VERSION = "fpsverify descent certificate", 1
RATIONALS = ("L", "B", "P_b", "P_n", "mu", "nu", "theta")
MOST_LETTERS = 4000  # digits beyond this are no certificate but an attack on the reader's machine
MOST_STEPS = 1000
STATEMENT = (
    "E f(x_+) <= f(x) - c |grad f(x)|^2 + price_G G^2 + price_b b^2 + price_sigma sigma^2 for one round of E "
    "local steps with learning rate gamma, curvature of every loss in [-theta L, L], A2 and A3"
)


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

    @property
    def covers_smaller(self) -> bool:
        """Does it prove descent for every smaller learning rate as well?"""
        return self.mu == 0 or self.E == 1

    def price(self, kind: str) -> Fraction:
        """What G² ("spread"), b² ("bias") or σ² ("noise") costs in one round, where its letters are in."""
        return sum((value for name, value in self.multipliers if name.split()[0] == kind), Fraction(0))

    def as_json(self) -> dict[str, Any]:
        """Plain values; every rational as text, so that no digit is lost."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "statement": STATEMENT,
            "smaller_gamma": "covered" if self.covers_smaller else "not covered",
            "parameters": {"E": self.E} | {name: str(getattr(self, name)) for name in RATIONALS},
            "gamma": str(self.gamma),
            "c": str(self.c),
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
    )


def _checked_shape(record: Any) -> None:
    wanted = {"format", "version", "statement", "smaller_gamma", "parameters", "gamma", "c", "multipliers"}
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise InvalidParameter("certificate", "another kind of file", f"format {FORMAT!r}")
    if record.get("version") != VERSION:
        raise InvalidParameter("version", _short(record.get("version")), str(VERSION))
    _checked_keys("certificate", record, wanted)
    for name in ("parameters", "multipliers"):
        if not isinstance(record[name], dict):
            raise InvalidParameter(name, _short(record[name]), "a JSON object")
    _checked_keys("parameters", record["parameters"], {"E", *RATIONALS})


def _checked_keys(field: str, record: dict[str, Any], wanted: set[str]) -> None:
    if set(record) != wanted:
        odd = sorted(set(record) ^ wanted)
        raise InvalidParameter(field, f"keys that differ in {', '.join(odd)}", ", ".join(sorted(wanted)))


def _rational(field: str, value: object) -> Fraction:
    short = isinstance(value, str) and len(value) <= MOST_LETTERS
    if not short or not re.fullmatch(r"-?[0-9]+(/[0-9]+)?", str(value)):
        raise InvalidParameter(field, _short(value), "an exact rational such as '3/4' in quotes")
    try:
        return Fraction(str(value))
    except ZeroDivisionError:
        raise InvalidParameter(field, _short(value), "a denominator other than 0") from None


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."  # pragma: no mutate: shapes text


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise ValueError("a key occurs twice")
    return record
