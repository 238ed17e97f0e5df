"""The folder of a run: which config it belongs to, where a run in it goes on, and what is written there.

Only the rank that leads touches the folder; it tells the others what they need. So a run may be continued on
any number of ranks, and ranks need no common disk.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import torch
from torch import Tensor

from fpsverify import config as configs
from fpsverify.algorithms import Algorithm, Setup
from fpsverify.config import RunConfig
from fpsverify.distributed.ranks import Job
from fpsverify.errors import BadInput, FpsError
from fpsverify.files import write_atomically
from fpsverify.runs import checkpoint, record
from fpsverify.runs.averaged import Average
from fpsverify.runs.checkpoint_survey import Flaw, survey, told
from fpsverify.runs.record import Row

WIRE = "wire.parquet"
NEXT = "next round"

Say = Callable[[str], None]


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


def common_config(config: RunConfig | None, folder: Path | None, resume: bool, job: Job) -> RunConfig:
    """The config of the leading rank, refused on a rank that was given another one."""
    wire, mine = job.wire, {}
    if wire.rank == 0:
        agreed = agreed_config(config, folder, resume)
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


def agreed_config(config: RunConfig | None, folder: Path | None, resume: bool) -> RunConfig:
    """The config to run with, after checking that the folder (None: in memory) and the request agree."""
    if folder is None or not resume:
        if folder is not None and _occupied(folder):
            raise BadInput("--out", str(folder), "a new or empty folder, or add --resume")
        if config is None:
            raise BadInput("config", "nothing", "a config file, --demo, or --resume with --out")
        return config
    stored = folder / "config.toml"
    if not stored.exists():
        if config is None:
            raise BadInput("--out", str(folder), "a run directory with a config.toml to resume")
        return config
    before = configs.load(stored)
    if config is not None and config.digest() != before.digest():
        raise BadInput("config", _difference(before, config), f"the config stored in {folder}")
    return before


def _occupied(folder: Path) -> bool:
    return folder.exists() and (not folder.is_dir() or any(p.name != ".lock" for p in folder.iterdir()))


def _difference(before: RunConfig, after: RunConfig) -> str:
    """The first field in which two different configs differ."""
    old, new = before.model_dump(), after.model_dump()
    name = next(name for name in old if old[name] != new[name])
    if not isinstance(old[name], dict):
        return f"{name} = {new[name]} (was {old[name]})"
    key = next(k for k in old[name] if old[name][k] != new[name][k])
    return f"{name}.{key} = {new[name][key]} (was {old[name][key]})"


def restore(
    algorithm: Algorithm, setup: Setup, folder: Path, fresh: Any, say: Say
) -> tuple[int, Any, Average, Log]:
    """Where to go on: after the newest good checkpoint, or at the start if none was ever written."""
    ranks = setup.ranks
    log, mine = _read(setup, folder, say) if ranks.leads else (Log(), {})
    told = dict(ranks.wire.tell(mine))
    if not told:
        return 0, fresh, Average(), log
    first = int(told.pop(NEXT))
    state, average = (
        checkpoint.unpack(kind, told, setup.problem.d, setup.device)
        for kind in (algorithm.state_type, Average)
    )
    return first, ranks.part(state, algorithm.per_device(setup.config)), average, log


def _read(setup: Setup, folder: Path, say: Say) -> tuple[Log, dict[str, Tensor]]:
    found = checkpoint.latest(folder, setup.config.digest())
    if found is None:
        if checkpoint.stored(folder):
            raise FpsError(
                f"{folder / 'checkpoints'}: no file is readable and of this config; use another --out"
            )
        if (folder / record.ROUNDS).exists():
            say(f"{folder / 'checkpoints'}: all are missing; the run starts again at round 0")
        return Log(), {}
    recorded = record.read_rows(folder)
    rows = [row for row in recorded if row["round"] <= found.t]
    if [int(row["round"]) for row in rows] != list(range(found.t + 1)):
        raise FpsError(
            f"{folder / record.ROUNDS}: rows 0 to {found.t} expected; remove the folder and start again"
        )
    traffic = [row for row in read_traffic(folder) if row["round"] <= found.t]
    if flaws := survey(folder, setup.config, int(recorded[-1]["round"])).flaws:
        say(_with_flaws(folder, flaws, found.t))
    return Log(rows, traffic), {**found.tensors, NEXT: torch.tensor(found.t + 1)}


def _with_flaws(folder: Path, flaws: Sequence[Flaw], t: int) -> str:
    """What a run that goes on after round t makes of flawed checkpoints: it writes those that are ahead."""
    behind = any(flaw.round is None or flaw.round <= t for flaw in flaws)
    then = "estimate leaves out what is flawed (or takes --replay)" if behind else "they are written again"
    where = f"{folder / 'checkpoints'}: {told(flaws)}"
    return f"{where}; the run goes on after round {t}, its record is the same without them; {then}"


def store(
    algorithm: Algorithm, setup: Setup, folder: Path, t: int, state: Any, average: Average, log: Log
) -> None:
    """Rows first, then the state: a state on disk always has its rows."""
    whole = setup.ranks.whole(state, algorithm.per_device(setup.config))
    setup.ranks.wire.traffic()  # bytes of a checkpoint are no round's
    if not setup.ranks.leads:
        return
    write_rows(setup, folder, log)
    if log.traffic:
        table = record.to_table(log.traffic, _origin(setup))
        write_atomically(folder / WIRE, lambda path: pq.write_table(table, path))
    path = checkpoint.save(folder, t, setup.config.digest(), whole, checkpoint.pack(average))
    if setup.config.record.keep_checkpoints == "last":
        checkpoint.prune(folder, keep=path)


def write_rows(setup: Setup, folder: Path, log: Log) -> None:
    record.write_rows(folder, log.rows, _origin(setup))


def _origin(setup: Setup) -> dict[str, str]:
    return {"config": setup.config.digest(), "seed": str(setup.seed)}


def read_traffic(folder: Path) -> list[Row]:
    """The rows of wire.parquet; none if the run has never been shared out over ranks."""
    path = folder / WIRE
    if not path.exists():
        return []
    try:
        found: list[Row] = pq.read_table(path).to_pylist()
    except (pa.ArrowException, OSError) as error:
        raise FpsError(f"{path}: unreadable ({' '.join(str(error).split())}); remove this file") from None
    return found
