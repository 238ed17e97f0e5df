"""Refutations of Theorem 1: they stand, and each of their assumption checks is able to fail."""

import math
from dataclasses import replace
from fractions import Fraction as Fr

import pytest

from theory.counterexamples import assumption_checks as check
from theory.counterexamples.exact_runs import (
    POWER_LAW_WITH_A_CONSTANT,
    RUNS,
    ExactRun,
)
from theory.counterexamples.exact_sketch import ExactSketch, spread_out
from theory.counterexamples.federated import (
    Problem,
    Quadratic,
    mean_squared_gradient,
    simulate,
)
from theory.counterexamples.printed import PrintedParameters, rho
from theory.counterexamples.refutation import Story
from theory.counterexamples.runs import refutation_entry
from theory.errors import InvalidParameter
from theory.ledger.judge import judge
from theory.papers.fps.paper import PAPER

PLAYED = {run.story.name: run for run in RUNS}


def test_the_run_of_unlike_devices_stands_still_where_the_gradient_is_not_zero() -> None:
    run = PLAYED["heterogeneity-drift"]
    problem = Problem(run.devices)
    played = simulate(problem, run.parameters, run.start, spread_out(5, run.columns, 1))
    assert set(played.broadcast) == {(Fr(0),)} and mean_squared_gradient(problem, played.broadcast) > 0


AXIS = (Fr(1), Fr(1, 2**50))


@pytest.mark.parametrize("run", POWER_LAW_WITH_A_CONSTANT.readings, ids=("anew", "kept"))
def test_with_k_below_d_the_power_law_up_to_its_constant_does_not_save_theorem_1(run: ExactRun) -> None:
    """Every gradient is a multiple of (1, 2^−50), ½ is the gap, and both readings of w_t are above."""
    found, q = run.refutation, run.parameters
    assert found.stands and found.meets_appendix_conditions and q.k < q.d
    assert all(
        s.stochastic_gradient == tuple(s.stochastic_gradient[0] * a for a in AXIS) for s in found.run.steps
    )
    assert all(any(s.gradient) for s in found.run.steps)
    lefts = [mean_squared_gradient(found.problem, points) for points in found.run.readings]
    assert found.left == min(lefts) > Fr(3, 10) > found.right.total == Fr(1, 4) + q.L**2 * Fr(4, 10**5)
    assert rho(q) * found.left <= found.right.total  # so the dropped ρ is to blame


# ---------------------------------------------------------------- every check can fail

Q = PrintedParameters(L=Fr(1), gamma=Fr(1, 40), T=3, W=Fr(4), c=Fr(10), P_b=Fr(1, 16))
ONE = Problem((Quadratic((Fr(1),), (Fr(0),)),))
TWO = Problem((Quadratic((Fr(1),), (Fr(1),)), Quadratic((Fr(1),), (Fr(-1),))))
SKETCH = spread_out(5, 40, 1)
RUN = simulate(ONE, Q, (Fr(2),), SKETCH)
PULLED = simulate(TWO, Q, (Fr(0),), SKETCH)  # the devices end at ±1/40, their mean stays at 0
PUSHED = simulate(ONE, Q, (Fr(2),), SKETCH, Fr(1, 2))
FLAT = PrintedParameters(L=Fr(1), gamma=Fr(1, 40), T=3, W=Fr(4), c=Fr(10), P_b=Fr(1, 16), d=2, k=1)
DENSE_PROBLEM = Problem((Quadratic((Fr(1), Fr(1)), (Fr(1), Fr(1))),))
DENSE = simulate(DENSE_PROBLEM, FLAT, (Fr(0), Fr(0)), spread_out(5, 40, 2))
# Only what is sketched at first has two coordinates: top-1 keeps (1, 0), and every step is towards 0.
TO_ZERO = Problem((Quadratic((Fr(1), Fr(1)), (Fr(0), Fr(0))),))
DENSE_START = simulate(TO_ZERO, FLAT, (Fr(1), Fr(1)), spread_out(5, 40, 2))
SKETCH_2 = spread_out(5, 500, 2)
COLLIDING = ExactSketch(1, ((0, 0),) * 3, ((1, 1),) * 3)
HALF = Fr(1, 2)

