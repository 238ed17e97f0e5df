"""Relations for every integer n ≥ start, with powers whose exponents contain n: induction, and chains.

The step of an induction is a scalar claim; `reads` says what its letters stand for, (1 + z)^n say. A
hypothesis of the step counts only if, so read, it is the induction hypothesis, an instance of a lemma that is
proved here too, an identity between products of powers, or a fact about n that z3 proves from n ≥ start.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from theory import smt
from theory.decided import shown_without_z3
from theory.errors import EvidenceFailed
from theory.evidence import Method, Outcome
from theory.powers import demand_same_value, is_same_value, product_of_powers
from theory.statements import Claim, FiniteClaim, Test, demand_made_from, exact_point
from theory.symbols import latex

Reads = tuple[tuple[sp.Symbol, sp.Expr], ...]


@dataclass(frozen=True)
class IntegerForm:
    """`relation` for every integer `letter` ≥ start and all reals that satisfy the hypotheses."""

    letter: sp.Symbol
    start: int
    hypotheses: tuple[sp.Basic, ...]
    relation: sp.Basic

    @property
    def known(self) -> tuple[sp.Basic, ...]:
        return (*self.hypotheses, self.letter >= self.start)


def for_integers(letter: sp.Symbol, start: int, relation: sp.Basic, *hypotheses: sp.Basic) -> FiniteClaim:
    """The claim, with tests made from the relation; an instance gives a value to every letter."""
    return _claim(IntegerForm(letter, start, hypotheses, relation))


def _claim(form: IntegerForm) -> FiniteClaim:
    first = Test(f"{form.letter} is an integer of at least {form.start}", FromStart(form.letter, form.start))
    tests = (first, *(_test(hypothesis) for hypothesis in form.hypotheses))
    return FiniteClaim(tests, _test(form.relation), latex(form.relation), form)


@dataclass(frozen=True)
class FromStart:
    """Is the letter's value an integer of at least `start`?"""

    letter: sp.Symbol
    start: int

    def __call__(self, point: Mapping[Any, Any]) -> bool:
        n = exact_point(point)[self.letter.name]
        return n.denominator == 1 and n >= self.start


@dataclass(frozen=True)
class HoldsAt:
    """Is the relation true at a point?"""

    relation: sp.Basic

    def __call__(self, point: Mapping[Any, Any]) -> bool:
        return _true(self.relation, point)


def _test(relation: sp.Basic) -> Test:
    return Test(str(relation), HoldsAt(relation))


def _true(relation: sp.Basic, point: Mapping[Any, Any]) -> bool:
    values = exact_point(point)
    found = relation.subs({s: sp.Rational(values[s.name]) for s in relation.free_symbols})
    if found not in (sp.true, sp.false):
        raise EvidenceFailed(f"{relation} is not decided at {values}")
    return bool(found)


def _form(claim: Any) -> IntegerForm:
    form = getattr(claim, "form", None)
    if not isinstance(form, IntegerForm):
        raise EvidenceFailed("not a claim about all integers from a start on")
    demand_made_from(claim, _claim(form))
    return form


@dataclass(frozen=True)
class Lemma:
    """A claim about all integers, its proof, and the values at which it is used."""

    claim: FiniteClaim
    method: Method
    at: Reads

    def instance(self, form: IntegerForm) -> tuple[sp.Basic, Outcome]:
        """The lemma's relation at these values, which are admissible for every n."""
        own, values = _form(self.claim), dict(self.at)
        index = values[own.letter]
        if not index.is_polynomial(form.letter) or not all(
            c.is_Integer for c in sp.Poly(index, form.letter).coeffs()
        ):
            raise EvidenceFailed(f"{index} is not an integer for every integer {form.letter}")
        for hypothesis in own.known:
            _demand_true(hypothesis.subs(values, simultaneous=True), form)
        return own.relation.subs(values, simultaneous=True), self.method.decide(self.claim)


