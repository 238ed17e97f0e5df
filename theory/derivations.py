"""Is a line derived rightly from the lines before it? Decided here, never asserted.

A line follows rightly if its statement is proved from its hypotheses and each hypothesis is accounted for:

| origin        | what a machine checks                                                                    |
|---------------|------------------------------------------------------------------------------------------|
| `range`       | a lower limit of one letter, or one letter against 1, or a constant against a number      |
| `constants`   | a relation between constants of the theory only: a condition that the line states        |
| `name`        | a fresh letter for an expression, or for the root of one                                 |
| `stated`      | the line itself states it, as in `h ≤ H ⇒ …`; whoever uses the line has to show it       |
| an earlier id | what that line (or assumption) states, read as `theory.readings` says, gives it;         |
|               | several ids where only all of them together do; `A or B` if it gives B where A fails     |
| its own id    | induction: its own statement one step before, and that statement holds at the start      |

and, where lines are named that it depends on, one of them is used: a hypothesis comes from it or from an
assumption, or an expression of it comes back. Otherwise the derivation is given `in words` only, and the
column says so. What a letter stands for (`reduction`), and that an expression of an earlier line is what a
letter is called here (`theory.readings`), is always said in words: a machine checks what follows from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import sympy as sp

from theory import smt
from theory.defined_letters import demand_well_founded
from theory.entry import Derivation, Entry, Step, Verdict
from theory.errors import EvidenceFailed
from theory.fact import Fact, apart, of_the_value
from theory.letter_kinds import kinds
from theory.letter_names import names
from theory.naming import CONSTANTS, is_name, is_range
from theory.shared_expressions import tied
from theory.showing import DECLARED, shows
from theory.sources import facts, gives_nothing
from theory.stated import STATED
from theory.statements import Claim
from theory.substance import same_relation
from theory.symbols import in_paper_letters
from theory.well_formed import demand_real

Find = Callable[[str], Entry]
TOGETHER = ", "  # lines that give a hypothesis only jointly
GIVEN = frozenset(STATED)
UNTRACED = ("range", "constants", "name")
IMPLIES = (r"\Rightarrow", r"\iff")


@dataclass(frozen=True)
class Origin:
    """Where a hypothesis comes from; an empty source is a gap."""

    hypothesis: str
    source: str


@dataclass(frozen=True)
class Basis:
    """What the derivation of a line rests on."""

    status: Derivation
    origins: tuple[Origin, ...] = ()
    used: tuple[str, ...] = ()
    why: str = ""


def decide(entry: Entry, proved: bool, find: Find) -> Basis:
    """The status of a line's derivation, `proved` telling whether its proof checked out."""
    if entry.derivation is not Derivation.DERIVED:
        return Basis(entry.derivation, why=_not_derived(entry))
    if not proved:
        return Basis(Derivation.WORDS, why="the statement is not proved")
    if entry.scope:
        return Basis(Derivation.WORDS, why=f"decided in part: {entry.scope}")
    if not isinstance(entry.claim, Claim):
        return Basis(Derivation.WORDS, why="the statement is no relation between numbers")
    return _of_scalar(entry, entry.claim, find)


def _not_derived(entry: Entry) -> str:
    """Why a line that follows from no other one stands in the ledger."""
    if entry.derivation is not Derivation.NONE:
        return ""
    if entry.verdict is Verdict.CITED:
        return "taken from the literature"
    if entry.depends:
        return f"a question about {', '.join(entry.depends)}, not a step of a proof"
    return "a starting point: an assumption, a definition, or a fact decided on its own"


def _of_scalar(entry: Entry, claim: Claim, find: Find) -> Basis:
    demand_real((*claim.hypotheses, claim.statement))
    _demand_quotients(claim, entry.id)
    given = tuple(fact for step in entry.steps if not step.start for fact in facts(step, entry, find))
    demand_well_founded(entry.steps, claim)
    _demand_stated(entry, claim)
    sources = traced(claim, given, entry.stated, entry.id)
    origins = tuple(Origin(_text(h), sources[h]) for h in claim.hypotheses)
    used = _used(entry, claim, origins, find)
    _demand_steps_used(entry, used)
    gaps = [o.hypothesis for o in origins if not o.source]
    if gaps:
        why = f"not traced to an earlier line: {'; '.join(gaps)}{_mute(entry, find)}"
        return Basis(Derivation.WORDS, origins, used, why)
    if entry.depends and not used:
        why = f"not tied to {', '.join(entry.depends)}{_mute(entry, find)}"
        return Basis(Derivation.WORDS, origins, used, why)
    right = Derivation.CONDITIONAL if entry.verdict is Verdict.CONDITIONAL else Derivation.RIGHT
    return Basis(right, origins, used)


