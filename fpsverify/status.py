"""What long work says while it runs, unless the caller listens.

On a terminal that is one line, written over, with the time that has passed; in a notebook one output, which
stays with the last line. Elsewhere (a log, a batch job) it is one line for each stage. Who wants nothing
of it passes `progress=lambda line: None`.
"""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from fpsverify.errors import BadInput

NAME = "fpsverify status"
EVERY = 1.0  # seconds after which the time on the line is written anew
STEP = re.compile(r":? ?(at )?round \d.*$")  # what tells the steps of one stage apart


@contextmanager
def status(listener: Callable[[str], None] | None) -> Iterator[Callable[[str], None]]:
    """Where to say what is being done."""
    if listener is not None:
        demand_callable(listener)
        yield listener
    elif in_notebook():
        yield _Output()
    elif seen():
        from tqdm import tqdm

        with tqdm(bar_format="{elapsed} {desc}", leave=False, file=sys.stderr) as line, _ticking(line):
            yield line.set_description_str
    else:
        yield _Stages()


def demand_callable(listener: object) -> None:
    if not callable(listener):
        raise BadInput("progress", listener, "a function that is told what is done, or None")


@contextmanager
def _ticking(line: Any) -> Iterator[None]:
    """The time goes on where nothing new is said."""
    over = threading.Event()

    def tick() -> None:
        while not over.wait(EVERY):
            line.refresh()

    thread = threading.Thread(target=tick, name=NAME, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


class _Output:
    """One output of a notebook's cell, written anew; it stays when the notebook is saved."""

    def __init__(self) -> None:
        from IPython.display import display

        self.began = self.last = time.monotonic()
        self.stage, self.output = "", display({"text/plain": ""}, raw=True, display_id=True)

    def __call__(self, line: str) -> None:
        now, stage = time.monotonic(), STEP.sub("", line)
        if stage != self.stage or now - self.last >= EVERY / 4 or re.search(r"\b(\d+) of \1\b", line):
            self.stage, self.last = stage, now
            self.output.update({"text/plain": f"{now - self.began:.0f} s  {line}"}, raw=True)


class _Stages:
    """A line on standard error when a stage begins."""

    stage = ""

    def __call__(self, line: str) -> None:
        stage = STEP.sub("", line)
        if stage != self.stage and sys.stderr is not None:
            print(stage, file=sys.stderr, flush=True)
        self.stage = stage


def seen() -> bool:
    """Whether somebody watches standard error."""
    return sys.stderr is not None and sys.stderr.isatty()


def in_notebook() -> bool:
    """Whether this process runs the cells of a notebook."""
    return "ipykernel" in sys.modules
