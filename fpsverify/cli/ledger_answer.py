"""What `fpsverify verify` says first: is Theorem 1 true, what stands, who checked it, what to do next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from theory.ledger.graph import Node
    from theory.ledger.judge import Judgement

# Lemma 2 is false for a device's own gradient (L2.24); at E = 1 its proof divides by 0, and nothing drifts.
LEMMAS = {"L1": ("Lemma 1", ()), "L2": ("Lemma 2", ("one model, E > 1",))}


def answer(judgements: Sequence[Judgement], nodes: Mapping[str, Node]) -> list[str]:
    """At most six lines, as far as the entries that were checked allow."""
    from theory.ledger.report import kernel_line

    failed = [j.entry.id for j in judgements if not j.ok]
    checked = f"Evidence: {len(judgements) - len(failed)} of {len(judgements)} entries check out"
    if failed:
        return [f"{checked}. FAILED: {', '.join(failed[:8])}{' …' if failed[8:] else ''}"]
    whole = [_theorem(judgements), _printed(judgements), _stands(judgements, nodes)]
    return [
        *(line for line in whole if line),
        f"Coq: {kernel_line()}.",
        f"{checked}.",
        "Next: fpsverify claim T1 (why), fpsverify lr (certified rates), or --detail.",
    ]


def _theorem(judgements: Sequence[Judgement]) -> str:
    from theory.ledger.entry import Verdict

    entry = next((j.entry for j in judgements if j.entry.id == "T1"), None)
    runs = [j for j in judgements if j.entry.id.startswith("R.") and not j.entry.scope]
    if entry is None:
        return ""
    if entry.verdict is not Verdict.REFUTED:
        return f"Theorem 1 as printed: {entry.verdict}."
    shown = f": its bound fails in {len(runs)} runs it covers (d = 1)" if runs else ""
    return f"Theorem 1 as printed is false{shown}."


def _printed(judgements: Sequence[Judgement]) -> str:
    from theory.ledger.entry import Kind, Verdict
    from theory.ledger.report import counts

    found = counts(j.entry for j in judgements).get(Kind.PRINTED)
    if not found:
        return ""
    words = ", ".join(f"{found[verdict]} {verdict}" for verdict in Verdict if found[verdict])
    return f"  Printed lines: {words}."


def _stands(judgements: Sequence[Judgement], nodes: Mapping[str, Node]) -> str:
    from theory.ledger.cards import condition_text
    from theory.ledger.entry import Kind

    repaired = sum(j.entry.kind is Kind.REPAIRED for j in judgements)
    asked = {j.entry.id: condition_text(j.entry) for j in judgements}
    lemmas = []
    for key, (name, scope) in LEMMAS.items():
        if key in nodes and nodes[key].status != "falls":
            needs = ", ".join([*scope, *(asked[one] for one in nodes[key].conditions if asked.get(one))])
            lemmas.append(f"{name} ({needs})" if needs else name)
    parts = [*lemmas, *([f"{repaired} results of the repaired theory"] if repaired else [])]
    return f"  What stands: {' and '.join(parts)}." if parts else ""
