"""What a federation is made from: data sets of every kind, metrics that fit, and misuse in one line."""

import re
from inspect import signature
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset

import fpsverify as fps
from fpsverify.config import LocalConfig
from fpsverify.errors import BadInput, RunFailed
from fpsverify.grids.sweep import axes_of
from fpsverify.own import images as own_images
from fpsverify.own.training import run_config, train
from property_tests.support.own_models import SIZES, federation, made, per_device

SHORT = {"rounds": 4, "E": 2, "gamma": 0.1, "batch": 4, "sketch": (3, 16, 10), "channel": 0.05}


class Pairs(Dataset):
    """As image data sets are: labels beside the rows."""

    def __init__(self, X, targets):
        self.X, self.targets = X, targets

    def __len__(self):
        return len(self.X)

    def __getitem__(self, i):
        return self.X[i], int(self.targets[i])


def test_data_sets_loaders_pairs_and_parts_are_the_same_federation():
    (module, _), (X, y) = made("tanh"), pair()
    ends = torch.tensor([0, *SIZES]).cumsum(0).tolist()
    slices = [slice(a, b) for a, b in pairwise(ends)]
    given = [
        [TensorDataset(X[s], y[s]) for s in slices],
        [DataLoader(TensorDataset(X[s], y[s]), batch_size=4, shuffle=True) for s in slices],
        [(X[s], y[s]) for s in slices],
        [Pairs(X[s], y[s]) for s in slices],
        [list(zip(X[s], y[s], strict=True)) for s in slices],
    ]
    made_of = [fps.Federation(module, nn.functional.cross_entropy, data) for data in given]
    parts = [list(range(s.start, s.stop)) for s in slices]
    made_of.append(fps.Federation(module, nn.functional.cross_entropy, (X, y), parts=parts))
    assert len({f.identity for f in made_of}) == 1 and made_of[0].sizes == SIZES


@pytest.mark.parametrize(
    ("outputs", "targets", "loss", "kind"),
    [
        (3, torch.arange(34) % 3, nn.CrossEntropyLoss(), "multiclass"),
        (1, (torch.arange(34.0) % 2)[:, None].double(), nn.BCEWithLogitsLoss(), "binary"),
        (1, torch.arange(34.0)[:, None].double(), nn.MSELoss(), "regression"),
        (2, torch.arange(68.0).view(34, 2).double(), nn.L1Loss(), "regression"),
        (3, torch.arange(34.0).double(), lambda o, y: (o.sum(1) - y).square().mean(), "loss"),
        (3, torch.arange(68).view(34, 2) % 3, lambda o, y: (o[:, :2] - y).square().mean(), "loss"),
    ],
)
def test_metrics_fit_outputs_and_targets(outputs, targets, loss, kind):
    _, X = made("tanh")
    f = fps.Federation(nn.Linear(5, outputs).double(), loss, per_device(X, targets), test=(X, targets))
    assert f.metrics == kind
    row = f.problem(1).evaluate(f.start, "negative")
    assert row["test_loss"] == pytest.approx(loss(f.module()(X), targets).item())
    assert {"multiclass": "accuracy", "binary": "auc", "regression": "mse", "loss": "test_loss"}[kind] in row


@pytest.mark.parametrize("columns", [1, 2])
def test_the_baseline_of_a_regression_is_the_error_of_saying_the_mean(columns):
    """By a model that says it: one mean for each column of targets, far from 0."""
    _, X = made("tanh")
    targets = 1e6 + torch.arange(34.0 * columns).double().view(34, columns) ** 2
    module = nn.Linear(5, columns).double()
    with torch.no_grad():
        module.weight.zero_()
        module.bias.copy_(targets.mean(0))
    f = fps.Federation(module, nn.MSELoss(), (X, targets), parts=[range(34)], test=(X, targets))
    row = f.problem(1).evaluate(f.start, "negative")
    assert row["mean_mse"] == pytest.approx(row["mse"], rel=1e-9) and "zero_mse" not in row
    assert f"(predicting the mean: {row['mean_mse']:.4g})" in repr(train(f, rounds=1, sketch=None))


def test_frozen_parameters_and_constant_buffers_are_constants():
    """BatchNorm after `eval()` is a plain function of its parameters."""
    module = nn.Sequential(nn.Linear(5, 4), nn.BatchNorm1d(4), nn.Linear(4, 3)).double().eval()
    module[0].weight.requires_grad_(False)
    f = federation(module=module)
    assert f.d == 4 + 8 + 15
    done = train(f, **{**SHORT, "sketch": None}).module()
    assert torch.equal(done[0].weight, module[0].weight) and not torch.equal(done[2].weight, module[2].weight)


def test_a_module_that_changes_afterwards_does_not_change_the_federation():
    module = nn.Sequential(nn.Linear(5, 4), nn.Dropout(0.5), nn.Linear(4, 3)).double().eval()
    module[0].weight.requires_grad_(False)
    f = federation(module=module)
    before = f.problem(1).full_gradient(f.start).loss
    module.train()
    module[0].weight.zero_()
    assert f.problem(1).full_gradient(f.start).loss == before


