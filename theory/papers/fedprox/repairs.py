"""What is true beyond the print: Theorem 4 without its terms in K, the gain from K, and what follows."""

import sympy as sp

from theory.ledger import Claim, Stated, equal, support
from theory.ledger.lines import QUESTION, defined, question, refuted
from theory.letters import real
from theory.papers.fedprox.letters import (
    MISS,
    POSITIVE,
    STEP,
    B,
    Delta,
    L,
    a,
    bracket,
    eps,
    gamma,
    mu,
    mubar,
    rho,
)
from theory.provers import AtPoint, Identity, KernelChecked, Positivity, SumOfSquares, term
from theory.provers.certificates import below, shift

R = sp.Rational
fs, f0, ip, Mn, s2, S, m2, s3, k, c, M2, m, x1, x2, x3, r, y, Lm, tau = real(
    "fs f0 ip Mn s2 S m2 s3 k c M2 m x1 x2 x3 r y Lm tau"
)
LETTERS = {
    "fs": "E f(w^{t+1})",
    "f0": "f(w)",
    "ip": "<grad f(w), M>",
    "Mn": "|M|",
    "s2": "E|w^{t+1} - w|^2",
    "s3": "E|w^{t+1} - mean|^2",
    "S": "E_k|w_k - w|^2",
    "m2": "|mean - w|^2",
    "k": "1/K, or (N-K)/(K(N-1)) without replacement",
    "c": "<grad f(w), M>/|grad f(w)|^2",
    "M2": "|M|^2/|grad f(w)|^2",
    "m": "a bound of |M|/|grad f(w)|",
    "x1": "w_1 - w, one coordinate",
    "x2": "w_2 - w, one coordinate",
    "x3": "w_3 - w, one coordinate",
    "r": "1 - gamma B",
    "y": "(1 + gamma) B",
    "tau": "the expected first round with |grad f|^2 <= epsilon",
}
one_line = (
    fs <= f0 - a**2 / mu - ip / mu + L / 2 * s2,
    -ip <= a * Mn,
    Mn <= MISS * a,
    s2 <= S,
    S <= STEP**2 * a**2,
)
rho_k = (1 - m) / mu - L * (1 - k) * (1 - m) ** 2 / (2 * mu**2) - k * L * STEP**2 / 2
with_k = (
    fs <= f0 - a**2 / mu * (1 + c) + L / 2 * ((1 - k) * a**2 / mu**2 * (1 + 2 * c + M2) + k * S),
    S <= STEP**2 * a**2,
    c >= -m,
    M2 <= m**2,
)
exact = bracket(gamma=sp.Integer(0), mubar=mu)
thirds = R(1, 9)
mu_enough = L * y * (2 + y) / r  # mubar, where mu = mubar + L_-
no_mu = bracket(gamma=1 / B, mubar=mu)

