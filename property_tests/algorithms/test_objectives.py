"""Objectives: gradients by hand against automatic differentiation, and the laws of batching and weights."""

import math
from dataclasses import dataclass

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from fpsverify.objectives import DenseObjective, LeastSquares, Logistic, Softmax, TwoLayerMLP
from fpsverify.rng import torch_generator

KINDS = ("least_squares", "logistic", "logistic_without_bias", "softmax", "mlp")
UNIT = 2.0**-53


def build(kind: str, features: int, hidden: int, classes: int) -> DenseObjective:
    return {
        "least_squares": LeastSquares(features),
        "logistic": Logistic(features),
        "logistic_without_bias": Logistic(features, bias=False),
        "softmax": Softmax(features, classes),
        "mlp": TwoLayerMLP(features, hidden, classes),
    }[kind]


@dataclass(frozen=True)
class Case:
    objective: DenseObjective
    W: Tensor
    X: Tensor
    y: Tensor
    weights: Tensor | None

    def arguments(self) -> tuple[Tensor, Tensor, Tensor | None]:
        return self.X, self.y, self.weights

    def rounding(self) -> float:
        """Bound on the difference of two float64 evaluations of loss, gradient or scores.

        Every number is a sum of at most K terms, each a product of entries of X, W, hidden activations (≤ H)
        and residuals; residuals are 1-Lipschitz in the scores (≤ Z). A sum of K terms is off by at most K
        units of the sum of absolute values, hence the product of all magnitudes; 8 covers both evaluations
        and the few operations per term.
        """
        K = sum(self.X.shape[1:]) + self.W.shape[1]
        x, w = float(self.X.abs().max()), float(self.W.abs().max())
        H = self.X.shape[2] * x * w + w
        pairs = zip(self.W.abs(), self.X.abs(), strict=True)
        Z = max(float(self.objective.scores(a, b).abs().max()) for a, b in pairs)
        return 8 * K * UNIT * (1 + Z + float(self.y.abs().max())) * (1 + x) * (1 + w) * (1 + H)


@st.composite
def cases(draw: st.DrawFn, kinds: tuple[str, ...] = KINDS) -> Case:
    kind = draw(st.sampled_from(kinds))
    M, n, features = draw(st.integers(1, 4)), draw(st.integers(1, 6)), draw(st.integers(1, 5))
    hidden, classes = draw(st.integers(1, 4)), draw(st.integers(2, 4))
    objective = build(kind, features, hidden, classes)
    g = torch_generator(draw(st.integers(0, 2**32)), "case")
    scale = draw(st.sampled_from([0.0, 0.1, 1.0, 10.0]))
    W = scale * torch.randn(M, objective.d, generator=g, dtype=torch.float64)
    X = torch.randn(M, n, features, generator=g, dtype=torch.float64)
    y = torch.randint(0, classes if kind in ("softmax", "mlp") else 2, (M, n), generator=g)
    weighted = draw(st.booleans())
    weights = 0.1 + torch.rand(M, n, generator=g, dtype=torch.float64) if weighted else None
    return Case(objective, W, X, y, weights)


def close(a: Tensor, b: Tensor, bound: float) -> bool:
    assert a.shape == b.shape
    return bool((a - b).abs().max() <= bound)


@given(cases())
def test_gradient_is_the_derivative_of_the_loss_and_one_pass_gives_both(case: Case) -> None:
    W = case.W.clone().requires_grad_()
    (expected,) = torch.autograd.grad(case.objective.loss(W, *case.arguments()).sum(), W)
    gradient = case.objective.gradient(case.W, *case.arguments())
    assert close(gradient, expected, case.rounding())
    losses, gradients = case.objective.loss_gradient(case.W, *case.arguments())
    assert torch.equal(losses, case.objective.loss(case.W, *case.arguments()))
    assert torch.equal(gradients, gradient)


@given(cases())
def test_loss_is_the_weighted_mean_of_its_definition(case: Case) -> None:
    losses = case.objective.loss(case.W, *case.arguments())
    for m in range(case.W.shape[0]):
        scores = case.objective.scores(case.W[m], case.X[m])
        each = [example_loss(case.objective, z, int(y)) for z, y in zip(scores, case.y[m], strict=True)]
        a = [1.0] * len(each) if case.weights is None else case.weights[m].tolist()
        mean = sum(ai * li for ai, li in zip(a, each, strict=True)) / sum(a)
        assert abs(float(losses[m]) - mean) <= case.rounding()


def example_loss(objective: DenseObjective, z: Tensor, y: int) -> float:
    """ℓ from the score of one example, in plain Python arithmetic."""
    if isinstance(objective, LeastSquares):
        return 0.5 * (float(z) - y) ** 2
    logits = [0.0, float(z)] if isinstance(objective, Logistic) else z.tolist()
    top = max(logits)
    return top + math.log(math.fsum(math.exp(v - top) for v in logits)) - logits[y]


@given(cases())
def test_a_device_without_rows_has_zero_loss_and_gradient(case: Case) -> None:
    nothing = torch.zeros(case.y.shape, dtype=torch.float64)
    assert not case.objective.loss(case.W, case.X, case.y, nothing).any()
    assert not case.objective.gradient(case.W, case.X, case.y, nothing).any()


@pytest.mark.parametrize("z", [0.0, 30.0, -30.0, 1e4, -1e4])
@pytest.mark.parametrize("y", [0, 1])
def test_logistic_is_stable_for_any_score(z: float, y: int) -> None:
    objective, W = Logistic(1, bias=False), torch.tensor([[z]], dtype=torch.float64)
    X, label = torch.ones(1, 1, 1, dtype=torch.float64), torch.tensor([[y]])
    wrong_side = z if y == 0 else -z
    exact = max(wrong_side, 0.0) + math.log1p(math.exp(-abs(z)))
    assert float(objective.loss(W, X, label)) == pytest.approx(exact, rel=4 * UNIT, abs=0)
    assert math.isfinite(float(objective.gradient(W, X, label)))


def test_mlp_of_the_paper_has_about_100000_parameters_within_their_layer_bounds() -> None:
    objective = TwoLayerMLP(784, 128, 10)
    assert objective.d == 101_770
    w = objective.initial(torch_generator(3, "w"))
    first, second = w[: 128 * 785].abs().max(), w[128 * 785 :].abs().max()
    # The largest of n uniforms on [0, 1] falls below 1 - 30/n with probability under e^-30.
    assert (1 - 30 / (128 * 785)) / 28 <= float(first) <= 1 / 28
    assert (1 - 30 / 1290) / math.sqrt(128) <= float(second) <= 1 / math.sqrt(128)
