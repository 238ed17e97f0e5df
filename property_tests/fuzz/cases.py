"""The cases: commands that may be nonsense, drawn by hypothesis, and what they must not destroy."""

import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

from fpsverify import config as configs
from fpsverify.cli import main
from fpsverify.data.csr_file import open_stored
from fpsverify.errors import FpsError
from fpsverify.runs import checkpoint
from fpsverify.sketching import sketch_file
from property_tests.fuzz.judge import Command
from property_tests.fuzz.samples import Samples

# What keeps an accepted config small: the fuzzer asks whether input is judged, not how fast it trains.
SMALL = ["rounds=1", "problem.samples=60", "problem.test_samples=20", "problem.features=6"]
SMALL += ["problem.hidden=4", "algorithm.buckets=16", "algorithm.k=3", "local.E=1", "local.batch=5"]

NUMBERS = ("0", "-1", "1", "2", "3", "0.5", "-0.5", "1e-320", "1e308", "1e309", "nan", "inf", "-inf", "007")
NUMBERS += ("9" * 400, "2147483648", "-9223372036854775809", "1:2", "2:1", "1:", ":", "1e", "0x10", "1_000")
WORDS = ("", " ", "\t", "é", "\u202e", "--", "-", "true", "[]", "{}", "'", '"', "a=b", "..", "%s%n", "$HOME")
WORDS += ("*", "\n", "a\nb", "/", "/dev/null", "absent.toml")
NO_PATHS = ("\ud800", "x" * 5000, "/dev/null/x", "\x00")
letters = st.characters(min_codepoint=1, max_codepoint=0x2FE)
numbers = st.sampled_from(NUMBERS)
# Values that somebody, somewhere, will type.
strange = st.one_of(
    numbers,
    st.sampled_from(WORDS),
    st.sampled_from(NO_PATHS),
    st.floats().map(repr),
    st.text(letters, max_size=12),
)


@st.composite
def damaged(draw: st.DrawFn, content: bytes) -> bytes:
    """One to four places cut, flipped, repeated or overwritten; numbers, there parsers are most trusting."""
    for _ in range(draw(st.integers(1, 4))):
        i, j = sorted(draw(st.integers(0, len(content))) for _ in range(2))
        spans = [found.span() for found in re.finditer(rb"[0-9]+", content)] or [(i, j)]
        kinds = [st.sampled_from([(i, i), (i, i + 1), (i, j), (i, len(content))]), st.sampled_from(spans)]
        i, j = draw(st.one_of(kinds))
        text = st.one_of(strange, numbers).map(lambda word: word.encode("utf-8", "surrogatepass"))
        repeated = st.just(2 * content[i : i + 400])
        filler = draw(st.one_of(st.just(b""), text, repeated, st.binary(min_size=1, max_size=1)))
        content = content[:i] + filler + content[j:]
    return content


def any_bytes(sample: bytes) -> st.SearchStrategy[bytes]:
    """A damaged sample, the sample itself, or noise."""
    return st.one_of(damaged(sample), st.just(sample), st.binary(max_size=200))


# ---------------------------------------------------------------- commands


@dataclass(frozen=True)
class Case:
    """`keep` must survive a failure, which may say so many `lines`."""

    command: Command
    keep: dict[Path, bytes] = field(default_factory=dict)
    lines: int = 1


Draw = Callable[[st.SearchStrategy[Any]], Any]


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


def _run_command(room: Path, overrides: list[str]) -> Command:
    sets = [f"--set={override}" for override in overrides]
    return call("run", str(room / "c.toml"), "--out", str(room / "out"), "--quiet", *sets)


def config_bytes(draw: Draw, samples: Samples, room: Path) -> Case:
    content = draw(any_bytes(draw(st.sampled_from(samples.configs))))
    return Case(_run_command(room, SMALL), _write(room / "c.toml", content))


