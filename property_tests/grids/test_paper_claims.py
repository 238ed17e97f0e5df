"""The claims of Section 6, judged from made-up results whose verdict is known."""

import pytest

from fpsverify.reproduce import claims
from fpsverify.reproduce.claims import CLAIMS, render, ties_as_clicks, verdicts
from fpsverify.reproduce.grid import LABELS
from fpsverify.reproduce.tables import Results
from property_tests.grids.paper_results import result, two_budgets


@pytest.mark.parametrize(
    "early,late,status",
    [
        (0.6, 0.7, "reproduced"),
        (0.9, 0.9, "not reproduced"),
        (0.6, 0.9, "depends on the reading"),
        (0.8, 0.8, "undecided"),
    ],
)
def test_verdicts_see_both_budgets(early, late, status):
    judge = claims.fps_beats("mnist", ("FetchSGD",), (1,), 0.8)
    assert judge(two_budgets(0.8, early, late)).status == status


@pytest.mark.parametrize(
    "default,updates,status",
    [
        (0.6, 0.6, "reproduced"),
        (0.9, 0.6, "depends on the reading"),
        (0.9, 0.9, "not reproduced"),
        (0.9, None, "not reproduced"),
        (None, 0.6, "not measured"),
    ],
)
def test_a_verdict_that_turns_with_a_reading_says_so(default, updates, status):
    """FPS at 0.8 in every scenario; rivals as given by the default readings and if they send updates."""

    def cell(label, scenario, accuracy, reading):
        share = 2 if label == "FPS" else 1  # or the differences had no spread, and three say nothing then
        return [result(label, i, [0.1, accuracy + share * e], 100, scenario=scenario, reading=reading)
                for i, e in enumerate((0.0, 0.001, -0.002)) if accuracy is not None]  # fmt: skip

    places = [(label, s) for label in LABELS if label != "FPS" for s in (1, 2, 3, 4)]
    fps = [run for s in (1, 2, 3, 4) for run in cell("FPS", s, 0.8, "")]
    table_runs = Results.of(fps + [run for place in places for run in cell(*place, default, "")])
    others = Results.of([run for place in places for run in cell(*place, updates, "send-update")])
    read = {"if they send updates": table_runs.with_rivals_of(others, "send-update")}
    found = {claim.name: v for claim, v in verdicts(table_runs, "mnist", read)}["mnist-best-in-noise"]
    assert found.status == status
    expected = {"by the default readings": "not reproduced", "if they send updates": "reproduced"}
    assert {w: v.status for w, v in found.by_reading.items()} == (expected if "depends" in status else {})


def test_what_was_not_run_is_not_measured():
    judged = verdicts(Results.of([]), "mnist")
    assert len(judged) == sum(c.dataset == "mnist" for c in CLAIMS) > 3
    assert {v.status for _, v in judged} == {"not measured"}
    assert render(judged).count("\n") == len(judged) + 1


def test_other_judges():
    flat = [result("BLCD", i, [0.1, 0.9, 0.5], 10) for i in range(2)]
    assert claims.rises_then_falls("mnist", "BLCD", 1, 0.8, 0.3)(Results.of(flat)).status == "reproduced"
    assert claims.rises_then_falls("mnist", "BLCD", 1, 0.8, 0.5)(Results.of(flat)).status == "not reproduced"
    assert claims.below("mnist", ("BLCD",), 1, 0.8, 0.51)(Results.of(flat)).status == "reproduced"
    assert claims.below("mnist", ("BLCD",), 1, 0.8, 0.50)(Results.of(flat)).status == "not reproduced"
    noisy = [result("FetchSGD", i, [0.7 + i / 100], 10, scenario=2) for i in range(3)]
    clean = [result("FetchSGD", i, [0.1 + i / 200], 10, scenario=2, sigma=0.0) for i in range(3)]
    judge = claims.better_with_noise("mnist", "FetchSGD", 2)
    assert judge(Results.of(noisy + clean)).status == "reproduced"
    swapped = [{**r, "sigma": 0.8 - r["sigma"]} for r in noisy + clean]
    assert judge(Results.of(swapped)).status == "not reproduced"
    close = claims.close_to_fps("mnist", "FetchSGD", (1,), 0.8, 0.15)
    assert close(two_budgets(0.8, 0.7, 0.9)).status == "reproduced"
    assert "positive: FPS is better: S1 +10 points" in close(two_budgets(0.8, 0.7, 0.9)).reason
    assert close(two_budgets(0.8, 0.5, 0.9)).status == "depends on the reading"
    assert close(two_budgets(0.8, 0.99, 0.99)).status == "not reproduced"  # far above FPS is not close
    one_falls = [result("BLCD", 0, [0.1, 0.9, 0.5], 10), result("BLCD", 1, [0.1, 0.8, 0.9], 10)]
    judge = claims.rises_then_falls("mnist", "BLCD", 1, 0.8, 0.3)
    assert judge(Results.of(one_falls)).status == "undecided"


@pytest.mark.parametrize(
    ("spread", "status"), [(0.074, "undecided"), (0.0, "not reproduced"), (0.001, "not reproduced")]
)
def test_a_limit_inside_the_interval_decides_nothing(spread: float, status: str) -> None:
    """60.84 ± 7.42 neither shows nor refutes "below 60 %"."""
    trials = [result("BLCD", i, [0.6084 + spread * (i - 1)], 10) for i in range(3)]
    assert claims.below("mnist", ("BLCD",), 1, 0.8, 0.60)(Results.of(trials)).status == status


