"""The one round loop, and runs on disk that survive being killed.

    rounds(...)  state → state, one row per round: pure, in memory
    run(...)     the same loop with a run directory: config.toml, rounds.parquet, summary.json, checkpoints/

Order of writing at a checkpoint: rows first, then the state. Rows beyond the newest checkpoint are dropped on
resume and computed again, bit for bit, because every draw is a function of (seed, round).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fpsverify import algorithms, checkpoint, record
from fpsverify import config as configs
from fpsverify.algorithms import Algorithm, Setup
from fpsverify.build import Built, build
from fpsverify.config import RunConfig
from fpsverify.errors import BadInput, FpsError, RunFailed
from fpsverify.files import make_folder, only_one, write_json, write_text
from fpsverify.record import Row
from fpsverify.vectors import is_finite, norm_squared

Progress = Callable[[Row], None]


@dataclass(frozen=True)
class RunResult:
    config: RunConfig
    rows: list[Row]
    summary: dict[str, Any]
    state: Any
    folder: Path | None


def prepare(config: RunConfig) -> tuple[Algorithm, Setup, Built]:
    algorithm = algorithms.find(config.algorithm.name)
    built = build(config)
    algorithm.check(config, built.problem.d)
    return algorithm, Setup(config, built.problem, built.dtype, built.device), built


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
        full = setup.problem.full_gradient(w)
        row["loss"] = full.loss
        row["grad_norm_squared"] = norm_squared(full.gradient)
        row["device_grad_norm_squared"] = sum(full.device_norms_squared) / setup.problem.M
    if t % plan.evaluate_every == 0 or t == setup.config.rounds:
        row.update(setup.problem.evaluate(w, plan.tie_rule))
    return row


def run_in_memory(config: RunConfig, progress: Progress | None = None) -> RunResult:
    """A run that leaves nothing on disk."""
    algorithm, setup, built = prepare(config)
    start, rows = algorithm.init(setup), []
    for _, state, row in rounds(algorithm, setup, start, 0):
        rows.append(row)
        if progress:
            progress(row)
    return RunResult(config, rows, _summary(setup, built, rows), state, None)


def run(
    config: RunConfig | None, folder: Path, resume: bool = False, progress: Progress | None = None
) -> RunResult:
    """A run in `folder`. With `resume`, continue what is there; `config` may then be None."""
    config = agreed_config(config, folder, resume)
    algorithm, setup, built = prepare(config)
    fresh = algorithm.init(setup)  # whatever is wrong with the config shows before a folder exists
    make_folder(folder, "--out")
    with only_one(folder):
        first, state, rows = _restore(algorithm, setup, folder, fresh)
        write_text(folder / "config.toml", config.to_toml())
        if progress:
            for row in rows:
                progress(row)
        state = _drive(algorithm, setup, folder, first, state, rows, progress)
        summary = _summary(setup, built, rows)
        write_json(folder / record.SUMMARY, summary)
    return RunResult(config, rows, summary, state, folder)


def agreed_config(config: RunConfig | None, folder: Path, resume: bool) -> RunConfig:
    """The config to run with, after checking that the folder and the request agree."""
    stored = folder / "config.toml"
    if not resume:
        if folder.exists() and (not folder.is_dir() or any(p.name != ".lock" for p in folder.iterdir())):
            raise BadInput("--out", str(folder), "a new or empty folder, or add --resume")
        if config is None:
            raise BadInput("config", "nothing", "a config file, --demo, or --resume with --out")
        return config
    if not stored.exists():
        if config is None:
            raise BadInput("--out", str(folder), "a run directory with a config.toml to resume")
        return config
    before = configs.load(stored)
    if config is not None and config.digest() != before.digest():
        raise BadInput("config", _difference(before, config), f"the config stored in {folder}")
    return before


def _difference(before: RunConfig, after: RunConfig) -> str:
    old, new = before.model_dump(), after.model_dump()
    for name in old:
        if old[name] != new[name]:
            if not isinstance(old[name], dict):
                return f"{name} = {new[name]} (was {old[name]})"
            key = next(k for k in old[name] if old[name][k] != new[name][k])
            return f"{name}.{key} = {new[name][key]} (was {old[name][key]})"
    return "another config"


def _restore(algorithm: Algorithm, setup: Setup, folder: Path, fresh: Any) -> tuple[int, Any, list[Row]]:
    """Where to go on: after the newest good checkpoint, or at the start if none was ever written."""
    found = checkpoint.latest(folder, setup.config.digest())
    if found is None:
        if checkpoint.stored(folder):
            raise FpsError(
                f"{folder / 'checkpoints'}: no file is readable and of this config; use another --out"
            )
        return 0, fresh, []
    rows = [row for row in record.read_rows(folder) if row["round"] <= found.t]
    if [int(row["round"]) for row in rows] != list(range(found.t + 1)):
        raise FpsError(
            f"{folder / record.ROUNDS}: rows 0 to {found.t} expected; remove the folder and start again"
        )
    state = checkpoint.unpack(algorithm.state_type, found.tensors, setup.problem.d, setup.device)
    return found.t + 1, state, rows


def _drive(
    algorithm: Algorithm,
    setup: Setup,
    folder: Path,
    first: int,
    start: Any,
    rows: list[Row],
    progress: Progress | None,
) -> Any:
    """Run the loop, appending to `rows`; leave a checkpoint every so often and at the end."""
    plan, last = setup.config.record, setup.config.rounds
    metadata = {"config": setup.config.digest(), "seed": str(setup.seed)}
    done, state = first - 1, start
    try:
        for done, state, row in rounds(algorithm, setup, start, first):
            rows.append(row)
            if progress:
                progress(row)
            if done % plan.checkpoint_every == 0 or done == last:
                _store(setup, folder, done, state, rows, metadata)
    except RunFailed:
        record.write_rows(folder, rows, metadata)
        raise
    except KeyboardInterrupt:
        if len(rows) == done + 1 > 0:
            _store(setup, folder, done, state, rows, metadata)
        raise
    return state


def _store(setup: Setup, folder: Path, t: int, state: Any, rows: list[Row], metadata: dict[str, str]) -> None:
    record.write_rows(folder, rows, metadata)
    path = checkpoint.save(folder, t, setup.config.digest(), state)
    if setup.config.record.keep_checkpoints == "last":
        checkpoint.prune(folder, keep=path)


def _summary(setup: Setup, built: Built, rows: list[Row]) -> dict[str, Any]:
    config = setup.config
    return {
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
    return out
