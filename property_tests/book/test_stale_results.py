"""A stored result names the code that it depends on; a changed line of that code makes it old.

The runs of a grid that takes hours are current if a sample of them, run again, agrees.
"""

import ast
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import provenance, replay
from benchmarks import results as commands
from book.bookkit import js_formulas, results, show
from book.bookkit.experiments import tables
from fpsverify.files import json_safe
from fpsverify.grids.store import write_columns
from fpsverify.grids.task import Result, Task, measure
from property_tests import laws
from property_tests.support.small_runs import small

SOURCE = laws.BOOK

WORDS = st.text(alphabet="abc ", max_size=20)
CODE = 'def f(x):\n    """{}"""\n    # {}\n    return x + "{}"\n'


@given(WORDS, WORDS, WORDS, WORDS, st.text("ab", max_size=2), st.text("ab", max_size=2))
def test_the_code_counts_and_words_beside_it_do_not(a, b, c, d, one: str, other: str) -> None:
    """A text that is no docstring is code."""
    first, second = (provenance.code_digest(CODE.format(*each)) for each in ((a, b, one), (c, d, other)))
    assert (first == second) == (one == other)


def test_a_field_that_only_newer_pythons_know_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "def f(x, *, y=None):\n    return {**x}\n"
    known = provenance.code_digest(text)
    monkeypatch.setattr(ast.FunctionDef, "_fields", (*ast.FunctionDef._fields, "type_params"))
    monkeypatch.setattr(ast.FunctionDef, "type_params", [], raising=False)
    assert provenance.code_digest(text) == known


def test_changed_missing_and_unrecorded_code_is_told_apart(tmp_path: Path) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("x = 1\n", encoding="utf-8")
    made = {"code": provenance.digests(["a.py", "b.py"], tmp_path)}
    assert provenance.changed(made, tmp_path) == []
    (tmp_path / "a.py").write_text("x = 2\n", encoding="utf-8")
    (tmp_path / "b.py").unlink()
    assert provenance.changed(made, tmp_path) == ["a.py", "b.py"]
    assert provenance.changed({}, tmp_path) is None


def test_a_result_names_the_modules_that_were_loaded() -> None:
    import theory.rates.ranges  # noqa: F401

    made = provenance.made("python -m x", 1.0)
    assert "theory/rates/ranges.py" in made["code"] and "benchmarks/provenance.py" in made["code"]
    assert all(not name.startswith("book/") for name in made["code"])
    assert provenance.changed(made) == []


def test_a_page_says_unchanged_only_of_unchanged_modules() -> None:
    made = provenance.made("python -m x", 1.0, ["theory/rates/ranges.py"])
    assert "by 1 modules that are unchanged" in results.provenance({"provenance": made})
    old = made | {"code": {"theory/rates/ranges.py": "an older digest"}}
    assert "unchanged" not in results.provenance({"provenance": old})


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of results with one that fits the code, one that does not, and one that names no code."""
    fresh = provenance.made("python -m x", 1.0)
    old = {**fresh, "code": {**fresh["code"], "benchmarks/interleave.py": "0" * 12}}
    for name, made in (("fresh", fresh), ("old", old), ("unknown", {"command": "python -m x"})):
        (tmp_path / f"{name}.json").write_text(json.dumps({"provenance": made}), encoding="utf-8")
    monkeypatch.setattr(results, "FOLDER", tmp_path)
    return tmp_path


@pytest.fixture
def new_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing has been loaded yet, and the book is not being published."""
    monkeypatch.setattr(results, "_stale", {})
    monkeypatch.setattr(results, "_named", set())
    monkeypatch.delenv(results.PUBLISHING, raising=False)


@pytest.mark.usefixtures("stored", "new_page")
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("old", "older than benchmarks/interleave.py"),
        ("unknown", "does not name"),
        ("absent", "not been made"),
    ],
)
def test_a_stale_result_has_one_banner_and_is_not_published(name: str, why: str, monkeypatch) -> None:
    assert results.load("fresh") and results.banner() == ""
    results.load(name)
    assert why in results.banner()
    results.load(name)
    assert results.banner() == ""  # said once
    monkeypatch.setenv(results.PUBLISHING, "1")
    assert results.load("fresh")
    with pytest.raises(RuntimeError, match=f"{name} .*{why}"):
        results.load(name)


@pytest.mark.usefixtures("stored", "new_page")
def test_the_banner_stands_above_what_is_shown_next(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    page = SimpleNamespace(display=seen.append, HTML=str, Markdown=str)  # IPython comes with the book only
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(display=page))
    monkeypatch.setitem(sys.modules, "IPython.display", page)
    for put in (show.show_html, show.show_markdown):
        monkeypatch.setattr(results, "_named", set())
        results.load("old")
        put("<p>a number</p>")
        put("<p>another</p>")
        shown = "".join(seen)
        assert shown.count("fps-stale") == 1 and shown.index("fps-stale") < shown.index("a number")
        seen.clear()


