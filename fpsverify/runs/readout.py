"""The k largest coordinates of the final model (`record.readout_k`), an output beside it.

A dense model of a problem whose minimiser is sparse carries noise in all other coordinates; its largest ones
alone are often the better model. Nothing of it goes back into the run.
"""

from __future__ import annotations

from pathlib import Path

from torch import Tensor

from fpsverify import tensors
from fpsverify.algorithms import Setup
from fpsverify.errors import BadInput, FpsError
from fpsverify.sketch.order import positions_of_largest
from fpsverify.vectors import SparseVector, Vector

FILE = "readout.safetensors"
PREFIX = "readout_"  # before the name of what was measured of it


def check(k: int | None, d: int) -> None:
    if k is not None and k > d:
        raise BadInput("record.readout_k", k, f"at most the number of parameters, d = {d}")


def read_out(setup: Setup, w: Vector) -> SparseVector | None:
    """The k largest |w_i|, zeros left out; among equals the lowest index. None where no k is asked for."""
    k = setup.config.record.readout_k
    if k is None:
        return None
    values = w.values if isinstance(w, SparseVector) else w
    at = positions_of_largest(values.abs(), k)
    return SparseVector(setup.problem.d, w.indices[at] if isinstance(w, SparseVector) else at, values[at])


def measured(setup: Setup, found: SparseVector) -> dict[str, float]:
    """The test metrics of the read-out, each with its prefix."""
    w: Vector = found.dense() if isinstance(setup.problem.start, Tensor) else found
    metrics = setup.problem.evaluate(w, setup.config.record.tie_rule)
    return {PREFIX + name: value for name, value in metrics.items()}


def save(folder: Path, found: SparseVector) -> None:
    saved = {"indices": found.indices.cpu(), "values": found.values.detach().cpu()}
    tensors.write(folder / FILE, saved, {"d": found.d})


def load(folder: Path) -> SparseVector:
    """What a finished run with `readout_k` left in its folder."""
    path = folder / FILE
    try:
        about, found = tensors.read(path)
        return SparseVector(int(about["d"]), found["indices"], found["values"])
    except (KeyError, ValueError) as error:
        raise FpsError(f"{path}: unreadable ({' '.join(str(error).split())})") from None
