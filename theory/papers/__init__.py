"""The papers of this project, one package each: `theory.papers.NAME.paper` defines `PAPER`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from theory.errors import InvalidParameter

if TYPE_CHECKING:  # formulas need the letters of a paper, and none of its provers
    from theory.ledger.paper import Paper


def names() -> tuple[str, ...]:
    """The packages of this folder."""
    return tuple(sorted(path.parent.name for path in Path(__file__).parent.glob("*/paper.py")))


def paper(name: str) -> Paper:
    """One of them by name.

    >>> paper("fps").main
    ('T1', 'Theorem 1')
    """
    from theory.ledger.paper import load

    if name not in names():
        raise InvalidParameter("paper", name, f"one of {', '.join(names())}, or --paper FILE.py")
    return load(f"{__name__}.{name}.paper")
