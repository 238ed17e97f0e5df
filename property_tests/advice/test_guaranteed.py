"""With a sketch only one local step has a guaranteed rate: at it the loss never ends above its start.

At E ≥ 2 a rate below the edge keeps the table bounded. The run then settles where the mean displacement of
the devices is 0 in the table, which is the minimiser of another quadratic form than f.
"""

from typing import Any

import numpy as np
import pytest

from empirical.advice import words
from empirical.advice.advise import advice_for
from empirical.advice.case import Case, case_of
from empirical.advice.limits import Limits, Points, limits
from empirical.advice.pilots import make
from empirical.sketch_space.edge import edge
from fpsverify import config as configs
from property_tests.advice.test_words import at_start
from theory.rates.descent.certified import CertifiedRange
from theory.theorems import named

ROUNDS = 60
ROUNDING = 1e-9  # ROUNDS rounds of some 10^3 operations, each with a relative error of 2^-53


def sketched(**changes: object) -> Case:
    """Six coordinates of very different curvature in three rows of two buckets, all read out by the mean."""
    data = {"data": "synthetic", "samples": 120, "features": 6, "power_law": 2.0}
    values: dict[str, Any] = {
        "seed": 410,
        "rounds": ROUNDS,
        "dtype": "float64",
        "problem": {**data, "objective": "least_squares"},
        "devices": {"M": 1, "scenario": 3},
        "local": {"E": 2, "batch": 0, "mu": 0},
        "algorithm": {"compressor": "count_sketch", "rows": 3, "buckets": 2, "k": 6, "recovery": "mean"},
        "channel": {"kind": "ideal"},
    }
    return case_of(configs.parse(configs.apply_overrides(values, [f"{k}={v}" for k, v in changes.items()])))


def start_of(case: Case) -> Points:
    return ((0, case.in_model(case.setup.problem.start)),)


def limits_of(case: Case) -> Limits:
    return limits(case, start_of(case))


def losses(case: Case, gamma: float) -> tuple[float, ...]:
    made = make(case, gamma, ROUNDS, lambda line: None).pilot
    assert not made.diverged
    return made.losses


@pytest.mark.parametrize("E", [1, 2, 3, 5])
def test_a_guaranteed_rate_never_ends_above_its_start(E: int) -> None:
    """E = 1: Corollary B2 gives one, and f never exceeds f(w_0). E ≥ 2: there is none."""
    draw = np.random.default_rng(E)
    for _ in range(20):
        sizes = {"algorithm.rows": draw.integers(1, 5), "algorithm.buckets": draw.integers(1, 6)}
        sizes |= {"devices.M": draw.integers(1, 4), "seed": draw.integers(10**6)}
        case = sketched(**sizes, **{"local.E": E, "problem.power_law": draw.uniform(0, 2)})
        gamma, why = words.guaranteed(case, limits_of(case))
        assert (gamma is not None) == (E == 1), why
        if gamma is not None:
            seen = losses(case, gamma)
            assert max(seen) <= seen[0] * (1 + ROUNDING)


def test_below_the_edge_a_run_with_two_local_steps_may_end_above_its_start() -> None:
    """3.174 would be: certified without the sketch, and below the exact edge."""
    case = sketched()
    found = limits_of(case)
    certified, exact = found.over_intervals.certified, edge(case.evidence(start_of(case)))
    assert certified is not None and exact.exact
    seen = losses(case, min(certified, exact.low))
    assert seen[-1] > 1.5 * seen[0]
    advice = advice_for(case)
    assert advice.guaranteed is None and "the loss may end above its start" in advice.labels["guaranteed"]


@pytest.mark.parametrize(("E", "theorem"), [(1, "exact certificate"), (3, "Theorem C")])
def test_without_a_sketch_the_label_names_the_theorem_that_holds(E: int, theorem: str) -> None:
    """At E ≥ 2 the certificate was asked for B = 1; Theorem C asks nothing of how the devices differ."""
    case, found = at_start(**{"local.E": E, "devices.scenario": 3})
    gamma, why = words.guaranteed(case, found)
    assert gamma is not None and why == f"certified: {theorem}, L of the whole loss"
    proof = named(found.over, "descent").proof
    assert isinstance(proof, CertifiedRange) and proof.certificate == "exact"
