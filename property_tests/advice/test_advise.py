"""`fps.advise` works on any module and on a config, and refuses what it cannot use. Its answer comes
first and fits, and says what each number rests on.
"""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fpsverify as fps
from empirical.advice.advice import Advice, Column, Pilot, Rival
from empirical.advice.shown import WIDTH, answer, number
from fpsverify import config as configs
from fpsverify.cli import main
from fpsverify.runs.loop import run_in_memory
from property_tests.support.commands import refusal, said
from property_tests.support.own_models import federation


def small(**changes: object) -> fps.RunConfig:
    values = {
        "rounds": 40,
        "dtype": "float64",
        "problem": {"data": "synthetic", "objective": "least_squares", "samples": 120, "features": 20},
        "devices": {"M": 3},
        "local": {"E": 1, "batch": 0},
        "algorithm": {"compressor": "identity", "k": 20},
        "channel": {"kind": "ideal"},
    }
    return configs.parse(configs.apply_overrides(values, [f"{k}={v}" for k, v in changes.items()]))


def test_advice_for_a_config_trains_is_below_the_edge_and_the_same_every_time() -> None:
    found = fps.advise(small())
    assert found == fps.advise(small())
    assert found.recommended is not None
    assert found.guaranteed is not None
    assert found.edge == pytest.approx(found.at_estimates.certified, rel=1e-3)  # E = 1: both are 2/L_f
    assert found.guaranteed <= found.edge
    assert min(pilot.losses[-1] for pilot in found.pilots) < found.pilots[0].losses[0]


def test_advice_for_a_module_of_ones_own_says_what_it_did() -> None:
    said: list[str] = []
    found = fps.advise(federation(), rounds=30, E=2, batch=8, sketch=(3, 20, 25), progress=said.append)
    assert found.recommended is not None and math.isfinite(found.recommended)
    assert found.guaranteed is None  # a sketch that compresses, a loss that is not quadratic
    assert "no theorem" in found.labels["guaranteed"]
    assert found.labels["recommended"] == "tried over all 30 rounds"
    assert any("curvature" in line for line in said) and any("pilot at gamma" in line for line in said)


def test_advice_says_first_what_it_costs_and_costs_it() -> None:
    told: list[str] = []
    found = fps.advise(small(rounds=80, **{"local.batch": 8}), progress=told.append)
    assert "about as long as 2 to 4 runs of 80 rounds" in told[0]
    rounds = {each.gamma: 0 for each in found.pilots}  # a pilot that is run on to the end starts where it was
    for each in found.pilots:
        rounds[each.gamma] = max(rounds[each.gamma], each.rounds[-1])
    assert sum(rounds.values()) + sum(each.rounds[-1] for each in found.draws) <= 4 * 80
    assert len(found.draws) >= 1 and "more draw" in " ".join(found.reasons)


def test_cheap_advice_measures_no_curvature_and_certifies_nothing() -> None:
    told: list[str] = []
    found = fps.advise(small(**{"local.batch": 8}), cheap=True, progress=told.append)
    assert "2 to 3 runs" in told[0] and not any(line.startswith("curvature") for line in told)
    assert found.recommended is not None and found.guaranteed is None and found.edge is None
    assert found.pilots[0].losses[0] > min(each.losses[-1] for each in found.pilots)


@pytest.mark.parametrize("seed", range(4))
def test_the_run_was_tried_at_the_recommended_rate(seed: int) -> None:
    """It ends below its start, although noise adds up after the pilot; what is run later is the same run."""
    sketch = {"algorithm.compressor": "count_sketch", "algorithm.rows": 3, "algorithm.buckets": 6}
    noisy = {"channel.kind": "gaussian", "channel.sigma": 0.3, "algorithm.k": 6, "seed": seed}
    config = small(rounds=40, **sketch, **noisy)
    found = fps.advise(config, pilot=10)
    if found.recommended is None:
        assert "over all rounds" in found.labels["recommended"]
        return
    if "another draw" in found.labels["recommended"]:
        assert any("with another hash" in each for each in found.change)
        return
    assert found.labels["recommended"] == "tried over all 40 rounds"
    tried = small(rounds=40, **sketch, **noisy, **{"local.gamma": found.recommended, "record.verify": "true"})
    rows = run_in_memory(tried).rows
    assert sum(row["loss"] for row in rows[-5:]) / 5 < found.pilots[0].losses[0]