def _demand_true(fact: sp.Basic, form: IntegerForm) -> None:
    if fact != sp.true and smt.prove(form.known, fact).answer is not smt.Answer.PROVED:
        raise EvidenceFailed(f"{fact} is not shown for {form.letter} >= {form.start}")


@dataclass(frozen=True)
class Reading:
    """A scalar claim whose letters are read as products of powers of expressions in n."""

    step: Claim
    method: Method
    reads: Reads
    lemmas: tuple[Lemma, ...] = ()

    def conclude(self, form: IntegerForm, given: tuple[sp.Basic, ...], wanted: sp.Basic) -> list[Outcome]:
        """Decide the step: its hypotheses follow from `given` and the lemmas, and it says `wanted`."""
        for _, value in self.reads:
            _demand_real(value, form)
        used = [lemma.instance(form) for lemma in self.lemmas]
        facts = (*given, *(relation for relation, _ in used))
        for hypothesis in self.step.hypotheses:
            self._demand_follows(self._read(hypothesis), facts, form)
        if not _same_relation(self._read(self.step.statement), wanted, form):
            raise EvidenceFailed(f"the step says {self._read(self.step.statement)}, not {wanted}")
        return [self.method.decide(self.step), *(outcome for _, outcome in used)]

    def _read(self, relation: sp.Basic) -> sp.Basic:
        return relation.subs(dict(self.reads), simultaneous=True)

    def _demand_follows(self, fact: sp.Basic, facts: tuple[sp.Basic, ...], form: IntegerForm) -> None:
        if fact == sp.true or any(_same_relation(fact, known, form) for known in facts):
            return
        if isinstance(fact, sp.Eq):
            demand_same_value(fact.lhs, fact.rhs, form.letter, form.start)
        elif not _is_positive_product(fact, form):
            _demand_true(fact, form)


def _demand_real(value: sp.Expr, form: IntegerForm) -> None:
    """A letter of a scalar claim is a real number: √(−n), x^{n/2} or 1/x must not be read into it."""
    for power in sp.sympify(value).atoms(sp.Pow):
        base, exponent = power.as_base_exp()
        positive = base > 0 if base.is_number else shown_without_z3(base, form.known, strictly=True)
        if not positive and not _is_natural(exponent, form):
            raise EvidenceFailed(f"{power} is not shown to be a real number for all {form.letter}")


def _is_natural(exponent: sp.Expr, form: IntegerForm) -> bool:
    """An integer of at least 0 for every integer from the start on."""
    if exponent.is_Integer:
        return bool(exponent >= 0)
    if exponent.free_symbols != {form.letter} or not exponent.is_polynomial(form.letter):
        return False
    whole = all(c.is_Integer for c in sp.Poly(exponent, form.letter).coeffs())
    return whole and smt.prove(form.known, exponent >= 0).answer is smt.Answer.PROVED


def _same_relation(one: sp.Basic, other: sp.Basic, form: IntegerForm) -> bool:
    """The same inequality, side by side."""
    kinds = (sp.Le, sp.Ge), (sp.Lt, sp.Gt)
    if not any(isinstance(one, kind) and isinstance(other, kind) for kind in kinds):
        return False
    pairs = ((one.lts, other.lts), (one.gts, other.gts))
    return all(is_same_value(left, right, form.letter, form.start) for left, right in pairs)


def _is_positive_product(fact: sp.Basic, form: IntegerForm) -> bool:
    """product of powers ≥ 0, every base positive."""
    if not isinstance(fact, sp.Ge | sp.Gt) or fact.rhs != 0:
        return False
    factors = product_of_powers(fact.lhs)
    return all(base > 0 if base.is_number else shown_without_z3(base, form.known, True) for base in factors)


