"""A sweep: every combination with every seed, cut short and resumed without a trace, refused in one line."""

import shutil
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fpsverify.cli import EXIT_INTERRUPTED, main
from fpsverify.config import parse
from fpsverify.errors import BadInput
from fpsverify.grids import executors
from fpsverify.grids.compared import compare, compared
from fpsverify.grids.sweep import axes, axes_of, name, run_sweep, tasks
from fpsverify.grids.words import MOST_LINES, WIDTH, answer
from property_tests.grids.paper_results import files_of
from property_tests.support.commands import refusal, said
from property_tests.support.small_runs import small

OVER = axes(["channel.sigma=0.1,1", "algorithm.k=3,7"])


def test_every_combination_is_run_with_every_seed():
    found = tasks(small(), OVER, 2)
    seen = {(t.config.channel.sigma, t.config.algorithm.k, t.config.seed) for t in found}
    assert seen == {(sigma, k, seed) for sigma in (0.1, 1.0) for k in (3, 7) for seed in (3, 4)}
    assert len(found) == 8 and len({t.name for t in found}) == 8
    for task in found:
        plain = {"seed": 3, "channel": {"sigma": 0.1}, "algorithm": {"k": 7}}
        dumped = task.config.model_dump()
        for section, values in plain.items():
            dumped[section] = {**dumped[section], **values} if isinstance(values, dict) else values
        assert parse(dumped).digest() == small().digest()  # nothing else was changed


def test_python_and_the_command_line_ask_for_the_same_runs():
    over = {"channel.sigma": [0.1, 1], "algorithm.k": (3, 7)}
    assert tasks(small(), axes_of(over), 2) == tasks(small(), OVER, 2)
    both = axes_of({"algorithm.name": ["fps", "topk"], "record.verify": [True, False]})
    assert both == axes(["algorithm.name=fps,topk", "record.verify=true,false"])


@pytest.mark.parametrize("values", [0.1, "0.1"])
def test_one_value_from_python_is_no_list_of_values(values):
    with pytest.raises(BadInput, match=r"over\['local.gamma'\]: got .*, expected a list of values"):
        axes_of({"local.gamma": values})


@given(
    st.dictionaries(st.text(min_size=1), st.text(min_size=1), min_size=1, max_size=6),
    *[st.text(max_size=12)] * 2,
)
def test_names_of_cells_are_names_of_files_and_tell_values_apart(settings, a, b):
    found = name(settings)
    assert "/" not in found and "\0" not in found and len(f"{found}--trial10.json".encode()) <= 255
    assert found == name(dict(settings))
    assert (name({"problem.data": a}) == name({"problem.data": b})) == (a == b)


@pytest.mark.parametrize(
    "over,words",
    [
        ([], "at least one KEY=VALUE"),
        (["algorithm.k"], "KEY=VALUE"),
        (["algorithm.k="], "KEY=VALUE"),
        (["algorithm.k=1,,2"], "KEY=VALUE"),
        (["=1"], "KEY=VALUE"),
        (["seed=1,2"], "--seeds N"),
        (["algorithm.k=1", "algorithm.k=2"], "algorithm.k once"),
    ],
)
def test_what_is_no_list_of_values_is_refused(over, words):
    with pytest.raises(BadInput, match=f"^--over: got .*{words}"):
        axes(over)


def test_a_sweep_that_was_cut_short_says_so_and_is_resumed_to_the_same_bytes(tmp_path, capsys, monkeypatch):
    """One run missing, one torn, nothing merged: table, page and files are as if it had never ended early.

    Grids are killed at random moments in `commands/test_robustness.py`.
    """
    monkeypatch.chdir(tmp_path)
    Path("c.toml").write_text(small().to_toml())
    over = ["--over", "local.gamma=0.2,0.05", "--over", "algorithm.k=7,10"]  # neither order is the alphabet's
    sweep = ["sweep", "c.toml", *over, "--seeds", "1", "--quiet", "--out"]
    shown = said(capsys, *sweep, "whole")
    shutil.copytree("whole", "short", ignore=shutil.ignore_patterns("*.parquet", "*.html"))
    missing, torn, *kept = sorted(Path("short/cells").glob("*.json"))
    missing.unlink()
    first, *others = answer(compare(Path("short")))
    assert first.startswith("Not finished: 3 of 4 runs") and len(first) <= WIDTH and len(others) < MOST_LINES
    torn.write_text("{ torn")
    assert "add --resume" in refusal(capsys, *sweep, "short")
    resumed = said(capsys, *sweep, "short", "--resume")
    assert f"{len(kept)} runs were found finished" in resumed
    assert resumed.replace("short", "whole").splitlines()[:-1] == shown.splitlines()
    assert files_of(Path("short")) == files_of(Path("whole")) and compare(Path("short")).unfinished == ()


