"""RUN/estimate.json: used again while it is true, made anew and said so when it is not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import fpsverify as fps
from empirical.answer import result, stored
from empirical.answer.stored import Settings
from fpsverify.cli import main
from fpsverify.runs.loop import run
from property_tests import laws
from property_tests.support.small_runs import small

SOURCE = laws.ASSUMPTIONS
KILLS = ("empirical/answer/stored.py",)
QUICK = Settings(replicates=8, rounds=3)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    path = tmp_path_factory.mktemp("run") / "small"
    run(small("rounds=12", "record.checkpoint_every=6"), path)
    result.of_folder(path, QUICK)
    return path


@pytest.fixture
def folder(finished, tmp_path):
    return Path(shutil.copytree(finished, tmp_path / "copy"))


def test_what_is_stored_is_what_json_prints_and_is_used_again(folder, capsys):
    kept = json.loads((folder / stored.FILE).read_text())
    assert kept["settings"] == {"replicates": 8, "rounds": 3, "replay": False}
    assert set(kept["inputs"]) == {"run", "code", "versions"}
    marked = kept | {"result": kept["result"] | {"mark": 1}}  # not what a new estimate would say
    (folder / stored.FILE).write_text(json.dumps(marked))
    words = ["estimate", str(folder), "--json", "--quiet", "--replicates", "8", "--rounds", "3"]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out) == marked["result"]
    assert list(marked["result"]) == list(stored.read(folder, None).result)
    assert fps.estimate(folder, replicates=8, rounds=3).values["mark"] == 1


def test_other_settings_are_made_anew_and_any_will_do_for_a_reader(folder):
    assert stored.read(folder, QUICK).result is not None
    assert stored.read(folder, None).result is not None
    other = stored.read(folder, Settings(replicates=9, rounds=3))
    assert other.result is None and "other settings" in other.why


def changed_config(folder):
    path = folder / "config.toml"
    path.write_text(path.read_text() + "\n")


def changed_checkpoint(folder):
    next((folder / "checkpoints").iterdir()).unlink()


def changed_rounds(folder):
    with open(folder / "rounds.parquet", "ab") as handle:
        handle.write(b"x")


@pytest.mark.parametrize("change", [changed_config, changed_checkpoint, changed_rounds])
def test_a_changed_run_makes_it_untrue(folder, change):
    change(folder)
    found = stored.read(folder, QUICK)
    assert found.result is None and found.why == "the run changed since estimate.json was written"


@pytest.mark.parametrize(("part", "words"), [("code", "the code changed"), ("versions", "a package changed")])
def test_changed_code_and_packages_make_it_untrue(folder, part, words):
    kept = json.loads((folder / stored.FILE).read_text())
    kept["inputs"][part] = "another"
    (folder / stored.FILE).write_text(json.dumps(kept))
    assert stored.read(folder, QUICK).why.startswith(words)
    said = []
    new = result.of_folder(folder, QUICK, listener=result.Listener(remark=said.append))
    assert len(said) == 1 and words in said[0] and "anew" in said[0]
    assert stored.read(folder, QUICK).result == new


@pytest.mark.parametrize(
    "content", ["", "[]", "{", '{"format": 0, "inputs": {}, "settings": {}, "result": 1}']
)
def test_a_damaged_file_is_made_anew(folder, content):
    (folder / stored.FILE).write_text(content)
    found = stored.read(folder, QUICK)
    assert found.result is None and found.why
    (folder / stored.FILE).unlink()
    assert stored.read(folder, QUICK) == stored.Found(None)


def test_an_estimate_that_fails_leaves_nothing(folder):
    (folder / stored.FILE).unlink()
    changed_rounds(folder)
    with pytest.raises(fps.FpsError):
        result.of_folder(folder, QUICK)
    assert not (folder / stored.FILE).exists()


def test_a_config_instead_of_a_run_is_told_what_to_do(tmp_path, capsys):
    path = tmp_path / "mine.toml"
    path.write_text("rounds = 3\n")
    assert main(["estimate", str(path)]) != 0
    said = capsys.readouterr().err
    assert f"fpsverify run {path} --out RUN" in said and len(said.splitlines()) == 1
