"""Minkowski's inequality: cited for L², proved in the plane."""

from __future__ import annotations

import sympy as sp

from theory.claim import Claim, Entry
from theory.provers import Contradiction, term
from theory.repaired.lines import classical, nonnegative
from theory.symbols import real


def entry(place: str) -> Entry:
    """‖u+v‖ ≤ ‖u‖ + ‖v‖; p, q, r are the three norms, u = (x1, x2) and v = (y1, y2)."""
    p, q, r, x1, x2, y1, y2 = real("p_len q r x1 x2 y1 y2")
    norms = (
        sp.Eq(p**2, x1**2 + x2**2),
        sp.Eq(q**2, y1**2 + y2**2),
        sp.Eq(r**2, (x1 + y1) ** 2 + (x2 + y2) ** 2),
    )
    return classical(
        "RD.D2a",
        place,
        "Minkowski's inequality, cited for any L² norm and shown for two coordinates",
        r"\|u+v\|\le\|u\|+\|v\|",
        Claim((*nonnegative(p, q, r), *norms), r <= p + q),
        "Minkowski's inequality (triangle inequality of the L² norm: over devices, rounds and probability, "
        "or with weights ω_e/Ē)",
        _in_the_plane(norms),
    )


def _in_the_plane(norms: tuple[sp.Eq, ...]) -> Contradiction:
    """Let r = p + q + s with s > 0 and t = s(p+q) + s²/2. Then ⟨u, v⟩ = pq + t, and Lagrange's identity
    ⟨u, v⟩² + (x1 y2 − x2 y1)² = p²q² reads 0 = t² + 2pqt + (x1 y2 − x2 y1)².
    """
    p, q, r, x1, x2, y1, y2 = real("p_len q r x1 x2 y1 y2")
    longer, both = r > p + q, p + q
    inner = (r**2 - p**2 - q**2) / 4 + (x1 * y1 + x2 * y2) / 2
    return Contradiction(
        (
            term(sp.Rational(1, 4), 1, *[longer] * 4),
            term(both, 1, *[longer] * 3),
            term(both**2, 1, *[longer] * 2),
            term(2 * p * q * both, 1, longer),
            term(p * q, 1, *[longer] * 2),
            term(1, x1 * y2 - x2 * y1),
        ),
        using=((inner + q**2, norms[0]), (inner + x1**2 + x2**2, norms[1]), (-inner, norms[2])),
    )
