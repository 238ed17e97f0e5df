"""End-to-end refutations of Theorem 1 as stated: tiny exact runs that meet its assumptions.

| name                    | what falls                                      | stated assumptions     | steps |
|-------------------------|-------------------------------------------------|------------------------|-------|
| range-without-L         | the range and ρ do not contain L when P_n = 0   | as printed             | no    |
| missing-1-over-rho      | ρ is dropped from the left side                 | as printed             | met   |
| negative-sketch-term    | an integral lower bound used as an upper bound  | as printed             | met   |
| expectation-dropped     | a realised left side against a variance         | as printed             | met   |
| local-steps-any-reading | ρ again, at E = 2 and B > 1                     | as printed             | no    |
| top-k-freezing          | U_k treated as linear (sketch of the broadcast) | Assumption 4 with ≤    | met   |
| top-k-floor             | the same with a sketch that is never reset      | Assumption 4 with ≤    | met   |
| heterogeneity-drift     | ∇f_m replaced by ∇f at E = 2                    | not for Σ_e g^e        | met   |

`steps`: the two step-size conditions that only the appendix states. The last three say in `qualification`
what they do not meet as printed; entries T1.36 and T1.37 say why no run can.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from theory.claim import Entry
from theory.counterexamples import (
    expectation_dropped,
    heterogeneity_drift,
    local_steps,
    missing_rho,
    negative_sketch_term,
    range_without_L,
    top_k_freezing,
)
from theory.counterexamples.as_entry import refutation_entry
from theory.counterexamples.assemble import Story
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
    ("local-steps-any-reading", local_steps.refutation, (41,)),
)
STORIES: dict[str, Story] = {
    story.name: story
    for story in (
        range_without_L.STORY,
        missing_rho.STORY,
        top_k_freezing.FROZEN,
        top_k_freezing.PERSISTENT,
        heterogeneity_drift.STORY,
        negative_sketch_term.STORY,
        expectation_dropped.STORY,
        local_steps.STORY,
    )
}


@cache
def entries() -> tuple[Entry, ...]:
    """One ledger entry for each refutation; the runs are played when the entry is judged."""
    return tuple(refutation_entry(name, build, rows, STORIES[name]) for name, build, rows in BUILDERS)
