"""What a verdict is."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from empirical.statistics.intervals import Interval

HOLDS, FAILS, CANNOT_TELL = "holds", "fails", "cannot tell"


@dataclass(frozen=True)
class Verdict:
    name: str
    demands: str
    measured: str
    verdict: str
    why: str

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def show(interval: Interval, digits: int = 3) -> str:
    if interval.low == interval.high:
        exact = " (exact)" if interval.method.startswith("exact") else ""
        return f"{interval.estimate:.{digits}g}{exact}"
    high = "no upper limit" if interval.is_open else f"{interval.high:.{digits}g}"
    return f"{interval.estimate:.{digits}g} [{interval.low:.{digits}g}, {high}]"
