"""The one round loop, and runs on disk that survive being killed.

    rounds(...)  state → state, one row per round: pure, in memory
    run(...)     the same loop with a run directory: config.toml, rounds.parquet, summary.json, checkpoints/

Order of writing at a checkpoint: rows first, then the state. Rows beyond the newest checkpoint are dropped on
resume and computed again, because every draw is a function of (seed, round).

A record is the same bit for bit, resumed or not, on the same machine with the same versions of torch and
numpy; the number of threads does not matter, because a run takes one (`threads.py`). Another processor may
round sums differently. Hashes, and sketches of given values on a CPU, are the same on every machine.

With a `Job` of several ranks each of them runs this same loop on its own devices. Rank 0 evaluates, writes
and has the summary; wire.parquet then says how many bytes it moved in each round.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fpsverify import algorithms
from fpsverify.algorithms import Algorithm, Setup
from fpsverify.algorithms.base import sampling_noise
from fpsverify.config import RunConfig
from fpsverify.distributed.ranks import SINGLE, Job
from fpsverify.errors import BadInput, RunFailed
from fpsverify.files import make_folder, only_one, write_result
from fpsverify.problems.build import Built, build
from fpsverify.runs import folder as run_folder
from fpsverify.runs import readout, record
from fpsverify.runs.averaged import Average, with_averages
from fpsverify.runs.folder import Log
from fpsverify.runs.record import Row
from fpsverify.threads import one_thread
from fpsverify.vectors import SparseVector, Vector, is_finite, norm_squared

if TYPE_CHECKING:
    from fpsverify.own.federation import Federation

Progress = Callable[[Row], None]


@dataclass(frozen=True, repr=False)
class RunResult:
    """What a run has found. On a rank that does not lead, rows lack evaluations and the summary is empty.

    `rows` has one dictionary per round, `summary` the final figures.
    """

    config: RunConfig
    rows: list[Row]
    summary: dict[str, Any]
    state: Any
    folder: Path | None
    traffic: list[Row] = field(default_factory=list)
    averaged: Vector | None = None
    readout: SparseVector | None = None

    def __repr__(self) -> str:
        where = "in memory" if self.folder is None else str(self.folder)
        return f"RunResult({self.config.algorithm.name}, {len(self.rows) - 1} rounds, {where})"


def prepare(
    config: RunConfig, job: Job = SINGLE, federation: Federation | None = None
) -> tuple[Algorithm, Setup, Built]:
    algorithm = algorithms.find(config.algorithm.name)
    ranks = job.over(config.devices.M)
    built = build(config, job.wire.accelerator, federation)
    algorithm.check(config, built.problem.d)
    readout.check(config.record.readout_k, built.problem.d)
    check_participation(config, job.wire.world, bool(algorithm.per_device(config)))
    return algorithm, Setup(config, built.problem, built.dtype, built.device, ranks), built


def check_participation(config: RunConfig, ranks: int, per_device: bool) -> None:
    """Ranks share the participants out anew in every round, so nobody may hold a state of devices."""
    n, M = config.devices.per_round, config.devices.M
    if n < M and ranks > 1 and (per_device or ranks > n):
        right = "all devices on several ranks, unless no device has a state (simulate = averaged)"
        raise BadInput("devices.participation", config.devices.participation, right)


def rounds(algorithm: Algorithm, setup: Setup, state: Any, first: int) -> Iterator[tuple[int, Any, Row]]:
    """Rounds first … T; `first` = 0 also yields the row of the initial model."""
    if first == 0:
        yield 0, state, _row(algorithm, setup, state, 0, {})
    for t in range(max(first, 1), setup.config.rounds + 1):
        state, info = algorithm.step(setup, state, t)
        yield t, state, _row(algorithm, setup, state, t, info)


def _row(algorithm: Algorithm, setup: Setup, state: Any, t: int, info: Row) -> Row:
    """Row t describes w_t: the model after round t, with what round t reported."""
    plan = setup.config.record
    w = algorithm.model(setup, state)
    if not is_finite(w):
        raise RunFailed(f"round {t}: the model is not finite; use a smaller local.gamma or less noise")
    row: Row = {"round": t, "w_norm_squared": norm_squared(w), **info}
    if plan.verify:
        full = setup.problem.full_gradient(w, setup.ranks)
        row["loss"] = full.loss
        row["grad_norm_squared"] = norm_squared(full.gradient)
        row["device_grad_norm_squared"] = sum(full.device_norms_squared) / setup.problem.M
    if setup.ranks.leads and record.evaluated(setup.config, t):
        row.update(setup.problem.evaluate(w, plan.tie_rule))
    return row


def run_in_memory(
    config: RunConfig,
    progress: Progress | None = None,
    job: Job = SINGLE,
    federation: Federation | None = None,
) -> RunResult:
    """A run that leaves nothing on disk."""
    with one_thread():
        return _in_memory(config, progress, job, federation)


def _in_memory(
    config: RunConfig, progress: Progress | None, job: Job, federation: Federation | None
) -> RunResult:
    config = run_folder.common_config(config, None, False, job)
    algorithm, setup, built = prepare(config, job, federation)
    state, log = algorithm.init(setup), Log()
    found = rounds(algorithm, setup, state, 0)
    for _, state, average, row in with_averages(algorithm, setup, found, Average()):
        log.add(setup, row)
        if progress:
            progress(row)
    largest = readout.read_out(setup, algorithm.model(setup, state))
    summary = _summary(setup, built, log.rows, largest)
    return RunResult(config, log.rows, summary, state, None, log.traffic, average.averaged, largest)


def run(
    config: RunConfig | None,
    folder: Path,
    resume: bool = False,
    progress: Progress | None = None,
    job: Job = SINGLE,
    federation: Federation | None = None,
    *,
    overwrite: bool = False,
    trust: bool = False,
) -> RunResult:
    """A run in `folder`. With `resume`, continue what is there; `config` may then be None.

    A finished run goes on if `config` has more rounds: to the same bits as a run of so many.
    `federation` is the problem of a config whose data are `own`; with `trust` the file that the config names
    is run to make it.
    `overwrite`: a run that is in the folder makes way.
    """
    if not isinstance(config, RunConfig | None):
        raise BadInput("config", type(config).__name__, "a RunConfig, for example fps.load_config(FILE.toml)")
    if not isinstance(folder, str | PathLike):
        raise BadInput("folder", folder, "the name of a folder")
    with one_thread():
        return _on_disk(config, Path(folder), resume, progress, job, federation, overwrite, trust)


def _on_disk(
    config: RunConfig | None,
    folder: Path,
    resume: bool,
    progress: Progress | None,
    job: Job,
    federation: Federation | None,
    overwrite: bool,
    trust: bool,
) -> RunResult:
    config = run_folder.common_config(config, folder, resume, job, overwrite)
    if trust and federation is None and config.problem.source is not None:
        from fpsverify.own.source import federation_of

        federation = federation_of(config)
    algorithm, setup, built = prepare(config, job, federation)
    fresh = algorithm.init(setup)  # whatever is wrong with the config shows before a folder exists
    with _held(setup, folder):
        if overwrite and setup.ranks.leads:
            run_folder.begin(folder, config, overwrite)
        first, state, average, log = run_folder.restore(algorithm, setup, folder, fresh)
        if setup.ranks.leads:
            run_folder.begin(folder, config, overwrite=False)
        if progress:
            for row in log.rows:
                progress(row)
        state, average = _drive(algorithm, setup, folder, first, state, average, log, progress)
        largest = readout.read_out(setup, algorithm.model(setup, state))
        summary = _summary(setup, built, log.rows, largest)
        if setup.ranks.leads:
            if largest is not None:
                readout.save(folder, largest)
            write_result(folder / record.SUMMARY, summary)
    return RunResult(config, log.rows, summary, state, folder, log.traffic, average.averaged, largest)


@contextlib.contextmanager
def _held(setup: Setup, folder: Path) -> Iterator[None]:
    """The folder, made and locked by the rank that leads; the others never touch it."""
    if not setup.ranks.leads:
        yield
        return
    make_folder(folder, "--out")
    with only_one(folder):
        yield


def _drive(
    algorithm: Algorithm,
    setup: Setup,
    folder: Path,
    first: int,
    start: Any,
    average: Average,
    log: Log,
    progress: Progress | None,
) -> tuple[Any, Average]:
    """Run the loop, appending to `log`; leave a checkpoint every so often and at the end."""
    plan, last = setup.config.record, setup.config.rounds
    done, state, mean = first - 1, start, average
    try:
        found = rounds(algorithm, setup, start, first)
        for done, state, mean, row in with_averages(algorithm, setup, found, average):
            log.add(setup, row)
            if progress:
                progress(row)
            if done % plan.checkpoint_every == 0 or done == last:
                run_folder.store(algorithm, setup, folder, done, state, mean, log)
    except RunFailed:
        if setup.ranks.leads:
            run_folder.write_rows(setup, folder, log)
        raise
    except KeyboardInterrupt:
        # Ranks are interrupted in different rounds and could not agree on a state: these keep the last one.
        if setup.ranks.wire.world == 1 and len(log.rows) == done + 1 > 0:
            run_folder.store(algorithm, setup, folder, done, state, mean, log)
        raise
    return state, mean


def _summary(setup: Setup, built: Built, rows: list[Row], largest: SparseVector | None) -> dict[str, Any]:
    if not setup.ranks.leads:
        return {}
    config = setup.config
    found: dict[str, Any] = {
        "algorithm": config.algorithm.name,
        "config_digest": config.digest(),
        "seed": config.seed,
        "versions": record.versions(),
        "data": built.provenance,
        "d": setup.problem.d,
        "M": setup.problem.M,
        "notes": notes(config),
        **record.summarise(rows),
    }
    if largest is not None:
        found["final"] |= readout.measured(setup, largest)
    return found


def notes(config: RunConfig) -> list[str]:
    """What a reader of the result must know about how it came about."""
    out, options = [], config.algorithm
    if options.scan == "support":
        out.append("candidate scan: the server is assumed to know which coordinates occur in the data")
    if options.device_sketch == "resync" and options.k / options.buckets > 0.025:
        out.append(f"resync at k/b = {options.k / options.buckets:.3g}: re-sketching alone can grow the norm")
    if config.local.unit == "epochs":
        out.append(
            "epochs sample without replacement: the noise is not a martingale difference within a round"
        )
    n, M = config.devices.per_round, config.devices.M
    if n < M:
        out.append(
            f"{n} of {M} devices take part in a round, which adds {sampling_noise(M, n):.3g} of the variance "
            "between devices as noise; the proved ranges and bounds are those of all devices"
        )
    return out
