"""Models and data as people have them: every form of a batch is the same federation as its plain form.

A loss that weighs rows gives each device the user's loss of all its rows, whatever rows the checks may draw.
"""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

import fpsverify as fps
from empirical.observed.run_models import model_of
from fpsverify.config import LocalConfig
from fpsverify.errors import BadInput
from fpsverify.own.layout import Layout, SparseRows, joined
from fpsverify.own.training import train

SIZES = (7, 12, 9)
ENDS = np.cumsum([0, *SIZES])


def slices(tree: Any) -> list[Any]:
    cut = lambda x, a, b: (  # noqa: E731
        {k: cut(v, a, b) for k, v in x.items()} if isinstance(x, dict)
        else tuple(cut(v, a, b) for v in x) if isinstance(x, tuple) else x[a:b]
    )  # fmt: skip
    return [cut(tree, a, b) for a, b in pairwise(ENDS)]


class Towers(nn.Module):
    """Two towers; `says` is what they return."""

    def __init__(self, says: str = "tensor") -> None:
        super().__init__()
        torch.manual_seed(3)
        self.left, self.right, self.head = nn.Linear(3, 4), nn.Embedding(6, 4), nn.Linear(4, 3)
        self.says = says

    def forward(self, a: Tensor, b: Tensor) -> Any:
        scores = self.head(torch.tanh(self.left(a) + self.right(b)))
        forms = {"tuple": (scores, a), "dict": {"logits": scores}, "object": Said(logits=scores)}
        return forms.get(self.says, scores)


class OfBatch(Towers):
    def forward(self, batch: dict[str, Tensor]) -> Any:
        return super().forward(batch["a"], batch["b"])


@dataclass
class Said:
    logits: Tensor
    loss: Tensor | None = None


class Named(Towers):
    """As models of Hugging Face: by names, with the loss if there are labels."""

    def forward(self, a: Tensor, b: Tensor, labels: Tensor | None = None) -> Said:
        scores = self.head(torch.tanh(self.left(a) + self.right(b)))
        return Said(scores, None if labels is None else F.cross_entropy(scores, labels))


def data() -> tuple[Tensor, Tensor, Tensor]:
    torch.manual_seed(4)
    n = sum(SIZES)
    return torch.randn(n, 3), torch.randint(0, 6, (n,)), torch.arange(n) % 3


def collated(items: list[Any]) -> dict[str, Tensor]:
    return {name: torch.stack([item[name] for item in items]) for name in items[0]}


def forms() -> dict[str, fps.Federation]:
    a, b, y = data()
    named, pairs = {"a": a, "b": b, "labels": y}, ((a, b), y)
    rows = lambda part: [{k: v[i] for k, v in part.items()} for i in range(len(part["labels"]))]  # noqa: E731
    loss = nn.CrossEntropyLoss()
    return {
        "tuples": fps.Federation(Towers(), loss, slices(pairs)),
        "nested": fps.Federation(OfBatch(), loss, slices(({"a": a, "b": b}, y))),
        "names": fps.Federation(Named(), loss, slices(named)),
        "dictionaries as rows": fps.Federation(Named(), loss, [rows(x) for x in slices(named)]),
        "loaders": fps.Federation(
            OfBatch(), loss, [DataLoader(rows(x), collate_fn=collated) for x in slices(named)]
        ),
        "parts": fps.Federation(Towers(), loss, pairs, parts=[range(i, j) for i, j in pairwise(ENDS)]),
        "own loss of the module": fps.Federation(Named(), None, slices(named)),
        "loss of a batch": fps.Federation(
            OfBatch(), lambda out, batch: F.cross_entropy(out, batch["labels"]), slices(named)
        ),
        "object": fps.Federation(Towers("object"), lambda o, t: F.cross_entropy(o.logits, t), slices(pairs)),
        "tuple": fps.Federation(Towers("tuple"), loss, slices(pairs)),
        "dict": fps.Federation(Towers("dict"), loss, slices(pairs)),
    }


def test_every_form_of_inputs_outputs_and_losses_is_the_same_problem():
    made = forms()
    plain = made["tuples"]
    W = plain.start + 0.1 * torch.randn(3, plain.d, generator=torch.Generator().manual_seed(1))
    wanted = plain.problem(2).gradients(W, LocalConfig(batch=4), 1, 0)[0]
    final = train(plain, rounds=2, gamma=0.1, sketch=None).figures["final"]
    for name, f in made.items():
        torch.testing.assert_close(f.problem(2).gradients(W, LocalConfig(batch=4), 1, 0)[0], wanted)
        assert f.metrics == "multiclass" and f.sizes == SIZES, name
        assert train(f, rounds=2, gamma=0.1, sketch=None).figures["final"] == pytest.approx(final, rel=1e-5)


