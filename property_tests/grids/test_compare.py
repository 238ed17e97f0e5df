"""Runs side by side: cells are what differs in more than the seed; the answer comes first and fits."""

import json

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fpsverify as fps
from fpsverify.errors import BadInput, FpsError
from fpsverify.grids.cells import cells
from fpsverify.grids.compared import Compared, compare, compared
from fpsverify.grids.page import body, page
from fpsverify.grids.statistics import LOWER_IS_BETTER
from fpsverify.grids.sweep import axes, run_sweep
from fpsverify.grids.words import MOST_LINES, WIDTH, answer, summary
from fpsverify.runs.loop import run, run_in_memory
from property_tests.support import own_models
from property_tests.support.commands import refusal, said
from property_tests.support.small_runs import small


def made(config, seed: int, accuracy: float | None) -> dict:
    """A run with this accuracy at its end; None: it diverged."""
    at = config.model_copy(update={"seed": seed}).model_dump(mode="json")
    curve = (
        [] if accuracy is None else [{"round": 1, "accuracy": accuracy, "test_loss": 1 - accuracy, "uses": 5}]
    )
    return {"config": at, "seed": seed, "curve": curve, "status": "diverged" if accuracy is None else "done"}


def own_config(digests: str):
    return small("problem.objective=own", "problem.data=own", f"problem.federation='{digests}'")


def contest(*accuracies: list[float | None]) -> Compared:
    """One cell for each list; its values at seeds 0, 1, …"""
    runs = [
        made(small(f"algorithm.k={k}"), seed, value)
        for k, values in enumerate(accuracies, start=1)
        for seed, value in enumerate(values)
    ]
    return compared(runs)


def test_runs_that_differ_in_their_seed_alone_are_one_cell():
    one, two = small("algorithm.k=3", "channel.sigma=0.5"), small("algorithm.k=7", "channel.sigma=0.1")
    found = cells([made(one, 1, 0.5), made(two, 1, 0.6), made(one, 2, 0.7), made(one, 1, 0.5)])
    assert [cell.settings for cell in found] == [{"k": 3, "sigma": 0.5}, {"k": 7, "sigma": 0.1}]
    assert [cell.values("accuracy") for cell in found] == [{1: 0.5, 2: 0.7}, {1: 0.6}]


@given(st.permutations(["local.gamma", "algorithm.k", "channel.sigma"]), st.integers(0, 3))
def test_a_stored_run_is_shown_as_one_in_memory(keys, shown_first):
    """A file has its keys in the order of the alphabet; those that were swept come first, as they were asked
    for."""
    texts = {"local.gamma": "0.2", "algorithm.k": "3", "channel.sigma": "0.5"}
    runs = [made(small(), 0, 0.5), made(small(*(f"{key}={texts[key]}" for key in keys)), 0, 0.6)]
    stored = json.loads(json.dumps(runs, sort_keys=True))
    over = keys[:shown_first]
    order = [*over, *(key for key in texts if key not in over)]
    for found in (compared(runs, over), compared(stored, over)):
        assert list(found.cells[0].settings) == [key.rpartition(".")[2] for key in order]


def test_the_answer_names_the_best_cell_and_says_whether_that_may_be_chance():
    clear = contest([0.90, 0.91, 0.92], [0.50, 0.52, 0.51], [0.41, 0.40, 0.42])
    assert answer(clear)[0].startswith("Highest accuracy: 91.0 % [") and "at k=1." in answer(clear)[0]
    assert answer(clear)[1] == "  More than chance (95 %, 3 seeds): it beats each of the other 2 cells."
    assert "compared seed by seed" in summary(clear) and "compared seed by seed" in page(clear, "Sweep")
    note = body(clear).partition("</table>")[2].partition("</p>")[0]
    assert "*" not in note and "bold: best mean of the column" in note
    close = contest([0.90, 0.50, 0.70], [0.60, 0.80, 0.69], [0.1, 0.1, 0.1])
    assert "Could be chance against k=2" in answer(close)[1]
    once = contest([0.9], [0.5])
    assert "[" not in answer(once)[0] and "may be chance" in answer(once)[1]
    assert answer(contest([0.5, 0.5])) == ["Accuracy: 50.0 % [50.0, 50.0].", "Test loss: 0.5 [0.5, 0.5]."]
    marked = [line for line in summary(clear).splitlines() if "*" in line and "best mean" not in line]
    assert [line.split()[0] for line in marked] == ["1"] and marked[0].count("*") == 2
    assert "at k=1." in answer(clear)[2] and answer(clear)[2].startswith("Lowest test loss")


