"""Judge mutants: the tests of a module run on a copy of the repository with one mutant of it in place.

A mutant is killed if one of its tests fails, crashes or takes far longer than without the mutant. It survives
only if all of them pass. The test that killed it last time goes first: most mutants die within seconds.
"""

from __future__ import annotations

import random
import sys
import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from queue import Queue
from typing import Any, TypeVar

from property_tests.mutation.copies import ROOT, Copy, Verdict, copies
from property_tests.mutation.operators import Mutant, candidates
from property_tests.mutation.progress import Progress, digest_of_sources, last_killers
from property_tests.mutation.targets import Tests, targets

Job = tuple[Mutant, Tests]
T = TypeVar("T")
ALONE = 600.0  # the most that a test may take without a mutant
COMPILING = 180.0  # more time for tests of a module that must be compiled anew


def choose(per_target: int, seed: int) -> list[Job]:
    """A random sample of mutants from every target module."""
    chosen: list[Job] = []
    for path, tests in targets().items():
        pool = candidates((ROOT / path).read_text(encoding="utf-8"), path)
        sample = random.Random(f"{seed}:{path}").sample(pool, min(per_target, len(pool)))
        chosen += [(mutant, tests) for mutant in sorted(sample, key=lambda m: m.number)]
    return chosen


def limit(seconds: float) -> float:
    """How long a test may take with a mutant, if it takes so long without one."""
    return 5 * seconds + 15


@dataclass
class Check:
    """One run of the check over some mutants, on several copies at once."""

    progress: Progress
    killers: dict[str, str]
    total: int
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def measure(self, copy: Copy, name: str) -> None:
        """Without a mutant everything must pass; how long each test takes sets its limit."""
        alone = copy.run((name,), {}, ALONE)
        if alone.killed:
            raise SystemExit(f"without any mutant, {name} {alone.outcome}: {alone.by}")
        with self._lock:
            self.progress.baseline[name] = alone.tests
            self.progress.save()
            say(f"{len(self.progress.baseline):4} test files pass unchanged: {name}, {alone.seconds:.0f} s")

    def try_mutant(self, copy: Copy, job: Job) -> None:
        mutant, tests = job
        with copy.mutated(mutant) as compiled:
            verdict = self._judge(copy, mutant, tests, compiled)
        with self._lock:
            self.progress.rows[mutant.name] = row(mutant, tests, verdict)
            self.progress.save()
            count = len(self.progress.rows)
            say(f"{count:4} of {self.total} {verdict.outcome:8} {verdict.seconds:5.1f} s  {mutant.name}")

    def _judge(self, copy: Copy, mutant: Mutant, tests: Tests, compiled: Path | None) -> Verdict:
        limits = {t: limit(s) for name in tests for t, s in self.progress.baseline[name].items()}
        grace, spent = (COMPILING if compiled else 0.0), 0.0
        killer = self.killers.get(mutant.name, "")
        if killer in limits:
            first = copy.run((killer.removeprefix("property_tests/"),), limits, grace, compiled)
            if first.killed:
                return first
            spent = first.seconds
        rest = copy.run(tests, limits, grace, compiled)
        return Verdict(rest.outcome, rest.by, rest.seconds + spent, rest.tests)


def row(mutant: Mutant, tests: Tests, verdict: Verdict) -> dict[str, Any]:
    return {
        "mutant": mutant.name,
        "key": mutant.key,
        "file": mutant.path,
        "line": mutant.line,
        "killed": verdict.killed,
        "outcome": verdict.outcome,
        "by": verdict.by,
        "tests": list(tests),
        "seconds": round(verdict.seconds, 1),
    }


def check(per_target: int, seed: int, jobs: int, table: Path, only: str = "") -> tuple[Progress, bool]:
    """Judge what is not known yet, among the mutants whose name contains `only`; is the sample complete?"""
    chosen = choose(per_target, seed)
    progress = Progress.load(digest_of_sources())
    names = {mutant.name: list(tests) for mutant, tests in chosen}
    progress.rows = {n: r for n, r in progress.rows.items() if names.get(n) == r["tests"]}
    todo = [job for job in chosen if only in job[0].name and job[0].name not in progress.rows]
    files = list(dict.fromkeys(name for _, tests in todo for name in tests if name not in progress.baseline))
    say(f"{len(progress.rows)} mutants judged before, {len(todo)} to judge, {len(files)} test files to time")
    if todo:
        work = Check(progress, last_killers(table), len(chosen))
        with copies(jobs) as made:
            share(made, work.measure, files)
            share(made, work.try_mutant, todo)
    return progress, len(progress.rows) == len(chosen)


def share(made: list[Copy], work: Any, items: Iterable[T]) -> None:
    """work(copy, item) for every item, each copy busy with one at a time; the first error ends all."""
    free: Queue[Copy] = Queue()
    for copy in made:
        free.put(copy)

    def one(item: T) -> None:
        copy = free.get()
        try:
            work(copy, item)
        finally:
            free.put(copy)

    with ThreadPoolExecutor(len(made)) as pool:
        try:
            for done in [pool.submit(one, item) for item in items]:
                done.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for copy in made:
                copy.close()  # ends the tests that the others still wait for
            raise


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