ENTRIES = defined(
    LETTERS,
    question(
        id="FP.RJ",
        place="repair of Theorem 4, its one line",
        title="The mean of the chosen devices moves no further than the devices do in the mean square",
        claim=Claim((), ((x1 + x2 + x3) / 3) ** 2 <= (x1**2 + x2**2 + x3**2) / 3),
        method=SumOfSquares((term(thirds, x1 - x2), term(thirds, x1 - x3), term(thirds, x2 - x3))),
        scope="Three draws, one coordinate.",
    ),
    question(
        id="FP.RS",
        place="repair of Theorem 4, the exact second moment",
        title="The second moment of the step with K devices",
        claim=Claim((sp.Eq(s2, m2 + s3), sp.Eq(s3, k * (S - m2))), equal(s2, (1 - k) * m2 + k * S)),
        method=Identity(),
        depends=("FP.13a",),
    ),
    question(
        id="FP.R1",
        place="repair of Theorem 4",
        title="Theorem 4 without its two terms in K, for every K >= 1",
        printed=r"\rho=\frac{1-\gamma B}\mu-\frac{LB(1+\gamma)}{\bar\mu\mu}-\frac{L(1+\gamma)^2B^2}{2"
        r"\bar\mu^2}",
        claim=Claim((*POSITIVE, *one_line), fs <= f0 - bracket() * a**2),
        method=SumOfSquares(
            (
                term(1, 1, one_line[0]),
                term(1 / mu, 1, one_line[1]),
                term(a / mu, 1, one_line[2]),
                term(L / 2, 1, one_line[3]),
                term(L / 2, 1, one_line[4]),
            )
        ),
        depends=("FP.RJ", "FP.8c", "FP.13c", "FP.13d", "FP.s2"),
        note="In place of (9)-(14): L-smoothness of f at w^t itself. E w^{t+1} is the mean over all "
        "devices, and "
        "E|w^{t+1} - w|^2 <= E_k|w_k - w|^2. So rho is the bracket of the paper's own (8). The argument is "
        "the "
        "standard one for SGD; nothing about it is new.",
    ),
    question(
        id="FP.R1c",
        place="repair of Theorem 4, over vectors and expectations",
        title="Theorem 4 without its terms in K, for vectors in any space and any fair choice of devices",
        printed=r"\mathbb{E}f(w^{t+1})\le f(w^t)-\rho\|\nabla f(w^t)\|^2",
        claim=Stated(
            "The server takes a weighted mean of the answers with random weights whose means are the p_k: K "
            "independent draws by p_k, or K of N devices without replacement if all p_k are 1/N. Then f "
            "falls in the mean by rho |grad f|^2 or more, with the rho of entry FP.R1, for every K >= 1; "
            "for K independent draws also with that of entry FP.RK.",
            r"\mathbb{E}f(w^{t+1})\le f(w^t)-\rho\|\nabla f(w^t)\|^2",
        ),
        method=KernelChecked(
            "Improved_Theorem_4",
            "Theorem_4_With_A_Spread",
            "Theorem_4_With_K",
            "Theorem_4_Can_Be_Met",
            "Improved_Theorem_4_With_Replacement",
            "Improved_Theorem_4_Without_Replacement",
            "Rho_Is_Positive",
        ),
        depends=("FP.R1", "FP.RK"),
    ),
    question(
        id="FP.RK",
        place="repair of Theorem 4, with what K devices gain",
        title="Theorem 4 with the true gain from K devices",
        printed=r"\rho=\frac{1-m}\mu-\frac{L(1-\kappa)(1-m)^2}{2\mu^2}-\frac{\kappa LB^2(1+"
        r"\gamma)^2}{2\bar\mu^2},\ "
        r"m=\gamma B+\frac{LB(1+\gamma)}{\bar\mu}\le1",
        claim=Claim(
            (mu > 0, mubar > 0, L >= 0, gamma >= 0, B >= 0, a >= 0, k >= 0, k <= 1, m >= 0, m <= 1,
             mu - L * (1 - k) >= 0, *with_k),
            fs <= f0 - rho_k * a**2,
        ),
        method=SumOfSquares(
            (
                term(1, 1, with_k[0]),
                term(L * k / 2, 1, with_k[1]),
                term(a**2 / mu**2, 1, mu - L * (1 - k) >= 0, with_k[2]),
                term(L * a**2 / (2 * mu**2), 1, k <= 1, with_k[3]),
            )
        ),
        depends=("FP.RS", "FP.8c", "FP.13d"),
        note="kappa = 1/K with replacement, (N-K)/(K(N-1)) uniformly without. kappa = 1 is R1.",
    ),
    question(
        id="FP.R5q",
        place="repair of Remark 5",
        title="gamma B < 1 alone leaves a proximal parameter, for every K",
        printed=r"\mu=L_-+\frac{Lb(2+b)}{1-\gamma B},\ b=(1+\gamma)B\ \Rightarrow\ \rho\ge\frac49\cdot"
        r"\frac{1-\gamma B}\mu",
        claim=Claim(
            (Lm > 0, L >= Lm, r > 0, r <= 1, y >= 1),
            2 * r * mu_enough**2 - L * (2 * y + y**2) * mu_enough - L * y**2 * Lm
            >= R(8, 9) * r * mu_enough**2,
        ),
        method=Positivity(shift(y, "z", 1), shift(L, "over", Lm), below(r, "u", sp.Integer(1))),
        depends=("FP.R1",),
        note="Twice mubar^2 mu rho, with rho of R1 and mu = mubar + L_-.",
    ),
    refuted(
        id="FP.R5n",
        kind=QUESTION,
        place="repair of Remark 5, the other direction",
        title="Some proximal parameter gives R1 a positive rho although gamma B = 1",
        claim=Claim((mu > 0, L > 0, B >= 1), no_mu > 0),
        fails=AtPoint({mu: 1, L: 1, B: 2}),
        always=SumOfSquares((term(L * (B + 1) / mu**2), term(L * (B + 1) ** 2 / (2 * mu**2)))),
        depends=("FP.R1",),
        right="gamma B < 1 is necessary in the worst case: with |grad F_k| = B |grad f| and residuals of "
        "the size "
        "gamma B |grad f| along grad f, f does not fall for any mu",
    ),
    question(
        id="FP.C7q",
        place="repair of Corollary 7",
        title="mu = 6 L B^2 gives 1/(8 L B^2) for every B >= 1 and every K >= 1",
        printed=r"\rho\ge\frac1{8LB^2}",
        claim=Claim((L > 0, B >= 1), exact.subs(mu, 6 * L * B**2) >= 1 / (8 * L * B**2)),
        method=Positivity(shift(B, "over", 1)),
        beside=support(
            Claim((L > 0, B >= 1), equal(exact.subs(mu, L * B * (B + 2)), 1 / (2 * L * B * (B + 2)))),
            Identity(),
            "the best mu is L B (B + 2), with rho = 1/(2 L B (B + 2))",
        ),
        depends=("FP.R1",),
    ),
    question(
        id="FP.30q",
        place="repair of Appendix A.3, (16)",
        title="(16) for every B >= 1 and K >= 1",
        claim=Claim((L > 0, mu > 0, B >= 1), exact >= 1 / (2 * mu) - 3 * L * B**2 / (2 * mu**2)),
        method=Positivity(shift(B, "over", 1)),
        depends=("FP.R1",),
    ),
    question(
        id="FP.T6q",
        place="repair of Theorem 6",
        title="The first round with a small gradient comes after Delta/(rho epsilon) rounds in the mean",
        printed=r"\mathbb{E}\tau\le\frac\Delta{\rho\epsilon}",
        claim=Claim(
            (rho > 0, eps > 0, Delta >= 0, rho * s2 <= Delta, eps * tau <= s2), tau <= Delta / (rho * eps)
        ),
        method=SumOfSquares(
            (term(1 / eps, 1, eps * tau <= s2), term(1 / (rho * eps), 1, rho * s2 <= Delta)),
        ),
        letters={"s2": "expected sum of |grad f(w^t)|^2 over the rounds before tau"},
        depends=("FP.R1",),
        note="Before tau every squared gradient exceeds epsilon, and there Assumption 1 bounds B(w).",
    ),
)  # fmt: skip
