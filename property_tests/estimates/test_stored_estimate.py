"""RUN/estimate.json: used again while it is true, made anew and said so when it is not."""

import html
import json

import pytest

import fpsverify as fps
from empirical.answer import result, stored
from empirical.answer.result import Estimate as fps_estimate
from empirical.answer.stored import Settings
from empirical.observed import recorded
from fpsverify.cli import main
from fpsverify.files import read_result, write_result
from property_tests.support.commands import refusal
from property_tests.support.small_runs import finished_and_copy, small

QUICK = Settings(replicates=8, rounds=3)


whole, folder = finished_and_copy(
    small("rounds=12", "record.checkpoint_every=6"), then=lambda place: result.of_folder(place, QUICK)
)


def test_what_is_stored_is_what_json_prints_and_is_used_again(folder, capsys):
    kept = read_result(folder / stored.FILE)
    assert kept["settings"] == {"replicates": 8, "rounds": 3, "replay": False}
    assert set(kept["inputs"]) == {"run", "methods"}
    marked = kept | {"result": kept["result"] | {"mark": 1}}  # not what a new estimate would say
    write_result(folder / stored.FILE, marked, ordered=True)
    words = ["estimate", str(folder), "--json", "--quiet", "--replicates", "8", "--rounds", "3"]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out) == marked["result"]
    assert list(marked["result"]) == list(stored.read(folder, None).result)
    assert fps.estimate(folder, replicates=8, rounds=3).values["mark"] == 1


def test_a_fast_estimate_replays_where_asked(folder, capsys):
    assert main(["estimate", str(folder), "--fast", "--replay", "--quiet"]) == 0
    kept = read_result(folder / stored.FILE)
    assert kept["settings"] == {"replicates": 16, "rounds": 6, "replay": True}
    assert "note: fast: 6 rounds and 16 replicates" in capsys.readouterr().out


def test_a_bound_without_checkpoints_names_the_command_that_replays(folder, capsys, monkeypatch):
    (folder / stored.FILE).unlink()
    monkeypatch.setattr(recorded, "reachable", lambda *given: [])
    assert "or fpsverify estimate RUN --replay" in refusal(capsys, "bound", "--from", folder)


@pytest.mark.parametrize("name", ["config.toml", "rounds.parquet", "a checkpoint"])
def test_other_settings_or_a_changed_run_make_it_untrue(folder, name):
    """Any settings will do for a reader."""
    assert stored.read(folder, QUICK).result is not None
    assert stored.read(folder, None).result is not None
    other = stored.read(folder, Settings(replicates=9, rounds=3))
    assert other.result is None and "other settings" in other.why
    path = next((folder / "checkpoints").iterdir()) if name == "a checkpoint" else folder / name
    path.write_bytes(path.read_bytes() + b"\n")
    found = stored.read(folder, QUICK)
    assert found.result is None and found.why == "the run changed since estimate.json was written"


def test_a_method_that_was_changed_makes_it_untrue(folder):
    kept = read_result(folder / stored.FILE)
    kept["inputs"]["methods"]["estimate"] -= 1
    words = "estimate changed"
    write_result(folder / stored.FILE, kept)
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
    (folder / "rounds.parquet").write_bytes(b"no rows")
    with pytest.raises(fps.FpsError):
        result.of_folder(folder, QUICK)
    assert not (folder / stored.FILE).exists()


def test_the_object_is_short_in_a_console_whole_in_a_notebook_and_explains_its_letters(folder):
    """Six lines of answer, some 30 of tables and letters; every letter of a row is explained below it."""
    found = fps.estimate(folder, replicates=8, rounds=3)
    advice = found.values["advice"]
    assert found.gamma == advice["recommended"] and found.covered == found.values["answer"]["covered"]
    assert {"recommended", "guaranteed", "edge", "labels", "change"} <= set(advice)
    short = found.summary()
    assert len(repr(found)) < 120 and str(found) == short
    frame = found.to_frame()
    assert set(frame.index) == set(found.values["constants"])
    assert frame.loc["L", "low"] <= frame.loc["L", "estimate"] <= frame.loc["L", "high"]
    page = found._repr_html_()
    assert found.values["answer"]["sentence"] in html.unescape(page) and "<script" not in page
    assert len(found.plot().axes) >= 7
    head, *rest = short.split("\n\n")
    assert len(head.splitlines()) <= 6 and len("\n".join(rest[:2]).splitlines()) <= 40
    assert max(map(len, short.splitlines())) <= 80 and found.summary(detail=True).startswith(short)
    asked, letters = short.partition("What Theorem A asks")[2].split("Letters: ")
    for letter in ("L", "σ²", "P_n", "b²", "P_b", "G²", "B", "R²"):
        assert f"{letter} " in letters or f"{letter} =" not in asked


def test_a_failing_assumption_marks_rows_in_text_json_and_html(folder):
    """Small runs are networks with ReLU or not: the mark is put by hand, the three outputs must show it."""
    values = stored.read(folder, None).result
    values["constants"]["L"] |= {"fails": ["1 smoothness"], "undecided": []}
    values["learning_rate"]["repaired_sharp"] |= {"fails": ["1 smoothness"], "undecided": ["2 noise"]}
    shown = fps_estimate(values)
    row = next(line for line in shown.summary().splitlines() if line.startswith("Theorem A  "))
    assert row.endswith("Asm. 1 fails; Asm. 2")
    assert next(x for x in shown.summary(True).splitlines() if x.startswith("L ")).endswith("Asm. 1 fails")
    assert shown._repr_html_().count("1 smoothness fails") == 3 + sum(  # L, Theorem A, certified
        "1 smoothness" in rate["fails"]
        for form, rate in values["learning_rate"].items()
        if form != "repaired_sharp"
    ) + ("1 smoothness" in values["bound"]["fails"] and values["bound"]["theorem_a"] is not None)


def test_bound_of_a_run_without_a_measured_gap_asks_for_it(folder, capsys):
    path = folder / stored.FILE
    kept = read_result(path)
    kept["result"]["bound"].pop("Delta", None)
    write_result(path, kept)
    given = (f"--{name}=1" for name in ("R2", "L", "b2", "sigma2", "G2"))
    assert "Delta" in refusal(capsys, "bound", "--from", folder, *given)