@pytest.mark.parametrize("E", [1, 2])
@pytest.mark.parametrize("batch", [0, 8])
def test_a_fresh_sketch_is_advised_on_with_what_it_adds_to_the_curvature(E: int, batch: int) -> None:
    """The first pilot is at half of 2/(E(L + omega_L)); with full gradients and one step one is proved."""
    found = fps.advise(small(), algorithm="fresh", sketch=(1, 10), E=E, batch=batch)
    assert found.recommended is not None and found.edge is None
    assert any("omega_L" in each for each in found.reasons)
    assert not any("residual" in each or " k (now" in each for each in (*found.reasons, *found.change))
    assert found.pilots[0].gamma < 1 / (E * found.facts["L"])
    assert (found.guaranteed is not None) == (E == 1 and batch == 0)
    assert found.guaranteed is None or found.guaranteed < found.facts["L"] * 2


def test_rivals_send_as_many_numbers_and_the_best_stands_first() -> None:
    found = fps.advise(small(**{"local.batch": 8}), algorithm="fresh", sketch=(1, 10), compare=True)
    assert {each.name.split(",")[0] for each in found.rivals} == {"fresh", "FPS", "no sketch"}
    losses = [each.loss for each in found.rivals if each.loss is not None]
    assert losses == sorted(losses) and found.reasons[0].startswith("With as many numbers sent")
    assert [each.rounds for each in found.rivals if each.name == "no sketch"] == [40 * 10 // 20]
    with pytest.raises(fps.BadInput, match="a sketch"):
        fps.advise(small(), compare=True)


def test_arguments_replace_keys_of_the_config() -> None:
    facts = fps.advise(small(), rounds=15, E=2, mu=0.1, sketch=(3, 8, 20), seed=7).facts["config"]
    assert (facts["rounds"], facts["seed"]) == (15, 7)
    assert (facts["local"]["E"], facts["local"]["mu"]) == (2, 0.1)
    assert (facts["algorithm"]["rows"], facts["algorithm"]["buckets"]) == (3, 8)


@pytest.mark.parametrize("problem", [small(), federation()])
def test_a_part_of_the_devices_is_advised_on(problem: fps.RunConfig | fps.Federation) -> None:
    found = fps.advise(problem, rounds=15, pilot=10, participation=2)
    assert found.facts["config"]["devices"] == {
        **found.facts["config"]["devices"],
        "M": 3,
        "participation": 2,
    }
    assert "a part of the devices" in found.labels["guaranteed"]


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"pilot": 3}, "pilot"),
        ({"pilot": 2.5}, "pilot"),
        ({"E": 0}, "local.E"),
        ({"mu": -1.0}, "local.mu"),
        ({"batch": -1}, "local.batch"),
        ({"rounds": 0}, "rounds"),
        ({"sketch": (3, 8)}, "sketch"),
        ({"sketch": (3, 8, 2000)}, "algorithm.k"),
        ({"channel": "loud"}, "channel"),
        ({"algorithm": "none"}, "algorithm"),
        ({"set": ["local.gama=1"]}, "local.gama"),
        ({"problem": "demo"}, "a Federation or a RunConfig"),
    ],
)
def test_bad_arguments_are_one_line_that_names_them(given: dict[str, object], field: str) -> None:
    for problem in (small(), federation()):
        with pytest.raises(fps.BadInput) as caught:
            fps.advise(**{"problem": problem, **given})
        assert field in str(caught.value) and "\n" not in str(caught.value)


CONFIG = ["rounds=20", "problem.samples=200", "problem.features=10", "problem.hidden=4", "algorithm.k=20"]


