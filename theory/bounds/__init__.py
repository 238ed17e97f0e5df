"""The bounds of the paper and of the repaired theory, term by term, and sizes of count sketches."""

from theory.bounds.terms import (
    Bound,
    Sketch,
    corollary,
    implicit,
    lemma1_residual,
    report,
    rho,
    theorem1,
    without_each_source,
)
from theory.rates.theorem_a import Sources

__all__ = [
    "Bound",
    "Sketch",
    "Sources",
    "corollary",
    "implicit",
    "lemma1_residual",
    "report",
    "rho",
    "theorem1",
    "without_each_source",
]
