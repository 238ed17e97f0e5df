"""`train`: a federation through the round loop, with the same run folder as a run from a config file.

Arguments from Python that no config takes are refused in one line that names the argument.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from difflib import get_close_matches
from inspect import signature
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from torch import Tensor, nn

from fpsverify import algorithms, tabular
from fpsverify import config as configs
from fpsverify.algorithms import Setup
from fpsverify.config import RunConfig
from fpsverify.errors import BadInput, RunFailed
from fpsverify.files import write_text
from fpsverify.own.federation import Federation
from fpsverify.report import page
from fpsverify.runs import shown
from fpsverify.runs.folder import agreed_config
from fpsverify.runs.loop import Progress, RunResult, run, run_in_memory
from fpsverify.runs.record import Row
from fpsverify.runs.tensorboard import logged
from fpsverify.status import demand_callable, status
from fpsverify.vectors import SparseVector, Vector


def settings(set: Any) -> list[str]:
    """The keys of a config beside the arguments, after checking that they are a list of texts."""
    if isinstance(set, str):
        raise BadInput("set", set, f"a list: set=[{set!r}]")
    if not isinstance(set, (list, tuple)) or not all(isinstance(item, str) for item in set):
        raise BadInput("set", set, 'a list of texts, for example set=["record.checkpoint_every=10"]')
    return list(set)


def in_python(error: BadInput, given: dict[str, Any]) -> BadInput:
    """The same with the name of the argument before that of the key of the config."""
    section, _, key = error.field.partition(".")
    names = {"algorithm.name": "algorithm", "algorithm": "sketch", "channel": "channel", "--out": "out"}
    name = names.get(error.field) or names.get(section) or key
    field = f"{name} ({error.field})" if name in given else error.field
    return BadInput(field, error.value, error.expected)


@contextmanager
def named_in_python() -> Iterator[None]:
    """A run that fails names the learning rate as the argument and as the key of a config."""
    try:
        yield
    except RunFailed as error:
        raise RunFailed(str(error).replace("local.gamma", "gamma (local.gamma)")) from None


def demand_federation(x: Any, field: str, right: str) -> None:
    if not isinstance(x, Federation):
        raise BadInput(field, type(x).__name__, right)


def plain(value: Any, name: str) -> Any:
    """The number in an array or tensor without places; one with places is no value of an argument."""
    if not isinstance(value, (np.generic, np.ndarray, Tensor)):
        return value
    if value.ndim > 0:
        raise BadInput(
            name, f"{type(value).__name__} of shape {tuple(value.shape)}", "one value, not an array"
        )
    return value.item()


def demand_rate(gamma: Any) -> None:
    if gamma is None:
        raise BadInput("gamma", None, "a number; advise recommended none: see advice.summary()")
    if not isinstance(gamma, (int, float, str)):
        raise BadInput("gamma", type(gamma).__name__, "one number, for example advice.gamma")


Sketch = tuple[int, int] | tuple[int, int, int]


@dataclass(frozen=True, repr=False)
class Trained:
    """A finished run: `rows` has one dictionary per round, `figures` what summary.json holds."""

    federation: Federation
    result: RunResult

    @property
    def config(self) -> RunConfig:
        return self.result.config

    @property
    def rows(self) -> list[Row]:
        return self.result.rows

    @property
    def figures(self) -> dict[str, Any]:
        return self.result.summary

    @property
    def folder(self) -> Path | None:
        return self.result.folder

    @property
    def w(self) -> Tensor:
        """The model that the server broadcast last, as one vector."""
        problem = self.federation.problem(self.config.seed)
        setup = Setup(self.config, problem, self.federation.dtype, self.federation.device)
        return _dense(algorithms.find(self.config.algorithm.name).model(setup, self.result.state))

    @property
    def averaged(self) -> Tensor:
        """The mean of the models that the server broadcast (`average`), as one vector."""
        if self.result.averaged is None:
            raise BadInput("average", self.config.record.average, "'last_half' or 'exponential' in train()")
        return _dense(self.result.averaged)

    def module(self, averaged: bool = False) -> nn.Module:
        """A trained copy of the module that the federation was made with: the last broadcast, or the mean."""
        return self.federation.module(self.averaged if averaged else self.w)

    def summary(self) -> str:
        """The run in words and numbers, 80 columns wide."""
        return shown.render(self.result)

    def to_frame(self) -> Any:
        """One row per round, as a pandas DataFrame."""
        return shown.frame(self.rows)

    def to_markdown(self) -> str:
        """What the run ended with, as a table for a README."""
        return tabular.markdown(("", self.config.algorithm.name), self._measured())

    def to_latex(self) -> str:
        """The same for a paper."""
        return tabular.latex(("", self.config.algorithm.name), self._measured())

    def _measured(self) -> list[tuple[str, str]]:
        """The figures at the end, the user's own metrics last."""
        final, own = self.figures["final"], self.federation.own_metrics
        kinds = [f"{kind}{name}" for name in own for kind in ("", "train_") if f"{kind}{name}" in final]
        mine = [(name.replace("_", " "), f"{final[name]:.4g}") for name in kinds]
        return [*shown.figures(self.figures), *mine]

    def plot(self) -> Any:
        """Loss and accuracy over the rounds, as a matplotlib figure."""
        return shown.picture(self.rows)

    def report(self, path: str | Path | None = None, estimate: Any = None) -> Path:
        """One HTML file about the run, by default in its folder; with what `fps.estimate` found, if given."""
        if path is None and self.folder is None:
            raise BadInput("path", None, "a file, since this run has no folder")
        out = Path(path) if path is not None else Path(str(self.folder)) / "report.html"
        found = getattr(estimate, "values", None)
        write_text(out, page.render(self.rows, self.figures, self.config.to_toml(), found))
        return out

    def _repr_html_(self) -> str:
        return shown.html(self.result)

    def __repr__(self) -> str:
        told = shown.in_brief(self.result)
        where = [] if self.folder is None else [str(self.folder)]
        warned = shown.ended_above_start(self.rows)
        return f"Trained({', '.join([f'{self.config.rounds} rounds', *warned, *told, *where])})"


