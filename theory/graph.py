"""Which lines stand on which: what survives of a lemma or theorem, what falls, and through which step.

A line that is refuted or absorbed is a fault. Faults flow to every line that depends on it, until the line
that absorbs it (`absorbed_at`). Conditions flow the same way and are never discharged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from theory.claim import Entry, Verdict
from theory.errors import EvidenceFailed

MILESTONES = {
    "L1": "Lemma 1 (residual of the sketch)",
    "L2": "Lemma 2 (drift), for one model",
    "M.10": "second moment of the gradient",
    "T1.6": "step 1: descent inequality",
    "T1.15": "step 2: coefficient of the gradient",
    "T1.21": "the range gives rho > 0 (algebra on rho alone)",
    "T1.22d": "the corrected range gives corrected rho >= 1/4 (algebra on rho alone)",
    "T1.25": "average over the rounds",
    "T1.32": "coefficient of b^2 in its last line",
    "T1.33": "coefficient of sigma^2 in its last line",
    "T1.35": "those two coefficients, recomputed from the corrected lines",
    "T1": "Theorem 1 as stated",
}


@dataclass(frozen=True)
class Node:
    """An entry with everything that reaches it."""

    id: str
    verdict: Verdict
    depends: tuple[str, ...]
    faults: tuple[str, ...]
    conditions: tuple[str, ...]
    citations: tuple[str, ...]
    healed: tuple[str, ...]

    @property
    def status(self) -> str:
        """`stands`, `stands under conditions`, or `falls`."""
        if self.faults:
            return "falls"
        return "stands under conditions" if self.conditions else "stands"


def build(entries: Sequence[Entry]) -> Mapping[str, Node]:
    """Propagate faults and conditions along the dependencies."""
    known = {entry.id: entry for entry in entries}
    nodes: dict[str, Node] = {}
    for identifier in _order(entries):
        nodes[identifier] = _node(known[identifier], nodes, known)
    return {entry.id: nodes[entry.id] for entry in entries}


def _order(entries: Sequence[Entry]) -> Iterable[str]:
    try:
        return list(TopologicalSorter({entry.id: entry.depends for entry in entries}).static_order())
    except CycleError as error:
        raise EvidenceFailed(f"circular proof: {' -> '.join(error.args[1])}") from error


def _node(entry: Entry, nodes: Mapping[str, Node], known: Mapping[str, Entry]) -> Node:
    parents = [nodes[name] for name in entry.depends]
    inherited = _union(parent.faults for parent in parents)
    healed = tuple(f for f in inherited if known[f].absorbed_at == entry.id)
    own = (entry.id,) if entry.verdict in (Verdict.REFUTED, Verdict.ABSORBED) else ()
    return Node(
        id=entry.id,
        verdict=entry.verdict,
        depends=entry.depends,
        faults=_union([own, tuple(f for f in inherited if f not in healed)]),
        conditions=_union(
            [(entry.id,) if entry.verdict is Verdict.CONDITIONAL else (), *(p.conditions for p in parents)]
        ),
        citations=_union(
            [(entry.id,) if entry.verdict is Verdict.CITED else (), *(p.citations for p in parents)]
        ),
        healed=healed,
    )


def _union(groups: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for group in groups for item in group))


def path(nodes: Mapping[str, Node], start: str, goal: str) -> tuple[str, ...]:
    """A shortest chain of lines from a fault to the line it brings down; empty when there is none."""
    children: dict[str, list[str]] = {}
    for node in nodes.values():
        for parent in node.depends:
            children.setdefault(parent, []).append(node.id)
    frontier: list[tuple[str, ...]] = [(start,)]
    seen = {start}
    while frontier:
        chain = frontier.pop(0)
        if chain[-1] == goal:
            return chain
        for child in children.get(chain[-1], []):
            if child not in seen and start in nodes[child].faults:
                seen.add(child)
                frontier.append((*chain, child))
    return ()


def text(nodes: Mapping[str, Node]) -> str:
    """The milestones of the paper's proof, each with its status and the lines it falls through."""
    lines = []
    for name, label in MILESTONES.items():
        if name in nodes:
            lines += [f"  {name:<8}{nodes[name].status:<25}{label}", *_reasons(nodes[name])]
    return "\n".join(lines)


def _reasons(node: Node) -> list[str]:
    others = tuple(name for name in node.faults if name != node.id)
    shown = (("falls through", others), ("conditions", node.conditions))
    return [f"          {label}: {', '.join(names)}" for label, names in shown if names]


def as_json(nodes: Mapping[str, Node]) -> list[dict[str, object]]:
    """Plain data, one object per entry."""
    return [
        {
            "id": node.id,
            "status": node.status,
            "depends": list(node.depends),
            "faults": list(node.faults),
            "conditions": list(node.conditions),
            "citations": list(node.citations),
            "healed": list(node.healed),
        }
        for node in nodes.values()
    ]
