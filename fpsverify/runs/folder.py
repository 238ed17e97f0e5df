"""The folder of a run: which config it belongs to, where a run in it goes on, and what is written there.

Only the rank that leads touches the folder; it tells the others what they need. So a run may be continued on
any number of ranks, and ranks need no common disk.
"""

from __future__ import annotations

import logging
import shutil
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from fpsverify import config as configs
from fpsverify import tables
from fpsverify.algorithms import Algorithm, Setup
from fpsverify.config import RunConfig
from fpsverify.distributed.ranks import Job
from fpsverify.errors import BadInput, FpsError
from fpsverify.files import TEMPORARY, demand_creatable, read_result, write_text
from fpsverify.runs import checkpoint, readout, record
from fpsverify.runs.averaged import Average
from fpsverify.runs.checkpoint import Flaw, survey, told
from fpsverify.runs.record import Row

WIRE = "wire.parquet"
NEXT = "next round"
LOCK, CONFIG = ".lock", "config.toml"
OWN = (CONFIG, record.ROUNDS, record.SUMMARY, WIRE, readout.FILE, "checkpoints")
ABOUT_IT = ("estimate.json", "report.html", "tensorboard")  # what readers of a run leave in its folder
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Log:
    """The rows of a run so far, and those on the bytes that each round moved between ranks."""

    rows: list[Row] = field(default_factory=list)
    traffic: list[Row] = field(default_factory=list)

    def add(self, setup: Setup, row: Row) -> None:
        self.rows.append(row)
        wire = setup.ranks.wire
        moved = wire.traffic()
        if moved:
            self.traffic.append({"round": row["round"], "ranks": float(wire.world), **moved})


def common_config(
    config: RunConfig | None, folder: Path | None, resume: bool, job: Job, overwrite: bool = False
) -> RunConfig:
    """The config of the leading rank, refused on a rank that was given another one."""
    wire, mine = job.wire, {}
    if wire.rank == 0:
        agreed = agreed_config(config, folder, resume, overwrite)
        if wire.world == 1:
            return agreed
        mine = {"config": _bytes(agreed.to_toml()), "reduction": _bytes(job.reduction)}
    told = {name: bytes(x.numpy()).decode() for name, x in wire.tell(mine).items()}
    if told["reduction"] != job.reduction:
        raise BadInput("--reduction", job.reduction, f"{told['reduction']} on rank {wire.rank} as on rank 0")
    first = configs.parse(tomllib.loads(told["config"]))
    if config is not None and config.digest() != first.digest():
        raise BadInput("config", _difference(first, config), f"that of rank 0, on rank {wire.rank} too")
    return first


def _bytes(text: str) -> Tensor:
    return torch.frombuffer(bytearray(text.encode()), dtype=torch.uint8)


def agreed_config(
    config: RunConfig | None, folder: Path | None, resume: bool, overwrite: bool = False
) -> RunConfig:
    """The config to run with, after checking that the folder (None: in memory) and the request agree.

    A run may go on for more rounds than it was begun with.
    """
    if folder is not None:
        demand_creatable(folder, "--out")
    if resume and overwrite:
        raise BadInput("--overwrite", True, "either this or --resume")
    if folder is None or not resume:
        if folder is not None and occupied(folder):
            _demand_replaceable(folder, overwrite)
        if config is None:
            raise BadInput("config", "nothing", "a config file, --demo, or --resume with --out")
        return config
    stored = folder / CONFIG
    if not stored.exists():
        if config is None:
            raise BadInput("--out", str(folder), "a run directory with a config.toml to resume")
        return config
    before = configs.load(stored)
    if config is None:
        _demand_finished_with(folder, before)
    if config is None or config.digest() == before.digest():
        return before
    if config.lineage() != before.lineage():
        raise BadInput("config", _difference(before, config), f"the config stored in {folder}")
    if config.rounds < before.rounds:
        raise BadInput("rounds", config.rounds, f"at least {before.rounds}, those of the run in {folder}")
    return config


def _demand_finished_with(folder: Path, config: RunConfig) -> None:
    """A config that was changed after the run had finished is not gone on with."""
    try:
        done = read_result(folder / record.SUMMARY)
    except (OSError, ValueError, RecursionError):
        return
    if done.get("config_digest") != config.digest():
        wrong = f"another config than that of {record.SUMMARY}"
        raise record.broken(folder / CONFIG, wrong, "the config that the run was made with")


def occupied(folder: Path) -> bool:
    """Is there anything but the lock of a run that never began?"""
    return folder.is_dir() and any(path.name != LOCK for path in folder.iterdir())


def _demand_replaceable(folder: Path, overwrite: bool) -> None:
    """Only what a run writes is ever removed."""
    here = [path.name for path in folder.iterdir()]
    strange = [name for name in here if name not in (LOCK, *OWN, *ABOUT_IT) and not TEMPORARY.fullmatch(name)]
    if not overwrite:
        raise BadInput("--out", str(folder), "a new or empty folder, or add --resume or --overwrite")
    if strange:
        right = f"a folder that holds nothing but a run; {sorted(strange)[0]} is none of its files"
        raise BadInput("--overwrite", str(folder), right)


def begin(folder: Path, config: RunConfig, overwrite: bool) -> None:
    """The folder as it belongs to this config: without another run, or the summary of a shorter one."""
    old = [*OWN, *ABOUT_IT] if overwrite else []
    text, stored = config.to_toml(), folder / CONFIG
    if stored.is_file() and stored.read_bytes() != text.encode():
        old += [record.SUMMARY, readout.FILE]
    for path in (folder / name for name in old):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    write_text(stored, text)