def _dense(v: Vector) -> Tensor:
    return v.dense() if isinstance(v, SparseVector) else v


def train(
    federation: Federation,
    *,
    rounds: int = 100,
    E: int = 5,
    gamma: float = 0.01,
    mu: float = 0.0,
    batch: int = 32,
    sketch: Sketch | str | None = "default",
    channel: float | dict[str, Any] | None = None,
    algorithm: str = "fps",
    seed: int = 1,
    out: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    verify: bool = False,
    participation: float | None = None,
    average: str | None = "last_half",
    set: Sequence[str] = (),
    progress: Progress | None = None,
    tensorboard: bool = False,
    **unknown: Any,
) -> Trained:
    """Train a federation, by default with Federated Proximal Sketching.

    rounds, E    communication rounds, and local steps of each device in a round
    gamma, mu    learning rate, and weight of the proximal term
    batch        rows in a mini-batch; 0 takes all rows of the device
    sketch       with algorithm="fresh": (rows, buckets), by default one row of 400; else
                 (rows, buckets, k) of the count sketch, read out by the mean of its rows, which trains
                 networks better than the paper's median (set=["algorithm.recovery=median"]);
                 "default" is (5, 400, 200), with k = d for a smaller model; None sends whole vectors
    channel      None: ideal; a number: standard deviation of Gaussian noise; or a dict of channel keys,
                 for example {"kind": "rayleigh", "sigma": 0.1}
    algorithm    fps, fresh, fedavg, fedprox, scaffold, fetchsgd, blcd, topk or mission
    out          the run folder (None: nothing is written); with resume=True a run in it goes on, also for
                 more rounds than it was begun with; with overwrite=True another run in it makes way
    verify       record ‖∇f‖², the exact v_t and the residual of the sketch in every round
    participation  devices that take part in a round: a share of them up to 1, or a number; None: all
    average      evaluate the mean of the broadcasts, too: "last_half" or "exponential" of the rounds, or None
    set          any other key of a config, for example ["record.checkpoint_every=10"]
    progress     a callback: a function of the row of each round; without it, standard error is told
    tensorboard  also write out/tensorboard (needs `pip install fpsverify[tensorboard]`)
    """
    config = run_config(
        federation,
        rounds=rounds,
        E=E,
        gamma=gamma,
        mu=mu,
        batch=batch,
        sketch=sketch,
        channel=channel,
        algorithm=algorithm,
        seed=seed,
        verify=verify,
        participation=participation,
        average=average,
        set=set,
        **unknown,
    )
    if out is None:
        asked = {"resume": resume, "overwrite": overwrite, "tensorboard": tensorboard}
        asked = {name: value is not False for name, value in asked.items()}
        if any(asked.values()):
            name = next(name for name in asked if asked[name])
            raise BadInput(name, True, "out= with the folder of the run")
        with _shown(progress, rounds) as show:
            return Trained(federation, run_in_memory(config, show, federation=federation))
    if not isinstance(out, (str, PathLike)):
        raise BadInput("out", out, "the name of a folder")
    folder = Path(out)
    _demand_place(federation, config, folder, resume, overwrite)
    with _shown(progress, rounds) as show, logged(folder, show) if tensorboard else nullcontext(show) as each:
        made = run(config, folder, resume, each, federation=federation, overwrite=overwrite)
        return Trained(federation, made)


