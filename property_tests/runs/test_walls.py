"""A folder that a stranger sent runs nothing, redirects nothing, and is not believed where it was changed."""

import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fpsverify as fps
from fpsverify import config as configs
from fpsverify import tensors
from fpsverify.cli import main
from fpsverify.errors import BadInput, FpsError
from fpsverify.files import only_one, read_result, write_result
from fpsverify.own.source import federation_of
from fpsverify.runs import checkpoint, files
from fpsverify.runs.folder import read_traffic
from fpsverify.runs.loop import run
from property_tests.support.commands import refusal, said
from property_tests.support.small_runs import record_of, small

GIFT = """
import pathlib, torch
pathlib.Path(__file__).with_name("EXECUTED").touch()
import fpsverify as fps

def make():
    X, y = torch.randn(60, 5), torch.arange(60) % 3
    net = torch.nn.Linear(5, 3)
    return fps.Federation(net, torch.nn.functional.cross_entropy, (X, y), parts=[range(30), range(30, 60)])
"""
SMALL_OWN = ["--set", "rounds=12", "--set", "algorithm.k=9", "--set", "record.checkpoint_every=2"]
COMMANDS = {
    "resume": "run --resume --out RUN",
    "extend": "run --resume --out RUN --set rounds=14",
    "config": "run RUN/config.toml --out new",
    "estimate": "estimate RUN --replicates 8 --rounds 3",
    "replay": "estimate RUN --replay",
    "lr": "lr --from RUN",
    "bound": "bound --from RUN",
    "report": "report RUN",
    "advise": "advise RUN/config.toml --pilot 10",
    "sweep": "sweep RUN/config.toml --over local.gamma=0.1,0.2 --seeds 1 --out swept",
    "partition": "data partition RUN/config.toml",
}
NEED_NO_CODE = {"compare": "compare RUN", "without": "report RUN --no-estimate"}


@pytest.fixture(scope="module")
def sent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run whose config names a file with the right digest beside it."""
    place = tmp_path_factory.mktemp("sent")
    (place / "gift").mkdir()
    (place / "gift" / "evil.py").write_text(GIFT)
    made = ["--problem", str(place / "gift" / "evil.py:make"), "--out", str(place / "RUN")]
    assert main(["run", *made, *SMALL_OWN, "--set", "record.verify=true", "--quiet"]) == 0
    (place / "gift" / "EXECUTED").unlink()
    return place


@pytest.fixture
def there(sent: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(sent)
    return sent


@pytest.mark.parametrize("line", COMMANDS.values(), ids=COMMANDS)
def test_no_command_runs_the_code_of_a_foreign_folder(line: str, there: Path, capsys) -> None:
    told = refusal(capsys, *line.split(), "--quiet")
    assert not (there / "gift" / "EXECUTED").exists() and not (there / "new").exists()
    assert "--trust" in told or "own" in told


@pytest.mark.parametrize("line", NEED_NO_CODE.values(), ids=NEED_NO_CODE)
def test_what_reads_numbers_alone_needs_no_consent_and_runs_nothing(line: str, there: Path, capsys) -> None:
    said(capsys, *line.split(), "--quiet")
    assert not (there / "gift" / "EXECUTED").exists()


def test_python_asks_for_consent_too(there: Path) -> None:
    config = fps.load_config(there / "RUN" / "config.toml")
    for act in (
        lambda: fps.run(config, there / "new"),
        lambda: fps.run(None, there / "RUN", resume=True),
        lambda: fps.estimate(there / "RUN", replicates=8),
        lambda: fps.advise(config, pilot=10),
        lambda: fps.sweep(config, {"local.gamma": [0.1]}, seeds=1),
    ):
        with pytest.raises(FpsError, match="your consent to run this file"):
            act()
    assert not (there / "gift" / "EXECUTED").exists()
    assert fps.estimate(there / "RUN", replicates=8, rounds=3, trust=True).values["run"]["d"] == 18
    assert (there / "gift" / "EXECUTED").exists()
    (there / "gift" / "EXECUTED").unlink()


def test_with_consent_the_digest_is_checked_and_no_compiled_file_stands_in(
    there: Path, tmp_path: Path
) -> None:
    """A compiled file with the time and size of the source would be taken by Python's own import."""
    shutil.copytree(there, place := tmp_path / "copy")
    evil = place / "gift" / "evil.py"
    config = configs.load(place / "RUN" / "config.toml")
    problem = config.problem.model_copy(update={"source": f"{evil}:make"})
    config = config.model_copy(update={"problem": problem})
    good = evil.read_text()
    evil.write_text(good.replace("EXECUTED", "REPLACED"))
    subprocess.run([sys.executable, "-m", "compileall", "-q", str(evil.parent)], check=True)
    at = evil.stat()
    evil.write_text(good)
    os.utime(evil, ns=(at.st_atime_ns, at.st_mtime_ns))
    federation_of(config)
    assert not (evil.parent / "REPLACED").exists() and (evil.parent / "EXECUTED").exists()
    evil.write_text(good + "\n# changed")
    with pytest.raises(BadInput, match="a changed evil.py"):
        federation_of(config)


