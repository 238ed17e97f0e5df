"""What a reader is shown of a derivation: its status, what it rests on, and how many are decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from theory.claim import Derivation, Judgement
from theory.derivations import Basis
from theory.said_in_words import SAID, said
from theory.same_letters import SAME
from theory.stated import MEANING
from theory.symbols import in_paper_letters

NOT_DERIVED = " (starting points, cited facts, questions about a bound)"
DECIDED = (Derivation.RIGHT, Derivation.CONDITIONAL, Derivation.WRONG)
UNTRACED = ("range", "constants", "stated", "")


def derivations(judgements: Sequence[Judgement]) -> dict[Derivation, int]:
    """How many derivations are decided right, hold under a condition, are in words, wrong, or none."""
    found = Counter(judgement.derivation for judgement in judgements)
    return {status: found[status] for status in Derivation if status is not Derivation.DERIVED}


def derivations_line(judgements: Sequence[Judgement]) -> str:
    found = derivations(judgements)
    decided = sum(found[s] for s in DECIDED)
    shown = ", ".join(f"{found[s]} {s}" for s in DECIDED)
    told = sum(j.derivation in DECIDED and j.entry.id in SAID for j in judgements)
    return (
        f"derivations: {decided} decided by evidence ({shown}), {found[Derivation.WORDS]} in words, "
        f"{found[Derivation.NONE]} not derived{NOT_DERIVED if found[Derivation.NONE] else ''}\n"
        f"of those decided, {told} say in words what a letter of an earlier line is called: see `claim ID`"
    )


def in_words(identifier: str) -> dict[str, list[str]]:
    """What a line reads as something else, without that a machine sees that it is the same."""
    return {
        line: [f"{in_paper_letters(old)} is {in_paper_letters(new)}" for old, new in said(identifier, line)]
        for line in SAID.get(identifier, {})
    }


def same_letters(identifier: str) -> dict[str, list[str]]:
    """Letters that stand for the same thing in a line and in one that it reads."""
    return {line: letters.split() for line, letters in SAME.get(identifier, {}).items()}


def by_line(found: dict[str, list[str]]) -> str:
    return "; ".join(f"{line}: {', '.join(words)}" for line, words in found.items())


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
