"""What long work says while it runs: one line on a terminal or in a notebook, unless the caller listens."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def status(listener: Callable[[str], None] | None) -> Iterator[Callable[[str], None]]:
    """Where to say what is being done: to the listener, or on a line with the time that has passed."""
    if listener is not None:
        yield listener
        return
    from tqdm import tqdm

    with tqdm(bar_format="{elapsed} {desc}", leave=False, disable=not seen(), file=sys.stderr) as line:
        yield line.set_description_str


def seen() -> bool:
    """Whether somebody watches standard error: a terminal, or a notebook that runs cells in this process."""
    return sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)
