"""Section 5, the remarks after Theorem 1: what they say of its right side and of the range."""

from theory.ledger import Claim, support
from theory.ledger.lines import defined, printed_line
from theory.papers.fps.letters import F0, E, Lam, T, W, b2, c, gamma, k, real, s2, x, y
from theory.papers.fps.theorem1.final import FINAL_B2, FINAL_S2
from theory.papers.fps.theorem1.rate import GAMMA_MAX
from theory.provers import Positivity, SumOfSquares, term
from theory.provers.certificates import shift, strictly_below

more, steps, x2, y2, eps = real("more steps x2 y2 eps")
LETTERS = {
    "more": "what is added to a letter",
    "steps": "local epochs that are added",
    "x2": "P_n times what is added to B^2",
    "y2": "P_b times what is added to B^2",
    "eps": "any number above 0",
}
SIGNS = (x >= 0, y >= 0, gamma > 0, Lam > 0, E >= 1)
ADDED = (x2 >= 0, y2 >= 0)
coefficients = FINAL_B2 * b2 + FINAL_S2 * s2
later = coefficients.subs({E: E + steps, x: x + x2, y: y + y2}, simultaneous=True)
wider = GAMMA_MAX.subs({x: x + x2, y: y + y2}, simultaneous=True)
enough = T + 1 >= F0 / (gamma * eps)

ENTRIES = defined(
    LETTERS,
    printed_line(
        id="T1.45",
        place="Section 5, remarks after Theorem 1, first item",
        title="The first term vanishes as T grows",
        printed=r"\frac{|f(w_0)-f(w^*)|}{\gamma(T+1)}",
        claim=Claim((gamma > 0, F0 >= 0, T >= 0, eps > 0, enough), F0 / (gamma * (T + 1)) <= eps),
        method=SumOfSquares((term(eps / (T + 1), 1, enough),)),
        depends=("T1",),
    ),
    printed_line(
        id="T1.46",
        place="Section 5, remarks after Theorem 1, second item",
        title="The second term shrinks as c and k grow",
        printed=r"\left(\frac1c+\frac{(k+1)^{1-2p}-d^{1-2p}}{2p-1}\right)(L+\mu)^2W",
        claim=Claim(
            (c > 1, k >= 1, more >= 0, W >= 0, Lam > 0),
            (1 / (c + more) + 1 / (k + 1 + more)) * Lam**2 * W <= (1 / c + 1 / (k + 1)) * Lam**2 * W,
        ),
        method=Positivity(shift(c, "u", 1, strict=True), shift(k, "v", 1)),
        depends=("T1",),
        scope="p = 1, c and k raised by the same number; the part with d does not change. What a larger "
        "sketch "
        "would do to the corrected term, which has 1/(2 gamma) in front, the remark does not say (T1.29).",
    ),
    printed_line(
        id="T1.47",
        place="Section 5, remarks after Theorem 1, third item",
        title="The terms of bias and noise grow with E and B",
        printed=r"\text{These terms grow with increasing local epochs }E\text{ and data heterogeneity }B.",
        claim=Claim((*SIGNS, *ADDED, steps >= 0, b2 >= 0, s2 >= 0), coefficients <= later),
        method=Positivity(shift(E, "e", 1)),
        depends=("T1",),
        note="True of the right side as printed, and of the corrected coefficients (entry T1.35).",
    ),
    printed_line(
        id="T1.48",
        place="Section 5, remarks after Theorem 1, fourth item, first half",
        title="A larger B asks for a smaller learning rate",
        printed=r"\text{When dissimilarity }B\text{ is large, a smaller learning rate should be used}",
        claim=Claim((*SIGNS[:2], *ADDED, Lam > 0, E >= 1, 6 * (y + y2) * E**2 < 1), wider <= GAMMA_MAX),
        method=Positivity(
            strictly_below(y2, "w", 1 / (6 * E**2) - y),
            strictly_below(y, "m", 1 / (6 * E**2)),
            shift(E, "e", 1),
        ),
        depends=("T1.21",),
    ),
    printed_line(
        id="T1.49",
        place="Section 5, remarks after Theorem 1, fourth item, last sentence",
        title="A smaller learning rate makes the terms of bias and noise smaller",
        printed=r"\text{a smaller learning rate reduces the size of the neighborhood scaled by bias "
        r"and variance}",
        claim=Claim(
            (*SIGNS, more >= 0, b2 >= 0, s2 >= 0), coefficients <= coefficients.subs(gamma, gamma + more)
        ),
        method=Positivity(shift(E, "e", 1)),
        beside=support(
            Claim((*SIGNS, b2 >= 0, s2 >= 0), 2 * E**2 * (b2 + s2) <= coefficients),
            Positivity(shift(E, "e", 1)),
            "but never below 2E^2 (b^2 + sigma^2), however small the rate is",
        ),
        depends=("T1",),
    ),
)