@dataclass(frozen=True)
class Induction:
    """True at the start, and from n to n + 1 by a reading of a scalar claim. `data` is one instance."""

    reading: Reading
    data: Any
    text: str

    def decide(self, claim: Any) -> Outcome:
        form = _form(claim)
        if any(form.letter in hypothesis.free_symbols for hypothesis in form.hypotheses):
            raise EvidenceFailed(
                f"a hypothesis mentions {form.letter}: it need not hold from one to the next"
            )
        base = form.relation.subs(form.letter, form.start)
        if base != sp.true and smt.prove(form.hypotheses, base).answer is not smt.Answer.PROVED:
            raise EvidenceFailed(f"not true at the start: {base}")
        following = form.relation.subs(form.letter, form.letter + 1)
        outcomes = self.reading.conclude(form, (form.relation, *form.hypotheses), following)
        return _outcome(outcomes, f"induction from {form.letter} = {form.start}", self.reading)


@dataclass(frozen=True)
class Directly:
    """A reading of a scalar claim that is the relation itself."""

    reading: Reading
    data: Any
    text: str

    def decide(self, claim: Any) -> Outcome:
        form = _form(claim)
        outcomes = self.reading.conclude(form, form.hypotheses, form.relation)
        return _outcome(outcomes, f"for every {form.letter} of at least {form.start}", self.reading)


def _outcome(outcomes: list[Outcome], how: str, reading: Reading) -> Outcome:
    engines = tuple(e for e in outcomes[0].engines if all(e in o.engines for o in outcomes))
    letters = ", ".join(f"{letter} = {value}" for letter, value in reading.reads)
    detail = f"{how}; {reading.step.statement} with {letters}; {outcomes[0].detail}"
    certificate = "; ".join(o.certificate for o in outcomes)
    kind = f"{outcomes[0].kind}, by induction" if how.startswith("induction") else outcomes[0].kind
    return Outcome(all(o.ok for o in outcomes), engines, kind, detail, certificate=certificate)


@dataclass(frozen=True)
class Chain:
    """s_0 ≤ s_1 ≤ … ≤ s_m: the first left side and the last right side are those of the claim.

    Each right side is the next left side, and every link is decided. Links may start later than the claim:
    the integers before are evaluated one by one. `data` is one instance.
    """

    links: tuple[tuple[FiniteClaim, Method], ...]
    data: Any
    text: str

    def decide(self, claim: Any) -> Outcome:
        form, forms = _form(claim), [_form(link) for link, _ in self.links]
        if not forms:
            raise EvidenceFailed("a chain needs links")
        self._demand_tied(form, forms)
        outcomes = [method.decide(link) for link, method in self.links]
        first = max(link.start for link in forms)
        for n in range(form.start, first):
            if not claim.statement.holds({form.letter: Fraction(n)}):
                raise EvidenceFailed(f"false at {form.letter} = {n}")
        engines = tuple(e for e in outcomes[0].engines if all(e in o.engines for o in outcomes))
        shown = f"{' and '.join(link.text for link, _ in self.links)} from {form.letter} = {first} on"
        before = f"; {form.letter} = {form.start}, …, {first - 1} one by one" if first > form.start else ""
        certificate = "; ".join(o.certificate for o in outcomes)
        kind = "chain: " + " + ".join(dict.fromkeys(o.kind for o in outcomes))
        return Outcome(all(o.ok for o in outcomes), engines, kind, shown + before, certificate=certificate)

    def _demand_tied(self, form: IntegerForm, forms: list[IntegerForm]) -> None:
        relations = [form.relation, *(link.relation for link in forms)]
        if not all(isinstance(relation, sp.Le) for relation in relations):
            raise EvidenceFailed("a chain joins relations of the form left <= right")
        if form.hypotheses or any(link.hypotheses or link.letter != form.letter for link in forms):
            raise EvidenceFailed("a chain joins relations in one letter")
        ends = [form.relation.lhs, *(link.relation.rhs for link in forms)]
        starts = [*(link.relation.lhs for link in forms), form.relation.rhs]
        for end, start in zip(ends, starts, strict=True):
            if not is_same_value(end, start, form.letter, max(link.start for link in forms)):
                raise EvidenceFailed(f"the chain is not tied: {end} is not {start}")
