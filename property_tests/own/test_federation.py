"""A federation of one's own: its gradients are autograd's, its runs are runs, and misuse is one line."""

import copy
import io
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from torch import nn

import fpsverify as fps
from empirical.observed.run_models import model_of
from fpsverify import tensors
from fpsverify.algorithms import ALGORITHMS
from fpsverify.cli import main
from fpsverify.config import LocalConfig
from fpsverify.errors import BadInput
from fpsverify.own import training
from fpsverify.own.training import train
from fpsverify.runs import checkpoint, record
from property_tests.support.commands import refusal
from property_tests.support.own_models import federation, made, per_device
from property_tests.support.small_runs import Stop, record_of, stop_at

MODELS = ("cnn", "tanh", "relu", "attention", "branching")
ROOT = Path(__file__).resolve().parents[2]
SHORT = {"rounds": 4, "E": 2, "gamma": 0.1, "batch": 4, "sketch": (3, 16, 10), "channel": 0.05}
OFTEN = ["record.checkpoint_every=1", "record.evaluate_every=2"]


def autograd(f: fps.Federation, w: torch.Tensor, rows: list[int]) -> torch.Tensor:
    """The gradient at w by `backward` of a copy of the module."""
    module = f.module(w)
    X = f.objective.given(f.X[rows], f.dtype)
    f.objective.criterion(module(X), f.y[rows]).backward()
    return torch.cat([p.grad.flatten() for p in module.parameters()])


@pytest.mark.parametrize("name", MODELS)
def test_gradients_of_every_device_are_those_of_autograd(name):
    """Full gradients, equal batches (together where vmap can), and batches of unequal length."""
    f = federation(name)
    assert f.objective.together == (name != "branching")
    problem, torch_seed = f.problem(3), torch.Generator().manual_seed(2)
    W = f.start + 0.1 * torch.randn(f.M, f.d, generator=torch_seed, dtype=f.dtype)
    for m, w in enumerate(W):
        torch.testing.assert_close(problem.device_gradient(w, m)[1], autograd(f, w, list(f.shards[m])))
    rows = torch.arange(12).view(3, 4)
    expected = torch.stack([autograd(f, w, r.tolist()) for w, r in zip(W, rows, strict=True)])
    torch.testing.assert_close(f.objective.gradient(W, f.X[rows], f.y[rows]), expected)
    whole, _ = problem.gradients(W, LocalConfig(batch=0), t=1, e=0)  # padded: sizes differ
    by_device = torch.stack([autograd(f, w, list(s)) for w, s in zip(W, f.shards, strict=True)])
    torch.testing.assert_close(whole, by_device)


