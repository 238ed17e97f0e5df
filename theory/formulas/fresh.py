"""Fresh hashes: what a sketch costs that is drawn anew in every round (Lemma 1 to Theorem O of that theory).

J rows of b buckets make m = J·b numbers a round; words = 2³⁰ is the number of values of the hash, left its
remainder by b. ell = λ_max(H)⁺ and trace = tr H for the curvature H of f from above; p is the probability
that two keys share a bucket, over J; omega = E|Ax|²/|x|² − 1 and omega_L = λ_max(E(A−I)H(A−I)). Of M devices
s take part; curved = ℓ + ω_L, v = κ(ℓ+ω_L). mean2 = |ȳ|² and spread2 = mean|y^m − ȳ|² for the displacements
y^m, drift2 = S_E². The channel adds noise of variance sigma_c2 to each number, or noise_c times the power
that is used. memory is the leak ρ of Theorem L.
"""

from __future__ import annotations

import sympy as sp

from theory.formulas.letters import E_bar, StepCondition
from theory.formulas.repaired import F, inner, optimisation
from theory.papers.fps.letters import F0, B, E, L, T, d, gamma, p, real

J, b, m, s, M, words, left, ell, trace, omega, omega_L, kappa, curved, v = real(
    "J b m s M words left ell trace omega omega_L kappa curved v"
)
mean2, spread2, drift2, sigma_c2, noise_c, power, memory, shrink, class_trace, class_ell, share = real(
    "mean2 spread2 drift2 sigma_c2 noise_c power memory shrink class_trace class_ell share"
)

# --- Lemma 1: two keys share a bucket, and what that costs ------------------------------------------------
COLLISION = 1 / b + left * (b - left) / (b * words**2)  # independent buckets from 2³⁰ words, exactly
COLLISION_OLD = 1 / b + b / (4 * words**2)  # an upper bound for the earlier map from 2³¹ words
COLLISION_BALANCED = (d / b - 1) / (d - 1)  # b equal classes of d residues, drawn by an affine map
PAIR = p / J  # p from the probability in one row
ENERGY = 1 + p * (d - 1)  # 1 + ω: E|Ax|² = (1 + ω)|x|²
PRICE = p * (ell + trace)  # ω_L is at most this
PRICE_WORST = p * (d - 1) * ell  # and at most this, whatever the trace is
PRICE_FOLD = (class_trace + class_ell) / J  # for the class of coordinates where it is largest

# --- Lemma 2: from the mean of the devices to what is received ---------------------------------------------
PARTICIPATING = (M - s) / (s * (M - 1))  # κ
DEVIATIONS = kappa * (ell + omega_L)  # v, the price of the devices' deviations
CHANNEL_FLOOR = sigma_c2 * trace / (2 * J)
TRANSFER = omega_L / 2 * (mean2 + kappa * spread2) + ell / 2 * kappa * spread2 + CHANNEL_FLOOR
POWER = noise_c * (trace + 2 * p * ell) / (m * s)  # Theorem N: ν' = power, added to ω_L and to v

# --- one local step: the range is exact --------------------------------------------------------------------
ONE_STEP = StepCondition("E = 1", sp.Integer(2), curved + v * (B**2 - 1), strict=True)
ONE_STEP_RATE = gamma - gamma**2 / 2 * (curved + v * (B**2 - 1))  # c
ONE_STEP_PRICE = gamma**2 / 2 * v  # of G²
ISOTROPIC = 1 - (1 - 2 / (1 + omega)) ** (1 / E)  # no proof can allow a larger Lγ

# --- Theorem S' --------------------------------------------------------------------------------------------
U_W = (ell + omega_L) * gamma * E_bar
U_S = (1 - kappa) * U_W  # takes the place of u in (★)
PARTICIPATION = (kappa * (ell + omega_L) + power) * drift2 / (gamma * E_bar)
CHANNEL = sigma_c2 * trace / (J * gamma * E_bar)
STAR_FRESH = optimisation + F**2 + inner + PARTICIPATION + CHANNEL

# --- sizes -------------------------------------------------------------------------------------------------
SIZE_HALF = trace / ell + 1  # at least so many numbers keep half of the unsketched range 2/ell
SIZE_SHARE = share / (1 - share) * SIZE_HALF  # and so many the share

# --- Theorem L: leaky memory, shrink = 1/(1 + ω) -----------------------------------------------------------
CONTRACTION = memory * sp.sqrt(1 - shrink)
GAIN = CONTRACTION / (1 - CONTRACTION)  # a
LEAK = (1 - memory) / (1 - CONTRACTION)  # b
APPLIED = 1 - memory * (1 - shrink)  # k: everybody adds k·A p̄
MEMORY_STEP = StepCondition(
    "memory", sp.Integer(1), ell / 2 + ell * GAIN + omega_L / 2 * LEAK**2, strict=True
)
MEMORY_EDGE = 2 * shrink * (1 - memory**2 * (1 - shrink)) / (1 - memory**2 * (1 - shrink) ** 2)  # of ℓγ
MEMORY_POWER = 1 / (1 - memory) ** 2  # how much more power than the update has

# --- Theorem O: no protocol with m numbers a round does better ---------------------------------------------
OPTIMAL_BOUND = L * F0 * (d / m + 1) / T  # A is at least this for some f
FRESH_BOUND = 2 * (d / m) * L * F0 / T  # and the balanced sketch has at most this at γ = 1/(Lq)
