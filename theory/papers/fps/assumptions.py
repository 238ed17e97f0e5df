"""Assumptions 1-5 and Definitions 1-2: what each says, and where its use goes wrong."""

import sympy as sp

from theory.papers.fps.letters import A, E, G, Lam, b2, gamma, s2, x, y
from theory.provers.certificates import below, shift

NAMES = {
    "A1": "smoothness; the proofs use it for the restructured loss, with L + mu in place of L (entry S.2)",
    "A2": "noise of mean zero, bounded by P_n and sigma^2; used at every local step with B^2 (S.7, M.1)",
    "A3": "bias bounded by P_b and b^2; the range is empty unless 6 P_b E^2 B^2 < 1 (S.4)",
    "A4": "compressible gradients; as an equality it forces g = 0 as soon as d >= 2 (S.6)",
    "A5": "bounded dissimilarity; used at every iterate, with B >= 1 (S.7, S.8)",
    "D1": "a gradient is grad f + bias + noise; as a sum over E steps its bias contains (E-1) grad f (M.1)",
    "D2": "B-local dissimilarity, undefined where grad f = 0",
    "AW": "bounded iterates, |w|^2 <= W; the proximal term does not give it (S.9)",
}

# What an entry decides where the line is about vectors.
COORDINATE = "Coordinate by coordinate: both sides are sums over coordinates of the scalar expressions."
EMPTY_SKETCHES = (
    "w_0 = 0: sketches start empty, as Section 4 says of steps 1 and 2 of Algorithm 1. Step 2 itself "
    "sketches any w_0."
)
NORMS = "One letter per squared norm; expectation is linear."
# Signs that every claim of the proofs shares, written as hypotheses.
SIGNS: tuple[sp.Basic, ...] = (x >= 0, y >= 0)
EPOCHS: sp.Basic = E >= 1
RATE: sp.Basic = gamma > 0
SMOOTH: sp.Basic = Lam > 0
ENERGIES: tuple[sp.Basic, ...] = (G >= 0, b2 >= 0, s2 >= 0)
LEMMA2_RATE: sp.Basic = gamma <= 1 / (4 * E * Lam * A)
DESCENT_RATE: sp.Basic = gamma <= 1 / (2 * Lam)
NONEMPTY: sp.Basic = 6 * y * E**2 < 1
BASE = (*SIGNS, EPOCHS)
POSITIVE = (*BASE, SMOOTH, RATE)
IN_RATE = (*POSITIVE, LEMMA2_RATE)
# Changes of variables onto [0, ∞).
FRESH_E = shift(E, "e", 1)
AT_RATE = (below(gamma, "h", 1 / (4 * E * Lam * A)), FRESH_E)
