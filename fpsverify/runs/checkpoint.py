"""States of algorithms on disk: one safetensors file per checkpoint, no pickle.

A field of a state is a tensor, a SparseVector (two tensors) or None (absent); nothing else is stored, because
every random draw is a function of the seed and the round.

A survey says which checkpoints are there and what is not as the run left it. It reads headers only: a run may
have many large checkpoints, and a file that was cut short shows in its header.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from fpsverify import tensors
from fpsverify.config import RunConfig
from fpsverify.errors import FpsError
from fpsverify.sketch.hash import HASH_VERSION
from fpsverify.vectors import SparseVector

FORMAT = f"checkpoint 3, hash {HASH_VERSION}"
MOST_TOLD = 3


@dataclass(frozen=True)
class Checkpoint:
    """`digest` says of which run it is, however long that is to be."""

    t: int
    digest: str
    tensors: dict[str, Tensor]


def pack(state: Any) -> dict[str, Tensor]:
    """Named tensors of a frozen state."""
    out: dict[str, Tensor] = {}
    for field in dataclasses.fields(state):
        value = getattr(state, field.name)
        if isinstance(value, SparseVector):
            out[f"{field.name}.indices"], out[f"{field.name}.values"] = value.indices, value.values
        elif isinstance(value, Tensor):
            out[field.name] = value
        elif value is not None:
            raise TypeError(f"{type(state).__name__}.{field.name}: {type(value).__name__} cannot be stored")
    return {name: tensor.detach().cpu().contiguous().clone() for name, tensor in out.items()}


def unpack(state_type: type, stored: dict[str, Tensor], d: int, device: torch.device) -> Any:
    """The inverse of `pack`."""
    values: dict[str, Any] = {}
    for field in dataclasses.fields(state_type):
        if f"{field.name}.indices" in stored:
            indices, found = stored[f"{field.name}.indices"], stored[f"{field.name}.values"]
            values[field.name] = SparseVector(d, indices.to(device), found.to(device))
        elif field.name in stored:
            values[field.name] = stored[field.name].to(device)
        else:
            values[field.name] = None
    return state_type(**values)


def path_of(folder: Path, t: int) -> Path:
    return folder / "checkpoints" / f"round-{t:08d}.safetensors"


def save(folder: Path, t: int, digest: str, state: Any, beside: dict[str, Tensor] | None = None) -> Path:
    """`beside`: tensors that are kept with the state."""
    path = path_of(folder, t)
    path.parent.mkdir(parents=True, exist_ok=True)
    about = {"format": FORMAT, "t": t, "config": digest}
    tensors.write(path, {**pack(state), **(beside or {})}, about)
    return path


def header(path: Path) -> tuple[int, str]:
    """Round and config of one file; no tensor is read."""
    return _round_and_config(path, _checked(path, lambda: tensors.header(path)))


def load(path: Path) -> Checkpoint:
    """Read and check one file; anything unreadable becomes one line."""
    about, found = _checked(path, lambda: tensors.read(path))
    return Checkpoint(*_round_and_config(path, about), found)


def _checked(path: Path, read: Callable[[], Any]) -> Any:
    try:
        return read()
    except ValueError as error:
        raise FpsError(f"{path}: unreadable checkpoint ({error})") from None


def _round_and_config(path: Path, about: dict[str, Any]) -> tuple[int, str]:
    if about.get("format") != FORMAT:
        raise FpsError(f"{path}: not a checkpoint of this version")
    return _checked(path, lambda: (int(about["t"]), str(about["config"])))


def stored(folder: Path) -> list[Path]:
    """Checkpoint files of a run, oldest first."""
    return sorted((folder / "checkpoints").glob("round-*.safetensors"))


def latest(
    folder: Path, digest: str, fits: Callable[[Checkpoint], bool] = lambda checkpoint: True
) -> Checkpoint | None:
    """The newest checkpoint that is readable, of this run, of the round in its name, and that fits."""
    for path in reversed(stored(folder)):
        try:
            checkpoint = load(path)
        except FpsError:
            continue
        right = checkpoint.digest == digest and path == path_of(folder, checkpoint.t)
        if right and fits(checkpoint):
            return checkpoint
    return None


def prune(folder: Path, keep: Path) -> None:
    for path in stored(folder):
        if path != keep:
            path.unlink(missing_ok=True)


@dataclass(frozen=True)
class Flaw:
    """A file that is not as the run left it; `round` is None where its name is not that of a checkpoint."""

    file: str
    round: int | None
    why: str

    def as_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


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
    for path in stored(folder):
        t = round_of(path)
        why = _flaw(path, t, config, last)
        if why:
            flaws.append(Flaw(path.name, t, why))
        elif t is not None:
            good[t] = path
    present = {*good, *(flaw.round for flaw in flaws)}
    names = {t: path_of(folder, t).name for t in due(config, last) - present}
    flaws += [Flaw(name, t, "missing") for t, name in names.items()]
    return Survey(good, tuple(sorted(flaws, key=lambda flaw: flaw.file)))


def round_of(path: Path) -> int | None:
    digits = path.stem.removeprefix("round-")
    t = int(digits) if digits.isascii() and digits.isdigit() else None
    return t if t is not None and path_of(path.parent.parent, t).name == path.name else None


def _flaw(path: Path, t: int | None, config: RunConfig, last: int) -> str:
    if t is None:
        return "not a checkpoint's name"
    try:
        there, digest = header(path)
    except FpsError as error:
        return str(error).removeprefix(f"{path}: ").replace("unreadable checkpoint", "unreadable")
    if digest != config.lineage():
        return "of another config"
    if there != t:
        return f"of round {there}"
    return f"beyond the record, which ends with round {last}" if t > last else ""