def _difference(before: RunConfig, after: RunConfig) -> str:
    """The first field in which two different configs differ."""
    old, new = before.model_dump(), after.model_dump()
    name = next(name for name in old if old[name] != new[name])
    if not isinstance(old[name], dict):
        return f"{name} = {new[name]} (was {old[name]})"
    key = next(k for k in old[name] if old[name][k] != new[name][k])
    return f"{name}.{key} = {new[name][key]} (was {old[name][key]})"


def restore(algorithm: Algorithm, setup: Setup, folder: Path, fresh: Any) -> tuple[int, Any, Average, Log]:
    """Where to go on: after the newest good checkpoint, or at the start if none was ever written."""
    ranks = setup.ranks
    before, mine = _read(setup, folder) if ranks.leads else (Log(), {})
    told = dict(ranks.wire.tell(mine))
    if not told:
        return 0, fresh, Average(), before
    first = int(told.pop(NEXT))
    state, average = (
        checkpoint.unpack(kind, told, setup.problem.d, setup.device)
        for kind in (algorithm.state_type, Average)
    )
    return first, ranks.part(state, algorithm.per_device(setup.config)), average, before


def _read(setup: Setup, folder: Path) -> tuple[Log, dict[str, Tensor]]:
    config = setup.config
    found = checkpoint.latest(folder, config.lineage(), lambda one: _fits(config, one))
    if found is None and checkpoint.latest(folder, config.lineage()):
        log.warning(
            "%s: w̄ of a longer run begins before the checkpoints that are kept; it starts anew", folder
        )
        return Log(), {}
    if found is None:
        if checkpoint.stored(folder):
            raise FpsError(
                f"{folder / 'checkpoints'}: no file is readable and of this config; use another --out"
            )
        if (folder / record.ROUNDS).exists():
            log.warning("%s: all are missing; the run starts again at round 0", folder / "checkpoints")
        return Log(), {}
    recorded = record.read_rows(folder)
    rows = record.as_of(config, [row for row in recorded if row["round"] <= found.t])
    if [int(row["round"]) for row in rows] != list(range(found.t + 1)):
        raise FpsError(
            f"{folder / record.ROUNDS}: rows 0 to {found.t} expected; remove the folder and start again"
        )
    traffic = [row for row in read_traffic(folder) if row["round"] <= found.t]
    if flaws := survey(folder, config, int(recorded[-1]["round"])).flaws:
        log.warning(_with_flaws(folder, flaws, found.t))
    tensors = found.tensors
    if not record.averaged_rounds(config, found.t):  # the shorter run had begun to average
        names = {field.name for field in fields(Average)}
        tensors = {name: x for name, x in tensors.items() if name.partition(".")[0] not in names}
    return Log(rows, traffic), {**tensors, NEXT: torch.tensor(found.t + 1)}


def _fits(config: RunConfig, found: checkpoint.Checkpoint) -> bool:
    """Is its w̄ that of a run of so many rounds? None is needed before the rounds that are averaged."""
    there, wanted = found.tensors.get("averaged_rounds"), record.averaged_rounds(config, found.t)
    return found.t <= config.rounds and wanted in (0, 0 if there is None else int(there))


def _with_flaws(folder: Path, flaws: Sequence[Flaw], t: int) -> str:
    """What a run that goes on after round t makes of flawed checkpoints: it writes those that are ahead."""
    behind = any(flaw.round is None or flaw.round <= t for flaw in flaws)
    then = "estimate leaves out what is flawed (or takes --replay)" if behind else "they are written again"
    where = f"{folder / 'checkpoints'}: {told(flaws)}"
    return f"{where}; the run goes on after round {t}, its record is the same without them; {then}"


def store(
    algorithm: Algorithm, setup: Setup, folder: Path, t: int, state: Any, average: Average, found: Log
) -> None:
    """Rows first, then the state: a state on disk always has its rows."""
    whole = setup.ranks.whole(state, algorithm.per_device(setup.config))
    setup.ranks.wire.traffic()  # bytes of a checkpoint are no round's
    if not setup.ranks.leads:
        return
    write_rows(setup, folder, found)
    if found.traffic:
        tables.write(folder / WIRE, record.to_table(found.traffic, _origin(setup)))
    path = checkpoint.save(folder, t, setup.config.lineage(), whole, checkpoint.pack(average))
    if not (folder / CONFIG).exists():  # somebody removed it; nothing in the folder could be read without
        write_text(folder / CONFIG, setup.config.to_toml())
    if setup.config.record.keep_checkpoints == "last":
        checkpoint.prune(folder, keep=path)


def write_rows(setup: Setup, folder: Path, found: Log) -> None:
    record.write_rows(folder, found.rows, _origin(setup))


def _origin(setup: Setup) -> dict[str, str]:
    return {"config": setup.config.lineage(), "seed": str(setup.seed)}


def read_traffic(folder: Path) -> list[Row]:
    """The rows of wire.parquet; none if the run has never been shared out over ranks."""
    path = folder / WIRE
    if not path.exists():
        return []
    try:
        found: list[Row] = tables.read(path).to_pylist()
    except ValueError as error:
        raise FpsError(f"{path}: unreadable ({error}); remove this file") from None
    return found
