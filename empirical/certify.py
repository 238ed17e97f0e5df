"""`certify`: a learning rate that is proved from the data alone, for a linear model on given devices.

No run and no probe: the curvature of least squares, logistic and softmax losses is a closed form of the data
(`theory.rates.curvature_of_data`), the price of a fresh sketch follows from it, and an exact certificate
covers every round in expectation over the hashes. How much devices differ, B, is measured at the start and
assumed to hold along the run, with G taking the rest; with E = 1 and all devices it does not enter.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

import torch
from torch import Tensor, nn
from torch.nn import functional

from fpsverify.algorithms.compressor import Compressor
from fpsverify.errors import BadInput
from fpsverify.own.federation import Federation
from theory.rates.curvature_of_data import DataCurvature, Head, of_linear_model
from theory.rates.descent.certificate import Certificate, Floor, FreshRound
from theory.rates.descent.certified import DEFAULT_ROUNDS, Best, CertifiedRange, best_gamma, certified_range
from theory.rates.fresh_sketch import FreshSketch
from theory.rates.parameters import Parameters
from theory.rates.rounding import rounded_down

LOSSES = {
    nn.MSELoss: "least_squares",
    functional.mse_loss: "least_squares",
    nn.BCEWithLogitsLoss: "logistic",
    functional.binary_cross_entropy_with_logits: "logistic",
    nn.CrossEntropyLoss: "softmax",
    functional.cross_entropy: "softmax",
}
MODELS = "one linear layer with all trainable parameters, whose outputs are the model's"
WANTED = "MSELoss, BCEWithLogitsLoss or CrossEntropyLoss (or their functions) with reduction mean"


@dataclass(frozen=True)
class Certified:
    """A certified learning rate: `gamma` is the largest with A3 at the broadcasts, `floor` its promise.

    `everywhere` is the range where A3 holds at x + ȳ too; `best` is the γ with the smallest bound after T
    rounds.
    """

    found: CertifiedRange
    everywhere: CertifiedRange
    best: Best | None
    curvature: DataCurvature
    sketch: FreshSketch | None
    B: float
    assumes: tuple[str, ...]

    @property
    def gamma(self) -> float | None:
        return self.found.gamma_max

    @property
    def floor(self) -> Floor | None:
        return self.found.floor

    @property
    def certificate(self) -> Certificate | None:
        return self.found.proof

    def __str__(self) -> str:
        if self.gamma is None:
            return f"No learning rate is certified: {self.found.why}"
        lines = [f"certified: gamma <= {rounded_down(self.gamma)} ({self.found.certificate})"]
        if self.best is not None:
            lines.append(f"best bound after {self.best.T} rounds: gamma = {rounded_down(self.best.gamma)}")
        c = self.curvature
        lines.append(
            f"from the data: L = {c.L:.6g}, ell = {c.ell:.6g}, trace = {c.trace:.6g}, B = {self.B:.4g}"
        )
        return "\n".join([*lines, *(f"assumed: {each}" for each in self.assumes)])


def certify(
    federation: Federation,
    sketch: tuple[int, int] | None = None,
    *,
    E: int = 5,
    mu: float = 0.0,
    participants: int | None = None,
    compressor: str = "fold",
    rounds: int = DEFAULT_ROUNDS,
    seed: int = 1,
) -> Certified:
    """The largest learning rate that is proved to descend, from the data alone.

    sketch        (rows, buckets) of a sketch that is drawn anew in every round; None: whole vectors are sent
    E, mu         local steps, and weight of the proximal term
    participants  devices that take part in a round, drawn at random; None: all of them
    compressor    fold, balanced, count_sketch or identity, as in `fps.train(algorithm="fresh")`
    rounds        for the γ with the smallest proved bound
    seed          of the run: it names the permutation of the fold

    The model is linear and the loss least squares, logistic or softmax; any other is refused.
    """
    if not isinstance(federation, Federation):
        raise BadInput("federation", type(federation).__name__, "a Federation")
    curvature = _curvature(federation)
    if not curvature.ell > 0:
        raise BadInput("federation", "data without curvature", "a loss that is not affine")
    L = curvature.ell if E == 1 else curvature.L
    made = _sketch(federation, curvature, sketch, compressor, seed)
    fresh = None if made is None else FreshRound(made, federation.M, participants)
    if fresh is None and participants not in (None, federation.M):
        raise BadInput("participants", participants, "a sketch beside it, for example compressor='identity'")
    needless = E == 1 and (fresh is None or not fresh.kappa)
    B = Fraction(1) if needless else _dissimilarity(federation)
    q = Parameters(L=Fraction(L), E=E, B=B, mu=mu, M=federation.M)
    found = certified_range(q, 0, fresh, everywhere=fresh is None)
    everywhere = found if fresh is None or E == 1 else certified_range(q, 0, fresh, everywhere=True)
    best = best_gamma(q, rounds, theta=0, fresh=fresh, everywhere=fresh is None, largest=found)
    return Certified(found, everywhere, best, curvature, made, float(B), _assumed(needless, made))


def _assumed(needless: bool, sketch: FreshSketch | None) -> tuple[str, ...]:
    differ = "B is measured at the start and assumed to hold along the run, with G taking the rest"
    noise = "mini-batch noise has bounded variance sigma^2, which the floor prices"
    hashes = "the tables of the hash are independent of the data and of each other"
    return (*(() if needless else (differ,)), noise, *(() if sketch is None else (hashes, *sketch.notes())))


def _sketch(
    federation: Federation,
    curvature: DataCurvature,
    sketch: tuple[int, int] | None,
    compressor: str,
    seed: int,
) -> FreshSketch | None:
    if sketch is None:
        return None
    if not isinstance(sketch, tuple) or len(sketch) != 2:
        raise BadInput("sketch", sketch, "(rows, buckets), or None")
    rows, buckets = sketch
    d, ell, trace = federation.d, Fraction(curvature.ell), Fraction(curvature.trace)
    made = FreshSketch(rows, buckets, d, ell, min(trace, ell * d), compressor)
    if compressor != "fold" or made.lossless:
        return made
    classes = Compressor("fold", made.rows, made.buckets, d, seed).orders[1] % made.buckets
    return FreshSketch.with_classes(curvature.class_traces(classes.numpy(), made.buckets), d, ell)


def _curvature(federation: Federation) -> DataCurvature:
    """The closed form, if the model and the loss have one."""
    objective = federation.objective
    layer, features = _linear(federation)
    kind = _kind(objective.criterion, federation.y)
    head = Head(
        kind,  # type: ignore[arg-type]  # one of LOSSES
        layer.out_features,
        2 / layer.out_features if kind == "least_squares" else 1.0,
        layer.bias is not None,
    )
    shards = [torch.as_tensor(shard, device=features.device) for shard in federation.shards]
    devices = [features[shard].cpu().numpy() for shard in shards]
    weights = None
    if objective.weighted:
        weights = [federation.X[shard, -1].double().cpu().numpy() for shard in shards]
    return of_linear_model(devices, head, weights, objective.decay)


def _kind(criterion: object, y: Tensor) -> str:
    """The loss by its closed form; that of softmax asks that the targets of a row weigh 1 in all."""
    known = type(criterion) if isinstance(criterion, nn.Module) else criterion
    kind = LOSSES.get(known) if isinstance(known, type) or callable(known) else None
    odd = ("weight", "pos_weight") if kind == "logistic" else ()
    plain = getattr(criterion, "reduction", "mean") == "mean"
    if kind is None or not plain or any(getattr(criterion, name, None) is not None for name in odd):
        name = getattr(criterion, "__name__", type(criterion).__name__)
        raise BadInput("loss", name, WANTED)
    if kind == "softmax" and y.is_floating_point():
        raise BadInput("loss", "class probabilities as targets", "one class label a row")
    if getattr(criterion, "label_smoothing", 0.0) and getattr(criterion, "weight", None) is not None:
        raise BadInput("loss", "label_smoothing with weight", "one of them")
    return kind


def _linear(federation: Federation) -> tuple[nn.Linear, Tensor]:
    """The only layer with parameters, and what it is given for every row (in float64)."""
    objective = federation.objective
    layers = [part for part in objective.module.modules() if isinstance(part, nn.Linear)]
    held = [layer for layer in layers if any(p.requires_grad for p in layer.parameters())]
    trained = sum(p.numel() for layer in held for p in layer.parameters() if p.requires_grad)
    if len(held) != 1 or trained != federation.d or not all(p.requires_grad for p in held[0].parameters()):
        raise BadInput("federation", type(objective.module).__name__, MODELS)
    layer, X, y = held[0], federation.X, federation.y
    hooked = layer._forward_hooks or layer._forward_pre_hooks or "forward" in vars(layer)
    if type(layer) is not nn.Linear or hooked:  # a subclass, parametrization or hook may scale the outputs
        raise BadInput("federation", type(layer).__name__, "a plain nn.Linear, without hooks")
    given: list[Tensor] = []
    hook = layer.register_forward_hook(
        lambda _, inputs, out: given.extend((inputs[0].detach(), out.detach()))
    )
    try:
        for k in range(2):  # at two models: what the layer is given does not depend on them
            w = federation.start.double() + torch.sin(torch.arange(federation.d, device=X.device) * (k + 1.0))
            said = objective.outputs(w, X.double(), y)
            given.append(said if isinstance(said, Tensor) else given[-1] * float("nan"))
    finally:
        hook.remove()
    alike = len(given) == 6 and torch.equal(given[0], given[3]) and given[0].ndim == 2
    passed = alike and all(
        given[k + 1].numel() == given[k + 2].numel()
        and torch.equal(given[k + 1].flatten(), given[k + 2].flatten())
        for k in (0, 3)
    )
    if not passed:
        raise BadInput("federation", type(objective.module).__name__, MODELS)
    return layer, given[0]


def _dissimilarity(federation: Federation) -> Fraction:
    """B² = mean|∇l_m|²/|∇f|² at the start, rounded up to thousandths of B."""
    objective, w = federation.objective, federation.start.double()[None]
    rows = [(federation.X[s].double(), federation.y[s]) for s in federation.shards]
    each = [objective.gradient(w, X[None], y[None])[0] for X, y in rows]
    gradients = torch.stack(each)
    whole = float(gradients.mean(0).square().sum())
    if not whole > 0:
        raise BadInput("federation", "a model whose gradient is 0", "another start (B cannot be measured)")
    return Fraction(max(1000, ceil(1000 * (float(gradients.square().sum(1).mean()) / whole) ** 0.5)), 1000)
