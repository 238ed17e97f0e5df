"""Lemma 1': what top-k of a count sketch leaves behind.

J rows of K columns, h = ⌈J/2⌉, bucket noise variance noise2, others = ‖v‖² − v_i², tau2 = τ_s² the energy
outside the s largest coordinates, error the error that is asked about; q the probability that a row misses by
more, and choose the number of ways to take n of J rows.
"""

from __future__ import annotations

import sympy as sp

from theory.formulas.letters import half
from theory.papers.fps.letters import W, c, d, k, p, real

eta, tau_k, delta2, J, K, h, s, others, noise2, tau2, error, theta, tail1, choose, n, q = real(
    "eta tau_k delta2 J K h s others noise2 tau2 error theta tail1 choose n q"
)

# (a) the largest error η of an estimate on the two top-k sets, or its ℓ2 norm √delta2 there
RESIDUAL_BY_LARGEST = k * eta**2 + (tau_k + 2 * sp.sqrt(k) * eta) ** 2
RESIDUAL_BY_L2 = delta2 + (tau_k + sp.sqrt(2) * sp.sqrt(delta2)) ** 2

# (b) power law
TAIL_INTEGRAL = (k ** (1 - 2 * p) - d ** (1 - 2 * p)) / (2 * p - 1)
TAIL_MIDPOINT = ((k + half) ** (1 - 2 * p) - (d + half) ** (1 - 2 * p)) / (2 * p - 1)

LEMMA1_REPAIRED = (1 / c + (sp.sqrt(TAIL_INTEGRAL) + 2 / sp.sqrt(c)) ** 2) * W  # η ≤ ‖v‖/√(ck)

# (c) second moments, and the probability that a row misses by more than `error`
ROW_SECOND_MOMENT = others / K + noise2
MEAN_SECOND_MOMENT = ROW_SECOND_MOMENT / J
MEDIAN_SECOND_MOMENT = J / h * ROW_SECOND_MOMENT
ROW_FAILURE = s / K + (tau2 / K + noise2) / error**2
MEDIAN_FAILURE_TERM = choose * q**n * (1 - q) ** (J - n)  # summed over h ≤ n ≤ J

# (d) any two coordinates collide in at most theta rows; tail1 is the ℓ1 tail
ADAPTIVE_ERROR = theta * tail1 / (h - theta * s)
