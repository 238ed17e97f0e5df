"""Curvature from data alone: an upper bound on every Hessian, with its trace; and `fps.certify` on it."""

from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional

import fpsverify as fps
from fpsverify.errors import BadInput
from theory.errors import InvalidParameter
from theory.rates.curvature_of_data import Head, largest_eigenvalue, of_linear_model
from theory.rates.descent.check import objection

LOSSES = {
    "least_squares": nn.MSELoss(),
    "logistic": functional.binary_cross_entropy_with_logits,
    "softmax": nn.CrossEntropyLoss(),
}


def rows_of(seed: int, kind: str, C: int, M: int = 3) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Devices with unlike numbers of rows, features of unlike size."""
    draw = torch.Generator().manual_seed(seed)
    made = []
    for m in range(M):
        n = 4 + 3 * m
        X = torch.randn(n, 3, generator=draw, dtype=torch.float64) * torch.tensor([2.0, 1.0, 0.1])
        labels = torch.randint(0, C, (n,), generator=draw)
        scores = torch.randn(n, C, generator=draw, dtype=torch.float64)
        made.append((X, {"softmax": labels, "logistic": (scores > 0).double()}.get(kind, scores)))
    return made


def hessian(model: nn.Module, loss: object, data: list[tuple[torch.Tensor, torch.Tensor]]) -> torch.Tensor:
    """∇²f at the model's parameters, f = the mean of the devices' losses."""
    names = [name for name, _ in model.named_parameters()]
    shapes = [p.shape for p in model.parameters()]
    start = torch.cat([p.detach().flatten() for p in model.parameters()])

    def f(w: torch.Tensor) -> torch.Tensor:
        parts = w.split([shape.numel() for shape in shapes])
        held = {n: part.view(shape) for n, part, shape in zip(names, parts, shapes, strict=True)}
        each = [loss(torch.func.functional_call(model, held, (X,)), y) for X, y in data]  # type: ignore[operator]
        return torch.stack(each).mean()

    return torch.func.hessian(f)(start)


@given(st.sampled_from([*LOSSES]), st.integers(2, 4), st.booleans(), st.integers(0, 10**6))
@settings(max_examples=30)
def test_the_closed_form_is_above_every_hessian(kind: str, C: int, bias: bool, seed: int) -> None:
    """And equal to it for least squares; each device lies below L, and the diagonal adds up to the trace."""
    data = rows_of(seed, kind, C)
    torch.manual_seed(seed)
    model = nn.Linear(3, C, bias=bias).double()
    head = Head(kind, C, 2 / C if kind == "least_squares" else 1.0, bias)  # type: ignore[arg-type]
    found = of_linear_model([X.numpy() for X, _ in data], head)
    whole = hessian(model, LOSSES[kind], data).numpy()
    K = (np.eye(C) - 1 / C) / 2 if kind == "softmax" else np.eye(C) * head.largest
    full = [np.hstack([X, np.ones((len(X), int(bias)))]) for X, _ in data]
    G = sum(X.T @ X / len(X) for X in full) / len(full)
    above = np.kron(K, G)
    if bias:  # the model's order: all weights, then all biases
        order = [c * 4 + j for c in range(C) for j in range(3)] + [c * 4 + 3 for c in range(C)]
        above = above[np.ix_(order, order)]
    assert np.linalg.eigvalsh(above - whole)[0] > -1e-9
    assert kind != "least_squares" or np.allclose(above, whole, atol=1e-9)
    exact = float(np.linalg.eigvalsh(above)[-1])
    assert exact <= found.ell <= exact * (1 + 1e-9) and found.ell <= found.L
    assert np.allclose(np.diag(above), found.diagonal, rtol=1e-9)
    assert np.trace(above) <= found.trace <= np.trace(above) * (1 + 1e-9)
    for one in data:
        assert np.linalg.eigvalsh(hessian(model, LOSSES[kind], [one]).numpy())[-1] <= found.L


@given(st.integers(1, 30), st.integers(1, 30), st.integers(0, 1000))
def test_the_largest_eigenvalue_is_never_too_small(n: int, p: int, seed: int) -> None:
    """Both ways to it; without signs and zeros the second is sharp as well."""
    from theory.rates import curvature_of_data

    Z = np.random.default_rng(seed).normal(size=(n, p))
    exact = np.linalg.norm(Z, 2) ** 2
    assert exact <= largest_eigenvalue(Z) <= exact * (1 + 1e-9)
    assert exact <= curvature_of_data._collatz_wielandt(np.abs(Z)) * (1 + 1e-12)
    positive = np.abs(Z) + 0.1
    top = np.linalg.norm(positive, 2) ** 2
    assert top * (1 - 1e-12) <= curvature_of_data._collatz_wielandt(positive) <= top * (1 + 1e-6)


def test_a_penalty_belongs_to_the_trace_even_if_it_is_not_sketched() -> None:
    """f = x_1²/2 + (λ/2)|x|², the penalty's step exact, the rest through one number for 100 coordinates.

    E f(x_+) is exact. At 0.9 of the range for the trace without λd it is above f(x); with λd it never is.
    """
    d, weight = 100, 0.1
    H = np.zeros((d, d))
    H[0, 0] = 1.0
    x = np.eye(d)[0]

    def change(gamma: float) -> float:
        moved = gamma * H @ x  # A adds to every coordinate a square of mean p|moved|², p = 1, but for its own
        mean = x - gamma * weight * x - moved
        noise = float(moved @ moved) * (weight * (d - 1))
        value = lambda v: float(v @ H @ v + weight * v @ v) / 2  # noqa: E731
        return value(mean) + noise / 2 - value(x)

    ell = 1 + weight
    assert change(0.9 * 2 / (ell + ell + 1)) > 0 > change(0.9 * 2 / (ell + ell + 1 + weight * d))


@pytest.mark.parametrize("kind", LOSSES)
@pytest.mark.parametrize("E", [1, 3])
def test_certify_proves_a_rate_from_data_alone(kind: str, E: int) -> None:
    """The certificate is checked again, for the federation's own constants; fewer numbers allow less."""
    data = [(X.float(), y.float() if y.is_floating_point() else y) for X, y in rows_of(1, kind, 3)]
    devices = fps.Federation(nn.Linear(3, 3), LOSSES[kind], data)
    found = {m: fps.certify(devices, m and (1, m), E=E, compressor="count_sketch") for m in (None, 6, 2)}
    gammas = [each.gamma or 0.0 for each in found.values()]
    assert gammas == sorted(gammas, reverse=True) and gammas[-1] > 0
    for each in found.values():
        assert each.certificate is not None and objection(each.certificate) is None
        assert each.certificate.theta == 0 and each.floor is not None and each.best is not None
        assert each.best.gamma < gammas[0] and each.curvature.ell <= each.curvature.L
        assert (each.B == 1.0) == (E == 1)
        assert float(each.certificate.L) == (each.curvature.ell if E == 1 else each.curvature.L)
        assert any("B is measured" in text for text in each.assumes) == (E > 1)


