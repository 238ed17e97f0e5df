"""The charts of chapter 9's ablations show every trial and the means of the right cells."""

from __future__ import annotations

from statistics import fmean

from hypothesis import given
from hypothesis import strategies as st

from book.bookkit import ablations
from fpsverify.reproduce.grid import cells
from fpsverify.reproduce.tables import Results
from property_tests import laws

SOURCE = laws.BOOK

READINGS = {cell.reading for cell in cells("ablations", "full")}


def trials(reading: str, accuracies: list[float]) -> list[dict]:
    return [
        {"dataset": "mnist", "scenario": 2, "sigma": 0.8, "algorithm": "FPS", "reading": reading, "trial": i,
         "status": "done", "curve": [{"accuracy": 0.5, "uses": 0.0}, {"accuracy": a, "uses": 9.0}]}
        for i, a in enumerate(accuracies)
    ]  # fmt: skip


@given(st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=3), min_size=5, max_size=5))
def test_a_line_of_means_and_a_mark_for_each_trial(found):
    names = [f"E{E}" for E in ablations.STEPS]
    runs = [run for name, accuracies in zip(names, found, strict=True) for run in trials(name, accuracies)]
    line, marks = ablations.spread(Results.of(runs), "FPS", ablations.STEPS, names)
    assert line.y == [100 * fmean(accuracies) for accuracies in found]
    assert list(marks.y) == [100 * a for accuracies in found for a in accuracies]
    assert list(marks.x) == [E for E, a in zip(ablations.STEPS, found, strict=True) for _ in a]


def test_a_cell_that_was_not_run_leaves_a_gap_and_no_number():
    line, marks = ablations.spread(
        Results.of(trials("E2", [0.75])), "FPS", ablations.STEPS, ["E1", "E2", "E5", "E10", "E20"]
    )
    assert line.y == [None, 75.0, None, None, None]
    assert list(marks.x) == [2]
    assert "adaptive" not in ablations.against_mu(Results.of(trials("mu0", [0.5]))).split("<figcaption")[0]


def test_equal_use_of_the_channel_means_that_of_fps_by_default():
    late = [
        {**run, "curve": [{"accuracy": 0.2, "uses": 5.0}, {"accuracy": 0.9, "uses": 14.0}]}
        for run in trials("E1", [0.9])
    ]
    found = Results.of([*trials("mu0", [0.7]), *late])
    assert ablations.mean_at_default_uses(found, "E1") == 20.0
    assert ablations.mean_at_default_uses(found, "mu0") == 70.0


def test_every_chart_asks_for_cells_that_the_grid_has():
    asked = {f"E{E}" for E in ablations.STEPS} | {f"mu{mu:g}" for mu in (0, *ablations.MUS)}
    asked |= {f"mu-adaptive-from-{start}" for start in ablations.ADAPTIVE}
    asked |= {f"k{k}-K{K}" for k in ablations.SELECTED for K in ablations.SUBCARRIERS}
    assert {
        reading for reading in READINGS if not reading.startswith(("persist", "accum", "resync"))
    } == asked