# ---- links ---------------------------------------------------------------------------------------------


@pytest.fixture
def precious(tmp_path: Path) -> Path:
    (tmp_path / "precious").write_text("kept")
    return tmp_path / "precious"


def test_a_lock_is_neither_followed_nor_emptied(tmp_path: Path, precious: Path) -> None:
    run(small(), folder := tmp_path / "run")
    (folder / ".lock").write_text("also kept")
    run(None, folder, resume=True)
    assert (folder / ".lock").read_text() == "also kept"
    (folder / ".lock").unlink()
    (folder / ".lock").symlink_to(precious)
    with pytest.raises(BadInput, match="it is a link"):
        run(None, folder, resume=True)
    assert precious.read_text() == "kept"


@pytest.mark.parametrize("name", ["rounds.parquet", "summary.json", "config.toml"])
def test_a_link_in_a_folder_redirects_no_write(name: str, tmp_path: Path, precious: Path) -> None:
    run(small(), folder := tmp_path / "run")
    shutil.copy(folder / name, precious)
    before = precious.read_bytes()
    (folder / name).unlink()
    (folder / name).symlink_to(precious)
    run(small("rounds=8"), folder, resume=True)
    assert precious.read_bytes() == before and not (folder / name).is_symlink()


def test_a_linked_folder_inside_a_run_is_refused(tmp_path: Path) -> None:
    run(small(), folder := tmp_path / "run")
    (folder / "checkpoints").rename(tmp_path / "elsewhere")
    (folder / "checkpoints").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BadInput, match="does not write through"):
        run(None, folder, resume=True)


def test_what_a_killed_process_left_is_removed_and_what_a_living_one_writes_is_not(tmp_path: Path) -> None:
    (tmp_path / "cells").mkdir()
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    left = [tmp_path / f".rounds.parquet.{gone.pid}.tmp", tmp_path / "cells" / f".a.json.{gone.pid}.tmp"]
    kept = [tmp_path / f".page.{os.getppid()}.tmp", tmp_path / ".mine.tmp", tmp_path / "a.tmp"]
    for path in (*left, *kept):
        path.write_text("half")
    with only_one(tmp_path):
        pass
    assert all(path.exists() for path in kept) and not any(path.exists() for path in left)


# ---- flipped bits --------------------------------------------------------------------------------------


def flipped(content: bytes, bit: int) -> bytes:
    at, mask = divmod(bit % (8 * len(content)), 8)
    return content[:at] + bytes([content[at] ^ (1 << mask)]) + content[at + 1 :]


