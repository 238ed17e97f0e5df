"""States of algorithms on disk: one safetensors file per checkpoint, no pickle.

A field of a state is a tensor, a SparseVector (two tensors) or None (absent); nothing else is stored, because
every random draw is a function of the seed and the round.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from fpsverify import tensors
from fpsverify.errors import FpsError
from fpsverify.sketch.hash import HASH_VERSION
from fpsverify.vectors import SparseVector

FORMAT = f"checkpoint 3, hash {HASH_VERSION}"


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
