"""The letters of a paper, as a value: γ is a learning rate in one paper and an inexactness in another.

Symbols are declared `real` and nothing more. Signs are explicit hypotheses of each claim, so that no
simplification can use a sign that the claim did not state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import sympy as sp


@dataclass(frozen=True)
class Quantity:
    """One letter of a paper.

    `value` and `length` are its weights under f → s f and w → s w. A gradient is value/length, so ‖∇f‖²
    weighs (2, −2).
    """

    code: str
    latex: str
    meaning: str
    sign: str = ">= 0"
    value: int = 0
    length: int = 0

    @property
    def symbol(self) -> sp.Symbol:
        return sp.Symbol(self.code, real=True)


@dataclass(frozen=True)
class Letters:
    """What the letters of a paper mean, how they are written, and which of them only abbreviate others.

    >>> rate = Quantity("gamma", r"\\gamma", "inexactness of the local solver")
    >>> Letters((rate,)).latex(rate.symbol**2), Letters((rate,)).meaning("gamma")
    ('\\\\gamma^{2}', 'inexactness of the local solver')
    """

    quantities: tuple[Quantity, ...] = ()
    abbreviations: tuple[tuple[sp.Symbol, sp.Expr], ...] = ()

    @cached_property
    def by_code(self) -> Mapping[str, Quantity]:
        return {each.code: each for each in self.quantities}

    def __contains__(self, name: str) -> bool:
        return name in self.by_code

    def meaning(self, name: str) -> str:
        return self.by_code[name].meaning

    def written_out(self, expression: sp.Basic) -> sp.Basic:
        """With the abbreviations inserted; an equation stays one even where both sides agree."""
        if isinstance(expression, sp.Eq):
            return sp.Eq(*map(self.written_out, expression.args), evaluate=False)
        if isinstance(expression, sp.And):
            return sp.And(*map(self.written_out, expression.args), evaluate=False)
        return expression.subs(dict(self.abbreviations))

    def latex(self, expression: sp.Basic) -> str:
        """LaTeX as the paper writes it, abbreviations left as they are."""
        return sp.latex(expression, symbol_names={each.symbol: each.latex for each in self.quantities})


def real(names: str) -> tuple[sp.Symbol, ...]:
    """Real symbols without any sign: `a, b = real("a b")`."""
    return sp.symbols(names, real=True, seq=True)
