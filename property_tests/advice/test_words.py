"""What an advice says is true of the run: certified, the edge, and what a pilot has shown."""

from dataclasses import replace
from typing import Any

import pytest

from empirical.advice import words
from empirical.advice.advice import Pilot
from empirical.advice.case import Case, case_of
from empirical.advice.curvature import look
from empirical.advice.limits import Limits, limits
from empirical.advice.rule import Choice
from property_tests.advice.test_advise import small

NETWORK = {"problem.data": "blobs", "problem.objective": "softmax", "problem.classes": 3, "algorithm.k": 63}
KINKED = NETWORK | {"problem.objective": "mlp", "problem.hidden": 4, "algorithm.k": 20}
SKETCH = {"algorithm.compressor": "count_sketch", "algorithm.buckets": 4, "algorithm.recovery": "mean"}
NOTHING = Choice(None, None, 0.0, None, False)


def at_start(sampled: bool = False, **changes: object) -> tuple[Case, Limits]:
    case = replace(case_of(small(**changes)), sampled=sampled)
    return case, limits(case, ((0, case.in_model(case.setup.problem.start)),))


def said(case: Case, found: Limits, choice: Choice, *made: Pilot, plain: Pilot | None = None) -> str:
    advice = words.advice(case, found, made, choice, "label", "round 0", plain)
    return " ".join((*advice.reasons, *advice.change, *advice.labels.values()))


@pytest.mark.parametrize(
    ("changes", "says", "certified"),
    [
        (KINKED, "Assumption 1 fails", False),
        (NETWORK, "away from the points seen", False),
        (SKETCH | NETWORK, "not known to be quadratic", False),
        ({"sampled": True}, "sample of the rows", False),
        (SKETCH | {"sampled": True}, "sample of the rows", False),
        ({"local.batch": 8}, "mini-batch noise", False),
        (SKETCH | {"local.batch": 8}, "proved without noise", False),
        ({"local.E": 3, "local.mu": 0.5}, "no proximal term", False),
        ({"devices.participation": 2}, "part of the devices", False),
        ({"channel.kind": "rayleigh"}, "part of the devices", False),
        ({"channel.kind": "rayleigh", "channel.gain_threshold": 0.0}, "fading", False),
        ({"local.mu_step": 0.1, "local.E": 3}, "mu changes", False),
        (SKETCH | {"local.mu_step": 0.1, "local.E": 3}, "mu changes", False),
        ({"algorithm.name": "blcd"}, "no theorem covers blcd", False),
        (SKETCH | {"channel.kind": "gaussian", "channel.sigma": 0.1}, "proved without noise", True),
        (SKETCH | {"algorithm.recovery": "median"}, "the median is read out", True),
        (SKETCH | {"algorithm.k": 5}, "k = 5 of 20", True),
        (SKETCH | {"local.E": 2}, "at E >= 2 only the table is proved to stay bounded", True),
    ],
)
def test_whatever_a_theorem_asks_for_is_needed_for_a_guarantee(
    changes: dict[str, Any], says: str, certified: bool
) -> None:
    """What holds without the sketch is called certified only if the constants seen bind the whole run."""
    case, found = at_start(**changes)
    gamma, why = words.guaranteed(case, found)
    assert gamma is None and says in why
    text = said(case, found, NOTHING)
    assert ("is certified" in text) == certified
    assert ("would be certified if the curvature seen here held" in text) != certified


@pytest.mark.parametrize("changes", [{}, {"local.E": 3}, SKETCH])
def test_least_squares_with_full_gradients_is_guaranteed(changes: dict[str, Any]) -> None:
    """E = 1, Theorem C, and below the exact edge: the smaller of the two limits."""
    case, found = at_start(**changes)
    gamma, why = words.guaranteed(case, found)
    ends = [found.over_intervals.certified, *([found.over_intervals.edge] if case.E == 1 else [])]
    assert gamma == min(ends) > 0 and "certif" in why
    assert "is certified" in said(case, found, NOTHING)


