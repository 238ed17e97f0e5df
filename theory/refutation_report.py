"""The runs that break Theorem 1, for a reader: which hold with every assumption as printed, which do not."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from theory.claim import Entry, Judgement

WIDTH = 104
AS_PRINTED = "every stated assumption holds as printed"


def assumptions_text(entry: Entry) -> str:
    """What a run meets, empty for an entry that is no run."""
    if not entry.reading:
        return ""
    return entry.qualification or f"{AS_PRINTED}, no qualification"


def refutations_text(judgements: Sequence[Judgement]) -> str:
    """The runs as printed, then one line for each that needs a qualification (its first sentence)."""
    runs = [judgement.entry for judgement in judgements if judgement.entry.reading]
    plain = ", ".join(entry.id for entry in runs if not entry.qualification)
    count = sum(not entry.qualification for entry in runs)
    words = f"{count} with every stated assumption as printed: {plain}"
    lines = (
        textwrap.wrap(words, WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
        if plain
        else []
    )
    qualified = [entry for entry in runs if entry.qualification]
    lines += ["  with a qualification (in full: fpsverify claim ID):"] if qualified else []
    lines += [f"    {e.id}: {e.qualification.split('. ')[0]}" for e in qualified]
    return "\n".join(lines)


def refutations_json(judgements: Sequence[Judgement]) -> list[dict[str, Any]]:
    """One object per run: is every assumption met as printed, and in which reading?"""
    return [
        {
            "id": judgement.entry.id,
            "ok": judgement.ok,
            "as_printed": not judgement.entry.qualification,
            "reading": judgement.entry.reading,
            "qualification": judgement.entry.qualification or None,
            "run": judgement.findings[0].outcome.detail,
        }
        for judgement in judgements
        if judgement.entry.reading
    ]
