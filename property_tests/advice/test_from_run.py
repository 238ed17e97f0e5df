"""Advice from a recorded run: the run itself is the pilot, and `lr` and `bound` take its constants."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from empirical.advice.advice import UNTRIED, Advice
from empirical.advice.from_run import from_run
from empirical.answer import text
from empirical.answer.compare import Measured
from empirical.answer.outcome import GREEN, Outcome
from empirical.answer.short_answer import _smaller, short_answer, theorems_of_run
from empirical.answer.verdict import BOUND, Verdict
from empirical.observed.protocol import Evidence
from empirical.observed.recorded import evidence_in_memory
from empirical.statistics.intervals import Interval
from fpsverify.cli import main
from fpsverify.cli.rates import from_run as runs
from fpsverify.files import read_result, write_result
from fpsverify.runs.loop import prepare
from property_tests.advice.test_advise import small
from property_tests.support.commands import refusal, said
from property_tests.support.small_runs import finished_and_copy
from theory.rates.descent.certified import certified_range
from theory.rates.parameters import Parameters
from theory.rates.rounding import rounded_up
from theory.theorems import Allowed, named

FELL = Outcome(0.9)
OPEN = {
    "theorem_a": None,
    "why_not": "open",
    "says_nothing": "",
    "smaller_says_nothing": None,
    "residual": True,
}


def seen(**changes: object) -> Evidence:
    return evidence_in_memory(*prepare(small(**changes))[:2], most_iterates=4)


def constants(L: float, high: float | None = None) -> Measured:
    exact = lambda x: Interval.exact(x, "given")  # noqa: E731
    zero = exact(0.0)
    interval = Interval(L, L, high or L, "given")
    return Measured(zero, zero, zero, zero, exact(1.0), zero, interval, zero)


@pytest.fixture(scope="module")
def plain() -> Evidence:
    return seen(**{"local.gamma": 0.05})


@pytest.fixture(scope="module")
def sketched() -> Evidence:
    sizes = {"algorithm.compressor": "count_sketch", "algorithm.buckets": 4, "algorithm.rows": 3}
    return seen(**{"local.gamma": 0.05, "algorithm.k": 5, **sizes})


def test_without_a_sketch_half_of_the_certified_range_is_recommended_or_more_that_worked(
    plain: Evidence,
) -> None:
    """Constants without an upper end guarantee nothing."""
    found = from_run(constants(4.0, 5.0), plain)
    assert found.at_estimates.certified == pytest.approx(0.5, rel=1e-3)
    assert found.over_intervals.certified == pytest.approx(0.4, rel=1e-3)
    assert found.guaranteed == found.over_intervals.certified
    assert found.edge is not None and found.recommended == pytest.approx(min(0.25, found.edge / 2), rel=1e-3)
    assert from_run(constants(100.0), plain).recommended == 0.05
    found = from_run(constants(4.0, float("inf")), plain)
    assert found.guaranteed is None and found.over_intervals.certified is None
    assert found.at_estimates.certified is not None


def test_a_run_whose_loss_rose_is_no_pilot(plain: Evidence) -> None:
    risen = replace(plain, gamma=10.0, series=plain.series | {"loss": np.arange(41.0) + 1})
    found = from_run(constants(4.0), risen)
    assert found.recommended is not None and found.recommended <= 0.25
    assert "went up" in found.labels["recommended"]


def test_with_a_sketch_nothing_is_guaranteed_and_no_more_spent_than_helped(sketched: Evidence) -> None:
    turned = sketched.series | {"loss": np.abs(np.arange(41.0) - 20) + 1}
    valley = replace(sketched, series=turned)
    found = from_run(constants(4.0), valley, rounds=80)
    assert found.guaranteed is None
    assert found.recommended is None or found.recommended * 80 <= 0.05 * 25
    shallow = replace(sketched, series=turned | {"loss": np.r_[5.0, np.abs(np.arange(40.0) - 20) / 10 + 1]})
    cut = from_run(constants(4.0), shallow, rounds=80)
    assert cut.recommended is not None and cut.recommended * 80 <= 0.05 * 25
    assert any("raise k (now 5 of 20)" in words for words in cut.change)


def test_with_a_sketch_a_loss_that_ended_above_its_start_is_told_with_what_to_change(
    sketched: Evidence,
) -> None:
    """It fell and rose, or rose from the first round on."""
    valley = replace(sketched, series=sketched.series | {"loss": np.abs(np.arange(41.0) - 12) + 1})
    risen = replace(sketched, series=sketched.series | {"loss": np.arange(41.0) + 1})
    found, rose = (from_run(constants(4.0), each) for each in (valley, risen))
    assert found.recommended is None and "did not end below its start" in found.labels["recommended"]
    assert found.change[0].startswith("raise k (now 5 of 20) or buckets (now 4), or lower gamma: ")
    assert found.change[0].endswith("the loss turned up after round 12 of 40")
    assert rose.recommended is None and rose.guaranteed is None
    assert rose.change[0].endswith("the loss did not end below its start")


def test_a_run_above_its_edge_is_told_to_lower_gamma_and_no_larger_batch(plain: Evidence) -> None:
    """Constants without an upper end prove no smaller rate. Full gradients have no batch to raise."""
    risen = plain.series | {"loss": np.arange(41.0) + 1}
    edge = from_run(constants(4.0), plain).edge
    assert edge is not None
    for gamma, says in ((2 * edge, "is above the edge, "), (edge / 2, "the loss did not end below")):
        found = from_run(constants(4.0, float("inf")), replace(plain, gamma=gamma, series=risen))
        assert found.recommended is None or found.recommended < gamma
        assert found.change[0].startswith("lower gamma") and says in found.change[0]
        assert not any("batch" in words for words in found.change)


@pytest.mark.parametrize("rise", [0.0, 0.3])
def test_a_rise_that_noise_explains_cuts_no_rate_and_one_beyond_it_does(
    sketched: Evidence, rise: float
) -> None:
    """The last window of 8 losses lies 0.04 above the lowest, with errors of about 0.05; or 0.3 more."""
    noise = 0.15 * np.tile([1.0, -1.0], 21)[:41]
    losses = np.r_[2.0, np.linspace(1.9, 1, 12), np.ones(20), np.full(8, 1.04 + rise)] + noise
    found = from_run(constants(4.0), replace(sketched, series=sketched.series | {"loss": losses}))
    turned = any("turned up" in words for words in found.change)
    assert turned == (found.recommended is not None and found.recommended < 0.05) == (rise > 0)
    longer = from_run(constants(4.0), replace(sketched, series=sketched.series | {"loss": losses}), rounds=80)
    assert longer.recommended is not None and longer.recommended * 80 <= 0.05 * 40


def test_a_certified_rate_above_theorem_as_limit_is_called_covered_where_nothing_is_compressed(
    plain: Evidence, sketched: Evidence
) -> None:
    """γ is below the certified 0.5 of both; a sketch is not covered by it."""
    rates = {"gamma_max": 0.01, "used_is_inside": False}
    for run, says in ((plain, "is certified (up to 0.49"), (sketched, "above Theorem A's limit 0.01")):
        scale = SimpleNamespace(gamma=0.05, T=40, mu=0.0, E=1, M=3)
        looked = SimpleNamespace(evidence=run, scale=scale, constants=SimpleNamespace(looks=6))
        advice = from_run(constants(4.0), run)
        looked.constants.sigma2 = looked.constants.b2 = Interval.exact(0.0, "given")

        def found(gamma: float, looked: Any = looked, advice: Advice = advice) -> dict[str, Any]:
            looked.scale.gamma = gamma
            rulings = theorems_of_run(looked, constants(4.0), looked.scale, ())
            low = [replace(r, allowed=Allowed(0.01)) if r.theorem == "Theorem A" else r for r in rulings]
            return short_answer(looked, FELL, (), tuple(low), rates, OPEN, advice)

        here = found(0.05)
        assert says in here["sentence"] and here["covered"] == (run is plain)
        assert any("for a proof" in words for words in here["change"]) <= (run is sketched)
        assert (here["colour"] == GREEN) == (run is plain)
        assert found(0.6)["covered"] is False
        looked.scale.E = 2  # devices drift apart in a round, and leave a floor that is not known
        assert found(0.05)["colour"] != GREEN


def test_a_run_between_two_certified_rates_is_covered_by_a_certificate_of_its_own() -> None:
    """Least squares, E = 4, mu = .3: what is certified at one γ is no range."""
    run = seen(**{"local.gamma": 0.15, "local.E": 4, "local.mu": 0.3})
    scale = SimpleNamespace(gamma=0.15, T=40, mu=0.3, E=4, M=3)
    looked = SimpleNamespace(evidence=run, scale=scale)
    descent = named(theorems_of_run(looked, constants(4.0), scale, ()), "descent")
    allowed = descent.allowed
    assert allowed is not None and not allowed.all_smaller and allowed.gamma_max is not None
    assert allowed.below < 0.15 < allowed.gamma_max and descent.covers(0.15) and not descent.covers(0.151)


folder, _ = finished_and_copy(
    small(**{"local.gamma": 0.05, "record.verify": "true", "record.checkpoint_every": 5})
)


def test_lr_from_a_run_prints_its_advice_first_and_takes_flags(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = said(capsys, "lr", "--from", folder)
    assert printed.startswith("Use gamma = ") and "Certified: gamma <=" in printed
    found = json.loads(said(capsys, "lr", "--from", folder, "--json"))
    advice = Advice.from_json(found["advice"])
    assert advice.summary().splitlines()[0] == printed.splitlines()[0]
    assert found["certified"]["gamma_max"] == pytest.approx(advice.over_intervals.certified, rel=1e-6)
    stored = json.loads((folder / "estimate.json").read_text())["result"]
    assert stored["advice"] == found["advice"]
    replaced = json.loads(said(capsys, "lr", "--from", folder, "--L", "2", "--json"))
    assert replaced["certified"]["gamma_max"] == pytest.approx(1.0, rel=1e-3)


def test_bound_from_a_run_is_that_of_its_constants(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(said(capsys, "bound", "--from", folder, "--json"))
    stored = json.loads((folder / "estimate.json").read_text())["result"]
    assert (found["gamma"], found["T"]) == (0.05, 40)
    assert found["repaired_sharp"]["total"] == pytest.approx(stored["bound"]["theorem_a"], rel=1e-9)
    upwards = rounded_up(stored["bound"]["theorem_a"], 4)
    assert f"at most {upwards}\n" in said(capsys, "estimate", folder, "--detail")
    printed = said(capsys, "bound", "--from", folder, "--detail")
    assert f"<= {upwards} (Theorem A)." in printed
    assert f"  {'Theorem A':<24}{upwards:>10}   proved" in printed
    assert f"  {'= bound':<26}{upwards:>14}\n" in printed


def test_a_bound_that_only_the_estimated_smoothness_gives_is_given_and_marked(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """γL is 1/2 at the estimate and 100 at the upper end, where nothing is bounded."""
    said(capsys, "lr", "--from", folder)
    planted = json.loads((folder / "estimate.json").read_text())["result"]
    L = planted["constants"]["L"] | {"estimate": 0.5 / 0.05, "high": 100 / 0.05}
    planted["constants"] |= {"L": L}
    monkeypatch.setattr(runs, "estimated", lambda args: planted)
    found = json.loads(said(capsys, "bound", "--from", folder, "--E", "1", "--json"))
    alone = json.loads(said(capsys, "bound", "--from", folder, "--E", "1", "--L", "10", "--json"))
    assert found["sdp"]["total"] is None is found["repaired_sharp"]["total"]
    assert found["sdp_at_estimated_L"]["total"] == pytest.approx(alone["sdp"]["total"])
    assert "sdp_at_estimated_L" not in alone
    printed = said(capsys, "bound", "--from", folder, "--E", "1")
    assert "(solver, estimated L)" in printed and "none at the upper end of L" in printed


def test_lr_from_a_run_that_did_not_learn_names_what_finds_a_rate(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said(capsys, "lr", "--from", folder)
    poor = json.loads((folder / "estimate.json").read_text())["result"]
    poor["answer"] |= {"learned": False, "trained": "The run hardly learned.", "next": "fpsverify advise RUN"}
    poor["advice"]["recommended"] = poor["answer"]["used"]
    names = [f"{i} {'assumption ' * 5}" for i in range(1, 4)]
    poor["learning_rate"]["repaired_sharp"] |= {"fails": names[:1], "undecided": names[1:]}
    monkeypatch.setattr(runs, "estimated", lambda args: poor)
    printed = said(capsys, "lr", "--from", folder)
    assert printed.startswith("The run hardly learned.\n  guaranteed") and "Use gamma" not in printed
    assert "  To change: the learning rate: fpsverify advise RUN." in printed
    assert "  Not proved for this run: Asm. 1 fails; Asm. 2, 3 open.\n" in printed


def test_a_bound_from_a_killed_run_says_first_how_far_it_went(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said(capsys, "lr", "--from", folder)
    killed = json.loads((folder / "estimate.json").read_text())["result"]
    killed["run"]["notes"] = ["not finished (summary.json is missing): judged up to round 6 of 9"]
    whole = said(capsys, "bound", "--from", folder)
    monkeypatch.setattr(runs, "estimated", lambda args: killed)
    answer = said(capsys, "bound", "--from", folder).split("\n\n")[0].splitlines()
    assert answer[0] == "Not finished: judged up to round 6 of 9." and len(answer) <= 6
    assert answer[1] == whole.splitlines()[0] and "Not finished" not in whole


def test_an_estimate_says_whose_its_rates_are_and_why_none_is_guaranteed() -> None:
    """A run that is its own pilot tried no other rate: a larger one may be better."""
    labels = {"recommended": UNTRIED, "guaranteed": "no theorem: k = 60 of 387, the loss is not quadratic"}
    advice = {"recommended": 0.05, "guaranteed": None, "labels": labels}
    found = {"sentence": "Some sentence.", "used": 0.05, "change": [], "next": "rest", "covered": True}
    found |= {"learned": True}
    residual = {"name": "sketch residual", "verdict": "fails"}
    lines = text.answer({"answer": found, "advice": advice, "assumptions": []})
    shown = " ".join(" ".join(lines).split())
    assert "used 0.05 (larger ones not tried), guaranteed none: no theorem covers" in shown
    assert "(k = 60 of 387)" in shown and "in this run; fpsverify advise tries them." in shown
    other = advice | {"recommended": 0.1, "labels": labels | {"recommended": "best of 4 pilot runs"}}
    plain = "\n".join(text.answer({"answer": found | {"covered": False}, "advice": other, "assumptions": []}))
    growing = "\n".join(text.answer({"answer": found, "advice": advice, "assumptions": [residual]}))
    assert "raise buckets or k: what the sketch misses keeps growing" in growing
    assert "own" not in plain and "none:" not in plain and "not tried" not in plain and len(lines) <= 6
    run = {"notes": ["not finished (summary.json is missing): judged up to round 6 of 9"]}
    killed = {"answer": found, "advice": advice, "assumptions": [residual], "run": run}
    assert text.answer(killed)[0] == "Not finished: judged up to round 6 of 9."


def test_an_assumption_is_told_once_by_its_worst_verdict() -> None:
    found = {"fails": ["1 smoothness", "3 noise (paper)"], "undecided": ["3 noise (repaired)", "2 bias"]}
    assert text.mark(found) == "Asm. 1, 3 fail; Asm. 2 open"


@pytest.mark.parametrize("recommended", [0.01, 0.2, None])
def test_a_smaller_rate_for_a_proof_is_advised_only_above_the_recommended_one(recommended) -> None:
    """Its bound needs a bounded residual, and is not advised where it would say nothing."""
    rates = {"gamma_max": 0.1}
    (words,) = _smaller(False, {"fails": []}, rates, OPEN, recommended)
    assert words.startswith("the recommended γ" if recommended == 0.01 else "for a proof, γ below 0.1 ")
    if recommended != 0.01:
        assert "and a bounded sketch residual" in words and "may still say nothing" in words
        known = OPEN | {"residual": False, "smaller_says_nothing": False}
        (sure,) = _smaller(False, {"fails": []}, rates, known, recommended)
        assert "residual" not in sure and "nothing" not in sure
    assert _smaller(False, {"fails": []}, rates, OPEN | {"smaller_says_nothing": True}, recommended) == []


@pytest.mark.parametrize("command", ["lr", "bound"])
def test_a_folder_without_a_run_is_refused(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "none" in refusal(capsys, command, "--from", tmp_path / "none")


@pytest.fixture(scope="module")
def failing(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same run with an estimate in which Assumption 1 fails and Assumption 2 is open."""
    place = tmp_path_factory.mktemp("failing") / "run"
    shutil.copytree(folder, place)
    assert main(["estimate", str(place), "--quiet"]) == 0
    stored = read_result(place / "estimate.json")
    marks = {"fails": ["1 smoothness"], "undecided": ["2 noise"]}
    for row in (stored["result"]["bound"], *stored["result"]["learning_rate"].values()):
        row.update(marks)
    write_result(place / "estimate.json", stored)
    return place