def _demand_quotients(claim: Claim, identifier: str) -> None:
    """A hypothesis with a quotient says that it is one: its denominator is not 0 by the others."""
    plain = [h for h in claim.hypotheses if not smt.denominators(h)]
    known = (*DECLARED, *kinds(identifier, claim.symbols), *plain)
    for hypothesis in claim.hypotheses:
        for denominator in smt.denominators(hypothesis):
            if not shows(known, sp.Ne(denominator, 0)):
                raise EvidenceFailed(f"{hypothesis}: {denominator} is not shown to be nonzero")


def _mute(entry: Entry, find: Find) -> str:
    """The lines that it depends on and from which no machine takes a relation, with the reason."""
    found = [f"{name} is {reason}" for name in entry.depends if (reason := gives_nothing(find(name)))]
    return f" ({'; '.join(found)})" if found else ""


def _demand_stated(entry: Entry, claim: Claim) -> None:
    """Only an implication states a hypothesis."""
    printed = any(sign in entry.printed for sign in IMPLIES)
    if entry.stated and (not printed or any(h not in claim.hypotheses for h in entry.stated)):
        raise EvidenceFailed(f"{entry.id} does not state {', '.join(map(str, entry.stated))}")


def _text(hypothesis: sp.Basic) -> str:
    return str(in_paper_letters(hypothesis))


def _is_free_range(hypothesis: sp.Basic, given: Sequence[Fact]) -> bool:
    """A range that no line gives: what one gives is shown only after that line."""
    return is_range(hypothesis) and not any(same_relation(hypothesis, fact.relation) for fact in given)


def own_names(
    claim: Claim, given: Sequence[Fact], identifier: str = "", stated: Sequence[sp.Basic] = ()
) -> list[sp.Basic]:
    """Hypotheses that name a letter: as its part declares it, or a letter that no earlier line has bound."""
    called = names(identifier)
    found = []
    received = [h for h in claim.hypotheses if any(same_relation(h, fact.relation) for fact in given)]
    for hypothesis in (h for h in claim.hypotheses if is_name(h, claim) and h not in received):
        (letter,) = hypothesis.lhs.free_symbols
        if letter in called and not _follows(hypothesis, called, letter):
            raise EvidenceFailed(f"{called[letter]} in this part, not {hypothesis}")
        if letter in called:
            found.append(hypothesis)
        elif all(fact.may_be_called(hypothesis) for fact in given):
            others = [h for h in claim.hypotheses if h in (*stated, *found) or _is_free_range(h, given)]
            _demand_of_its_kind(hypothesis, letter, others, identifier)
            found.append(hypothesis)
    return found


def _demand_of_its_kind(
    name: sp.Basic, letter: sp.Symbol, others: Sequence[sp.Basic], identifier: str
) -> None:
    """What is called a size is shown to be none below 0: a kind is no way to get a sign for nothing."""
    own = [h for h in others if letter not in h.free_symbols]
    letters = name.free_symbols.union(*(h.free_symbols for h in own)) - {letter}
    known = (*DECLARED, *kinds(identifier, letters), *own)
    is_root = (letter >= 0,) if name.lhs != letter else ()
    for kind in (*is_root, *kinds(identifier, (letter,))):
        for wanted in of_the_value(kind, name):
            if not shows(known, wanted):
                raise EvidenceFailed(f"{letter} is called {name.rhs}, and {wanted} is not shown")


def _follows(name: sp.Basic, called: Mapping[sp.Symbol, sp.Basic], letter: sp.Symbol) -> bool:
    """Is it the declared name, or the same number by the names of its part?"""
    return same_relation(name, called[letter]) or shows((*DECLARED, *called.values()), name)


