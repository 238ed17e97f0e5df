"""Certified learning rates for the pages: one exact certificate for each E, B and P_b of a small grid.

A certificate at (E, B, P_b) covers every smaller B and P_b, because smaller constants admit fewer losses. So
a page rounds B and P_b *up* to the grid, and what it shows is proved. E is never rounded.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from time import perf_counter, process_time
from typing import Any

from benchmarks.provenance import made
from fpsverify.files import write_json
from theory.rates.descent.certified import certified_range
from theory.rates.limits.impossible import impossible_from
from theory.rates.parameters import Parameters

from .results import FOLDER

STEPS = (*range(1, 11), 15, 20)
SPREADS = tuple(map(Fraction, ("1", "1.1", "1.25", "1.5", "1.75", "2", "2.5", "3", "4", "5", "7", "10")))
BIASES = tuple(map(Fraction, ("0", "0.001", "0.01", "0.1")))
MOST_NODES = 12  # points of a cycle that are searched


@cache
def table() -> dict[str, Any]:
    """Lγ for each cell (null: nothing is certified); at P_b = 0 also the CPU-seconds of the search, the
    smallest impossible Lγ, and the certificate."""
    cells = {(E, B, P_b): _cell(E, B, P_b) for E in STEPS for B in SPREADS for P_b in BIASES}
    return {
        "E": list(STEPS),
        "B": [float(B) for B in SPREADS],
        "P_b": [float(P_b) for P_b in BIASES],
        "step": [[[cells[E, B, P_b][0] for P_b in BIASES] for B in SPREADS] for E in STEPS],
        "impossible": [[_impossible(E, B) for B in SPREADS] for E in STEPS],
        "certificate": [[cells[E, B, BIASES[0]][1] for B in SPREADS] for E in STEPS],
        "seconds": [[cells[E, B, BIASES[0]][2] for B in SPREADS] for E in STEPS],
    }


def _cell(E: int, B: Fraction, P_b: Fraction) -> tuple[float | None, dict[str, Any] | None, float]:
    started = process_time()
    found = certified_range(Parameters(L=1, E=E, B=B, P_b=P_b))
    seconds = round(process_time() - started, 3)
    if found.certificate == "exact" and found.proof is not None:
        return found.gamma_max, found.proof.as_json(), seconds
    return (None if found.empty else found.gamma_max), None, seconds


def _impossible(E: int, B: Fraction) -> float | None:
    return impossible_from(Parameters(L=1, E=E, B=B), most_nodes=MOST_NODES).gamma_from


if __name__ == "__main__":
    start, found = perf_counter(), table()
    about = made("python -m book.bookkit.certified", perf_counter() - start, ["rates"])
    write_json(FOLDER / "certified.json", found | {"provenance": about})
