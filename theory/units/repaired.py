"""Units: every bound of the repaired theory scales as it must under f → s f and w → s w.

√P_b and √P_n are written r_b and r_n (no units), ν is 1, and G² carries the units of ‖∇f‖².
"""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theory import formulas
from theory.ledger import Entry, defined, proof
from theory.provers import Identity
from theory.symbols import F0, R2, B, E, G, L, P_b, P_n, T, W, b2, c, gamma, k, mu, real, s2
from theory.units import measure as units
from theory.units.measure import GRADIENT2, LENGTH2, RATE, Weight

PREFIXES = ("RU",)

r_b, r_n, tail, spread, ratio = real("r_b r_n tail spread ratio")  # tail = τ_k/‖v‖, spread = 2/√c
LETTERS = {
    "r_b": "sqrt(P_b)",
    "r_n": "sqrt(P_n)",
    "tail": "share of the norm outside the k largest coordinates",
    "spread": "2/sqrt(c)",
    "ratio": "||H||_F^2 over its bound, which has no units",
}
R = sp.Rational
POINT = {
    units.s: 10, units.r: 2, L: 1, mu: 1, gamma: R(1, 10), E: 2, B: 1, T: 9, c: 2,
    r_b: R(1, 10), r_n: R(1, 10), F0: 1, R2: 1, G: 1, b2: 1, s2: 1, W: 1, k: 2,
}  # fmt: skip


def entries() -> tuple[Entry, ...]:
    """Lemma 1', Lemma 2', (★) and its range, both corollaries and their step sizes, Proposition F."""
    drift = 2 * (1 + gamma * L * c) ** 2 * gamma**2 * ((1 + P_b + P_n / 2) * G + b2 + s2 / 2)
    star = 2 * F0 / (gamma * E * T) + L**2 * R2 + P_b * G + b2 + L * gamma * E * (P_n * G + s2)
    drift_step, noise_step, proximal_step = map(_limit, formulas.COROLLARY2_CONDITIONS)
    small, quiet = map(_limit, formulas.COROLLARY1_CONDITIONS)
    sharp = _limit(formulas.SHARP_E1_SMALL_NOISE)
    found = (
        _entry("RU.1", "Lemma 2' closed form, one step", drift, LENGTH2, "Lemma2r"),
        _entry("RU.2", "(★), one term of each kind", star, GRADIENT2, "TheoremA"),
        _entry(
            "RU.3",
            "Corollary 1, right side",
            sum(formulas.COROLLARY1_TERMS.values()),
            GRADIENT2,
            "Corollary1",
        ),
        _entry(
            "RU.4",
            "Corollary 2, right side",
            sum(formulas.COROLLARY2_TERMS.values()),
            GRADIENT2,
            "Corollary2",
        ),
        _entry("RU.5", "Corollary 2, drift condition", drift_step, RATE, "Corollary2"),
        _entry("RU.6", "Corollary 2, noise condition", noise_step, RATE, "Corollary2"),
        _entry("RU.7", "Corollary 2, proximal condition", proximal_step, RATE, "Corollary2"),
        _entry("RU.8", "Lemma 1' (b), right side", (1 / c + (tail + spread) ** 2) * W, LENGTH2, "Lemma1r.b"),
        _entry("RU.9", "Corollary 1, step-size condition", small, RATE, "Corollary1"),
        _entry("RU.10", "Corollary 1, noise condition", quiet, RATE, "Corollary1"),
        _entry("RU.11", "Theorem A, its range at E = 1", sharp, RATE, "TheoremA.range"),
        _entry("RU.12", "Proposition F, the floor", L**2 * R2 * (ratio / k - 1), GRADIENT2, "PropositionF"),
    )
    return defined(LETTERS, found)


def _limit(condition: formulas.StepCondition) -> sp.Expr:
    return condition.upper / condition.slope


def _rational(expression: sp.Expr) -> sp.Expr:
    """Without square roots and without the letters that have no units."""
    plain = {formulas.nu: sp.Integer(1), formulas.G2: G, formulas.E_bar: E}
    roots = {sp.sqrt(P_b): r_b, sp.sqrt(P_n): r_n}
    return expression.subs(plain).subs(roots).subs({P_b: r_b**2, P_n: r_n**2})


def _entry(identifier: str, what: str, bound: sp.Expr, weight: Weight, about: str) -> Entry:
    written = _rational(sp.sympify(bound))
    used = tuple(h for h in _defined() if h.free_symbols <= written.free_symbols)
    stated = units.claim(written, weight, used, POINT)
    evidence = proof(Identity(units.changes(written)))
    found = units.entry(identifier, what, f"{what}, under a change of units", stated, True, evidence)
    return replace(found, depends=(about,))


def _defined() -> tuple[sp.Basic, ...]:
    """Where the denominators are not 0."""
    small = 1 - r_b**2 * B**2 - L * gamma * r_n**2 * B**2
    positive = (L > 0, mu > 0, gamma > 0, E >= 2, B >= 1, T >= 1, r_b >= 0, r_n > 0, r_b * B < 1)
    sizes = (c >= 1, k >= 1)
    return (*positive, *sizes, L * gamma < 1, small > 0)