def pair() -> tuple[torch.Tensor, torch.Tensor]:
    _, X = made("tanh")
    return X, torch.arange(len(X)) % 3


def changed(what) -> list[TensorDataset]:
    """Good data sets after a change of rows or targets in place."""
    X, y = pair()
    what(X, y)
    return per_device(X, y)


def normed(**options) -> nn.Module:
    return nn.Sequential(nn.Linear(5, 3), nn.BatchNorm1d(3, **options)).double()


BAD = {
    "34 inputs and 7 targets, expected as many": lambda: federation(
        datasets=[(pair()[0], torch.zeros(7).long())]
    ),
    "34 rows and 5 targets": lambda: federation(datasets=[Pairs(made("tanh")[1], [0] * 5)]),
    r"loss: got a tensor \(4,\), expected one number": lambda: federation(
        loss=nn.CrossEntropyLoss(reduction="none")
    ),
    "loss: got float": lambda: federation(loss=lambda o, y: 1.0),
    r"datasets\[1\], inputs: got a value that is not finite in row 4": lambda: federation(
        datasets=changed(lambda X, y: X[SIZES[0] + 4, 1].fill_(float("nan")))
    ),
    "Flatten with no parameters to train": lambda: federation(module=nn.Flatten()),
    "parameters on meta, expected all of them on cpu": lambda: federation(
        module=nn.Linear(5, 3, device="meta")
    ),
    r"datasets\[3\]: got no rows": lambda: federation(
        datasets=[*per_device(*pair()), tuple(x[:0] for x in pair())]
    ),
    r"parts\[1\]: got no rows": lambda: federation(datasets=pair(), parts=[[0, 1], []]),
    r"parts\[0\]: got 0 to 99": lambda: federation(datasets=pair(), parts=[[0, 99]]),
    "BatchNorm1d with the buffer 1.running_mean": lambda: federation(module=normed()),
    "the plain mean over rows": lambda: federation(loss=nn.CrossEntropyLoss(reduction="sum")),
    "got ValueError: Expected more than 1 value|the plain mean": lambda: federation(
        module=normed(track_running_stats=False)
    ),
    "no random layer": lambda: federation(module=nn.Sequential(nn.Linear(5, 3), nn.Dropout(0.5)).double()),
    "module: got RuntimeError: mat1 and mat2": lambda: federation(module=nn.Linear(4, 3).double()),
    "loss: got IndexError: Target 2 is out of bounds": lambda: federation(module=nn.Linear(5, 2).double()),
    "loss: got IndexError: Target 3 is out of bounds": lambda: federation(
        datasets=changed(lambda X, y: y[20].fill_(3))
    ),
    "all float32 or all float64": lambda: federation(module=nn.Linear(5, 3).half()),
    "a list with one data set per device": lambda: federation(datasets=pair()),
    "no device": lambda: federation(datasets=[]),
    "a torch.nn.Module": lambda: federation(module=3),
    "^test: got .*expected rows like those of the devices$": lambda: federation(
        test=(pair()[0][:10], torch.full((10,), 3))
    ),
    "metrics: got f1": lambda: federation(metrics="f1"),
    "a number without a gradient, expected one that depends": lambda: federation(
        loss=lambda o, y: (o.detach().argmax(1) - y).double().square().mean()
    ),
    r"outputs \(4, 1\), targets \(4,\), expected one shape: use targets.unsqueeze": lambda: federation(
        module=nn.Linear(5, 1).double(),
        loss=nn.MSELoss(),
        datasets=per_device(pair()[0], pair()[0][:, 0]),
        test=None,
    ),
    "round: got no option of train, expected rounds": lambda: train(federation(), round=5),
    "gamma: got None, expected a number; advise recommended none": lambda: train(federation(), gamma=None),
    "device: got cuda, expected cpu, where its module is": lambda: train(federation(), set=["device=cuda"]),
    "dtype: got float32, expected float64": lambda: train(federation(), set=["dtype=float32"]),
    "devices.M: got 4, expected 3": lambda: train(federation(), set=["devices.M=4"]),
    r"outputs \(4, 4\), targets \(4,\), expected one shape: as many outputs as": lambda: federation(
        module=nn.Linear(5, 4).double(), loss=nn.MSELoss(), test=None
    ),
    r"loss: got RuntimeError: .* a batch of outputs \(4, 3\) and targets \(4,\) of torch.int64": lambda: (
        federation(loss=nn.MSELoss(), test=None)
    ),
    "an array of <U1, expected numbers; classes as": lambda: federation(
        datasets=[(pair()[0].numpy(), np.array(["a"] * 34))]
    ),
    "datasets: got one tuple of 2 tensors, expected a list": lambda: federation(
        datasets=tuple(x.numpy() for x in pair())
    ),
    r"parts: got 6, expected a list of .* per device; fps.dirichlet\(labels, 6, alpha\) makes one": lambda: (
        federation(datasets=pair(), parts=6)
    ),
    "parts: got iid, expected a list of row numbers per device; fps.dirichlet": lambda: federation(
        datasets=pair(), parts="iid"
    ),
    r"parts: got a dict, .*: list\(parts.values": lambda: federation(datasets=pair(), parts={0: [1], 1: [2]}),
    r"parts\[0\]: got 1, expected a list of row numbers": lambda: federation(datasets=pair(), parts=[1, 2]),
    r"parts\[0\]: got \[1, \[2, 3\]\], expected a list": lambda: federation(
        datasets=pair(), parts=[[1, [2, 3]]]
    ),
    "parts: got no device": lambda: federation(datasets=pair(), parts=iter([])),
    "labels: got 6, expected the class of each row": lambda: fps.dirichlet(6, 6, 0.5),
    "M: got 0.5, expected a whole number": lambda: fps.dirichlet(pair()[1], 0.5, 6),
    "alpha: got a, expected a positive number": lambda: fps.dirichlet(pair()[1], 6, "a"),
    "federation: got Linear, expected a fps.Federation": lambda: train(nn.Linear(5, 3)),
    "problem: got NoneType, expected a Federation or": lambda: fps.sweep(None, {"local.gamma": [0.1]}),
    "over: got .*, expected a dict of keys": lambda: fps.sweep(federation(), ["local.gamma=0.1"]),
    r"over: got \(3, 4, 5\), expected plain values; the sizes": lambda: fps.sweep(
        federation(), {"sketch": [(3, 4, 5)]}
    ),
    "seeds: got 3, expected a whole number": lambda: fps.sweep(federation(), {"local.gamma": [1]}, seeds="3"),
    "jobs: got 0, expected a whole number, at least 1": lambda: fps.sweep(
        federation(), {"local.gamma": [1]}, jobs=0
    ),
    "^progress: got True": lambda: train(federation(), progress=True),
    "^progress: got 1, ": lambda: fps.advise(federation(), progress=1),
    "^progress: got 2, ": lambda: fps.sweep(federation(), {"local.gamma": [1]}, progress=2),
    "set: got None, expected a list of texts": lambda: fps.advise(federation(), set=None),
    r"set: got \[1\], expected a list of texts": lambda: train(federation(), set=[1]),
    "^out: got 5, expected the name of a folder": lambda: train(federation(), out=5),
    "gamma: got list, expected one number, for example advice.gamma": lambda: train(federation(), gamma=[1]),
    r"^E \(local.E\): got 0": lambda: train(federation(), E=0),
    r"^sketch \(algorithm.rows\): got 0": lambda: train(federation(), sketch=(0, 4, 5)),
    r"^channel \(channel.sigma\): got -1": lambda: train(federation(), channel=-1),
    r"^algorithm \(algorithm.name\): got 3": lambda: train(federation(), algorithm=3),
    r"^participation \(devices.participation\): got 9": lambda: train(federation(), participation=9),
    "loss: got None, expected a function of outputs .* or a module that takes whole rows": lambda: federation(
        loss=None
    ),
    "a finite number at the modules own": lambda: federation(loss=lambda o, y: o.mean() * float("inf")),
}


