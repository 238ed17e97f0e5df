"""Every bound of the repaired theory against runs and exact worst cases: python -m benchmarks.validation"""

from __future__ import annotations

import time
from dataclasses import asdict
from itertools import product

from benchmarks.provenance import ROOT, made
from benchmarks.validation import run, worst_case
from fpsverify.files import write_json
from theory.rates.parameters import Parameters
from theory.rates.theorem_a import Sources

RESULTS = ROOT / "book" / "results"
ONE_STEP = product([1], (0.0, 0.1, 0.4), (0.5, 1.0), (1, 2, 4, 8))  # E, P_b, γ, T at L = 1
MORE_STEPS = [(E, P_b, 0.5 / E, T) for E in (2, 3) for P_b in (0.0, 0.1) for T in (1, 2, 4)]


def worst_cases() -> list[dict[str, object]]:
    """Theorem A's bound over the exact worst case that PEPit finds, for small runs."""
    rows = []
    for E, P_b, gamma, T in (*ONE_STEP, *MORE_STEPS):
        judged = worst_case.judge(Parameters(L=1.0, E=E, P_b=P_b), gamma, T, Sources(Delta=1.0))
        case = {"L": 1.0, "E": E, "P_b": P_b, "gamma": gamma, "T": T}
        rows.append({**case, **asdict(judged), "respected": judged.respected})
    return rows


for name, make in (
    ("validation", lambda: run("full")),
    ("worst_case", lambda: {"rows": worst_cases(), "scope": worst_case.SCOPE}),
):
    start, found = time.perf_counter(), make()
    about = made("python -m benchmarks.validation", time.perf_counter() - start, ["rates"])
    write_json(RESULTS / f"{name}.json", {**found, "provenance": about})