@contextmanager
def _shown(progress: Progress | None, rounds: int) -> Iterator[Progress]:
    with named_in_python(), _told(progress, rounds) as show:
        yield show


@contextmanager
def _told(progress: Progress | None, rounds: int) -> Iterator[Progress]:
    if progress is not None:
        demand_callable(progress)
        yield progress
        return
    with status(None) as say:
        say("preparing the first round")
        yield lambda row: say(f"training: round {row['round']} of {rounds}")


def run_config(federation: Federation, *, set: Sequence[str] = (), **given: Any) -> RunConfig:
    """The config of a run of this federation; what is not given is as in `train`."""
    demand_federation(federation, "federation", "a fps.Federation")
    for name in given:
        _demand_known(name)
    given = {name: plain(value, name) for name, value in given.items()}
    demand_rate(given.get("gamma", 0.0))
    values = {
        "dtype": str(federation.dtype).removeprefix("torch."),
        "device": str(federation.device),
        "problem": {"data": "own", "objective": "own", "federation": federation.identity},
        **sections(_DEFAULTS | given, federation.d),
        "devices": {"M": federation.M, "participation": given.get("participation")},
    }
    try:
        config = configs.parse(configs.apply_overrides(values, settings(set)))
    except BadInput as error:
        raise in_python(error, given) from None
    _demand_its_own(federation, config)
    return config


PLAIN_STEP = "none: devices make plain steps w ← w − γg (Algorithm 1); no theorem here covers another step"
MEANT = {
    **dict.fromkeys(("lr", "learning_rate", "step_size", "eta"), "gamma"),
    **dict.fromkeys(("batch_size", "minibatch"), "batch"),
    **dict.fromkeys(("epochs", "local_epochs"), 'E, with set=["local.unit=epochs"]'),
    **dict.fromkeys(("local_steps", "steps"), "E"),
    **dict.fromkeys(("noise", "sigma", "snr"), "channel"),
    **dict.fromkeys(("callback", "callbacks"), "progress, which is called with the row of each round"),
    **dict.fromkeys(("weight_decay", "l2"), "weight_decay of fps.Federation: it is a term of the loss"),
    **dict.fromkeys(("momentum", "optimizer", "optimiser", "scheduler", "nesterov"), PLAIN_STEP),
    "metrics": "metrics of fps.Federation",
    "folder": "out",
    "mu_prox": "mu",
    "T": "rounds",
}


def _demand_known(name: str) -> None:
    known = [one for one in signature(train).parameters if one != "unknown"]
    if name not in known:
        near = MEANT.get(name) or next(iter(get_close_matches(name, known, 1)), None)
        raise BadInput(name, "no option of train", near or f"one of {', '.join(known[1:])}")


