"""Ranges that many lines share, as hypotheses and as changes of variables onto [0, ∞)."""

from theory.assumptions import EPOCHS, LEMMA2_RATE, RATE, SIGNS, SMOOTH
from theory.provers.certificates import below, shift
from theory.symbols import A, E, Lam, gamma

BASE = (*SIGNS, EPOCHS)
POSITIVE = (*BASE, SMOOTH, RATE)
IN_RATE = (*POSITIVE, LEMMA2_RATE)
FRESH_E = shift(E, "e", 1)
AT_RATE = (below(gamma, "h", 1 / (4 * E * Lam * A)), FRESH_E)
