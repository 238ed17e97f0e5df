"""What an earlier line or an assumption states, read in the letters of a later line."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from theory.assumed_readings import demand_assumed
from theory.defined_letters import demand_counts, demand_declared, demand_read_along
from theory.definitions import DEFINITIONS, demand_defines
from theory.entry import Entry, Step, Verdict
from theory.errors import EvidenceFailed
from theory.fact import Fact, apart
from theory.inductions import demand_induction
from theory.integers import IntegerForm
from theory.letter_kinds import kinds
from theory.letter_names import names
from theory.moved_letters import demand_said, is_open
from theory.naming import CONSTANTS, is_name, is_range
from theory.stated import STATED
from theory.statements import Claim, FiniteClaim, parts
from theory.substance import same_relation
from theory.uses import asked, compounds, conditions, names_as_read, read, summed_letters
from theory.well_formed import demand_of_the_line, demand_well_formed

Find = Callable[[str], Entry]


def facts(step: Step, entry: Entry, find: Find) -> list[Fact]:
    """The relations that a step offers."""
    demand_well_formed(step, entry)
    if step.line in STATED:
        if step.line in DEFINITIONS and isinstance(entry.claim, Claim):
            demand_defines(step, entry.claim)
            demand_declared(step, entry.id)
        if step.line not in DEFINITIONS:
            demand_assumed(step, entry.id)
        given = [read(step, part) for form in STATED[step.line] for part in parts(form)]
        return [Fact(step.line, part, bound=frozenset(part.free_symbols - CONSTANTS)) for part in given]
    demand_counts(step)
    source = entry if step.line == entry.id else find(step.line)
    if source.correction is not None:  # as printed: whether the error is absorbed is told elsewhere
        if entry.id not in (source.absorbed_at, *source.correction.through):
            raise EvidenceFailed(f"{step.line} is wrong, and {entry.id} is not on the way to what absorbs it")
        if step.reads:
            raise EvidenceFailed(f"{step.line} is wrong: what absorbs it has its letters")
        return [Fact(step.line, source.correction.printed)]
    claim = scalar(source)
    if claim is None:
        return []
    demand_of_the_line(step, claim)
    demand_said(step, entry.id, summed_letters(step, claim.statement) if step.summed else ())
    _demand_whole(step, source)
    if step.line == entry.id:
        demand_induction(step, claim, begun(entry, claim, find), _conditions(entry))
    else:
        demand_read_along(step, source, find)
    if read(step, claim.statement) == sp.false:
        raise EvidenceFailed(f"{step.line} is false as it is read")
    return [_fact(step, source, claim, part, entry, find) for part in parts(claim.statement)]


def _conditions(entry: Entry) -> tuple[sp.Basic, ...]:
    """What a line states, and the condition under which alone it holds."""
    return (*entry.stated, *((entry.condition,) if isinstance(entry.condition, sp.Basic) else ()))


def begun(entry: Entry, claim: Claim, find: Find) -> list[sp.Basic]:
    """What earlier lines say of the start of an induction, if what they ask for holds there."""
    found = [fact for step in entry.steps if step.start for fact in facts(step, entry, find)]
    ranges = [h for h in claim.hypotheses if is_range(h)]
    for fact in found:
        fact.demand_applies(claim, ranges)
    return [apart(fact, i, claim) for i, fact in enumerate(found)]


def _demand_whole(step: Step, source: Entry) -> None:
    """What is proved for whole numbers is read for the same letter: another one may be any number."""
    form = source.claim.form if isinstance(source.claim, FiniteClaim) else None
    if isinstance(form, IntegerForm) and read(step, form.letter) != form.letter:
        raise EvidenceFailed(f"{step.line} holds for whole {form.letter} only")


def _fact(step: Step, source: Entry, claim: Claim, part: sp.Basic, entry: Entry, find: Find) -> Fact:
    stated = _names(source, claim, find)
    earlier = _given_to(source, find)
    received = [h for h in conditions(source, claim, earlier)[1] if h not in stated]
    named, called, renamed = names_as_read(step, source, claim, stated)
    summed = summed_letters(step, claim.statement) if step.summed else set()
    return Fact(
        step.line,
        read(step, part),
        user=entry.id,
        letters=frozenset(s for _, new in step.reads for s in new.free_symbols),
        refused="" if source.id == entry.id else _refused(source),
        asked=asked(step, source, claim, earlier, entry.id),
        instances=tuple(read(step, h) for h in (*received, *renamed) if is_open(step, entry, h, summed)),
        compounds=compounds(step, source, claim, entry.id),
        defined=tuple(read(step, h) for h in _defined_for(source)) if not step.summed else (),
        named=tuple(named),
        called=tuple(called),
        renamed=tuple(read(step, name) for name in renamed),
        bound=_bound(step, source, claim, received, stated),
        kinds=tuple(kind for kind in kinds(source.id, claim.symbols) if read(step, kind) == kind),
    )


def _names(source: Entry, claim: Claim, find: Find) -> list[sp.Basic]:
    """Hypotheses that name a letter; those that an earlier line gives are none."""
    given = _given_to(source, find)
    named = (h for h in claim.hypotheses if is_name(h, claim))
    return [h for h in named if not any(same_relation(h, earlier) for earlier in given)]


def _bound(
    step: Step, source: Entry, claim: Claim, received: list[sp.Basic], stated: list[sp.Basic]
) -> frozenset[sp.Symbol]:
    """Letters of the later line that stand for something of which the line has a name or got a relation."""
    named = {s for h in (*stated, *names(source.id).values()) for s in h.lhs.free_symbols}
    fixed = {s for h in received for s in h.free_symbols} | named & set(claim.symbols)
    if isinstance(source.claim, FiniteClaim) and isinstance(source.claim.form, IntegerForm):
        fixed |= {source.claim.form.letter}
    if step.line == source.id and step.base:
        fixed |= claim.statement.free_symbols  # what an induction is about
    moved = [new for old, new in step.reads if old.free_symbols & fixed or not (old.is_Symbol or step.base)]
    kept = fixed - {old for old, _ in step.reads}
    return frozenset(kept.union(*(new.free_symbols for new in moved)) - CONSTANTS)


def _given_to(source: Entry, find: Find) -> list[sp.Basic]:
    """What earlier lines give to the source: it holds wherever the source is read, so nobody asks for it."""
    steps = [step for step in source.steps if step.line not in STATED and not step.start]
    lines = [(step, scalar(find(step.line))) for step in steps]
    return [read(step, part) for step, claim in lines if claim for part in parts(claim.statement)]


def _defined_for(source: Entry) -> list[sp.Basic]:
    return [read(step, form) for step in source.steps for form in DEFINITIONS.get(step.line, ())]


def gives_nothing(source: Entry) -> str:
    """Why no relation can be taken from a line; nothing where one can."""
    if refused := _refused(source):
        return "" if source.correction is not None else refused
    return "" if scalar(source) is not None else "no scalar relation"


def _refused(source: Entry) -> str:
    if source.verdict in (Verdict.REFUTED, Verdict.ABSORBED):
        return f"{source.verdict}: nothing follows from it"
    return "proved for an instance only" if source.scope and source.verdict is not Verdict.CITED else ""


def printed_relation(source: Entry) -> sp.Basic | None:
    """The relation that an entry decides: its statement, or what its test on numbers evaluates."""
    if isinstance(source.claim, Claim):
        return source.claim.statement
    return getattr(source.claim.statement.holds, "relation", None)


def scalar(source: Entry) -> Claim | None:
    claim = source.claim
    if isinstance(claim, FiniteClaim):
        form = claim.form
        if not isinstance(form, IntegerForm):
            return None
        return Claim((form.letter > form.start - 1, *form.hypotheses), form.relation)
    return claim
