"""Methods that decide a claim, with two engines or more where two can decide; disagreement raises.

| method         | decides                                           | engines                          |
| -------------- | ------------------------------------------------- | -------------------------------- |
| `Identity`     | l = r as rational functions                       | sympy; own polynomial arithmetic |
| `SumOfSquares` | l ≤ r, by r − l = Σ multiplier·slack·square       | sympy; own arithmetic; z3        |
| `Positivity`   | l ≤ r or l < r, by nonnegative coefficients       | sympy; own arithmetic; z3        |
| `Cases`        | a claim whose last hypothesis is a disjunction    | those of its cases               |
| `Solver`       | any polynomial claim, by z3 unsat of the negation | z3; exact random points          |
| `AtPoint`      | refutes: an exact point                           | own arithmetic; sympy            |
| `OnInstance`   | refutes a FiniteClaim: an exact instance          | exact arithmetic                 |
| `Exhaustive`   | a FiniteClaim that declares a finite, listed domain | enumeration in exact arithmetic |
| `Chain`        | a FiniteClaim from sub-claims, combined in words  | those of its parts, spot checks  |

z3's `unknown` never counts for or against a claim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from theory import certificates, recheck, smt
from theory.certificates import Change
from theory.errors import EvidenceFailed
from theory.evidence import Method, Outcome
from theory.replay import AtPoint, Exhaustive, OnInstance, count_holding, parts, sample
from theory.statements import Claim, FiniteClaim, equal, exact
from theory.trees import to_tree

__all__ = [
    "AtPoint", "Cases", "Chain", "Exhaustive", "Identity", "OnInstance", "Positivity", "Solver",
    "SumOfSquares", "Term", "cross_check", "gap", "rational", "term",
]  # fmt: skip

CROSS_CHECK_SECONDS = 2.0
CROSS_CHECK_POINTS = 60


def gap(relation: sp.Basic) -> tuple[sp.Expr, bool]:
    """(larger − smaller, strict?) of an inequality."""
    if isinstance(relation, sp.Le | sp.Lt):
        return relation.rhs - relation.lhs, isinstance(relation, sp.Lt)
    if isinstance(relation, sp.Ge | sp.Gt):
        return relation.lhs - relation.rhs, isinstance(relation, sp.Gt)
    raise EvidenceFailed(f"not an inequality: {relation}")


def cross_check(claim: Claim, seconds: float = CROSS_CHECK_SECONDS) -> tuple[str, ...]:
    """Let z3 and exact random points decide what another engine proved.

    A refutation is a disagreement; unknown adds nothing.
    """
    sample(claim, CROSS_CHECK_POINTS)
    reply = smt.prove(claim.hypotheses, claim.statement, seconds)
    if reply.answer is smt.Answer.REFUTED:
        raise EvidenceFailed(f"engines disagree: z3 refutes a proved claim at {dict(reply.model or {})}")
    return ("z3",) if reply.answer is smt.Answer.PROVED else ()


def demand_defined(claim: Claim) -> None:
    """Every denominator of the statement is nonzero under the hypotheses."""
    for denominator in smt.denominators(claim.statement):
        if smt.prove(claim.hypotheses, sp.Ne(denominator, 0)).answer is not smt.Answer.PROVED:
            raise EvidenceFailed(f"{denominator} is not shown to be nonzero")


@dataclass(frozen=True)
class Identity:
    """Both sides are the same rational function, after inserting the definitions in `given`."""

    given: tuple[tuple[sp.Symbol, sp.Expr], ...] = ()

    def decide(self, claim: Claim) -> Outcome:
        demand_defined(claim)
        self._demand_given(claim)
        for relation in parts(claim.statement):
            if not isinstance(relation, sp.Eq):
                raise EvidenceFailed(f"not an equation: {relation}")
            self._demand_equal(relation)
        return Outcome(True, ("sympy", "fractions"), "identity", "both sides expand to the same polynomial")

    def _demand_given(self, claim: Claim) -> None:
        for symbol, expression in self.given:
            if sp.Eq(symbol, expression) not in claim.hypotheses:
                raise EvidenceFailed(f"{symbol} = {expression} is not a hypothesis")
        inserted: set[sp.Symbol] = set()
        for symbol, expression in self.given:
            inserted.add(symbol)
            if inserted & expression.free_symbols:
                raise EvidenceFailed(f"{symbol} = {expression} brings back a letter already replaced")

    def _demand_equal(self, relation: sp.Basic) -> None:
        difference = relation.lhs - relation.rhs
        for symbol, expression in self.given:
            difference = difference.subs(symbol, expression)
        by_sympy = sp.expand(sp.fraction(sp.together(difference))[0]) == 0
        given = {s.name: to_tree(e) for s, e in self.given}
        by_fractions = recheck.same_function(to_tree(relation.lhs), to_tree(relation.rhs), given)
        if by_sympy != by_fractions:
            raise EvidenceFailed(f"engines disagree on {relation}")
        if not by_sympy:
            raise EvidenceFailed(f"not an identity: difference {sp.factor(difference)}")


@dataclass(frozen=True)
class Term:
    """multiplier · Π (slack of a hypothesis) · square². The multiplier has nonnegative coefficients."""

    multiplier: sp.Expr
    square: sp.Expr
    slacks: tuple[sp.Basic, ...]

    @property
    def expression(self) -> sp.Expr:
        return self.multiplier * self.square**2 * sp.Mul(*(gap(h)[0] for h in self.slacks))


def term(multiplier: sp.Expr | int, square: sp.Expr | int = 1, *slacks: sp.Basic) -> Term:
    """A summand of a sum of squares."""
    return Term(sp.sympify(multiplier), sp.sympify(square), tuple(slacks))


@dataclass(frozen=True)
class SumOfSquares:
    """larger − smaller = Σ terms, each of which is nonnegative under the hypotheses. Proves ≤, never <."""

    terms: tuple[Term, ...]

    def decide(self, claim: Claim) -> Outcome:
        demand_defined(claim)
        difference, strict = gap(claim.statement)
        if strict:
            raise EvidenceFailed("a sum of squares does not prove a strict inequality")
        total = sp.Add(*(item.expression for item in self.terms))
        Identity().decide(Claim(claim.hypotheses, equal(difference, total)))
        for item in self.terms:
            self._demand_nonnegative(item, claim)
        shown = " + ".join(
            f"({t.multiplier})·{' '.join(f'[{gap(h)[0]}]' for h in t.slacks)}({t.square})²"
            for t in self.terms
        )
        return Outcome(
            True, ("sympy", "fractions", *cross_check(claim)), "sum of squares", shown, certificate=shown
        )

    def _demand_nonnegative(self, item: Term, claim: Claim) -> None:
        missing = [h for h in item.slacks if h not in claim.hypotheses]
        if missing:
            raise EvidenceFailed(f"not a hypothesis: {missing}")
        if item.multiplier.is_number:
            if not item.multiplier >= 0:
                raise EvidenceFailed(f"negative multiplier {item.multiplier}")
            return
        if smt.prove(claim.hypotheses, item.multiplier >= 0).answer is not smt.Answer.PROVED:
            raise EvidenceFailed(f"the multiplier {item.multiplier} is not shown to be nonnegative")


@dataclass(frozen=True, init=False)
class Positivity:
    """larger − smaller has only nonnegative coefficients after the changes of variables."""

    changes: tuple[Change, ...]
    strict: tuple[sp.Symbol, ...]

    def __init__(self, *changes: Change, strict: Sequence[sp.Symbol] = ()) -> None:
        object.__setattr__(self, "changes", tuple(changes))
        object.__setattr__(self, "strict", tuple(strict))

    def decide(self, claim: Claim) -> Outcome:
        demand_defined(claim)
        self._demand_covers(claim)
        shown = []
        for relation in parts(claim.statement):
            difference, strictly = gap(relation)
            record = certificates.build(difference, self.changes, self._strict(claim))
            faults = recheck.faults_of_positivity(record, strictly)
            if faults:
                raise EvidenceFailed("; ".join(faults) + f" in {certificates.text(record)}")
            shown.append(certificates.text(record))
        engines = ("sympy", "fractions", *cross_check(claim))
        text = "; ".join(shown)
        change = ", ".join(f"{c.old} = {c.formula}" for c in self.changes)
        return Outcome(
            True, engines, "positivity certificate", change or "no change of variables", certificate=text
        )

    def _strict(self, claim: Claim) -> tuple[sp.Symbol, ...]:
        """Variables that are strictly positive: declared, or by a hypothesis s > 0."""
        own = tuple(
            h.lhs for h in claim.hypotheses if isinstance(h, sp.Gt) and h.lhs.is_Symbol and h.rhs == 0
        )
        return (*own, *self.strict, *(c.new for c in self.changes if c.strict))

    def _demand_covers(self, claim: Claim) -> None:
        """Every admissible point is the image of nonnegative new variables."""
        self._demand_fresh(claim)
        back = {change.new: change.inverse for change in self.changes}
        for change in self.changes:
            self._demand_inverse(change, back)
        for change in self.changes:
            self._demand_sign(claim, change.inverse, change.new in self._strict(claim))
        letters = set(claim.statement.free_symbols).union(*(c.formula.free_symbols for c in self.changes))
        for symbol in letters - set(back) - {change.old for change in self.changes}:
            self._demand_sign(claim, symbol, symbol in self._strict(claim))

    def _demand_fresh(self, claim: Claim) -> None:
        """A new letter that the claim already uses would tie two independent quantities together."""
        taken = {symbol.name for symbol in claim.symbols}
        for change in self.changes:
            if change.new.name in taken:
                raise EvidenceFailed(f"the new letter {change.new} is not fresh")
            taken |= {change.new.name, change.old.name}

    def _demand_inverse(self, change: Change, back: Mapping[sp.Symbol, sp.Expr]) -> None:
        if not recheck.same_function(to_tree(change.formula.subs(back)), to_tree(change.old)):
            raise EvidenceFailed(f"{change.inverse} does not invert {change.old} = {change.formula}")

    def _demand_sign(self, claim: Claim, expression: sp.Expr, strictly: bool) -> None:
        wanted = expression > 0 if strictly else expression >= 0
        if wanted in claim.hypotheses or (expression > 0) in claim.hypotheses:
            return
        if smt.prove(claim.hypotheses, wanted).answer is not smt.Answer.PROVED:
            raise EvidenceFailed(f"{wanted} is not shown under the hypotheses")


@dataclass(frozen=True)
class Cases:
    """The last hypothesis is a disjunction: one method per case."""

    methods: tuple[Method, ...]

    def decide(self, claim: Claim) -> Outcome:
        *common, last = claim.hypotheses
        cases = last.args if isinstance(last, sp.Or) else (last,)
        ordered = sorted(cases, key=str)
        outcomes = [
            method.decide(Claim((*common, case), claim.statement))
            for case, method in zip(ordered, self.methods, strict=True)
        ]
        shown = "; ".join(f"if {case}: {o.detail}" for case, o in zip(ordered, outcomes, strict=True))
        engines = tuple(dict.fromkeys(e for o in outcomes for e in o.engines))
        certificate = "; ".join(
            f"if {case}: {o.certificate}" for case, o in zip(ordered, outcomes, strict=True)
        )
        return Outcome(
            all(o.ok for o in outcomes),
            engines,
            f"{outcomes[0].kind}, by cases",
            shown,
            certificate=certificate,
        )


@dataclass(frozen=True)
class Solver:
    """z3 finds the negation unsatisfiable; exact random points look for a violation."""

    seconds: float = smt.SECONDS
    samples: int = 200

    def decide(self, claim: Claim) -> Outcome:
        reply = smt.prove(claim.hypotheses, claim.statement, self.seconds)
        if reply.answer is smt.Answer.PROVED:
            tried = sample(claim, self.samples)
            engines = ("z3", "sampling") if tried else ("z3",)
            agree = f"; {tried} exact points agree" if tried else "; no second engine"
            return Outcome(True, engines, "z3 unsat", f"negation unsatisfiable{agree}")
        where = f" at {dict(reply.model)}" if reply.model else ""
        raise EvidenceFailed(f"z3: {reply.answer}{where} {reply.detail}".rstrip())


@dataclass(frozen=True)
class Chain:
    """Sub-claims that together give a FiniteClaim; `because` says in words how they combine.

    The words are not checked, so the outcome is marked `in_words`. `spots` lists instances on which the
    claim itself is evaluated. A scalar claim is refused: it has engines of its own.
    """

    because: str
    links: tuple[tuple[Claim | FiniteClaim, Method], ...]
    spots: Callable[[], Iterable[Any]]
    data: Any
    text: str

    def decide(self, claim: Any) -> Outcome:
        if not isinstance(claim, FiniteClaim):
            raise EvidenceFailed("a chain in words does not prove a scalar claim")
        if not self.links or not self.because:
            raise EvidenceFailed("a chain needs links and the words that combine them")
        outcomes = [method.decide(link) for link, method in self.links]
        for link, _ in self.links:
            if isinstance(link, Claim) and smt.model(link.hypotheses) is None:
                raise EvidenceFailed(f"no model of the hypotheses of {link.statement}")
        seen = count_holding(claim, self.spots())
        engines = (*dict.fromkeys(e for o in outcomes for e in o.engines), "spot checks")
        kinds = " + ".join(dict.fromkeys(o.kind for o in outcomes))
        links = "; ".join(link.text for link, _ in self.links)
        shown = f"{self.because} Links: {links}. Evaluated on {seen} instances: {self.text}"
        return Outcome(all(o.ok for o in outcomes), engines, f"chain in words: {kinds}", shown, in_words=True)


def rational(value: Any) -> sp.Rational:
    """An exact sympy number from a Fraction, an int or a string such as "3/4"."""
    number = exact(value)
    return sp.Rational(number.numerator, number.denominator)
