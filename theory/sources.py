"""What an earlier line or an assumption states, read in the letters of a later line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import sympy as sp

from theory import smt
from theory.defined_letters import demand_counts, demand_declared, demand_read_along
from theory.definitions import DEFINITIONS, demand_defines
from theory.entry import Entry, Step, Verdict
from theory.errors import EvidenceFailed
from theory.inductions import demand_induction
from theory.integers import IntegerForm
from theory.naming import CONSTANTS, is_range
from theory.stated import STATED
from theory.statements import Claim, FiniteClaim, parts
from theory.symbols import QUANTITIES

DECLARED = tuple(q.nonnegative for q in QUANTITIES if q.symbol in CONSTANTS and q.nonnegative != sp.true)


@dataclass(frozen=True)
class Fact:
    """A relation, the line that states it, what that line asks for, and what earlier lines gave to it.

    What is asked for must hold where both lines share its letters, or where it speaks of constants of the
    theory only; what the line states as its own condition (`stated`) must hold always. What earlier lines
    gave to it (`known`) they gave under its own conditions (`asked`, `stated`), so these are shown without
    it; only what it received may be shown from it. Definitions (`defined`) hold under no condition.
    """

    line: str
    relation: sp.Basic
    asked: tuple[sp.Basic, ...] = ()
    refused: str = ""
    received: tuple[sp.Basic, ...] = ()
    known: tuple[sp.Basic, ...] = ()
    defined: tuple[sp.Basic, ...] = ()
    stated: tuple[sp.Basic, ...] = ()

    def demand_applies(self, claim: Claim, shown: Sequence[sp.Basic]) -> str:
        """The line's id, if what it asks of constants and of shared letters holds in the claim.

        `shown` are the hypotheses that are accounted for without the one that is traced: nothing is shown
        from itself, nor from what is shown from it.
        """
        if self.refused:
            raise EvidenceFailed(f"{self.line} is {self.refused}")
        letters = set(claim.symbols)
        own = [h for h in self.asked if h.free_symbols <= letters | CONSTANTS]
        received = [h for h in self.received if _is_about(h, letters)]
        given = (*DECLARED, *shown, *self.defined)
        self._demand((*own, *self.stated), given)
        self._demand(received, (*given, *self.known))
        return self.line

    def _demand(self, wanted: Iterable[sp.Basic], given: tuple[sp.Basic, ...]) -> None:
        for hypothesis in wanted:
            if hypothesis != sp.true and smt.prove(given, hypothesis, smt.QUICK).answer != smt.Answer.PROVED:
                raise EvidenceFailed(f"{self.line} asks for {hypothesis}, which is not given here")


def _is_about(hypothesis: sp.Basic, letters: set[sp.Symbol]) -> bool:
    return hypothesis.free_symbols <= letters or hypothesis.free_symbols <= CONSTANTS


def facts(step: Step, entry: Entry, find: Callable[[str], Entry]) -> list[Fact]:
    """The relations that a step offers."""
    if step.line in STATED:
        if step.line in DEFINITIONS and isinstance(entry.claim, Claim):
            demand_defines(step, entry.claim)
            demand_declared(step)
        return [Fact(step.line, read(step, part)) for form in STATED[step.line] for part in parts(form)]
    demand_counts(step)
    source = entry if step.line == entry.id else find(step.line)
    if source.correction is not None:  # as printed: whether the error is absorbed is told elsewhere
        return [Fact(step.line, read(step, source.correction.printed))]
    claim = _scalar(source)
    if claim is None:
        return []
    if step.line == entry.id:
        demand_induction(step, claim)
    else:
        demand_read_along(step, source, find)
    if step.summed:
        _demand_linear(step, claim.statement)
    return [_fact(step, source, part, step.line == entry.id, find) for part in parts(claim.statement)]


def _fact(step: Step, source: Entry, part: sp.Basic, itself: bool, find: Callable[[str], Entry]) -> Fact:
    conditions, received = _conditions(source)
    return Fact(
        step.line,
        read(step, part),
        asked=_asked(step, conditions),
        refused="" if itself else _refused(source),
        received=_asked(step, received),
        known=() if step.summed else tuple(read(step, h) for h in _given_to(source, find)),
        defined=() if step.summed else tuple(read(step, h) for h in _defined_for(source)),
        stated=tuple(read(step, h) for h in source.stated),
    )


def _conditions(source: Entry) -> tuple[list[sp.Basic], list[sp.Basic]]:
    """What the line itself asks for, and the hypotheses that earlier lines gave to it."""
    claim = _scalar(source)
    hypotheses = claim.hypotheses if claim is not None else ()
    own = [h for h in hypotheses if h in source.stated or is_range(h) or h.free_symbols <= CONSTANTS]
    condition = [source.condition] if isinstance(source.condition, sp.Basic) else []
    return own + condition, [h for h in hypotheses if h not in own]


def _asked(step: Step, hypotheses: Sequence[sp.Basic]) -> tuple[sp.Basic, ...]:
    return tuple(found for h in hypotheses if not _of_the_line(found := read(step, h)))


def _given_to(source: Entry, find: Callable[[str], Entry]) -> list[sp.Basic]:
    """What earlier lines give to the source: it holds wherever the source is read, so nobody asks for it."""
    lines = [(step, _scalar(find(step.line))) for step in source.steps if step.line not in STATED]
    return [read(step, part) for step, claim in lines if claim for part in parts(claim.statement)]


def _defined_for(source: Entry) -> list[sp.Basic]:
    return [read(step, form) for step in source.steps for form in DEFINITIONS.get(step.line, ())]


def _of_the_line(hypothesis: sp.Basic) -> bool:
    """The sign of a letter that a letter of the earlier line is read as: it is the same quantity.

    Where that letter is read as an expression the sign is asked for like any other condition.
    """
    sign = is_range(hypothesis) and isinstance(hypothesis, sp.Ge | sp.Gt) and hypothesis.rhs == 0
    return sign and not hypothesis.free_symbols <= CONSTANTS


def gives_nothing(source: Entry) -> str:
    """Why no relation can be taken from a line; nothing where one can."""
    if refused := _refused(source):
        return "" if source.correction is not None else refused
    return "" if _scalar(source) is not None else "no scalar relation"


def _refused(source: Entry) -> str:
    if source.verdict in (Verdict.REFUTED, Verdict.ABSORBED):
        return f"{source.verdict}: nothing follows from it"
    return "proved for an instance only" if source.scope and source.verdict is not Verdict.CITED else ""


def printed_relation(source: Entry) -> sp.Basic | None:
    """The relation that an entry decides: its statement, or what its test on numbers evaluates."""
    if isinstance(source.claim, Claim):
        return source.claim.statement
    return getattr(source.claim.statement.holds, "relation", None)


def _scalar(source: Entry) -> Claim | None:
    claim = source.claim
    if isinstance(claim, FiniteClaim):
        form = claim.form
        if not isinstance(form, IntegerForm):
            return None
        return Claim((form.letter > form.start - 1, *form.hypotheses), form.relation)
    return claim


def read(step: Step, relation: sp.Basic) -> sp.Basic:
    """The relation in the letters of the later line."""
    return relation.subs(dict(step.reads), simultaneous=True)


def _demand_linear(step: Step, statement: sp.Basic) -> None:
    """A relation of one coordinate holds for sums over coordinates if it is linear in what is summed."""
    sums = {old: sp.Dummy() for old, new in step.reads if not new.free_symbols <= CONSTANTS}
    for relation in parts(statement):
        slack = (relation.lhs - relation.rhs).subs(sums, simultaneous=True)
        left = {s for old in sums for s in old.free_symbols} - CONSTANTS
        polynomial = sp.Poly(slack, *sums.values())
        if set(map(sum, polynomial.monoms())) != {1} or slack.free_symbols & left:
            raise EvidenceFailed(f"{step.line}: not linear in what is summed")
