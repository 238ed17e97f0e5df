"""Exact rational arithmetic that re-checks what other engines found. Standard library only: no sympy, no z3.

Input is the plain tuple form of `theory.provers.trees`: ("num", p, q), ("sym", name), ("add", …), ("mul", …),
("pow", base, n), ("le", l, r), ("and", …) and so on.

Whether two rational functions are the same is decided at one point of large random integers. Two different
ones, of degree D after cross-multiplication, agree there with probability at most D/2^128 (Schwartz, Zippel):
below 2^-110 for anything that the ledger has. The point is drawn from a digest of the functions themselves,
so nobody can choose functions for a point that is known beforehand.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from operator import eq, ge, gt, le, lt, ne
from random import Random
from typing import Any

Tree = tuple[Any, ...]
Terms = tuple[tuple[tuple[int, ...], int, int], ...]  # exponents, and the coefficient p/q
BITS = 128
COMPARISONS = {each.__name__: each for each in (le, lt, ge, gt, eq, ne)}


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
        return prod(values, start=Fraction(1))
    raise ValueError(f"not an expression: {tag}")


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
    return bool(COMPARISONS[tag](*(evaluate(side, point) for side in rest)))


# ---------------------------------------------------------------- rational functions


def names_in(tree: Tree) -> set[str]:
    """Every symbol that occurs in a tree."""
    if tree[0] == "sym":
        return {tree[1]}
    return set().union(*(names_in(child) for child in tree[1:] if isinstance(child, tuple)))


def _random_point(
    names: Iterable[str], substitution: Mapping[str, Tree], told: object
) -> dict[str, Fraction]:
    """Large integers for the letters, drawn from all that is told, by its SHA-512.

    A substitution may contain letters that later ones replace.
    """
    draw = Random(repr((sorted(names), substitution, told)))
    point = {name: Fraction(draw.getrandbits(BITS)) for name in sorted(names)}
    for name, tree in reversed(list(substitution.items())):
        point[name] = evaluate(tree, point)
    return point


def same_function(left: Tree, right: Tree, substitution: Mapping[str, Tree] | None = None) -> bool:
    """Are two rational expressions equal as rational functions, after the substitution?"""
    chosen = dict(substitution or {})
    names = set().union(*map(names_in, (left, right, *chosen.values()))) - set(chosen)
    point = _random_point(names, chosen, (left, right))
    return evaluate(left, point) == evaluate(right, point)


# ---------------------------------------------------------------- certificates


@dataclass(frozen=True)
class PositivityRecord:
    """A printed certificate: `difference`, after `substitution`, equals numerator/denominator.

    Both are lists of terms over `variables`, each of which ranges over [0, ∞), those in `strict` over (0, ∞).
    """

    difference: Tree
    substitution: tuple[tuple[str, Tree], ...]
    variables: tuple[str, ...]
    strict: tuple[str, ...]
    numerator: Terms
    denominator: Terms


def faults_of_positivity(record: PositivityRecord, strictly: bool) -> tuple[str, ...]:
    """What is wrong with a certificate; empty when it proves difference ≥ 0 (or > 0 when `strictly`)."""
    terms = (*record.numerator, *record.denominator)
    if not all(q > 0 for _, _, q in terms):
        return ("a coefficient p/q has no positive q",)
    point = _random_point(record.variables, dict(record.substitution), record)
    values = [point[name] for name in record.variables]
    num, den = (_value(part, values) for part in (record.numerator, record.denominator))
    checks = (
        (den != 0 and evaluate(record.difference, point) * den == num, "it is not the stated difference"),
        (all(p >= 0 for _, p, _ in terms), "a coefficient is negative"),
        (_positive_somewhere(record.denominator, record), "the denominator may vanish"),
        (
            not strictly or _positive_somewhere(record.numerator, record),
            "the numerator may vanish, so the inequality is not strict",
        ),
    )
    return tuple(fault for met, fault in checks if not met)


def _value(terms: Terms, values: Sequence[Fraction]) -> Fraction:
    return sum(
        (
            Fraction(p, q) * prod(v**n for v, n in zip(values, exponents, strict=True))
            for exponents, p, q in terms
        ),
        Fraction(0),
    )


def _positive_somewhere(terms: Terms, record: PositivityRecord) -> bool:
    """Has a term with positive coefficient whose variables are all strictly positive?"""
    strict = {record.variables.index(name) for name in record.strict}
    return any(p > 0 and all(i in strict for i, n in enumerate(exponents) if n) for exponents, p, _ in terms)
