"""Memory of a count sketch as the paper states it, the constant of O(·) read as 1.

tail2 and g_k are of g/‖g‖, and scale = ‖g‖.
"""

from __future__ import annotations

import sympy as sp

from theory.papers.fps.letters import T, c, d, delta, k, real

eps, tail2, g_k, scale = real("eps tail2 g_k scale")
SECTION32_MEMORY = (k + scale * tail2 / (eps**2 * g_k)) * sp.log(d * T)  # ‖g_tail‖² over g(k), not squared
SECTION32_CORRECTED = (k + tail2 / (eps**2 * g_k**2)) * sp.log(d * T / delta)
THEOREM2_MEMORY = (k + tail2 / (eps**2 * g_k**2)) * sp.log(d / delta)
LEMMA1_MEMORY = c * k * sp.log(d * T / delta)
