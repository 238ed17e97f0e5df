"""The numbers in the text of the pages, `{{ name }}`, each from a result; tests compare them by value."""

from __future__ import annotations

from collections import Counter
from statistics import fmean

from theory.counterexamples.exact_runs import RUNS
from theory.proofs import manifest
from theory.rates.descent.certified import best_gamma, certified_range
from theory.rates.parameters import Parameters
from theory.rates.rounding import rounded_down, rounded_up

from . import ledger_data, pictures, results
from .experiments import judged_claims

WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")


def every() -> dict[str, str]:
    """Name → what the page shows."""
    return ledger() | proofs() | experiments() | readme() | accuracies() | proximal()


def ledger() -> dict[str, str]:
    """Printed lines and exact runs."""
    printed = [e for e in ledger_data.entries() if e["kind"] == "printed line"]
    valid = sum(e["verdict"] == "valid" for e in printed)
    plain = sum(run.refutation.as_printed for run in RUNS)
    return {"plain": WORDS[plain].capitalize(), "valid": str(valid), "printed": str(len(printed))}


def proofs() -> dict[str, str]:
    """What the kernel has checked."""
    found = manifest.load()
    return {"proofs": str(len(found.results)), "coq": found.coq}


def experiments() -> dict[str, str]:
    """The claims of Section 6 and Appendix D that could be tested."""
    judged = [verdict for claim, verdict in judged_claims() if not claim.ours]
    found = Counter(verdict.status for verdict in judged)
    some = sum(verdict.reproduced_by_some_reading for verdict in judged)
    return {
        "claims": str(len(judged)),
        "reproduced": WORDS[found["reproduced"]],
        "by_some_reading": WORDS[some],
    }


def readme() -> dict[str, str]:
    """README's example: L = 4, E = 5, B = 1.3."""
    q = Parameters(L=4, E=5, B=1.3)
    largest, best = certified_range(q), best_gamma(q)
    assert largest.floor is not None and best is not None
    return {
        "readme_gamma": rounded_down(largest.gamma_max or 0.0),
        "readme_floor": f"{float(rounded_up(float(largest.floor.G2), 3)):,.0f}",
        "readme_best": rounded_down(best.gamma, 4),
        "readme_best_floor": rounded_up(float(best.floor.G2), 3),
    }


def accuracies() -> dict[str, str]:
    """Fresh hashes against FPS, cell by cell, and on MNIST with 500 numbers."""
    cells = [
        c
        for data in ("mnist", "blobs")
        for channel in ("ideal", "0 dB")
        for c in pictures.sent(data, channel)
    ]
    pairs = [
        (pictures.reached(c.data, "fresh", c.m, c.channel).mean, c.mean)
        for c in cells
        if c.method.startswith("FPS")
    ]
    shown = {name: pictures.reached("mnist", name, 500).mean for name in ("fresh", "fresh with memory")}
    return {
        "fresh_beats_fps": str(sum(fresh > fps for fresh, fps in pairs)),
        "fresh_against_fps": str(len(pairs)),
        "mnist_fresh": f"{100 * shown['fresh']:.1f}",
        "mnist_memory": f"{100 * shown['fresh with memory']:.1f}",
    }


def proximal() -> dict[str, str]:
    """What a strong proximal term gained and cost in accuracy, each side at its best γ, for E = 5 and 20."""
    best: dict[tuple[str, int, float], float] = {}
    for row in results.load("local_work")["rows"]:
        tried = [row["accuracy"], *(at["accuracy"] for at in row["grid"])]
        best[row["case"], row["E"], row["share"]] = max(100 * fmean(found) for found in tried)
    gains = [best[case, E, 1.0] - best[case, E, 0.0] for case, E, share in best if share == 1.0 and E > 1]
    return {"mu_gain": f"{max(gains):.2g}", "mu_cost": f"{-min(gains):.0f}"}
