"""Chapter 9 compares FPS with rivals under another reading: the right cells, trial by trial."""

from __future__ import annotations

import re

import pytest

from book.bookkit import contests
from fpsverify.reproduce.tables import Results
from property_tests import laws

SOURCE = laws.BOOK


def runs(label: str, reading: str, scenario: int, accuracies: list[float], early: float = 0.5) -> list[dict]:
    """FPS uses the channel 10 times, a rival 20 times; `early` is what the rival had reached at 10."""
    last = 10.0 if label == "FPS" else 20.0
    points = [{"accuracy": 0.1, "uses": 0.0}, {"accuracy": early, "uses": last / 2}]
    return [
        {"dataset": "mnist", "scenario": scenario, "sigma": 0.8, "algorithm": label, "reading": reading,
         "trial": i, "status": "done", "curve": [*points, {"accuracy": a, "uses": last}]}
        for i, a in enumerate(accuracies)
    ]  # fmt: skip


@pytest.mark.parametrize(
    "rival,outcome", [(0.6, "better"), (0.9, "worse"), (0.8, "undecided")], ids=["below", "above", "level"]
)
def test_the_outcome_is_that_of_fps_in_both_budgets(rival, outcome):
    spread = (0.0, 0.01, -0.01)
    found = Results.of([
        *runs("FPS", "default", 3, [0.8 + s for s in spread]),
        *runs("BLCD", "send-update", 3, [rival - s for s in spread], early=0.2),
        *runs("BLCD", "default", 3, [0.99, 0.99, 0.99]),
    ])  # fmt: skip
    at = {c.budget: c.outcome for c in contests.contests(found, "mnist", 0.8, "send-update")}
    assert at == {"steps": outcome, "uses": "better"}
    said = contests.tally(found, "mnist", 0.8, "send-update")
    assert said == (f"at equal gradient steps, FPS in 1 comparisons: 1 {outcome}; "
                    "at equal channel uses, FPS in 1 comparisons: 1 better")  # fmt: skip
    cells = re.findall("<td>(.*?)</td>", contests.contest_table(found, "mnist", 0.8, "send-update"))
    signs = contests.SIGNS[outcome] + contests.SIGNS["better"]
    assert cells == ["FPS", "–", "–", "80.0", "–", "BLCD", "–", "–", f"{100 * rival:.1f} {signs}", "–"]


def test_a_rival_without_fps_beside_it_is_not_compared():
    found = Results.of(runs("BLCD", "send-update", 1, [0.5, 0.6]))
    assert contests.contests(found, "mnist", 0.8, "send-update") == []
