"""Exact rational arithmetic that re-checks what other engines found. Standard library only: no sympy, no z3.

Input is the plain tuple form of `theory.provers.trees`: ("num", p, q), ("sym", name), ("add", …), ("mul", …),
("pow", base, n), ("le", l, r), ("and", …) and so on.
Polynomials are dictionaries from exponent tuples to Fractions; a rational function is a pair of polynomials.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

Tree = tuple[Any, ...]
Poly = dict[tuple[int, ...], Fraction]


# ---------------------------------------------------------------- evaluation at a rational point


def evaluate(tree: Tree, point: Mapping[str, Fraction]) -> Fraction:
    """The exact value of an expression; division by zero raises ZeroDivisionError."""
    tag, *rest = tree
    if tag == "num":
        return Fraction(rest[0], rest[1])
    if tag == "sym":
        return point[rest[0]]
    if tag == "pow":
        return evaluate(rest[0], point) ** rest[1]
    values = [evaluate(child, point) for child in rest]
    if tag == "add":
        return sum(values, Fraction(0))
    if tag == "mul":
        return _product(values)
    if tag in ("abs", "max", "min"):
        return abs(values[0]) if tag == "abs" else max(values) if tag == "max" else min(values)
    raise ValueError(f"not an expression: {tag}")


def _product(values: Iterable[Fraction]) -> Fraction:
    result = Fraction(1)
    for value in values:
        result *= value
    return result


def holds(tree: Tree, point: Mapping[str, Fraction]) -> bool:
    """The exact truth value of a relation at a point."""
    tag, *rest = tree
    if tag == "bool":
        return bool(rest[0])
    if tag == "not":
        return not holds(rest[0], point)
    if tag in ("and", "or"):
        values = [holds(child, point) for child in rest]
        return all(values) if tag == "and" else any(values)
    left, right = evaluate(rest[0], point), evaluate(rest[1], point)
    return compare(tag, left, right)


def compare(tag: str, left: Fraction, right: Fraction) -> bool:
    """One comparison of exact numbers."""
    return {
        "le": left <= right,
        "lt": left < right,
        "ge": left >= right,
        "gt": left > right,
        "eq": left == right,
        "ne": left != right,
    }[tag]


# ---------------------------------------------------------------- polynomials and rational functions


def _add(a: Poly, b: Poly) -> Poly:
    out = dict(a)
    for exponents, coefficient in b.items():
        total = out.get(exponents, Fraction(0)) + coefficient
        if total:
            out[exponents] = total
        else:
            out.pop(exponents, None)
    return out


_BITS = 20  # room per exponent in a packed monomial; degrees here stay far below 2^20


def _multiply(a: Poly, b: Poly) -> Poly:
    """Product over the integers: common denominators cleared, exponents packed into one int."""
    if not a or not b:
        return {}
    width = len(next(iter(a)))
    (left, scale_a), (right, scale_b) = _integral(a), _integral(b)
    out: dict[int, int] = {}
    for ea, ca in left:
        for eb, cb in right:
            key = ea + eb
            out[key] = out.get(key, 0) + ca * cb
    scale = scale_a * scale_b
    return {_unpack(key, width): Fraction(value, scale) for key, value in out.items() if value}


def _integral(poly: Poly) -> tuple[list[tuple[int, int]], int]:
    scale = lcm(*(value.denominator for value in poly.values()))
    terms = [(_pack(e), value.numerator * (scale // value.denominator)) for e, value in poly.items()]
    return terms, scale


def _pack(exponents: tuple[int, ...]) -> int:
    return sum(n << (_BITS * i) for i, n in enumerate(exponents))


def _unpack(key: int, width: int) -> tuple[int, ...]:
    mask = (1 << _BITS) - 1
    return tuple((key >> (_BITS * i)) & mask for i in range(width))


Factor = tuple[tuple[tuple[int, ...], Fraction], ...]


def _power_product(factors: Mapping[Factor, int], unit: tuple[int, ...]) -> Poly:
    result: Poly = {unit: Fraction(1)}
    for factor, exponent in factors.items():
        for _ in range(exponent):
            result = _multiply(result, dict(factor))
    return result


@dataclass(frozen=True)
class Ratio:
    """A polynomial over a product of polynomial factors.

    Factors are never expanded, so that sums share denominators; equality is decided by cross multiplication.
    """

    num: Poly
    den: Mapping[Factor, int]
    unit: tuple[int, ...]

    def plus(self, other: Ratio) -> Ratio:
        common = {f: max(self.den.get(f, 0), other.den.get(f, 0)) for f in {*self.den, *other.den}}
        return Ratio(_add(self._over(common), other._over(common)), common, self.unit)

    def _over(self, common: Mapping[Factor, int]) -> Poly:
        """The numerator after extending to a larger denominator."""
        missing = {f: n - self.den.get(f, 0) for f, n in common.items()}
        return _multiply(self.num, _power_product(missing, self.unit))

    def times(self, other: Ratio) -> Ratio:
        den = {f: self.den.get(f, 0) + other.den.get(f, 0) for f in {*self.den, *other.den}}
        return Ratio(_multiply(self.num, other.num), den, self.unit)

    def inverse(self) -> Ratio:
        if not self.num:
            raise ZeroDivisionError("inverse of the zero function")
        num = _power_product(self.den, self.unit)
        if set(self.num) == {self.unit}:
            return Ratio({e: value / self.num[self.unit] for e, value in num.items()}, {}, self.unit)
        return Ratio(num, {tuple(sorted(self.num.items())): 1}, self.unit)

    def same_as(self, other: Ratio) -> bool:
        common = {f: max(self.den.get(f, 0), other.den.get(f, 0)) for f in {*self.den, *other.den}}
        return self._over(common) == other._over(common)


class Expander:
    """Expands trees over a fixed list of variables, with named substitutions applied on the way."""

    def __init__(self, variables: Sequence[str], substitution: Mapping[str, Tree]) -> None:
        self.variables = tuple(variables)
        self.substitution = dict(substitution)
        self._known: dict[str, Ratio] = {}
        self._one = (0,) * len(self.variables)

    def constant(self, value: Fraction) -> Ratio:
        return Ratio({self._one: value} if value else {}, {}, self._one)

    def variable(self, name: str) -> Ratio:
        if name not in self._known:
            if name in self.substitution:
                self._known[name] = self.expand(self.substitution[name])
            else:
                index = self.variables.index(name)
                unit = tuple(int(i == index) for i in range(len(self.variables)))
                self._known[name] = Ratio({unit: Fraction(1)}, {}, self._one)
        return self._known[name]

    def expand(self, tree: Tree) -> Ratio:
        tag, *rest = tree
        if tag == "num":
            return self.constant(Fraction(rest[0], rest[1]))
        if tag == "sym":
            return self.variable(rest[0])
        if tag == "pow":
            return self._power(self.expand(rest[0]), rest[1])
        parts = [self.expand(child) for child in rest]
        result = parts[0]
        for part in parts[1:]:
            result = result.plus(part) if tag == "add" else result.times(part)
        if tag not in ("add", "mul"):
            raise ValueError(f"not a rational expression: {tag}")
        return result

    def _power(self, base: Ratio, exponent: int) -> Ratio:
        result = self.constant(Fraction(1))
        factor = base if exponent >= 0 else base.inverse()
        for _ in range(abs(exponent)):
            result = result.times(factor)
        return result


def names_in(tree: Tree) -> set[str]:
    """Every symbol that occurs in a tree."""
    if tree[0] == "sym":
        return {tree[1]}
    return set().union(*(names_in(child) for child in tree[1:] if isinstance(child, tuple)))


def same_function(left: Tree, right: Tree, substitution: Mapping[str, Tree] | None = None) -> bool:
    """Are two rational expressions equal as rational functions? Decided by full expansion."""
    chosen = dict(substitution or {})
    names = names_in(left) | names_in(right)
    for tree in chosen.values():
        names |= names_in(tree)
    expander = Expander(sorted(names - set(chosen)), chosen)
    return expander.expand(left).same_as(expander.expand(right))


# ---------------------------------------------------------------- certificates


@dataclass(frozen=True)
class PositivityRecord:
    """A printed certificate: `difference`, after `substitution`, equals numerator/denominator.

    Coefficients are given as (exponents, p, q) over `variables`, each of which ranges over [0, ∞), those in
    `strict` over (0, ∞).
    """

    difference: Tree
    substitution: tuple[tuple[str, Tree], ...]
    variables: tuple[str, ...]
    strict: tuple[str, ...]
    numerator: tuple[tuple[tuple[int, ...], int, int], ...]
    denominator: tuple[tuple[tuple[int, ...], int, int], ...]


def polynomial(terms: Iterable[tuple[tuple[int, ...], int, int]]) -> Poly:
    """A polynomial from its printed terms; repeated exponents are refused."""
    out: Poly = {}
    for exponents, numerator, denominator in terms:
        if exponents in out:
            raise ValueError(f"exponents {exponents} are listed twice")
        if numerator:
            out[exponents] = Fraction(numerator, denominator)
    return out


def faults_of_positivity(record: PositivityRecord, strictly: bool) -> tuple[str, ...]:
    """What is wrong with a certificate; empty when it proves difference ≥ 0 (or > 0 when `strictly`)."""
    num, den = polynomial(record.numerator), polynomial(record.denominator)
    expander = Expander(record.variables, dict(record.substitution))
    found = expander.expand(record.difference)
    faults = []
    listed = Ratio(num, {tuple(sorted(den.items())): 1}, (0,) * len(record.variables))
    if not den or not found.same_as(listed):
        faults.append("numerator/denominator is not the stated difference")
    if any(value < 0 for value in (*num.values(), *den.values())):
        faults.append("a coefficient is negative")
    if not _positive_somewhere(den, record):
        faults.append("the denominator may vanish")
    if strictly and not _positive_somewhere(num, record):
        faults.append("the numerator may vanish, so the inequality is not strict")
    return tuple(faults)


def _positive_somewhere(poly: Poly, record: PositivityRecord) -> bool:
    """Has a monomial with positive coefficient whose variables are all strictly positive?"""
    strict = {record.variables.index(name) for name in record.strict}
    return any(
        value > 0 and all(i in strict for i, n in enumerate(exponents) if n)
        for exponents, value in poly.items()
    )