TWO_STEPS = replace(Q, E=2)
TWICE = simulate(ONE, TWO_STEPS, (Fr(2),), SKETCH)
COIN = ((HALF, (Fr(1),)), (HALF, (Fr(-1),)))
LOUD = replace(Q, sigma2=Fr(1))
BAD = {
    "Assumption 1": lambda: check.smoothness(ONE, replace(Q, L=Fr(99, 100))),
    "noise law": lambda: check.noise(((HALF, (Fr(0),)),), Q)[0],
    "Assumption 2 mean": lambda: check.noise(((HALF, (Fr(1),)), (HALF, (Fr(0),))), LOUD)[1],
    "Assumption 2 variance": lambda: check.noise(COIN, Q)[2],
    "P_b": lambda: check.bias_per_device([RUN], replace(Q, P_b=Fr(0)))[0],
    "Assumption 3": lambda: check.bias_per_device([PUSHED], Q)[1],
    "Assumption 3 aggregate": lambda: check.bias_of_aggregate(ONE, [PUSHED], Q),
    "Assumption 4": lambda: check.power_law([DENSE], FLAT),
    "Assumption 4 with a constant": lambda: check.power_law([DENSE], FLAT, True),
    "Assumption 4 with another power": lambda: check.power_law(
        [POWER_LAW_WITH_A_CONSTANT.refutation.run], replace(FLAT, p=3), True
    ),
    "Assumption 5": lambda: check.dissimilarity(TWO, replace(Q, epsilon=Fr(1)))[1],
    "Definition 2": lambda: check.dissimilarity(TWO, replace(Q, epsilon=Fr(1), B=Fr(19, 10)))[2],
    "Assumption 3 of the sum": lambda: check.bias_of_sum(ONE, [TWICE], TWO_STEPS),  # β ≈ ∇f
    "B": lambda: check.dissimilarity(ONE, replace(Q, B=HALF))[0],
    "S": lambda: check.stays_in_S_epsilon(ONE, [RUN], replace(Q, epsilon=Fr(9))),
    "W": lambda: check.bounded_iterates([RUN], replace(Q, W=Fr(39, 10))),
    "W at the end of a round": lambda: check.bounded_iterates([PULLED], replace(Q, W=Fr(1, 1601))),
    "compressible models": lambda: check.compressible_models([DENSE], FLAT),
    "compressible start": lambda: check.compressible_models([DENSE_START], FLAT),
    "one local step": lambda: check.corrected(replace(FLAT, E=2), SKETCH_2)[0],
    "k < d": lambda: check.corrected(replace(FLAT, k=2), SKETCH_2)[1],
    "corrected rho": lambda: check.corrected(replace(FLAT, gamma=Fr(1, 20)), SKETCH_2)[2],
    "corrected range": lambda: check.corrected(replace(FLAT, gamma=Fr(1, 20)), SKETCH_2)[3],
    "corrected 1/(2 Lam)": lambda: check.corrected(replace(FLAT, L=Fr(21)), SKETCH_2)[4],
    "corrected Lemma 2 step": lambda: check.corrected(replace(FLAT, L=Fr(10)), SKETCH_2)[5],
    "size for every vector": lambda: check.corrected(FLAT, spread_out(5, 499, 2))[6],
    "recovery": lambda: check.recovery([DENSE], COLLIDING, FLAT)[0],
    "shape": lambda: check.recovery([RUN], SKETCH, replace(Q, c=Fr(1)))[1],
    "k": lambda: check.recovery([RUN], SKETCH, replace(Q, k=2))[1],
    "p": lambda: check.recovery([RUN], SKETCH, replace(Q, p=1))[1],
    "size": lambda: check.recovery([RUN], spread_out(1, 2, 1), Q)[2],
    "range": lambda: check.step_size(replace(Q, gamma=Fr(1, 10)))[0],
    "rho": lambda: check.step_size(replace(Q, gamma=Fr(1, 20)))[1],
    "1/(2 Lam)": lambda: check.step_size(replace(Q, L=Fr(21)))[2],
    "Lemma 2 step": lambda: check.step_size(replace(Q, L=Fr(10)))[3],
}


@pytest.mark.parametrize("name", BAD)
def test_checks_fail_when_the_assumption_fails(name: str) -> None:
    assert not BAD[name]().holds