def _demand_its_own(federation: Federation, config: RunConfig) -> None:
    """The federation decides where, how precisely and with how many devices it trains."""
    own = {
        "device": (config.device, str(federation.device), "where its module is; move it before"),
        "dtype": (
            config.dtype,
            str(federation.dtype).removeprefix("torch."),
            "as its module; convert it before",
        ),
        "devices.M": (config.devices.M, federation.M, "the devices of the federation"),
    }
    for field, (asked, there, why) in own.items():
        if asked != there:
            raise BadInput(field, asked, f"{there}, {why}")


_DEFAULTS: dict[str, Any] = {"E": 5, "batch": 32, "sketch": "default", "channel": None}


def sections(given: dict[str, Any], d: int | None = None) -> dict[str, Any]:
    """The arguments of `train` as sections of a config; only those that are given."""

    def only(*names: str) -> dict[str, Any]:
        return {name: given[name] for name in names if name in given}

    algorithm = {"name": given["algorithm"]} if "algorithm" in given else {}
    if isinstance(given.get("algorithm"), str):
        algorithms.find(given["algorithm"])  # before the sketch, whose shape depends on it
    if "sketch" in given:
        sketch = _fresh_sketch if given.get("algorithm") == "fresh" else _sketch
        algorithm |= sketch(given["sketch"], d)
    parts = {
        "devices": {} if given.get("participation") is None else only("participation"),
        "local": only("E", "gamma", "mu", "batch"),
        "algorithm": algorithm,
        "channel": _channel(given["channel"]) if "channel" in given else {},
        "record": only("verify", "average"),
    }
    return only("seed", "rounds") | {name: part for name, part in parts.items() if part}


def _fresh_sketch(sketch: Sketch | str | None, d: int | None) -> dict[str, Any]:
    """A fresh sketch has no k, because all coordinates are read out; the config refuses one that is given."""
    if sketch is None:
        return {"compressor": "identity"}
    if isinstance(sketch, str) and sketch == "default":
        return {"buckets": min(400, d or 400)}
    if not isinstance(sketch, (tuple, list)) or len(sketch) not in (2, 3):
        raise BadInput("sketch", sketch, "(rows, buckets) with fresh, 'default', or None")
    return dict(zip(("rows", "buckets", "k"), sketch, strict=False))


def _sketch(sketch: Sketch | str | None, d: int | None) -> dict[str, Any]:
    if sketch is None:
        return {"compressor": "identity", "k": d}
    if isinstance(sketch, str) and sketch == "default":
        sketch = 5, 400, min(200, d or 200)
    if not isinstance(sketch, (tuple, list)) or len(sketch) != 3:
        raise BadInput("sketch", sketch, "(rows, buckets, k), 'default' or None; fresh: (rows, buckets)")
    return {**dict(zip(("rows", "buckets", "k"), sketch, strict=True)), "recovery": "mean"}


def _channel(channel: float | dict[str, Any] | None) -> dict[str, Any]:
    if channel is None:
        return {"kind": "ideal"}
    if isinstance(channel, dict):
        return channel
    if isinstance(channel, bool) or not isinstance(channel, (int, float)):
        raise BadInput("channel", channel, "None, a standard deviation, or a dict of channel keys")
    return {"kind": "gaussian", "sigma": channel}


def _demand_place(federation: Federation, config: RunConfig, folder: Path, resume: bool, over: bool) -> None:
    """A folder that is free or may be used again; with `resume` it holds a run of the same federation."""
    if resume and (folder / "config.toml").exists():
        stored = configs.load(folder / "config.toml").problem
        if stored.data != "own":
            raise BadInput("out", str(folder), f"a run of a federation, not of {stored.data}")
        federation.demand(stored.federation, f"the run in {folder}")
    try:
        agreed_config(config, folder, resume, over)
    except BadInput as error:
        right = error.expected.replace("--resume", "resume=True").replace("--overwrite", "overwrite=True")
        raise BadInput(error.field.removeprefix("--"), error.value, right) from None
