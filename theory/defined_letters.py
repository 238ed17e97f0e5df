"""What every defined letter of the ledger is defined from, in one place.

A definition such as `part1 ≤ most` holds for a maximum and those that it is taken over. Were each line free
to say what is a maximum of what, one line could say it both ways and get `one = two`. So `READERS` says it
once for all lines: an entry reads a definition as declared or not at all, also where it comes with an earlier
line that used it. A letter has one definition, and none is defined from itself, however long the way round.

`COUNTS` says of which indicator a letter is the number: ORDER says `n_up ≥ h` of the rows that reach the
upper middle one, so n_up goes on by that indicator and by no other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import sympy as sp

from theory.definitions import DEFINED, DEFINITIONS
from theory.entry import Entry, Step
from theory.errors import EvidenceFailed
from theory.naming import definition, is_letter
from theory.stated import STATED
from theory.statements import Claim
from theory.steps import given
from theory.symbols import real

READERS: tuple[tuple[str, Step], ...] = (  # the lines that read it so, and how
    ("RA.T2", given("MIN")),
    ("T1.25", given("MIN", "f1: fT, f_star: fs")),
    ("RS.a0", given("TOPK")),
    ("RF.7a", given("TOPK", "out1**2: level")),  # the largest square left out is left out
    ("RF.7b", given("MAX", "part1: out1**2, most: level")),
    ("RS.a4k", given("MAX", "part1: err1**2, most: eta**2")),
    ("RS.d1b RS.d1c", given("MAX", "part1: hits, most: theta")),
    ("RS.d1t RF.4t", given("MAX", "part1: signed, most: size1")),
    ("RA.T6m", given("LEAST", "part1: mixed, least: m_low")),
    ("RA.T6 RA.R1", given("LEAST", "part1: at_0, least: m0")),
    ("RS.c5m RS.c5 RS.c6h RS.d1", given("ORDER")),
    ("RS.c5i RS.c6i RS.d1i", given("REACHES", "ind: above, amount: row - high")),
    ("RS.c5i", given("IND", "ind: over, amount: row - level")),
    ("RS.d1u", given("IND", "ind: free, amount: 1 - bad")),
    ("RS.c5e", given("IND", "ind: beyond, amount: m - level")),
    ("RS.c5e", given("IND", "ind: enough, amount: n_over - h + 1")),
    ("L2", given("START", "drift: D")),
    ("RA.T4", given("NU")),
    ("", given("NU", "noise2: z2")),  # these two through RA.T4 only
    ("", given("NU", "noise2: z_len**2")),
    ("RC2.1", given("WEIGHTS")),
    ("RS.d1i", given("CLEAN")),
    ("RS.c2", given("WITHIN", "inside: both, outside: outer")),
)
DECLARED = tuple(step for _, step in READERS)
COUNTS = dict(zip(real("n_up n_over"), real("above over"), strict=True))  # how many, and of what
CHOSEN = DEFINED | {"TOPK": real("in1")}  # what is kept is chosen by comparison with what is left out
SEVERAL = ("MIN", "MAX", "LEAST", "TOPK", "NU")  # they may be taken over several things
Edges = dict[sp.Symbol, set[sp.Symbol]]


def relations(step: Step) -> tuple[sp.Basic, ...]:
    """What a definition says in the letters of a step."""
    return tuple(form.subs(dict(step.reads), simultaneous=True) for form in DEFINITIONS[step.line])


def demand_declared(step: Step, identifier: str = "") -> None:
    """A definition is read as declared, by the lines that are named; what comes with a line, by any."""
    alike = [lines.split() for lines, known in READERS if known.line == step.line and _says(known, step)]
    if not any(not identifier or identifier in lines for lines in alike):
        said = ", ".join(map(str, relations(step)))
        raise EvidenceFailed(f"{step.line} is not declared to say {said} in {identifier or 'any line'}")


def _says(known: Step, step: Step) -> bool:
    return relations(known) == relations(step)


def demand_counts(step: Step) -> None:
    """A letter that counts goes on by the indicator that it counts, and nothing else is read as it."""
    for old, new in step.reads:
        for count in COUNTS.keys() & new.free_symbols:
            if new != count or old not in (count, count + COUNTS[count]):
                raise EvidenceFailed(f"{step.line}: {count} counts {COUNTS[count]}, {old} is not {new}")
        if old in {*COUNTS, *COUNTS.values()} and new != old:
            raise EvidenceFailed(f"{step.line}: {old} is not read as {new}")


def demand_read_along(step: Step, source: Entry, find: Callable[[str], Entry]) -> None:
    """What an earlier line takes from definitions stays declared in the letters of the later line.

    Sums over coordinates have no such definition: `summed` reads nothing of it. An expression of letters that
    a definition speaks of may get a name; read as another expression it would turn the definition round.
    """
    if step.summed:
        return
    for used in definitions_below(source, find):
        demand_declared(through(step, used))
        spoken = set().union(*(form.free_symbols for form in relations(used)))
        for old, new in step.reads:
            if not (old.is_Symbol or is_letter(new)) and old.free_symbols & spoken:
                raise EvidenceFailed(f"{step.line}: {used.line} speaks of {old}, and {new} is no name for it")


def definitions_below(entry: Entry, find: Callable[[str], Entry]) -> Iterator[Step]:
    """The definitions that a line rests on, in its own letters."""
    for step in entry.steps:
        if step.line in DEFINITIONS:
            yield step
        elif step.line not in (entry.id, *STATED) and not step.summed:
            yield from (through(step, used) for used in definitions_below(find(step.line), find))


def through(step: Step, used: Step) -> Step:
    """The definition in the letters of the step: its own letters first, then those of the reading."""
    own = {s: s for form in DEFINITIONS[used.line] for s in form.free_symbols}
    first = own | dict(used.reads)
    return Step(
        used.line, tuple((old, new.subs(dict(step.reads), simultaneous=True)) for old, new in first.items())
    )


def demand_well_founded(steps: Sequence[Step], claim: Claim | None = None) -> None:
    """Each letter has one definition, and none comes back when definitions and equations are followed."""
    edges: Edges = {}
    known: dict[sp.Symbol, Step] = {}
    for step in (s for s in steps if s.line in DEFINITIONS):
        for letter, members in _defined(step):
            other = known.setdefault(letter, step)
            if other.line != step.line or (step.line not in SEVERAL and relations(other) != relations(step)):
                raise EvidenceFailed(f"{letter} is defined twice: {other.line} and {step.line}")
            edges.setdefault(letter, set()).update(members)
    for found in filter(None, map(definition, claim.hypotheses if claim else ())):
        edges.setdefault(found[0], set()).update(found[1].free_symbols)
    for letter in known:
        if letter in _reached(letter, edges):
            raise EvidenceFailed(f"{letter} is defined from itself")


def _defined(step: Step) -> Iterator[tuple[sp.Symbol, set[sp.Symbol]]]:
    """Letters that a step defines, each with the letters that it is defined from."""
    reads = {s: s for form in DEFINITIONS[step.line] for s in form.free_symbols} | dict(step.reads)
    chosen = CHOSEN[step.line]
    own = {s for old in chosen for s in reads[old].free_symbols}
    spoken = set().union(*(form.free_symbols for form in relations(step)))
    for letter in own:
        yield letter, spoken - own


def _reached(letter: sp.Symbol, edges: Edges) -> set[sp.Symbol]:
    reached: set[sp.Symbol] = set()
    frontier = {letter}
    while frontier:
        found = set().union(*(edges.get(s, set()) for s in frontier))
        frontier = found - reached
        reached |= found
    return reached
