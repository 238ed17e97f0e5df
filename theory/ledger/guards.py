"""What evidence that checks out may still hide. Each guard returns the faults that it finds.

Contradictory hypotheses prove anything. A hypothesis that divides by zero hides a case. A statement may be
true by its form. A condition may be the claim in other letters. A cover may lead to another line. One
engine may decide where two could.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy as sp

from theory.errors import EvidenceFailed
from theory.ledger.entry import Entry, Kind, Verdict
from theory.ledger.evidence import Evidence, Finding, Role
from theory.ledger.graph import lines_under
from theory.ledger.statements import AnyClaim, Claim, FiniteClaim, Stated, conjuncts, exact_point
from theory.provers import recheck, smt
from theory.provers.decided import has_sign, inserted, nonzero
from theory.provers.identity import definitions
from theory.provers.kernel import KERNEL
from theory.provers.replay import AtPoint, OnInstance
from theory.provers.roots import Roots, has_root
from theory.provers.trees import to_tree

Known = Mapping[str, Entry]
Relational = sp.core.relational.Relational

# ---------------------------------------------------------------- square roots


def without_roots(entry: Entry) -> tuple[Entry, Roots]:
    """The entry with each square root as a letter of its own; what stands under a root is shown >= 0."""
    claims = [claim for claim in entry.claims if isinstance(claim, Claim)]
    relations = [r for claim in claims for r in (*claim.hypotheses, claim.statement)]
    roots = Roots.of([*relations, *(item.condition for item in entry.evidence if item.condition is not None)])
    if not roots.found:
        return entry, roots
    for claim in claims:
        known = [h for h in claim.hypotheses if not has_root(h)]
        for root in roots.found:
            used = any(
                root.solved in r.free_symbols and has_root(r) for r in (*claim.hypotheses, claim.statement)
            )
            if used and not has_sign(root.radicand, known, strictly=False):
                raise EvidenceFailed(f"what stands under √({root.radicand}) is not shown to be >= 0")
    plain = replace(entry, claim=_cleared(entry.claim, roots), evidence=roots.cleared(entry.evidence))
    evidence = tuple(replace(item, claim=_cleared(item.claim, roots, False)) for item in plain.evidence)
    return replace(plain, evidence=evidence), roots


def _cleared(claim: AnyClaim | None, roots: Roots, clear: bool = True) -> Any:
    """A claim without roots, the signs of their letters among its hypotheses."""
    if not isinstance(claim, Claim):
        return claim
    plain = roots.cleared(claim) if clear else claim
    return replace(plain, hypotheses=(*roots.hypotheses, *plain.hypotheses))


# ---------------------------------------------------------------- hypotheses that can be met


def show_satisfiable(entry: Entry) -> tuple[str, list[str]]:
    """A point or an instance that satisfies the hypotheses, for all claims of the entry."""
    try:
        own = _model(entry.claim, entry)
        for item in entry.evidence:
            claim = entry.claim_for(item)
            if isinstance(claim, Claim) and claim.hypotheses != entry.claim.hypotheses:
                _scalar_model(claim)
    except (EvidenceFailed, ZeroDivisionError) as error:
        return "", [f"hypotheses: {error}"]
    return own, []


def _model(claim: AnyClaim, entry: Entry) -> str:
    if isinstance(claim, Stated):
        return ""  # Coq shows that its assumptions can be met
    if isinstance(claim, FiniteClaim):  # its counterexample, which meets them, or the replay fails
        return "; ".join(item.method.text for item in entry.evidence if isinstance(item.method, OnInstance))
    try:
        return _scalar_model(claim)
    except EvidenceFailed:
        if given := _given_model(claim, entry):
            return given
        raise


def _given_model(claim: Claim, entry: Entry) -> str:
    """A point that the entry's evidence brings; z3 may know none that is rational."""
    brought = [item.method.point for item in entry.evidence if isinstance(item.method, AtPoint)]
    for point in map(exact_point, brought):
        letters = {symbol.name for h in claim.hypotheses for symbol in h.free_symbols}
        if letters <= point.keys() and all(recheck.holds(to_tree(h), point) for h in claim.hypotheses):
            return ", ".join(f"{claim.letter(name)} = {point[name]}" for name in sorted(letters))
    return ""


