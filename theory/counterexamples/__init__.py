"""End-to-end refutations of Theorem 1 as stated: tiny exact runs that meet every stated assumption.

Two of them (top-k-freezing, top-k-floor) live in two dimensions, where Assumption 4 as printed is void (entry
S.6): they meet its corrected form. heterogeneity-drift reads Definition 1 per device. Every entry prints each
check with its value and its limit.

| name                  | what falls                                        | all step-size conditions met |
|-----------------------|---------------------------------------------------|------------------------------|
| range-without-L       | the range and ρ do not contain L when P_n = 0      | all that the theorem states  |
| missing-1-over-rho    | ρ is dropped from the left side                    | yes, the appendix's too      |
| top-k-freezing        | U_k treated as linear (sketch of the broadcast)    | yes                          |
| top-k-floor           | the same with a sketch that is never reset         | yes                          |
| heterogeneity-drift   | ∇f_m replaced by ∇f at E = 2                       | yes                          |
| negative-sketch-term  | an integral lower bound used as an upper bound     | yes                          |
| expectation-dropped   | a realised left side against a variance            | yes                          |
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from theory.claim import Entry
from theory.counterexamples import (
    expectation_dropped,
    heterogeneity_drift,
    missing_rho,
    negative_sketch_term,
    range_without_L,
    top_k_freezing,
)
from theory.counterexamples.as_entry import refutation_entry
from theory.counterexamples.refutation import Refutation

# name, the run, rows of the audit that it plays out
BUILDERS: tuple[tuple[str, Callable[[], Refutation], tuple[int, ...]], ...] = (
    ("range-without-L", range_without_L.refutation, (38,)),
    ("missing-1-over-rho", missing_rho.refutation, (41,)),
    ("top-k-freezing", top_k_freezing.frozen, (30,)),
    ("top-k-floor", top_k_freezing.persistent, (9, 30)),
    ("heterogeneity-drift", heterogeneity_drift.refutation, (24, 25)),
    ("negative-sketch-term", negative_sketch_term.refutation, (14,)),
    ("expectation-dropped", expectation_dropped.refutation, (42,)),
)


def refutations() -> tuple[Refutation, ...]:
    """Every refutation, run now."""
    return tuple(build() for _, build, _ in BUILDERS)


@cache
def entries() -> tuple[Entry, ...]:
    """One ledger entry for each refutation; the runs are played when the entry is judged."""
    return tuple(refutation_entry(name, build, rows) for name, build, rows in BUILDERS)
