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
    """Two groups, one line for each run as printed, more where a qualification has to be said."""
    runs = [judgement for judgement in judgements if judgement.entry.reading]
    plain = [j for j in runs if not j.entry.qualification]
    lines = [f"  {len(plain)} with every stated assumption as printed:"] if plain else []
    lines += [f"    {j.entry.id}" for j in plain]
    for j in (j for j in runs if j.entry.qualification):
        lines += ["  with a qualification:"] if "  with a qualification:" not in lines else []
        words = f"{j.entry.id}. {j.entry.qualification}"
        lines += textwrap.wrap(words, WIDTH, initial_indent="    ", subsequent_indent="      ")
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
