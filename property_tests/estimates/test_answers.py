"""What an estimate says first: how training went, then which theorem covers it; nothing to be done is cut."""

import html
import json
import re
import shutil
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import fpsverify as fps
from empirical.advice.advice import Pilot
from empirical.advice.remedies import HARDLY, smaller_sketch
from empirical.answer import compare, outcome, result, six_lines, stored, text
from empirical.answer.outcome import AMBER, GREEN, RED, WINDOW, Outcome
from empirical.answer.result import Estimate
from empirical.constants.pairs import Scale
from empirical.observed.recorded import difference
from empirical.spelling import COMMANDS, PROGRAM
from empirical.statistics.intervals import Interval
from fpsverify.errors import FpsError
from fpsverify.report import names, page
from fpsverify.runs.files import read_rows
from fpsverify.runs.loop import run
from property_tests.support.commands import refusal, said
from property_tests.support.own_models import federation
from property_tests.support.small_runs import finished_and_copy, small
from theory.bounds import terms as bounds
from theory.rates.parameters import Parameters
from theory.rates.theorem_a import Sources

WORDS = st.lists(st.sampled_from(["k", "raise", "buckets", "fps.estimate(folder)", "--rounds"]), min_size=1)


@given(st.floats(-2.0, 1.0), st.booleans(), st.booleans(), st.sampled_from([True, False, None]))
def test_the_colour_follows_how_it_trained_and_green_needs_a_theorem_too(share, constant, proved, covered):
    found = Outcome(share, constant=0.5 if constant else None, accuracy=0.4)
    colour = outcome.colour(found, covered, proved)
    assert (colour == RED) == (share < HARDLY)
    assert (colour == GREEN) == (share >= HARDLY and not constant and covered is True and proved)
    assert outcome.colour(replace(found, broke=4), covered, proved) == RED


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (Outcome(0.6905), f"The loss fell by 69 % ({WINDOW})."),
        (Outcome(0.0239), f"The run hardly learned: the loss fell by 2.39 % ({WINDOW})."),
        (Outcome(-0.5), f"The run did not learn: the loss rose by 50 % ({WINDOW})."),
        (Outcome(0.9, broke=3), "The run diverged in round 3."),
        (
            Outcome(0.1, "w", 0.357, 0.36),
            "but the accuracy, 35.7%, is no better than that of always answering",
        ),
    ],
)
def test_the_first_words_say_how_training_went(found, words):
    assert words in found.words and found.learned == (found.share == 0.6905)


@given(st.lists(st.floats(0.1, 10), min_size=11, max_size=11), st.sampled_from([10, 40]))
def test_a_fall_is_that_to_the_mean_of_the_last_five_rounds_which_is_said(losses, T):
    evidence = SimpleNamespace(T=T, reached={"accuracy": 0.9, "majority": 0.5}, broke=None)
    found = outcome.of_run(evidence, Pilot(0.1, tuple(range(11)), tuple(losses)))
    assert found.share == pytest.approx(1 - np.mean(losses[-5:]) / losses[0])
    assert found.window == (WINDOW if T == 10 else f"{WINDOW} looked at")
    assert "last 5 rounds" in WINDOW and found.constant is None


@pytest.mark.parametrize("kind", ["", "train_"])
@pytest.mark.parametrize(("accuracy", "worse"), [(0.35, True), (0.36, True), (0.37, False)])
def test_an_accuracy_that_the_commonest_class_reaches_is_no_learning(kind, accuracy, worse):
    reached = {f"{kind}accuracy": accuracy, f"{kind}majority": 0.36}
    evidence = SimpleNamespace(T=1, reached=reached, broke=None)
    assert outcome.of_run(evidence, Pilot(0.1, (0, 1), (1.0, 0.1))).learned != worse


