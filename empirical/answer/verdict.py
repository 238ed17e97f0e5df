"""What a verdict is, and which numbers rest on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from empirical.statistics.intervals import Interval
from fpsverify.report.page import estimate_of, lower_end, upper_end

HOLDS, FAILS, CANNOT_TELL = "holds", "fails", "cannot tell"


WIDE = 10.0  # an upper end so many times what was seen decides nothing
PAPER, REPAIRED, BOTH, BOUND = "paper", "repaired", "both", "bound"


@dataclass(frozen=True)
class Verdict:
    """`serves`: whose learning rates need the assumption (the bound needs those of the repaired theory too);
    `constants`: those that mean nothing if it fails; `condition`: what theorems call it.
    """

    name: str
    demands: str
    measured: str
    verdict: str
    why: str
    serves: str = BOTH
    constants: tuple[str, ...] = ()
    condition: str = ""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


SHOWN = {HOLDS: True, FAILS: False, CANNOT_TELL: None}


def shown(verdicts: Iterable[Verdict]) -> dict[str, bool | None]:
    """What a run shows of the conditions of theorems."""
    return {v.condition: SHOWN[v.verdict] for v in verdicts if v.condition}


Marks = dict[str, list[str]]


def marks(verdicts: Iterable[Verdict]) -> Marks:
    """The names of the assumptions that fail and of those that are undecided."""
    of = lambda outcome: [v.name for v in verdicts if v.verdict == outcome]  # noqa: E731
    return {"fails": of(FAILS), "undecided": of(CANNOT_TELL)}


def of_constant(verdicts: Sequence[Verdict], name: str) -> Marks:
    return marks([v for v in verdicts if name in v.constants])


def of_theory(verdicts: Sequence[Verdict], *served: str) -> Marks:
    return marks([v for v in verdicts if v.serves in (BOTH, *served)])


def show(interval: Interval) -> str:
    """A constant with its interval, as in the tables."""
    estimate = estimate_of(interval.as_json())
    if interval.low == interval.high:
        return f"{estimate}{' (exact)' if interval.method.startswith('exact') else ''}"
    high = "no upper limit" if interval.is_open else upper_end(interval.high)
    return f"{estimate} [{lower_end(interval.low)}, {high}]"