def test_devices_that_take_part_and_the_penalty_make_it_smaller() -> None:
    data = [(X.float(), y) for X, y in rows_of(2, "softmax", 3)]
    plain = fps.Federation(nn.Sequential(nn.Flatten(), nn.Linear(3, 3)), nn.CrossEntropyLoss(), data)
    full = fps.certify(plain, (1, 4), E=1, compressor="balanced").gamma
    some = fps.certify(plain, (1, 4), E=1, compressor="balanced", participants=1).gamma
    decayed = fps.Federation(nn.Linear(3, 3), nn.CrossEntropyLoss(), data, weight_decay=0.5)
    less = fps.certify(decayed, (1, 4), E=1, compressor="balanced")
    assert full is not None and some is not None and less.gamma is not None
    assert some < full and less.gamma < full
    assert less.curvature.trace > 0.5 * decayed.d


@pytest.mark.parametrize("compressor", ["fold", "balanced", "count_sketch", "identity"])
def test_training_at_the_certified_rate_stays_below_the_certified_bound(compressor: str) -> None:
    """Softmax, E = 1: the loss falls from the first round to the last, and the run takes the same sketch."""
    data = [(X.float(), y) for X, y in rows_of(3, "softmax", 3, M=4)]
    devices = fps.Federation(nn.Linear(3, 3), nn.CrossEntropyLoss(), data)
    found = fps.certify(devices, (1, 4), E=1, compressor=compressor)
    assert found.gamma is not None and found.best is not None
    trained = fps.train(
        devices,
        rounds=40,
        E=1,
        gamma=found.best.gamma,
        batch=0,
        algorithm="fresh",
        sketch=(1, 4),
        set=[f"algorithm.compressor={compressor}"],
        progress=lambda row: None,
    )
    assert trained.rows[-1]["train_loss"] < trained.rows[0]["train_loss"]


