"""What kind of number a letter stands for, said once for each part of the ledger.

A norm is not negative, a share lies between 0 and 1. A line may use that as a hypothesis (`range`) and the
lines after it need not say it again, also where they no longer have the letter. Whatever a line asks for
beyond the kinds of its letters is its own condition: who uses the line has to show it. A letter of a kind is
read only as something of that kind.

A part of the ledger is what stands before the dot of an id; letters mean the same in all of its lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

import sympy as sp

from theory.symbols import E

Kind = Callable[[sp.Symbol], tuple[sp.Basic, ...]]
RANGES: dict[str, Kind] = {
    "sizes": lambda s: (s >= 0,),  # norms, mean squares, numbers of things
    "positive": lambda s: (s > 0,),
    "counts": lambda s: (s >= 1,),  # of at least one thing
    "steps": lambda s: (s >= 0, s <= E - 1),  # local steps done
    "shares": lambda s: (s >= 0, s <= 1),  # probabilities, indicators, weights of a mean
    "kept": lambda s: (s >= 0, s <= 1),  # 1 − γμ: the repaired theorem assumes γμ ≤ 1
}
WHOLE = frozenset(("E", "T", "count", "d", "k", "k_root"))  # numbers of things; k_root² is k
KINDS: dict[str, dict[str, str]] = {
    "CS.4": {
        "sizes": "err gk",
        "positive": "eps",
    },
    "L1": {
        "sizes": "head",
        "positive": "eps2",
    },
    "L2": {
        "sizes": "after D D1 D_before Ge grad move norm rest root Rr size slope",
    },
    "M.": {
        "sizes": "D",
        "counts": "num",
    },
    "M.7": {
        "sizes": "S",
    },
    "T1.13": {
        "sizes": "a g",
    },
    "RS.": {
        "sizes": "bad crowd d_C d_Q hat_C hat_Q m_abs mass meet s size1 v_C v_Q",
        "counts": "K",
        "shares": "above beyond enough free light",
    },
    "RS.c": {
        "positive": "level",
    },
    "RD.D": {
        "sizes": "A after2 apart b beta D drift h N n noise2 p_b p_n push q S s t t_H",
        "counts": "e_root varpi w",
        "kept": "keep",
    },
    "RD.S": {
        "sizes": "after c_b D n n_D p_b p_n psi Q S size spread start t t_D wide",
    },
    "RA.": {
        "sizes": "added apart beta D delta_len D_1 D_2 D_m F_1 F_2 F_m F_t gap_dev gap_rms h h_0 "
        "H_1 H_2 H_m K n n_len nu part q_len r r_1 r_2 r_m R_xi rho S s S_0 s_0 S_1 s_1 S_2 s_2 S_m "
        "s_m t t_0 t_1 t_2 t_H t_H0 t_m u w z_len",
        "counts": "count",
        "shares": "lambda",
        "kept": "keep",
    },
    "RA.C5": {
        "sizes": "p1 p2",
    },
    "RA.T2": {
        "positive": "s",
    },
    "RC1.": {
        "sizes": "A B2 F2 G2 K q_len rho u",
    },
    "RC2.": {
        "sizes": "A b D e F F2 g G2 growth h H2 H_rms K kappa mean_e mean_e2 N nu P p_b p_n q_e q_len q_r "
        "r_1 r_2 r_3 r_max r_mean rho root_N S s S_before S_mean S_rms t t_D t_H u v X Y Y2",
        "positive": "E_bar",
        "counts": "c_b r",
        "shares": "w",
    },
    "RC2.10": {
        "steps": "e",
    },
    "RC2.15s": {
        "steps": "e",
    },
    "RC2.5w": {
        "sizes": "n",
    },
    "RC2.7d": {
        "counts": "num",
    },
    "RF.": {
        "sizes": "mean1 one rest",
        "positive": "L_mu",
    },
}


def kinds(identifier: str, letters: Iterable[sp.Symbol]) -> tuple[sp.Basic, ...]:
    """What is known of the letters in a line; the narrower part says more of a letter than the wider one."""
    known: dict[sp.Symbol, tuple[sp.Basic, ...]] = {}
    for part in sorted(KINDS):
        if identifier.startswith(part):
            known |= dict(found for kind, names in KINDS[part].items() for found in _of_a_kind(kind, names))
    return tuple(relation for letter in sorted(letters, key=str) for relation in known.get(letter, ()))


@cache
def _of_a_kind(kind: str, names: str) -> tuple[tuple[sp.Symbol, tuple[sp.Basic, ...]], ...]:
    return tuple(
        (letter, RANGES[kind](letter)) for letter in (sp.Symbol(n, real=True) for n in names.split())
    )


def is_of_its_kind(identifier: str, hypothesis: sp.Basic) -> bool:
    """Does a range of one letter say no more than the kind of the letter?"""
    if not isinstance(hypothesis, sp.Ge | sp.Gt | sp.Le | sp.Lt) or not hypothesis.lhs.is_Symbol:
        return False
    return any(_implies(known, hypothesis) for known in kinds(identifier, (hypothesis.lhs,)))


def _implies(known: sp.Basic, wanted: sp.Basic) -> bool:
    """letter ≥ 1 says more than letter > 0; both relations are of one letter against a number."""
    lower = isinstance(known, sp.Ge | sp.Gt)
    if known == wanted:
        return True
    numbers = wanted.rhs.is_number and known.rhs.is_number
    if lower != isinstance(wanted, sp.Ge | sp.Gt) or not numbers:
        return False
    room = known.rhs - wanted.rhs if lower else wanted.rhs - known.rhs
    strict = isinstance(known, sp.Gt | sp.Lt) or isinstance(wanted, sp.Ge | sp.Le)
    return bool(room > 0 or (room == 0 and strict))
