"""Where the tasks of a grid run: here, in processes of this machine, or on the workers of a Dask cluster.

Whatever the place, each task gives one result, and its file is stored before the result is handed on. Here
and in processes the process that ran the task stores it. A worker of a cluster may have no disk in common
with this machine: its result travels back and the process that leads the grid stores it. A task whose worker
died before that is run again by the scheduler, and arrives once; without any worker Dask waits for a new one.
"""

from __future__ import annotations

import contextlib
import threading
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from fpsverify.errors import BadInput, FpsError
from fpsverify.files import json_safe, write_result
from fpsverify.grids.task import FORMAT, Result, Task, measure, perform

CONNECT_SECONDS = 10.0  # pragma: no mutate: a second more would do
_ONE_TASK = threading.Lock()  # a worker with many threads: neither numba's nor torch's threads may be shared


class Executor(Protocol):
    def results(self, tasks: list[Task], folder: Path) -> Iterator[Result]:
        """The result of every task, once, as they finish; its file is already in the folder."""


@dataclass(frozen=True)
class Here:
    """This process, one task after the other."""

    def results(self, tasks: list[Task], folder: Path) -> Iterator[Result]:
        yield from (perform(task, folder) for task in tasks)


@dataclass(frozen=True)
class Processes:
    """`jobs` processes of this machine, one thread each."""

    jobs: int

    def results(self, tasks: list[Task], folder: Path) -> Iterator[Result]:
        if len(tasks) <= 1:
            yield from Here().results(tasks, folder)
            return
        from joblib import Parallel, delayed

        yield from Parallel(n_jobs=self.jobs, return_as="generator_unordered")(
            delayed(perform)(task, folder) for task in tasks
        )


@dataclass(frozen=True)
class Cluster:  # pragma: no cover: needs Dask: make test-engines
    """The workers of a Dask scheduler, reached through `client`."""

    client: Any
    address: str

    def results(self, tasks: list[Task], folder: Path) -> Iterator[Result]:
        if not tasks:
            return
        origin = data_origin(tasks[0])
        sent = {self.client.submit(measured, task, pure=False): task for task in tasks}
        try:
            for future in dask_package().as_completed(list(sent)):
                task = sent.pop(future)
                result = self._fetched(future, task)
                require_ours(result, task, origin)
                if result["status"] != "error":
                    write_result(task.path(folder), result)
                yield result
        finally:
            with contextlib.suppress(Exception):  # the scheduler may be what went away
                self.client.cancel(list(sent))

    def _fetched(self, future: Any, task: Task) -> Result:
        try:
            result: Result = future.result()
        except dask_package().CancelledError:
            raise FpsError(
                f"--scheduler {self.address}: the scheduler is gone; "
                "what had finished is stored, continue with --resume"
            ) from None
        except Exception as error:  # KilledWorker, no such package there, …
            raise FpsError(f"{task.name}: failed on a worker: {_one_line(error)}") from None
        return result


def measured(task: Task) -> Result:  # pragma: no cover: needs Dask: make test-engines
    """What a worker does: run the task. It stores nothing."""
    with _ONE_TASK:
        result: Result = json_safe(measure(task))
    return result


@contextlib.contextmanager
def executor(jobs: int = 1, scheduler: str | None = None) -> Iterator[Executor]:
    """The place that the options ask for; a connection to a cluster is closed at the end."""
    if jobs < 1:
        raise BadInput("--jobs", jobs, "at least 1")
    if scheduler is None:
        yield Here() if jobs == 1 else Processes(jobs)
        return
    if jobs > 1:
        raise BadInput("--jobs", jobs, "no --jobs beside --scheduler, whose workers do the work")
    require_address(scheduler)
    with _connected(scheduler) as client:  # pragma: no cover: needs Dask: make test-engines
        yield Cluster(client, scheduler)


def dask_package() -> Any:
    try:
        return import_module("distributed")
    except ImportError:
        raise FpsError("--scheduler needs Dask: pip install 'fpsverify[dask]'") from None


def require_address(text: str) -> None:
    try:
        parts = urlsplit(text)
        good = parts.scheme in ("tcp", "tls") and bool(parts.hostname) and bool(parts.port)
    except ValueError:
        good = False
    if not good or parts.path or parts.query or parts.fragment:
        raise BadInput("--scheduler", text, "an address such as tcp://127.0.0.1:8786")


@contextlib.contextmanager
def _connected(address: str) -> Iterator[Any]:  # pragma: no cover: needs Dask: make test-engines
    distributed = dask_package()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # results of other versions are refused, in one line
            client = distributed.Client(address, timeout=CONNECT_SECONDS)
    except Exception as error:  # refused, timed out, another protocol, no certificate: many types
        raise FpsError(
            f"--scheduler {address}: no Dask scheduler answers there ({_one_line(error)}); "
            "start one with `dask scheduler`"
        ) from None
    try:
        try:
            client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except TimeoutError:
            raise FpsError(
                f"--scheduler {address}: it has no worker; "
                f"start some with `dask worker {address} --nthreads 1`"
            ) from None
        yield client
    finally:
        with contextlib.suppress(Exception):
            client.close(timeout=CONNECT_SECONDS)


def data_origin(task: Task) -> str:  # pragma: no cover: needs Dask: make test-engines
    """real or generated: a worker without the real clicks would silently generate them."""
    from fpsverify.problems.build import build

    return build(task.config, federation=task.problem()).provenance.partition(":")[0]


def require_ours(result: Result, task: Task, origin: str) -> None:
    """The result is of this task, of these versions and of this kind of data."""
    from fpsverify.runs.record import versions

    who = f"{task.name}: the worker that ran it"
    here = {**versions(), "result format": FORMAT}
    there = {**result["versions"], "result format": result["format"]}
    other = [
        f"{name} {there.get(name)} (here {here[name]})" for name in here if there.get(name) != here[name]
    ]
    if other:
        raise FpsError(f"{who}: has {', '.join(other)}; install the same versions there")
    if (result["task"], result["config_digest"]) != (task.name, task.config.digest()):
        raise FpsError(f"{who} read another config; install the same fpsverify there")
    found = result.get("provenance", origin).partition(":")[0]
    if found != origin:
        raise FpsError(f"{who} has {found} data (here {origin}); put the same data there (FPSVERIFY_DATA)")


def _one_line(error: BaseException) -> str:  # pragma: no cover: needs Dask: make test-engines
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]