def traced(
    claim: Claim, given: Sequence[Fact], stated: Sequence[sp.Basic] = (), identifier: str = ""
) -> dict[sp.Basic, str]:
    """The origin of each hypothesis, found in an order in which none needs one that comes later.

    What a line asks for may be shown from hypotheses that are accounted for already. Two hypotheses of which
    each is given by a line that asks for the other one have no such order.
    """
    if sp.false in claim.hypotheses:
        raise EvidenceFailed("a hypothesis that is false by its form proves everything")
    found = {h: "stated" for h in claim.hypotheses if h in stated}
    named = own_names(claim, given, identifier, stated)
    shown = [h for h in claim.hypotheses if h in stated or h in named or _is_free_range(h, given)]
    left = [h for h in claim.hypotheses if h not in found]
    while left:
        refusals: dict[sp.Basic, EvidenceFailed] = {}
        for hypothesis in left:
            others = [h for h in shown if h != hypothesis]
            try:
                found[hypothesis] = origin(hypothesis, claim, given, others, named)
            except EvidenceFailed as refusal:
                refusals[hypothesis] = refusal
                continue
            shown.append(hypothesis)
        if len(refusals) == len(left):
            raise refusals[left[0]]
        left = list(refusals)
    return found


def origin(
    hypothesis: sp.Basic,
    claim: Claim,
    given: Sequence[Fact],
    shown: Sequence[sp.Basic],
    named: Sequence[sp.Basic] = (),
) -> str:
    """`range`, `constants`, `name`, the id of an earlier line, or nothing."""
    for fact in given:
        if same_relation(fact.relation, hypothesis):
            return fact.demand_applies(claim, shown)
    if is_range(hypothesis):
        return "range"
    if hypothesis.free_symbols <= CONSTANTS:
        return "constants"
    if hypothesis in named:
        return "name"
    if isinstance(hypothesis, sp.Or):
        return _of_a_case(hypothesis, claim, given, shown, named)
    own = tuple(h for h in claim.hypotheses if is_range(h) or h in named)
    for facts_used in (*((fact,) for fact in given), tuple(given)):
        known = (*own, *(apart(fact, i, claim) for i, fact in enumerate(facts_used)))
        if facts_used and smt.prove(known, hypothesis, smt.QUICK).answer is smt.Answer.PROVED:
            return TOGETHER.join(dict.fromkeys(fact.demand_applies(claim, shown) for fact in facts_used))
    return ""


def _of_a_case(
    either: sp.Or,
    claim: Claim,
    given: Sequence[Fact],
    shown: Sequence[sp.Basic],
    named: Sequence[sp.Basic],
) -> str:
    """A or B, where a line gives B from what holds if A fails."""
    for part in either.args:
        failing = tuple(sp.Not(case) for case in either.args if case != part)
        own = Claim((*(h for h in claim.hypotheses if h != either), *failing), claim.statement)
        source = origin(part, own, given, (*shown, *failing), named)
        if source not in ("", *UNTRACED):
            return source
    return ""


def _used(entry: Entry, claim: Claim, origins: tuple[Origin, ...], find: Find) -> tuple[str, ...]:
    """The lines and assumptions that the claim is tied to."""
    supplied = {name for o in origins for name in o.source.split(TOGETHER)}
    own = tuple(name for name in (*sorted(GIVEN), entry.id) if name in supplied)
    steps = {name: [s for s in entry.steps if s.line == name] or [Step(name)] for name in entry.depends}
    lines = (n for n in entry.depends if n in supplied or tied(claim, find(n).claim, steps[n]))
    return (*own, *lines)


def _demand_steps_used(entry: Entry, used: tuple[str, ...]) -> None:
    """A step that gives nothing would be a decoration."""
    idle = [step.line for step in entry.steps if step.line not in used and not step.start]
    opened = any(old == value for step in entry.steps for old, value in step.base)
    idle += [step.line for step in entry.steps if step.start and not opened]
    if idle:
        raise EvidenceFailed(f"what is read from {', '.join(idle)} is not used")
