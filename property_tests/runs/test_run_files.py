"""A file of a run directory that cannot be used is one line, the same for every command that reads it."""

from __future__ import annotations

import json
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fpsverify.cli import main
from fpsverify.runs import record
from fpsverify.runs.files import read_config, read_rows, read_summary
from fpsverify.runs.loop import run
from property_tests import laws
from property_tests.support.small_runs import finished_and_copy, small

SOURCE = laws.FILES
KILLS = (
    "fpsverify/runs/record.py",
    "fpsverify/runs/files.py",
)

CONFIG = small("rounds=12", "record.checkpoint_every=4")
COMMANDS = (["estimate"], ["report"], ["report", "--no-estimate"])


whole, folder = finished_and_copy(CONFIG)


def lines_of(folder, capsys) -> list[str]:
    """What each command says: one line on standard error, nothing else, exit code 2."""
    found = []
    for words in COMMANDS:
        assert main([words[0], str(folder), "--quiet", *words[1:]]) == 2
        out, err = capsys.readouterr()
        assert out == "" and err.count("\n") == 1 and "Traceback" not in err
        found.append(err)
    return found


def table(**columns) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(columns), sink)
    return sink.getvalue().to_pybytes()


WRONG = [
    ("config.toml", b"rounds = ", "not TOML ("),
    ("config.toml", b"\xff\xfe", "not text (invalid start byte at byte 0)"),
    ("config.toml", b"rounds = -1", "not a config (rounds: got -1, expected"),
    ("config.toml", b"surprise = 1", "not a config (surprise: got 1, expected"),
    ("rounds.parquet", b"", "unreadable ("),
    ("rounds.parquet", b"PAR1", "unreadable ("),
    ("rounds.parquet", table(), "no rows"),
    ("rounds.parquet", table(round=pa.array([], pa.int64())), "no rows"),
    ("rounds.parquet", table(loss=[1.0]), "not a table of rounds and numbers"),
    ("rounds.parquet", table(round=["a"]), "not a table of rounds and numbers"),
    ("rounds.parquet", table(round=[0, 2], w_norm_squared=[0.0, 1.0]), "not one row per round"),
    ("rounds.parquet", table(round=[0, 1], w_norm_squared=[0.0, None]), "no w_norm_squared in some row"),
    ("summary.json", b'{"final"', "not JSON ("),
    ("summary.json", b"\xff", "not text ("),
    ("summary.json", b"[]", "not the summary of a run"),
    ("summary.json", b'{"final": 3}', "not the summary of a run"),
    ("summary.json", b'{"final": {}}', "the summary of another config than config.toml"),
]


@pytest.mark.parametrize(("name", "content", "says"), WRONG)
def test_a_damaged_file_is_one_line_that_names_it_and_what_would_be_right(
    name, content, says, folder, capsys
):
    (folder / name).write_bytes(content)
    lines = lines_of(folder, capsys)
    assert len(set(lines)) == 1 and lines[0].startswith(f"fpsverify: {folder / name}: {says}")
    assert "; expected the " in lines[0] and "fpsverify run " in lines[0]


@pytest.mark.parametrize("name", ["config.toml", "rounds.parquet"])
@pytest.mark.parametrize("instead", ["nothing", "a folder"])
def test_a_missing_file_is_one_line_too(name, instead, folder, capsys):
    (folder / name).unlink()
    if instead == "a folder":
        (folder / name).mkdir()
    lines = lines_of(folder, capsys)
    says = {"nothing": "missing; expected", "a folder": "unreadable ("}[instead]
    assert len(set(lines)) == 1 and lines[0].startswith(f"fpsverify: {folder / name}: {says}")


def test_a_folder_that_is_not_there_is_one_line(tmp_path, capsys):
    lines = lines_of(tmp_path / "absent", capsys)
    assert set(lines) == {
        f"fpsverify: {tmp_path / 'absent'}: no such folder; expected a run directory, as fpsverify run --out "
        "makes it\n"
    }


def test_a_run_without_summary_is_estimated_as_unfinished_and_not_reported(folder, capsys):
    (folder / record.SUMMARY).unlink()
    assert main(["report", str(folder), "--quiet"]) == 2
    err = capsys.readouterr().err
    assert err == (
        f"fpsverify: {folder / record.SUMMARY}: missing; expected the summary of this run; "
        f"fpsverify run --resume --out {folder} writes it\n"
    )
    assert main(["estimate", str(folder), "--quiet", "--json", "--replicates", "8"]) == 0
    notes = json.loads(capsys.readouterr().out)["run"]["notes"]
    assert "not finished (summary.json is missing): judged up to round 12 of 12" in notes


def test_what_the_lines_advise_repairs_the_folder(folder, tmp_path):
    before = {name: (folder / name).read_bytes() for name in ("config.toml", "summary.json")}
    (folder / "config.toml").unlink()
    run(CONFIG, folder, resume=True)
    (folder / "summary.json").write_bytes(b"[]")
    run(None, folder, resume=True)
    assert before == {name: (folder / name).read_bytes() for name in before}
    again = tmp_path / "again"
    run(read_config(folder), again)
    assert read_rows(again) == read_rows(folder)
    assert read_summary(again, CONFIG) == read_summary(folder, CONFIG)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(st.sampled_from(["config.toml", "rounds.parquet", "summary.json"]), st.binary(max_size=60))
def test_any_bytes_are_one_line_or_fine(whole, tmp_path_factory, capsys, name, content):
    folder = tmp_path_factory.mktemp("any")
    for each in ("config.toml", "rounds.parquet", "summary.json"):
        shutil.copy(whole / each, folder / each)
    (folder / name).write_bytes(content)
    assert main(["report", str(folder), "--quiet", "--no-estimate"]) == 2
    err = capsys.readouterr().err
    named = (folder / "config.toml", folder / name, folder / "summary.json")  # an empty config is a config
    assert err.count("\n") == 1 and err.startswith(tuple(f"fpsverify: {path}: " for path in named))
