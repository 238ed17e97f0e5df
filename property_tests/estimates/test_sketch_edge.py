"""The edge in sketch space against dense matrices, simulated runs, and runs that are known to diverge."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
import torch
from torch import Tensor

from empirical.observed.protocol import Evidence, Iterate
from empirical.observed.recorded import evidence_in_memory
from empirical.sketch_space import table_health
from empirical.sketch_space.crossing import LARGEST, OVERSHOOT
from empirical.sketch_space.edge import edge
from empirical.sketch_space.table_operator import operator_of
from fpsverify import config as configs
from fpsverify.errors import BadInput
from fpsverify.runs.loop import prepare


@dataclass(frozen=True)
class Quadratics:
    """l_m(w) = ½⟨w, H_m w⟩."""

    H: Tensor

    @property
    def M(self) -> int:
        return self.H.shape[0]

    @property
    def d(self) -> int:
        return self.H.shape[1]

    def full_gradients(self, W: Tensor) -> Tensor:
        return torch.einsum("mij,mj->mi", self.H, W)

    def hessian_vector_products(self, W: Tensor, V: Tensor) -> Tensor:
        return self.full_gradients(V)


def curvatures(d: int, M: int, seed: int, power: float = 0.5) -> Tensor:
    """Devices that differ in size and direction; positive definite."""
    draw = np.random.default_rng(seed)
    scale = draw.permutation(np.arange(1, d + 1) ** -power)
    rows = [draw.standard_normal((2 * d, d)) * np.sqrt(scale) * (0.7 + 0.6 * m / M) for m in range(M)]
    return torch.tensor(np.stack([X.T @ X / (2 * d) for X in rows]))


def evidence_of(
    H: Tensor, E: int, mu: float, rows: int = 3, buckets: int = 10, **options: object
) -> Evidence:
    d = H.shape[1]
    algorithm = {"name": "fps", "rows": rows, "buckets": buckets, "k": d, "recovery": "mean", **options}
    iterates = tuple(Iterate(t, torch.zeros(d, dtype=torch.float64)) for t in range(3))
    config = {"algorithm": algorithm, "problem": {"objective": "least_squares"}}
    return Evidence(Quadratics(H), iterates, 0.1, mu, E, 2, 5, {}, k=d, full_d=d, config=config)


def dense_sketch(found: Evidence) -> Tensor:
    return torch.stack([operator_of(found).sketch(e) for e in torch.eye(found.d, dtype=torch.float64)], 1)


def error_map(found: Evidence, gamma: float, S: Tensor) -> Tensor:
    """s ← s + S mean_m y_E(Sᵀs/J), column by column, by the recursion of the local steps."""
    H: Tensor = found.model.H  # type: ignore[attr-defined]
    x = S.T / found.config["algorithm"]["rows"]
    y = torch.zeros(len(H), *x.shape, dtype=x.dtype)
    for _ in range(found.E):
        y = (1 - gamma * found.mu) * y - gamma * (H @ (x + y))
    return torch.eye(len(S), dtype=x.dtype) + S @ y.mean(0)


def true_edge(found: Evidence) -> float:
    """The smallest γ with an eigenvalue of the error map outside [−1, 1], by a scan in steps of 2 %."""
    S = dense_sketch(found)

    def unstable(gamma: float) -> bool:
        return float(torch.linalg.eigvals(error_map(found, gamma, S)).abs().max()) > 1 + 1e-9

    high = 0.1
    assert not unstable(high)
    while not unstable(high):
        high *= 1.02
    low = high / 1.02
    for _ in range(25):
        middle = (low + high) / 2
        low, high = (low, middle) if unstable(middle) else (middle, high)
    return high


CASES = [(E, mu, buckets) for E in (1, 2, 4, 5) for mu in (0.0, 0.5) for buckets in (6, 40)]


@pytest.mark.parametrize(("E", "mu", "buckets"), CASES)
def test_the_edge_is_where_the_dense_error_map_turns_unstable(E: int, mu: float, buckets: int) -> None:
    """From strong compression to more buckets than coordinates: low ≤ true edge ≤ high, γ within 1 %."""
    found = evidence_of(curvatures(30, 3, E), E, mu, buckets=buckets)
    seen, true = edge(found, points=3), true_edge(found)
    assert seen.low <= true * (1 + 1e-9)
    assert seen.gamma == pytest.approx(true, rel=0.01)
    assert seen.high >= true * (1 - 1e-6)
    assert seen.low >= 0.6 * true
    assert seen.exact and "exact here" in seen.label


@pytest.mark.parametrize("E", [2, 3, 5])
def test_few_directions_with_curvature_leave_a_proved_edge(E: int) -> None:
    """The first projection then breaks down early; the one that proves the lower limit has all its steps."""
    x = torch.tensor([[3.0, 1.0, 0.5, 0.2]], dtype=torch.float64)
    found = evidence_of((x.T @ x)[None], E, 0.0, buckets=5)
    seen, true = edge(found, points=3), true_edge(found)
    assert 0.6 * true <= seen.low <= true * (1 + 1e-9)


def test_no_limit_is_proved_where_a_device_might_overshoot() -> None:
    """Even E, and many curvatures close to the largest one: few Lanczos steps resolve it badly."""
    H = torch.diag_embed(torch.linspace(0.5, 1, 300, dtype=torch.float64)[None])
    found = evidence_of(torch.cat([H, 0.01 * H]), 2, 0.0, compressor="identity")
    assert 1.5 < edge(found, points=3).low <= 2 * (1 + 1e-9)
    assert edge(found, points=3, steps=4).low == 0


def test_without_compression_an_even_number_of_steps_overshoots_before_the_table_does() -> None:
    """One device and S = I: 1 − (1 − γh)^E never exceeds 1 for even E; the edge is 2/(h + μ)."""
    H = curvatures(20, 1, 4)
    h = float(torch.linalg.eigvalsh(H[0])[-1])
    seen = edge(evidence_of(H, 2, 0.3, compressor="identity"), points=3)
    assert seen.cause == OVERSHOOT
    assert seen.gamma == pytest.approx(2 / (h + 0.3), rel=5e-3)
    assert edge(evidence_of(H, 1, 0.3, compressor="identity"), points=3).cause == LARGEST


def test_negative_curvature_does_not_shrink_the_edge_to_zero() -> None:
    """A downhill direction is no overshoot: the edge counts the largest eigenvalue and says so. Flat or
    concave losses have no edge.
    """
    H = curvatures(20, 2, 6) - 0.4 * torch.eye(20, dtype=torch.float64)
    for E in (1, 3):
        found = evidence_of(H, E, 0.0, rows=1, buckets=60)
        seen = edge(found, points=3)
        smallest_map = torch.linalg.eigvalsh(error_map(found, seen.gamma, dense_sketch(found)))[0]
        assert seen.indefinite and "curves downwards" in seen.label
        assert float(smallest_map) == pytest.approx(-1, abs=0.01)  # the largest eigenvalue of K is 2
    even = edge(evidence_of(H, 2, 0.0, rows=1, buckets=60), points=3)
    assert even.cause == OVERSHOOT
    assert 0 < even.low <= even.gamma <= 2.001 / float(torch.linalg.eigvalsh(H).max())
    H = -torch.eye(8, dtype=torch.float64).expand(2, 8, 8)
    for E in (1, 2, 3):
        assert edge(evidence_of(H, E, 0.0), points=3).gamma == np.inf


def test_the_worst_of_the_points_counts() -> None:
    """With l = ¼Σw⁴ (curvature 3w²) the point farthest from 0 has the smallest edge."""

    class Quartic(Quadratics):
        def hessian_vector_products(self, W: Tensor, V: Tensor) -> Tensor:
            return 3 * W.square() * V

    base = evidence_of(curvatures(6, 1, 1), 1, 0.0, compressor="identity")
    points = tuple(
        Iterate(t, torch.full((6,), x, dtype=torch.float64)) for t, x in enumerate((0.5, 2.0, 1.0))
    )
    seen = edge(replace(base, model=Quartic(curvatures(6, 1, 1)), iterates=points), points=3)
    assert (seen.t, seen.gamma) == (1, pytest.approx(2 / 12))


def test_an_unknown_or_another_algorithm_is_refused() -> None:
    with pytest.raises(BadInput, match="fetchsgd"):
        edge(evidence_of(curvatures(8, 1, 1), 1, 0.0, name="fetchsgd"))
    with pytest.raises(BadInput, match="no algorithm"):
        edge(replace(evidence_of(curvatures(8, 1, 1), 1, 0.0), config={}))


HELD = {
    "seed": 3,
    "rounds": 12,
    "dtype": "float64",
    "problem": {"data": "synthetic", "objective": "least_squares", "features": 400, "power_law": 0.3}
    | {"samples": 2000, "test_samples": 200},
    "devices": {"M": 4, "scenario": 1},
    "local": {"E": 1, "batch": 0, "gamma": 0.05, "mu": 0.0},
    "algorithm": {"name": "fps", "rows": 5, "buckets": 8, "k": 40, "recovery": "mean"},
    "channel": {"kind": "ideal"},
    "record": {"evaluate_every": 12, "checkpoint_every": 4, "verify": True},
}


@pytest.fixture(scope="module")
def held() -> Evidence:
    return evidence_in_memory(*prepare(configs.parse(HELD))[:2], most_iterates=4)


def test_the_table_of_the_held_run_is_the_sketch_of_what_was_sent(held: Evidence) -> None:
    """‖s_t‖ from v_t is that of the run's own table."""
    algorithm, setup, _ = prepare(configs.parse(HELD))
    state = algorithm.init(setup)
    for t in range(1, 13):
        state, _ = algorithm.step(setup, state, t)
    seen = table_health.health(held)
    assert seen.rounds == (0, 4, 8, 12) and seen.norms is not None
    assert seen.norms[-1] == pytest.approx(float(state.devices.mean(0).norm()), rel=1e-9)
    assert seen.swaps is not None and 0 <= seen.swaps <= 40
    assert 0.3 < seen.kappa_audit < 3
    shown = (
        f"shows in it with {seen.kappa_own:.3g} of",
        f"ends at {seen.norms[-1]:.3g}",
        "buckets grow and nothing corrects them",
        "new in the broadcast",
    )
    assert all(words in seen.words for words in shown)
    assert table_health.keeps_a_table(held)
    for other in ({"compressor": "identity"}, {"name": "fedavg"}, {"device_sketch": "resync"}):
        options = held.config["algorithm"] | other
        assert not table_health.keeps_a_table(replace(held, config={"algorithm": options}))


