"""Tables of the paper's grids, the command that prints them, and the GRIM test: counts over N samples always
fit N, other numbers only by chance.
"""

from __future__ import annotations

import json
import math
from fractions import Fraction
from math import floor

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fpsverify.reproduce.budgets import point_at_uses, uses_to_reach, values
from fpsverify.reproduce.cell import make_cell
from fpsverify.reproduce.granularity import PLACES, fits, judge
from fpsverify.reproduce.grid import GRIDS
from fpsverify.reproduce.section6 import CLAIMS
from fpsverify.reproduce.tables import Results, table
from property_tests import laws
from property_tests.grids.paper_results import result, two_budgets
from property_tests.support.commands import refusal, said
from property_tests.support.small_runs import tiny_cell

SOURCE = laws.EXPERIMENTS


def test_what_a_run_had_reached_at_a_given_use_of_the_channel():
    run = result("FPS", 0, [0.1, 0.5, 0.8, 0.6], 100)
    assert [point_at_uses(run, u)["accuracy"] for u in (0, 49, 51, 100, 250, 251, 1e9)] == [
        0.1, 0.1, 0.5, 0.5, 0.8, 0.6, 0.6,
    ]  # fmt: skip
    assert point_at_uses({**run, "status": "diverged"}, 100) == {}
    assert uses_to_reach(run, "accuracy", 0.7) == 200 and uses_to_reach(run, "accuracy", 0.9) is None
    assert uses_to_reach(run, "test_loss", -0.7) == 200


@pytest.mark.parametrize("reference", [[], [result("FPS", 0, [0.1, 0.7], 100, status="diverged")]])
def test_no_value_at_the_channel_uses_of_a_run_that_is_absent_or_diverged(reference):
    """Not the value of the start, which a limit of no uses would give."""
    run = result("BLCD", 0, [0.1, 0.5, 0.8], 100)
    assert values([run], "accuracy", "uses", reference) == {}
    assert values([run], "accuracy", "uses", [result("FPS", 0, [0.1, 0.7], 100)]) == {0: 0.5}
    assert values([run], "accuracy", "steps", reference) == {0: 0.8}
    assert "10.00" not in table(Results.of([run, *reference]), "mnist")


def test_tables_show_paper_and_measurement_side_by_side():
    text = table(two_budgets(0.8, 0.6, 0.9), "mnist")
    fps, fetch = text.splitlines()[-2:]
    assert "81.31 ± 1.30" in fps and "80.00 ± 0.10" in fps
    assert "74.21 ± 0.87" in fetch and "90.00 ± 0.00" in fetch and "60.00 ± 0.00" in fetch
    assert "no, worse" in fetch and "yes (p" in fetch and text.startswith("**mnist**: real data")
    columns = {line.count("|") for line in text.splitlines() if line.startswith("|")}
    assert len(columns) == 1 and not math.isnan(len(text))
    accum = ("algorithm.device_sketch=accum", "local.mu=0.0", "algorithm.simulate=batched")
    reading = make_cell("mnist", "quick", 1, 0.8, "FPS", "accum", *accum)
    assert reading.mus == () and reading.name.endswith("-accum")


def test_the_command_names_cells_and_prints_their_configs(capsys):
    from fpsverify.cli import reproduce

    assert reproduce.GRIDS == ("mnist", "fashion", "synthetic", "kdd12", "kdd10", "readings", "ablations")
    assert sorted(reproduce.GRIDS) == sorted(GRIDS)
    lines = said(capsys, "reproduce", "kdd12", "--list", "--only", "S2").splitlines()
    assert lines[-1] == "18 cells, 60 runs" and all("-S2-" in line for line in lines[:-1])
    assert 'name = "blcd"' in said(capsys, "reproduce", "kdd12", "--show", "kdd12-S2-sigma1-blcd")
    for option in ("--only", "--show"):
        line = refusal(capsys, "reproduce", "kdd12", option, "nothing")
        assert line.startswith(f"{option}: got 'nothing'")


def test_the_command_runs_a_grid_shows_it_again_and_takes_over_its_runs(tmp_path, monkeypatch, capsys):
    cells = [tiny_cell(), tiny_cell("BLCD")]
    monkeypatch.setattr("fpsverify.reproduce.grid.cells", lambda grid, profile: cells)
    one, two = (tmp_path / name for name in ("one", "two"))
    words = ["reproduce", "mnist", "--quiet", "--out"]
    assert refusal(capsys, *words, two, "--reuse", one).startswith("--reuse: got ") and not two.exists()
    printed_text = said(capsys, *words, one)
    assert "**mnist**: generated data, mean ± std over 2 trials." in printed_text
    assert (one / "tables.md").read_text() in printed_text + "\n"
    drawn = (one / "mnist-sigma0.8.svg").read_bytes()
    judged = json.loads((one / "verdicts.json").read_text())
    assert {v["claim"] for v in judged} == {c.name for c in CLAIMS if c.dataset == "mnist"}
    assert "6 runs were found finished" in said(capsys, *words, one, "--resume")
    assert (one / "mnist-sigma0.8.svg").read_bytes() == drawn
    assert "6 runs have the config of another one" in said(capsys, *words, two, "--reuse", one)
    monkeypatch.undo()
    assert "| 1 | 0.8 | FPS |" in said(capsys, *words, one, "--report")
    for grid, out in (("mnist", tmp_path / "none"), ("synthetic", one)):
        line = refusal(capsys, "reproduce", grid, "--report", "--out", out)
        assert line.startswith("--report: got") and "a folder with finished runs of this grid" in line


@given(st.sampled_from(["cut", "rounded"]), st.integers(1, 9000))
@example("cut", 3)
@example("rounded", 3)
def test_exactly_the_values_fit_that_some_count_prints_as(rule, N):
    """Each of the N counts below 100 % gives one of them: 2/3 prints as 66.66 if cut, as 66.67 if rounded."""
    half = Fraction(1, 2) if rule == "rounded" else 0
    printable = {floor(Fraction(m, N) * PLACES + half) for m in range(N)} - {PLACES}
    assert {h for h in range(PLACES) if fits(h, N, rule)} == printable
    assert judge([50.0], N, rule).by_chance == pytest.approx(len(printable) / PLACES)
