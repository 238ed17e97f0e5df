"""Find entries by words: their place, their title, and what they state."""

from __future__ import annotations

from collections.abc import Sequence

from theory.ledger.entry import Entry
from theory.ledger.printer import from_latex


def search(words: str, entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries that contain the phrase, in place or title first; else those that contain every word."""
    phrase = " ".join(words.lower().split())
    first = [e for e in entries if phrase in _head(e)]
    if phrase_hits := [*first, *(e for e in entries if e not in first and phrase in _body(e))]:
        return tuple(phrase_hits)
    wanted = phrase.split()
    return tuple(e for e in entries if all(word in f"{_head(e)} {_body(e)}" for word in wanted))


def _head(entry: Entry) -> str:
    return f"{entry.id} {entry.place} {entry.title}".lower()


def _body(entry: Entry) -> str:
    return f"{from_latex(entry.printed)} {entry.claim.text} {entry.scope} {entry.note}".lower()