def test_the_command_prints_the_answer_or_json(capsys: pytest.CaptureFixture[str]) -> None:
    """What is run next has the very number that was tried."""
    words = ["advise", "--demo", "--pilot", "10", *(f"--set={each}" for each in CONFIG)]
    assert main([*words, "--json"]) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert {"recommended", "guaranteed", "edge", "labels", "change"} <= set(found)
    assert err.splitlines()[0].startswith("this takes about as long as")
    *_, last = said(capsys, *words).splitlines()
    gamma = f"--set local.gamma={found['recommended']}"
    assert (
        last == f"Next: fpsverify run --demo {' '.join(f'--set {each}' for each in CONFIG)} {gamma} --out DIR"
    )


@pytest.mark.parametrize("words", [["advise"], ["advise", "--demo", "--pilot", "2"], ["advise", "no.toml"]])
def test_the_command_refuses_in_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    refusal(capsys, *words)


rates = st.none() | st.floats(1e-12, 1e12)
words = st.text("abc de=.,", min_size=1, max_size=300).filter(lambda text: text.strip())
pilots = st.builds(
    lambda gamma, losses: Pilot(gamma, tuple(range(len(losses))), tuple(losses)),
    st.floats(1e-6, 1e6),
    st.lists(st.floats(0, 1e6), min_size=2, max_size=5),
)
columns = st.builds(Column, rates, rates)


RIVALS = (Rival("fresh", 0.1, None, 40), Rival("FPS", None, 0.5, 40))


@st.composite
def advices(draw: st.DrawFn) -> Advice:
    labels = {name: draw(words) for name in ("recommended", "guaranteed", "edge")}
    lists = [tuple(draw(st.lists(words, max_size=3))) for _ in range(2)]
    numbers = [draw(rates) for _ in range(3)]
    shown = draw(st.lists(pilots, max_size=2))
    made = (tuple(shown), tuple(shown[:1]))
    return Advice(*numbers, labels, *lists, draw(columns), draw(columns), *made, RIVALS, {"d": 3})


@given(advices())
def test_every_form_holds_all_of_it_and_shows_the_recommended_number_or_less(advice: Advice) -> None:
    """80 columns: the answer first, whole; plain values in JSON."""
    found, told = advice.summary(detail=True), [*advice.labels.values(), *advice.change, *advice.reasons]
    lines = found.splitlines()
    assert all(len(line) <= WIDTH for line in lines) and found.startswith(advice.summary())
    assert lines[: len(answer(advice))] == answer(advice)
    assert all(without_spaces(words.rstrip(".")) in without_spaces(found) for words in told)
    assert found.count(" rounds: ") == len(advice.pilots)
    exact = advice.gamma is None or float(number(advice.gamma)) == advice.gamma
    assert exact != (f"advice.gammahasalldigits:{advice.gamma!r}." in without_spaces(found))
    stored = json.loads(json.dumps(advice.as_json(), allow_nan=False))
    assert Advice.from_json(stored) == advice and stored["recommended"] == advice.gamma
    if advice.recommended is None:
        assert lines[0].startswith("No learning rate")
    else:
        assert 0.999 * advice.recommended <= float(lines[0].split()[3]) <= advice.recommended
    assert len(repr(advice)) <= 100
    assert "<table>" in advice._repr_html_()
    assert list(advice.to_frame().index) == ["recommended", "guaranteed", "edge"]


def without_spaces(text: str) -> str:
    return "".join(text.split())


def test_a_sketch_far_too_small_is_named_as_the_thing_to_change() -> None:
    """6 numbers for 20 parameters that all matter: the loss stays up, and without the sketch it does not."""
    sizes = {"algorithm.compressor": "count_sketch", "algorithm.rows": 2, "algorithm.buckets": 3}
    other = {"problem.power_law": 0.01, "algorithm.recovery": "mean"}
    advice = fps.advise(small(**sizes, **other), pilot=20)
    assert "without the sketch" in advice.change[0] and "buckets (now 3)" in advice.change[0]
