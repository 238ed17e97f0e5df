"""The cases: commands that may be nonsense, drawn by hypothesis, and what they must not destroy."""

import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from hypothesis import strategies as st

import fpsverify as fps
from fpsverify import config as configs
from fpsverify.cli import main
from fpsverify.data.libsvm import open_stored
from fpsverify.errors import FpsError
from fpsverify.grids import store, sweep
from fpsverify.runs import checkpoint, files
from fpsverify.runs.folder import read_traffic
from fpsverify.sketch.sketch import CountSketch
from property_tests.fuzz.judge import Command
from property_tests.fuzz.samples import Samples
from property_tests.support import own_models
from theory.errors import InvalidParameter

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
    rows = stored.rows(np.arange(stored.n))
    return rows.d, *(x.tolist() for x in (rows.indptr, rows.indices, rows.values, rows.labels))


def _sketch(path: Path) -> object:
    found = CountSketch.load(path)
    return found.spec, found.table.tolist()


def _checkpoint(path: Path) -> object:
    found = checkpoint.load(path)
    return found.t, found.digest, {name: x.tolist() for name, x in found.tensors.items()}


def _summary(path: Path) -> object:
    return files.read_summary(path.parent, files.read_config(path.parent))


# What a program reads of each kind of stored file.
READERS: dict[str, Callable[[Path], object]] = {
    "sketch": _sketch,
    "checkpoint": _checkpoint,
    "rows": _all_rows,
    "rounds.parquet": lambda path: files.read_rows(path.parent),
    "wire.parquet": lambda path: read_traffic(path.parent),
    "summary.json": _summary,
    "results.parquet": lambda path: store.read_columns(path.parent),
    "curves.parquet": lambda path: store.read_columns(path.parent),
    "planned.json": lambda path: sweep.plan(path.parent),
    "cell": lambda path: store.read_results(path.parents[1]),
}
BESIDE = {
    "summary.json": "config.toml",
    "results.parquet": "curves.parquet",
    "curves.parquet": "results.parquet",
}


def _room_for(kind: str, samples: Samples, room: Path) -> Path:
    """A copy of the file of this kind, with what is read beside it."""
    original = samples.stored[kind]
    folder = room / "stored" / ("cells" if kind == "cell" else "")
    folder.mkdir(parents=True)
    if kind in BESIDE:
        shutil.copy(original.with_name(BESIDE[kind]), folder)
    return Path(shutil.copy(original, folder))


def stored_files(draw: Draw, samples: Samples, room: Path) -> Case:
    """Every kind of stored file, damaged, or noise in its place."""
    kind = draw(st.sampled_from(sorted(READERS)))
    path = _room_for(kind, samples, room)
    keep = _write(path, draw(any_bytes(path.read_bytes())))
    return Case(guarded(lambda: READERS[kind](path)), keep)


def flipped_bits(draw: Draw, samples: Samples, room: Path) -> Case:
    """One bit of one file: its reader refuses it by name, or reads what was there."""
    kind = draw(st.sampled_from(sorted(READERS)))
    path = _room_for(kind, samples, room)
    content, right = bytearray(path.read_bytes()), repr(READERS[kind](path))
    bit = draw(st.integers(0, 8 * len(content) - 1))
    content[bit // 8] ^= 1 << bit % 8

    def read() -> None:
        try:
            found = READERS[kind](path)
        except FpsError as error:
            assert path.name in str(error), f"{error} does not name {path.name}"
            raise
        assert repr(found) == right, f"bit {bit} of {path.name} changed what is read"

    return Case(guarded(read), _write(path, bytes(content)))


# What somebody hands over from Python by mistake.
PLAIN = (None, True, -1, 0, 1, 3, 10**9, 2**63, -0.5, 0.1, 1e-320, 1e308, float("nan"), float("inf"), 1 + 2j)
OBJECTS = (
    torch.tensor([1.0, 2.0]),
    torch.tensor(3),
    np.array([1, 2]),
    np.float32(0.5),
    object,
    len,
    b"x",
    {},
)
python_values = st.one_of(
    st.sampled_from(PLAIN), st.sampled_from(OBJECTS), strange, st.lists(st.sampled_from(PLAIN), max_size=3)
)
CHEAP = {"rounds": 1, "sketch": (2, 8, 3), "E": 1, "progress": lambda row: None}
COSTLY = ("rounds", "E", "sketch")  # where what is accepted may take long


def python_arguments(draw: Draw, samples: Samples, room: Path) -> Case:
    """Calls of the public functions with one to three strange arguments: an answer, or one line."""
    function, names = draw(st.sampled_from(CALLS))
    asked = draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True))
    given = {name: draw(python_values) for name in asked}
    large = function is _trained and any(
        isinstance(x, int | float) and x > 100 for name, x in given.items() if name in COSTLY
    )
    if "out" in given and isinstance(given["out"], str):
        given["out"] = str(room / "out")

    def act() -> None:
        try:
            function(given | ({"rounds": 1, "E": 1} if large else {}))
        except InvalidParameter as error:
            raise FpsError(str(error)) from None

    return Case(guarded(act))


def _trained(given: dict[str, Any]) -> object:
    return fps.train(own_models.federation(), **{**CHEAP, **given})


def _federation(given: dict[str, Any]) -> object:
    usual = {"module": torch.nn.Linear(4, 3), "loss": torch.nn.functional.cross_entropy}
    usual |= {"datasets": (torch.ones(6, 4), torch.arange(6) % 3), "parts": [[0, 1, 2], [3, 4, 5]]}
    return fps.Federation(**{**usual, **given})


def _ranged(given: dict[str, Any]) -> object:
    return fps.ranges(fps.Parameters(**{"L": 4, "E": 2, **given}))


def _compared(given: dict[str, Any]) -> object:
    return fps.compare(*given.values())


TRAIN = ("rounds", "E", "gamma", "mu", "batch", "sketch", "channel", "algorithm", "seed", "out", "resume")
TRAIN += ("verify", "participation", "average", "set", "overwrite")
CALLS = (
    (_trained, TRAIN),
    (_federation, ("module", "loss", "datasets", "parts", "test", "metrics")),
    (_ranged, ("L", "mu", "E", "B", "P_b", "P_n", "M")),
    (_compared, ("one", "two")),
)


def run_directory(draw: Draw, samples: Samples, room: Path) -> Case:
    """A finished run with one file damaged or gone, read or resumed."""
    folder = room / "run"
    shutil.copytree(samples.run, folder)
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    victim = draw(st.sampled_from(found))
    content = draw(st.one_of(damaged(victim.read_bytes()), st.none()))
    victim.unlink()
    if content is not None:
        victim.write_bytes(content)
    resume, read = ["run", "--resume", "--quiet", "--out"], ["report", "--no-estimate"]
    argv = draw(st.sampled_from(([*resume, str(folder)], [*read, str(folder)], ["compare", str(folder)])))
    keep = {path: path.read_bytes() for path in found if path.is_file() and path.name != ".lock"}
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
    stored_files: 4,
    flipped_bits: 4,
    python_arguments: 2,
    run_directory: 2,
}