@pytest.mark.parametrize("changes", [{}, NETWORK, SKETCH])
def test_no_limit_is_named_or_guaranteed_that_a_pilot_refutes(changes: dict[str, Any]) -> None:
    case, found = at_start(**changes)
    limit, (proved, _) = found.at_estimates.certified, words.guaranteed(case, found)
    assert limit is not None
    for gamma, refuted in ((min(limit, proved or limit) / 8, True), (2 * limit, False)):
        made = Pilot(gamma, (0, 2), (1.0, 500.0), True)
        text = said(case, found, NOTHING, made)
        named = any(each in text for each in ("be certified", "is certified", "held throughout", "allows"))
        assert named != refuted
        left = words.advice(case, found, (made,), NOTHING, "label", "round 0").guaranteed
        assert left == (None if refuted else proved)


@pytest.mark.parametrize("power", [0.2, 3.0])
@pytest.mark.parametrize("mu", [0.0, 0.5])
def test_the_lower_limit_on_the_edge_is_named_for_what_it_is(power: float, mu: float) -> None:
    """2/(E L_A) or 2/(L + μ), whichever is smaller; L at its estimate, and at its upper end."""
    changes = {"local.E": 2, "local.mu": mu, "devices.scenario": 3, "problem.power_law": power}
    case, found = at_start(**changes)
    low, high = look(case.model, case.in_model(case.setup.problem.start), 0, case.config.seed, False, False).L
    assert found.edge is not None
    by_steps = found.edge.looks[0][1].gamma / 2
    name, gamma = min(
        ("2/(E L_A)", by_steps), ("2/(L + mu)" if mu else "2/L", 2 / (low + mu)), key=lambda x: x[1]
    )
    assert found.edge.gamma == pytest.approx(gamma, rel=1e-9)
    assert found.edge.low == pytest.approx(min(found.edge.looks[0][1].low / 2, 2 / (high + mu)), rel=1e-9)
    assert words.edge(case, found) == f"a lower limit: {name}"
    above = said(case, found, replace(NOTHING, gamma=2 * gamma))
    assert (
        f"(beyond it rounds overshoot) is at least {name}" in above
        and "above this lower limit on the edge" in above
    )


@pytest.mark.parametrize(
    ("changes", "label"),
    [
        (SKETCH, "exact for this hash"),
        (SKETCH | {"algorithm.recovery": "median"}, "measured for this hash"),
        ({}, "exact"),
        ({"devices.participation": 2}, "exact, with all devices"),
    ],
)
def test_the_edge_is_called_exact_only_where_it_is(changes: dict[str, object], label: str) -> None:
    assert words.edge(*at_start(**changes)) == label


def falling(gamma: float) -> Pilot:
    return Pilot(gamma, tuple(range(0, 51, 2)), tuple(1 / (1 + gamma * t) for t in range(0, 51, 2)))


def test_the_answer_gives_a_range_over_draws_and_not_one_number() -> None:
    case, found = at_start(**SKETCH)
    run, worse = falling(0.2), falling(0.1)
    choice = Choice(0.2, run, 10.0, None, False, trial=run, draws=(worse, worse))
    ends = [sum(each.losses[-5:]) / 5 for each in (run, worse)]
    assert (
        f"With 2 more draws of hash, batches and noise the loss ends at {ends[0]:.4g} to {ends[1]:.4g}."
        in (said(case, found, choice, run))
    )


@pytest.mark.parametrize("k", [5, 20])
def test_where_top_k_drops_coordinates_the_pilots_own_limit_stands_for_the_edge(k: int) -> None:
    case, found = at_start(**SKETCH | {"algorithm.k": k})
    good, bad = falling(0.1), Pilot(0.2, (0, 50), (1.0, 3.0))
    advice = words.advice(case, found, (good, bad), NOTHING, "label", "round 0")
    assert (advice.edge == 0.1) == (k == 5) and ("0.2 ended above its start" in advice.labels["edge"]) == (
        k == 5
    )
    assert ("blind to top-k" in words.edge(case, found)) == (k == 5)


def test_a_turn_at_a_smaller_rate_than_the_recommended_is_not_told() -> None:
    case, found = at_start(**SKETCH)
    turned = Pilot(0.2, tuple(range(0, 51, 2)), tuple(abs(t - 20) / 20 for t in range(0, 51, 2)))
    for gamma, told in ((0.1, True), (None, True), (0.3, False)):
        assert ("turned up" in said(case, found, Choice(gamma, None, 4.0, turned, False))) == told


