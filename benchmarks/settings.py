"""What a setting is worth: test accuracy of runs that differ in it alone, each at the γ of `advise`.

    python -m benchmarks.settings local_work | sketch_sizes | readout [--only TEXT] [--json FILE]

local_work      E = 1, 5, 20 local steps, with μ = 0 and with μ = 1/(γE), where γ is the rate advised for
                μ = 0: then the proximal term pulls a device back by about as much as it has moved
sketch_sizes    the mean of five rows, one local step: numbers sent and read out as shares of d; or all d
                numbers sent as they are, through the same noise
readout         mean or median of the rows, at the config's own γ

Two problems, the demo's network and MNIST with one class per device (the read-outs also on the paper's
shapes), three seeds each, all with the same number of rounds. A grid around the advised γ tells what another
γ would have reached: it is doubled upwards until its largest is not the best. An interrupted call goes on.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

import torch

from benchmarks.provenance import ROOT, made, why_old
from empirical.advice.advise import advise
from fpsverify import config as configs
from fpsverify.cli.run import DEMO
from fpsverify.config import RunConfig
from fpsverify.errors import BadInput, RunFailed
from fpsverify.files import write_text
from fpsverify.methods import METHODS
from fpsverify.problems.build import build
from fpsverify.reproduce.grid import make_cell
from fpsverify.runs.loop import run_in_memory

SEEDS = (101, 102, 103)
POWERS = (-2, -1, 1, 2)
EARLY = 20  # rounds; accuracies are kept there too
MNIST = ["problem.samples=6000", "rounds=150"]
SENT = (None, 0.02, 0.05, 0.2, 0.5, 1.0)  # numbers in a sketch, over d; None: all d numbers as they are
KEPT = (0.02, 0.1, 1 / 3, 1.0)  # k over d
COMPARED = (None, 0.2)  # at the best rate of each too
RULES = ("median", "mean")
Row = dict[str, Any]
Cell = tuple[str, Callable[[], Row]]


def cases() -> dict[str, RunConfig]:
    return {"demo": configs.parse(DEMO), "mnist": configs.load(ROOT / "examples" / "mnist.toml", MNIST)}


def changed(config: RunConfig, section: str, **values: Any) -> RunConfig:
    return config.model_copy(update={section: getattr(config, section).model_copy(update=values)})


def at_own_rate(config: RunConfig, grid: bool) -> Row:
    """The advised γ and its accuracies; the same at that γ times powers of 2."""
    gamma = advise(config).recommended
    if gamma is None:
        return {"gamma": None, "accuracy": [], "early": {}, "grid": []}
    own = at_rate(config, gamma)
    others = [at_rate(config, gamma * 2.0**j) for j in POWERS] if grid else []
    while others and others[-1] is max([own, *others], key=lambda tried: fmean(tried["accuracy"])):
        others.append(at_rate(config, 2 * others[-1]["gamma"]))
    return own | {"grid": others}


def rated(about: Row, config: RunConfig, grid: bool) -> Row:
    return about | at_own_rate(config, grid)


def at_rate(config: RunConfig, gamma: float) -> Row:
    """One γ: by seed the accuracy at the end, and after the early rounds; 0 for a run that diverges."""
    curves = [curve(config.model_copy(update={"seed": seed}), gamma) for seed in SEEDS]
    early = {str(EARLY): [found.get(EARLY, 0.0) for found in curves]}
    return {"gamma": gamma, "accuracy": [found.get(config.rounds, 0.0) for found in curves], "early": early}


def curve(config: RunConfig, gamma: float) -> dict[int, float]:
    """Test accuracy by round; nothing of a run that diverges."""
    config = changed(changed(config, "local", gamma=gamma), "record", verify=False)
    try:
        rows = run_in_memory(config).rows
    except (BadInput, RunFailed):
        return {}
    return {int(row["round"]): float(row["accuracy"]) for row in rows if row.get("accuracy") is not None}


def local_work() -> Iterator[Cell]:
    for case, config in cases().items():
        for E in (1, 5, 20):
            advised = advise(changed(config, "local", E=E, mu=0.0)).recommended
            for share in (0.0, 1.0):
                mu = share / (advised * E) if advised else 0.0
                about = {"case": case, "E": E, "share": share, "mu": mu}
                grid = not (share and E == 1)  # one local step starts at the broadcast: μ does nothing
                one = changed(config, "local", E=E, mu=mu)
                yield f"{case}-E{E}-share{share:g}", partial(rated, about, one, grid)


def sketch_sizes() -> Iterator[Cell]:
    for case, config in cases().items():
        d = build(config).problem.d
        for sent in SENT:
            for kept in KEPT:
                how: Row = {"k": round(kept * d), "recovery": "mean"}
                how |= {"compressor": "identity"} if sent is None else {}
                how |= {} if sent is None else {"buckets": round(sent * d / config.algorithm.rows)}
                one = changed(changed(config, "algorithm", **how), "local", E=1, mu=0.0)
                sizes = {"d": d, "buckets": one.algorithm.buckets, "k": one.algorithm.k}
                about, grid = {"case": case, "sent": sent, "kept": kept, **sizes}, sent in COMPARED
                name = f"{case}-sent{'all' if sent is None else f'{sent:g}'}-k{kept:.2g}"
                yield name, partial(rated, about, one, grid)


def readout() -> Iterator[Cell]:
    """Pairs of runs; a pair is won by the lower test loss at the end."""
    chosen = {f"demo k={k}": changed(configs.parse(DEMO), "algorithm", k=k) for k in (200, 800, 4810)}
    for data, scenarios, sigma in (
        ("synthetic", (1, 2), 1.0),
        ("kdd12", (1, 2), 1.0),
        ("mnist", (1, 2, 3), 0.8),
    ):
        for scenario in scenarios:
            cell = make_cell(data, "quick", scenario, sigma, "FPS", "", "local.mu=0.0")
            chosen[f"{data} S{scenario} σ={sigma:g}"] = cell.config
    for name, config in chosen.items():
        yield name, partial(pairs, name, config)


def pairs(name: str, config: RunConfig) -> Row:
    losses = {rule: [last_loss(config, rule, seed) for seed in SEEDS] for rule in RULES}
    both = [pair for pair in zip(*losses.values(), strict=True) if None not in pair]
    return {"case": name, "loss": losses, "mean_wins": sum(b < a for a, b in both), "of": len(both)}


def last_loss(config: RunConfig, rule: str, seed: int) -> float | None:
    one = changed(changed(config, "algorithm", recovery=rule), "record", verify=False)
    try:
        return float(run_in_memory(one.model_copy(update={"seed": seed})).summary["final"]["test_loss"])
    except RunFailed:
        return None


EXPERIMENTS = {"local_work": local_work, "sketch_sizes": sketch_sizes, "readout": readout}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("experiment", choices=EXPERIMENTS)
    parser.add_argument("--json", type=Path, help="default: book/results/EXPERIMENT.json")
    parser.add_argument("--only", default="", help="cells whose name contains this")
    args = parser.parse_args()
    torch.set_num_threads(1)
    path = args.json or ROOT / "book" / "results" / f"{args.experiment}.json"
    before = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    nothing: Row = {"rows": [], "provenance": {"seconds": 0.0}}
    kept: Row = before if before and not why_old(before) else nothing
    found: dict[str, Row] = {row["cell"]: row for row in kept["rows"]}
    start = time.process_time()
    for name, make in EXPERIMENTS[args.experiment]():
        if args.only in name and name not in found:
            found[name] = {"cell": name} | make()
            seconds = kept["provenance"]["seconds"] + time.process_time() - start
            about = made(f"python -m benchmarks.settings {args.experiment}", seconds, METHODS)
            result = {"seeds": SEEDS, "rows": list(found.values()), "provenance": about}
            write_text(path, json.dumps(result, indent=1) + "\n")
            print({key: value for key, value in found[name].items() if key != "grid"}, flush=True)


if __name__ == "__main__":
    main()
