"""Files are whole or absent, links and pipes survive being written to, and a file of a run directory that
cannot be used is one line, the same for every command that reads it.
"""

import json
import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
import torch

from fpsverify import tables, tensors
from fpsverify.cli import main
from fpsverify.errors import BadInput
from fpsverify.files import write_result, write_text
from fpsverify.runs import checkpoint, record
from fpsverify.runs.averaged import Average
from fpsverify.runs.files import broke_in, read_config, read_rows, read_summary
from fpsverify.runs.loop import run
from property_tests.support.commands import refusal
from property_tests.support.small_runs import finished_and_copy, record_of, small

CONFIG = small("rounds=12", "record.checkpoint_every=4")
COMMANDS = (["estimate"], ["report"], ["report", "--no-estimate"])


whole, folder = finished_and_copy(CONFIG)


def table(**columns) -> Callable[[Path], None]:
    return lambda path: tables.write(path, pa.table(columns))


def result(**values) -> Callable[[Path], None]:
    return lambda path: write_result(path, values)


WRONG = [
    ("config.toml", None, "missing"),
    ("config.toml", b"rounds = ", "not TOML ("),
    ("config.toml", b"\xff\xfe", "not text (invalid start byte at byte 0)"),
    ("config.toml", b"rounds = -1", "not a config (rounds: got -1, expected"),
    ("config.toml", b"surprise = 1", "not a config (surprise: got 1, expected"),
    ("rounds.parquet", None, "missing"),
    ("rounds.parquet", b"", "unreadable ("),
    ("rounds.parquet", b"PAR1", "unreadable ("),
    ("rounds.parquet", table(), "no rows"),
    ("rounds.parquet", table(round=pa.array([], pa.int64())), "no rows"),
    ("rounds.parquet", table(loss=[1.0]), "not a table of rounds and numbers"),
    ("rounds.parquet", table(round=["a"]), "not a table of rounds and numbers"),
    ("rounds.parquet", table(round=[0, 2], w_norm_squared=[0.0, 1.0]), "not one row per round"),
    ("rounds.parquet", table(round=[0, 1], w_norm_squared=[0.0, None]), "no w_norm_squared in some row"),
    ("summary.json", b'{"final"', "unreadable ("),
    ("summary.json", b"\xff", "unreadable ("),
    ("summary.json", b"[]", "unreadable (not a JSON object)"),
    ("summary.json", b'{"final": {}}', "unreadable (it has no checksum: an older version wrote it)"),
    ("summary.json", result(final=3), "not the summary of a run"),
    ("summary.json", result(final={}), "the summary of another config than config.toml"),
]


@pytest.mark.parametrize(("name", "content", "says"), WRONG)
def test_a_damaged_file_is_one_line_that_names_it_and_what_would_be_right(
    name, content, says, folder, capsys
):
    """The same line of every command; content None: no such file."""
    (folder / name).unlink()
    if callable(content):
        content(folder / name)
    elif content is not None:
        (folder / name).write_bytes(content)
    (line,) = {refusal(capsys, words[0], folder, "--quiet", *words[1:]) for words in COMMANDS}
    assert line.startswith(f"{folder / name}: {says}") and "; expected the " in line


def test_a_run_without_summary_is_estimated_as_unfinished_and_not_reported(folder, capsys):
    (folder / record.SUMMARY).unlink()
    assert f"{record.SUMMARY}: missing; expected" in refusal(capsys, "report", folder, "--quiet")
    assert main(["estimate", str(folder), "--quiet", "--json", "--replicates", "8"]) == 0
    notes = json.loads(capsys.readouterr().out)["run"]["notes"]
    assert "not finished (summary.json is missing): judged up to round 12 of 12" in notes


def test_what_the_lines_advise_repairs_the_folder(folder, tmp_path):
    before = record_of(folder)
    (folder / "config.toml").unlink()
    run(CONFIG, folder, resume=True)
    (folder / "summary.json").write_bytes(b"[]")
    run(None, folder, resume=True)
    assert record_of(folder) == before
    again = tmp_path / "again"
    run(read_config(folder), again)
    assert read_rows(again) == read_rows(folder)
    assert read_summary(again, CONFIG) == read_summary(folder, CONFIG)


def test_a_file_is_replaced_whole_a_link_is_not_followed_and_nothing_else_is_left(tmp_path: Path) -> None:
    """Nor one that was planted under the temporary name."""
    (tmp_path / "precious").write_text("old")
    for name in ("link", f".link.{os.getpid()}.tmp"):
        (tmp_path / name).symlink_to(tmp_path / "precious")
    write_text(tmp_path / "link", "new")
    assert not (tmp_path / "link").is_symlink() and (tmp_path / "link").read_text() == "new"
    assert (tmp_path / "precious").read_text() == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link", "precious"]


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    """The same holds for /dev/null and /dev/stdout, which a test had better not risk."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    write_text(pipe, "through")
    reader.join(10)
    assert got == ["through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("place", ["folder", "absent/f", "file/f"])
def test_a_place_that_cannot_be_written_is_one_line_and_nothing_is_left(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("kept")
    (tmp_path / "folder").mkdir()
    with pytest.raises(BadInput, match="a writable place"):
        write_text(tmp_path / place, "x")
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["file", "folder"]


def test_a_checkpoint_is_found_for_its_own_config_only_and_its_sum_covers_names(tmp_path):
    state = Average(torch.ones(3), torch.tensor(2))
    checkpoint.save(tmp_path, 4, "one", state)
    assert checkpoint.latest(tmp_path, "one").t == 4 and checkpoint.latest(tmp_path, "two") is None
    assert tensors.checksum({"a": state.averaged}, {}) != tensors.checksum({"b": state.averaged}, {})


@pytest.mark.parametrize(("last", "broke"), [(7, 8), (10, 11), (8, None), (4, None), (12, None)])
def test_a_run_broke_in_the_round_after_its_last_row_unless_a_kill_explains_the_rows(
    tmp_path: Path, last: int, broke: int | None
) -> None:
    """A kill loses what came after the newest checkpoint, here that of round 4: it leaves no rows beyond."""
    checkpoint.path_of(tmp_path, 4).parent.mkdir()
    write_text(checkpoint.path_of(tmp_path, 4), "")
    rows = [{"round": float(t), "loss": 1.0} for t in range(last + 1)]
    assert broke_in(tmp_path, CONFIG, rows) == broke
