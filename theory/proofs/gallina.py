"""The calculators' formulas, written in Coq: no formula can drift away from the theorem that justifies it.

Every formula of the modules `theory.formulas.PROVED` becomes a definition of `formulas/Generated.v`, with its
letters as real arguments in alphabetical order. The file beside it, `Agreement.v`, states that each is the
formula of its theorem. `make prove` prints the formulas anew before it builds, so that a factor changed in
sympy fails there.
"""

from collections.abc import Iterator
from pathlib import Path

import sympy as sp
from sympy.printing.str import StrPrinter

from theory import formulas
from theory.formulas import StepCondition

FILE = "formulas/Generated.v"
HEAD = """(** * The calculators' formulas, printed from their symbolic form

    `make formulas` writes this file: do not edit it. A condition on the learning rate is kept as
    slope * gamma <= upper. A bound is the sum of its named terms. *)
From Coq Require Import Reals.
Open Scope R_scope.
"""


class Gallina(StrPrinter):
    """An expression over the reals in Coq's notation; every operation in brackets."""

    def _print_Add(self, expr: sp.Expr, order: None = None) -> str:
        return "(" + " + ".join(map(self._print, expr.args)) + ")"

    def _print_Mul(self, expr: sp.Expr) -> str:
        return "(" + " * ".join(map(self._print, expr.args)) + ")"

    def _print_Pow(self, expr: sp.Expr, rational: bool = False) -> str:
        base, exponent = map(self._print, expr.args)
        if expr.exp.is_Integer:
            return _power(base, int(expr.exp))
        if expr.exp.is_Rational and expr.exp.q == 2:
            return _power(f"(sqrt {base})", int(expr.exp.p))
        return f"(Rpower {base} {exponent})"

    def _print_Rational(self, expr: sp.Rational) -> str:
        return f"({expr.p} / {expr.q})"

    def _print_Integer(self, expr: sp.Integer) -> str:
        return str(expr.p) if expr.p >= 0 else f"({expr.p})"

    def _print_Min(self, expr: sp.Expr) -> str:
        return _nested("Rmin", [self._print(part) for part in expr.args])

    def _print_Max(self, expr: sp.Expr) -> str:
        return _nested("Rmax", [self._print(part) for part in expr.args])

    def _print_Piecewise(self, expr: sp.Expr) -> str:
        (value, condition), (otherwise, _) = expr.args
        small, large = map(self._print, (condition.lts, condition.gts))
        decides = "Rlt_dec" if isinstance(condition, sp.StrictLessThan | sp.StrictGreaterThan) else "Rle_dec"
        return f"(if {decides} {small} {large} then {self._print(value)} else {self._print(otherwise)})"

    def _print_log(self, expr: sp.Expr) -> str:
        return f"(ln {self._print(expr.args[0])})"


def _nested(function: str, parts: list[str]) -> str:
    *others, last = parts
    return f"({function} {_nested(function, others)} {last})" if others else last


def _power(base: str, exponent: int) -> str:
    size = base if abs(exponent) == 1 else f"({base} ^ {abs(exponent)})"
    return size if exponent > 0 else f"(/ {size})"


def named() -> Iterator[tuple[str, sp.Expr]]:
    """Every formula with its name in Coq."""
    everything = {name: value for module in formulas.PROVED for name, value in vars(module).items()}
    for name, value in everything.items():
        shown = name.isupper() and len(name) > 1 and name not in formulas.ON_PAPER
        if shown and not isinstance(value, sp.Symbol):
            yield from _parts(name.lower(), value)


def _parts(name: str, value: object) -> Iterator[tuple[str, sp.Expr]]:
    if isinstance(value, sp.Expr):
        yield name, value
    elif isinstance(value, StepCondition):
        yield f"{name}_upper", value.upper
        yield f"{name}_slope", value.slope
    elif isinstance(value, dict):
        yield name, sp.Add(*value.values())
    elif isinstance(value, tuple):
        for number, each in enumerate(value, start=1):
            yield from _parts(f"{name}_{number}", each)


def definition(name: str, expression: sp.Expr) -> str:
    """One formula as a Coq definition."""
    letters = " ".join(sorted(symbol.name for symbol in expression.free_symbols))
    arguments = f" ({letters} : R)" if letters else ""
    return f"Definition {name}{arguments} : R :=\n  {Gallina().doprint(expression)}.\n"


def text() -> str:
    """The whole file."""
    return "\n".join([HEAD, *(definition(name, expression) for name, expression in named())])


def write(file: Path) -> None:
    """Write the file anew."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    from theory.proofs.sources import COQ

    write(COQ / FILE)