def test_equal_means_have_no_winner():
    both = contest([0.9, 0.8], [0.8, 0.9], [0.1, 0.2])
    assert answer(both)[0].startswith("Equal accuracy: 85.0 % [") and answer(both)[0].endswith(
        " for k=1; k=2."
    )
    assert "k=2" not in answer(both)[1]
    assert answer(contest([0.5], [0.5])) == [
        "Equal accuracy: 50.0 % for k=1; k=2.",
        "Equal test loss: 0.5 for k=1; k=2.",
    ]


def test_a_cell_with_a_run_that_diverged_is_never_the_best():
    found = contest([0.99, None, 0.99], [0.5, 0.6, 0.7])
    assert found.best("accuracy").name == 1
    assert "1 run diverged" in answer(found)[-1] and "k=1 (seed 1)" in answer(found)[-1]
    nobody = contest([None], [None])
    assert answer(nobody) == ["2 runs diverged, so these cells cannot be best: k=1 (seed 0); k=2 (seed 0)."]
    assert "diverged" in summary(nobody)


values = st.lists(st.none() | st.integers(0, 1000).map(lambda x: x / 1000), min_size=1, max_size=4)


@given(st.lists(values, min_size=1, max_size=9))
def test_the_answer_is_at_most_six_lines_and_nothing_is_wider_than_a_terminal(accuracies):
    found = contest(*accuracies)
    assert len(answer(found)) <= MOST_LINES < 6  # one more says where the page is
    assert max(map(len, summary(found, detail=True).splitlines())) <= WIDTH
    assert len(found.rows()) == len(accuracies) and len(repr(found)) < WIDTH


@given(st.lists(st.lists(st.floats(0, 1), min_size=2, max_size=4), min_size=1, max_size=5))
def test_the_best_cell_has_the_best_mean(accuracies):
    found = contest(*accuracies)
    for metric in found.metrics:
        means = [row[metric] for row in found.rows()]
        wanted = min(means) if metric in LOWER_IS_BETTER else max(means)
        assert means[found.best(metric).name] == wanted


def test_an_interval_holds_only_what_a_run_can_reach():
    """Student's t with two seeds would go below 0 and above 1. A loss of one's own may be negative: there it
    is told that it may reach below 0."""
    ours = contest([0.02, 0.98])
    (row,) = ours.rows()
    assert (row["accuracy_low"], row["accuracy_high"], row["test_loss_low"]) == (0.0, 1.0, 0.0)
    config = own_config("module=1 loss=2 test=3")
    own = compared([made(config, seed, accuracy) for seed, accuracy in enumerate((0.02, 0.98))])
    assert own.rows()[0]["test_loss_low"] < -1
    for found, told in ((ours, False), (own, True)):
        assert ("may reach below 0" in summary(found)) == ("may reach below 0" in body(found)) == told


def regression(seed: int) -> dict:
    config = small("problem.data=synthetic", "problem.objective=least_squares")
    curve = [{"round": 1, "mse": 0.3, "test_loss": 0.15, "uses": 5}]
    return made(config, seed, 0.0) | {"curve": curve}


def test_a_metric_that_a_run_does_not_have_is_a_dash_and_unlike_losses_have_no_best():
    """Networks of different size have the same loss."""
    sizes = compared([made(small(f"problem.objective={name}"), 0, 0.9) for name in ("softmax", "mlp")])
    assert sizes.best("test_loss") is not None
    smaller = made(small("local.gamma=0.5"), 0, 0.8)
    found = compared([made(small(), 0, 0.9), smaller, regression(0)])
    assert "No best test loss: the runs differ in their data and loss." in answer(found)
    assert "diverged" not in summary(found, detail=True) and summary(found).endswith("  –")
    assert [found.best(m) is None for m in found.metrics] == [False, False, True]
    assert "<svg" in found._repr_html_() and "diverged" not in found._repr_html_()


