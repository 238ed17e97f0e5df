"""Named tensors on disk: one safetensors file, no pickle, with a checksum of all that it holds and says."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from fpsverify.files import write_atomically

ABOUT, SUM = "fpsverify", "sum"


def write(path: Path, tensors: dict[str, Tensor], about: Mapping[str, Any]) -> None:
    """`about`: plain values that describe the file. Equal content gives equal bytes."""
    text = json.dumps({**about, SUM: checksum(tensors, about)}, sort_keys=True)
    metadata = {ABOUT: text}  # several entries would come in any order
    write_atomically(path, lambda p: save_file(tensors, str(p), metadata=metadata))


def header(path: Path) -> dict[str, Any]:
    """What the file says of itself; no tensor is read. ValueError where it is none of ours."""
    with _opened(path) as handle:
        return _about(handle)


def read(path: Path) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """`about` and the tensors. ValueError where it is no such file, or was changed since."""
    with _opened(path) as handle:
        about = _about(handle)
        tensors = {name: handle.get_tensor(name) for name in handle.keys()}  # noqa: SIM118
        if about.pop(SUM, None) != checksum(tensors, about):
            raise ValueError("its bytes were changed after it was written")
        return about, tensors


def checksum(tensors: Mapping[str, Tensor], about: Mapping[str, Any]) -> str:
    found = hashlib.sha256(json.dumps(dict(about), sort_keys=True).encode())
    for name in sorted(tensors):
        x = tensors[name]
        found.update(f"{name} {x.dtype} {tuple(x.shape)}".encode())
        found.update(x.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().data)
    return found.hexdigest()


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[Any]:
    if not path.is_file():
        raise ValueError("no file")
    try:
        with safe_open(str(path), framework="pt") as handle:
            yield handle
    except (SafetensorError, OSError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(" ".join(str(error).split())) from None


def _about(handle: Any) -> dict[str, Any]:
    found = json.loads((handle.metadata() or {}).get(ABOUT, "null"))
    if not isinstance(found, dict):
        raise ValueError("not a file of this program")
    return found
