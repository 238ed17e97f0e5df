"""The paper's proof as a map: one column per part, one box per line, coloured by verdict, linked to its
entry.

A curve leads from a line to a line that uses it. Orange-red curves carry an error: some fault of the upper
line still stands in the lower one. Hovering over a box (or focusing it) keeps only what it rests on and what
rests on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .cards import anchor, page_of
from .palette import VERDICT_COLOUR, VERDICT_SIGN
from .words import escape

COLUMNS = (
    ("Setup", ("S", "V", "CS")),
    ("Lemma 1", ("L1",)),
    ("Lemma 2", ("L2",)),
    ("Moments", ("M",)),
    ("Thm 1", ("T1",)),
)
LONGEST = 24  # boxes in one column before it is split
WIDTH, HEIGHT, GAP_X, GAP_Y, TOP = 70, 22, 42, 9, 44


@dataclass(frozen=True)
class Box:
    id: str
    verdict: str
    title: str
    x: float
    y: float


def proof_map(entries: Sequence[dict[str, Any]], nodes: dict[str, dict[str, Any]]) -> str:
    """The SVG and the few lines of script that highlight a line's neighbourhood."""
    columns = _columns(entries)
    boxes = {box.id: box for box in _place(columns)}
    width = len(columns) * (WIDTH + GAP_X)
    height = TOP + max(len(members) for _, members in columns) * (HEIGHT + GAP_Y) + 6
    curves = [
        _curve(boxes[parent], boxes[child], _carries_fault(nodes[parent], nodes[child]))
        for child in boxes
        for parent in nodes[child]["depends"]
        if parent in boxes
    ]
    heads = [
        f'<text class="fps-head" x="{GAP_X / 2 + i * (WIDTH + GAP_X) + WIDTH / 2}" y="22" '
        f'text-anchor="middle">{escape(name)}</text>'
        for i, (name, _) in enumerate(columns)
    ]
    return (
        f'<div class="fps-scroll"><svg class="fps-map" viewBox="0 0 {width} {height}" role="img" '
        f'style="min-width:{width * 0.88:.0f}px" '
        'aria-label="Map of the proof, one box per line, coloured by verdict">'
        + "".join(heads + curves + [_draw(box) for box in boxes.values()])
        + "</svg></div>"
        + f"<script>{HIGHLIGHT}</script>"
    )


def _columns(entries: Sequence[dict[str, Any]]) -> list[tuple[str, list[dict[str, Any]]]]:
    found: list[tuple[str, list[dict[str, Any]]]] = []
    for name, families in COLUMNS:
        members = [entry for entry in entries if entry["id"].split(".")[0] in families]
        parts = -(-len(members) // LONGEST) or 1
        size = -(-len(members) // parts)
        for part in range(parts):
            label = name if parts == 1 else f"{name}, {part + 1}/{parts}"
            found.append((label, members[part * size : (part + 1) * size]))
    return found


def _place(columns: list[tuple[str, list[dict[str, Any]]]]) -> list[Box]:
    return [
        Box(
            entry["id"],
            entry["verdict"],
            entry["title"],
            GAP_X / 2 + i * (WIDTH + GAP_X),
            TOP + j * (HEIGHT + GAP_Y),
        )
        for i, (_, members) in enumerate(columns)
        for j, entry in enumerate(members)
    ]


def _carries_fault(parent: dict[str, Any], child: dict[str, Any]) -> bool:
    return bool(set(parent["faults"]) & set(child["faults"]))


def _curve(start: Box, end: Box, fault: bool) -> str:
    if start.x == end.x:  # same column: an arc on the right side, wider for longer jumps
        right, bulge = start.x + WIDTH, 8 + min(20, abs(end.y - start.y) / 14)
        path = (
            f"M{right},{start.y + HEIGHT / 2} C{right + bulge},{start.y + HEIGHT / 2} "
            f"{right + bulge},{end.y + HEIGHT / 2} {right},{end.y + HEIGHT / 2}"
        )
    else:
        forward = end.x > start.x
        x1, x2 = (start.x + WIDTH, end.x) if forward else (start.x, end.x + WIDTH)
        middle = (x1 + x2) / 2
        path = (
            f"M{x1},{start.y + HEIGHT / 2} C{middle},{start.y + HEIGHT / 2} "
            f"{middle},{end.y + HEIGHT / 2} {x2},{end.y + HEIGHT / 2}"
        )
    kind = "fps-edge fps-fault" if fault else "fps-edge"
    return f'<path class="{kind}" data-from="{start.id}" data-to="{end.id}" d="{path}"/>'


def _draw(box: Box) -> str:
    colour, sign = VERDICT_COLOUR[box.verdict], VERDICT_SIGN[box.verdict]
    return (
        f'<a href="{page_of(box.id)}#{anchor(box.id)}" class="fps-node" data-id="{box.id}" tabindex="0">'
        f"<title>{escape(f'{box.id} ({box.verdict}): {box.title}')}</title>"
        f'<rect x="{box.x}" y="{box.y}" width="{WIDTH}" height="{HEIGHT}" rx="5" '
        f'style="stroke:{colour};--fill:{colour}"/>'
        f'<text x="{box.x + 8}" y="{box.y + 15.5}">{escape(box.id)}</text>'
        f'<text class="fps-sign" x="{box.x + WIDTH - 7}" y="{box.y + 15.5}" text-anchor="end" '
        f'style="fill:{colour}">{sign}</text></a>'
    )


HIGHLIGHT = """
(() => {
  const map = document.querySelector('svg.fps-map');
  const edges = [...map.querySelectorAll('.fps-edge')], boxes = [...map.querySelectorAll('.fps-node')];
  const reach = (id, from, to) => {
    const found = new Set([id]), queue = [id];
    while (queue.length) {
      const at = queue.pop();
      for (const e of edges) if (e.dataset[from] === at && !found.has(e.dataset[to])) {
        found.add(e.dataset[to]); queue.push(e.dataset[to]);
      }
    }
    return found;
  };
  const show = id => {
    const down = reach(id, 'from', 'to'), up = reach(id, 'to', 'from');
    map.classList.add('fps-focus');
    boxes.forEach(b => b.classList.toggle('fps-on', down.has(b.dataset.id) || up.has(b.dataset.id)));
    edges.forEach(e => e.classList.toggle('fps-on',
      [down, up].some(found => found.has(e.dataset.from) && found.has(e.dataset.to))));
  };
  const clear = () => map.classList.remove('fps-focus');
  boxes.forEach(b => {
    b.addEventListener('mouseenter', () => show(b.dataset.id));
    b.addEventListener('focus', () => show(b.dataset.id));
    b.addEventListener('mouseleave', clear);
    b.addEventListener('blur', clear);
  });
})();
"""