def _scalar_model(claim: Claim) -> str:
    """A rational point that satisfies the hypotheses, replayed exactly; z3 need not find defined letters."""
    given = definitions(claim.hypotheses)
    point = smt.model([inserted(hypothesis, given) for hypothesis in claim.hypotheses])
    if point is None:
        raise EvidenceFailed("no point satisfies them")
    names = {symbol.name for h in claim.hypotheses for symbol in h.free_symbols}
    full = {name: point.get(name, Fraction(0)) for name in names}
    for symbol, value in reversed(given):
        full[symbol.name] = recheck.evaluate(to_tree(value), full)
    if not all(recheck.holds(to_tree(hypothesis), full) for hypothesis in claim.hypotheses):
        raise EvidenceFailed("the model fails its replay")
    return ", ".join(f"{claim.letter(name)} = {value}" for name, value in sorted(full.items()))


# ---------------------------------------------------------------- denominators of hypotheses


def hidden_zeros(entry: Entry) -> list[str]:
    """Denominators of hypotheses that no hypothesis keeps from being zero."""
    found: dict[sp.Expr, None] = {}
    for item in entry.evidence:
        if item.role is Role.NECESSARY:
            continue  # it starts from the statement, which holds only where it is defined
        try:
            claim = entry.claim_for(item)
        except EvidenceFailed:
            continue  # reported where the evidence runs
        if isinstance(claim, Claim):
            found |= dict.fromkeys(vanishing_in(claim.hypotheses))
    return [f"a hypothesis divides by {d}, which no hypothesis keeps from being zero" for d in found]


def vanishing_in(hypotheses: tuple[sp.Basic, ...]) -> tuple[sp.Expr, ...]:
    """Denominators that may be zero. A hypothesis counts once its own denominators cannot vanish."""
    known = tuple(h for h in hypotheses if not smt.denominators(h))
    waiting = [h for h in hypotheses if smt.denominators(h)]
    while ready := [h for h in waiting if all(nonzero(d, known, smt.QUICK) for d in smt.denominators(h))]:
        known = (*known, *ready)
        waiting = [h for h in waiting if h not in ready]
    return tuple(d for h in waiting for d in smt.denominators(h) if not nonzero(d, known, smt.QUICK))


# ---------------------------------------------------------------- statements that say something


def empty(claim: AnyClaim) -> list[str]:
    """Is the statement true by its form, or one of the hypotheses again?"""
    if isinstance(claim, Stated):
        return []
    if isinstance(claim, FiniteClaim):
        assumed = [test.holds for test in claim.hypotheses]
        return ["the statement is one of the hypotheses"] if claim.statement.holds in assumed else []
    parts = conjuncts(claim.statement)
    if any(part in (sp.true, sp.false) or _same_sides(part) for part in parts):
        return ["the statement is true or false by its form"]
    assumed_relations = [h for h in claim.hypotheses if not _is_sign(h)]
    if all(any(same_relation(part, h) for h in assumed_relations) for part in parts):
        return ["the statement is one of the hypotheses"]
    return []


def _same_sides(relation: sp.Basic) -> bool:
    return isinstance(relation, Relational) and relation.lhs == relation.rhs


def _is_sign(hypothesis: sp.Basic) -> bool:
    """letter ≥ 0: then 2 letter ≤ 3 letter compares numbers, it does not repeat the hypothesis."""
    return len(hypothesis.free_symbols) == 1 and isinstance(hypothesis, sp.Ge | sp.Gt) and hypothesis.rhs == 0


def same_relation(one: sp.Basic, other: sp.Basic) -> bool:
    """The same equation or inequality up to a positive constant factor and to order."""
    if one == other:
        return True
    kinds = ((sp.Le, sp.Ge), (sp.Lt, sp.Gt), (sp.Eq,))
    if not any(isinstance(one, kind) and isinstance(other, kind) for kind in kinds):
        return False
    left, right = _slack(one), _slack(other)
    if left.free_symbols != right.free_symbols or right == 0:
        return False
    ratio = sp.cancel(sp.together(left / right))
    return bool(ratio.is_number and (ratio != 0 if isinstance(one, sp.Eq) else ratio > 0))