def test_a_bound_says_nothing_above_the_largest_round_or_above_what_the_loss_implies():
    assert outcome.why_empty(119000.0, 2.93, True, None) == "no round was above 2.93"
    assert outcome.why_empty(3.0, 2.93, False, 9.0) == "no round looked at was above 2.93"
    assert "the mean loss alone implies 1.5" in outcome.why_empty(2.0, 2.93, True, 1.5)
    assert outcome.why_empty(2.0, 2.93, True, 2.5) == "" == outcome.why_empty(2.0, 2.93, True, None)


@given(st.lists(st.floats(-3, 3), min_size=3, max_size=6), st.floats(0.5, 4), st.floats(0, 2))
def test_the_mean_loss_implies_a_bound_on_the_mean_squared_gradient(points, L, floor):
    """f(w) = L w²/2 + c ≥ c: ‖∇f‖² = L²w² is 2L(f − c), so the implied bound is met exactly."""
    losses = tuple(L * w * w / 2 + floor for w in points)
    scale = Scale(L, 0.0, 1, 1, 0.1, len(points) - 1, 1.0, 0.0)
    found = outcome.implied_by_loss(scale, Pilot(0.1, tuple(range(len(points))), losses), floor)
    # f − c loses what c has more digits of than f − c: a few units in the last place of c, times 2L
    assert found == pytest.approx(np.mean([(L * w) ** 2 for w in points[:-1]]), rel=1e-12, abs=1e-13)
    below = Pilot(0.1, (0, 1), (-1.0, -2.0))  # a loss whose floor is not known
    assert outcome.implied_by_loss(scale, below, 0.0) is None


@given(st.floats(0, 50))
def test_a_bound_below_the_limit_is_theorem_as_at_a_smaller_rate(R2):
    exact = lambda x: Interval.exact(x, "given")  # noqa: E731
    zero = exact(0.0)
    constants = compare.Measured(zero, zero, zero, zero, exact(1.0), zero, exact(2.0), exact(R2))
    scale = Scale(2.0, 0.0, 1, 4, 0.9, 50, 1.0, R2)
    q, sources = Parameters(L=2.0, mu=0.0, E=1, B=1.0, P_b=0.0, P_n=0.0, M=4), Sources(Delta=1.0, R2=R2)
    tried = [bounds.implicit(q, share * 0.8, 50, sources).total for share in compare.SMALLER]
    assert compare.least_below(constants, scale, 0.8) == pytest.approx(min(tried))
    assert compare.least_below(replace(constants, R2=None), scale, 0.8) is None


def spoken(sentence, changes, following, learned=True, guaranteed=None):
    advice = {
        "recommended": 0.1,
        "guaranteed": guaranteed,
        "labels": {"guaranteed": "no theorem: k = 5 of 9"},
    }
    found = {"sentence": sentence, "used": 0.1, "change": changes, "next": following}
    found |= {"covered": True, "learned": learned}
    return six_lines.answer({"answer": found, "advice": advice, "assumptions": []})


@given(WORDS, st.lists(WORDS, max_size=3), st.booleans())
def test_an_answer_has_six_lines_and_what_stands_in_it_is_whole(sentence, changes, learned):
    """A sentence of three lines, a short rate and a next step leave one line for what to change."""
    words = [" ".join(each)[:150] for each in changes]
    lines = spoken(" ".join(sentence)[:230], words, "fpsverify advise RUN (which rate?)", learned)
    shown = " ".join(" ".join(lines).split())
    assert len(lines) <= 6 and max(map(len, lines)) <= 80 and "…" not in shown
    for each in re.findall(r"Change: (.*?)\.(?= Change:| Larger| Next:|$)", shown):
        assert each in [" ".join(w.split()).rstrip(".") for w in words] or each in six_lines.LEFT_OUT
    assert re.search(r"guaranteed none(: no theorem covers every run like this one \(k = 5 of 9\))?\.", shown)
    assert learned or shown.endswith("Next: fpsverify advise RUN (which rate?).")


@given(
    st.lists(st.sampled_from(["L = 34", "fps.estimate(folder, rounds=32)", "seen"]), min_size=1, max_size=40)
)
def test_a_cell_of_a_table_is_never_cut(words):
    table = text.ruled("title", ["", "why"], [["1 smoothness", " ".join(words)]], set())
    assert max(map(len, table.splitlines())) <= 80
    assert " ".join(" ".join(words).split()) in " ".join(table.split())


