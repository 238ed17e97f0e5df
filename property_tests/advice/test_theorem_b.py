"""Theorem B beside runs: its bound holds in the norm of the table, with the residual that was measured."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from empirical.observed.recorded import evidence_in_memory
from empirical.sketch_space.edge import edge
from empirical.sketch_space.table_operator import operator_of
from empirical.sketch_space.theorem_b import largest_eigenvalue, measure, theorem_b
from fpsverify.runs.loop import prepare
from property_tests.advice.test_advise import small
from theory.bounds.terms import corollary_b1

SKETCHED = {"algorithm.compressor": "count_sketch", "algorithm.rows": 3, "algorithm.buckets": 4}
positive = st.floats(1e-3, 1e3)


@given(st.floats(0.01, 1.99), positive, positive, positive, st.floats(1e-3, 1), st.integers(1, 1000))
def test_the_bound_is_the_larger_root_and_beyond_the_edge_there_is_none(
    u: float, rho2: float, N: float, Delta: float, gamma: float, T: int
) -> None:
    """x = √A_A solves (2−u)x² − 2ρx = c + uN: beyond it the inequality of the proof fails."""
    x = np.sqrt(corollary_b1(u, rho2, N, Delta, gamma, T) or 0)
    right = 2 * Delta / (gamma * T) + u * N
    assert (2 - u) * x * x - 2 * np.sqrt(rho2) * x == pytest.approx(right, rel=1e-6, abs=1e-6 * x * x)
    assert corollary_b1(2.0, rho2, N, Delta, gamma, T) is None


@pytest.mark.parametrize(("k", "recovery"), [(20, "mean"), (5, "mean"), (5, "median"), (20, "median")])
def test_every_run_is_below_it(k: int, recovery: str) -> None:
    """All rounds are looked at, so that ρ and A_A are those of the whole run."""
    changes = {"algorithm.k": k, "algorithm.recovery": recovery, "rounds": 15, "problem.power_law": 0.5}
    config = small(**SKETCHED, **changes, **{"local.gamma": 0.05})
    seen = evidence_in_memory(*prepare(config)[:2], most_iterates=16)
    found = theorem_b(seen, seen.model.loss(seen.iterates[0].w), edge(seen, points=3).low, 0.0)
    assert found["total"] is not None and found["measured"] <= found["total"]
    if (k, recovery) == (20, "mean"):
        assert found["rho2"] <= 1e-20 * found["measured"]  # Corollary B2: x_t is the broadcast itself


def test_the_eigenvalue_of_the_table_is_enclosed() -> None:
    seen = evidence_in_memory(*prepare(small(**SKETCHED, rounds=3))[:2], most_iterates=3)
    table = operator_of(seen)
    S = torch.stack([table.sketch(e) for e in torch.eye(20, dtype=torch.float64)], 1).numpy()
    exact = np.linalg.eigvalsh(S.T @ S)[-1] / table.rows
    assert exact <= largest_eigenvalue(table, 1) * (1 + 1e-9) <= 1.01 * exact
    assert measure(seen, table).gradient.shape == (3,)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({**SKETCHED, "local.E": 2}, "E = 1"),
        ({}, "no persistent sketch"),
        ({**SKETCHED, "algorithm.device_sketch": "accum"}, "no persistent sketch"),
    ],
)
def test_where_it_does_not_apply_it_says_so(changes: dict[str, object], says: str) -> None:
    seen = evidence_in_memory(*prepare(small(rounds=4, **changes))[:2], most_iterates=3)
    found = theorem_b(seen, 1.0, 1.0, 0.0)
    assert found["total"] is None and says in found["why_not"]