@pytest.mark.parametrize(
    "outcomes,status",
    [
        (["better", "better"], "reproduced"),
        (["better", "undecided"], "undecided"),
        (["worse", "undecided"], "not reproduced"),
        (["undecided", "worse"], "not reproduced"),
        (["better", "missing"], "not measured"),
    ],
)
def test_one_worse_case_refutes_and_one_undecided_case_leaves_open(outcomes, status):
    cases = tuple(claims.Case(s, "BLCD", outcome, "steps") for s, outcome in enumerate(outcomes))
    assert claims.combine(cases).status == status


def test_scores_that_are_all_tied_say_nothing():
    def run(scenario, ties, auc):
        r = result("FPS", 0, [0.95], 10, dataset="kdd12", scenario=scenario, sigma=1.0)
        r["curve"][-1] |= {"ties": ties, "auc": auc}
        return {**r, "accuracy_ties_negative": 0.95, "accuracy_ties_positive": 0.05}

    judge = claims.scores_mean_something("kdd12", "FPS", 1.0)
    tied = judge(Results.of([run(s, 1.0, 0.5) for s in (1, 2, 3, 4)]))
    assert tied.status == "not reproduced" and "95.0% or 5.0% by the tie rule" in tied.reason
    assert judge(Results.of([run(s, 0.0, 0.8) for s in (1, 2, 3, 4)])).status == "reproduced"
    for ties, auc in ((0.0, 0.5), (0.9, 0.8)):
        assert judge(Results.of([run(s, ties, auc) for s in (1, 2, 3, 4)])).status == "not reproduced"


def tied(label: str, accuracy: float, as_clicks: float, **more) -> list[dict]:
    """Three trials on KDD12 in which half of the scores are tied at every evaluation."""
    trials, share = [], 2 if label == "FPS" else 1  # as above
    for i, e in enumerate(share * e for e in (0.0, 0.001, -0.001)):
        run = result(label, i, [accuracy, accuracy + e], 100, dataset="kdd12", sigma=0.0, **more)
        curve = [{**point, "ties": 0.5} for point in run["curve"]]
        trials.append({**run, "curve": curve, "accuracy_ties_positive": as_clicks + e})
    return trials


@pytest.mark.parametrize(
    "by_default,as_clicks,status",
    [
        (0.95, 0.10, "depends on the reading"),
        (0.10, 0.95, "depends on the reading"),
        (0.10, 0.15, "reproduced"),
        (0.95, 0.60, "not reproduced"),
    ],
)
def test_an_accuracy_is_judged_under_both_tie_rules(by_default, as_clicks, status):
    """BLCD stays below 20 % on KDD12: by one rule, by the other, by both, by neither."""
    judged = verdicts(Results.of(tied("BLCD", by_default, as_clicks)), "kdd12")
    assert {claim.name: v.status for claim, v in judged}["kdd12-blcd-poor"] == status


@pytest.mark.parametrize("as_clicks,status", [(0.3, "depends on the reading"), (0.8, "reproduced")])
def test_the_other_tie_rule_is_judged_where_it_was_measured(as_clicks, status):
    """Equal to FPS by default; by the other rule only the ends are known, that is equal gradient steps."""
    runs = [run for s in (1, 4) for label, a in (("FPS", 0.8), ("FetchSGD", as_clicks))
            for run in tied(label, 0.9, a, scenario=s)]  # fmt: skip
    longer = [{**r, "curve": [*r["curve"], {**r["curve"][-1], "uses": 500}]} if r["algorithm"] != "FPS" else r
              for r in runs]  # fmt: skip
    found = {c.name: v for c, v in verdicts(Results.of(longer), "kdd12")}["kdd12-noise-free-comparable"]
    assert found.status == status
    if status != "reproduced":
        assert {w: v.status for w, v in found.by_reading.items()} == {
            "by the default readings": "reproduced",
            "if ties count as a click, at equal gradient steps": "not reproduced",
        }


def test_where_nothing_is_tied_the_tie_rule_changes_nothing_and_an_unknown_evaluation_hides_a_fall():
    results = two_budgets(0.8, 0.6, 0.9)
    assert ties_as_clicks(results) == results
    curve = [
        {**point, "ties": 0.5 * (i == 0)} for i, point in enumerate(result("BLCD", 0, [0.1, 0.9], 1)["curve"])
    ]
    first, last = ties_as_clicks(Results.of([{**result("BLCD", 0, [], 1), "curve": curve}])).cell(
        "mnist", 1, 0.8, "BLCD"
    )[0]["curve"]
    assert first["accuracy"] is None and last["accuracy"] == 0.9
    runs = [{**run, "dataset": "mnist", "sigma": 0.8} for run in tied("BLCD", 0.9, 0.1)]
    judge = claims.rises_then_falls("mnist", "BLCD", 1, 0.8, 0.3)
    assert judge(Results.of(runs)).status == "not reproduced"
    assert judge(ties_as_clicks(Results.of(runs))).status == "not measured"


def test_a_difference_within_chance_is_undecided_and_a_missing_part_not_measured():
    judge = claims.better_with_noise("mnist", "FetchSGD", 2)
    noisy = [result("FetchSGD", i, [a], 10, scenario=2) for i, a in enumerate((0.6, 0.4, 0.5))]
    clean = [result("FetchSGD", i, [a], 10, scenario=2, sigma=0.0) for i, a in enumerate((0.4, 0.6, 0.5))]
    assert judge(Results.of(noisy + clean)).status == "undecided"
    assert claims.scores_mean_something("kdd12", "FPS", 1.0)(Results.of([])).status == "not measured"
    verdict = claims.Verdict
    halves = {"steps": verdict("not measured", "a"), "uses": verdict("reproduced", "b")}
    assert (
        claims.over_budgets(lambda results, budget: halves[budget])(Results.of([])).status == "not measured"
    )