@given(st.integers(1, 60))
def test_the_number_of_an_assumption_stays_beside_its_name(width):
    table = text.ruled("title", ["", "rests on"], [["x" * width, "Asm. 1 fails; Asm. 2 open"]], set())
    assert not re.search(r"Asm\.$", table, re.M) and "Asm. 1" in table and "\xa0" not in table


def test_sending_whole_vectors_is_said_as_each_reader_can_do_it():
    for call, whole in ((PROGRAM, "(sketch=None)"), (COMMANDS, '(algorithm.compressor = "identity", k = d)')):
        config = SimpleNamespace(algorithm=SimpleNamespace(rows=5, buckets=400))
        case = SimpleNamespace(config=config, d=1826, spelling=call)
        assert smaller_sketch(case).endswith(f"take buckets below 366, or send whole vectors {whole}")


@pytest.mark.parametrize(
    ("low", "estimate", "high", "shown"),
    [(1.23451, 1.23451, 1.23451, "1.235"), (1.23459, 1.23459, 2.0, "1.234"), (1.0, 1.23459, None, "1.235")],
)
def test_a_number_is_rounded_like_the_end_that_it_is(low, estimate, high, shown):
    assert page.estimate_of({"low": low, "estimate": estimate, "high": high}) == shown
    assert float(page.lower_end(estimate)) <= estimate <= float(page.upper_end(estimate))


whole, folder = finished_and_copy(
    small("rounds=12", "record.checkpoint_every=6"),
    then=lambda place: result.of_folder(place, stored.Settings(replicates=8, rounds=3)),
)


def coloured(values, **answer):
    return Estimate(values | {"answer": values["answer"] | answer})._repr_html_()


def test_the_page_has_the_colour_the_next_step_and_one_form_of_each_number(folder):
    values = stored.read(folder, None).result
    values["bound"] |= {"theorem_a": 118018.7, "says_nothing": "no round was above 2.93"}
    values["constants"]["R2"] |= {"low": 41.8741, "estimate": 41.8741, "high": 41.8741}
    for colour in (GREEN, AMBER, RED):
        assert f'class="answer {colour}"' in coloured(values, colour=colour)
    better = html.unescape(coloured(values, learned=False, next="fpsverify advise RUN/config.toml"))
    assert "Next: <code>fpsverify advise RUN/config.toml</code>" in better
    values["advice"]["recommended"] = values["answer"]["used"]
    kept = "<dt>γ recommended</dt><dd>not known</dd>"
    assert kept in coloured(values, learned=False) and kept not in coloured(values, learned=True)
    shown = html.unescape(coloured(values, learned=True))
    assert "Next:" not in shown and "at most <b>1.181e+05</b>, which says nothing: no round was" in shown
    assert "41.88" in shown and "41.87" not in shown
    words = Estimate(values).summary(True)
    assert "at most 1.181e+05\n" in words and "R²   sketch residual               41.88 " in words


def test_an_edge_that_is_known_from_below_is_shown_as_such_and_where_it_was_measured(folder):
    values = stored.read(folder, None).result
    assert "≥" not in values["advice"]["labels"]["edge"]
    values["advice"] |= {"edge": 0.058839, "facts": {"edge_at": [0, 50]}}
    values["advice"]["edge_from_below"] = True
    values["advice"]["labels"]["edge"] = "a lower limit: 2/L"
    shown = html.unescape(Estimate(values)._repr_html_())
    assert f"<dt>{names.EDGE}</dt><dd>≥ 0.05883</dd>" in shown
    assert "a lower limit, at rounds 0, 50." in shown and names.BEYOND not in shown
    values["advice"]["edge_from_below"] = False
    values["advice"]["labels"]["edge"] = "measured"
    assert "<dd>0.05883</dd>" in Estimate(values)._repr_html_()


