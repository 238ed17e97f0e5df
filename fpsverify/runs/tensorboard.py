"""The rows of a run as scalars for TensorBoard, in RUN/tensorboard (`pip install fpsverify[tensorboard]`).

Nothing is read back from there. A run that goes on is shown all its rows again and starts the log anew, so a
resumed run has the same curves as an uninterrupted one.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from fpsverify.errors import FpsError
from fpsverify.runs.record import Row

FOLDER = "tensorboard"
HOW = "--tensorboard: the package is missing; pip install 'fpsverify[tensorboard]' installs it"


def demand() -> None:
    """One line before the run if there is nothing to write with."""
    try:
        import torch.utils.tensorboard  # noqa: F401
    except ImportError:
        raise FpsError(HOW) from None


@contextlib.contextmanager
def logged(folder: Path, show: Callable[[Row], None]) -> Iterator[Callable[[Row], None]]:
    """`show`, and a log of every row that it sees. The log begins with the first row."""
    demand()
    from torch.utils.tensorboard import SummaryWriter

    writer: SummaryWriter | None = None

    def both(row: Row) -> None:
        nonlocal writer
        if writer is None:
            for old in (folder / FOLDER).glob("events.out.tfevents.*"):
                old.unlink()
            writer = SummaryWriter(str(folder / FOLDER))
        for name, value in row.items():
            if name != "round":
                writer.add_scalar(name, value, int(row["round"]))
        show(row)

    try:
        yield both
    finally:
        if writer is not None:
            writer.close()
