"""The theory: every line of a paper judged, the repaired theory, and its calculators.

The public names are loaded on first use, so that `import theory` stays cheap.

| name                                | what it is                                                        |
| ----------------------------------- | ----------------------------------------------------------------- |
| `Parameters`, `Box`                 | the constants of a problem, exact or as intervals                 |
| `ranges`, `learning_rate_range`     | learning rates that the paper and the repaired theory allow       |
| `Sources`, `solve`                  | Theorem A: the bound on the mean squared gradient                 |
| `certified_range`, `best_gamma`     | learning rates with an exact certificate, and what they promise   |
| `FreshSketch`, `fresh_range`        | the price of a sketch drawn anew in every round, and its rates    |
| `Sketch`, `bound_report`            | bounds term by term                                               |
| `Demand`, `smallest`                | the size of a count sketch                                        |
| `paper`, `judge`                    | a paper of the ledger by name; the evidence of an entry run again |
| `Paper`, `Source`, `Letters`, `Quantity`, `real` | a paper of your own, and its letters          |
| `printed_line`, `silent_step`, `question`, `conditional`, `refuted`, `absorbed`, `underived`,      |
| `undefined`, `defined`              | its entries, one function for each verdict                        |
| `Claim`, `Stated`, `equal`          | what an entry states                                              |
| `Identity`, `SumOfSquares`, `Contradiction`, `Positivity`, `Solver`, `AtPoint`, `KernelChecked`,   |
| `term`, `shift`, `below`            | the evidence                                                      |
| `corrected_form`, `cover`, `derivation_wrong`, `other_reading`, `support`, `cited` | further evidence   |
| `EvidenceFailed`, `InvalidParameter`| what these functions raise                                        |
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_ENTRIES = (
    "absorbed", "conditional", "defined", "printed_line", "question", "refuted", "silent_step", "undefined",
    "underived",
)  # fmt: skip
_LEDGER = (
    "Claim", "Stated", "cited", "corrected_form", "cover", "derivation_wrong", "equal", "other_reading",
    "support",
)  # fmt: skip
_PROVERS = (
    "AtPoint", "Contradiction", "Identity", "KernelChecked", "Positivity", "Solver", "SumOfSquares", "term",
)  # fmt: skip
_HOME = {
    "Box": "theory.rates.parameters",
    "Demand": "theory.bounds.sketch_size",
    "EvidenceFailed": "theory.errors",
    "FreshSketch": "theory.rates.fresh_sketch",
    "InvalidParameter": "theory.errors",
    "Parameters": "theory.rates.parameters",
    "Sketch": "theory.bounds.terms",
    "Sources": "theory.rates.theorem_a",
    "best_gamma": "theory.rates.descent.certified",
    "bound_report": "theory.bounds.terms:report",
    "certified_range": "theory.rates.descent.certified",
    "fresh_range": "theory.rates.fresh",
    **dict.fromkeys(("Letters", "Quantity", "real"), "theory.letters"),
    **dict.fromkeys(("Paper", "Source"), "theory.ledger.paper"),
    **dict.fromkeys(_ENTRIES, "theory.ledger.lines"),
    **dict.fromkeys(_LEDGER, "theory.ledger"),
    **dict.fromkeys(_PROVERS, "theory.provers"),
    **dict.fromkeys(("shift", "below"), "theory.provers.certificates"),
    "judge": "theory.ledger.judge",
    "learning_rate_range": "theory.rates.ranges",
    "paper": "theory.papers",
    "ranges": "theory.rates.ranges",
    "smallest": "theory.bounds.sketch_size",
    "solve": "theory.rates.theorem_a",
}
__all__ = list(_HOME)


def __getattr__(name: str) -> Any:
    """A public name, from the module that defines it."""
    if name not in _HOME:
        raise AttributeError(f"module 'theory' has no attribute '{name}'")
    module, _, original = _HOME[name].partition(":")
    return getattr(import_module(module), original or name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
