"""SIGKILL at a random moment of a run, a conversion or a grid; resumed, the result is that of no kill.

The victim is a fork of this process: it is at work at once and can be killed in its first millisecond.
"""

import contextlib
import io
import os
import resource
import shutil
import signal
import threading
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from fpsverify.cli import main
from property_tests.support.small_runs import record_of, small, tiny_cell

Action = Callable[[], object]


@dataclass(frozen=True)
class Victim:
    """What to kill, what continues it, and what must be equal in the end."""

    start: Action
    again: Action
    result: Callable[[], object]


def a_run(room: Path) -> Victim:
    (room / "c.toml").write_text(small("rounds=25", "record.checkpoint_every=2").to_toml())
    out = room / "run"
    argv = ["run", str(room / "c.toml"), "--out", str(out), "--quiet"]
    return Victim(command(argv), command([*argv, "--resume"]), lambda: record_of(out))


def a_conversion(room: Path) -> Victim:
    rows = "".join(f"{i % 2} {i % 7 + 1}:{i} {i % 11 + 10}:0.5\n" for i in range(4000))
    (room / "f.svm").write_text(rows)
    argv = ["data", "convert", str(room / "f.svm"), "--quiet"]
    return Victim(command(argv), command(argv), lambda: (room / "f.safetensors").read_bytes())


def a_grid(room: Path) -> Victim:
    from fpsverify.reproduce.grid import run_grid

    cells, out = [tiny_cell(), tiny_cell("BLCD")], room / "grid"
    files = [out / "results.parquet", out / "curves.parquet"]
    return Victim(
        lambda: run_grid(cells, out),
        lambda: run_grid(cells, out, resume=True),
        lambda: [p.read_bytes() for p in files],
    )


VICTIMS = {"run": a_run, "conversion": a_conversion, "grid": a_grid}


def command(argv: list[str]) -> Action:
    def act() -> None:
        if code := main(argv):
            raise RuntimeError(f"{argv[0]} ends with exit code {code}")

    return act


def quietly(action: Action) -> str | None:
    """Do it with its output thrown away; None, or what went wrong."""
    out, err = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            action()
    except Exception as error:
        return f"{error!r} {err.getvalue()}"
    return None


def kill_after(action: Action, seconds: float) -> bool:
    """Start it in a fork, kill it after the given time; was it still at work?"""
    with warnings.catch_warnings():  # newer Pythons warn of threads; a child that hung would be killed too
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        try:
            # tqdm's lock is shared with forks: a child killed while it holds it would stop this process.
            tqdm.set_lock(threading.RLock())
            quietly(action)
        finally:
            os._exit(0)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def starved(action: Action, limit: int) -> str:
    """Do it in a fork that may write no file beyond so many bytes, as on a full disk; what it said."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        try:
            tqdm.set_lock(threading.RLock())
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            os.write(writing, (quietly(action) or "done").encode()[:4000])
        finally:
            os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading, "rb") as told:
        return told.read().decode(errors="replace")


class Killer:
    """Knows how long each command takes and what it leaves when nobody interferes."""

    def __init__(self, room: Path) -> None:
        self.room = room
        self.whole: dict[str, object] = {}
        self.seconds: dict[str, float] = {}
        for kind, make in VICTIMS.items():
            quietly(make(self._fresh()).start)  # warm: imports and compiled kernels
            victim = make(self._fresh())
            begin = time.monotonic()
            assert quietly(victim.start) is None
            self.seconds[kind], self.whole[kind] = time.monotonic() - begin, victim.result()

    def strike(self, kind: str, moments: list[float]) -> bool:
        """Kill it at these shares of its time, let it finish and compare; was it at work at a kill?"""
        victim = VICTIMS[kind](self._fresh())
        at_work, action = False, victim.start
        for moment in moments:
            at_work |= kill_after(action, moment * self.seconds[kind])
            action = victim.again
        assert quietly(victim.again) is None
        assert victim.result() == self.whole[kind], "the result differs from that of an undisturbed process"
        return at_work

    def starve(self, kind: str, limit: int) -> bool:
        """With no room on the disk: one line, and with room again the same result; was there too little?"""
        victim = VICTIMS[kind](self._fresh())
        told = starved(victim.start, limit)
        if told != "done":
            assert "Traceback" not in told and "Error('" not in told.replace("RuntimeError('", "", 1), told
            assert "a writable place" in told or "free" in told or "read to its end" in told, told
        assert quietly(victim.again) is None
        assert victim.result() == self.whole[kind], "the result differs from that of an undisturbed process"
        return told != "done"

    def _fresh(self) -> Path:
        shutil.rmtree(self.room, ignore_errors=True)
        self.room.mkdir(parents=True)
        return self.room
