"""The cases: for a seed and a number, a command that may be nonsense, and what it must not destroy."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import numpy as np

from fpsverify import config as configs
from fpsverify.cli import main
from fpsverify.data.csr_file import open_stored
from fpsverify.data.idx import decompressed, parse_idx
from fpsverify.errors import FpsError
from fpsverify.runs import checkpoint
from fpsverify.sketching import sketch_file
from property_tests.fuzz.damage import any_bytes, damaged, strange
from property_tests.fuzz.judge import Command, verdict
from property_tests.fuzz.samples import Samples

# What keeps an accepted config small: the fuzzer asks whether input is judged, not how fast it trains.
SMALL = ("rounds=1", "problem.samples=60", "problem.test_samples=20", "problem.features=6")
SMALL += ("problem.hidden=4", "algorithm.buckets=16", "algorithm.k=3", "local.E=1", "local.batch=5")


@dataclass(frozen=True)
class Case:
    """`text` tells a person what was tried; `keep` must survive a failure."""

    command: Command
    text: str
    keep: dict[Path, bytes] = field(default_factory=dict)
    lines: int = 1


Maker = Callable[[Random, Samples, Path], Case]


def call(*argv: str) -> Command:
    return lambda: main(list(argv))


def guarded(action: Callable[[], object]) -> Command:
    """A function of the library, with its errors reported as the command line would."""

    def run() -> int:
        try:
            action()
        except FpsError as error:
            print(error, file=sys.stderr)
            return 2
        return 0

    return run


def _write(path: Path, content: bytes) -> dict[Path, bytes]:
    path.write_bytes(content)
    return {path: content}


def config_bytes(rng: Random, samples: Samples, room: Path) -> Case:
    content = any_bytes(rng, rng.choice(samples.configs))
    path = room / "c.toml"
    keep = _write(path, content)
    sets = [part for override in SMALL for part in ("--set", override)]
    argv = ["run", str(path), "--out", str(room / "out"), "--quiet", *sets]
    return Case(call(*argv), f"run {content!r}", keep)


def config_values(rng: Random, samples: Samples, room: Path) -> Case:
    """A good config with one to three keys set to strange values."""
    path = room / "c.toml"
    keep = _write(path, samples.configs[0])
    keys = rng.sample(samples.keys, rng.randint(1, 3))
    strange_sets = [f"{key}={strange(rng)}" for key in keys]
    sets = [part for override in strange_sets for part in ("--set", override)]
    argv = ["run", str(path), "--out", str(room / "out"), "--quiet", *sets]
    return Case(_small_or_refused(path, strange_sets, argv), f"run --set {strange_sets!r}", keep)


def _small_or_refused(path: Path, sets: list[str], argv: list[str]) -> Command:
    """An accepted config that asks for much real work is parsed only."""

    def run() -> int:
        code = guarded(lambda: configs.load(path, sets))()
        return code or (0 if _is_large(configs.load(path, sets)) else main(argv))

    return run


def _is_large(config: configs.RunConfig) -> bool:
    p, a = config.problem, config.algorithm
    data = (p.samples + p.test_samples) * (p.features + p.hidden * (p.features + p.classes))
    tables = a.rows * a.buckets * config.devices.M
    return "kdd" in p.data or max(data, tables) > 10**6 or config.rounds * config.local.E > 100


def idx_bytes(rng: Random, samples: Samples, room: Path) -> Case:
    content = any_bytes(rng, rng.choice(samples.idx))
    return Case(guarded(lambda: parse_idx(decompressed(content, "f"), "f")), f"IDX {content!r}")


def libsvm_bytes(rng: Random, samples: Samples, room: Path) -> Case:
    """Malformed lines are told one by one, so several lines are right here."""
    name = rng.choice(("f.svm", "f.svm", "f.svm", "f.gz", "f.bz2", "f.xz"))
    content = any_bytes(rng, samples.libsvm)
    keep = _write(room / name, content)
    extra = rng.choice(([], [], ["--skip-malformed"], ["--zero-based"], ["--features", strange(rng)]))
    argv = ["data", "convert", str(room / name), "--out", str(room / "f.safetensors"), "--quiet", *extra]
    return Case(call(*argv), f"convert {name} {extra!r} {content!r}", keep, lines=40)


def binary_files(rng: Random, samples: Samples, room: Path) -> Case:
    """Sketches, checkpoints and converted rows: three readers of safetensors files."""
    kind = rng.choice(sorted(READERS))
    content = any_bytes(rng, samples.binary[kind])
    path = room / "f.safetensors"
    keep = _write(path, content)
    return Case(guarded(lambda: READERS[kind](path)), f"{kind} {content!r}", keep)


def _all_rows(path: Path) -> object:
    stored = open_stored(path)
    return stored.rows(np.arange(stored.n))


READERS: dict[str, Callable[[Path], object]] = {
    "sketch": sketch_file.load_sketch,
    "checkpoint": checkpoint.load,
    "rows": _all_rows,
}


def run_directory(rng: Random, samples: Samples, room: Path) -> Case:
    """A finished run with one file damaged or gone, read or resumed."""
    folder = room / "run"
    shutil.copytree(samples.run, folder)
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    victim = rng.choice(files)
    if rng.random() < 0.2:
        victim.unlink()
    else:
        victim.write_bytes(damaged(rng, victim.read_bytes()))
    argv = rng.choice(
        (["report", str(folder), "--no-estimate"], ["run", "--resume", "--quiet", "--out", str(folder)])
    )
    keep = {p: p.read_bytes() for p in files if p.is_file() and p.name != ".lock"}
    return Case(call(*argv), f"{argv[0]} with damaged {victim.name}: {_read(victim)!r}", keep)


def _read(path: Path) -> bytes:
    return path.read_bytes()[:2000] if path.is_file() else b"(gone)"


def arguments(rng: Random, samples: Samples, room: Path) -> Case:
    """A real command line with strange values, options left out, repeated or unknown."""
    words = list(rng.choice(samples.commands))
    for _ in range(rng.randint(1, 3)):
        i = rng.randrange(1, len(words) + 1)
        name, equals, _ = "".join(words[i : i + 1]).partition("=")
        words[i : i + rng.randint(0, 1)] = rng.choice(([], [strange(rng)], [name + equals + strange(rng)]))
    words = [w.replace("ROOM", str(room)).replace("\0", "") for w in words]  # no shell hands over a zero byte
    if words[0] == "reproduce":  # a grid that is accepted is named, never run
        words.append("--list")
    return Case(call(*words), " ".join(map(repr, words)))


MAKERS: dict[str, tuple[Maker, int]] = {
    "arguments": (arguments, 8),
    "config bytes": (config_bytes, 4),
    "config values": (config_values, 2),
    "IDX": (idx_bytes, 4),
    "LIBSVM": (libsvm_bytes, 4),
    "binary files": (binary_files, 4),
    "run directory": (run_directory, 2),
}


def try_case(seed: int, number: int, samples: Samples, room: Path) -> tuple[str, str, str | None]:
    """(kind, what was tried, what is wrong or None) of case `number`; `room` is emptied first."""
    rng = Random(f"{seed}:{number}")
    kinds = [name for name, (_, weight) in MAKERS.items() for _ in range(weight)]
    kind = rng.choice(kinds)
    shutil.rmtree(room, ignore_errors=True)
    room.mkdir(parents=True)
    case = MAKERS[kind][0](rng, samples, room)
    return kind, case.text, verdict(case.command, room, case.keep, case.lines)
