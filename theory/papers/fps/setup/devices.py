"""Sections 4 and 5: dissimilar devices, bounded iterates, and the structure of the gradient."""

import sympy as sp

from theory.ledger import Claim, equal, support
from theory.ledger.lines import SILENT, conditional, defined, printed_line, refuted, silent_step
from theory.papers.fps.assumptions import DESCENT_RATE, LEMMA2_RATE
from theory.papers.fps.letters import B, E, G, Lam, P_n, W, b2, gamma, mu, real, s2, x, y
from theory.papers.fps.theorem1.rate import ASKED
from theory.provers import AtPoint, Cases, Contradiction, Identity, SumOfSquares, term

R = sp.Rational
w, cen, m1, m2, u, gr, eg, ms = real("w cen m1 m2 u gr eg ms")

LETTERS = {
    "count": "number of devices M",
    "total": "one coordinate, summed over the devices",
    "squares": "its squares, summed over the devices",
    "eps": "epsilon of Assumption 5",
    "ms": "mean over the devices of |grad f_m|^2; in S.7 at the point of S_eps",
    "far": "|grad f|^2 at a point of S_eps",
    "w": "the iterate",
    "after": "the iterate after one round",
    "cen": "the centre of the proximal term",
    "slope": "grad f(w) where w >= 1",
    "bias": "the bias beta_t",
    "gr": "one coordinate of g_t",
    "u": "one coordinate of grad f",
    "eg": "one coordinate of E g_t",
    "bt": "one coordinate of the bias beta_t",
    "zt": "one coordinate of the noise zeta_t",
    "m1": "first value of g_t",
    "m2": "second value of g_t",
    "z1": "noise at the first value",
    "z2": "noise at the second value",
}

count, total, squares, eps = real("count total squares eps")
(far,) = real("far")
mean, bound = ms >= far, ms <= B**2 * far
jensen = total**2 <= count * squares
somewhere = sp.Or(G <= eps, ms <= B**2 * G)  # Assumption 5: the bound holds where |∇f|² > ε
P_b, L, after, slope, bias = real("P_b L after slope bias")
asked = tuple(part.subs({x: 0, E: 1, y: P_b, Lam: L + mu}) for part in (*ASKED, DESCENT_RATE, LEMMA2_RATE))
biased = bias**2 <= P_b * slope**2 + b2
step = sp.Eq(after, w - gamma * (slope + mu * (w - cen) + bias))
place = (w >= 1, w**2 <= W, sp.Eq(slope, L), sp.Eq(cen, w))
bt, zt, z1, z2 = real("bt zt z1 z2")
definitions = (sp.Eq(bt, eg - u), sp.Eq(zt, gr - eg), sp.Eq(z1, m1 - eg), sp.Eq(z2, m2 - eg))

