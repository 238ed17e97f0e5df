"""Theorem 1 as printed is false: the exact runs, checked by Coq as instances of the printed statement."""

from theory.repaired.results import result

ENTRIES = (
    result(
        "Refutation",
        "Section 5, eq. (12), Theorem 1, negated",
        "Theorem 1 is false as printed, and also under every step-size condition of the paper",
        "The printed theorem, for all numbers of devices, local epochs and sketches, implies a "
        "contradiction. So does the theorem with the two step-size conditions of the appendix and rho > "
        "1/4 added.",
        r"\neg\,\text{Theorem 1}",
        ("Theorem_1_is_false", "Theorem_1_is_false_under_every_condition"),
    ),
)