@pytest.mark.parametrize("name", ("cnn", "tanh", "attention"))
def test_hessian_products_are_differences_of_gradients(name):
    f = federation(name)
    generator = torch.Generator().manual_seed(1)
    W = f.start.expand(f.M, -1)
    V = torch.randn(f.M, f.d, generator=generator, dtype=f.dtype)
    model, h = model_of(f.problem(3), LocalConfig()), 1e-6
    slope = (model.full_gradients(W + h * V) - model.full_gradients(W - h * V)) / (2 * h)
    torch.testing.assert_close(model.hessian_vector_products(W, V), slope, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("rows", [3, 5, 7])
def test_a_devices_bits_do_not_depend_on_where_its_rows_lie(name, rows):
    """What `Ordered` ranks and Flower rely on: alone, or as any row of a larger tensor."""
    f = federation(name)
    X, y = (torch.stack([x[i : i + rows] for i in range(8)]) for x in (f.X, f.y))
    W = torch.stack([f.start * (1 + i / 8) for i in range(8)])
    for i in range(8):
        inside = [x[i : i + 1] for x in (W, X, y)]
        alone = [x.clone() for x in inside]
        assert torch.equal(f.objective.gradient(*inside), f.objective.gradient(*alone))


@pytest.mark.parametrize("name", sorted(ALGORITHMS))
def test_every_algorithm_trains_a_federation(name):
    """MISSION knows one device, here without test rows and noise."""
    module, X = made("tanh")
    if name == "mission":
        f = fps.Federation(module, nn.functional.cross_entropy, [(X, torch.arange(len(X)) % 3)])
        final = train(f, **{**SHORT, "channel": None}, algorithm=name).figures["final"]
        assert "train_loss" in final and "test_loss" not in final
    else:
        chosen = {**SHORT, "sketch": SHORT["sketch"][:2]} if name == "fresh" else SHORT
        done = train(federation(), **chosen, algorithm=name, verify=True)
        assert len(done.rows) == 5 and all(row["grad_norm_squared"] > 0 for row in done.rows)
        assert {"test_loss", "accuracy", "balanced_accuracy"} <= set(done.figures["final"])


def test_without_a_sketch_or_noise_fps_is_federated_averaging():
    plain = {**SHORT, "sketch": None, "channel": None}
    a, b = train(federation(), **plain), train(federation(), **plain, algorithm="fedavg")
    torch.testing.assert_close(a.w, b.w)


def test_the_users_module_stays_as_it_is_and_the_trained_copy_computes_the_recorded_loss():
    module, X = made("relu")
    before = copy.deepcopy(module.state_dict())
    y = torch.arange(len(X)) % 3
    f = fps.Federation(module, nn.CrossEntropyLoss(), per_device(X, y), test=(X, y))
    done = train(f, **SHORT)
    assert all(torch.equal(before[name], value) for name, value in module.state_dict().items())
    loss = nn.functional.cross_entropy(done.module()(X), y).item()
    assert loss == pytest.approx(done.figures["final"]["test_loss"], rel=1e-9)
    assert repr(done).startswith("Trained(4 rounds, test_loss ") and len(repr(done)) < 120


def test_a_resumed_run_has_the_bits_of_an_uninterrupted_one(tmp_path):
    train(federation(), **SHORT, verify=True, set=OFTEN, out=tmp_path / "whole")
    with pytest.raises(Stop):
        train(federation(), **SHORT, verify=True, set=OFTEN, out=tmp_path / "broken", progress=stop_at(2))
    train(federation(), **SHORT, verify=True, set=OFTEN, out=tmp_path / "broken", resume=True)
    assert record_of(tmp_path / "whole") == record_of(tmp_path / "broken")
    kept = lambda name: [checkpoint.load(p).tensors for p in checkpoint.stored(tmp_path / name)]  # noqa: E731
    whole, broken = ([tensors.checksum(x, {}) for x in kept(name)] for name in ("whole", "broken"))
    assert whole == broken and len(whole) == 5


def other_start() -> fps.Federation:
    module = made("tanh")[0]
    next(module.parameters()).data[0, 0] += 1
    return federation(module=module)


def other_row() -> fps.Federation:
    _, X = made("tanh")
    X[3, 2] += 1e-9
    return federation(datasets=per_device(X, torch.arange(len(X)) % 3))


OTHERS = {
    "start": other_start,
    "data": other_row,
    "loss": lambda: federation(loss=lambda o, y: 2 * nn.functional.cross_entropy(o, y)),
    "module, start": lambda: federation("relu", module=nn.Sequential(nn.Linear(5, 3)).double()),
    "test": lambda: federation(test=None),
}


@pytest.mark.parametrize("what", OTHERS)
def test_another_federation_is_refused_and_the_line_says_what_is_other(what, tmp_path):
    train(federation(), **SHORT, out=tmp_path / "run")
    with pytest.raises(
        BadInput, match=f"federation: got 'another {what}', expected the federation of the run"
    ):
        train(OTHERS[what](), **SHORT, out=tmp_path / "run", resume=True)


def scaled_loss(scale):
    return lambda outputs, y: scale * nn.functional.cross_entropy(outputs, y)


class Scaled(nn.Module):
    def __init__(self, scale: float) -> None:
        super().__init__()
        self.line, self.scale = nn.Linear(5, 3, dtype=torch.float64), scale

    def forward(self, x):
        return self.scale * self.line(x)


def test_identity_follows_what_decides_the_numbers_and_nothing_else():
    assert federation().identity == federation().identity
    assert federation(loss=scaled_loss(2.0)).identity == federation(loss=scaled_loss(2.0)).identity
    assert federation(loss=scaled_loss(2.0)).identity != federation(loss=scaled_loss(3.0)).identity
    scaled = [Scaled(1.0), Scaled(2.0)]
    scaled[1].load_state_dict(scaled[0].state_dict())
    first, second = (federation(module=module).identity.split() for module in scaled)
    assert [a == b for a, b in zip(first, second, strict=True)] == [False, True, True, True, True]


def test_a_folder_in_use_and_options_that_do_not_fit_are_one_line(tmp_path):
    train(federation(), **SHORT, out=tmp_path / "run")
    for changes, words in (
        ({"out": tmp_path / "run"}, "resume=True"),
        ({"resume": True}, "out= with the folder"),
        ({"sketch": 5}, r"\(rows, buckets, k\)"),
        ({"channel": "loud"}, "a standard deviation"),
        ({"gamma": 0.2, "out": tmp_path / "run", "resume": True}, "local.gamma"),
        ({"algorithm": "sgd"}, "one of fps"),
    ):
        with pytest.raises(BadInput, match=words):
            train(federation(), **{**SHORT, **changes})


def test_a_finished_run_goes_on_for_more_rounds_or_makes_way(tmp_path):
    """Extended, it is the run that was long from the start; a folder with anything else is never touched."""
    often = {**SHORT, "set": ["record.checkpoint_every=1"]}
    train(federation(), **often, out=tmp_path / "run")
    train(federation(), **{**often, "rounds": 7}, out=tmp_path / "run", resume=True)
    train(federation(), **{**often, "rounds": 7}, out=tmp_path / "long")
    assert record_of(tmp_path / "run") == record_of(tmp_path / "long")
    train(federation(), **often, out=tmp_path / "run", overwrite=True)
    assert [r["round"] for r in record.read_rows(tmp_path / "run")] == list(range(SHORT["rounds"] + 1))
    (tmp_path / "run" / "thesis.tex").touch()
    for options, words in (
        ({}, "^out: .*or add resume=True or overwrite=True"),
        ({"overwrite": True}, "^overwrite: .*thesis.tex is none of its files"),
        ({"overwrite": True, "resume": True}, "either this or resume=True"),
    ):
        with pytest.raises(BadInput, match=words):
            train(federation(), **often, out=tmp_path / "run", **options)


def test_a_run_of_a_federation_is_resumed_from_the_command_line_only_with_its_file(tmp_path, capsys):
    train(federation(), **SHORT, out=tmp_path / "run")
    resume = ["run", "--resume", "--out", str(tmp_path / "run")]
    assert "fps.train(federation" in refusal(capsys, *resume)
    file = tmp_path / "mine.py"
    file.write_text("from property_tests.support.own_models import federation\n")
    assert main([*resume, "--problem", f"{file}:federation"]) == 0
    assert "/run was already finished" in capsys.readouterr().err
    assert "leave out --resume" in refusal(capsys, "run", "--resume", "--out", str(tmp_path / "none"))
    with pytest.raises(BadInput, match="'own' for data and objective"):
        fps.load_config(ROOT / "examples" / "demo.toml", ["problem.data=own"])


def test_an_estimate_takes_the_run_and_its_federation(tmp_path):
    """What is stored needs no federation again, and is not given out for another one."""
    often, quick = ["record.checkpoint_every=2"], {"replicates": 8, "rounds": 3}
    done = train(federation(), **{**SHORT, "rounds": 12}, verify=True, set=often, out=tmp_path / "run")
    answer = fps.estimate(done, **quick)
    assert answer.values["run"]["d"] == done.federation.d and "smoothness" in str(answer)
    assert answer.values["constants"]["L"]["estimate"] > 0 and len(repr(answer)) < 80
    assert fps.estimate(tmp_path / "run", **quick).values == answer.values
    with pytest.raises(BadInput, match="another loss"):
        fps.estimate(tmp_path / "run", OTHERS["loss"](), **quick)
    with pytest.raises(BadInput, match="fps.estimate.folder, federation. in Python"):
        fps.estimate(tmp_path / "run", replicates=8)


def test_a_model_with_few_weights_is_estimated_and_its_power_law_is_not_fitted(tmp_path: Path) -> None:
    X = torch.randn(40, 3, generator=torch.Generator().manual_seed(1))
    small = fps.Federation(
        nn.Linear(3, 1), nn.MSELoss(), (X, X @ torch.ones(3, 1)), parts=[range(20), range(20, 40)]
    )
    trained = train(
        small,
        out=tmp_path / "run",
        **SHORT | {"rounds": 12, "sketch": (3, 8, 4)},
        set=["record.checkpoint_every=1"],
    )
    found = fps.estimate(trained, replicates=8).values
    law = next(each for each in found["assumptions"] if each["name"] == "4 power law")
    assert "p" not in found["constants"] and found["details"]["power_law"]["gradient"] is None
    assert law["verdict"] == "fails" and "p-value" not in law["measured"]


def test_the_default_sketch_of_a_small_model_reads_out_all_of_it() -> None:
    small = federation()
    assert small.d < 200 and training.run_config(small).algorithm.k == small.d
    assert training.sections({"sketch": "default"}, 1000)["algorithm"]["k"] == 200


@pytest.mark.parametrize("terminal", [True, False])
def test_a_terminal_and_a_log_are_told_what_is_done(monkeypatch: pytest.MonkeyPatch, terminal: bool) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: terminal)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    train(federation(), **SHORT)
    assert ("round 4 of 4" in screen.getvalue()) == terminal
    if not terminal:
        assert screen.getvalue().splitlines() == ["preparing the first round", "training"]
    train(federation(), **SHORT, progress=lambda row: None)
    assert screen.getvalue().count("preparing") == 1


