"""Homogeneity under f → s f and w → s w, decided for every bound of the paper."""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theory.ledger import Entry, counterexample, proof
from theory.paper.moments.coefficients import (
    PRINTED_BIAS_B2,
    PRINTED_BIAS_S2,
    PRINTED_G_B2,
    PRINTED_G_S2,
    PRINTED_NOISE_B2,
    PRINTED_NOISE_S2,
)
from theory.paper.theorem1.final import FINAL_B2, FINAL_S2
from theory.paper.theorem1.rate import GAMMA_MAX, RHO
from theory.provers import AtPoint, Identity
from theory.symbols import F0, R2, A, E, G, H, Lam, T, W, b2, c, gamma, q, s2, tau, x, y
from theory.units import measure as units
from theory.units.measure import GRADIENT2, LENGTH2, RATE, VALUE, Weight

PREFIXES = ("U",)

R = sp.Rational
DEFINED = (x >= 0, y >= 0, E >= 1, Lam > 0, gamma > 0, T >= 0, c >= 1)
POINT = {
    units.s: 10,
    units.r: 1,
    x: R(1, 10),
    y: R(1, 100),
    E: 2,
    Lam: 1,
    gamma: R(1, 100),
    T: 9,
    c: 10,
    F0: 1,
    tau: R(1, 10),
    W: 1,
    R2: 1,
    G: 1,
    b2: 1,
    s2: 1,
}


def entries() -> tuple[Entry, ...]:
    """One entry per bound, in the order of the paper."""
    second = 2 * E**2 * (1 + 2 * H) * G
    step1 = gamma / 2 * G + gamma**2 * Lam * G
    young = Lam**2 / 2 * R2 + gamma**2 / 2 * G
    corrected = (1 - 12 * y * E**2) / (24 * (1 + y + (Lam + 1) * x) * E**2)
    theorem = F0 / (gamma * (T + 1)) + (1 / c + tau) * Lam**2 * W + FINAL_B2 * b2 + FINAL_S2 * s2
    return (
        _entry("U.1", "Lemma 1, right side", (1 / c + tau) * W, LENGTH2, "L1"),
        _entry("U.2", "Lemma 2, step-size condition", 1 / (4 * E * Lam * A), RATE, "L2"),
        _entry("U.3", "Lemma 2, right side", 30 * E**2 * gamma**2 * (A * G + b2 + s2), LENGTH2, "L2"),
        _entry(
            "U.4",
            "eq. (21), right side",
            q * second + PRINTED_G_B2 * b2 + PRINTED_G_S2 * s2,
            GRADIENT2,
            "M.10",
        ),
        _entry(
            "U.5",
            "eq. (22), right side",
            y * second + PRINTED_BIAS_B2 * b2 + PRINTED_BIAS_S2 * s2,
            GRADIENT2,
            "M.16",
        ),
        _entry(
            "U.6",
            "eq. (23), right side",
            x * second + PRINTED_NOISE_B2 * b2 + PRINTED_NOISE_S2 * s2,
            GRADIENT2,
            "M.19",
        ),
        _entry("U.6b", "eq. (25), what is added to f", step1, VALUE, "T1.6"),
        _entry("U.6c", "gamma <= 1/(2(L+mu))", 1 / (2 * Lam), RATE, "T1.5"),
        _entry(
            "U.7",
            "step (d), right side",
            young,
            VALUE,
            "T1.13",
            False,
            "Young's inequality with weight 1 adds (value/length)^2 and length^2.",
        ),
        _entry("U.8", "rho(gamma)", RHO, units.NONE, "T1.19", False),
        _entry("U.9", "eq. (11), right side", GAMMA_MAX, RATE, "T1.21", False),
        _entry("U.10", "Theorem 1, first term", F0 / (gamma * (T + 1)), GRADIENT2, "T1.28"),
        _entry(
            "U.11",
            "Theorem 1, sketch term as printed",
            (1 / c + tau) * Lam**2 * W,
            GRADIENT2,
            "T1.29",
            note="Homogeneous only because the lost 1/gamma and the units of step (d) cancel (entry T1.29).",
        ),
        _entry("U.12", "Theorem 1, coefficient of b^2", FINAL_B2, units.NONE, "T1.32", False),
        _entry("U.13", "Theorem 1, coefficient of sigma^2", FINAL_S2, units.NONE, "T1.33", False),
        _entry("U.14", "Theorem 1, whole right side", theorem, GRADIENT2, "T1", False),
        _entry("U.15", "corrected range, right side", corrected, RATE, "T1.22d", False),
    )


def _entry(
    identifier: str, what: str, bound: sp.Expr, weight: Weight, about: str, fine: bool = True, note: str = ""
) -> Entry:
    used = tuple(h for h in DEFINED if h.free_symbols <= bound.free_symbols)
    stated = units.claim(bound, weight, used, POINT)
    witness = AtPoint(units.at(stated, bound, POINT))
    evidence = proof(Identity(units.changes(bound))) if fine else counterexample(witness)
    found = units.entry(identifier, what, f"{what}, under a change of units", stated, fine, evidence)
    return replace(found, depends=(about,), note=f"{found.note} {note}".rstrip())
