"""Square roots of letters: each becomes a letter of its own before an engine sees the claim.

√(2K) becomes r with r ≥ 0, and K becomes r²/2 wherever it stands. That loses nothing: every K ≥ 0 has its r.
So the provers, which know rational functions only, decide claims with roots too.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from math import isqrt
from typing import Any

import sympy as sp

from theory.errors import EvidenceFailed
from theory.letters import real

HALF = sp.Rational(1, 2)


@dataclass(frozen=True)
class Root:
    """`letter` = √`radicand`; `solved` is a letter of the radicand, and `value` is it by the root."""

    letter: sp.Symbol
    radicand: sp.Expr
    solved: sp.Symbol
    value: sp.Expr

    def at(self, point: Mapping[sp.Symbol, Any]) -> sp.Rational:
        """The root at a point, where it is a fraction."""
        inside = sp.Rational(self.radicand.subs(point))
        top, bottom = isqrt(int(inside.p)), isqrt(int(inside.q))
        if inside < 0 or Fraction(top, bottom) ** 2 != Fraction(int(inside.p), int(inside.q)):
            raise EvidenceFailed(f"√({self.radicand}) is no fraction at the point: choose one where it is")
        return sp.Rational(top, bottom)


@dataclass(frozen=True)
class Roots:
    """All roots of an entry; without any, everything stays as it is."""

    found: tuple[Root, ...] = ()

    @classmethod
    def of(cls, relations: Sequence[sp.Basic]) -> "Roots":
        """The roots that occur in the relations.

        >>> K, b = real("K b")
        >>> roots = Roots.of((b / sp.sqrt(2 * K) < 1,))
        >>> roots.cleared(b / sp.sqrt(2 * K) < K)
        b/root_K < root_K**2/2
        """
        radicands: dict[sp.Expr, sp.Expr] = {}
        for product in (p for relation in relations for p in _products(relation)):
            number, letters = _radicands(product)
            for base in letters[:1]:
                if radicands.setdefault(base, number) != number:
                    raise EvidenceFailed(
                        f"√({base}) stands with two different roots of numbers beside it: {_ADVICE}"
                    )
            radicands |= {base: radicands.get(base, sp.Integer(1)) for base in letters[1:]}
        roots: list[Root] = []
        for base, number in sorted(radicands.items(), key=str):
            roots.append(_solved(number * base, {root.solved for root in roots}))
        return cls(tuple(roots))

    @property
    def hypotheses(self) -> tuple[sp.Basic, ...]:
        return tuple(root.letter >= 0 for root in self.found)

    @property
    def text(self) -> str:
        return ", ".join(f"{root.letter} = √({root.radicand})" for root in self.found)

    def cleared(self, expression: Any) -> Any:
        """A relation, or anything made of relations, without roots."""
        if not self.found:
            return expression
        if isinstance(expression, sp.Basic):
            solved = {root.solved: root.value for root in self.found}
            return self._rewritten(expression).xreplace(solved)
        if isinstance(expression, tuple):
            return tuple(map(self.cleared, expression))
        if isinstance(expression, Mapping):  # a point, which has to give the roots a value too
            own = {root.letter: root.at(expression) for root in self.found if root.solved in expression}
            return {**expression, **own}
        if is_dataclass(expression) and not isinstance(expression, type):
            changed = copy(expression)
            for each in fields(expression):
                object.__setattr__(changed, each.name, self.cleared(getattr(expression, each.name)))
            return changed
        return expression

    def _rewritten(self, expression: sp.Basic) -> sp.Basic:
        if not has_root(expression):
            return expression
        if isinstance(expression, sp.Mul | sp.Pow) and any(map(_is_root, sp.Mul.make_args(expression))):
            return self._product(expression)
        parts = [self._rewritten(part) for part in expression.args]
        if isinstance(expression, sp.core.relational.Relational):
            return (
                expression.func(*parts, evaluate=False)
                if isinstance(expression, sp.Eq)
                else expression.func(*parts)
            )
        return expression.func(*parts)

    def _product(self, product: sp.Expr) -> sp.Expr:
        """√m·√a·rest, with one letter for √(ma)."""
        _, bases = _radicands(product)
        result: sp.Expr = sp.Integer(1)
        for factor in sp.Mul.make_args(product):
            if not _is_root(factor):
                result *= self._rewritten(factor)
            elif not factor.base.is_number:
                result *= factor.base ** (factor.exp - HALF)
        known = {sp.expand(root.radicand): root.letter for root in self.found}
        number, _ = _radicands(product)
        for n, base in enumerate(bases):
            radicand = sp.expand((number if n == 0 else 1) * base)
            if radicand not in known:
                raise EvidenceFailed(f"√({radicand}) cannot be cleared: {_ADVICE}")
            result *= known[radicand]
        return result


_ADVICE = "name the root by a letter r with the hypotheses r >= 0 and r**2 = what stands under it"


def _is_root(factor: sp.Basic) -> bool:
    return isinstance(factor, sp.Pow) and factor.exp.is_Rational and factor.exp.q == 2


def has_root(expression: sp.Basic) -> bool:
    return any(map(_is_root, expression.atoms(sp.Pow)))


def _products(expression: sp.Basic) -> list[sp.Expr]:
    """The smallest products that hold roots."""
    if not has_root(expression):
        return []
    if isinstance(expression, sp.Mul | sp.Pow) and any(map(_is_root, sp.Mul.make_args(expression))):
        inner = [part for part in sp.Mul.make_args(expression) if not _is_root(part)]
        return [expression, *(p for part in inner for p in _products(part))]
    return [p for part in expression.args for p in _products(part)]


def _radicands(product: sp.Expr) -> tuple[sp.Expr, list[sp.Expr]]:
    """What stands under the roots of a product: the numbers together, and each expression with letters."""
    roots = [factor for factor in sp.Mul.make_args(product) if _is_root(factor)]
    number = sp.Mul(*(factor.base for factor in roots if factor.base.is_number))
    letters = sorted({factor.base for factor in roots if not factor.base.is_number}, key=str)
    if number != 1 and not letters:
        raise EvidenceFailed(f"√({number}) is no fraction: {_ADVICE}")
    return number, letters


def _solved(radicand: sp.Expr, taken: set[sp.Symbol]) -> Root:
    """A root whose radicand is linear in one of its letters."""
    for letter in sorted(radicand.free_symbols - taken, key=str):
        slope = sp.diff(radicand, letter)
        if letter in slope.free_symbols:
            continue
        (root,) = real(f"root_{letter}")
        rest = sp.expand(radicand - slope * letter)
        return Root(root, radicand, letter, (root**2 - rest) / slope)
    raise EvidenceFailed(f"√({radicand}) cannot be cleared: {_ADVICE}")
