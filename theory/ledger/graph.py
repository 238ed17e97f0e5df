"""Which lines stand on which: what survives of a lemma or theorem, what falls, and through which step.

A line that is refuted or absorbed is a fault. Faults flow to every line that depends on it, until the line
that absorbs it. Conditions flow the same way and are never discharged.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from theory.errors import EvidenceFailed
from theory.ledger.entry import Entry, Verdict


@dataclass(frozen=True)
class Node:
    """An entry with everything that reaches it."""

    id: str
    title: str
    verdict: Verdict
    depends: tuple[str, ...]
    faults: tuple[str, ...]
    conditions: tuple[str, ...]

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
    for identifier in _order(known):
        nodes[identifier] = _node(known[identifier], nodes, known)
    return {entry.id: nodes[entry.id] for entry in entries}


def lines_under(entry: Entry, known: Mapping[str, Entry]) -> set[str]:
    """The ids of all entries that an entry rests on."""
    seen: set[str] = set()
    waiting = [*lines(entry, known)]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += lines(known[name], known)
    return seen


def lines(entry: Entry, known: Mapping[str, Entry]) -> tuple[str, ...]:
    """The entries that an entry depends on; what is no entry is an assumption."""
    return tuple(name for name in entry.depends if name in known)


def _order(known: Mapping[str, Entry]) -> Iterable[str]:
    try:
        return list(TopologicalSorter({e.id: lines(e, known) for e in known.values()}).static_order())
    except CycleError as error:
        raise EvidenceFailed(f"circular proof: {' -> '.join(error.args[1])}") from error


def _node(entry: Entry, nodes: Mapping[str, Node], known: Mapping[str, Entry]) -> Node:
    parents = [nodes[name] for name in lines(entry, known)]
    inherited = _union(parent.faults for parent in parents)
    carried = tuple(f for f in inherited if known[f].absorbed_at != entry.id)
    own, depending = (entry.id,), entry.verdict is Verdict.CONDITIONAL
    wrong = entry.verdict in (Verdict.REFUTED, Verdict.ABSORBED)
    return Node(
        id=entry.id,
        title=entry.title,
        verdict=entry.verdict,
        depends=lines(entry, known),
        faults=_union([own if wrong else (), carried]),
        conditions=_union([own if depending else (), *(parent.conditions for parent in parents)]),
    )


def _union(groups: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for group in groups for item in group))


def text(nodes: Mapping[str, Node], milestones: Sequence[str]) -> str:
    """The milestones of a proof, each with its status and the lines it falls through."""
    shown = [nodes[name] for name in milestones if name in nodes]
    return "\n".join(line for n in shown for line in (f"  {n.id:<8}{n.status:<25}{n.title}", *_reasons(n)))


def _reasons(node: Node) -> list[str]:
    others = tuple(name for name in node.faults if name != node.id)
    shown = (("falls through", others), ("conditions", node.conditions))
    return [f"          {label}: {', '.join(names)}" for label, names in shown if names]


def as_json(nodes: Mapping[str, Node]) -> list[dict[str, object]]:
    """Plain data, one object per entry."""
    names = ("depends", "faults", "conditions")
    return [
        {"id": node.id, "status": node.status, **{name: list(getattr(node, name)) for name in names}}
        for node in nodes.values()
    ]