@settings(max_examples=200)
@given(bit=st.integers(0, 2**20), name=st.sampled_from(["rounds.parquet", "wire.parquet", "checkpoint"]))
def test_a_flipped_bit_is_refused_or_changes_nothing(bit: int, name: str, tmp_path_factory) -> None:
    folder = _stored(tmp_path_factory)
    path = {"checkpoint": checkpoint.path_of(folder, 6)}.get(name, folder / name)
    read = {"rounds.parquet": files.read_rows, "wire.parquet": read_traffic}
    good = path.read_bytes()
    before = checkpoint.load(path) if name == "checkpoint" else read[name](folder)
    try:
        path.write_bytes(flipped(good, bit))
        after = checkpoint.load(path) if name == "checkpoint" else read[name](folder)
    except FpsError as error:
        assert path.name in str(error) and "\n" not in str(error)
    else:
        if name == "checkpoint":
            same = after.tensors.keys() == before.tensors.keys()
            assert same and tensors.checksum(after.tensors, {}) == tensors.checksum(before.tensors, {})
        else:
            assert after == before
    finally:
        path.write_bytes(good)


_MADE: list[Path] = []


def _stored(factory) -> Path:
    if not _MADE:
        folder = factory.mktemp("flipped") / "run"
        run(small(), folder)
        from fpsverify import tables
        from fpsverify.runs.record import to_table

        tables.write(folder / "wire.parquet", to_table([{"round": 1, "ranks": 2.0, "sent": 7.5}], {"a": "b"}))
        _MADE.append(folder)
    return _MADE[0]


values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**60), 2**60), st.floats(allow_nan=False), st.text()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3)),
    max_leaves=8,
)


@given(result=st.dictionaries(st.sampled_from("abcdef"), values, max_size=4), bit=st.integers(0, 2**16))
def test_a_result_comes_back_equal_or_not_at_all(tmp_path_factory, result: dict, bit: int) -> None:
    path = tmp_path_factory.getbasetemp() / "result.json"
    write_result(path, result)
    before = read_result(path)
    path.write_bytes(flipped(path.read_bytes(), bit))
    with contextlib.suppress(ValueError, RecursionError):
        assert read_result(path) == before


# ---- longer and again ----------------------------------------------------------------------------------


@pytest.mark.parametrize("T", [8, 13, 30])
@pytest.mark.parametrize(
    "options",
    [
        [],
        ["record.average=last_half"],
        ["record.average=exponential", "record.evaluate_every=4"],
        ["record.keep_checkpoints=last", "record.average=last_half", "record.evaluate_every=3"],
    ],
    ids=lambda options: "-".join(one.partition(".")[2] for one in options) or "plain",
)
def test_a_finished_run_goes_on_to_the_bits_of_a_longer_one(
    options: list[str], T: int, tmp_path: Path
) -> None:
    """Its last round was evaluated and kept, and half of its rounds averaged, as the longer one's are not."""
    options = [*options, "record.checkpoint_every=4"]
    run(small(*options, "rounds=7"), tmp_path / "grown")
    run(longer := small(*options, f"rounds={T}"), tmp_path / "grown", resume=True)
    run(longer, tmp_path / "whole")
    assert record_of(tmp_path / "grown") == record_of(tmp_path / "whole")
    last = [checkpoint.path_of(tmp_path / name, T).read_bytes() for name in ("grown", "whole")]
    assert last[0] == last[1]
    with pytest.raises(BadInput, match="rounds: got 7"):
        run(small(*options, "rounds=7"), tmp_path / "grown", resume=True)


def test_a_run_makes_way_for_another_and_nothing_else_does(tmp_path: Path) -> None:
    run(small("record.average=last_half"), tmp_path / "a")
    run(other := small("seed=8", "rounds=4"), tmp_path / "a", overwrite=True)
    run(other, tmp_path / "b")
    assert record_of(tmp_path / "a") == record_of(tmp_path / "b")
    assert len(checkpoint.stored(tmp_path / "a")) == len(checkpoint.stored(tmp_path / "b"))
    (tmp_path / "a" / "thesis.tex").write_text("mine")
    with pytest.raises(BadInput, match="thesis.tex is none of its files"):
        run(other, tmp_path / "a", overwrite=True)
    with pytest.raises(BadInput, match="--overwrite"):
        run(other, tmp_path / "a")
