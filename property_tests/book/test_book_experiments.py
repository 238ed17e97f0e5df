"""Chapter 12 answers its questions from the stored runs: means of the right cells, absent ones said to be."""

from __future__ import annotations

import re
from typing import Any

from book.bookkit.experiments import tables
from fpsverify.reproduce.claims import Verdict
from fpsverify.reproduce.section6 import CLAIMS
from fpsverify.reproduce.tables import Results
from property_tests import laws

SOURCE = laws.BOOK


def run(label: str, sigma: float, trial: int, curve: list[float], reading: str = "", **more: Any) -> dict:
    """A stored run of Scenario 1; `curve` are its accuracies, `more` goes to its last evaluation."""
    points = [{"accuracy": a, "uses": 10.0 * i} for i, a in enumerate(curve)]
    points[-1] |= {k: v for k, v in more.items() if not k.startswith("accuracy_")}
    return {
        "dataset": "mnist", "scenario": 1, "sigma": sigma, "algorithm": label, "reading": reading,
        "trial": trial, "status": "done", "curve": points,
        **{k: v for k, v in more.items() if k.startswith("accuracy_")},
    }  # fmt: skip


def rows_of(html: str) -> list[list[str]]:
    return [re.findall("<td[^>]*>(.*?)</td>", row) for row in re.findall("<tr>(.*?)</tr>", html)][1:]


def test_questions_of_ours_are_not_counted_among_the_claims():
    judged = [(claim, Verdict("undecided", "")) for claim in CLAIMS if claim.dataset == "kdd12"]
    ours = sum("ties" in claim.text for claim, _ in judged)
    claims, _, apart = tables.tally(judged).partition("ours")
    assert ours == 1 and f"Of {len(judged) - ours} claims" in claims and f"<b>{ours}</b>" in apart
    assert tables.claims_list(judged).count("a question of ours") == ours


def test_both_rules_for_scores_of_zero_are_shown():
    found = Results.of(
        [run("FPS", 1.0, 0, [0.9], ties=0.8, majority=0.95, balanced_accuracy=0.5, auc=0.51,
             accuracy_ties_negative=0.94, accuracy_ties_positive=0.06)]
    )  # fmt: skip
    assert rows_of(tables.zero_scores(found, "mnist", 1.0, ("FPS", "BLCD"))) == [
        ["FPS", "S1", "80.0", "94.0", "6.0", "95.0", "50.0", "51.0"]
    ]


def test_each_place_of_the_noise_is_a_row_and_an_absent_one_says_so():
    found = Results.of(
        [
            run("FPS", 1.0, 0, [0.9], auc=0.6, balanced_accuracy=0.7, snr_db=3.0),
            run("FPS", 1.0, 0, [0.9], "noise-avg-scan-support", auc=0.8, balanced_accuracy=0.9, snr_db=-3.0),
            {**run("FPS", 1.0, 0, [0.9], "noise-grad"), "status": "diverged"},
        ]
    )
    rows = {(scan, noise): rest for scan, noise, *rest in rows_of(tables.survivable(found, "mnist", 1.0))}
    assert len(rows) == 10
    assert rows["all d coordinates", "on the sum"] == ["3.0", "60.0", "–", "–", "–"]
    assert rows["coordinates that occur", "on the average"] == ["−3.0", "80.0", "–", "–", "–"]
    assert rows["all d coordinates", "at gradient scale"] == ["–", "1 of 1 diverged", "–", "–", "–"]
    assert rows["nothing is compressed (FedProx)", "no noise"] == ["–"] * 5


def heads(reading: str) -> list[str]:
    """Of the columns that a table of two trials shows."""
    metrics = {"auc": 0.6, "balanced_accuracy": 0.7}
    trials = [{**run("FPS", 0.8, i, [0.5, 0.9], reading, **metrics), "mu": 0.0} for i in range(2)]
    return re.findall("<th>(.*?)</th>", tables.side_by_side(Results.of(trials), "mnist", bool(reading)))


def test_a_column_without_values_is_left_out():
    assert "paper" in heads("") and "paper" not in heads("noise-avg")
    assert "AUC" in heads("noise-avg") and "ties" not in heads("noise-avg")
