"""Every verdict can come out as holds, fails and cannot tell; where one outcome is impossible, why."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.estimates.generated import Bending, replicate_errors
from empirical.answer import assumptions
from empirical.answer import bias_and_noise as errors
from empirical.answer.estimate import estimate
from empirical.answer.verdict import CANNOT_TELL, FAILS, HOLDS
from empirical.constants import residual, smoothness
from empirical.constants.dissimilarity import Dissimilarity
from empirical.observed.protocol import Evidence, Iterate
from empirical.observed.replicates import collect, energies_of
from empirical.spelling import COMMANDS
from empirical.statistics.intervals import Interval
from property_tests.support.springs import Kinked, springs, springs_evidence

SOME = Interval(1.0, 0.5, 1.5, "")


def smooth(evidence, steps=24):
    found = smoothness.measure(evidence, lambda text: None, steps)
    facts = SimpleNamespace(
        constants=SimpleNamespace(L=found.L),
        smoothness=found,
        evidence=SimpleNamespace(config={}),
        spelling=COMMANDS,
    )
    return assumptions.smoothness(facts)


def bending():
    """100 different eigenvalues: three Lanczos steps give no upper limit."""
    spectrum = torch.linspace(-0.5, 1.0, 100, dtype=torch.float64)
    points = tuple(Iterate(t, torch.full((100,), 0.01 * t, dtype=torch.float64)) for t in range(0, 40, 5))
    return Evidence(Bending(spectrum), points, 0.1, 0.0, 1, 35, 1, {})


def energies(bias=0.0, tail=None):
    """24 points with ‖∇‖² = 10 and this bias energy; sizes of 40 replicates with this tail index."""
    rng = np.random.default_rng(3)
    points = [(i, 10.0, *energies_of(replicate_errors(rng, 2.0, bias))) for i in range(24)]
    sizes = None if tail is None else list(rng.random((50, 40)) ** (-1 / tail))
    return collect(points, 32, sizes)


def device(judge, found):
    constants = SimpleNamespace(P_n=SOME, sigma2=SOME, P_b=SOME, b2=SOME, B=Interval.exact(1.0, ""), looks=4)
    evidence = SimpleNamespace(without_replacement=False, unbiased="")
    scale = SimpleNamespace(T=100)
    return judge(
        SimpleNamespace(constants=constants, evidence=evidence, device=found, scale=scale, spelling=COMMANDS)
    )


def received(which, found):
    return errors.global_readings(SimpleNamespace(lumped={"received": found}))[which]


def spread(judge, D2_of, span=1000.0, noise=0.02):
    """40 rounds in which ‖∇f‖² falls by a factor `span`, with 2 % of noise on D²."""
    x = np.geomspace(span, 1.0, 40)
    D2 = D2_of(x) * np.exp(noise * np.random.default_rng(5).standard_normal(40))
    facts = SimpleNamespace(
        constants=SimpleNamespace(B=SOME, G2=SOME),
        dissimilarity=Dissimilarity(np.arange(40), x, D2, 39),
        spelling=COMMANDS,
    )
    return judge(facts)


TAILS = {HOLDS: 3.0, FAILS: 0.5, CANNOT_TELL: 1.0}
BIASES = {HOLDS: 15.0, FAILS: 40.0, CANNOT_TELL: 20.0}  # beside b² = 10 these need P_b = 0.5, 3 and 1


def on_energies(judge, **options):
    """For each outcome, the judgement of energies with the tail or the bias that leads to it."""
    ((name, by_outcome),) = options.items()
    return {o: lambda value=value: judge(energies(**{name: value})) for o, value in by_outcome.items()}


def step(gamma, mu):
    scale, evidence = SimpleNamespace(gamma=gamma, mu=mu, E=2), SimpleNamespace(config={})
    return assumptions.proximal_step(SimpleNamespace(scale=scale, evidence=evidence))


def paper(D2_of, **options):
    return spread(assumptions.dissimilarity, D2_of, **options)


def repaired(D2_of, **options):
    return spread(assumptions.dissimilarity_repaired, D2_of, **options)


CASES = {
    "1 smoothness": {
        HOLDS: lambda: smooth(springs_evidence(springs())),
        FAILS: lambda: smooth(springs_evidence(Kinked(springs().centres))),
        CANNOT_TELL: lambda: smooth(bending(), steps=3),
    },
    "2 noise": on_energies(lambda found: device(errors.device_noise, found), tail=TAILS),
    "3 bias": on_energies(lambda found: device(errors.device_bias, found), bias=BIASES),
    "2 noise, received gradient (paper)": on_energies(lambda found: received(0, found), tail=TAILS),
    "3 bias, received gradient (paper)": on_energies(lambda found: received(1, found), bias=BIASES),
    "5 dissimilarity (paper, G = 0)": {
        HOLDS: lambda: paper(lambda x: 4 * x),
        FAILS: lambda: paper(lambda x: x + 30),
        CANNOT_TELL: lambda: paper(lambda x: x + 30, span=2.0),
    },
    "5 dissimilarity (repaired)": {
        HOLDS: lambda: repaired(lambda x: x + 30),
        FAILS: lambda: repaired(lambda x: x + 0.1 * x**2),
        CANNOT_TELL: lambda: repaired(lambda x: x + 30, span=2.0),
    },
    "proximal step": {
        HOLDS: lambda: step(0.1, 1.0),
        FAILS: lambda: step(0.1, 20.0),
        CANNOT_TELL: "γ and μ are settings of the run; nothing about them is estimated",
    },
}
BY_THRESHOLDS = {"4 power law", "iterates", "sketch residual"}  # the laws below know where each outcome ends


@pytest.mark.parametrize(
    ("name", "outcome"), [(n, o) for n, cases in CASES.items() for o, case in cases.items() if callable(case)]
)
def test_each_outcome_of_each_verdict_occurs(name, outcome):
    found = CASES[name][outcome]()
    assert (found.name, found.verdict) == (name, outcome), found.why


def test_every_verdict_of_an_estimate_is_in_the_table_with_three_outcomes():
    given = {v.name for v in assumptions.verdicts(estimate(springs_evidence(springs()), 8))}
    assert {name.replace("averaged", "received") for name in given} == set(CASES) | BY_THRESHOLDS
    for cases in CASES.values():
        assert set(cases) == {HOLDS, FAILS, CANNOT_TELL}
        assert sum(isinstance(case, str) for case in cases.values()) <= 1


@pytest.mark.parametrize(
    "power, noise, verdict",
    [
        (-0.3, 0.01, "fails"),
        (-0.01, 1e-6, "cannot tell"),
        (-0.1, 1.0, "cannot tell"),
        (0.3, 0.01, "holds"),
        (0.0, 1e-4, "holds"),
    ],
)
def test_growth_of_B_must_be_seen_to_fail_and_be_excluded_to_hold(power, noise, verdict):
    """B² ∝ ‖∇f‖^{2·power} over a factor 100: a tenth at least, and beyond chance, to fail.

    D² = B²‖∇f‖² ∝ ‖∇f‖^{2(1 − power)} for the repaired form: what may be above the power 1 does not hold.
    """
    assert paper(lambda x: 4 * x ** (1 + power), span=100.0, noise=noise).verdict == verdict
    assert repaired(lambda x: 400 * x ** (1 - power), span=100.0, noise=noise).verdict == verdict


@pytest.mark.parametrize(("E", "threshold", "fails"), [(3, 0.5, True), (1, 0.0, False)])
def test_a_mu_that_follows_the_loss_and_silent_devices_are_covered_by_no_theorem(E, threshold, fails):
    """With one local step no μ is used, and without a threshold every device is heard."""
    config = {"local": {"mu_step": 0.5}, "channel": {"kind": "rayleigh", "gain_threshold": threshold}}
    scale = SimpleNamespace(gamma=0.1, mu=0.0, E=E, M=3)
    e = SimpleNamespace(scale=scale, evidence=SimpleNamespace(config=config, per_round=3))
    assert (assumptions.proximal_step(e).verdict == "fails") == fails
    assert [v.verdict for v in assumptions.participation(e)] == ["fails"] * fails


def test_dissimilarity_fails_at_a_stationary_point_and_is_unknown_without_an_upper_end():
    found = Dissimilarity(np.arange(3), np.array([4.0, 1.0, 0.0]), np.array([5.0, 2.0, 1.0]), 2)
    constants = SimpleNamespace(B=SOME, G2=Interval(1.0, 0.5, math.inf, ""))
    e = SimpleNamespace(dissimilarity=found, constants=constants, spelling=COMMANDS)
    assert assumptions.dissimilarity(e).verdict == "fails"
    assert assumptions.dissimilarity_repaired(e).verdict == "cannot tell"


def law_verdict(p: Interval | None, goodness: float, g: np.ndarray) -> str:
    gradients = SimpleNamespace(aggregated=[g])
    law = None if p is None else SimpleNamespace(p=p, fit=SimpleNamespace(goodness=goodness))
    return assumptions.power_law(SimpleNamespace(rank_law=law, gradients=gradients)).verdict


@given(st.floats(1.1, 3.0), st.floats(0.01, 0.09), st.floats(0.06, 1.0))
def test_a_power_law_holds_only_with_p_surely_above_one_and_a_fit(p, half, goodness):
    """The envelope |g|_(i) ≤ i^-p‖g‖ admits some p > 1 for the vector used here."""
    steep = np.arange(1.0, 41.0) ** -4.0
    around = Interval(p, p - half, p + half, "")
    assert law_verdict(around, goodness, steep) == "holds"
    assert law_verdict(around, goodness, np.ones(40)) == "fails"
    assert law_verdict(around, 0.04, steep) == "fails"
    assert law_verdict(Interval(1.0, 0.9, 1.0, ""), goodness, steep) == "fails"
    assert law_verdict(Interval(1.0, 0.9, 1.1, ""), goodness, steep) == "cannot tell"
    assert law_verdict(None, goodness, steep) == "cannot tell"
    assert law_verdict(None, goodness, np.ones(40)) == "fails"


@given(st.floats(-1, 0.5), st.floats(0.51, 2))
def test_a_residual_that_grows_like_a_root_of_t_at_most_holds(slow, fast):
    def verdict(low, high):
        growth = Interval((low + high) / 2, low, high, "")
        return assumptions.residual(SimpleNamespace(residual=residual.Residual(SOME, growth, ""))).verdict

    assert verdict(-2.0, slow) == "holds" and verdict(fast, 3.0) == "fails"
    assert verdict(slow, fast) == "cannot tell"

    def verdict_of(left):
        return assumptions.residual(SimpleNamespace(residual=left, spelling=COMMANDS)).verdict

    for unknown in (None, residual.Residual(SOME, None, "")):
        assert verdict_of(unknown) == "cannot tell"


def verdict_on_norms(norms):
    """Of a run that recorded these ‖w̃_t‖²; nothing else of it is looked at."""
    series = {} if norms is None else {"w_norm_squared": np.array(norms)}
    return assumptions.bounded_iterates(
        SimpleNamespace(evidence=SimpleNamespace(series=series), W=SOME)
    ).verdict


@given(st.lists(st.floats(1.01, 1.05), min_size=30, max_size=60), st.floats(0.0, 0.98), st.floats(1e-6, 1e6))
def test_iterates_are_bounded_if_they_do_not_grow_to_the_end(factors, share, scale):
    """No single step is above 5 %; over the second half they amount to more than 1.01^14 = 1.149.

    Growth by half in each of the last quarters, ever faster, is a failure; less cannot be told. Bounded: they
    came back from their largest, however much they grew before, or move by less than 10 % in the second half.
    """
    norms = scale * np.cumprod(factors)
    assert verdict_on_norms(norms) in ("cannot tell", "fails")
    assert verdict_on_norms(norms + 1e3 * norms[-1]) == "cannot tell"  # a large start hides no growth
    back = np.array([*norms, share * norms[-1]])
    assert verdict_on_norms(back) == ("fails" if assumptions.explodes(back) else "holds")
    assert verdict_on_norms([*norms, *[norms[-1]] * len(norms)]) == "holds"


def test_nothing_is_said_about_iterates_that_were_not_recorded():
    assert verdict_on_norms(None) == "cannot tell" and verdict_on_norms([1.0] * 9) == "cannot tell"
    assert verdict_on_norms([1.0] * 10) == "holds" and verdict_on_norms([0.0] * 10 + [1.0]) == "cannot tell"


@given(
    st.integers(10, 400),
    st.floats(1.6, 30.0),
    st.lists(st.floats(-1, 1), min_size=1, max_size=400),
    st.floats(-12, 12),
)
def test_rounding_does_not_decide_about_steady_growth_and_hides_no_slower_one(n, by_quarter, roundings, size):
    """Every round stores w̃ in float32 and may err by half a unit in the last place, up or down, as a
    processor likes. A factor that falls by 1/1000 from one quarter to the next is beyond any rounding.
    """
    quarter, off = n // 4, np.resize(roundings, n) * 2.0**-24
    norms = (10.0**size * np.cumprod(by_quarter ** (1 / (2 * quarter)) * (1 + off))) ** 2
    assert verdict_on_norms(norms) == "fails"
    norms[-quarter:] *= 0.999
    assert verdict_on_norms(norms) != "fails"


def test_upper_part_is_that_of_the_largest_gradients_in_order():
    x = np.array([5.0, 1.0, 9.0, 2.0, 8.0, 3.0, 7.0, 0.5])
    assert assumptions.upper_part(x).tolist() == [0, 2, 3, 4, 5, 6]
    assert len(assumptions.upper_part(np.arange(40.0))) == 20