READERS: dict[str, Callable[[], object]] = {
    "certified": js_formulas.rate_calculator,
    "reproduced/synthetic-full/replay": lambda: tables.trials("synthetic"),
}


@pytest.mark.usefixtures("new_page")
@pytest.mark.parametrize("name", READERS)
def test_who_reads_a_result_for_a_page_cannot_pass_the_guard(name: str, monkeypatch) -> None:
    monkeypatch.setattr(results, "stale", lambda path: "is older than a test")
    READERS[name]()
    assert f"<code>{name}</code> is older than a test" in results.banner()


def test_pages_read_results_through_the_guard_alone() -> None:
    """By `load`: no page opens a file of book/results by itself (a link gives it to the reader)."""
    pages = [*(provenance.ROOT / "book").glob("*.md"), *(provenance.ROOT / "book/bookkit").rglob("*.py")]
    opened = re.compile(r"(?<!<)results/[\w/{}-]*\.json|BOOK / \"results\"|read_columns\(")
    found = {path.name for path in pages if opened.search(path.read_text(encoding="utf-8"))}
    assert found == {"results.py", "tables.py"}  # `tables.runs` asks for the replay of what it reads


def run_of(seed: int, algorithm: str) -> Result:
    """A trial of a small grid, as it is stored."""
    config = small(f"seed={seed}", "rounds=4", "record.verify=false")
    labels = {"dataset": "mnist", "scenario": 1, "sigma": 0.0, "algorithm": algorithm, "reading": ""}
    task = Task(f"cell-{algorithm}", "trial", seed, config, {**labels, "mu": config.local.mu})
    return json_safe(measure(task))


@pytest.fixture(scope="module")
def trials() -> list[Result]:
    return [run_of(seed, name) for name in ("FPS", "BLCD") for seed in (1, 2, 3)]


def damaged(result: Result, by: float) -> Result:
    last = {**result["curve"][-1], "accuracy": result["curve"][-1]["accuracy"] + by}
    return {**result, "curve": [*result["curve"][:-1], last]}


def test_a_run_that_is_repeated_gives_every_stored_number(trials: list[Result]) -> None:
    assert replay.same_numbers(trials[0], replay.replay(trials[0]))
    assert not replay.same_numbers(damaged(trials[0], 1e-12), replay.replay(trials[0]))


def test_every_algorithm_is_replayed_before_one_is_replayed_twice(trials: list[Result]) -> None:
    for runs in range(1, 7):
        chosen = replay.sample(trials, runs)
        counts = [sum(r["algorithm"] == name for r in chosen) for name in ("FPS", "BLCD")]
        assert len(chosen) == runs and max(counts) - min(counts) <= 1
    assert replay.sample(trials, 3) == replay.sample(trials[::-1], 3) != replay.sample(trials, 3, seed=1)


@given(st.floats(-2, 2))
def test_a_difference_agrees_within_what_seeds_do(trials: list[Result], share: float) -> None:
    """Three seeds at −s, 0 and s about their mean have standard deviation s; t(2) is at 22.3 for 0.1 %."""
    centre = trials[0]
    cell = [damaged({**centre, "trial": i}, by) for i, by in enumerate((-0.01, 0.0, 0.01))]
    limit = replay.allowed(cell, centre, "accuracy")
    assert limit == pytest.approx(22.3271 * 0.01 * 2**0.5, rel=1e-4)
    row = replay.compared(centre, damaged(centre, share * limit), "accuracy", limit)
    assert row["agrees"] == (abs(row["replayed"] - row["stored"]) <= limit)
    assert row["exact"] == (row["replayed"] == row["stored"])


def test_a_replay_is_recorded_and_one_that_disagrees_makes_the_grid_old(
    trials: list[Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "ROOT", tmp_path)
    for name, found in (("good", trials), ("bad", [{**r, "status": "diverged"} for r in trials])):
        folder = tmp_path / "reproduced" / name
        folder.mkdir(parents=True)
        write_columns(found, folder)
        assert replay.record(folder) == (name == "good")
    stored = commands.stored(tmp_path)
    assert set(stored) == {"reproduced/good/replay", "reproduced/bad/replay"}
    assert provenance.why_old(stored["reproduced/good/replay"]) == ""
    assert "run again" in provenance.why_old(stored["reproduced/bad/replay"])
    assert all(row["exact"] for row in stored["reproduced/good/replay"]["replayed"])


def test_every_stored_result_says_how_to_make_it() -> None:
    assert all(found["provenance"]["command"] for found in commands.stored().values())
