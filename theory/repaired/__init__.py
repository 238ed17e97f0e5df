"""The repaired theory: every line of its proofs as an entry of the ledger.

| prefix | what                                                   |
|--------|--------------------------------------------------------|
| RS     | Lemma 1' (sketch residual)                             |
| RD     | Lemma 2' (drift)                                       |
| RA     | Theorem A, its concavity lemma and learning-rate range |
| RC1    | Corollary 1 (E = 1)                                    |
| RC2    | Corollary 2 (E ≥ 2)                                    |
| RF     | Proposition F (floor)                                  |
| RX     | what breaks when an assumption is dropped              |
| RU     | units: homogeneity of every bound                      |
"""

from __future__ import annotations

from functools import cache

from theory.claim import Entry
from theory.repaired import conditions, drift, floor, homogeneous, sketch, theorem


@cache
def entries() -> tuple[Entry, ...]:
    """All entries of the repaired theory."""
    return (
        *sketch.entries(),
        *drift.entries(),
        *theorem.entries(),
        *floor.entries(),
        *conditions.entries(),
        *homogeneous.entries(),
    )
