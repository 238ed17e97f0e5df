"""A point or an instance that satisfies the hypotheses: contradictory hypotheses prove anything."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from theory import recheck, smt
from theory.entry import Entry
from theory.errors import EvidenceFailed
from theory.statements import Claim, FiniteClaim, exact_point
from theory.trees import to_tree


def show_satisfiable(entry: Entry) -> tuple[str, list[str]]:
    """Points at which the hypotheses of all claims of the entry hold; contradictory ones prove anything."""
    try:
        own = (
            _finite_model(entry)
            if isinstance(entry.claim, FiniteClaim)
            else _scalar_model(entry.claim, entry)
        )
        for item in entry.evidence:
            claim = entry.claim_for(item)
            if isinstance(claim, Claim) and claim.hypotheses != entry.claim.hypotheses:
                _scalar_model(claim, entry)
    except (EvidenceFailed, ZeroDivisionError) as error:
        return "", [f"hypotheses: {error}"]
    return own, []


def _scalar_model(claim: Claim, entry: Entry) -> str:
    """A rational point that satisfies the hypotheses, replayed exactly."""
    point = _given_model(claim, entry) or _found_model(claim)
    if not all(recheck.holds(to_tree(hypothesis), point) for hypothesis in claim.hypotheses):
        raise EvidenceFailed("the model fails its replay")
    return ", ".join(f"{name} = {value}" for name, value in sorted(point.items())) or "no symbols"


def _given_model(claim: Claim, entry: Entry) -> Mapping[str, Fraction] | None:
    """The entry's own point, where it speaks about this claim."""
    given, names = exact_point(entry.model), _names(claim)
    if not given or not names <= set(given):
        return None
    fits = all(recheck.holds(to_tree(hypothesis), given) for hypothesis in claim.hypotheses)
    return given if fits else None


def _found_model(claim: Claim) -> Mapping[str, Fraction]:
    found = smt.model(claim.hypotheses)
    if found is None:
        raise EvidenceFailed("no point satisfies them")
    return {name: found.get(name, Fraction(0)) for name in _names(claim)}


def _names(claim: Claim) -> set[str]:
    return {symbol.name for hypothesis in claim.hypotheses for symbol in hypothesis.free_symbols}


def _finite_model(entry: Entry) -> str:
    """The instances that the evidence names satisfy hypotheses and condition: they are the models."""
    shown = []
    for item in entry.evidence:
        instance = getattr(item.method, "data", None)
        if item.claim is not None or instance is None:
            continue
        if not all(test.holds(instance) for test in entry.claim_for(item).hypotheses):
            raise EvidenceFailed(f"the instance of the {item.role} violates them")
        shown.append(getattr(item.method, "text", "") or f"the instance {instance}"[:80])
    if not shown:
        raise EvidenceFailed("no instance satisfies them")
    return shown[0]
