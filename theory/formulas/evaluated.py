"""Formulas as Python functions of numbers: what the calculators run is what Coq was shown.

Small powers are printed as products, because a float's `**` raises where a product is infinite. The numbers
may be floats, fractions (where no root occurs), arrays, or numbers of more digits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import sympy as sp
from sympy.printing.pycode import PythonCodePrinter

Number = Any


class _Products(PythonCodePrinter):
    def _print_Pow(self, expr: sp.Expr, rational: bool = False, sqrt: str = "sqrt") -> str:
        base, exponent = expr.args
        if exponent == sp.Rational(1, 2):
            return f"({self._print(base)})**0.5"
        if exponent.is_Integer and abs(exponent) <= 4:
            product = "*".join([f"({self._print(base)})"] * abs(int(exponent)))
            return f"({product})" if exponent > 0 else f"(1/({product}))"
        raise ValueError(f"{expr}: a calculator's formula has whole powers up to 4 and square roots")

    def _print_Rational(self, expr: sp.Rational) -> str:
        return f"({expr.p}/{expr.q})"


@cache
def compiled(expression: sp.Expr, letters: tuple[sp.Symbol, ...]) -> Callable[..., Number]:
    """A function of the letters, in that order."""
    names = ", ".join(letter.name for letter in letters)
    if missing := expression.free_symbols - set(letters):
        raise ValueError(f"letters without a value: {', '.join(sorted(map(str, missing)))}")
    return eval(f"lambda {names}: {_Products().doprint(expression)}", {})
