"""What letters are the names of, said once for each part of the ledger.

A line may name a letter of its own: v = expression, and whoever has the letter later says the same of it.
Where a name lives through several lines it is declared here, once for all lines of a part (what an id begins
with): there it is never another expression's name, and the lines between need not repeat it. A letter that
an earlier line speaks of gets no new name.

`COORDINATES` are those of the vectors (or the points of the laws) that general facts are about. That a
letter is the norm of such a vector is said in words.
"""

from __future__ import annotations

from functools import cache

import sympy as sp

from theory.steps import expression
from theory.symbols import real

COORDINATES = frozenset(real("x1 x2 y1 y2 e1 e2 q1 q2 inner far near"))
NAMES: dict[str, tuple[str, ...]] = {
    "L1.7": ("eps2 = 1/(c*k)",),
    "V.3": ("n**2 = a**2 + b**2 + 2*inner",),
    "L2.3v": ("after = (a - gamma*(g0 + n + r))**2",),
    "L2.4": ("after = (a - gamma*(g0 + n + r))**2",),
    "L2.12": ("z1 = 6*E*Lam**2*gamma**2*(1 + 2*x + 2*y)", "z2 = 3/(8*E*(1 + 2*x + 2*y))"),
    "L2.14": ("Q = (1 + 1/(E - 1))**E",),
    "L2.15": ("Q = (1 + 1/(E - 1))**E",),
    "L2.16": ("Q = (1 + 1/(E - 1))**(E - 1)",),
    "L2.17": ("Q**2 = (1 + 1/(E - 1))**(2*E - 2)",),
    "L2.18": (
        "root**2 = 1 + 2*x + 2*y",
        "z = 1767767*Lam*gamma*root/1250000",
        "norm**2 = grad**2*root**2 + rest",
        "pull = 1767767*gamma*norm/1250000",
        "grad**2 = G",
        "rest = b2 + s2",
        "value = 1 + m*z/2 + (m*z)**2/6 + (m*z)**3/24 + (m*z)**4/111",
    ),
    "RS.c": (
        "m = high/2 + low/2",
        "outer = heavy + light - meet",
        "down = both - up",
        "either = down/2 + up/2",
    ),
    "RS.c6": ("expected = J*row2",),
    **{f"M.{n}": ("T1 = 30*E**4*Lam**2*gamma**2",) for n in (11, 12, 17, 20, 21)},  # its factor in M.8
    "T1.1": ("rem = f1 - f0 - ip",),
    "T1.25w": ("dist2 = error + left", "move**2 = dist2"),
    "RD.D2": ("t**2 = P_b*h**2 + b2", "t_H**2 = P_b*H**2 + b2"),
    "RD.D3": ("n**2 = D**2*r_n**2 + b**2",),
    "RD.D4": (
        "after2 = gamma**2*noise2 + (S*keep + gamma*(D + L*S + t))**2",
        *("A = D*(p_b + 1) + b", "kappa = L*gamma*(p_b + 1 + p_n)"),
        "N**2 = D**2*p_n**2 + s**2",
        "noise2 = p_n**2*(D + L*S)**2 + N**2 - p_n**2*D**2",
    ),
    "RD.S": ("c_b = p_b + 1", "kappa = L*gamma*(c_b + p_n)"),
    "RA.C4": (
        *(f"H_{i} = D_{i} + L*S_{i}" for i in "m12"),
        *(f"t_{i}**2 = P_b*H_{i}**2 + b2" for i in "m12"),
    ),
    **{f"RA.T{n}": ("u = L*s",) for n in (1, 2)},  # s is γĒ there
    "RA.T3d": ("rho = L*R_xi",),
    "RA.T5": ("u = L*s", "rho = L*R_xi"),
    "RA.T6": ("a_m**2 = lambda*a_1**2 + (1 - lambda)*a_2**2",),
    "RA.T4": ("mean_N = nu*mean_own", "t**2 = P_b*h**2 + b2", "t_H**2 = P_b*H**2 + b2"),
    "RC1.": (
        *("u = L*gamma", "rho = L*R_xi", "R = rho**2/(1 - u)"),
        *("F2 = P_b*(A*B2 + G2) + b2", "N = nu*(P_n*(A*B2 + G2) + s2)"),
    ),
    "RC2.10": ("growth = (1 + kappa)**e",),
    "RC2.6": ("growth = (1 + kappa)**n",),
    "RC2.": (
        *("c_b = p_b + 1", "p_b**2 = P_b", "p_n**2 = P_n", "e = r**2"),
        *(
            "g = L*gamma",
            "rho = L*R_xi",
            "c = c_b + p_n",
            "P = B**2*P_b",
            "u = L*gamma*E_bar",
            "kappa = L*gamma*c",
        ),
        *("h = L*gamma*c_b*(E - 1)", "v = c_b**2*gamma**2*L**2*(E - 1)", "share = (1 - P)/5"),
        *("D**2 = A*B**2 + G2", "D2 = A*B**2 + G2", "b**2 = b2", "s**2 = s2", "N**2 = D**2*p_n**2 + s**2"),
        *("q_e**2 = mean_e2", "q_r**2 = mean_e", "r_max**2 = 2*(E - 1)/3", "Y = L*S_mean*c_b", "Y2 = Y**2"),
        "r_1 = 16*D*L*c_b*gamma*(E - 1)*(c_b + p_n)/21",
        "r_2 = 16*L*b*c_b*gamma*(E - 1)/21",
        "r_3 = 8*L*c_b*gamma*r_max*s/7",
        "q_1 = 256*c**2*h**2*(A*B**2 + G2)/441",
        "q_2 = 256*b2*h**2/441",
        "q_3 = 128*s2*v/147",
        "rest = G2*(6*P_b/5 + 8*c**2*h**2/(1 - P)) + K + 36*b2/25 + g*nu*(45*G2*P_n/16 + 5*b2/8 + 21*s2/8)"
        " + 2*rho**2 + 24*s2*v/(1 - P)",
    ),
    "RF.7": ("n**2 = rest + top**2",),
}


def names(identifier: str) -> dict[sp.Symbol, sp.Basic]:
    """The declared names of a line's part, each letter with the equation that says of what it is the name."""
    found: dict[sp.Symbol, sp.Basic] = {}
    for part in sorted(NAMES):
        if identifier.startswith(part):
            found |= dict(map(_parsed, NAMES[part]))
    return found


@cache
def _parsed(text: str) -> tuple[sp.Symbol, sp.Basic]:
    left, right = map(expression, text.split(" = "))
    (letter,) = left.free_symbols
    return letter, sp.Eq(left, right, evaluate=False)
