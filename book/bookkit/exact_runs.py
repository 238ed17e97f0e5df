"""The runs that break Theorem 1, as the pages play them: every number as a text of an exact fraction."""

from __future__ import annotations

from typing import Any

from theory.counterexamples.exact_runs import RUNS
from theory.counterexamples.exact_sketch import squared_norm
from theory.counterexamples.federated import Quadratic
from theory.counterexamples.refutation import Refutation

from .words import html

TITLES = {
    "range-without-L": "The range that forgets the curvature",
    "missing-1-over-rho": "The factor that was dropped",
    "top-k-freezing": "Top-k drops the update",
    "top-k-floor": "A sketch that is never reset",
    "power-law-with-a-constant": "A power law with a constant",
    "heterogeneity-drift": "Two devices that pull apart",
    "negative-sketch-term": "A bound below zero",
    "expectation-dropped": "A rare kick",
    "local-steps-any-reading": "Local steps, in every reading",
}
FIELDS = ("L", "gamma", "mu", "E", "B", "P_b", "P_n", "b2", "sigma2", "d", "k", "p", "T", "W", "c", "delta")
WHOLE = ("E", "d", "k", "p", "T")


def every() -> dict[str, dict[str, Any]]:
    """Each refutation by its name, in the order of the ledger."""
    return {run.story.name: as_run(run.refutation) for run in RUNS}


def as_run(found: Refutation) -> dict[str, Any]:
    """What `calculators/exact_run.js` needs to play the run again."""
    q = found.parameters
    share = f"1/{len(found.problem.devices)}"
    first = [step for step in found.run.steps if step.device == 0 and step.step == 0]
    return {
        "name": found.name,
        "qualification": html(found.qualification),
        "devices": [
            {"share": share, "a": _texts(device.curvature), "z": _texts(device.centre)} | _onto(device)
            for device in found.problem.devices
        ],
        "w0": _texts(found.run.before_top_k[0]),
        "persistent": found.run.persistent,
        "shrink": _shrink(first),
        "noise": [str(step.zeta[0]) for step in first] if any(any(s.zeta) for s in first) else None,
        "favour": found.right.sketch >= 0,
        **{key: getattr(q, key) if key in WHOLE else str(getattr(q, key)) for key in FIELDS},
    }


def _onto(device: Quadratic) -> dict[str, Any]:
    """The projection aaᵀ/‖a‖² where a device is curved along one vector a only."""
    a = device.along
    return {"onto": [_texts([x * y / squared_norm(a) for y in a]) for x in a]} if a else {}


def _texts(vector: Any) -> list[str]:
    return [str(x) for x in vector]


def _shrink(steps: Any) -> str:
    """The share of the gradient that the bias takes away, the same in every step."""
    shares = {-step.beta[0] / step.gradient[0] for step in steps if step.gradient[0]}
    return str(shares.pop()) if len(shares) == 1 else "0"
