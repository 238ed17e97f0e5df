"""The pictures of the first pages, made from runs of the code and from stored results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import matplotlib as mpl
import torch
from torch import Tensor, nn

import fpsverify as fps
from theory.counterexamples.exact_runs import KEPT_FROM_ZERO
from theory.rates.fresh_sketch import FreshSketch

from . import results
from .charts import LETTERS, SIZE, STYLE, Axis, Series, figure, inline, line_chart, shade
from .show import table

GAMMA, ROUNDS = Fraction(1, 4), 60
METHODS = {  # of `numbers_sent`: the role of its line
    "fresh with memory": "safe",
    "fresh": "proved",
    "Top-k": "topk",
    "BLCD": "blcd",
    "FetchSGD": "fetchsgd",
    "FPS": "fps",
    "FPS as printed": "paper",
}


def kept() -> list[tuple[float, float]]:
    """The broadcasts of entry T1.39's run, at a larger learning rate: two devices, one number a round."""
    shown = replace(KEPT_FROM_ZERO.parameters, gamma=GAMMA, T=ROUNDS)
    steps = replace(KEPT_FROM_ZERO, parameters=shown).refutation.run.steps
    return [tuple(float(x) for x in step.iterate) for step in steps if step.device == 0]  # type: ignore[misc]


class Pull(nn.Module):
    """½(w_m − 1)² on a device whose rows say m: each device wants one coordinate."""

    def __init__(self, d: int) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.zeros(d))

    def forward(self, rows: Tensor) -> Tensor:
        return rows @ self.w


def halved_square(output: Tensor, target: Tensor) -> Tensor:
    return (output - target).square().mean() / 2


def quiet(row: object) -> None:
    """Nobody watches the runs of a picture."""


def fresh() -> list[tuple[float, float]]:
    """The same two devices and one number a round, with signs that are drawn anew."""
    rows, wanted = torch.eye(2), torch.ones(2)
    devices = fps.Federation(Pull(2), halved_square, [(rows[m : m + 1], wanted[m : m + 1]) for m in (0, 1)])
    path = []
    for T in range(1, ROUNDS + 1):
        setting: dict[str, Any] = {"rounds": T, "E": 1, "batch": 0, "gamma": float(GAMMA), "seed": 3}
        found = fps.train(devices, algorithm="fresh", sketch=(1, 1), progress=quiet, **setting)
        path.append(tuple(found.module().w.tolist()))
    return [(0.0, 0.0), *path]


def corners() -> str:
    """FPS jumps between two corners for ever; the fresh sketch walks to the minimiser."""
    drawn, _ = figure(3.4)
    drawn.clear()
    with mpl.rc_context(STYLE):
        places = drawn.subplots(1, 2, sharex=True, sharey=True)
    for axes, path, role, name in (
        (places[0], kept(), "fps", "FPS: one hash for ever"),
        (places[1], fresh(), "safe", "a fresh hash in every round"),
    ):
        axes.plot(*zip(*path, strict=True), color=shade(role), lw=0.5, marker="o", ms=3.5, alpha=0.5)
        for end in path[-2:]:
            axes.plot(*end, "o", ms=10, color=shade(role))
        axes.plot(1, 1, "*", ms=15, color=shade("condition"), zorder=1 if role == "fps" else 3)
        axes.annotate("minimiser", (1, 1), (1.12, 1.1), color=shade("condition"), size=SIZE)
        axes.annotate("start", (0, 0), (0.06, 0.06), color=LETTERS, size=SIZE)
        axes.set(xlim=(-0.15, 2.2), ylim=(-0.15, 2.2), xticks=(0, 1, 2), yticks=(0, 1, 2), aspect="equal")
        axes.set_title(name, fontsize=SIZE)
    drawn.set_layout_engine("constrained")
    caption = (
        "Two devices train two weights, and each wants one of them to be 1. Left: FPS broadcasts the larger "
        f"weight (its sketch loses nothing else here). After {ROUNDS} rounds it jumps between two corners "
        "for ever. Right: one number a round over a fresh hash, and the model walks to the minimiser."
    )
    return inline(drawn, caption, "fps-hero")


def floors(d: int = 64, m: int = 16, rounds: int = 60) -> str:
    """Distance to the minimiser of a quadratic: a kept hash never sees what lies in its null space."""
    series = []
    for name, role, setting, at in (
        ("one hash for ever (FPS, everything read out)", "fps", {"sketch": (1, m, d)}, 12),
        ("a fresh hash in every round", "safe", {"algorithm": "fresh", "sketch": (1, m)}, 20),
        ("no sketch", "neutral", {"sketch": None}, 6),
    ):
        losses = _losses(d, rounds, setting)
        series.append(Series(name, list(range(len(losses))), losses, role, label_at=at))
    caption = (
        f"A quadratic with {d} weights, {m} numbers a round. What lies in the null space of the one hash is "
        "never corrected, so the loss stops there. With fresh hashes every direction is seen sooner or later."
    )
    return line_chart(series, Axis("round"), Axis("loss", log=True, low=1e-4), caption)