def test_an_estimate_says_where_the_edge_was_looked_at(folder):
    found = result.of_folder(folder, stored.Settings(replicates=8, rounds=3))
    assert found["advice"]["facts"]["edge_at"] == [0, 6, 12]


def test_the_answer_names_a_command_for_a_run_that_did_not_learn(tmp_path, capsys):
    run(small("rounds=12", "record.checkpoint_every=6", "local.gamma=1e-6"), tmp_path / "run")
    for command in ("estimate", "report"):
        lines = said(capsys, command, tmp_path / "run", "--quiet").split("\n\n")[0]
        assert lines.startswith("The run hardly learned: the loss fell by 0") or "did not learn" in lines
        assert f"fpsverify advise {tmp_path / 'run'}/config.toml".split("/")[-1] in lines
        assert "(which rate?)" in " ".join(lines.split())


STEEP = ("problem.data=synthetic", "problem.objective=least_squares", "algorithm.k=5", "rounds=60")
SPARE = ("record.evaluate_every=60", "record.checkpoint_every=50")


def test_a_run_that_diverged_is_called_that_and_a_killed_one_is_not(tmp_path, capsys):
    """A kill leaves rows up to a checkpoint; a model that is not finite leaves all rows before it."""
    config = small(*STEEP, "local.gamma=1e6", *SPARE)
    with pytest.raises(FpsError):
        run(config, tmp_path / "bad")
    last = len(read_rows(tmp_path / "bad"))
    for command in ("estimate", "report", "compare"):
        told = refusal(capsys, command, tmp_path / "bad")
        assert f"the run diverged in round {last} of 60; fpsverify advise {tmp_path}" in told
    run(small(*STEEP, "local.gamma=1e-3", "record.checkpoint_every=5"), tmp_path / "cut")
    (tmp_path / "cut/summary.json").unlink()
    assert "the summary of this run; fpsverify run --resume" in refusal(capsys, "report", tmp_path / "cut")


def test_a_run_made_in_python_is_told_what_works_there(tmp_path, capsys):
    with pytest.raises(FpsError):
        fps.train(linear(), rounds=30, gamma=1e6, out=tmp_path / "bad", sketch=None, batch=0)
    assert "fps.advise(federation, …) with the options" in refusal(capsys, "estimate", tmp_path / "bad")
    fps.train(linear(), rounds=3, gamma=1e-3, out=tmp_path / "run", sketch=None)
    shutil.copytree(tmp_path / "run", tmp_path / "cut")
    (tmp_path / "cut/summary.json").unlink()
    assert "the same call of fps.train with resume=True writes it" in refusal(
        capsys, "report", tmp_path / "cut"
    )


def linear():
    X = torch.arange(30.0).reshape(10, 3) / 10
    return fps.Federation(torch.nn.Linear(3, 1), torch.nn.MSELoss(), [(X, X.sum(1, keepdim=True))] * 2)


def test_the_facts_of_a_run_name_its_devices_once(tmp_path):
    done = fps.train(federation(), rounds=2, sketch=(3, 20, 10), out=tmp_path / "own")
    (words,) = re.findall(r'<p class="note">(.*?)</p>', done.report().read_text(), re.S)[:1]
    assert words.count("devices") == 1
    same = fps.Federation(
        torch.nn.Linear(3, 1), torch.nn.MSELoss(), [(torch.ones(4, 3), torch.ones(4, 1))] * 2
    )
    assert "2 devices with 4 rows each, " in same.provenance
    run(small(), tmp_path / "given")
    about = json.loads((tmp_path / "given/summary.json").read_text())
    assert page.facts(about)[1].endswith(", 4 devices")


def test_a_replay_says_how_far_off_it_is() -> None:
    rows = lambda *sizes: [{"w_norm_squared": x} for x in sizes]  # noqa: E731
    assert "bit for bit" in difference(rows(4.0, 2.0), rows(4.0, 2.0))
    assert "up to 0.25 of itself" in difference(rows(4.0, 100.0), rows(5.0, 101.0))
