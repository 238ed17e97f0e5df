"""Evidence from a run directory: its config rebuilds the problem, its checkpoints give the iterates."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from empirical.observed.protocol import Evidence, Iterate
from empirical.observed.run_models import SparseModel, model_of
from fpsverify.algorithms import Algorithm, Setup
from fpsverify.config import RunConfig
from fpsverify.errors import FpsError
from fpsverify.local import local_updates
from fpsverify.problems.problem import steps_in_round
from fpsverify.rng import derive_seed
from fpsverify.runs import checkpoint, record
from fpsverify.runs import files as run_files
from fpsverify.runs.checkpoint import Flaw, survey, told
from fpsverify.runs.loop import notes, prepare, rounds
from fpsverify.threads import one_thread
from fpsverify.vectors import SparseVector, Vector, add, is_finite

if TYPE_CHECKING:
    from fpsverify.own.federation import Federation

FEWEST_ROUNDS = 10
FEWEST_ITERATES = 3
LOOKS = 16  # rounds that are looked at
MOST_STEPS = 300  # rounds that are run again to reach them
AGREE, TINY = 1e-9, 1e-300  # what two sums of the same squares may differ by, relatively
SERIES = (
    "w_norm_squared",
    "grad_norm_squared",
    "device_grad_norm_squared",
    "residual_squared",
    "v_norm_squared",
    "update_norm_squared",
    "noise_energy",
    "loss",
)


def evidence(
    folder: Path, most_iterates: int = LOOKS, replay: bool = False, federation: Federation | None = None
) -> Evidence:
    """Read a run; `replay` runs it once more in memory to measure what it did not record.

    A run of one's own problem needs its federation again.

    All files are checked before the data is loaded, so that a damaged folder is refused at once.
    """
    config, rows = run_files.read_config(folder), run_files.read_rows(folder)
    broke = run_files.broke_in(folder, config, rows)
    if broke and (len(rows) <= FEWEST_ROUNDS or any(map(_not_finite, rows))):
        raise run_files.diverged(folder, config, broke)
    unfinished = [] if run_files.read_summary(folder, config) else [_unfinished(rows, config, broke)]
    _check_rows(folder, rows)
    T = int(rows[-1]["round"])
    found, flaws = ({}, ()) if replay else _checkpoints(folder, config, T)
    looks = reachable(T, list(found), most_iterates)
    starts = {max((at for at in found if at <= t), default=0) for t in looks} & set(found)
    stored = [checkpoint.load(found[t]) for t in sorted(starts)]
    algorithm, setup, _ = prepare(config, federation=federation)
    if replay:
        setup = dataclasses.replace(setup, config=config.model_copy(update={"record": _verified(config)}))
        states, replayed = replayed_states(algorithm, setup, T, most_iterates)
        seen = _evidence(algorithm, setup, states, replayed, [*unfinished, difference(rows, replayed)])
        return dataclasses.replace(seen, broke=broke)
    d, device = setup.problem.d, setup.device
    kept = {c.t: checkpoint.unpack(algorithm.state_type, c.tensors, d, device) for c in stored}
    states = states_at(algorithm, setup, kept, looks)
    remarks = [*unfinished, *([f"checkpoints: {left_out(flaws)}"] if flaws else [])]
    seen = _evidence(algorithm, setup, states, rows, remarks)
    apart = _away_from_the_record(seen, rows)
    return dataclasses.replace(seen, left_out=flaws, notes=(*seen.notes, *apart), broke=broke)


def _away_from_the_record(seen: Evidence, rows: list[record.Row]) -> list[str]:
    """Rounds between checkpoints are run again; on another machine they may come out otherwise."""
    if isinstance(seen.model, SparseModel):
        return []
    norms = {it.t: float(it.w.double().square().sum()) for it in seen.iterates}
    off = max(abs(norms[t] - rows[t]["w_norm_squared"]) / max(norms[t], TINY) for t in norms)
    if off <= AGREE:
        return []
    return [f"rounds run again from checkpoints differ from the record: ‖w̃‖² by up to {off:.2g} of itself"]


def evidence_in_memory(algorithm: Algorithm, setup: Setup, most_iterates: int = LOOKS) -> Evidence:
    """Run once, leaving nothing on disk, and look at it."""
    verified = setup.config.model_copy(update={"record": _verified(setup.config)})
    setup = dataclasses.replace(setup, config=verified)
    states, rows = replayed_states(algorithm, setup, verified.rounds, most_iterates)
    return _evidence(algorithm, setup, states, rows, [])


def _verified(config: RunConfig) -> Any:
    return config.record.model_copy(update={"verify": True})


def replayed_states(
    algorithm: Algorithm, setup: Setup, T: int, most: int
) -> tuple[dict[int, Any], list[record.Row]]:
    """All rows of rounds 0 … T, and the states (with their exact v_t) of evenly spaced rounds."""
    wanted = set(evenly(T + 1, most))
    states, rows = {}, []
    with one_thread():  # as the run took
        for t, state, row in rounds(algorithm, setup, algorithm.init(setup), 0):
            rows.append(row)
            if t in wanted:
                states[t] = state
            if t == T:
                break
    return states, rows


def states_at(
    algorithm: Algorithm, setup: Setup, stored: dict[int, Any], rounds: list[int]
) -> dict[int, Any]:
    """The states of these rounds, each run again from the last stored one: draws are named by round."""
    found, states, t = {}, {0: algorithm.init(setup)} | stored, 0
    state = states[0]
    with one_thread():  # as the run took
        for wanted in rounds:
            start = max(at for at in states if at <= wanted)
            if start > t:
                t, state = start, states[start]
            while t < wanted:
                t += 1
                state, _ = algorithm.step(setup, state, t)
            found[wanted] = state
    return found


def reachable(T: int, at: list[int], most: int) -> list[int]:
    """At most `most` rounds of 0 … T, as evenly spaced as MOST_STEPS rounds from those `at` allow."""
    starts = np.unique([0, *at])
    every = np.arange(T + 1)
    since = every - starts[np.searchsorted(starts, every, side="right") - 1]
    within = every[since <= MOST_STEPS // len(starts)]
    nearest = [int(within[np.argmin(np.abs(within - t))]) for t in evenly(T + 1, most)]
    return sorted(set(nearest))


def difference(recorded: list[record.Row], replayed: list[record.Row]) -> str:
    """What a reader must know: the recorded run bit for bit (same machine, same versions), or how far off."""
    a, b = (np.array([row["w_norm_squared"] for row in rows]) for rows in (recorded, replayed))
    if np.array_equal(a, b):
        return "replayed: ‖w̃_t‖² equals the record in every round, bit for bit"
    relative = float(np.max(np.abs(a - b) / np.maximum(np.abs(a), np.finfo(float).tiny)))
    return (
        f"replayed, not bit for bit: ‖w̃_t‖² differs from the record by up to {relative:.2g} of itself "
        "(another machine or version); the figures are those of the replay"
    )


def evenly(count: int, most: int) -> list[int]:
    """At most `most` of 0 … count−1 (at least 3), evenly spaced, first and last among them."""
    chosen = np.linspace(0, count - 1, max(most, FEWEST_ITERATES)).round().astype(int)
    return [int(i) for i in np.unique(chosen)]


def _evidence(
    algorithm: Algorithm,
    setup: Setup,
    states: dict[int, Any],
    rows: list[record.Row],
    remarks: list[str],
) -> Evidence:
    config, problem, local = setup.config, setup.problem, setup.config.local
    model = model_of(problem, local)
    T = int(rows[-1]["round"])
    one_step = algorithm.name == "mission"
    return Evidence(
        model=model,
        iterates=tuple(_iterate(algorithm, setup, model, t, state, T) for t, state in states.items()),
        gamma=local.gamma,
        mu=0.0 if one_step else local.mu,
        E=1 if one_step else max(steps_in_round(problem.sizes, local)),  # type: ignore[attr-defined]
        T=T,
        seed=config.seed,
        series=_series(rows),
        unbiased=_why_unbiased(config),
        without_replacement=local.unit == "epochs" and local.batch > 0,
        k=config.algorithm.k if algorithm.name != "fedavg" else None,
        full_d=problem.d,
        per_round=config.devices.per_round,
        received=lambda t, n: received_gradients(algorithm, setup, states[t], t, n),
        notes=(*notes(config), *remarks),
        config=config.model_dump(mode="json"),
        reached=record.summarise(rows)["final"],
    )


def _unfinished(rows: list[record.Row], config: RunConfig, broke: int | None) -> str:
    last = int(rows[-1]["round"])
    how = f"diverged in round {broke}" if broke else "not finished"
    return f"{how} ({record.SUMMARY} is missing): judged up to round {last} of {config.rounds}"


def _check_rows(folder: Path, rows: list[record.Row]) -> None:
    if len(rows) <= FEWEST_ROUNDS:
        raise FpsError(
            f"{folder}: {max(len(rows) - 1, 0)} rounds recorded; at least {FEWEST_ROUNDS} are needed"
        )
    for row in rows:
        if bad := _not_finite(row):
            raise FpsError(f"{folder}: {bad[0]} is not finite in round {int(row['round'])}: the run diverged")


def _not_finite(row: record.Row) -> list[str]:
    return [n for n, value in row.items() if math.isnan(value) or (n in SERIES and math.isinf(value))]


def _series(rows: list[record.Row]) -> dict[str, np.ndarray]:
    """Columns over rounds; only those that every round (or every round but the initial one) has."""
    out = {}
    for name in SERIES:
        values = [row[name] for row in rows if name in row]
        if len(values) >= len(rows) - 1:
            out[name] = np.array(values)
    return out


def _why_unbiased(config: RunConfig) -> str:
    if config.local.batch == 0:
        return "full gradients"
    return "mini-batches drawn with replacement" if config.local.unit == "steps" else ""


def _checkpoints(folder: Path, config: RunConfig, last: int) -> tuple[dict[int, Path], tuple[Flaw, ...]]:
    """Checkpoints of rounds up to `last`, and what had to be left out; refused where too few are in reach."""
    found = survey(folder, config, last)
    if len(reachable(last, list(found.good), LOOKS)) >= FEWEST_ITERATES:
        return found.good, found.flaws
    flawed = f" ({told(found.flaws)})" if found.flaws else ""
    raise FpsError(
        f"{folder}: {len(found.good)} checkpoint(s){flawed}, too far apart to look at {FEWEST_ITERATES} "
        "rounds: use record.keep_checkpoints = 'all' and a smaller record.checkpoint_every, or --replay"
    )


def left_out(flaws: tuple[Flaw, ...]) -> str:
    """What a reader of the estimate must know, and what helps."""
    return f"{told(flaws)}; left out, and its rounds are run again from the one before"


def _iterate(algorithm: Algorithm, setup: Setup, model: Any, t: int, state: Any, T: int) -> Iterate:
    """w̃_t with its v_t where kept, and w̃_{t+1} for t < T: every draw is a function of (seed, round)."""
    w = algorithm.model(setup, state)
    v = getattr(state, "v", None)
    if not is_finite(w) or (v is not None and not is_finite(v)):
        raise FpsError(f"the checkpoint of round {t} is not finite: the run diverged")
    after = None
    if t < T:
        after = in_model(model, algorithm.model(setup, algorithm.step(setup, state, t + 1)[0]))
    if v is None:
        return Iterate(t, in_model(model, w), after=after)
    beside = setup.config.algorithm.initial_model == "beside"
    exact = add(setup.problem.start, v) if beside else v
    stored = v.values if isinstance(v, SparseVector) else v
    return Iterate(t, in_model(model, w), in_model(model, exact), stored, after)


def in_model(model: Any, w: Vector) -> Tensor:
    """A vector in the coordinates of the model; for sparse data, those that occur in it."""
    if isinstance(model, SparseModel):
        return w.gather(model.support) if isinstance(w, SparseVector) else w[model.support]
    return w.dense() if isinstance(w, SparseVector) else w


def received_gradients(
    algorithm: Algorithm, setup: Setup, state: Any, t: int, n: int
) -> dict[str, tuple[Tensor, Tensor]]:
    """n replicates of round t + 1's gradient, −(change of the model)/(γE), with ∇f(w̃_t), by stage:

    averaged: the mean of the devices' displacements; received: what the server's read-out changed by, after
    sketch, channel and top-k. A round number that no run reaches names fresh draws and keeps the hash.
    """
    local = setup.config.local
    w = algorithm.model(setup, state)
    sizes = setup.problem.sizes  # type: ignore[attr-defined]
    scale = -1.0 / (local.gamma * (1 if algorithm.name == "mission" else max(steps_in_round(sizes, local))))
    averaged, received = [], []
    for i in range(n):
        draw = derive_seed(setup.seed, "replicate", t, i)
        after = algorithm.model(setup, algorithm.step(setup, state, draw)[0])
        received.append(_scaled(add(after, w, -1.0), scale))
        if algorithm.name != "mission":
            averaged.append(_scaled(local_updates(setup.problem, w, local, draw).mean(), scale))
    gradient = setup.problem.full_gradient(w).gradient
    stages = {"averaged": averaged, "received": received}
    return {name: aligned(vectors, gradient) for name, vectors in stages.items() if vectors}


def _scaled(v: Vector, scale: float) -> Vector:
    return v.scaled(scale) if isinstance(v, SparseVector) else v * scale


def aligned(vectors: list[Vector], gradient: Vector) -> tuple[Tensor, Tensor]:
    """Replicates (n, ·) and gradient (·) on common coordinates."""
    if isinstance(gradient, SparseVector):
        sparse = [v for v in vectors if isinstance(v, SparseVector)]
        at = torch.unique(torch.cat([gradient.indices, *(v.indices for v in sparse)]))
        return torch.stack([v.gather(at) for v in sparse]), gradient.gather(at)
    return torch.stack([v for v in vectors if isinstance(v, Tensor)]), gradient
