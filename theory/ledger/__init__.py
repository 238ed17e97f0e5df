"""The ledger: one entry per line of the paper, its verdict, and evidence that is run again.

An entry states a claim and a verdict. `theory.ledger.judge` runs the evidence and accepts the verdict only if
that evidence is what it demands:

| verdict       | demands                                                                                   |
| ------------- | ----------------------------------------------------------------------------------------- |
| `valid`       | a proof, and no counterexample                                                            |
| `conditional` | a proof under a condition, and a counterexample outside it; where the condition is        |
|               | equivalent to the claim, a proof that it is necessary                                     |
| `absorbed`    | a counterexample or a proof that the derivation is wrong; and a cover: one implication,   |
|               | proved, from the corrected form to a later line that is not refuted                       |
| `refuted`     | a counterexample, or a proof of the negation                                              |
| `cited`       | a citation, and no proof of the statement                                                 |
| `underived`   | a proof, and a proof or point that shows that the derivation does not give it             |
| `undefined`   | a proof in the charitable reading, and a counterexample in another one                    |

And for all of them: a point that satisfies the hypotheses, denominators that cannot vanish, a statement that
says something, and two engines, unless the evidence says why there is one.

    printed_line(
        id="L2.10", place="Appendix C.2, second display after eq. (15), line 2",
        title="6/(16AE) is at most 1/(2E)",
        printed=r"\\frac{6}{16(1+2B^2(P_b+P_n))E} \\le \\frac{1}{2E}",
        claim=Claim((x >= 0, y >= 0, E >= 1), Rational(6, 16) / (A * E) <= 1 / (2 * E)),
        method=Positivity(shift(E, "e", 1)),
    )

`theory.ledger.lines` has such a function for each verdict.
"""

from theory.ledger.entry import Corrected, Entry, Kind, Severity, Verdict
from theory.ledger.evidence import (
    Evidence,
    Finding,
    Method,
    Outcome,
    Role,
    cited,
    corrected_form,
    counterexample,
    cover,
    derivation_wrong,
    other_reading,
    proof,
    support,
)  # fmt: skip
from theory.ledger.statements import AnyClaim, Claim, FiniteClaim, Point, Stated, Test, equal

__all__ = [
    "AnyClaim", "Claim", "Corrected", "Entry", "Evidence", "Finding", "FiniteClaim", "Kind", "Method",
    "Outcome", "Point", "Role", "Severity", "Stated", "Test", "Verdict", "cited", "corrected_form",
    "counterexample", "cover", "derivation_wrong", "equal", "other_reading", "proof", "support",
]  # fmt: skip
