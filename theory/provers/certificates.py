"""Finding positivity certificates with sympy; `theory.provers.recheck`, which shares no code, re-checks them.

A certificate proves r − l ≥ 0 on a set by a change of variables onto [0, ∞)^n after which numerator and
denominator have nonnegative coefficients only. That every point of the set is reached is shown by an
inverse: each new variable as an expression of the old ones, nonnegative under the hypotheses.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import sympy as sp

from theory.errors import EvidenceFailed
from theory.ledger.statements import Claim
from theory.provers.recheck import PositivityRecord, Terms
from theory.provers.trees import to_tree


@dataclass(frozen=True)
class Change:
    """old = `formula` in new letters and in old ones that later changes replace; new = `inverse`."""

    old: sp.Symbol
    formula: sp.Expr
    new: sp.Symbol
    inverse: sp.Expr
    strict: bool = False


def shift(symbol: sp.Symbol, name: str, start: sp.Expr | int, strict: bool = False) -> Change:
    """symbol = start + name, for symbol ≥ start, or > start."""
    fresh = sp.Symbol(name, real=True)
    return Change(symbol, start + fresh, fresh, symbol - start, strict)


def below(symbol: sp.Symbol, name: str, bound: sp.Expr, strict: bool = False) -> Change:
    """symbol = bound/(1 + name), for 0 < symbol ≤ bound, or < bound."""
    fresh = sp.Symbol(name, real=True)
    return Change(symbol, bound / (1 + fresh), fresh, bound / symbol - 1, strict)


def strictly_below(symbol: sp.Symbol, name: str, bound: sp.Expr) -> Change:
    """symbol = bound·name/(1 + name), for 0 ≤ symbol < bound."""
    fresh = sp.Symbol(name, real=True)
    return Change(symbol, bound * fresh / (1 + fresh), fresh, symbol / (bound - symbol))


def apply(changes: Sequence[Change], expression: sp.Expr) -> sp.Expr:
    """Apply the changes in their order."""
    for change in changes:
        expression = expression.subs(change.old, change.formula)
    return expression


def build(difference: sp.Expr, changes: Sequence[Change], strict: Sequence[sp.Symbol]) -> PositivityRecord:
    """Expand the difference after the changes and list its coefficients."""
    numerator, denominator = _fraction(apply(changes, difference))
    names = _all_names(difference, changes)
    listed = tuple(sorted(names, key=lambda s: s.name))
    return PositivityRecord(
        difference=to_tree(difference),
        substitution=tuple((change.old.name, to_tree(change.formula)) for change in changes),
        variables=tuple(s.name for s in listed),
        strict=tuple(s.name for s in strict if s in names),
        numerator=_terms(numerator, listed),
        denominator=_terms(denominator, listed),
    )


def _fraction(moved: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """Numerator and denominator; cancelling is slow, and only done where a common factor hides the sign."""
    joined = sp.together(moved)
    numerator, denominator = sp.fraction(joined)
    letters = sorted(joined.free_symbols, key=lambda s: s.name) or [sp.Symbol("unused", real=True)]
    if any(c < 0 for part in (numerator, denominator) for c in sp.Poly(part, *letters).coeffs()):
        numerator, denominator = sp.fraction(sp.cancel(joined))
    return numerator, denominator


def _all_names(difference: sp.Expr, changes: Sequence[Change]) -> set[sp.Symbol]:
    """Variables that remain after all changes, also those that cancel."""
    names = set(difference.free_symbols)
    for change in changes:
        if change.old in names:
            names = (names - {change.old}) | change.formula.free_symbols
    replaced = {change.old for change in changes}
    if names & replaced:
        raise EvidenceFailed(f"changes out of order: {sorted(s.name for s in names & replaced)} remain")
    return names or {sp.Symbol("unused", real=True)}


def _terms(expression: sp.Expr, variables: Sequence[sp.Symbol]) -> Terms:
    poly = sp.Poly(expression, *variables)
    return tuple((tuple(map(int, powers)), int(c.p), int(c.q)) for powers, c in poly.terms())


def text(record: PositivityRecord, claim: Claim) -> str:
    """The certificate in print: larger side minus smaller side, as one fraction."""
    above, below = (_print(part, record.variables, claim) for part in (record.numerator, record.denominator))
    return f"larger side − smaller side = ({above}) / ({below})"


def _print(terms: Terms, variables: Sequence[str], claim: Claim) -> str:
    out = []
    for powers, p, q in terms:
        names = [claim.letter(v) for v in variables]
        letters = [v if n == 1 else f"{v}^{n}" for v, n in zip(names, powers, strict=True) if n]
        number = str(p) if q == 1 else f"{p}/{q}"
        out.append("*".join(([] if number == "1" and letters else [number]) + letters))
    return " + ".join(out) or "0"