def _losses(d: int, rounds: int, setting: dict[str, Any]) -> list[float]:
    generator = torch.Generator().manual_seed(5)
    wanted = torch.randn(d, generator=generator)
    rows = torch.eye(d) * d**0.5
    devices = fps.Federation(Pull(d), halved_square, [(rows, wanted * d**0.5)])
    gamma = 0.2 if setting.get("sketch") else 0.5
    found = fps.train(
        devices, rounds=rounds, E=1, batch=0, gamma=gamma, verify=True, seed=1, progress=quiet, **setting
    )
    return [float(x) for x in found.to_frame()["loss"]]


@dataclass(frozen=True)
class Cell:
    """One method on one channel with m numbers: accuracies of all seeds."""

    data: str
    channel: str
    method: str
    m: int
    gamma: float
    accuracy: tuple[float, ...]
    averaged: tuple[float, ...]
    downlink: int

    @property
    def mean(self) -> float:
        return sum(self.accuracy) / len(self.accuracy)

    @property
    def spread(self) -> float:
        return max(self.accuracy) - min(self.accuracy)


def sent(data: str, channel: str = "ideal") -> list[Cell]:
    """The stored cells of a data set."""
    found = results.load("numbers_sent")["cells"]
    cells = [Cell(**each | {k: tuple(each[k]) for k in ("accuracy", "averaged")}) for each in found]
    return [each for each in cells if (each.data, each.channel) == (data, channel)]


def reached(data: str, method: str, m: int, channel: str = "ideal") -> Cell:
    """One of them."""
    return next(each for each in sent(data, channel) if (each.method, each.m) == (method, m))


def numbers_sent(data: str, title: str, downlink: bool = False) -> str:
    """Accuracy against the numbers that a device sends (or hears) in a round."""
    cells = sent(data)
    series = [_line(cells, method, role, downlink) for method, role in METHODS.items()]
    whole = next(each for each in cells if each.method == "FedAvg")
    way = "hears" if downlink else "sends"
    caption = f"{title} Test accuracy after {results.load('numbers_sent')['rounds']} rounds."
    return line_chart(
        series,
        Axis(f"numbers that a device {way} in a round", log=True),
        Axis("test accuracy, %"),
        caption,
        [(f"no sketch: {whole.m:,} numbers", 100 * whole.mean)],
    )


def _line(cells: Sequence[Cell], method: str, role: str, downlink: bool) -> Series:
    found = sorted((each for each in cells if each.method == method), key=lambda each: each.m)
    x = [each.downlink if downlink else each.m for each in found]
    return Series(method, x, [100 * each.mean for each in found], role)


def price(d: int = 100_000) -> str:
    """The largest certified rate at E = 1 against the numbers sent, for curvatures of different trace."""
    sizes = [2**k for k in range(3, 18)]
    series = []
    for trace, role, at in ((5, "series1", 1), (40, "series4", 3), (400, "series3", 6), (d, "series2", 9)):
        ends = [2 / (1 + FreshSketch(1, m, d, Fraction(1), Fraction(trace)).omega_L) for m in sizes]
        name = f"tr H = {trace:,} L" if trace < d else "all directions equally steep"
        series.append(Series(name, sizes, [float(end) for end in ends], role, label_at=at))
    caption = (
        f"The largest certified learning rate for {d:,} weights, one local step, exact gradients, times L. "
        "The trace of the curvature decides, not the number of weights."
    )
    return line_chart(
        series, Axis("numbers that a device sends in a round", log=True), Axis("largest Lγ"), caption
    )


def noisy_table(data: str) -> str:
    """Every method over the noisy channel, at equal power."""
    cells = sent(data, "0 dB")
    sizes = sorted({each.m for each in cells if each.method != "FedAvg"})
    rows = []
    for method in (*METHODS, "FedAvg"):
        found = {each.m: each for each in cells if each.method == method}
        shown = [f"{100 * found[m].mean:.1f}" if m in found else "" for m in (*sizes, *_whole(cells))]
        rows.append([method, *shown])
    header = ["0 dB, equal power", *(f"{m:,} numbers" for m in (*sizes, *_whole(cells)))]
    return table(header, rows, "fps-numbers")


def _whole(cells: Sequence[Cell]) -> list[int]:
    return [each.m for each in cells if each.method == "FedAvg"]
