"""Where no run can break Theorem 1: two readings of its assumptions under which b² pays for everything.

They say why the runs with k < d read Assumption 4 with ≤ or with the constant of the law, and why
heterogeneity-drift is no refutation if Definition 1 is read for the sum of the local gradients.
"""

import sympy as sp

from theory.assumptions import EPOCHS, RATE, SMOOTH
from theory.ledger import Claim, support
from theory.ledger.lines import defined, question
from theory.provers import SumOfSquares, term
from theory.symbols import F0, E, G, Lam, P_b, T, b2, gamma, real

Sum, Biases, u, bt = real("Sum Biases u bt")
SMALL = (P_b > 0, 6 * P_b < 1)  # a learning rate exists only if 6 P_b E²B² < 1 (entry S.4)
SCOPE = (
    "B >= 1, which Assumption 5 gives if S_eps has a point (entry S.7). If S_eps is empty, B may be small."
)

LETTERS = {
    "Sum": "sum over t of |grad f(w_t)|^2",
    "Biases": "sum over t of |beta_t|^2",
    "u": "a coordinate of grad f(w_t)",
    "bt": "the same coordinate of beta_t",
}


small = Lam * gamma <= 1
moved = -gamma * u * (u + bt) + Lam / 2 * gamma**2 * (u + bt) ** 2
ONE_ROUND = support(
    Claim((SMOOTH, RATE, small), moved <= gamma / 2 * bt**2 - gamma / 2 * u**2),
    SumOfSquares((term(gamma / 2, u + bt, small),)),
    "one round, coordinate by coordinate: f falls by gamma/2 (|grad f|^2 - |beta|^2) or more",
)
descent = gamma / 2 * (Sum - Biases) <= F0
bias = Biases <= P_b * Sum + (T + 1) * b2
spare = term((1 - 6 * P_b) / (5 * (T + 1)), 1, Sum >= 0)
rest = term(2 * E**2 - sp.Rational(6, 5), 1, b2 >= 0)
used = (
    term(sp.Rational(12, 5) / (gamma * (T + 1)), 1, descent),
    term(sp.Rational(6, 5) / (T + 1), 1, bias),
)
none = G <= P_b * G + b2

ENTRIES = defined(
    LETTERS,
    question(
        id="T1.36",
        place="Section 5, eq. (12), with Definition 1 for the sum of the local gradients",
        title="In that reading heterogeneity is bias: only the first term can be too small, by at most 12/5",
        printed=r"\frac{1}{T+1}\sum_t\|\nabla f(w_t)\|^2\le"
        r"\frac{12}{5}\cdot\frac{f(w_0)-f(w^*)}{\gamma(T+1)}+2E^2b^2",
        claim=Claim(
            (RATE, T >= 0, EPOCHS, Sum >= 0, b2 >= 0, *SMALL, descent, bias),
            Sum / (T + 1) <= sp.Rational(12, 5) * F0 / (gamma * (T + 1)) + 2 * E**2 * b2,
        ),
        method=SumOfSquares((*used, spare, rest)),
        beside=ONE_ROUND,
        scope=SCOPE,
        depends=("A1", "A3", "D1"),
        note="No noise, no compression, gamma (L+mu) <= 1. Sum and Biases add up over the rounds the "
        "squared norms of grad f(w_t) and of beta_t; the rounds telescope. So heterogeneity, which enters "
        "through beta_t there, cannot break the bound as T grows; the factor 12/5 on the first term is the "
        "missing 1/rho (entry T1.34).",
    ),
    question(
        id="T1.37",
        place="Section 5, eq. (12), with Assumption 4 as printed and d >= 2",
        title="Every gradient is 0 there, and b^2 pays: with k < d and B >= 1 no run breaks the bound",
        printed=r"\|\nabla f(w_t)\|^2\le 2E^2b^2",
        claim=Claim((G >= 0, EPOCHS, *SMALL, none), G <= 2 * E**2 * b2),
        method=SumOfSquares((term(2 * E**2, 1, none), term(2 * E**2 * (1 - P_b) - 1, 1, G >= 0))),
        scope=SCOPE,
        depends=("A3", "A4"),
        note="Entry S.6: such a gradient is 0, so Definition 1 gives beta_t = -grad f(w_t), which "
        "Assumption 3 bounds. For k < d no other term of the right side is negative. The runs with "
        "k < d therefore read Assumption 4 with <= in place of =, or with = up to the constant of the law.",
    ),
)
