"""Lemma 2, second display: what the step-size condition does to the drift factor."""

import sympy as sp

from theory.assumptions import EPOCHS
from theory.ledger import Claim
from theory.ledger.lines import conditional, printed_line
from theory.paper.ranges import AT_RATE, BASE, FRESH_E, IN_RATE
from theory.provers import AtPoint, Positivity, Solver
from theory.provers.certificates import shift
from theory.symbols import A, E, Lam, gamma

R = sp.Rational


ENTRIES = (
    printed_line(
        id="L2.9",
        place="Appendix C.2, second display after eq. (15), line 1",
        title="The step-size condition bounds the drift factor by 6/(16AE)",
        printed=r"6E(L+\mu)^2\gamma^2(1+2B^2(P_b+P_n))\le\frac{6}{16(1+2B^2(P_b+P_n))E}",
        claim=Claim(IN_RATE, 6 * E * Lam**2 * gamma**2 * A <= R(6, 16) / (A * E)),
        method=Positivity(*AT_RATE),
        depends=("L2.8",),
        note="Coefficients of the drift.",
    ),
    printed_line(
        id="L2.10",
        place="Appendix C.2, second display after eq. (15), line 2",
        title="6/(16AE) is at most 1/(2E)",
        printed=r"\frac{6}{16(1+2B^2(P_b+P_n))E}\le\frac{1}{2E}",
        claim=Claim(BASE, R(6, 16) / (A * E) <= 1 / (2 * E)),
        method=Positivity(FRESH_E),
        depends=("L2.9",),
    ),
    conditional(
        id="L2.11",
        place="Appendix C.2, second display after eq. (15), line 3",
        title="1/(2E-1) + 1/(2E) is at most 1/(E-1), which divides by zero at E = 1",
        printed=r"\frac{1}{2E-1}+\frac{1}{2E}\le\frac{1}{E-1}",
        claim=Claim((EPOCHS,), 1 / (2 * E - 1) + 1 / (2 * E) <= 1 / (E - 1)),
        condition=E > 1,
        method=Positivity(shift(E, "e", 1, strict=True)),
        fails=AtPoint({E: 1}, undefined=True),
        needs=Solver(),
        alone="Only z3 shows that E > 1 is necessary: at E = 1 the line is not false but undefined (the "
        "counterexample), and no certificate of polynomials says that.",
        depends=("L2.10",),
        right="holds for E > 1; at E = 1 there is no drift and the lemma is trivial",
        severity="cosmetic",
    ),
)