ENTRIES = defined(
    LETTERS,
    silent_step(
        id="S.7",
        place="Lemma 2 and later, B^2 in front of P_b and P_n",
        title="Assumption 2 gives the bound with B^2 in front, because B is at least 1",
        printed=r"P_n\|\nabla f\|^2+\sigma^2\le P_nB^2\|\nabla f\|^2+\sigma^2",
        claim=Claim(
            (P_n >= 0, B >= 0, G >= 0, eps > 0, far > eps, mean, bound),
            P_n * G + s2 <= P_n * B**2 * G + s2,
        ),
        method=SumOfSquares((term(P_n * G / far, 1, bound), term(P_n * G / far, 1, mean))),
        depends=("S.7b", "A2", "A5", "D2"),
        scope="S_eps has a point: some w has ||grad f(w)||^2 > eps. If not, Assumption 5 says nothing of B; "
        "the sentence after it takes B to be 1 or above.",
        note="At a point of S_eps the mean of the squared device gradients is at least |grad f|^2 (entry "
        "S.7b) and at most B^2 |grad f|^2 (Assumption 5), so B is at least 1.",
    ),
    silent_step(
        id="S.7b",
        place="Section 5, Definition 2",
        title="B(w) is at least 1 when f is the average of the device losses",
        printed=r"\left\|\tfrac1M\textstyle\sum_m\nabla f_m\right\|^2\le\tfrac1M\sum_m\|\nabla f_m\|^2",
        claim=Claim((count >= 1, jensen), (total / count) ** 2 <= squares / count),
        method=SumOfSquares((term(1 / count**2, 1, jensen),)),
        depends=("M.3a",),
        note="Per coordinate, by Cauchy-Schwarz over the devices (entry M.3a). So any B that Assumption 5 "
        "allows is at least 1 as soon as S_eps is not empty. The expectation of Definition 2 is read as one "
        "over the devices too; asked of every device, it gives B >= 1 as well.",
    ),
    conditional(
        id="S.8",
        kind=SILENT,
        place="Section 5, Assumption 5, used at every iterate",
        title="The dissimilarity is bounded at every iterate",
        printed=r"\tfrac1M\textstyle\sum_m\|\nabla f_m(w)\|^2\le B^2\|\nabla f(w)\|^2\ \text{ for all "
        r"} w",
        claim=Claim((B >= 1, G >= 0, ms >= 0, eps > 0, somewhere), ms <= B**2 * G),
        condition=G > eps,
        method=Cases(  # in the order of the printed cases: below eps, then Assumption 5
            (
                Contradiction((term(1, 1, G > eps), term(1, 1, G <= eps))),
                SumOfSquares((term(1, 1, ms <= B**2 * G),)),
            )
        ),
        fails=AtPoint({B: 10, G: 0, ms: 1, eps: R(1, 100)}),
        depends=("A5",),
        right="A3 of the repaired theory: mean of squares <= G^2 + B^2 |grad f|^2",
        severity="fixable",
        note="For f_1 = w and f_2 = -w the mean of the squared device gradients is 1, and grad f = 0. "
        "Assumption 5 bounds B(w) on S_eps only; the proofs never distinguish the two regions.",
        reading="The proofs are meant on S_eps, where Assumption 5 speaks; then the theorem needs "
        "that every iterate stays there.",
    ),
    # The loss L (w^2/2 up to |w| = 1, then |w| - 1/2), one device, P_n = 0, E = B = 1.
    refuted(
        id="S.9",
        place="Section 4, third benefit of the proximal term",
        title="The proximal term bounds the iterates",
        printed=r"\|w^{gb}\|^2\le W",
        claim=Claim(
            (*(part for part in asked if part != sp.true), L > 0, mu > 0, *place, b2 > 0, biased, step),
            after**2 <= W,
        ),
        fails=AtPoint(
            {P_b: R(1, 20), gamma: R(1, 36), L: 1, mu: 1, slope: 1, bias: -2, b2: 4}
            | {w: 1, W: 1, cen: 1, after: R(37, 36)}
        ),
        beside=support(
            Claim(
                (L > 0, sp.Eq(slope, L), sp.Eq(bias, -2 * L), sp.Eq(cen, w)),
                equal(w - gamma * (slope + mu * (w - cen) + bias), w + gamma * L),
            ),
            Identity(),
            "with the bias -2L every round from w >= 1 on adds gamma L, for every mu, so no W works",
        ),
        depends=("AW",),
        right="W has to be assumed, or measured",
        severity="fixable",
        note="One device, E = 1, the convex loss that is L w^2/2 up to |w| = 1 and L(|w| - 1/2) beyond, and "
        "a bias that Assumption 3 allows at b = 2L. The point meets eq. (11), rho = 35/132 > 1/4, gamma <= "
        "1/(2(L+mu)) and Lemma 2's condition. The centre of the proximal term moves with the model, so the "
        "term is zero at the start of each round.",
        reading="||w||^2 <= W as an assumption of its own, which Theorem 1 uses; only the reason "
        "given for it fails.",
    ),
    printed_line(
        id="S.10",
        place="Section 5, eq. (8) and (9), Definition 1",
        title="Bias and noise add up, and the noise has mean zero",
        printed=r"g_t(w_t)=\nabla f(w_t)+\beta_t+\zeta_t,\quad\mathbb{E}[\zeta_t]=0",
        claim=Claim(
            (*definitions, sp.Eq(eg, (m1 + m2) / 2)), sp.And(equal(gr, u + bt + zt), equal((z1 + z2) / 2, 0))
        ),
        method=Identity(),
        depends=("D1",),
        scope="The mean of the noise is computed for a gradient with two equally likely values m1, m2; in "
        "words, E(g - E g) = 0 for every law.",
    ),
)