def test_own_hash_goes_blind_where_the_audit_does_not() -> None:
    """A gradient in the null space of the run's own sketch: κ_own is 0, κ_audit is not."""
    found = evidence_of(torch.eye(30, dtype=torch.float64)[None], 1, 0.0, rows=2, buckets=6)
    hidden = torch.linalg.svd(dense_sketch(found)).Vh[-1]
    seen = table_health.health(replace(found, iterates=tuple(Iterate(t, hidden) for t in range(3))))
    assert seen.kappa_own < 1e-20 and seen.kappa_audit > 0.1
    assert seen.norms is None and seen.growth is None and seen.blind is None and seen.swaps is None
    assert seen.words.count(";") == 1


def test_linear_growth_has_exponent_one_blind_buckets_and_swaps_of_coordinates_that_enter() -> None:
    """One bucket that grows by 1 a round while the broadcast stays at size 1. What enters that is a swap."""
    t = np.array([0, 50, 100])
    tables = torch.zeros(3, 10, dtype=torch.float64)
    tables[:, 4] = torch.tensor(t, dtype=torch.float64)
    assert table_health.growth_exponent(t, tables.norm(dim=1).numpy()) == pytest.approx(1)
    assert table_health.blind_share(t, tables, 1.0) == pytest.approx(0.1)
    assert table_health.blind_share(t, tables, 1000.0) == 0
    zero = torch.zeros(4)
    first, second = torch.tensor([1.0, 2, 0, 0]), torch.tensor([1.0, 0, 0, 3])
    iterates = [
        Iterate(0, zero, after=first),
        Iterate(1, first, after=second),
        Iterate(2, second, after=second),
    ]
    assert table_health.swaps_per_round(iterates, zero) == pytest.approx(0.5)
