"""A whole round of FPS against what a user would write, and of fresh hashes against FedAvg and FPS:
`python -m benchmarks.run --only round`.

784-128-10 (d = 101,770), 10 devices, 5 local steps of 32 rows, sketches of 5 x 4000, k = 2000. The stand-in
is written for this comparison: local steps by autograd, device by device, and the sketch of
benchmarks/standin.py. Ours draws its mini-batches, sends over the channel
and records the round, as `fpsverify run` does. One thread, process time, tuned malloc for everyone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from torch.nn.utils import parameters_to_vector, vector_to_parameters

from benchmarks.cases import Row
from benchmarks.interleave import Work, interleaved_times, ratio
from benchmarks.standin import StoredTableSketch
from fpsverify.algorithms.compressor import Compressor
from fpsverify.config import RunConfig
from fpsverify.local import local_updates
from fpsverify.problems.problem import DenseProblem, sample_rows
from fpsverify.runs.loop import prepare, rounds
from fpsverify.sketch.hash import SketchSpec
from fpsverify.vectors import DenseUpdates

WITHOUT = {
    "rounds": 10**6,
    "problem": {"objective": "mlp", "features": 784, "samples": 4000},
    "local": {"E": 5, "batch": 32, "gamma": 0.01, "mu": 0.01},
    "channel": {"kind": "ideal"},
    "record": {"evaluate_every": 10**6},
}
CONFIG = RunConfig.model_validate({**WITHOUT, "algorithm": {"rows": 5, "buckets": 4000, "k": 2000}})
# (contender, compared with, target): at most so much of its time.
TARGETS = (
    ("ours", "plain torch", 0.28),
    ("ours, verify", "ours", 2.2),
)
FRESH_TARGETS = {"fedavg": 1.2, "fps": 1.0}
DECODE_TARGETS = {"fold": 1.0, "count_sketch": 1.5}
# Updates of ours and of the stand-ins: 5 steps in float32, each summed in another order over 784 features.
AGREEMENT = 1e-4


def network() -> nn.Sequential:
    return nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10))


@dataclass
class PlainTorch:
    """A loop over devices and steps, with autograd; the sketches of all devices, the model read from them."""

    problem: DenseProblem
    w0: Tensor

    def __post_init__(self) -> None:
        options = CONFIG.algorithm
        spec = SketchSpec(options.rows, options.buckets, self.problem.d, 7)
        self.sketch, self.w, self.t = StoredTableSketch(spec), self.w0, 0
        self.model = network()
        self.tables = torch.zeros(self.problem.M, options.rows, options.buckets)
        self.shards = [torch.from_numpy(shard) for shard in self.problem.shards]

    def rows(self, t: int, e: int) -> Tensor:
        """The mini-batches of all devices, (M, 32)."""
        drawn = sample_rows(self.problem.sizes, CONFIG.local, self.problem.seed, t, e)
        return torch.stack([s[torch.from_numpy(r)] for s, r in zip(self.shards, drawn, strict=True)])

    def finish(self, updates: list[Tensor]) -> None:
        self.tables += torch.stack([self.sketch.dense(update) for update in updates])
        indices, values = self.sketch.unsketch(self.tables.mean(dim=0), CONFIG.algorithm.k)
        self.w = self.w0.clone()
        self.w[indices] += values

    def updates(self, w: Tensor, t: int) -> list[Tensor]:
        batches = [self.rows(t, e) for e in range(CONFIG.local.E)]
        return [self.train(w, [batch[m] for batch in batches]) for m in range(self.problem.M)]

    def train(self, w: Tensor, batches: list[Tensor]) -> Tensor:
        model, local = self.model, CONFIG.local
        vector_to_parameters(w.clone(), model.parameters())
        start = [p.detach().clone() for p in model.parameters()]
        for at in batches:
            loss = cross_entropy(model(self.problem.X[at]), self.problem.y[at])
            gradients = torch.autograd.grad(loss, list(model.parameters()))
            with torch.no_grad():
                for p, g, p0 in zip(model.parameters(), gradients, start, strict=True):
                    p.sub_(local.gamma * (g + local.mu * (p - p0)))
        return parameters_to_vector(model.parameters()).detach() - w

    def round(self) -> None:
        self.t += 1
        self.finish(self.updates(self.w, self.t))


def our_rounds(config: RunConfig) -> Iterator[Any]:
    algorithm, setup, _ = prepare(config)
    return rounds(algorithm, setup, algorithm.init(setup), 1)


def contenders() -> dict[str, Work]:
    problem = prepare(CONFIG)[1].problem
    assert isinstance(problem, DenseProblem)
    plain = PlainTorch(problem, problem.start)
    require_same_updates(problem, plain)
    verify = CONFIG.model_copy(update={"record": CONFIG.record.model_copy(update={"verify": True})})
    return {
        "ours": partial(next, our_rounds(CONFIG)),
        "ours, verify": partial(next, our_rounds(verify)),
        "plain torch": plain.round,
    }


def require_same_updates(problem: DenseProblem, other: PlainTorch) -> None:
    ours = local_updates(problem, problem.start, CONFIG.local, 1)
    values = ours.values  # type: ignore[union-attr]
    seen = torch.stack(other.updates(problem.start, 1))
    if float((values - seen).abs().max()) > AGREEMENT * float(values.abs().max()):
        raise SystemExit("the contenders do not take the same local steps")


def fresh_round_rows() -> list[Row]:
    """Fresh hashes that send 500 numbers; then reading a table out against sketching, the hash at hand."""
    named = {
        "fps": CONFIG,
        "fedavg": RunConfig.model_validate({**WITHOUT, "algorithm": {"name": "fedavg"}}),
        "fresh": RunConfig.model_validate({**WITHOUT, "algorithm": {"name": "fresh", "buckets": 500}}),
    }
    times = interleaved_times({name: partial(next, our_rounds(config)) for name, config in named.items()})
    rows = []
    for name, limit in FRESH_TARGETS.items():
        cost = ratio(times["fresh"], times[name])
        rows.append(Row("round of fresh hashes", f"fresh / {name}", cost, limit, at_most=True))
    for kind, limit in DECODE_TARGETS.items():
        draw = Compressor(kind, 1, 500, 101_770, 7).draw(1)
        x = DenseUpdates(torch.randn(1, 101_770, generator=torch.Generator().manual_seed(4)))
        table = draw.encode(x)[0]
        times = interleaved_times({"encode": partial(draw.encode, x), "decode": partial(draw.decode, table)})
        cost = ratio(times["decode"], times["encode"])
        rows.append(Row(f"{kind}, d=1e5 m=500", "decode / dense update", cost, limit, at_most=True))
    return rows


def whole_round_rows() -> list[Row]:
    times = interleaved_times(contenders())
    operation = "round of 784-128-10, M=10, E=5"
    return [
        Row(operation, f"{name} / {other}", ratio(times[name], times[other]), target, at_most=True)
        for name, other, target in TARGETS
    ]