def user_loss(f: fps.Federation, m: int, module: nn.Module, loss: Any, X: Tensor, y: Tensor) -> Tensor:
    """The gradient of the user's loss of all rows of device m, by autograd, with nothing of the package."""
    rows = slice(ENDS[m], ENDS[m + 1])
    module.zero_grad()
    loss(module(X[rows]), y[rows]).backward()
    return torch.cat([p.grad.flatten() for p in module.parameters()])


def padded_words() -> tuple[nn.Module, Any, Tensor, Tensor]:
    """A decoder whose targets are padded with -100, unequally."""
    torch.manual_seed(2)
    n, T = sum(SIZES), 6
    tokens = torch.randint(0, 5, (n, T))
    lengths = torch.randint(1, T + 1, (n, 1))
    targets = torch.where(torch.arange(T) < lengths, torch.randint(0, 5, (n, T)), -100)
    module = nn.Sequential(nn.Embedding(5, 4), nn.Tanh(), nn.Linear(4, 5))
    return module.double(), lambda o, y: F.cross_entropy(o.flatten(0, 1), y.flatten()), tokens, targets


def by_class(weights: list[float], **options: Any) -> tuple[nn.Module, Any, Tensor, Tensor]:
    """Classes that are sorted: the first rows all have one."""
    torch.manual_seed(1)
    X, y = torch.randn(sum(SIZES), 3).double(), torch.arange(sum(SIZES)) * 3 // sum(SIZES)
    loss = nn.CrossEntropyLoss(weight=torch.tensor(weights).double(), **options)
    return nn.Linear(3, 3).double(), loss, X, y


def closed_over(weights: list[float]) -> tuple[nn.Module, Any, Tensor, Tensor]:
    module, _, X, y = by_class(weights)
    held = torch.tensor(weights)
    return module.float(), lambda o, t: F.cross_entropy(o, t, weight=held), X.float(), y


WEIGHED = {
    "padding": padded_words,
    "classes": lambda: by_class([1.0, 3.0, 0.2]),
    "classes and smoothing": lambda: by_class([1.0, 3.0, 0.2], label_smoothing=0.1),
    "float32 only": lambda: closed_over([1.0, 3.0, 0.2]),
}


@pytest.mark.parametrize("name", WEIGHED)
def test_a_device_has_the_loss_that_the_user_wrote(name):
    module, loss, X, y = WEIGHED[name]()
    f = fps.Federation(module, loss, list(zip(slices(X), slices(y), strict=True)), test=(X, y))
    assert f.objective.weighted
    for m in range(len(SIZES)):
        found = f.problem(1).device_gradient(f.start, m)[1]
        torch.testing.assert_close(found, user_loss(f, m, f.module(), loss, X, y), rtol=1e-4, atol=1e-6)
    test_loss = f.problem(1).evaluate(f.start, "negative")["test_loss"]
    assert test_loss == pytest.approx(loss(f.module()(X), y).item(), rel=1e-5)


@pytest.mark.parametrize("name", WEIGHED)
def test_mini_batches_of_one_row_average_to_the_gradient_of_the_device(name):
    """So sampling is without bias, which the mean of ratios is not."""
    module, loss, X, y = WEIGHED[name]()
    f = fps.Federation(module, loss, list(zip(slices(X), slices(y), strict=True)))
    problem, rows = f.problem(1), torch.from_numpy(f.shards[1])
    W = f.start.expand(len(rows), -1)
    each = f.objective.gradient(W, f.X[rows][:, None], f.y[rows][:, None])
    torch.testing.assert_close(each.mean(0), problem.device_gradient(f.start, 1)[1], rtol=1e-4, atol=1e-6)


@given(seed=st.integers(0, 10_000), rows=st.integers(5, 40), zero_head=st.booleans())
def test_a_weighted_loss_is_seen_whatever_the_order_of_the_rows(seed, rows, zero_head):
    """Also where the head is zero, so that all rows have the same loss at the start."""
    torch.manual_seed(seed)
    X, y = torch.randn(rows, 2), (torch.rand(rows) < 0.1).long()
    y[-1] = 1 - y[0]  # both classes are there
    module = nn.Linear(2, 2)
    if zero_head:
        nn.init.zeros_(module.weight)
        nn.init.zeros_(module.bias)
    f = fps.Federation(module, nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0])), [(X, y)])
    a = f.X[:, -1]
    assert f.objective.weighted
    torch.testing.assert_close(a, torch.where(y == 1, 3.0, 1.0) / torch.where(y == 1, 3.0, 1.0).mean())
    assert not fps.Federation(module, nn.CrossEntropyLoss(), [(X, y)]).objective.weighted


