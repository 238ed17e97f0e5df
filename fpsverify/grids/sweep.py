"""A sweep: one config, some keys that take several values, several seeds; every combination is a cell.

All cells share their seeds, so that comparing two of them is comparing pairs.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fpsverify import config as configs
from fpsverify.batches import demand_batch
from fpsverify.config import RunConfig
from fpsverify.errors import BadInput, FpsError
from fpsverify.files import demand_creatable, make_folder, read_result, write_result, write_text
from fpsverify.grids.executors import Executor
from fpsverify.grids.runner import Done, Progress, demand_free, opened
from fpsverify.grids.task import Task
from fpsverify.runs.folder import agreed_config

if TYPE_CHECKING:
    from fpsverify.own.federation import Federation

PLANNED = "planned.json"  # a killed sweep is known to be one, and a finished one is shown as it was asked for
LONGEST_NAME = 120  # file systems take 255 bytes


@dataclass(frozen=True)
class Axis:
    """A key of the config and the values it takes, as they would be written after --set KEY=."""

    key: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """The keys that a sweep varies and the names of its runs, in the order in which they were asked for."""

    over: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()


def axes(texts: Iterable[str]) -> tuple[Axis, ...]:
    """From `key=value,value,…`, one text per key."""
    found: dict[str, Axis] = {}
    for text in texts:
        key, equals, listed = (part.strip() for part in text.partition("="))
        values = tuple(dict.fromkeys(v.strip() for v in listed.split(",")))
        if not (key and equals and all(values)):
            raise BadInput("--over", text, "KEY=VALUE,VALUE,…, for example channel.sigma=0.05,0.5")
        if key == "seed":
            raise BadInput("--over", text, "a key other than seed; --seeds N repeats every cell")
        if key in found:
            raise BadInput("--over", text, f"{key} once, with all its values")
        found[key] = Axis(key, values)
    if not found:
        raise BadInput("--over", "nothing", "at least one KEY=VALUE,VALUE,…")
    return tuple(found.values())


def axes_of(over: Mapping[str, Iterable[Any]]) -> tuple[Axis, ...]:
    """From Python: {"channel.sigma": [0.05, 0.5]}."""
    if not isinstance(over, Mapping):
        raise BadInput("over", over, 'a dict of keys and their values: {"local.gamma": [0.01, 0.1]}')
    for key, values in over.items():
        if isinstance(values, str) or not isinstance(values, Iterable):
            raise BadInput(f"over[{key!r}]", values, "a list of values")
    return axes(f"{key}={','.join(map(_text, values))}" for key, values in over.items())


def _text(value: Any) -> str:
    value = value.item() if hasattr(value, "item") else value  # a number of numpy or torch
    if not isinstance(value, (str, int, float, type(None))):
        raise BadInput("over", value, "plain values; the sizes of a sketch are algorithm.rows, buckets and k")
    return value if isinstance(value, str) else json.dumps(value)


def tasks(
    config: RunConfig,
    over: tuple[Axis, ...],
    seeds: int,
    federation: Federation | None = None,
    trust: bool = False,
) -> list[Task]:
    """Every combination of the values, each with the seeds of the config and after it."""
    if seeds < 1:
        raise BadInput("--seeds", seeds, "at least 1")
    values = config.model_dump(mode="json", exclude_none=True)
    found = []
    for chosen in product(*(axis.values for axis in over)):
        settings = dict(zip((axis.key for axis in over), chosen, strict=True))
        overrides = [f"{key}={text}" for key, text in settings.items()]
        for i in range(seeds):
            at = configs.parse(configs.apply_overrides(values, [*overrides, f"seed={config.seed + i}"]))
            if federation is not None:
                demand_batch(at, federation.sizes)
            labels = {key: value_at(at, key) for key in settings}
            found.append(Task(name(settings), "trial", i, at, labels, federation, trust))
    return found


def name(settings: Mapping[str, str]) -> str:
    """The name of a cell, which is also that of its files."""
    plain = ",".join(f"{key}={text}" for key, text in settings.items())
    safe = re.sub(r"[^\w.=,+-]", "_", plain)
    if safe == plain and len(safe) <= LONGEST_NAME:
        return safe
    return f"{safe[:LONGEST_NAME]}-{hashlib.sha256(plain.encode()).hexdigest()[:8]}"


def value_at(config: RunConfig, key: str) -> Any:
    """The value of `section.key`."""
    found: Any = config
    for part in key.split("."):
        found = getattr(found, part)
    return found


def run_sweep(
    config: RunConfig,
    over: tuple[Axis, ...],
    seeds: int,
    folder: Path,
    where: Executor | None = None,
    resume: bool = False,
    progress: Progress | None = None,
    federation: Federation | None = None,
    trust: bool = False,
) -> Done:
    """The runs of all cells, in `folder`, which also keeps the config that they vary."""
    chosen = tasks(config, over, seeds, federation, trust)
    demand_place(config, folder, resume)
    make_folder(folder, "--out")
    write_text(folder / "config.toml", config.to_toml())
    planned = {"over": [axis.key for axis in over], "runs": [task.name for task in chosen]}
    write_result(folder / PLANNED, planned)
    with opened(folder, where, resume, progress) as grid:
        return grid.run(chosen)


def plan(folder: Path) -> Plan:
    """What was asked for in this folder; nothing where no sweep says so."""
    try:
        found = read_result(folder / PLANNED)
        return Plan(tuple(map(str, found["over"])), tuple(map(str, found["runs"])))
    except FileNotFoundError:
        return Plan()
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise FpsError(
            f"{folder / PLANNED}: unreadable ({error}); without this file all runs are shown"
        ) from None


def unfinished(folder: Path, done: Iterable[str]) -> str:
    """That runs of the sweep in this folder are missing, in words; "" where none is."""
    there = set(done)
    left = len(set(plan(folder).runs) - there)
    if not left:
        return ""
    return f"Not finished: {len(there)} of {len(there) + left} runs (the same sweep with --resume goes on)."


def demand_place(config: RunConfig, folder: Path, resume: bool) -> None:
    """A new folder, or with `resume` one whose sweep varies the same config."""
    demand_free(folder, resume)
    demand_creatable(folder, "--out")
    if resume and (folder / "config.toml").exists():
        agreed_config(config, folder, resume)
        if config.rounds != (begun := configs.load(folder / "config.toml").rounds):
            raise BadInput(
                "config", f"rounds = {config.rounds} (was {begun})", f"the config stored in {folder}"
            )
