"""What algorithms reach with as many numbers sent: fresh hashes, with memory or without, FPS, no sketch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from empirical.advice.advice import Advice, Rival
from empirical.advice.case import Case
from empirical.advice.pilots import Say, tail
from fpsverify import config as configs
from fpsverify.config import RunConfig
from fpsverify.errors import BadInput

MEMORY = 0.8  # of what was lost: the best in most tuned runs
ROWS = 5  # of FPS's sketch
FEWEST_ROUNDS = 10
Ask = Callable[[Case], Advice]


def rivals(case: Case, case_of: Callable[[RunConfig], Case], ask: Ask, say: Say) -> tuple[Rival, ...]:
    """Each with the rate that `ask` finds for it, run to its end; the one that ended lowest first."""
    if not case.sketched:
        raise BadInput("compare", "no sketch", "a sketch, whose numbers the others may send too")
    found = []
    for name, config in _configs(case):
        say(f"compared with: {name}")
        advice = ask(case_of(config))
        whole = [each for each in advice.pilots if each.rounds[-1] == config.rounds]
        ended = [tail(each) for each in whole if each.gamma == advice.recommended]
        found.append(Rival(name, advice.recommended, min(ended, default=None), config.rounds))
    return tuple(sorted(found, key=lambda each: (each.loss is None, each.loss)))


def _configs(case: Case) -> Iterator[tuple[str, RunConfig]]:
    options = case.config.algorithm
    m, d, T = options.rows * options.buckets, case.d, case.config.rounds
    rows = ROWS if m >= 10 * ROWS else 1
    fps = {"rows": rows, "buckets": m // rows, "k": max(1, min(d, m // 3)), "recovery": "mean"}
    yield "fresh", _with(case, T, {"name": "fresh", "buckets": m})
    yield f"fresh, memory {MEMORY:g}", _with(case, T, {"name": "fresh", "buckets": m, "memory_share": MEMORY})
    yield "FPS", _with(case, T, {"name": "fps", **fps})
    yield "no sketch", _with(case, max(FEWEST_ROUNDS, T * m // d), {"name": "fedavg"})


def _with(case: Case, rounds: int, algorithm: dict[str, Any]) -> RunConfig:
    values = case.config.model_dump(mode="json", exclude_none=True)
    return configs.parse(values | {"rounds": rounds, "algorithm": algorithm})