NO_MEANS = {
    "sum": lambda o, y: F.cross_entropy(o, y, reduction="sum"),
    "largest": lambda o, y: F.cross_entropy(o, y, reduction="none").max(),
    "in-batch contrast": lambda o, y: F.cross_entropy(o @ o.T, torch.arange(len(o)) % 1 + 0 * y),
    "root": lambda o, y: F.mse_loss(o, F.one_hot(y, 3).to(o)).sqrt(),
    "by confidence": lambda o, y: (
        (o.softmax(1).amax(1) * F.cross_entropy(o, y, reduction="none")).sum() / o.softmax(1).amax(1).sum()
    ),
}


@pytest.mark.parametrize("name", NO_MEANS)
@pytest.mark.parametrize("order", [0, 1, 2])
def test_a_loss_that_is_no_mean_over_rows_is_always_refused(name, order):
    module, _, X, y = by_class([1.0, 1.0, 1.0])
    at = torch.randperm(len(y), generator=torch.Generator().manual_seed(order))
    with pytest.raises(BadInput, match="^loss: got 'no mean over rows"):
        fps.Federation(module, NO_MEANS[name], [(X[at], y[at])])


def test_a_row_that_counts_nothing_is_named():
    module, loss, tokens, targets = padded_words()
    targets[3] = -100
    with pytest.raises(BadInput, match="row 3 with the loss nan.*all ignored"):
        fps.Federation(module, loss, [(tokens, targets)])