@pytest.mark.parametrize("which", [1, 2])
@pytest.mark.parametrize("side", [1, -1])
def test_dissimilarity_holds_exactly_where_B2_covers_the_supremum_over_S_epsilon(
    which: int, side: int
) -> None:
    """The supremum of the mean, or of one device, dominates a grid in S_ε and is approached at its edge."""
    q = replace(Q, epsilon=Fr(1, 4))
    unlike = Problem((Quadratic((Fr(1),), (Fr(side),)), Quadratic((Fr(3),), (Fr(-side),))))
    supremum = check.dissimilarity(unlike, q)[which].value
    grid = [(Fr(i, 100),) for i in range(-300, 301)]
    slopes = [(unlike.gradient(w)[0], w) for w in grid if unlike.gradient(w)[0] ** 2 > q.epsilon]
    squares = [[(device.gradient(w)[0] / f) ** 2 for device in unlike.devices] for f, w in slopes]
    largest = max(sum(pair) / 2 if which == 1 else max(pair) for pair in squares)
    assert largest <= supremum <= largest * Fr(11, 10)
    root = Fr(math.isqrt(int(supremum * 10**8)), 10**4)  # below its root by at most 1e-4
    for B, holds in ((root - Fr(1, 1000), False), (root + Fr(1, 1000), True)):
        assert check.dissimilarity(unlike, replace(q, B=B))[which].holds is holds


# ---------------------------------------------------------------- what refutes nothing is rejected


DEVICE = (Quadratic((Fr(1),), (Fr(0),)),)
HARMLESS = ExactRun(Story("harmless", "nothing", "a run that obeys Theorem 1"), Q, DEVICE, (Fr(2),), 40)
OUTSIDE = ExactRun(
    Story("outside", "nothing", "γ far outside the range"),
    replace(Q, gamma=Fr(2), T=99, c=Fr(10**6)), DEVICE, (Fr(2),), 3 * 10**6,
)  # fmt: skip


@pytest.mark.parametrize("run", [HARMLESS, OUTSIDE])
def test_the_ledger_rejects_what_refutes_nothing(run: ExactRun) -> None:
    assert not run.refutation.stands
    assert not judge(refutation_entry(run), PAPER).ok
    assert OUTSIDE.refutation.violates  # it is the assumptions that reject it


def test_bad_input_is_named() -> None:
    with pytest.raises(InvalidParameter, match="epsilon"):
        check.dissimilarity(TWO, replace(Q, epsilon=Fr(2)))
    along = Quadratic((Fr(1),), (Fr(0), Fr(0)), along=AXIS)
    with pytest.raises(InvalidParameter, match="like devices"):
        Problem((along, replace(along, centre=(Fr(1), Fr(0))))).minimiser()


# ------------------------------------------------------------------ as printed, or with a qualification

QUALIFIED = {"top-k-freezing", "top-k-floor", "power-law-with-a-constant", "heterogeneity-drift"}
LISTED = {"range-without-L", "missing-1-over-rho", "expectation-dropped", "negative-sketch-term"}


def check_of(name: str, beginning: str) -> check.AssumptionCheck:
    return next(c for c in PLAYED[name].refutation.checks if c.name.startswith(beginning))


def test_four_different_refutations_need_no_qualification() -> None:
    """Each falls with another step of the proof; every stated assumption holds as printed, in any reading."""
    plain = {name for name, played in PLAYED.items() if played.refutation.as_printed}
    assert plain == set(PLAYED) - QUALIFIED and plain >= LISTED
    assert len({PLAYED[name].refutation.falls_with for name in LISTED}) == 4
    for name in plain:
        found = PLAYED[name].refutation
        assert check_of(name, "Assumption 4").name == "Assumption 4 (printed)"  # d = 1, with equality
        assert all(item.holds for item in found.checks if "Assumption 3" in item.name)
    unlike = PLAYED["local-steps-any-reading"].refutation.parameters
    assert unlike.E == 2 and unlike.B > 1


def test_the_power_law_is_asked_in_the_printed_order_first_and_else_of_sorted_gradients() -> None:
    for name in ("top-k-freezing", "top-k-floor"):
        assert "printed order" in check_of(name, "Assumption 4").statement
    swapped = Problem((Quadratic((Fr(1), Fr(1)), (Fr(0), Fr(1))),))
    run = simulate(swapped, FLAT, (Fr(0), Fr(0)), spread_out(5, 40, 2))
    item = check.power_law([run], FLAT)
    assert item.holds and "sorted" in item.statement


def test_noise_of_mini_batches_counts_in_the_dissimilarity() -> None:
    found = PLAYED["expectation-dropped"].refutation
    item = check_of(found.name, "Assumption 5")
    assert item.holds and item.value == 1 + found.parameters.sigma2 / found.parameters.epsilon
    assert not check.dissimilarity(ONE, replace(Q, epsilon=Fr(1)), Fr(1, 10))[1].holds
