"""What the ledger is made of: a claim, the evidence for it, and an entry that ties a verdict to the
evidence.

An entry never asserts its own verdict. `judge` runs the evidence and accepts the verdict only if the
evidence that this verdict demands is there and checks out:

| verdict       | demands                                                                                   |
|---------------|-------------------------------------------------------------------------------------------|
| `valid`       | a proof of the statement from the hypotheses                                              |
| `conditional` | a proof under `condition`, and a counterexample at which the condition fails; the         |
|               | condition must not be the statement over again. If it is equivalent to the statement (the |
|               | statement solved for a letter), a proof that it is necessary                              |
| `absorbed`    | a counterexample or a proof that the derivation is wrong; a corrected form that earlier   |
|               | lines give; and a cover: a proof that the line `absorbed_at`, which is not refuted, still |
|               | follows with the corrected form in place of the printed one (`theory.absorption`)         |
| `refuted`     | a counterexample, or a proof of the negation                                              |
| `cited`       | a citation, and nothing that claims to be a proof of the statement                        |

Whether the *derivation* from the lines before is right is decided by `theory.derivations`, never asserted.

And, for all of them: a point that satisfies the hypotheses, printed denominators that are positive under
them, hypotheses that divide only by what others keep from zero, and two engines or more, unless the entry
says why there is one (`alone`). Whether the statement is *true* is read off the evidence (`truth`), it is not
a field. Where the machine decides less than the printed line, `scope` says what it decides, and `truth` says
so too.

    entry = Entry(
        id="L2.10", place="Appendix C.2, second display, line 2", title="6/(16AE) ≤ 1/(2E)",
        printed=r"\\frac{6}{16(1+2B^2(P_b+P_n))E} \\le \\frac{1}{2E}",
        claim=Claim((x >= 0, y >= 0, E >= 1), Rational(6, 16) / (A * E) <= 1 / (2 * E)),
        verdict=Verdict.VALID, evidence=(proof(Positivity(shift(E, "e", 1))),), audit_rows=(20,),
    )
"""

from __future__ import annotations

from theory.entry import Correction, Derivation, Entry, Step, Verdict
from theory.evidence import (
    Citation,
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
    disproof,
    necessary,
    proof,
    proof_if,
    support,
)
from theory.judgement import Judgement, judge, missing_evidence
from theory.models import show_satisfiable
from theory.statements import (
    AnyClaim,
    Claim,
    FiniteClaim,
    Point,
    Test,
    equal,
    exact,
    exact_point,
    one_of,
)

__all__ = [
    "AnyClaim", "Citation", "Claim", "Correction", "Derivation", "Entry", "Evidence", "Finding",
    "FiniteClaim", "Judgement", "Method", "Outcome", "Point", "Role", "Step", "Test", "Verdict", "cited",
    "corrected_form", "counterexample", "cover", "derivation_wrong", "disproof", "equal", "exact",
    "exact_point", "judge", "missing_evidence", "necessary", "one_of", "proof", "proof_if",
    "show_satisfiable", "support",
]  # fmt: skip