def test_numbers_of_numpy_and_torch_are_numbers():
    plain = run_config(federation(), rounds=7, gamma=0.5, batch=4)
    numbers = {"rounds": np.int64(7), "gamma": torch.tensor(0.5), "batch": np.array(4)}
    assert run_config(federation(), **numbers) == plain
    parts = iter([np.arange(20), torch.arange(20, 34)])
    assert federation(datasets=pair(), parts=parts).sizes == (20, 14)
    assert [
        axis.values for axis in axes_of({"local.gamma": np.float32([0.5]), "seed2": torch.tensor([2])})
    ] == [
        ("0.5",),
        ("2",),
    ]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("words", BAD)
def test_misuse_is_one_line(words):
    with pytest.raises(BadInput) as caught:
        BAD[words]()
    said = str(caught.value)
    assert "\n" not in said and re.search(words, said.replace("'", "")), said


def test_all_images_are_taken_where_no_number_is_said(monkeypatch):
    asked = []

    def few(data, samples, test_samples, seed):
        asked.append((data, samples, test_samples))
        return SimpleNamespace(X=torch.zeros(3, 784), y=None, X_test=torch.zeros(2, 784), y_test=None)

    monkeypatch.setattr(own_images, "load_images", lambda name: name)
    monkeypatch.setattr(own_images, "subset", few)
    (X, _), (X_test, _) = own_images.images("fashion")
    assert asked == [("fashion", 60_000, 10_000)]
    assert X.shape == (3, 1, 28, 28) and X_test.shape == (2, 1, 28, 28)


def test_what_train_is_not_told_is_as_in_a_config():
    usual = signature(train).parameters
    assert {name: usual[name].default for name in ("E", "batch", "gamma", "mu")} == {
        name: getattr(LocalConfig(), name) for name in ("E", "batch", "gamma", "mu")
    }


def test_a_run_that_fails_names_the_argument_and_the_key() -> None:
    with pytest.raises(RunFailed, match=r"use a smaller gamma \(local\.gamma\)"):
        train(federation(), rounds=3, gamma=1e308)
