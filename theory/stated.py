"""What lines may use although no line proves it: assumptions, definitions, conditions of the theorems."""

from __future__ import annotations

import sympy as sp

from theory import definitions
from theory.assumptions import ASSUMPTIONS
from theory.definitions import DEFINITIONS
from theory.symbols import B, E, P_n, c, gamma, mu, real

g, c_b, nu, P, t = real("g c_b nu P t")  # g = Lγ, P = P_bB², t = γμ
cross = real("cross")[0]
STATED: dict[str, tuple[sp.Basic, ...]] = {
    **{a.id: tuple(form for form in (a.printed, a.needed) if form is not None) for a in ASSUMPTIONS},
    **DEFINITIONS,
    "UNC": (sp.Eq(cross, 0),),
    "K1": (8 * g * (E - 1) * c * c_b * B <= 1 - P,),  # the step-size conditions of Corollary 2
    "K2": (16 * g * nu * P_n * B**2 <= 1 - P,),
    "K3": (t * (E - 1) <= sp.Rational(1, 2),),
    "MU": (gamma * mu <= 1,),  # of the repaired theorem: 1 − γμ is a share
}
MEANING = definitions.MEANING | {
    "UNC": "declared, not proved: cross terms of independent signs, or of uncorrelated noises, vanish",
}