def _slack(relation: sp.Basic) -> sp.Expr:
    return relation.lhs - relation.rhs if isinstance(relation, sp.Eq) else relation.gts - relation.lts


# ---------------------------------------------------------------- conditions, covers


def condition_is_the_claim(entry: Entry) -> list[str]:
    """A condition that is equivalent to the claim has to say so, by a proof that it is necessary."""
    if any(item.role is Role.NECESSARY for item in entry.evidence):
        return []
    if not isinstance(entry.claim, Claim) or entry.condition is None:
        return []
    assumed = (*entry.claim.hypotheses, entry.claim.statement)
    if smt.prove(assumed, entry.condition, smt.QUICK).answer is smt.Answer.PROVED:
        return ["the condition is equivalent to the claim: show that it is necessary"]
    return []


def wrong_covers(entry: Entry, known: Known) -> list[str]:
    """A cover that does not reach its line."""
    covers = [item for item in entry.evidence if item.role is Role.COVER]
    return [f"cover: {fault}" for item in covers for fault in _cover_faults(entry, item, known)]


def _cover_faults(entry: Entry, item: Evidence, known: Known) -> list[str]:
    """The line is not refuted, rests on the entry, and has the bound that the cover reaches."""
    later, claim = known[item.line], item.claim
    if not isinstance(claim, Claim) or not isinstance(later.claim, Claim):
        return ["it is one scalar implication"]
    checks = (
        (later.verdict is not Verdict.REFUTED, f"{later.id} is refuted itself"),
        (entry.id in lines_under(later, known), f"{later.id} does not rest on {entry.id}"),
        (_bound(claim) == _bound(later.claim), f"it does not reach the bound of {later.id}"),
        (_uses_correction(entry, claim), "it does not assume the corrected form that is proved"),
    )
    return [fault for met, fault in checks if not met]


def _bound(claim: Claim) -> sp.Expr | None:
    return claim.statement.rhs if isinstance(claim.statement, Relational) else None


def _uses_correction(entry: Entry, claim: Claim) -> bool:
    proved = [item.claim for item in entry.evidence if item.role is Role.CORRECTED]
    statements = [found.statement for found in proved if isinstance(found, Claim)]
    return all(any(same_relation(s, h) for h in claim.hypotheses) for s in statements)


# ---------------------------------------------------------------- engines


def engines_that_decided(finding: Finding) -> set[str]:
    """A citation has none."""
    return set(finding.outcome.engines) - {"none"}


def one_engine(findings: Sequence[Finding]) -> list[str]:
    """Steps that one engine decides although two could. Coq's kernel needs no second one."""
    own = [f for f in findings if f.outcome.ok and f.role.about_the_entry and f.role is not Role.CITATION]
    others = [f for f in own if KERNEL not in f.outcome.engines]
    return [f"only one engine decides: {f.role}" for f in others if len(engines_that_decided(f)) < 2]


def wrong_severity(entry: Entry) -> list[str]:
    """Exactly the wrong lines and steps of the paper have a severity."""
    wrong = entry.verdict not in (Verdict.VALID, Verdict.CITED)
    if (entry.severity is not None) != (wrong and entry.kind in (Kind.PRINTED, Kind.SILENT)):
        return ["a severity belongs to a line or step of the paper that is not valid as it stands"]
    return []


def undefined_letters(entry: Entry) -> list[str]:
    """Letters of the claims that neither the paper's list nor the entry defines."""
    unknown = sorted(entry.symbols - set(entry.letters) - entry.paper_letters.by_code.keys())
    return [f"letters without a meaning: {', '.join(unknown)}"] if unknown else []


def inside_the_condition(entry: Entry, item: Evidence) -> bool:
    """Does a counterexample to a conditional line satisfy its condition? Then it breaks nothing."""
    point, condition = getattr(item.method, "point", {}), entry.condition
    return condition is not None and recheck.holds(to_tree(condition), exact_point(point))
