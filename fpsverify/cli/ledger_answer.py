"""What `fpsverify verify` says first: is the main result true, what stands, who checked it, what next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from theory.ledger.graph import Node
    from theory.ledger.judge import Judgement
    from theory.ledger.paper import Paper


def answer(paper: Paper, judgements: Sequence[Judgement], nodes: Mapping[str, Node]) -> list[str]:
    """At most six lines, as far as the entries that were checked allow."""
    from theory.ledger.report import kernel_line

    failed = [j.entry.id for j in judgements if not j.ok]
    checked = f"Evidence: {len(judgements) - len(failed)} of {len(judgements)} entries check out"
    if failed:
        return [f"{checked}. FAILED: {', '.join(failed[:8])}{' …' if failed[8:] else ''}"]
    whole = [_theorem(paper, judgements, nodes), _printed(judgements), _stands(paper, judgements, nodes)]
    return [
        *(line for line in whole if line),
        *([f"Coq: {kernel_line()}."] if any(map(_by_kernel, judgements)) else []),
        f"{checked}.",
        f"Next: fpsverify claim {paper.main[0]} (why), {paper.calculator or '--report FILE'}, or --detail.",
    ]


def _by_kernel(judgement: Judgement) -> bool:
    from theory.provers.kernel import KernelChecked

    return any(isinstance(item.method, KernelChecked) for item in judgement.entry.evidence)


def _theorem(paper: Paper, judgements: Sequence[Judgement], nodes: Mapping[str, Node]) -> str:
    from theory.ledger.cards import condition_text
    from theory.ledger.entry import Kind, Verdict
    from theory.ledger.printer import in_signs

    identifier, name = paper.main
    entry = next((j.entry for j in judgements if j.entry.id == identifier), None)
    runs = [j for j in judgements if j.entry.kind is Kind.RUN and not j.entry.scope]
    if entry is None:
        return ""
    if entry.verdict is Verdict.VALID:
        better = next((j.entry for j in judgements if j.entry.id == paper.better), None)
        asked = {j.entry.id: condition_text(j.entry) for j in judgements}
        needs = ", ".join(f"{asked[one]} ({one})" for one in nodes[identifier].conditions if asked.get(one))
        true = f"{name} as printed is true" + (f" under {needs}" if needs else "")
        return true + (f", and improvable: {in_signs(better.title)}." if better else ".")
    if entry.verdict is not Verdict.REFUTED:
        return f"{name} as printed: {entry.verdict}."
    shown = f": its bound fails in {len(runs)} runs it covers (d = 1)" if runs else ""
    return f"{name} as printed is false{shown}."


def _printed(judgements: Sequence[Judgement]) -> str:
    from theory.ledger.entry import Kind, Verdict
    from theory.ledger.report import counts

    found = counts(j.entry for j in judgements).get(Kind.PRINTED)
    if not found:
        return ""
    words = ", ".join(f"{found[verdict]} {verdict}" for verdict in Verdict if found[verdict])
    return f"  Printed lines: {words}."


def _stands(paper: Paper, judgements: Sequence[Judgement], nodes: Mapping[str, Node]) -> str:
    from theory.ledger.cards import condition_text
    from theory.ledger.entry import Kind

    repaired = sum(j.entry.kind is Kind.REPAIRED for j in judgements)
    asked = {j.entry.id: condition_text(j.entry) for j in judgements}
    lemmas = []
    for key, (name, *scope) in paper.lemmas.items():
        if key in nodes and nodes[key].status != "falls":
            needs = ", ".join([*scope, *(asked[one] for one in nodes[key].conditions if asked.get(one))])
            lemmas.append(f"{name} ({needs})" if needs else name)
    parts = [*lemmas, *([f"{repaired} results of the repaired theory"] if repaired else [])]
    return (
        f"  What stands: {', '.join(parts[:-1])}{' and ' if parts[1:] else ''}{parts[-1]}." if parts else ""
    )
