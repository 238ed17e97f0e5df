"""Points for scalar claims: rational values of the letters that satisfy the hypotheses by construction.

Equations are solved for a letter, branch by branch. Of the inequalities, those that are linear in the letter
drawn last become its interval; what is left over (nothing is linear in it) is tested and rejected.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any

import sympy as sp
from hypothesis import assume, reject
from hypothesis import strategies as st

from benchmarks.search.hunting import End, within
from theory.ledger.statements import Claim
from theory.provers import recheck
from theory.provers.trees import to_tree

Values = dict[str, Fraction]
COUNTS = frozenset({"E", "M", "T", "d", "k", "n"})  # letters that count something are whole numbers
FAR = 1000


@dataclass(frozen=True)
class Limit:
    """slope·letter + rest ≤ 0, or < 0; slope and rest contain letters drawn before."""

    slope: recheck.Tree
    rest: recheck.Tree
    strict: bool


@dataclass(frozen=True)
class Plan:
    """Letters in the order of drawing, each with its limits; then the letters that equations give."""

    letters: tuple[tuple[str, tuple[Limit, ...]], ...]
    solved: tuple[tuple[str, recheck.Tree], ...]


# ---------------------------------------------------------------- equations


def branches(claim: Claim) -> list[dict[sp.Symbol, sp.Expr]]:
    """Every way to solve the claim's equations for letters, as rational functions of the others."""
    equations = [h for h in claim.hypotheses if isinstance(h, sp.Eq)]
    equations.sort(key=lambda h: not (h.lhs.is_Symbol or h.rhs.is_Symbol))  # definitions first
    found: list[dict[sp.Symbol, sp.Expr]] = [{}]
    for equation in equations:
        found = [branch for known in found for branch in _solve_one(equation, known)]
    return found


def _solve_one(equation: sp.Eq, known: dict[sp.Symbol, sp.Expr]) -> list[dict[sp.Symbol, sp.Expr]]:
    difference = (equation.lhs - equation.rhs).subs(known)
    for symbol in _preferred(equation, difference):
        solutions = [s for s in sp.solve(difference, symbol) if s.is_rational_function()]
        if solutions:
            return [_extended(known, symbol, solution) for solution in solutions]
    return [known] if sp.simplify(difference) == 0 else []


def _preferred(equation: sp.Eq, difference: sp.Expr) -> list[sp.Symbol]:
    """A letter that stands alone on a side first."""
    free = sorted(difference.free_symbols, key=lambda s: s.name)
    return sorted(free, key=lambda s: s not in (equation.lhs, equation.rhs))


def _extended(known: dict, symbol: sp.Symbol, solution: sp.Expr) -> dict[sp.Symbol, sp.Expr]:
    return {**{s: value.subs(symbol, solution) for s, value in known.items()}, symbol: solution}


# ---------------------------------------------------------------- inequalities


Excess = tuple[sp.Expr, bool]  # an expression that is at most 0; True: below 0


def excesses(relations: Iterable[sp.Basic]) -> list[Excess]:
    """The inequalities among them."""
    found = [r for r in relations if isinstance(r, sp.Le | sp.Lt | sp.Ge | sp.Gt)]
    return [(r.lts - r.gts, isinstance(r, sp.Lt | sp.Gt)) for r in found]


def linear_in(expression: sp.Expr, symbol: sp.Symbol) -> tuple[sp.Expr, sp.Expr] | None:
    """(slope, rest) of expression = slope·symbol + rest."""
    slope = sp.cancel(sp.diff(expression, symbol))
    return None if symbol in slope.free_symbols else (slope, expression.subs(symbol, 0))


def order_letters(free: Iterable[sp.Symbol], left: list[Excess]) -> list[tuple[str, tuple[Limit, ...]]]:
    """Elimination from the last letter: one in which every joint inequality that is left is linear."""
    letters = sorted(free, key=lambda s: s.name)
    ordered: list[tuple[str, tuple[Limit, ...]]] = []
    while letters:
        last = min(letters, key=lambda s: _obstacles(s, left))
        own = [(linear_in(e, last), strict) for e, strict in left if last in e.free_symbols]
        limits = tuple(Limit(to_tree(f[0]), to_tree(f[1]), strict) for f, strict in own if f is not None)
        ordered.insert(0, (last.name, limits))
        left = [(e, strict) for e, strict in left if last not in e.free_symbols]
        letters.remove(last)
    return ordered


