"""Heavy results: made once by a named command, committed with their provenance, read by the chapters.

python -m book.bookkit.results validation        (from the root of the repository)
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.provenance import made, why_old
from fpsverify.files import write_json
from fpsverify.methods import METHODS

from .ledger_data import BOOK

FOLDER = BOOK / "results"


@cache
def load(name: str) -> dict[str, Any]:
    """A committed result."""
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


def provenance(result: dict[str, Any]) -> str:
    """One line of HTML that says how a result was made, and whether its methods are those of today."""
    how = result["provenance"]
    packages = ", ".join(f"{name} {version}" for name, version in how["versions"].items())
    old = why_old(result)
    state = f'<b class="fps-stale">This result {old}.</b> ' if old else ""
    made_by = f"Made by <code>{how['command']}</code> in {how['seconds']:.0f} s ({packages})."
    return f'<p class="fps-place">{state}{made_by}</p>'


def store(name: str, make: Callable[[], dict[str, Any]]) -> Path:
    start = time.perf_counter()
    found = make()
    command = f"python -m book.bookkit.results {name}"
    found["provenance"] = made(command, time.perf_counter() - start, RESTS_ON[name])
    path = FOLDER / f"{name}.json"
    write_json(path, found)
    return path


def validation() -> dict[str, Any]:
    """Random configurations, noise trees and samples against the repaired theory."""
    from benchmarks.validation import run

    return dict(run("full"))


def worst_case() -> dict[str, Any]:
    """Theorem A's bound over the exact worst case that PEPit finds, for small runs."""
    from dataclasses import asdict

    from benchmarks.validation import worst_case as pep
    from theory.rates.parameters import Parameters
    from theory.rates.theorem_a import Sources

    cases = [
        {"L": 1.0, "E": E, "P_b": P_b, "gamma": gamma, "T": T}
        for E, P_b, gamma, T in [
            *((1, P_b, gamma, T) for P_b in (0.0, 0.1, 0.4) for gamma in (0.5, 1.0) for T in (1, 2, 4, 8)),
            *((E, P_b, 0.5 / E, T) for E in (2, 3) for P_b in (0.0, 0.1) for T in (1, 2, 4)),
        ]
    ]
    rows = []
    for case in cases:
        q = Parameters(L=case["L"], E=case["E"], P_b=case["P_b"])
        judged = pep.judge(q, case["gamma"], case["T"], Sources(Delta=1.0))
        rows.append({**case, **asdict(judged), "respected": judged.respected})
    return {"rows": rows, "scope": pep.SCOPE}


def advice() -> dict[str, Any]:
    """Advised learning rates and what they are worth, on 186 problems (MNIST: fpsverify data fetch).

    Runs of the result that is there now are kept where every rate came out the same.
    """
    import torch

    from benchmarks.estimates import advice as experiment
    from benchmarks.estimates.advice_problems import images, problems
    from fpsverify.data.mnist import load_images

    load_images("mnist")  # or one line that says how to get it; `problems` would take generated images
    torch.set_num_threads(1)
    folder = BOOK.parent / "runs" / "advice"
    folder.mkdir(parents=True, exist_ok=True)
    stored = FOLDER / "advice.json"
    earlier = experiment.earlier_rows(stored if stored.exists() else None)
    experiment.collect(problems(), folder, float("inf"), lambda line: print(line, flush=True), earlier)
    found = experiment.result(folder)
    return found | {"images": images()[2]}


def calibration() -> dict[str, Any]:
    """Coverage of every interval on generated problems, with a seed that no method was developed on."""
    import torch

    from benchmarks.estimates import calibration as trials

    torch.set_num_threads(1)
    partial = BOOK.parent / "runs" / "calibration.partial.json"
    partial.parent.mkdir(exist_ok=True)
    found = trials.calibrate(partial, trials.TRIALS, trials.FRESH_SEED, lambda text: print(text, flush=True))
    partial.unlink()
    return found | {"what": trials.__doc__}


MNIST_RUN = ["problem.samples=6000", "rounds=150", "record.verify=true", "record.checkpoint_every=15"]


def estimate_mnist() -> dict[str, Any]:
    """`fpsverify estimate` on examples/mnist.toml (Scenario 2, channel noise), a tenth of the images."""

    import torch

    from empirical.answer.estimate import estimate
    from empirical.answer.findings import values
    from empirical.observed import recorded
    from fpsverify import config as configs
    from fpsverify.runs.loop import run

    torch.set_num_threads(1)
    config = configs.load(BOOK.parent / "examples" / "mnist.toml", MNIST_RUN)
    with tempfile.TemporaryDirectory() as place:
        final = run(config, Path(place) / "run").summary
        found = estimate(recorded.evidence(Path(place) / "run"), tick=lambda text: print(text, flush=True))
    return {
        "example": "examples/mnist.toml",
        "overrides": MNIST_RUN,
        "config_digest": config.digest(),
        "summary": final,
        "estimate": (plain := values(found)),
        "figures": plain["curves"],
    }


def certified() -> dict[str, Any]:
    """Exact certificates on a grid of E, B and P_b, for the pages."""
    from .certified import table

    return table()


MAKERS = {
    "certified": certified,
    "validation": validation,
    "worst_case": worst_case,
    "calibration": calibration,
    "advice": advice,
    "estimate_mnist": estimate_mnist,
}

RESTS_ON = {
    "certified": ("rates",),
    "validation": ("rates",),
    "worst_case": ("rates",),
    "calibration": ("estimate",),
    "advice": METHODS,
    "estimate_mnist": METHODS,
}


if __name__ == "__main__":
    for wanted in sys.argv[1:] or list(MAKERS):
        print(store(wanted, MAKERS[wanted]))
