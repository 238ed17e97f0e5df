"""Expressions of earlier lines that later lines read as other expressions, in one place.

That `total + num*w` is called `E_bar*mean_e` in a later line is said in words: no machine sees that it is not
a thousand times as much. So it is said here, once for each line, and a line reads no other expression as one.
"""

from __future__ import annotations

from theory.entry import Step
from theory.errors import EvidenceFailed
from theory.naming import is_letter
from theory.steps import pairs

GROWN = "gamma*w*(kappa + 1)*(A*e_root**2 + N*e_root)"
EXPRESSIONS: dict[str, tuple[str, ...]] = {
    "L1.3": ("err**2: head/k",),
    "L2.18r": ("2*Ge*(2*x + 2*y + 1) + 2*b2 + 2*s2: 2*inside",),
    "M.3": ("(bt + u)**2: Parts - Z",),
    "M.6": (
        "g0**2: E*G",
        "r**2: T1/E",
    ),
    "M.9": ("G*(2*x + 2*y + 1) + b2 + s2: 1",),
    "M.15": (
        "g0**2: E*G",
        "r**2: T1/E",
    ),
    "RD.P2": ("S*(-gamma*mu + 1) + g: Q + Z",),
    "RD.D4c": (f"L*U*gamma*p_n + U + gamma*(A + L*U*(p_b + 1)): {GROWN} + gamma*A",),
    "RA.T2": ("2*g - n*u + total: T*mean",),
    "RC1.3": ("H**2: A*B2 + G2",),
    "RC2.5": ("n*t*(n + 1)/2: E*t*(E - 1)/2",),
    "RC2.6": ("product*(1 - kappa**2): bernoulli*growth",),
    "RC2.7m": ("num*w + total: E_bar*mean_e",),
    "RC2.7n": ("num**2*w + total: E_bar*mean_e2",),
    "RC2.16b": ("H2*g*w: 2*g*nu*(H2*P_n + s2)",),
    "RC2.16f": ("X**2: P_b*(A*B**2 + G2) + b2",),
    "RF.2a": ("-g*(-keep*w + 1)/L_mu: -L*theta*(-star + w1)",),
    "RF.2": ("total + w1: T*mean",),
    "RF.7t": ("num + 1: d - k",),
    "RF.7": ("k*whole/d: n**2*ratio",),
}


def demand_said(step: Step, identifier: str) -> None:
    """An expression is read as a letter, as a power of one, or as this table says."""
    if step.base:
        return  # an induction goes one step back, and `theory.inductions` says how
    said = [pair for text in EXPRESSIONS.get(identifier, ()) for pair in pairs(text)]
    for old, new in step.reads:
        if not (old.is_Symbol or is_letter(new)) and (old, new) not in said:
            raise EvidenceFailed(f"{step.line}: {old} is read as {new}, which is not said anywhere")
