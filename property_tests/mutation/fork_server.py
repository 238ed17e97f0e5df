"""Runs tests in forked children of a process that has imported torch, numba and the like once.

A script, one per copy of the repository, which is its working directory: it reads a request per line
(`{"tests": [...], "limits": {...}, "grace": seconds, "compiled": folder or null}`) and answers with a line
(`{"outcome", "by", "seconds", "tests"}`). It imports nothing of the repository itself, so every child sees
the code as it is on disk at that moment.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import select
import signal
import sys
import time
from pathlib import Path
from typing import Any

PRELOADED = (
    "torch",
    "numba",
    "scipy.stats",
    "scipy.sparse.linalg",
    "scipy.optimize",
    "sympy",
    "mpmath",
    "z3",
    "pyarrow.parquet",
    "pydantic",
    "safetensors.torch",
    "hypothesis.stateful",
    "pytest",
)
ARGUMENTS = ["-x", "-q", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov"]
OUTSIDE_TESTS = 180.0  # seconds for imports, collection and what comes between two tests
LOG = "mutant.log"


class Reporter:
    """A pytest plugin that writes what happens into a pipe, one JSON line each."""

    def __init__(self, pipe: int) -> None:
        self.pipe = pipe

    def say(self, event: str, test: str) -> None:
        os.write(self.pipe, (json.dumps([event, test]) + "\n").encode())

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.say("start", nodeid)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.say("end", nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.say("failed", report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self.say("finish", "")

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.say("failed", report.nodeid)


def child(pipe: int, tests: list[str], compiled: str | None) -> None:
    """Become a fresh test run; never returns."""
    code = 70
    try:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        log = os.open(Path.cwd().parent / LOG, os.O_CREAT | os.O_TRUNC | os.O_WRONLY)
        for stream, target in ((0, os.open(os.devnull, os.O_RDONLY)), (1, log), (2, log)):
            os.dup2(target, stream)
        if compiled is not None:
            import numba

            os.environ["NUMBA_CACHE_DIR"] = numba.config.CACHE_DIR = compiled
        sys.path.insert(0, str(Path.cwd()))
        import pytest

        code = int(pytest.main([*ARGUMENTS, *tests], plugins=[Reporter(pipe)]))
    finally:
        os._exit(code)  # also after an exception: the parent's loop must not go on in here


class Watch:
    """What the child has said so far, and when it must say something again."""

    def __init__(self, limits: dict[str, float], grace: float) -> None:
        self.limits, self.grace = limits, grace
        self.running = self.failed = ""
        self.finished = False
        self.since = time.monotonic()
        self.seconds: dict[str, float] = {}
        self.unread = b""

    def hear(self, text: bytes) -> None:
        *lines, self.unread = (self.unread + text).split(b"\n")
        for line in lines:
            event, test = json.loads(line)
            now = time.monotonic()
            if event == "failed":
                self.failed = self.failed or test
            elif event == "start":
                self.running, self.since = test, now
            elif event == "finish":
                self.finished = True
            else:
                self.seconds[test] = round(now - self.since, 2)
                self.running, self.since = "", now

    @property
    def too_late(self) -> bool:
        limit = self.limits.get(self.running, OUTSIDE_TESTS) if self.running else OUTSIDE_TESTS
        return time.monotonic() - self.since > limit + self.grace


def judge(tests: list[str], limits: dict[str, float], grace: float, compiled: str | None) -> dict[str, Any]:
    """passed, failed, crashed or timeout of these tests, and the test that decided."""
    begin, (read, write) = time.monotonic(), os.pipe()
    pid = os.fork()
    if pid == 0:
        child(write, tests, compiled)
    os.close(write)
    watch, status = Watch(limits, grace), None
    try:
        while status is None and not watch.too_late:
            ended, code = os.waitpid(pid, os.WNOHANG)
            status = code if ended else None
            while select.select([read], [], [], 0 if ended else 0.1)[0]:
                text = os.read(read, 65536)
                watch.hear(text)
                if not text:
                    time.sleep(0 if ended else 0.02)  # the end of the pipe comes before that of the process
                    break
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
        if status is None:
            os.waitpid(pid, 0)
        os.close(read)
    code = None if status is None else os.waitstatus_to_exitcode(status)
    if code == 0 and not watch.finished:  # a test has ended the process
        code = 70
    outcome = {None: "timeout", 0: "passed"}.get(code, "failed" if watch.failed else "crashed")
    return {
        "outcome": outcome,
        "by": watch.failed or (watch.running if outcome != "passed" else ""),
        "seconds": round(time.monotonic() - begin, 2),
        "tests": watch.seconds,
    }


def main() -> None:
    for name in PRELOADED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # a running child is ended on the way out
    print(json.dumps("ready"), flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        for line in sys.stdin:
            print(json.dumps(judge(**json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
