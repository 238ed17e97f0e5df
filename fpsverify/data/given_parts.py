"""Partitions that somebody gives: lists of row numbers, a JSON file of them, or an object that has them.

A file holds one list of row numbers per device: [[0, 4, 7], [1, 2], …]. Rows may be left out. A partitioner
is anything with `num_partitions` and `load_partition(m)`, as those of flwr-datasets have.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fpsverify.errors import BadInput

Parts = tuple[NDArray[np.int64], ...]


def checked(parts: Sequence[Any], rows: int, field: str = "parts") -> Parts:
    """Index lists of the devices, checked against the number of rows."""
    found = []
    for m, part in enumerate(parts):
        try:
            index = np.asarray(part)
        except (ValueError, OverflowError):  # lists of several lengths, or of numbers and lists
            raise BadInput(f"{field}[{m}]", "lists inside a list", "a list of row numbers") from None
        if index.size == 0:
            raise BadInput(f"{field}[{m}]", "no rows", "at least one row on every device")
        if index.ndim != 1 or index.dtype.kind not in "iu":
            raise BadInput(f"{field}[{m}]", f"{index.dtype} of shape {index.shape}", "a list of row numbers")
        if index.min() < 0 or index.max() >= rows:
            raise BadInput(f"{field}[{m}]", f"{index.min()} to {index.max()}", f"row numbers 0 to {rows - 1}")
        if field != "parts" and len(np.unique(index)) < len(index):
            raise BadInput(f"{field}[{m}]", "a row given twice", "each row at most once on a device")
        found.append(index.astype(np.int64))
    return tuple(found)


def from_file(path: Path, M: int, rows: int, digest: str | None = None) -> Parts:
    """The lists of a JSON file; with `digest`, only if it is the file of that content."""
    field = "devices.partition"
    content = _content(path)
    if digest is not None and digest_of(path) != digest:
        raise BadInput(
            field, f"a changed {path.name}", f"{path} as it was when the run began (digest {digest})"
        )
    try:
        parts = json.loads(content)
        lists = isinstance(parts, list) and all(isinstance(part, list) for part in parts)
    except (ValueError, RecursionError):
        lists = False
    if not lists:
        raise BadInput(field, path.name, "JSON: a list of row numbers for each device, [[0, 2], [1, 3], …]")
    if len(parts) != M:
        raise BadInput("devices.M", M, f"{len(parts)}, as many devices as {path.name} has lists")
    return checked(parts, rows, path.name)


def digest_of(path: Path) -> str:
    return hashlib.sha256(_content(path)).hexdigest()[:12]


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(
            "devices.partition", path.name, f"a readable file ({error.strerror}: {path})"
        ) from None


def is_partitioner(x: Any) -> bool:
    return hasattr(x, "load_partition") and hasattr(x, "num_partitions")


def of_partitioner(x: Any) -> list[Any]:
    """The data set of each device."""
    return [x.load_partition(m) for m in range(int(x.num_partitions))]
