"""Theorem 1, averaging over the rounds (Appendix C.3), and the expectation that is dropped there."""

import sympy as sp

from theory.ledger import Claim
from theory.ledger.lines import defined, printed_line, refuted, silent_step
from theory.papers.fps.assumptions import EMPTY_SKETCHES
from theory.papers.fps.letters import R2, Lam, T, W, c, delta, gamma, real, tau
from theory.provers import AtPoint, Contradiction, SumOfSquares, term

R = sp.Rational
f0, fT, fs, rest, Sum, X, mean, prob = real("f0 fT fs rest Sum X mean prob")
rho = real("rho")[0]

LETTERS = {
    "f0": "f(w~_0); in T1.25w f(w_0)",
    "fT": "f(w~_{T+1})",
    "fs": "f(w*)",
    "Sum": "sum over t of |grad f(w_t)|^2",
    "rest": "what every round adds",
    "rho": "rho(gamma)",
    "f1": "f(w~_0)",
    "ip": "<grad f(w_0), w~_0 - w_0>",
    "size": "|grad f(w_0)|",
    "move": "|w~_0 - w_0|",
    "dist2": "|w~_0 - w_0|^2",
    "left": "what top-k leaves out of w_0, squared",
    "error": "squared error of the estimates that are kept",
    "X": "the mean of the squared gradients, a random number",
    "mean": "its expectation",
    "prob": "probability with which X is not 0",
}

rounds = gamma * rho * Sum <= f0 - fT + (T + 1) * rest
lemma1 = R2 <= (1 / c + tau) * W
f1, ip, size, move, dist2, left, error = real("f1 ip size move dist2 left error")
smooth, aligned = f1 - f0 - ip <= Lam / 2 * dist2, ip <= size * move
apart, root, exactly = sp.Eq(dist2, left + error), sp.Eq(move**2, dist2), sp.Eq(left + error, 0)
rest_of = size**2 + size * move * Lam + Lam**2 / 4 * dist2

ENTRIES = defined(
    LETTERS,
    printed_line(
        id="T1.25",
        place="Appendix C.3, first display after eq. (28)",
        title="The rounds telescope, and the last value is at least the minimum",
        printed=r"\frac{1}{T+1}\sum_{t=0}^T\gamma\rho(\gamma)\|\nabla f(w_t)\|^2\le\frac{|f(w_0)"
        r"-f(w^*)|}{T+1}+\dots",
        claim=Claim((T >= 0, rounds, fT >= fs), gamma * rho * Sum / (T + 1) <= (f0 - fs) / (T + 1) + rest),
        method=SumOfSquares((term(1 / (T + 1), 1, rounds), term(1 / (T + 1), 1, fT >= fs))),
        depends=("T1.15", "T1.1c"),
        note="The differences of f over consecutive rounds cancel but for the first and the last.",
    ),
    silent_step(
        id="T1.25w",
        place="Appendix C.3, first display after eq. (28), the first term",
        title="The proof starts from the unsketched point, the theorem names the point before sketching",
        printed=r"f(\tilde w_0)\le f(w_0)",
        claim=Claim(
            (Lam > 0, *(s >= 0 for s in (size, move, left, error)), apart, root, smooth, aligned, exactly),
            f1 <= f0,
        ),
        method=Contradiction(
            (
                term(1, 1, f1 > f0, f1 > f0),
                term(2, 1, f1 > f0, smooth),
                term(2, 1, f1 > f0, aligned),
                term(1, size * move + Lam / 2 * dist2 - (f1 - f0)),
            ),
            using=((-(size**2), root), (-rest_of, apart), (-rest_of, exactly)),
        ),
        depends=("T1.25", "A1"),
        scope=EMPTY_SKETCHES + " Then nothing is lost of w_0, which is all that is used. Otherwise f(w~_0) "
        "can be larger: f = |w - z|^2/2 with w_0 = z = (1,1) and k = 1 has f(w_0) = 0 and f(w~_0) = 1/2.",
    ),
    printed_line(
        id="T1.26",
        place="Appendix C.3, first display after eq. (28), the sketch term",
        title="Lemma 1 inserted for the residual, with a factor 2 to spare",
        printed=r"\tfrac{(L+\mu)^2}{2}\,\mathbb{E}_t\|w_t-\tilde w_t\|^2\le\left(\tfrac1c+\dots"
        r"\right)(L+\mu)^2W",
        claim=Claim((c >= 1, R2 >= 0, lemma1), Lam**2 / 2 * R2 <= (1 / c + tau) * Lam**2 * W),
        method=SumOfSquares((term(1, Lam, lemma1), term(R2 / 2, Lam))),
        depends=("T1.13", "L1"),
        note="tau is the printed tail factor; Lemma 1 is the hypothesis.",
    ),
    refuted(
        id="T1.27",
        place="Section 5, eq. (12), 'with probability at least 1 - delta'",
        title="The left side needs no expectation over the noise",
        printed=r"\text{the following result holds with probability at least }\ 1-\delta:\ \frac{1}{T"
        r"+1}\sum_{t=0}^T\|\nabla f(w_t)\|^2\le\dots",
        claim=Claim((prob > delta, delta > 0, prob < 1, X >= 0, mean > 0, sp.Eq(prob * X, mean)), X <= mean),
        fails=AtPoint({prob: R(1, 4), delta: R(1, 10), X: 4, mean: 1}),
        always=Contradiction(
            (
                term(1, 1, mean > 0, prob < 1),
                term(1, 1, X <= mean, prob > delta),
                term(1, 1, X <= mean, delta > 0),
            ),
            using=((1, sp.Eq(prob * X, mean)),),
        ),
        depends=("T1.25", "T1.26"),
        right=(
            "keep the expectation over gradient noise on the left, or pay a factor 1/delta by Markov's "
            "inequality",
            r"\mathbb{E}\left[\tfrac{1}{T+1}\textstyle\sum_t\|\nabla f(w_t)\|^2\right]\le R",
        ),
        severity="fixable",
        note="A two-point variable: X with probability prob > delta, 0 otherwise, so its mean is prob X.",
        reading="The left side is meant in expectation over the gradient noise, and probability "
        "speaks of the hash alone.",
    ),
)