@pytest.mark.parametrize(
    ("other", "accuracy", "loss"),
    [
        ("module=2 loss=2 test=3", (), ()),
        ("module=1 loss=9 test=3", (), ("loss",)),
        ("module=1 loss=2 test=9", ("test rows",), ("test rows",)),
    ],
)
def test_federations_of_ones_own_compare_on_the_same_test_rows_and_loss(other, accuracy, loss):
    configs = (own_config(digests) for digests in ("module=1 loss=2 test=3", other))
    found = compared([made(config, 0, 0.9) for config in configs])
    assert (found.unlike("accuracy"), found.unlike("test_loss")) == (accuracy, loss)


def test_folders_of_runs_and_of_sweeps_and_runs_in_memory_compare_alike(tmp_path, capsys):
    over, config = axes(["algorithm.k=3,7"]), small("record.verify=false")
    run_sweep(config, over, 2, tmp_path / "sweep")
    folders, memory = [], []
    for k in (3, 7):
        for seed in (3, 4):
            at = small("record.verify=false", f"algorithm.k={k}", f"seed={seed}")
            folders.append(tmp_path / f"{k}-{seed}")
            run(at, folders[-1])
            memory.append(run_in_memory(at))
    for command in ("report", "estimate"):
        assert "this is a sweep: use fpsverify compare" in refusal(capsys, command, tmp_path / "sweep")
    rows = compare(tmp_path / "sweep").rows()
    assert rows == compare(*folders).rows() == fps.compare(*memory).rows()
    html, parquet = tmp_path / "c.html", tmp_path / "c.parquet"
    files = ["--html", html, "--parquet", parquet]
    document = json.loads(said(capsys, "compare", tmp_path / "sweep", *files, "--json"))
    assert document["cells"] == rows == pq.read_table(parquet).to_pylist()
    page = html.read_text()
    assert page.count("<svg") == 1 and "http://" not in page.split("<svg")[0]
    best = document["best"]["accuracy"]
    assert f"at {best['cell']}." in document["answer"][0]


def test_a_federation_of_ones_own_is_swept_and_compared_from_python(tmp_path):
    """In this process and in others the same numbers; and the same as those of training it."""
    federation = own_models.federation()
    over = {"local.gamma": [0.01, 0.5], "algorithm.k": [5]}
    options = {"rounds": 4, "sketch": (3, 20, 5), "batch": 4, "set": ["record.evaluate_every=2"]}
    found = fps.sweep(federation, over, seeds=2, out=tmp_path / "s", **options)
    assert found.rows() == fps.sweep(federation, over, seeds=2, jobs=2, **options).rows()
    assert found.rows() == compare(tmp_path / "s").rows()
    trained = [fps.train(federation, gamma=g, seed=s, **options) for g in (0.01, 0.5) for s in (1, 2)]
    assert [row["accuracy"] for row in compare(*trained).rows()] == [row["accuracy"] for row in found.rows()]
    with pytest.raises(BadInput, match="^options: got 'rounds', expected none beside a RunConfig"):
        fps.sweep(small(), over, rounds=4)
    with pytest.raises(BadInput, match="^gamma: got .*expected the key local.gamma"):
        fps.sweep(small(), {"gamma": [0.1]})


def test_what_cannot_be_compared_is_one_line(tmp_path, capsys):
    run(small(), tmp_path / "run")
    (tmp_path / "run/summary.json").unlink()
    with pytest.raises(FpsError, match="has not finished; fpsverify run --resume --out"):
        compare(tmp_path / "run")
    with pytest.raises(BadInput, match="^runs: got 'none'"):
        compare()
    with pytest.raises(BadInput, match="^run: got 7, expected a folder"):
        compare(7)
    refusal(capsys, "compare", tmp_path / "nowhere")
    assert "repeated with --resume" in refusal(capsys, "sweep", "--resume", "--out", tmp_path / "s")


def test_runs_on_unlike_data_go_by_their_folders_and_one_given_twice_counts_once(tmp_path, capsys):
    run(small(), tmp_path / "a")
    run(small("problem.data=synthetic", "problem.objective=least_squares", "algorithm.k=5"), tmp_path / "b")
    assert [row["run"] for row in compare(tmp_path / "a", tmp_path / "b").rows()] == ["a", "b"]
    assert "was given more than once" in said(capsys, "compare", tmp_path / "a", tmp_path / "a")
    refusal(capsys, "compare", tmp_path / "run", "--html", tmp_path / "no/c.html")
