"""The first run starts at once: torch kernels work until the compiled ones are there, with the same bits.

If the code of the kernels is not on disk, another process compiles it (`compile_ahead`, 20 seconds, once)
and this one looks for it from time to time. If this one ends first, the other finishes its work: else short
runs would never have it done.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from fpsverify.kernels import code_cache

LOOK_EVERY = 0.2
ROOT = Path(__file__).parents[2]


class Compiler:
    """Knows whether the compiled kernels are there; starts to compile them when first asked."""

    def __init__(self) -> None:
        self.child: subprocess.Popen[bytes] | None = None
        self.done, self.next_look = False, 0.0

    def ready(self) -> bool:
        """True if compiled kernels can be used at once, or if nobody else can compile them."""
        now = time.monotonic()
        if self.done or now < self.next_look:
            return self.done
        self.next_look = now + LOOK_EVERY
        self.done = code_cache.is_complete() or not self._is_coming()
        return self.done

    def _is_coming(self) -> bool:
        """False if there is no place to keep the code, or if a process failed to compile it."""
        if self.child is None:
            return code_cache.is_writable(code_cache.folder()) and self._start()
        return self.child.poll() in (None, code_cache.EXIT_ANOTHER)

    def _start(self) -> bool:
        say(
            f"compiling faster kernels in the background, once; they are kept in {code_cache.folder().parent}"
        )
        paths = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        try:
            self.child = subprocess.Popen(
                [sys.executable, "-m", "fpsverify.kernels.compile_ahead"],
                env={**os.environ, "PYTHONPATH": paths},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # an interrupted run does not interrupt it
            )
        except OSError:
            return False
        return True


def say(line: str) -> None:
    """On a terminal only: nobody waits in front of a file."""
    if sys.stderr is not None and sys.stderr.isatty():
        print(f"fpsverify: {line}", file=sys.stderr)


COMPILER = Compiler()