def config_values(draw: Draw, samples: Samples, room: Path) -> Case:
    """A good config with one to three keys set to strange values; one that asks for much is parsed only."""
    keys = draw(st.lists(st.sampled_from(samples.keys), min_size=1, max_size=3, unique=True))
    overrides = [f"{key}={draw(strange)}" for key in keys]
    path, keep = room / "c.toml", _write(room / "c.toml", samples.configs[0])

    def run() -> int:
        code = guarded(lambda: configs.load(path, overrides))()
        return code or (0 if _is_large(configs.load(path, overrides)) else _run_command(room, overrides)())

    return Case(run, keep)


def _is_large(config: configs.RunConfig) -> bool:
    p, a = config.problem, config.algorithm
    data = (p.samples + p.test_samples) * (p.features + p.hidden * (p.features + p.classes))
    tables = a.rows * a.buckets * config.devices.M
    return "kdd" in p.data or max(data, tables) > 10**6 or config.rounds * config.local.E > 100


def libsvm_bytes(draw: Draw, samples: Samples, room: Path) -> Case:
    """Malformed lines are told one by one, so several lines are right here."""
    path = room / draw(st.sampled_from(("f.svm", "f.svm", "f.svm", "f.gz", "f.bz2", "f.xz")))
    keep = _write(path, draw(any_bytes(samples.libsvm)))
    options = st.sampled_from(([], ["--skip-malformed"], ["--zero-based"]))
    extra = draw(st.one_of(options, strange.map(lambda value: ["--features", value])))
    out = str(room / "f.safetensors")
    return Case(call("data", "convert", str(path), "--out", out, "--quiet", *extra), keep, lines=40)


def _all_rows(path: Path) -> object:
    stored = open_stored(path)
    return stored.rows(np.arange(stored.n))


READERS: dict[str, Callable[[Path], object]] = {
    "sketch": sketch_file.load_sketch,
    "checkpoint": checkpoint.load,
    "rows": _all_rows,
}


def binary_files(draw: Draw, samples: Samples, room: Path) -> Case:
    """Sketches, checkpoints and converted rows: three readers of safetensors files."""
    kind, path = draw(st.sampled_from(sorted(READERS))), room / "f.safetensors"
    keep = _write(path, draw(any_bytes(samples.binary[kind])))
    return Case(guarded(lambda: READERS[kind](path)), keep)


def run_directory(draw: Draw, samples: Samples, room: Path) -> Case:
    """A finished run with one file damaged or gone, read or resumed."""
    folder = room / "run"
    shutil.copytree(samples.run, folder)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    victim = draw(st.sampled_from(files))
    content = draw(st.one_of(damaged(victim.read_bytes()), st.none()))
    victim.unlink()
    if content is not None:
        victim.write_bytes(content)
    resume, read = ["run", "--resume", "--quiet", "--out"], ["report", "--no-estimate"]
    argv = draw(st.sampled_from(([*resume, str(folder)], [*read, str(folder)])))
    keep = {path: path.read_bytes() for path in files if path.is_file() and path.name != ".lock"}
    return Case(call(*argv), keep)


def arguments(draw: Draw, samples: Samples, room: Path) -> Case:
    """A real command line with strange values, options left out, repeated or unknown."""
    words = list(draw(st.sampled_from(samples.commands)))
    for _ in range(draw(st.integers(1, 3))):
        i = draw(st.integers(1, len(words)))
        name, equals, _ = "".join(words[i : i + 1]).partition("=")
        value = strange.map(lambda word, start=name + equals: [start + word])
        words[i : i + draw(st.integers(0, 1))] = draw(
            st.one_of(st.just([]), strange.map(lambda w: [w]), value)
        )
    words = [w.replace("ROOM", str(room)).replace("\0", "") for w in words]  # no shell hands over a zero byte
    if words[0] == "reproduce":  # a grid that is accepted is named, never run
        words.append("--list")
    return Case(call(*words))


# How often each is tried.
MAKERS: dict[Callable[[Draw, Samples, Path], Case], int] = {
    arguments: 8,
    config_bytes: 4,
    config_values: 2,
    libsvm_bytes: 6,
    binary_files: 6,
    run_directory: 2,
}
