"""Run one command inside this process and say what is wrong with how it behaved."""

import contextlib
import io
import os
import signal
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

LIMIT_SECONDS = 60  # of wall-clock time: far above any case here, even on a busy machine

Command = Callable[[], int]


class Hung(BaseException):
    """The time limit; no handler of the product may swallow it."""


def verdict(command: Command, folder: Path, keep: dict[Path, bytes], lines: int = 1) -> str | None:
    """None if all is well, else one sentence. `keep`: files that a failing command must leave as they are;
    `lines`: how many lines it may print on standard error when it fails."""
    out, err = io.StringIO(), io.StringIO()
    try:
        with _limited(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = _exit_code(command)
    except Hung:
        return f"still running after {LIMIT_SECONDS} s"
    except BaseException:
        return "traceback: " + " | ".join(traceback.format_exc(limit=-3).splitlines())
    return _wrong_answer(code, err.getvalue(), lines) or _wrong_files(code, folder, keep)


def _exit_code(command: Command) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        try:
            return int(command())
        except SystemExit as stop:  # how argparse ends
            return int(stop.code or 0)


def _wrong_answer(code: int, err: str, lines: int) -> str | None:
    if code == 0:
        return None
    if code not in (1, 2):
        return f"exit code {code}"
    if "Traceback" in err:
        return f"prints a traceback: {err[-300:]!r}"
    if not 1 <= len(err.splitlines()) <= lines:
        return f"fails with {len(err.splitlines())} lines instead of one: {err[:300]!r}"
    return None


def _wrong_files(code: int, folder: Path, keep: dict[Path, bytes]) -> str | None:
    left = [p.name for p in folder.rglob("*") if p.name.endswith((".tmp", ".partial"))]
    if left:
        return f"half-written files: {left}"
    if code != 0:
        for path, content in keep.items():
            if not path.is_file() or path.read_bytes() != content:
                return f"failed and changed {path.name}"
    return None


@contextlib.contextmanager
def _limited(folder: Path) -> Iterator[None]:
    """In `folder`, and not for ever."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Hung

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(LIMIT_SECONDS)
    here = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
        os.chdir(here)