def _obstacles(symbol: sp.Symbol, inequalities: list[Excess]) -> tuple[int, int]:
    """How many joint inequalities are not linear in the letter, then how few are."""
    joint = [e for e, _ in inequalities if symbol in e.free_symbols and len(e.free_symbols) > 1]
    bent = sum(linear_in(e, symbol) is None for e in joint)
    return bent, -len(joint)


def plans(claim: Claim) -> list[Plan]:
    """One plan for every branch of the equations."""
    found = []
    for solved in branches(claim):
        free = set(claim.symbols) - set(solved)
        given = tuple((symbol.name, to_tree(value)) for symbol, value in solved.items())
        letters = order_letters(free, excesses(h.subs(solved) for h in claim.hypotheses))
        found.append(Plan(tuple(letters), given))
    return found


# ---------------------------------------------------------------- drawing


def interval(limits: Iterable[Limit], point: Values) -> tuple[End | None, End | None]:
    """What the limits leave of the line; one that does not contain the letter any more is tested later."""
    lows: list[End] = []
    highs: list[End] = []
    for limit in limits:
        if slope := recheck.evaluate(limit.slope, point):
            end = -recheck.evaluate(limit.rest, point) / slope
            (highs if slope > 0 else lows).append((end, limit.strict))
    return max(lows, default=None), min(highs, default=None, key=lambda end: (end[0], not end[1]))


def whole_within(low: End | None, high: End | None) -> st.SearchStrategy[Fraction]:
    """The whole numbers of an interval, from 0 where it has no lower end; an open end is tested later."""
    first = 0 if low is None else ceil(low[0])
    last = first + FAR if high is None else floor(high[0])
    return st.integers(first, last).map(Fraction) if first <= last else st.nothing()


@st.composite
def points_of(draw: st.DrawFn, plan: Plan) -> Values:
    """Values of all letters by a plan."""
    try:
        return _drawn(draw, plan)
    except ZeroDivisionError:  # an interval or an equation is not defined at what was drawn before
        return reject()


def _drawn(draw: st.DrawFn, plan: Plan) -> Values:
    point: Values = {}
    for name, limits in plan.letters:
        values = (whole_within if name in COUNTS else within)(*interval(limits, point))
        assume(not values.is_empty)
        point[name] = draw(values)
    for name, tree in plan.solved:
        point[name] = recheck.evaluate(tree, point)
    return point


def points(claim: Claim) -> st.SearchStrategy[Values]:
    """Points that satisfy, or nearly always satisfy, the hypotheses of a scalar claim."""
    return st.one_of([points_of(plan) for plan in plans(claim)])


@dataclass(frozen=True)
class Exactly:
    """A scalar claim, translated once, decided at rational points."""

    hypotheses: tuple[recheck.Tree, ...]
    statement: recheck.Tree

    @classmethod
    def of(cls, claim: Claim) -> Exactly:
        return cls(tuple(map(to_tree, claim.hypotheses)), to_tree(claim.statement))

    def admits(self, point: Mapping[str, Fraction]) -> bool:
        return all(recheck.holds(h, point) for h in self.hypotheses)

    def violated(self, point: Mapping[str, Fraction]) -> bool:
        """The hypotheses hold and the statement does not."""
        return self.admits(point) and not recheck.holds(self.statement, point)

    def fails(self, point: Mapping[str, Fraction]) -> bool:
        """As `violated`, or the statement is not defined although the hypotheses hold."""
        try:
            return self.violated(point)
        except ZeroDivisionError:
            return True


def symbols_of(claim: Claim, point: Mapping[str, Any]) -> dict[sp.Symbol, Any]:
    """The point with sympy letters, as `AtPoint` replays it."""
    return {symbol: point[symbol.name] for symbol in claim.symbols}