@pytest.mark.parametrize("buckets", [4, 7])
def test_a_sketch_as_large_as_the_model_is_told_and_never_to_be_enlarged(buckets: int) -> None:
    """Three rows: 12 and 21 numbers for 20 parameters."""
    case, found = at_start(**SKETCH | {"algorithm.rows": 3, "algorithm.buckets": buckets, "algorithm.k": 5})
    turned = Pilot(0.2, tuple(range(0, 51, 2)), tuple(abs(t - 20) / 20 for t in range(0, 51, 2)))
    for choice in (NOTHING, Choice(0.1, None, 4.0, turned, False)):
        text = said(case, found, choice)
        assert ("21 numbers for 20 parameters save nothing; take buckets below 7" in text) == (buckets == 7)
        assert ("buckets (now" in text) == (buckets == 4)


@pytest.mark.parametrize(("end", "little"), [(0.97, True), (0.9, False)])
def test_a_best_pilot_that_hardly_learned_is_told(end: float, little: bool) -> None:
    case, found = at_start(**SKETCH | {"channel.kind": "gaussian", "channel.sigma": 5, "algorithm.k": 5})
    made = tuple(Pilot(gamma, (0, 50), (1.0, 2 * end - 1)) for gamma in (0.1, 0.2))
    text = said(case, found, Choice(0.1, made[0], 4.0, None, False), *made)
    told = "lower the channel noise: it hardly learns (3.0% of the loss in 50 rounds, below 5%)"
    assert (told in text) == little
    assert "hardly learns" not in said(case, found, Choice(0.1, made[0], 4.0, None, False), made[0])


@pytest.mark.parametrize("T", [50, 51])
@pytest.mark.parametrize(("objective", "scaled"), [("least_squares", "targets"), ("softmax", "inputs")])
def test_a_run_that_hardly_learned_without_sketch_and_noise_is_told(
    objective: str, scaled: str, T: int
) -> None:
    """Only where it was seen to its end."""
    changes = NETWORK | {"rounds": T} if objective == "softmax" else {"rounds": T}
    made = tuple(Pilot(gamma, (0, 50), (1.0, 0.994)) for gamma in (0.1, 0.2))  # 0.3 % by the mean of both
    text = said(*at_start(**changes), Choice(0.1, made[0], 4.0, None, False), *made)
    told = (
        f"it hardly learns (0.3% of the loss in 50 rounds, below 5%): take more rounds, or scale the {scaled}"
    )
    assert (told in text) == (T == 50)
    learned = replace(made[0], rounds=(0, 51), losses=(1.0, 0.4))
    assert "hardly" not in said(
        *at_start(**changes), Choice(0.1, made[0], 4, None, False, trial=learned), *made
    )


@pytest.mark.parametrize(("end", "costly"), [(0.4, True), (0.2, False)])
def test_a_sketch_that_costs_more_than_a_fifth_of_the_gain_is_told(end: float, costly: bool) -> None:
    """Without it the loss falls from 1 to 0.1, a gain of 0.9; the recommended rate stays the same."""
    case, found = at_start(**SKETCH | {"algorithm.k": 5})
    best, plain = (Pilot(0.1, (0, 50), (1.0, 2 * tail - 1)) for tail in (end, 0.1))  # the mean of both
    choice = Choice(0.1, best, 5.0, None, False)
    told = f"after 50 rounds at gamma = 0.1 the loss is {end:.3g}, without the sketch 0.1"
    assert (told in said(case, found, choice, best, plain=plain)) == costly
    assert "without the sketch" not in said(case, found, choice, best, plain=replace(plain, diverged=True))
    assert "without the sketch" not in said(case, found, choice, best)


def test_an_uncompressed_case_sends_everything_and_changes_nothing_else() -> None:
    case, _ = at_start(**SKETCH | {"algorithm.k": 5})
    plain = case.uncompressed()
    assert plain is not None and not plain.compresses and case.compresses
    assert plain.config.local == case.config.local and plain.config.algorithm.k == case.d
    assert at_start(**{"algorithm.name": "blcd"})[0].uncompressed() is None
