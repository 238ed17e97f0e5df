"""What a reader is shown of a derivation: its status, what it rests on, and how many are decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from theory.claim import Derivation, Judgement
from theory.derivations import Basis
from theory.stated import MEANING

NOT_DERIVED = " (starting points, cited facts, questions about a bound)"
UNTRACED = ("range", "constants", "stated", "")


def derivations(judgements: Sequence[Judgement]) -> dict[Derivation, int]:
    """How many derivations are decided right, hold under a condition, are in words, wrong, or none."""
    found = Counter(judgement.derivation for judgement in judgements)
    return {status: found[status] for status in Derivation if status is not Derivation.DERIVED}


def derivations_line(judgements: Sequence[Judgement]) -> str:
    found = derivations(judgements)
    decided = sum(found[s] for s in (Derivation.RIGHT, Derivation.CONDITIONAL, Derivation.WRONG))
    shown = ", ".join(f"{found[s]} {s}" for s in (Derivation.RIGHT, Derivation.CONDITIONAL, Derivation.WRONG))
    return (
        f"derivations: {decided} decided by evidence ({shown}), {found[Derivation.WORDS]} in words, "
        f"{found[Derivation.NONE]} not derived{NOT_DERIVED if found[Derivation.NONE] else ''}"
    )


def derivation_text(judgement: Judgement) -> str:
    """The status with what it rests on."""
    basis = judgement.basis
    traced = [f"{o.hypothesis} from {o.source}" for o in basis.origins if o.source not in UNTRACED]
    declared = [f"{name} is {words}" for name, words in declared_by(basis).items()]
    used = f"uses {', '.join(basis.used)}" if basis.used else ""
    parts = [basis.why, "; ".join(traced), used, "; ".join(declared)]
    shown = ". ".join(part for part in parts if part)
    return f"{basis.status}{': ' if shown else ''}{shown}"


def declared_by(basis: Basis) -> dict[str, str]:
    """Facts behind the hypotheses that no line of the ledger proves, in words."""
    return {o.source: MEANING[o.source] for o in basis.origins if o.source in MEANING}


def basis_json(basis: Basis) -> dict[str, Any]:
    origins = [{"hypothesis": o.hypothesis, "from": o.source or None} for o in basis.origins]
    told = {"declared": declared_by(basis), "why": basis.why or None}
    return {"hypotheses": origins, "uses": list(basis.used), **told}