def test_a_saved_notebook_holds_one_output_of_progress_and_nothing_on_standard_error(monkeypatch, capsys):
    outputs: list[list[str]] = []

    class Output:
        def __init__(self, bundle, raw, display_id):
            outputs.append([bundle["text/plain"]])

        def update(self, bundle, raw):
            outputs[-1].append(bundle["text/plain"])

    fake = SimpleNamespace(display=Output)
    for name, module in (("ipykernel", object()), ("IPython", fake), ("IPython.display", fake)):
        monkeypatch.setitem(sys.modules, name, module)
    train(federation(), **SHORT)
    assert len(outputs) == 1 and outputs[0][-1].endswith("training: round 4 of 4")
    assert capsys.readouterr().err == ""


def test_a_figure_shows_itself_and_a_result_is_a_table_of_a_paper():
    done = train(federation(), **SHORT)
    assert done.plot()._repr_png_()[:4] == b"\x89PNG" and federation().plot()._repr_png_()[:4] == b"\x89PNG"
    table = done.to_latex()
    assert table.startswith("\\begin{tabular}{lr}\n") and "tied scores & " in table and "\\%" in table
    assert "| tied scores | " in done.to_markdown() and "w̄" not in table


def test_weights_are_shares_of_the_mean():
    f = federation()
    X, y, W = f.X[:6][None], f.y[:6][None], f.start[None]
    weights = torch.tensor([[2.0, 0, 1, 0, 0, 1]])
    each = torch.stack([f.objective.loss(W, X[:, i : i + 1], y[:, i : i + 1])[0] for i in range(6)])
    torch.testing.assert_close(f.objective.loss(W, X, y, weights)[0], (each * weights[0]).sum() / 4)
    assert float(f.objective.loss(W, X, y, torch.zeros(1, 6))[0]) == 0