@pytest.mark.parametrize("command", ["lr", "bound"])
def test_an_assumption_that_fails_in_the_run_marks_every_number_that_rests_on_it(
    command: str, failing: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = said(capsys, command, "--from", failing)
    first = {
        "lr": "Not proved for this run: smoothness",
        "bound": "No proved bound for this run: smoothness",
    }
    assert f"{first[command]} (Assumption 1)" in printed
    assert "Certified:" not in printed and ("If these held: gamma <=" in printed) == (command == "lr")
    numbers = {"lr": 7, "bound": 4}[command]  # every range, or every bound that is not refuted anyway
    assert printed.count("Asm. 1 fails; Asm. 2 open") == numbers
    assert max(map(len, printed.splitlines())) <= 100


@pytest.mark.parametrize("n", [1, 2, 3])
def test_drawing_a_part_of_the_devices_is_noise_that_lowers_the_certified_range(n: int) -> None:
    """P_n B²/n + φ(B² − 1), φ = (M − n)/(n(M − 1)) of M = 3: written as P_n, it is nφ(1 − B⁻²)."""
    B, phi = 2.0, (3 - n) / (2 * n)
    drawn = seen(**{"local.gamma": 0.05, "local.E": 3, "devices.participation": n if n > 1 else 0.34})
    found = from_run(replace(constants(4.0), B=Interval.exact(B, "given")), drawn).at_estimates.certified
    noisy = Parameters(L=4.0, mu=0.0, E=3, B=B, P_b=0.0, P_n=n * phi * (1 - B**-2), M=n)
    assert found == pytest.approx(certified_range(noisy, 0).gamma_max, rel=1e-6)
    quiet = certified_range(replace(noisy, P_n=0.0), 0).gamma_max
    assert found is not None and quiet is not None and (found < 0.99 * quiet) == (n < 3)


@pytest.mark.parametrize("residual", ["fails", "holds"])
@pytest.mark.parametrize("smoothness", ["cannot tell", "fails"])
def test_a_residual_that_grows_decides_the_headline_of_a_run_that_may_be_covered(
    residual: str, smoothness: str, plain: Evidence
) -> None:
    """Where all theorems need what fails, none covers the run at all, and that is said."""
    verdicts = (
        Verdict("1 smoothness", "", "", smoothness, "", condition="smooth"),
        Verdict("sketch residual", "", "", residual, "", BOUND),
    )
    scale = SimpleNamespace(gamma=0.1, T=50, mu=0.0, E=2, M=3)
    looked = SimpleNamespace(evidence=plain, scale=scale, constants=SimpleNamespace(looks=6))
    rulings = theorems_of_run(looked, constants(1.0), scale, verdicts)
    rates = {"gamma_max": None, "used_is_inside": False}
    found = short_answer(looked, FELL, verdicts, rulings, rates, OPEN, None)["sentence"]
    sentence = found.removeprefix(f"{FELL.words} ")
    longer = "No theorem covers a longer run: the sketch residual grows."
    assert sentence.startswith(longer) == (residual == "fails" and smoothness == "cannot tell")
    assert sentence.startswith("No theorem covers this run;") == (smoothness == "fails")
