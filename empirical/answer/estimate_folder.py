"""`fps.estimate(folder)`: the constants, verdicts and learning rates of a recorded run, as an object."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from empirical.answer import report
from empirical.answer.estimate import Estimates, as_json
from empirical.answer.estimate import estimate as from_evidence
from empirical.observed import recorded
from empirical.observed.replicates import Tick
from fpsverify.errors import BadInput
from fpsverify.files import json_safe
from fpsverify.threads import one_thread

if TYPE_CHECKING:
    from fpsverify.own.federation import Federation


@dataclass(frozen=True, repr=False)
class Answer:
    """`values` is what `fpsverify estimate --json` prints; `print(answer)` is its text."""

    estimates: Estimates
    values: dict[str, Any]

    def __str__(self) -> str:
        return report.render(self.values)

    def __repr__(self) -> str:
        run = self.values["run"]
        return f"Answer(d={run['d']}, M={run['M']}, T={run['T']}, gamma={run['gamma']})"


def estimate(
    folder: str | Path | Any,
    federation: Federation | None = None,
    *,
    replicates: int = 32,
    rounds: int = 10,
    replay: bool = False,
    progress: Tick = lambda text: None,
) -> Answer:
    """Estimate the constants of Assumptions 1-5 from a run, and what follows from them.

    folder       a run folder, or what `train` or `run` returned
    federation   the federation of a run of one's own problem; known if `train` returned it
    replicates   gradients per point
    rounds       checkpoints to look at, at least 3
    replay       run again in memory to measure what the run did not record
    """
    if rounds < 3:
        raise BadInput("rounds", rounds, "at least 3")
    if not isinstance(folder, (str, Path)):
        federation = federation or getattr(folder, "federation", None)
        folder = _folder_of(folder)
    with one_thread():
        found = from_evidence(
            recorded.evidence(Path(folder), rounds, replay, federation), replicates, progress, progress
        )
        return Answer(found, json_safe(as_json(found)))


def _folder_of(result: Any) -> Path:
    found = getattr(result, "folder", None)
    if found is None:
        raise BadInput("folder", repr(result)[:60], "a run folder: train or run with out=")
    return Path(found)
