"""Which checkpoints of a run are there, and what is not as the run left it.

Only headers are read: a run may have many large checkpoints. A file that was cut short shows in its header.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fpsverify.config import RunConfig
from fpsverify.errors import FpsError
from fpsverify.runs import checkpoint

MOST_TOLD = 3


@dataclass(frozen=True)
class Flaw:
    """A file that is not as the run left it; `round` is None where its name is not that of a checkpoint."""

    file: str
    round: int | None
    why: str

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Survey:
    """The checkpoints that can be used, by round, and the flaws of the others."""

    good: dict[int, Path]
    flaws: tuple[Flaw, ...]


def told(flaws: Sequence[Flaw]) -> str:
    """The first flaws, and how many more there are."""
    shown = [f"{flaw.file} is {flaw.why}" for flaw in flaws[:MOST_TOLD]]
    more = len(flaws) - len(shown)
    return ", ".join(shown) + (f" and {more} more are flawed" if more else "")


def due(config: RunConfig, last: int) -> set[int]:
    """Rounds up to `last` whose checkpoints a run keeps; an interrupted one may have kept others beside."""
    if config.record.keep_checkpoints == "last":
        return set()
    return {*range(0, last + 1, config.record.checkpoint_every), *({config.rounds} & {last})}


def survey(folder: Path, config: RunConfig, last: int) -> Survey:
    """Of a run whose record ends with round `last`."""
    good, flaws = {}, []
    for path in checkpoint.stored(folder):
        t = round_of(path)
        why = _flaw(path, t, config, last)
        if why:
            flaws.append(Flaw(path.name, t, why))
        elif t is not None:
            good[t] = path
    present = {*good, *(flaw.round for flaw in flaws)}
    names = {t: checkpoint.path_of(folder, t).name for t in due(config, last) - present}
    flaws += [Flaw(name, t, "missing") for t, name in names.items()]
    return Survey(good, tuple(sorted(flaws, key=lambda flaw: flaw.file)))


def round_of(path: Path) -> int | None:
    digits = path.stem.removeprefix("round-")
    t = int(digits) if digits.isascii() and digits.isdigit() else None
    return t if t is not None and checkpoint.path_of(path.parent.parent, t).name == path.name else None


def _flaw(path: Path, t: int | None, config: RunConfig, last: int) -> str:
    if t is None:
        return "not a checkpoint's name"
    try:
        stored, digest = checkpoint.header(path)
    except FpsError as error:
        return str(error).removeprefix(f"{path}: ").replace("unreadable checkpoint", "unreadable")
    if digest != config.lineage():
        return "of another config"
    if stored != t:
        return f"of round {stored}"
    return f"beyond the record, which ends with round {last}" if t > last else ""
