"""Numbers of about 200 calls of the tree before this change: `python -m benchmarks.golden make|compare KEY`.

Only numbers are kept, under the keys of `--json`; a key that is gone or new is listed, a number that moved by
more than 1e-12 of itself is a difference. A tool of the change: it goes when the change is over.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import sys
import tempfile
from collections.abc import Iterator
from itertools import count, product
from pathlib import Path
from typing import Any

STORE = Path(__file__).with_name("golden.json")
ALGORITHMS = ("fps", "mission", "fedavg", "fedprox", "fetchsgd", "blcd", "topk", "scaffold")
CHANNELS = (
    (),
    ("channel.kind=gaussian", "channel.sigma=0.1"),
    ("channel.kind=gaussian", "channel.sigma=0.1", "channel.noise_on=avg"),
    ("channel.kind=rayleigh", "channel.sigma=0.1"),
)
BASE = """
seed = 1
rounds = 12
[problem]
data = "blobs"
objective = "mlp"
samples = 400
test_samples = 100
[devices]
M = 4
scenario = 3
[local]
E = 5
batch = 32
gamma = 0.05
[algorithm]
recovery = "mean"
[record]
verify = true
average = "last_half"
"""
MLP = ("problem.hidden=8",)
LEAST = ("problem.data=synthetic", "problem.objective=least_squares", "problem.features=40")
NOISE = ("channel.kind=gaussian", "channel.sigma=0.1")
FPS = ("algorithm.rows=3", "algorithm.buckets=64", "algorithm.k=60")
FITTED = {"mission": ("devices.M=1", "devices.scenario=1"), "fedprox": ("local.mu=0.3",)}
TIMES = ("seconds", "wall", "bytes", "rss", "time")


def runs(folder: Path) -> Iterator[tuple[str, list[str]]]:
    number = count()
    for name, (i, channel) in product(ALGORITHMS, enumerate(CHANNELS)):
        fit = FITTED.get(name, ()) + (
            ("algorithm.memory=false",) if i == 3 and name in ("blcd", "topk") else ()
        )
        sets = (*MLP, *FPS, f"algorithm.name={name}", *channel, *fit)
        yield f"run/{name}-{i}", ["run", "BASE", "--out", str(folder / f"r{next(number)}"), *_set(sets)]
    for i, more in enumerate(
        (
            ("local.E=1",),
            ("local.batch=0",),
            ("local.mu=0.5",),
            ("algorithm.recovery=median",),
            ("algorithm.device_sketch=accum",),
            ("devices.participation=2",),
            ("dtype=float64",),
            ("local.E=2", "channel.noise_on=grad"),
        )
    ):
        yield (
            f"run/fps-more-{i}",
            ["run", "BASE", "--out", str(folder / f"r{next(number)}"), *_set((*MLP, *FPS, *NOISE, *more))],
        )


def rates() -> Iterator[tuple[str, list[str]]]:
    for L, E, B, mu in product((1, 4), (1, 2, 5), (1, 1.3, 3), (0, 0.2)):
        at = ["--L", str(L), "--E", str(E), "--B", str(B), "--mu", str(mu)]
        yield f"lr/{L}-{E}-{B}-{mu}", ["lr", *at]
    for i, more in enumerate(
        (
            ["--Pb", "0.05"],
            ["--Pn", "0.3"],
            ["--Pn", "0.3", "--M", "10"],
            ["--theta", "0"],
            ["--theta", "1/2", "--E", "3"],
            ["--L_f", "1", "--E", "1"],
            ["--E", "2:3", "--B", "1:2"],
            ["--rows", "3", "--buckets", "64", "--k", "500", "--d", "500"],
        )
    ):
        yield f"lr/more-{i}", ["lr", "--L", "2", *([] if "--E" in more else ["--E", "2"]), *more]
    for L, E, B, g in product((1, 4), (1, 5), (1, 2), (0.001, 0.02)):
        at = ["--L", str(L), "--E", str(E), "--B", str(B), "--gamma", str(g), "--T", "100", "--Delta", "1"]
        yield f"bound/{L}-{E}-{B}-{g}", ["bound", *at]
        more = [*at, "--G2", ".1", "--sigma2", ".2", "--b2", ".01", "--R2", ".001", "--M", "10"]
        yield f"bound/{L}-{E}-{B}-{g}-more", ["bound", *more]
    for k, d, eps in product((10, 100), (1000, 100000), (0.1, 0.02)):
        at = ["--k", str(k), "--d", str(d), "--T", "100", "--delta", "0.01", "--eps", str(eps)]
        yield f"size/{k}-{d}-{eps}", ["size", *at]
        yield f"size/{k}-{d}-{eps}-p", ["size", *at, "--p", "0.8"]


def studies(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """`estimate`, `advise`, `compare` and `sweep` on runs made in `folder`."""
    cases = {
        "fps": (*MLP, *FPS, *NOISE),
        "fps-k-d": (*LEAST, "algorithm.rows=3", "algorithm.buckets=16", "algorithm.k=40", "local.E=1"),
        "fps-full": (*MLP, *FPS, "local.batch=0", "local.E=2"),
        "fedavg": (*MLP, "algorithm.name=fedavg"),
        "fedprox": (*MLP, "algorithm.name=fedprox", "local.mu=0.3"),
        "least": (*LEAST, "algorithm.name=fedavg", "local.batch=0"),
        "least-one": (*LEAST, "algorithm.name=fedavg", "local.batch=0", "local.E=1"),
        "least-mu": (*LEAST, "algorithm.name=fedavg", "local.batch=0", "local.mu=0.3", "local.E=4"),
        "softmax": ("problem.objective=softmax", "local.E=2", "algorithm.name=fedavg"),
        "part": (*MLP, "devices.participation=2", "algorithm.name=fedavg"),
    }
    for name, more in cases.items():
        sets = _set(("rounds=40", "record.checkpoint_every=4", "local.gamma=0.02", *more))
        out = str(folder / name)
        yield f"study/run-{name}", ["run", "BASE", "--out", out, *sets]
        yield f"study/estimate-{name}", ["estimate", out, "--replicates", "8", "--rounds", "5", "--quiet"]
        yield f"study/lr-{name}", ["lr", "--from", out]
        yield f"study/bound-{name}", ["bound", "--from", out]
        yield f"study/advise-{name}", ["advise", "BASE", "--pilot", "20", "--quiet", *sets]
    yield "study/compare", ["compare", str(folder / "fps"), str(folder / "fedavg")]
    over = ["--over", "local.gamma=0.02,0.05", "--seeds", "2", "--out", str(folder / "sweep"), "--quiet"]
    yield "study/sweep", ["sweep", "BASE", *over, *_set((*MLP, *FPS, *NOISE))]


def _set(pairs: tuple[str, ...]) -> list[str]:
    return [word for pair in pairs for word in ("--set", pair)]


def called(argv: list[str]) -> dict[str, Any]:
    from fpsverify.cli import main

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main([*argv, "--json"])
        except SystemExit as stop:
            code = int(stop.code or 0)
    text = out.getvalue()
    start = text.find("{")
    numbers = dict(leaves(json.loads(text[start:]))) if start >= 0 else {}
    said = {"error": err.getvalue().strip().splitlines()[-1]} if code else {}
    return {"exit": code, "numbers": numbers, **said}


def leaves(node: Any, at: str = "") -> Iterator[tuple[str, float | bool | None]]:
    if isinstance(node, dict):
        for key, value in node.items():
            if not any(word in str(key) for word in TIMES):
                yield from leaves(value, f"{at}/{key}")
    elif isinstance(node, list):
        for i, value in enumerate(node):
            yield from leaves(value, f"{at}/{i}")
    elif node is None or isinstance(node, (int, float)):
        yield at, node


def calls(folder: Path) -> Iterator[tuple[str, list[str]]]:
    yield from rates()
    yield from runs(folder)
    yield from studies(folder)


def differ(a: Any, b: Any) -> bool:
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return not (a == b or math.isclose(a, b, rel_tol=1e-12) or (math.isnan(a) and math.isnan(b)))
    return bool(a != b)


def main() -> int:
    task, prefix = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    stored = json.loads(STORE.read_text()) if STORE.exists() else {}
    bad = 0
    with tempfile.TemporaryDirectory() as name:
        base = Path(name) / "base.toml"
        base.write_text(BASE)
        for key, argv in calls(Path(name)):
            if not key.startswith(prefix):
                continue
            now = called([str(base) if word == "BASE" else word for word in argv])
            print(key, now["exit"], len(now["numbers"]), now.get("error", ""), flush=True)
            if task == "make":
                stored[key] = now
                continue
            then = stored[key]
            moved = [(k, v, now["numbers"][k]) for k, v in then["numbers"].items() if k in now["numbers"]]
            moved = [each for each in moved if differ(each[1], each[2])]
            gone = [k for k in then["numbers"] if k not in now["numbers"]]
            if moved or then["exit"] != now["exit"]:
                bad += 1
                print("  MOVED", then["exit"], now["exit"], *moved[:6], f"({len(moved)} in all)")
            if gone:
                print("  gone:", *gone[:6], f"({len(gone)} in all)")
    if task == "make":
        STORE.write_text(json.dumps(stored, indent=0, sort_keys=True) + "\n")
    print(f"{bad} calls moved")
    return int(bad > 0)


if __name__ == "__main__":
    raise SystemExit(main())
