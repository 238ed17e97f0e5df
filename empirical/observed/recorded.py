"""Evidence from a run directory: its config rebuilds the problem, its checkpoints give the iterates."""

from __future__ import annotations

import dataclasses
import math
from itertools import pairwise
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
from fpsverify.runs.checkpoint_survey import Flaw, survey, told
from fpsverify.runs.loop import notes, prepare, rounds
from fpsverify.threads import one_thread
from fpsverify.vectors import SparseVector, Vector, add, is_finite

if TYPE_CHECKING:
    from fpsverify.own.federation import Federation

FEWEST_ROUNDS = 10
FEWEST_ITERATES = 3
LOOKED_AT = 16  # rounds that are looked at for L
MOST_STEPS = 300  # rounds that are run again to reach them
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
    folder: Path, most_iterates: int = 10, replay: bool = False, federation: Federation | None = None
) -> Evidence:
    """Read a run; `replay` runs it once more in memory to measure what it did not record.

    A run of one's own problem needs its federation again.

    All files are checked before the data is loaded, so that a damaged folder is refused at once.
    """
    config, rows = run_files.read_config(folder), run_files.read_rows(folder)
    unfinished = [] if run_files.read_summary(folder, config) else [_unfinished(rows, config)]
    _check_rows(folder, rows)
    T = int(rows[-1]["round"])
    stored, flaws = ([], ()) if replay else _checkpoints(folder, config, most_iterates, T)
    algorithm, setup, _ = prepare(config, federation=federation)
    if replay:
        setup = dataclasses.replace(setup, config=config.model_copy(update={"record": _verified(config)}))
        states, between, replayed = replayed_states(algorithm, setup, T, most_iterates)
        return _evidence(
            algorithm, setup, states, replayed, [*unfinished, difference(rows, replayed)], between
        )
    d, device = setup.problem.d, setup.device
    states = {c.t: checkpoint.unpack(algorithm.state_type, c.tensors, d, device) for c in stored}
    remarks = [*unfinished, *([f"checkpoints: {left_out(flaws)}"] if flaws else [])]
    between = states_between(algorithm, setup, states)
    found = _evidence(algorithm, setup, states, rows, remarks, between)
    return dataclasses.replace(found, left_out=flaws)


def evidence_in_memory(algorithm: Algorithm, setup: Setup, most_iterates: int = 10) -> Evidence:
    """Run once, leaving nothing on disk, and look at it."""
    verified = setup.config.model_copy(update={"record": _verified(setup.config)})
    setup = dataclasses.replace(setup, config=verified)
    states, between, rows = replayed_states(algorithm, setup, verified.rounds, most_iterates)
    return _evidence(algorithm, setup, states, rows, [], between)


def _verified(config: RunConfig) -> Any:
    return config.record.model_copy(update={"verify": True})


def replayed_states(
    algorithm: Algorithm, setup: Setup, T: int, most: int
) -> tuple[dict[int, Any], dict[int, Any], list[record.Row]]:
    """All rows of rounds 0 … T, the states (with their exact v_t) of evenly spaced rounds, and more for L."""
    wanted, looked_at = set(evenly(T + 1, most)), set(evenly(T + 1, LOOKED_AT))
    states, between, rows = {}, {}, []
    with one_thread():  # as the run took
        for t, state, row in rounds(algorithm, setup, algorithm.init(setup), 0):
            rows.append(row)
            if t in wanted:
                states[t] = state
            elif t in looked_at:
                between[t] = state
            if t == T:
                break
    return states, between, rows


def states_between(algorithm: Algorithm, setup: Setup, states: dict[int, Any]) -> dict[int, Any]:
    """States of rounds between the checkpoints, run again from the one before: draws are named by round."""
    at = sorted(states)
    reach = MOST_STEPS // len(at)
    found = {}
    for first, after in pairwise(at):
        inside = -(-(LOOKED_AT - len(at)) // (len(at) - 1)) if len(at) < LOOKED_AT else 0
        wanted = {first + i * (after - first) // (inside + 1) for i in range(1, inside + 1)} - {first}
        state = states[first]
        for t in range(first + 1, min(first + reach, max(wanted, default=first)) + 1):
            state, _ = algorithm.step(setup, state, t)
            if t in wanted:
                found[t] = state
    return found


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
    between: dict[int, Any],
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
        received=lambda t, n: received_gradients(algorithm, setup, states[t], t, n),
        between=tuple(_iterate(algorithm, setup, model, t, state, t) for t, state in between.items()),
        notes=(*notes(config), *remarks),
        config=config.model_dump(mode="json"),
    )


def _unfinished(rows: list[record.Row], config: RunConfig) -> str:
    last = int(rows[-1]["round"])
    return f"not finished ({record.SUMMARY} is missing): judged up to round {last} of {config.rounds}"


def _check_rows(folder: Path, rows: list[record.Row]) -> None:
    if len(rows) <= FEWEST_ROUNDS:
        raise FpsError(
            f"{folder}: {max(len(rows) - 1, 0)} rounds recorded; at least {FEWEST_ROUNDS} are needed"
        )
    for row in rows:
        bad = [n for n, value in row.items() if math.isnan(value) or (n in SERIES and math.isinf(value))]
        if bad:
            raise FpsError(f"{folder}: {bad[0]} is not finite in round {int(row['round'])}: the run diverged")


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


def _checkpoints(
    folder: Path, config: RunConfig, most: int, last: int
) -> tuple[list[checkpoint.Checkpoint], tuple[Flaw, ...]]:
    """Checkpoints of rounds up to `last`, at most `most`, evenly spaced; and what had to be left out."""
    if not checkpoint.stored(folder):
        raise FpsError(f"{folder}: no checkpoints; run with record.keep_checkpoints = 'all', or use --replay")
    found = survey(folder, config, last)
    at = sorted(found.good)
    if len(at) < FEWEST_ITERATES:
        flawed = f" ({told(found.flaws)})" if found.flaws else ""
        raise FpsError(
            f"{folder}: {len(at)} checkpoint(s){flawed}; at least {FEWEST_ITERATES} are needed: use "
            "record.keep_checkpoints = 'all' and a smaller record.checkpoint_every, or --replay"
        )
    if at[0] != 0:
        raise FpsError(
            f"{folder / 'checkpoints'}: {told(found.flaws)}; f(w_0) needs the checkpoint of round 0: restore "
            "it, or use --replay"
        )
    return [checkpoint.load(found.good[at[i]]) for i in evenly(len(at), most)], found.flaws


def left_out(flaws: tuple[Flaw, ...]) -> str:
    """What a reader of the estimate must know, and what helps."""
    return f"{told(flaws)}; left out (restore what is missing, or use --replay)"


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
