"""A few numbers of every method of `fpsverify.methods`, and the record of what they were.

    python -m property_tests.suite.numbers_of_methods        record them anew, for raised versions

The record is `numbers_of_methods.json` beside this file: the numbers of each method, and the versions of all
methods that they rest on.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import torch

import fpsverify as fps
from fpsverify.channel import superpose
from fpsverify.methods import RUN, versions_of
from fpsverify.runs.loop import prepare, run_in_memory
from property_tests.support.small_runs import SPARSE, small, small_for

RECORD = Path(__file__).with_suffix(".json")
Numbers = list[float]
NAMES = ("fps", "mission", "fedavg", "fedprox", "fetchsgd", "blcd", "topk", "scaffold")


def quiet(text: str) -> None:
    """Nobody waits for these."""


def of_hash() -> Numbers:
    """Tables and read-outs of both rules, with a power of two of buckets and without."""
    numbers: Numbers = []
    for buckets in (8, 5):
        spec = fps.SketchSpec(2, buckets, 40, 7)
        sketch = fps.CountSketch.zeros(spec, dtype=torch.float64).add(torch.arange(40.0, dtype=torch.float64))
        numbers += sketch.table.flatten().tolist()
        for rule in ("median", "mean"):
            numbers += sketch.unsketch(4, rule=rule).values.tolist()
    return numbers


def of_data() -> Numbers:
    """Labels that every device holds, by scenario, and the first row of generated images and clicks."""
    numbers: Numbers = []
    for overrides in ((), ("devices.scenario=2",), SPARSE):
        problem = prepare(small(*overrides))[1].problem
        numbers += [float(len(shard)) for shard in problem.shards]
        numbers += [float(shard[0]) for shard in problem.shards]
    dense = prepare(small())[1].problem
    return numbers + dense.X[0].tolist()


def last_loss(*overrides: str) -> float:
    """After six rounds of the small run."""
    return float(run_in_memory(small(*overrides)).rows[-1]["loss"])


def of_local_step() -> Numbers:
    """Plain averaging without noise: what the devices' steps leave."""
    plain = ("algorithm.name=fedavg", "channel.sigma=0")
    models = (), ("local.mu=0.5",), ("problem.objective=mlp", "problem.hidden=4")
    return [last_loss(*plain, *model) for model in models]


def of_channel() -> Numbers:
    """What is received of two tables of ones, with noise alone and with fading."""
    numbers: Numbers = []
    tables = torch.ones(2, 3, 4, dtype=torch.float64)
    for kind in ("gaussian", "rayleigh"):
        channel = small(f"channel.kind={kind}").channel
        received = superpose(channel, tables, gamma=0.1, seed=3, t=1)
        numbers += received.table.flatten().tolist()
    return numbers


def of_algorithm() -> Numbers:
    """The last loss of a small run of each."""
    return [float(run_in_memory(small_for(name)).rows[-1]["loss"]) for name in NAMES]


def of_estimate() -> Numbers:
    """Constants of a small run, with their limits."""
    with TemporaryDirectory() as place:
        fps.run(small("rounds=12", "record.checkpoint_every=6"), Path(place) / "run")
        table = fps.estimate(Path(place) / "run", replicates=8, rounds=3, progress=quiet).to_frame()
    return [
        float(x)
        for x in table.loc[["L", "sigma2", "b2", "G2"], ["estimate", "low", "high"]].to_numpy().flatten()
    ]


def of_rates() -> Numbers:
    """Every form of the admissible range, without and with local steps."""
    from theory.rates.descent.certified import certified_range

    numbers: Numbers = []
    for q in (fps.Parameters(L=1.0), fps.Parameters(L=2.0, E=3, B=1.2, P_b=0.01)):
        numbers += [found.gamma_max or 0.0 for found in fps.ranges(q).values()]
        numbers.append(float(certified_range(q).gamma_max))
    return numbers


def of_advice() -> Numbers:
    """The recommended rate of two small problems."""
    return [
        fps.advise(small(*more), rounds=20, progress=quiet).gamma for more in ((), ("algorithm.name=fedavg",))
    ]


@dataclass(frozen=True)
class Sample:
    """How to get a few numbers of a method, and the methods that decide them."""

    numbers: Callable[[], Numbers]
    rests_on: tuple[str, ...]


ALL_OF_A_RUN = (*RUN, "estimate", "rates")
SAMPLES = {
    "hash": Sample(of_hash, ("hash",)),
    "local_step": Sample(of_local_step, ("local_step", "data")),
    "channel": Sample(of_channel, ("channel",)),
    "algorithm": Sample(of_algorithm, RUN),
    "data": Sample(of_data, ("data",)),
    "estimate": Sample(of_estimate, ALL_OF_A_RUN),
    "rates": Sample(of_rates, ("rates",)),
    "advice": Sample(of_advice, (*ALL_OF_A_RUN, "advice")),
}


def record() -> None:
    """Write the numbers of methods that rest on a raised version; the others stay."""
    kept = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    for name, sample in SAMPLES.items():
        versions = versions_of(sample.rests_on)
        if kept.get(name, {}).get("versions") != versions:
            kept[name] = {"versions": versions, "numbers": sample.numbers()}
    RECORD.write_text(json.dumps({name: kept[name] for name in SAMPLES}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    record()
