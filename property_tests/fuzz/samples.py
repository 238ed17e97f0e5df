"""Good inputs, made once, that the fuzzer damages."""

from dataclasses import dataclass
from pathlib import Path

import torch

from fpsverify import tables
from fpsverify.config import RunConfig
from fpsverify.data import libsvm
from fpsverify.grids.store import CURVES, RESULTS
from fpsverify.grids.sweep import PLANNED, Axis, run_sweep
from fpsverify.runs.folder import WIRE
from fpsverify.runs.loop import run
from fpsverify.runs.record import to_table
from fpsverify.sketch.hash import SketchSpec
from fpsverify.sketch.sketch import CountSketch
from property_tests.support.small_runs import SPARSE, small, small_for

LIBSVM = b"1 1:0.5 3:2\n-1 2:1e-3 # note\n\n0 7:1\n+1 1:1 2:1 3:1 4:1\n"
COMMANDS = (
    "lr --L=4 --mu=0.1 --E=5 --B=1.3 --Pb=0.01 --Pn=0.2 --M=10",
    "lr --L=4 --E=1 --Pb=0.005:0.02 --json",
    "bound --L=4 --E=2 --gamma=0.01 --T=100 --Delta=1 --sigma2=0.1 --Pn=0.1",
    "bound --L=4 --gamma=0.01 --T=9 --Delta=1 --c=2 --k=10 --d=1000 --p=1 --W=3 --json",
    "size --k=10 --d=1000 --T=10 --delta=0.05 --eps=0.1",
    "size --k=10 --d=1000 --T=10 --delta=0.05 --c=2 --p=0.8 --rows=5",
    "claim S.4",
    "config local.gamma --json",
    "sweep ROOM/absent.toml --over=algorithm.k=1,2 --over=channel.sigma=0.1 --seeds=2 --out=ROOM/sweep",
    "compare ROOM/absent --html=ROOM/c.html",
    "estimate ROOM/absent --json",
    "report ROOM/absent --out=ROOM/r.html",
    "run ROOM/absent.toml --out=ROOM/out --resume",
    "run --resume --out=ROOM/out",
    "reproduce mnist --list --profile=quick",
    "reproduce kdd12 --show=kdd12-S1-sigma0-fps",
    "data convert ROOM/absent.svm --features=9",
    "lr --L=4 --plot=ROOM/p.svg --sweep=E",
)


@dataclass(frozen=True)
class Samples:
    configs: tuple[bytes, ...]
    keys: tuple[str, ...]
    libsvm: bytes
    stored: dict[str, Path]
    run: Path
    commands: tuple[tuple[str, ...], ...]


def make_samples(folder: Path) -> Samples:
    """All samples; the finished run and the binary files are written below `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    finished = folder / "finished"
    run(small("rounds=3"), finished)
    configs = [small(), small(*SPARSE), small_for("fetchsgd"), small_for("blcd")]
    return Samples(
        configs=tuple(config.to_toml().encode() for config in configs),
        keys=tuple(_keys(configs[0])),
        libsvm=LIBSVM,
        stored=_stored(folder, finished),
        run=finished,
        commands=tuple(tuple(line.split()) for line in COMMANDS),
    )


def _keys(config: RunConfig) -> list[str]:
    dump = config.model_dump()
    nested = [f"{name}.{key}" for name, part in dump.items() if isinstance(part, dict) for key in part]
    return [name for name, part in dump.items() if not isinstance(part, dict)] + nested


def _stored(folder: Path, finished: Path) -> dict[str, Path]:
    """One file of every kind that is read again."""
    sketch = CountSketch.zeros(SketchSpec(rows=3, buckets=8, d=50, seed=1)).add(torch.arange(50.0))
    sketch.save(folder / "s.safetensors")
    (folder / "f.svm").write_bytes(LIBSVM.replace(b" # note", b""))
    libsvm.convert(folder / "f.svm", folder / "f.safetensors")
    newest = sorted((finished / "checkpoints").glob("*.safetensors"))[-1]
    (folder / "wire").mkdir()
    tables.write(folder / "wire" / WIRE, to_table([{"round": 1, "ranks": 2.0}], {}))
    grid = folder / "grid"
    run_sweep(small("rounds=2"), (Axis("algorithm.k", ("3", "7")),), 1, grid)
    cell = sorted((grid / "cells").glob("*.json"))[0]
    files = {"sketch": folder / "s.safetensors", "checkpoint": newest, "rows": folder / "f.safetensors"}
    files |= {name: finished / name for name in ("rounds.parquet", "summary.json")}
    files[WIRE] = folder / "wire" / WIRE
    return files | {name: grid / name for name in (RESULTS, CURVES, PLANNED)} | {"cell": cell}