class NextToken(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(6)
        self.words, self.gru, self.out = nn.Embedding(9, 6), nn.GRU(6, 8, batch_first=True), nn.Linear(8, 9)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        states, last = self.gru(self.words(x))
        return self.out(states), last


def test_a_language_model_learns_from_rows_without_targets():
    """The loss is given the whole batch; a metric of one's own is in every evaluated row."""
    tokens = torch.arange(40)[:, None].add(torch.arange(7)).remainder(9)
    loss = lambda out, x: F.cross_entropy(out[0][:, :-1].flatten(0, 1), x[:, 1:].flatten())  # noqa: E731
    right = lambda o, x: (o[:, :-1].argmax(-1) == x[:, 1:]).double().mean()  # noqa: E731
    f = fps.Federation(
        NextToken(), loss, [TensorDataset(tokens[:20]), TensorDataset(tokens[20:])], metrics={"right": right}
    )
    done = train(f, rounds=60, gamma=0.7, sketch=None, algorithm="fedavg")
    assert f.metrics == "loss" and done.figures["final"]["train_loss"] < 0.7 * done.rows[0]["train_loss"]
    assert done.figures["final"]["train_right"] > done.rows[0]["train_right"]


@pytest.mark.parametrize("kind", ["scipy", "torch"])
def test_sparse_rows_are_their_dense_rows(kind):
    generator = np.random.default_rng(1)
    dense = sparse.random(28, 500, 0.02, "csr", rng=generator)
    made = dense if kind == "scipy" else torch.from_numpy(dense.toarray()).to_sparse()
    y = torch.arange(28) % 2
    module = nn.Linear(500, 2)
    thin, thick = (
        fps.Federation(module, nn.CrossEntropyLoss(), (X, y), parts=[range(10), range(10, 28)])
        for X in (made, torch.from_numpy(dense.toarray()))
    )
    assert thin.X.shape[1] < 100 and thick.X.shape[1] == 500
    one, other = (train(f, rounds=3, gamma=0.5, sketch=None, batch=3).w for f in (thin, thick))
    torch.testing.assert_close(one, other)


@given(st.integers(0, 99), st.booleans())
def test_a_layout_gives_back_what_it_was_given(seed, long):
    generator = torch.Generator().manual_seed(seed)
    n = 1 + seed % 5
    draw = lambda *shape: torch.randn(n, *shape, generator=generator)  # noqa: E731
    top = 2**40 if long else 2**20
    tree = {
        "x": draw(2, 3),
        "in": (torch.randint(-top, top, (n, 2), generator=generator), draw() > 0),
        "bag": SparseRows.of((draw(9) * (draw(9) > 1)).to_sparse()),
    }
    layout = Layout.of(joined([tree, tree]))
    found = layout.unpack(layout.pack(joined([tree, tree]), torch.float32), torch.float32)
    assert torch.equal(found["x"][:n], tree["x"]) and torch.equal(found["in"][0][n:], tree["in"][0])
    assert found["in"][1].dtype == torch.bool and torch.equal(found["in"][1][:n], tree["in"][1])
    bag = torch.zeros(n, 9).scatter_add(1, tree["bag"].places, tree["bag"].values)
    assert torch.equal(found["bag"][:n], bag)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("layer", [nn.Embedding, nn.EmbeddingBag])
def test_layers_with_sparse_gradients_are_advised_and_come_back_as_they_were(layer):
    torch.manual_seed(0)
    words, y = torch.randint(0, 30, (60, 5)), torch.arange(60) % 2
    rest = [nn.Flatten(), nn.LazyLinear(2)]
    module = nn.Sequential(layer(30, 4, sparse=True), *rest)
    module(words)
    f = fps.Federation(module, nn.CrossEntropyLoss(), [(words[:30], y[:30]), (words[30:], y[30:])])
    W = f.start.expand(2, -1)
    product = model_of(f.problem(1), LocalConfig()).hessian_vector_products(W, W)
    assert product.isfinite().all() and product.abs().max() > 0
    back = f.module()
    assert type(back[0]) is layer
    torch.testing.assert_close(back(words), module(words))


def test_weight_decay_is_a_term_of_every_devices_loss():
    module, loss, X, y = by_class([1.0, 1.0, 1.0])
    plain, decayed = (fps.Federation(module, loss, [(X, y)], weight_decay=λ) for λ in (0.0, 0.3))
    w = plain.start + 1
    assert decayed.problem(1).device_gradient(w, 0)[0] == pytest.approx(
        plain.problem(1).device_gradient(w, 0)[0] + 0.15 * float(w @ w)
    )
    torch.testing.assert_close(
        decayed.problem(1).device_gradient(w, 0)[1], plain.problem(1).device_gradient(w, 0)[1] + 0.3 * w
    )
    assert decayed.problem(1).evaluate(w, "negative") == plain.problem(1).evaluate(w, "negative")


def test_batch_norm_is_replaced_in_one_call():
    module = nn.Sequential(
        nn.Conv2d(1, 8, 3), nn.BatchNorm2d(8), nn.Flatten(), nn.LazyLinear(3), nn.BatchNorm1d(3)
    )
    X, y = torch.randn(20, 1, 6, 6), torch.arange(20) % 3
    module(X)
    with pytest.raises(BadInput, match="BatchNorm2d with the buffer .*fps.without_batch_norm"):
        fps.Federation(module, nn.CrossEntropyLoss(), [(X, y)])
    made = fps.without_batch_norm(module)
    assert not any("BatchNorm" in type(part).__name__ for part in made.modules())
    assert fps.Federation(made, nn.CrossEntropyLoss(), [(X, y)]).d == sum(
        p.numel() for p in module.parameters()
    )


BAD = {
    "module: got a lazy layer without sizes, expected one call": lambda: (nn.LazyLinear(3), None),
    "judges each row by itself: batch_first": lambda: (
        nn.Sequential(nn.Embedding(9, 4), nn.GRU(4, 3)), lambda o, y: F.mse_loss(o[0][:, -1], y)
    ),
    "loss: got a number of torch.complex64, expected a real number": lambda: (
        nn.Linear(3, 3), lambda o, y: (o.square().mean() + 0j)
    ),
    "got Said.* as its output|.logits": lambda: (Silent(), nn.CrossEntropyLoss()),
    "pad them, or give DataLoaders": lambda: (nn.Linear(3, 3), [(torch.ones(i + 1), 0) for i in range(3)]),
    "the text .*classes as 0, 1, 2": lambda: (nn.Linear(3, 3), [(torch.ones(3), "cat")]),
    "several inputs are one tuple": lambda: (nn.Linear(3, 3), [(torch.ones(3), torch.ones(3), 0)]),
    "inputs: got torch.complex64, expected real": lambda: (
        nn.Linear(3, 3), (torch.ones(4, 3) + 0j, torch.ones(4))
    ),
    "tensors with 3 rows, one for each": lambda: (
        nn.Linear(3, 3), DataLoader([(torch.ones(3), 0)] * 3, collate_fn=lambda rows: torch.ones(2, 3))
    ),
}  # fmt: skip


class Silent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.line = nn.Linear(3, 3)

    def forward(self, x: Tensor) -> dict[str, Tensor]:
        return {"hidden": self.line(x)}


@pytest.mark.parametrize("words", BAD)
def test_what_cannot_be_used_is_one_line_that_says_how_to_go_on(words):
    module, second = BAD[words]()
    loss = second if callable(second) else nn.CrossEntropyLoss()
    X = torch.randint(0, 9, (6, 5)) if isinstance(module, nn.Sequential) else torch.randn(6, 3)
    y = torch.randn(6, 3) if isinstance(module, nn.Sequential) else torch.arange(6) % 3
    given = (X, y) if callable(second) or second is None else second
    with pytest.raises(BadInput) as caught:
        fps.Federation(module, loss, [given])
    said = str(caught.value).replace("'", "")
    assert "\n" not in said and re.search(words, said), said
