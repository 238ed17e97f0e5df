"""Models and sketch tables as Flower's arrays.

A table travels as its plain little-endian numbers, rows · buckets · itemsize bytes, whatever d is. A model is
what a Flower user has: named arrays (a torch state_dict). Its floating arrays, one after the other, are the
vector of R^d that FPS works on; all others (counters) stay what they were at the start. A model in sparse
form is the three arrays of `SPARSE`, so that no vector of length d is sent for sparse problems.
"""

# pragma: no cover file: needs Flower, which has an environment of its own: make test-engines
from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from fpsverify.engines.flower_api import Array, ArrayRecord
from fpsverify.errors import BadInput, FpsError
from fpsverify.sketching.sketch import SketchSpec
from fpsverify.vectors import SparseVector, Vector

RAW = "fpsverify.raw"
TABLE = "table"
SPARSE = ("fps.d", "fps.indices", "fps.values")
NUMPY: dict[torch.dtype, np.dtype[Any]] = {torch.float32: np.dtype("<f4"), torch.float64: np.dtype("<f8")}


# ---- tables ---------------------------------------------------------------------------------------------


def pack_table(table: Tensor) -> ArrayRecord:
    plain = table.detach().cpu().contiguous().numpy().astype(NUMPY[table.dtype], copy=False)
    return ArrayRecord({TABLE: Array(plain.dtype.name, tuple(plain.shape), RAW, plain.tobytes())})


def unpack_table(record: ArrayRecord, spec: SketchSpec, dtype: torch.dtype) -> Tensor:
    """The table, refused unless it has the shape of `spec` and the dtype that was agreed on."""
    array = record.get(TABLE)
    kind, shape = NUMPY[dtype], (spec.rows, spec.buckets)
    if array is None or array.stype != RAW:
        raise FpsError("no sketch table in the reply: add fpsverify's sketch_mod to the ClientApp")
    if (array.dtype, tuple(array.shape)) != (kind.name, shape):
        raise BadInput("table", (array.dtype, tuple(array.shape)), f"{kind.name} of shape {shape}")
    if len(array.data) != kind.itemsize * spec.rows * spec.buckets:
        raise BadInput(
            "table", f"{len(array.data)} bytes", f"{kind.itemsize * spec.rows * spec.buckets} bytes"
        )
    plain = np.frombuffer(array.data, dtype=kind).reshape(shape)
    return torch.from_numpy(plain.astype(kind.newbyteorder("=")))


# ---- models ---------------------------------------------------------------------------------------------


def pack_vector(w: Vector, name: str = "w") -> ArrayRecord:
    """A vector as a model of one array, or in sparse form."""
    if isinstance(w, Tensor):
        return ArrayRecord({name: Array(w.detach().cpu().numpy())})
    values = np.array(w.d), w.indices.cpu().numpy(), w.values.detach().cpu().numpy()
    return ArrayRecord({key: Array(value) for key, value in zip(SPARSE, values, strict=True)})


def unpack_vector(arrays: ArrayRecord, dtype: torch.dtype) -> Vector:
    """The vector of R^d that a model is."""
    if tuple(arrays) == SPARSE:
        d, indices, values = (arrays[key].numpy() for key in SPARSE)
        return SparseVector(int(d), torch.from_numpy(indices), torch.from_numpy(values).to(dtype))
    parts = [torch.from_numpy(arrays[name].numpy()).flatten().to(dtype) for name in floating(arrays)]
    if not parts:
        raise BadInput("arrays", list(arrays), "a model with at least one floating array")
    return torch.cat(parts)


def repack_vector(w: Vector, like: ArrayRecord) -> ArrayRecord:
    """The model `like` with the coordinates of `w`: the inverse of `unpack_vector`."""
    if isinstance(w, SparseVector):
        return pack_vector(w)
    out, first = dict(like), 0
    for name in floating(like):
        shape = tuple(like[name].shape)
        part = w[first : first + int(np.prod(shape))].reshape(shape)
        out[name] = Array(part.cpu().numpy().astype(like[name].dtype))
        first += part.numel()
    return ArrayRecord(out)


def floating(arrays: ArrayRecord) -> list[str]:
    return [name for name, array in arrays.items() if np.issubdtype(np.dtype(array.dtype), np.floating)]


def dimension(arrays: ArrayRecord) -> int:
    if tuple(arrays) == SPARSE:
        return int(arrays[SPARSE[0]].numpy())
    return sum(int(np.prod(arrays[name].shape)) for name in floating(arrays))


def table_dtype(arrays: ArrayRecord) -> torch.dtype:
    """float64 for a model that has float64, else float32."""
    wide = any(np.dtype(arrays[name].dtype) == np.float64 for name in floating(arrays))
    return torch.float64 if wide else torch.float32
