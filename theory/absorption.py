"""An error is absorbed by a later line only if that line still follows from the corrected form.

The line that absorbs has the wrong relation among its hypotheses, or takes it from lines that do. The machine
puts these lines together into one claim and exchanges every printed relation of an absorbed line for its
corrected form. The cover has to prove that claim, no other. And the corrected form has to be earned: it is
what an earlier line gives, or it is proved from what earlier lines give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import sympy as sp

from theory.derivations import origin, traced
from theory.entry import Correction, Entry, Step, Verdict
from theory.errors import EvidenceFailed
from theory.evidence import Role
from theory.fact import Fact
from theory.naming import is_range
from theory.sources import facts, printed_relation
from theory.statements import Claim
from theory.substance import same_relation
from theory.uses import read

Find = Callable[[str], Entry]


def faults(entry: Entry, find: Find) -> list[str]:
    """Why the error of an entry is not shown to be absorbed."""
    if not entry.absorbed_at:
        return []
    try:
        demand_absorbs(entry, find(entry.absorbed_at), find)
    except EvidenceFailed as error:
        return [f"absorbed: {error}"]
    return []


def demand_absorbs(entry: Entry, absorber: Entry, find: Find) -> None:
    """Raise unless the cover proves the absorbing line from the corrected form, which earlier lines give."""
    if absorber.verdict is Verdict.REFUTED:
        raise EvidenceFailed(f"{entry.id} is absorbed at {absorber.id}, which is refuted itself")
    if entry.correction is None:
        raise EvidenceFailed(f"{entry.id} has no corrected form as a relation")
    _demand_printed(entry, entry.correction)
    wanted = corrected_line(entry, entry.correction, absorber, find)
    covers = [item for item in entry.evidence if item.role is Role.COVER]
    for item in covers:
        _demand_same_claim(item.claim, wanted, f"{entry.id}: the cover")
    _demand_earned(entry, entry.correction, wanted, find)


def _demand_printed(entry: Entry, correction: Correction) -> None:
    """The relation that the later lines use is the one that the entry is about."""
    own = printed_relation(entry)
    if own is None:
        raise EvidenceFailed(f"{entry.id} states no relation")
    if same_relation(own.subs(dict(correction.reads), simultaneous=True), correction.printed):
        return
    if isinstance(correction.printed, sp.Le) and isinstance(own, sp.Le):
        ratio = sp.cancel(sp.together(own.rhs / correction.printed.rhs))
        if ratio == 1 or ratio.is_Symbol:
            return  # a coefficient, and the quantity that it multiplies
    raise EvidenceFailed(f"{entry.id}: {correction.printed} is not what is printed")


def corrected_line(entry: Entry, correction: Correction, absorber: Entry, find: Find) -> Claim:
    """The absorbing line, traced back to the wrong one, with corrected forms in place of printed ones."""
    chain = [*(find(name) for name in correction.through), absorber]
    claim = composed(chain)
    if not _has(claim.hypotheses, correction.printed):
        raise EvidenceFailed(f"{absorber.id} does not use what {entry.id} prints: {correction.printed}")
    before = [find(name) for line in chain for name in line.depends if name != entry.id]
    wrong = [correction, *(line.correction for line in before if line.correction is not None)]
    return exchanged(claim, wrong)


def composed(chain: Sequence[Entry]) -> Claim:
    """The last line's claim, what it takes from the line before written out, and so on to the first line."""
    *earlier, last = chain
    claim = _scalar(last)
    for before in reversed(earlier):
        step = _step(last, before)
        given = read(step, _scalar(before).statement)
        if not _has(claim.hypotheses, given):
            raise EvidenceFailed(f"{last.id} does not use {before.id}")
        back = {new: old for old, new in step.reads}
        kept = (h for h in claim.hypotheses if not same_relation(h, given))
        hypotheses = (*(h.subs(back) for h in kept), *_scalar(before).hypotheses)
        claim = Claim(tuple(dict.fromkeys(hypotheses)), claim.statement.subs(back))
        last = before
    return claim


def exchanged(claim: Claim, corrections: Iterable[Correction]) -> Claim:
    """Every printed relation among the hypotheses becomes its corrected form; = becomes ≤ if that does."""
    hypotheses, statement = claim.hypotheses, claim.statement
    for correction in corrections:
        if not _has(hypotheses, correction.printed):
            continue
        kept = tuple(h for h in hypotheses if not same_relation(h, correction.printed))
        hypotheses = (*kept, correction.right)
        weaker = isinstance(correction.printed, sp.Eq) and isinstance(correction.right, sp.Le)
        if weaker and isinstance(statement, sp.Eq):
            statement = sp.Le(*statement.args)
    return Claim(hypotheses, statement)


def _scalar(line: Entry) -> Claim:
    if not isinstance(line.claim, Claim):
        raise EvidenceFailed(f"{line.id} is no scalar claim")
    return line.claim


def _step(line: Entry, before: Entry) -> Step:
    found = [step for step in line.steps if step.line == before.id]
    if before.id not in line.depends or not found:
        raise EvidenceFailed(f"{line.id} takes nothing from {before.id}")
    return found[0]


def _has(hypotheses: Iterable[sp.Basic], wanted: sp.Basic) -> bool:
    return any(same_relation(h, wanted) for h in hypotheses)


def _demand_same_claim(claim: object, wanted: Claim, what: str) -> None:
    if not isinstance(claim, Claim) or not same_relation(claim.statement, wanted.statement):
        raise EvidenceFailed(f"{what} does not prove {wanted.statement}")
    invented = [h for h in claim.hypotheses if not _has(wanted.hypotheses, h)]
    if invented:
        raise EvidenceFailed(f"{what} assumes {invented}, which the lines do not give")


def _demand_earned(entry: Entry, correction: Correction, line: Claim, find: Find) -> None:
    """The corrected form is given by an earlier line, or proved from what earlier lines give."""
    hidden = {step.line for step in correction.steps} - set(entry.depends)
    if hidden:
        raise EvidenceFailed(f"{entry.id} uses {', '.join(sorted(hidden))} without depending on it")
    given = [fact for step in correction.steps for fact in facts(step, entry, find)]
    proofs = [item.claim for item in entry.evidence if item.role is Role.CORRECTED]
    claims = [c for c in proofs if isinstance(c, Claim) and same_relation(c.statement, correction.right)]
    if not claims and _is_given(correction.right, line, given):
        return
    if not claims:
        raise EvidenceFailed(f"{entry.id}: no proof of the corrected form {correction.right}")
    for claim in claims:
        gaps = [h for h, source in traced(claim, given, identifier=entry.id).items() if not source]
        if gaps:
            raise EvidenceFailed(f"{entry.id}: the corrected form is proved from {gaps}, which no line gives")


def _is_given(relation: sp.Basic, line: Claim, given: Sequence[Fact]) -> bool:
    """Is it what earlier lines state, whatever they ask for?"""
    ranges = Claim(tuple(h for h in line.hypotheses if is_range(h)), relation)
    try:
        return origin(relation, ranges, given, ranges.hypotheses) not in ("", "range", "constants", "name")
    except EvidenceFailed:
        return False  # what they ask for is not given here: the entry has to prove the form