def test_the_picture_cuts_each_device_into_its_classes() -> None:
    f = federation()
    bars = f.plot().axes[0].containers
    assert len(bars) == len(f.y.unique()) == 3
    assert [sum(bar[m].get_height() for bar in bars) for m in range(f.M)] == list(f.sizes)
    assert len(federation(loss=nn.MSELoss(), datasets=numbers(1.0), test=None).plot().axes[0].containers) == 1


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_a_sum_over_rows_is_told_from_a_mean_at_any_size_of_the_loss(size: float) -> None:
    mean, total = (lambda o, t: size * ((o - t) ** 2).mean()), (lambda o, t: size * ((o - t) ** 2).sum())
    federation(loss=mean, datasets=numbers(1.0), test=None)
    with pytest.raises(BadInput, match="plain mean over rows"):
        federation(loss=total, datasets=numbers(1.0), test=None)


def numbers(size: float) -> list:
    """Regression targets of three outputs."""
    _, inputs = made("tanh")
    return per_device(inputs, size * torch.randn(len(inputs), 3, dtype=inputs.dtype))


def test_a_fresh_sketch_has_two_sizes_a_default_and_no_k():
    def algorithm(**given):
        return training.run_config(federation(), algorithm="fresh", **given).algorithm

    d = federation().d
    assert (algorithm(sketch=(2, 7)).rows, algorithm(sketch=(2, 7)).buckets) == (2, 7)
    assert (algorithm().rows, algorithm().buckets, algorithm().compressor) == (1, min(400, d), "fold")
    assert algorithm(sketch=None).compressor == "identity"
    with pytest.raises(BadInput, match=r"algorithm.k\): got 9, expected unset with fresh"):
        algorithm(sketch=(2, 7, 9))
    with pytest.raises(BadInput, match=r"^sketch: got \(2,\), expected \(rows, buckets\)"):
        algorithm(sketch=(2,))