def test_other_models_and_losses_are_refused_in_one_line() -> None:
    X, y = torch.randn(8, 3), torch.randn(8, 1)
    bent = nn.Sequential(nn.Linear(3, 2), nn.Tanh(), nn.Linear(2, 1))
    squashed = nn.Sequential(nn.Linear(3, 1), nn.Tanh())
    cases = [
        (bent, nn.MSELoss(), "federation: got 'Sequential', expected one linear layer"),
        (squashed, nn.MSELoss(), "federation: got 'Sequential', expected one linear layer"),
        (nn.Linear(3, 1), nn.L1Loss(), "loss: got 'L1Loss', expected MSELoss"),
        (nn.Linear(3, 1), nn.MSELoss(reduction="sum"), "loss: got 'MSELoss', expected MSELoss"),
    ]
    for module, loss, message in cases:
        try:
            devices = fps.Federation(module, loss, [(X, y)])
        except BadInput:
            assert getattr(loss, "reduction", "") == "sum"  # refused already by the federation
            continue
        with pytest.raises(BadInput, match=f"^{message}"):
            fps.certify(devices, (1, 2))
    good = fps.Federation(nn.Linear(3, 1), nn.MSELoss(), [(X, y)])
    for sketch in ((1, 2, 3), "default"):
        with pytest.raises(BadInput, match="^sketch: got"):
            fps.certify(good, sketch)  # type: ignore[arg-type]
    with pytest.raises(InvalidParameter, match="^compressor: got svd"):
        fps.certify(good, (1, 2), compressor="svd")


class Louder(nn.Linear):
    """Five times the outputs: 25 times the curvature."""

    def forward(self, X: torch.Tensor) -> torch.Tensor:
        return 5 * super().forward(X)


def test_what_has_another_curvature_than_the_closed_form_is_refused() -> None:
    """A layer that is linear in name alone, and targets whose weights do not add up to one."""
    X, labels = torch.randn(8, 3), torch.arange(8) % 3
    soft = torch.tensor([[0.1, 10.0, 50.0]]).repeat(8, 1)
    hooked, scaled = nn.Linear(3, 3), nn.utils.parametrizations.weight_norm(nn.Linear(3, 3))
    hooked.register_forward_hook(lambda _, inputs, out: 4 * out)
    smooth = nn.CrossEntropyLoss(weight=torch.tensor([0.01, 1.0, 5.0]), label_smoothing=0.9)
    cases = [
        (Louder(3, 3), nn.CrossEntropyLoss(), labels, "federation"),
        (hooked, nn.CrossEntropyLoss(), labels, "federation"),
        (scaled, nn.CrossEntropyLoss(), labels, "federation"),
        (nn.Linear(3, 3), nn.CrossEntropyLoss(), soft, "loss: got 'class probabilities"),
        (nn.Linear(3, 3), smooth, labels, "loss: got 'label_smoothing"),
    ]
    for module, loss, y, field in cases:
        with pytest.raises(BadInput, match=f"^{field}"):
            fps.certify(fps.Federation(module, loss, [(X, y)]), (1, 2), E=1)


def test_a_penalty_steepens_the_mean_loss() -> None:
    """weight_decay λ adds λ to every eigenvalue, and λd to the trace."""
    plain, decayed = (
        fps.certify(
            fps.Federation(
                nn.Linear(3, 1), nn.MSELoss(), [(torch.eye(3), torch.ones(3, 1))], weight_decay=decay
            ),
            (1, 2),
            E=1,
        ).curvature
        for decay in (0.0, 0.5)
    )
    assert decayed.ell == pytest.approx(plain.ell + 0.5, rel=1e-9) and decayed.ell >= plain.ell + 0.5 * (
        1 - 1e-9
    )
    assert decayed.trace == pytest.approx(plain.trace + 0.5 * 4, rel=1e-9)


def test_the_classes_of_the_fold_are_added_up() -> None:
    found = of_linear_model([np.diag([1.0, 2.0, 3.0, 4.0])], Head("least_squares", 1, 1.0, bias=False))
    (traces,) = found.class_traces([[0, 1, 0, 1]], 2)
    assert traces == pytest.approx([(1 + 9) / 4, (4 + 16) / 4])
    with pytest.raises(InvalidParameter, match="^classes: "):
        found.class_traces([[0, 1]], 2)
    assert Fraction(found.trace) >= Fraction(found.ell)