def test_a_sweep_that_is_interrupted_says_how_far_it_came(tmp_path, capsys, monkeypatch):
    """Two of its four runs were done."""
    (tmp_path / "c.toml").write_text(small("rounds=2").to_toml())
    sweep = ["sweep", tmp_path / "c.toml", "--over", "algorithm.k=3,7", "--seeds", "2", "--quiet", "--out"]
    made, perform = [], executors.perform

    def stop(task, folder):
        if len(made) == 2:
            raise KeyboardInterrupt
        made.append(task.name)
        return perform(task, folder)

    with monkeypatch.context() as patch:
        patch.setattr(executors, "perform", stop)
        assert main([str(word) for word in (*sweep, tmp_path / "out")]) == EXIT_INTERRUPTED
    told = "fpsverify: interrupted after 2 of 4 runs; the same command with --resume goes on\n"
    assert capsys.readouterr().err == told
    assert "2 runs were found finished" in said(capsys, *sweep, tmp_path / "out", "--resume")


ORDERS = [["local.gamma=0.05,0.2", "algorithm.k=7,10"], ["algorithm.k=10,7", "local.gamma=0.2,0.05"]]


@pytest.mark.parametrize("over", ORDERS)
def test_a_sweep_is_shown_in_the_order_in_which_it_was_asked_for(over, tmp_path):
    """Its keys and their values, run by run, when it ends and when its folder is compared later."""
    keys = [axis.key.rpartition(".")[2] for axis in axes(over)]
    asked = [dict(zip(keys, map(float, chosen), strict=True)) for chosen in combinations(over)]
    ran = run_sweep(small("rounds=2"), axes(over), 11, tmp_path)
    for found in (compared(ran.results, [axis.key for axis in axes(over)]), compare(tmp_path)):
        assert [list(cell.settings) for cell in found.cells] == [keys] * 4
        assert [cell.settings for cell in found.cells] == asked
        assert [[r["seed"] for r in cell.results] for cell in found.cells] == [list(range(3, 14))] * 4


def combinations(over):
    return product(*(axis.values for axis in axes(over)))


def test_a_sweep_goes_on_with_its_own_config_only_and_may_grow(tmp_path):
    run_sweep(small(), axes(["algorithm.k=3"]), 1, tmp_path)
    with pytest.raises(BadInput, match="^config: got 'rounds = 9 .*the config stored in"):
        run_sweep(small("rounds=9"), axes(["algorithm.k=3"]), 1, tmp_path, resume=True)
    grown = run_sweep(small(), axes(["algorithm.k=3,7"]), 2, tmp_path, resume=True)
    assert grown.reused == 1 and len(grown.results) == 4


@pytest.mark.parametrize(
    "words,line",
    [
        (["--over", "algorithm.k=3,999"], "algorithm.k=999: algorithm.k: got 999, expected at most"),
        (["--over", "algorithm.name=fps,adam"], "algorithm.name=adam: algorithm.name: got 'adam'"),
        (["--over", "algorithm.kk=3"], "algorithm.kk: got 3, expected the key k"),
        (["--over", "channel.sigma=-1"], "channel.sigma: got -1"),
        (["--over", "algorithm.k=3", "--seeds", "0"], "--seeds: got 0, expected at least 1"),
        (["--over", "algorithm.k=3", "--jobs", "0"], "--jobs: got 0"),
    ],
)
def test_a_value_that_no_run_can_have_ends_it_before_it_begins(words, line, tmp_path, capsys):
    (tmp_path / "c.toml").write_text(small().to_toml())
    out = tmp_path / "out"
    assert refusal(capsys, "sweep", tmp_path / "c.toml", "--out", out, *words).startswith(line)
    assert not out.exists()
