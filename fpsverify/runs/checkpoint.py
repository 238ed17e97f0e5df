"""States of algorithms on disk: one safetensors file per checkpoint, no pickle.

A field of a state is a tensor, a SparseVector (two tensors) or None (absent); nothing else is stored, because
every random draw is a function of the seed and the round.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from fpsverify.errors import FpsError
from fpsverify.files import write_atomically
from fpsverify.sketching.hashing import HASH_VERSION
from fpsverify.vectors import SparseVector

ABOUT, FORMAT = "fpsverify", f"checkpoint 3, hash {HASH_VERSION}"


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


def unpack(state_type: type, tensors: dict[str, Tensor], d: int, device: torch.device) -> Any:
    """The inverse of `pack`."""
    values: dict[str, Any] = {}
    for field in dataclasses.fields(state_type):
        if f"{field.name}.indices" in tensors:
            indices, stored = tensors[f"{field.name}.indices"], tensors[f"{field.name}.values"]
            values[field.name] = SparseVector(d, indices.to(device), stored.to(device))
        elif field.name in tensors:
            values[field.name] = tensors[field.name].to(device)
        else:
            values[field.name] = None
    return state_type(**values)


def path_of(folder: Path, t: int) -> Path:
    return folder / "checkpoints" / f"round-{t:08d}.safetensors"


def save(folder: Path, t: int, digest: str, state: Any, beside: dict[str, Tensor] | None = None) -> Path:
    """`beside`: tensors that are kept with the state."""
    path = path_of(folder, t)
    path.parent.mkdir(parents=True, exist_ok=True)
    tensors = {**pack(state), **(beside or {})}
    about = {"format": FORMAT, "t": t, "config": digest, "sum": checksum(tensors)}
    metadata = {ABOUT: json.dumps(about)}  # several entries come in any order: other bytes for one content
    write_atomically(path, lambda p: save_file(tensors, str(p), metadata=metadata))
    return path


def header(path: Path) -> tuple[int, str]:
    """Round and config of one file; no tensor is read."""
    with _opened(path) as handle:
        about = _about(path, handle)
        return int(about["t"]), str(about["config"])


def load(path: Path) -> Checkpoint:
    """Read and check one file; anything unreadable becomes one line."""
    with _opened(path) as handle:
        about = _about(path, handle)
        tensors = {name: handle.get_tensor(name) for name in handle.keys()}  # noqa: SIM118
        if checksum(tensors) != about["sum"]:
            raise FpsError(f"{path}: unreadable checkpoint (its bytes were changed after it was written)")
        return Checkpoint(int(about["t"]), str(about["config"]), tensors)


def checksum(tensors: dict[str, Tensor]) -> str:
    """A digest of all names and bytes."""
    found = hashlib.sha256()
    for name in sorted(tensors):
        found.update(name.encode())
        found.update(tensors[name].reshape(-1).view(torch.uint8).numpy().data)
    return found.hexdigest()


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[Any]:
    try:
        with safe_open(str(path), framework="pt") as handle:
            yield handle
    except (SafetensorError, OSError, KeyError, TypeError, ValueError) as error:
        raise FpsError(f"{path}: unreadable checkpoint ({' '.join(str(error).split())})") from None


def _about(path: Path, handle: Any) -> dict[str, Any]:
    about: dict[str, Any] = json.loads((handle.metadata() or {}).get(ABOUT, "{}"))
    if about.get("format") != FORMAT:
        raise FpsError(f"{path}: not a checkpoint of this version")
    return about


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
