"""A power with a real exponent, as an equation for z3."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from theory.errors import EvidenceFailed
from theory.ledger.statements import Claim
from theory.provers.second_opinion import Opinion, Second, by_z3
from theory.symbols import real

E, power = real("E power")


def _five(epochs: Any) -> Opinion:
    """(1 + 1/(E−1))^E ≤ 5 at E = n/2: `power` is the root of the n-th power."""
    halves = 2 * Fraction(epochs)
    if halves.denominator != 1:
        raise EvidenceFailed("the second judge reads multiples of 1/2")
    root = sp.Eq(power**2, (1 + 1 / (E - 1)) ** int(halves))
    return by_z3(Claim((E > 1, power >= 0, root), power <= 5), {E: epochs})


FIVE = Second("z3", _five)
