"""Appendix A.1: the proof of Theorem 4, line by line."""

import sympy as sp

from theory.ledger import Claim, Stated, cited, equal
from theory.ledger.entry import Entry, Kind, Verdict
from theory.ledger.lines import conditional, defined, printed_line, question
from theory.letters import real
from theory.papers.fedprox.letters import (
    MISS,
    POSITIVE,
    ROOT,
    STEP,
    B,
    K,
    L,
    a,
    b,
    bracket,
    gamma,
    mu,
    mubar,
    price,
    printed,
)
from theory.provers import AtPoint, Cases, Contradiction, Identity, SumOfSquares, term

p1, p2, w, w1, w2, e1, e2, E1, E2, F1, F2, G1, G2, h1 = real("p1 p2 w w1 w2 e1 e2 E1 E2 F1 F2 G1 G2 h1")
D, D0, D1, D2, g, g1, g2, n1, n2, x1, x2, e = real("D D0 D1 D2 g g1 g2 n1 n2 x1 x2 e")
S2, Eg, M1, Mn, f0, fb, fs, f1, f2, ip, ipg, m, m2 = real("S2 Eg M1 Mn f0 fb fs f1 f2 ip ipg m m2")
q, q1, q2, s, V, G, top, x, xa, xb, X2, EX, L0, Q, s1, s2, spread, small = real(
    "q q1 q2 s V G top x xa xb X2 EX L0 Q s1 s2 spread small"
)

LETTERS = {
    "p1": "weight of device 1, or probability of one choice of devices",
    "p2": "weight of device 2, or probability of the other choice",
    "w": "a coordinate of w",
    "w1": "a coordinate of w_1 (after the local work)",
    "w2": "a coordinate of w_2",
    "e1": "a coordinate of the residual of device 1",
    "e2": "a coordinate of the residual of device 2",
    "E1": "norm of the residual of device 1",
    "E2": "norm of the residual of device 2",
    "F1": "a coordinate of grad F_1(w_1)",
    "F2": "a coordinate of grad F_2(w_2)",
    "G1": "a coordinate of grad F_1(w)",
    "G2": "a coordinate of grad F_2(w)",
    "h1": "a coordinate of grad h_1(w_1; w)",
    "D": "distance of w_k from the exact local solution",
    "D0": "distance of w from the exact local solution",
    "D1": "|w_1 - w|",
    "D2": "|w_2 - w|",
    "e": "norm of the residual of a device",
    "g": "|grad F_k(w)|",
    "g1": "|grad F_1(w)|",
    "g2": "|grad F_2(w)|",
    "n1": "|w_1 - w|",
    "n2": "|w_2 - w|",
    "x1": "w_1 - w along the mean step",
    "x2": "w_2 - w along the mean step",
    "S2": "E_k|grad F_k(w)|^2, or of another quantity in its place",
    "Eg": "E_k|grad F_k(w)|",
    "M1": "M along a unit vector",
    "Mn": "|M|",
    "f0": "f(w)",
    "fb": "f at the mean of all devices",
    "fs": "E f(w^{t+1})",
    "f1": "f(w^{t+1}), or F_1, after the first choice",
    "f2": "f(w^{t+1}), or F_2, after the second choice",
    "ip": "<grad f(w), M>",
    "ipg": "<grad f(w), mean step>",
    "m": "length of the mean step",
    "m2": "its square",
    "q": "|w^{t+1} - w|",
    "q1": "L_0 |w^{t+1} - mean| after the first choice; in (11) |w^{t+1} - w|",
    "q2": "the same after the second choice",
    "s": "share of the way from the mean to w^{t+1}",
    "V": "distance of a point on that segment from w",
    "G": "norm of the gradient at that point",
    "top": "the larger of the two distances",
    "x": "|w^{t+1} - mean|",
    "xa": "|w^{t+1} - mean| after the first choice",
    "xb": "|w^{t+1} - mean| after the second choice",
    "X2": "E|w^{t+1} - mean|^2",
    "EX": "E|w^{t+1} - mean|",
    "L0": "the local Lipschitz constant",
    "Q": "Q_t",
    "s1": "E|w^{t+1} - mean|",
    "s2": "E|w^{t+1} - mean|^2",
    "spread": "E_k|w_k - mean|^2",
    "small": "how far the bracket of (8) may stay below 1 - gamma B",
}
TWO = "Two devices with weights p1 and p2, coordinate by coordinate."
residuals = (sp.Eq(e1, F1 + mu * (w1 - w)), sp.Eq(e2, F2 + mu * (w2 - w)), sp.Eq(p2, 1 - p1))
convex = (mubar * D <= e, e <= gamma * g)
triangle = (D1 <= D + D0, D <= gamma / mubar * g, D0 <= g / mubar)
weights = (p1 >= 0, p2 >= 0)
along = (x1 <= n1, x2 <= n2)
per_step = (n1 <= (1 + gamma) / mubar * g1, n2 <= (1 + gamma) / mubar * g2)
jensen, too_large = Eg**2 <= S2, sp.Not(Eg <= sp.sqrt(S2))
alike, larger = S2 <= B**2 * a**2, sp.Not(sp.sqrt(S2) <= B * a)
smooth = (F1 - G1 <= L * n1, F2 - G2 <= L * n2, -e1 <= E1, -e2 <= E2)
inexact = (E1 <= gamma * g1, E2 <= gamma * g2)
MEAN_M = p1 * (F1 - G1 - e1) + p2 * (F2 - G2 - e2)
MEAN_NORMS = p1 * (L * n1 + E1) + p2 * (L * n2 + E2)
descent = (f1 <= f0 + G1 * x + L / 2 * x**2, f2 <= f0 + G2 * x + L / 2 * x**2, sp.Eq(p2, 1 - p1))
collect = (fb <= f0 - a**2 / mu - ip / mu + L * STEP**2 / 2 * a**2, -ip <= a * Mn, Mn <= MISS * a)
enough, room = gamma * B + small <= 1, mu >= L * b * (2 + b) / small
positive_part = 1 - gamma * B - L * b / mu - L * b**2 / (2 * mu)
on_segment = (G <= a + L * V, V <= (1 - s) * m + s * q, m <= top, q <= top, s <= 1)
bounds = (
    Q <= (a + 2 * L * m) * s1 + L * s2,
    m <= STEP * a,
    s1 <= 2 * STEP * a / ROOT,
    s2 <= 2 * STEP**2 * a**2 / K,
)
final = (fs <= fb + Q, fb <= f0 - bracket() * a**2, Q <= price() * a**2)

ENTRIES = defined(
    LETTERS,
    printed_line(
        id="FP.1",
        place="Appendix A.1, first display, line 1",
        title="The residual of a device is the gradient of its local problem",
        printed=r"\nabla F_k(w_k^{t+1})+\mu(w_k^{t+1}-w^t)-e_k^{t+1}=0",
        claim=Claim((sp.Eq(h1, F1 + mu * (w1 - w)), sp.Eq(e1, h1)), equal(F1 + mu * (w1 - w) - e1, 0)),
        method=Identity(),
        depends=("FP.D1",),
        note="A definition.",
    ),
    printed_line(
        id="FP.2",
        place="Appendix A.1, second display",
        title="The mean step is a mean gradient step plus the mean residual",
        printed=r"\bar w^{t+1}-w^t=\frac{-1}{\mu}\mathbb{E}_k\left[\nabla F_k(w_k^{t+1})\right]"
        r"+\frac1\mu\mathbb{E}_k\left[e_k^{t+1}\right]",
        claim=Claim(
            (mu > 0, *residuals),
            equal(p1 * w1 + p2 * w2 - w, -(p1 * F1 + p2 * F2) / mu + (p1 * e1 + p2 * e2) / mu),
        ),
        method=Identity(),
        depends=("FP.1", "FP.s3"),
        scope=TWO,
    ),
    printed_line(
        id="FP.5",
        place="Appendix A.1, (5)",
        title="A gamma-inexact point is near the exact local solution",
        printed=r"\|\hat w_k^{t+1}-w_k^{t+1}\|\le\frac{\gamma}{\bar\mu}\|\nabla F_k(w^t)\|",
        claim=Claim((mubar > 0, *convex), D <= gamma / mubar * g),
        method=SumOfSquares((term(1 / mubar, 1, convex[0]), term(1 / mubar, 1, convex[1]))),
        depends=("FP.D1", "FP.s1", "A1"),
        note="Strong convexity says mubar |w_k - exact| <= |grad h_k(w_k) - grad h_k(exact)|, the last of "
        "which is 0.",
    ),
    printed_line(
        id="FP.5b",
        place="Appendix A.1, after (5)",
        title="The exact local solution is near w",
        printed=r"\|\hat w_k^{t+1}-w^t\|\le\frac1{\bar\mu}\|\nabla F_k(w^t)\|",
        claim=Claim((mubar > 0, mubar * D0 <= e, e <= g), D0 <= g / mubar),
        method=SumOfSquares((term(1 / mubar, 1, mubar * D0 <= e), term(1 / mubar, 1, e <= g))),
        depends=("FP.s1", "A1"),
    ),
    printed_line(
        id="FP.6",
        place="Appendix A.1, (6)",
        title="Triangle inequality: how far a device moves",
        printed=r"\|w_k^{t+1}-w^t\|\le\frac{1+\gamma}{\bar\mu}\|\nabla F_k(w^t)\|",
        claim=Claim((mubar > 0, *triangle), D1 <= (1 + gamma) / mubar * g),
        method=SumOfSquares(tuple(term(1, 1, each) for each in triangle)),
        depends=("FP.5", "FP.5b"),
    ),
    printed_line(
        id="FP.6a",
        place="Appendix A.1, display after (6), first inequality",
        title="The mean step is at most as long as the steps in the mean",
        printed=r"\|\bar w^{t+1}-w^t\|\le\mathbb{E}_k[\|w_k^{t+1}-w^t\|]",
        claim=Claim((*weights, *along), p1 * x1 + p2 * x2 <= p1 * n1 + p2 * n2),
        method=SumOfSquares((term(p1, 1, along[0]), term(p2, 1, along[1]))),
        scope="Two devices, along the mean step: there a step is at most its norm.",
    ),
    printed_line(
        id="FP.6b",
        place="Appendix A.1, display after (6), second inequality",
        title="(6) in the mean",
        printed=r"\mathbb{E}_k[\|w_k^{t+1}-w^t\|]\le\frac{1+\gamma}{\bar\mu}\mathbb{E}_k[\|\nabla "
        r"F_k(w^t)\|]",
        claim=Claim(
            (mubar > 0, *weights, *per_step),
            p1 * n1 + p2 * n2 <= (1 + gamma) / mubar * (p1 * g1 + p2 * g2),
        ),
        method=SumOfSquares((term(p1, 1, per_step[0]), term(p2, 1, per_step[1]))),
        depends=("FP.6",),
        scope="Two devices.",
    ),
    printed_line(
        id="FP.6c",
        place="Appendix A.1, display after (6), third inequality",
        title="A mean is at most the root of the mean square",
        printed=r"\mathbb{E}_k[\|\nabla F_k(w^t)\|]\le\sqrt{\mathbb{E}_k[\|\nabla F_k(w^t)\|^2]}",
        claim=Claim((Eg >= 0, S2 >= 0, jensen), Eg <= sp.sqrt(S2)),
        method=Contradiction(
            (term(1, 1, too_large, too_large), term(2 * sp.sqrt(S2), 1, too_large), term(1, 1, jensen))
        ),
        depends=("FP.D3",),
        note="That the squared mean is at most the mean square is entry FP.D3.",
    ),
    printed_line(
        id="FP.6d",
        place="Appendix A.1, display after (6), last inequality",
        title="Bounded dissimilarity bounds the devices' gradients",
        printed=r"\sqrt{\mathbb{E}_k[\|\nabla F_k(w^t)\|^2]}\le B\|\nabla f(w^t)\|",
        claim=Claim((B >= 0, a >= 0, S2 >= 0, alike), sp.sqrt(S2) <= B * a),
        method=Contradiction(
            (term(1, 1, larger, larger), term(2 * B * a, 1, larger), term(1, 1, alike)),
        ),
        depends=("A2", "FP.D3u"),
    ),
    printed_line(
        id="FP.7",
        place="Appendix A.1, definition of M before (7)",
        title="M is what separates the mean step from a gradient step",
        printed=r"\bar w^{t+1}-w^t=\frac{-1}\mu(\nabla f(w^t)+M_{t+1})",
        claim=Claim(
            (mu > 0, *residuals), equal(p1 * w1 + p2 * w2 - w, -(p1 * G1 + p2 * G2 + MEAN_M) / mu)
        ),
        method=Identity(),
        depends=("FP.2",),
        scope=TWO,
    ),
    printed_line(
        id="FP.8a",
        place="Appendix A.1, (7), first inequality",
        title="Smoothness bounds M by steps and residuals",
        printed=r"\|M_{t+1}\|\le\mathbb{E}_k[L\|w_k^{t+1}-w_k^t\|+\|e_k^{t+1}\|]",
        claim=Claim((*weights, *smooth), MEAN_M <= MEAN_NORMS),
        method=SumOfSquares(
            (term(p1, 1, smooth[0]), term(p2, 1, smooth[1]), term(p1, 1, smooth[2]), term(p2, 1, smooth[3]))
        ),
        depends=("FP.7", "A1"),
        scope="Two devices, along M.",
        note="The print has w_k^t for w^t.",
    ),
    printed_line(
        id="FP.8b",
        place="Appendix A.1, (7), second inequality",
        title="Steps and residuals are at most multiples of the gradients",
        printed=r"\mathbb{E}_k[L\|w_k^{t+1}-w_k^t\|+\|e_k^{t+1}\|]\le\left(\frac{L(1+\gamma)}{\bar"
        r"\mu}+\gamma\right)"
        r"\mathbb{E}_k[\|\nabla F_k(w^t)\|]",
        claim=Claim(
            (mubar > 0, L >= 0, *weights, *per_step, *inexact),
            MEAN_NORMS <= (L * (1 + gamma) / mubar + gamma) * (p1 * g1 + p2 * g2),
        ),
        method=SumOfSquares(
            (
                term(p1 * L, 1, per_step[0]),
                term(p2 * L, 1, per_step[1]),
                term(p1, 1, inexact[0]),
                term(p2, 1, inexact[1]),
            )
        ),
        depends=("FP.6", "FP.D1"),
        scope="Two devices.",
    ),
    printed_line(
        id="FP.8c",
        place="Appendix A.1, (7), third inequality",
        title="The bound of |M| by the gradient of f",
        printed=r"\left(\frac{L(1+\gamma)}{\bar\mu}+\gamma\right)\mathbb{E}_k[\|\nabla F_k(w^t)\|]"
        r"\le\left(\frac{L(1+\gamma)}{\bar\mu}+\gamma\right)B\|\nabla f(w^t)\|",
        claim=Claim(
            (mubar > 0, L >= 0, gamma >= 0, Eg <= B * a), (L * (1 + gamma) / mubar + gamma) * Eg <= MISS * a
        ),
        method=SumOfSquares((term(L * (1 + gamma) / mubar + gamma, 1, Eg <= B * a),)),
        depends=("FP.6c", "FP.6d", "FP.8b"),
    ),
    printed_line(
        id="FP.9a",
        place="Appendix A.1, (8), line 1",
        title="f is as smooth as the losses of its devices",
        printed=r"f(\bar w^{t+1})\le f(w^t)+\langle\nabla f(w^t),\bar w^{t+1}-w^t\rangle"
        r"+\frac L2\|\bar w^{t+1}-w^t\|^2",
        claim=Claim(
            (*weights, *descent), p1 * f1 + p2 * f2 <= f0 + (p1 * G1 + p2 * G2) * x + L / 2 * x**2
        ),
        method=SumOfSquares(
            (term(p1, 1, descent[0]), term(p2, 1, descent[1])),
            using=((-(f0 + L / 2 * x**2), sp.Eq(p2, 1 - p1)),),
        ),
        depends=("A1",),
        scope="Two devices with the same value at w, along the mean step of length x.",
    ),
    printed_line(
        id="FP.9b",
        place="Appendix A.1, (8), line 2",
        title="The mean step is inserted",
        printed=r"\le f(w^t)-\frac1\mu\|\nabla f(w^t)\|^2-\frac1\mu\langle\nabla f(w^t),M_{t+1}\rangle"
        r"+\frac{L(1+\gamma)^2B^2}{2\bar\mu^2}\|\nabla f(w^t)\|^2",
        claim=Claim(
            (mu > 0, mubar > 0, L >= 0, fb <= f0 + ipg + L / 2 * m2, sp.Eq(ipg, -(a**2 + ip) / mu),
             m2 <= STEP**2 * a**2),
            fb <= f0 - a**2 / mu - ip / mu + L * STEP**2 / 2 * a**2,
        ),
        method=SumOfSquares(
            (term(1, 1, fb <= f0 + ipg + L / 2 * m2), term(L / 2, 1, m2 <= STEP**2 * a**2)),
            using=((-1, sp.Eq(ipg, -(a**2 + ip) / mu)),),
        ),
        depends=("FP.7", "FP.9a", "FP.6a", "FP.6b", "FP.6c", "FP.6d"),
    ),
    printed_line(
        id="FP.9c",
        place="Appendix A.1, (8), line 3",
        title="What the mean over all devices decreases by",
        printed=r"\le f(w^t)-\left(\frac{1-\gamma B}\mu-\frac{LB(1+\gamma)}{\bar\mu\mu}"
        r"-\frac{L(1+\gamma)^2B^2}{2\bar\mu^2}\right)\|\nabla f(w^t)\|^2",
        claim=Claim((*POSITIVE, *collect), fb <= f0 - bracket() * a**2),
        method=SumOfSquares(
            (term(1, 1, collect[0]), term(1 / mu, 1, collect[1]), term(a / mu, 1, collect[2]))
        ),
        depends=("FP.8c", "FP.9b"),
    ),
    conditional(
        id="FP.10",
        place="Appendix A.1, sentence after (8)",
        title="A large proximal parameter makes the mean over all devices decrease f",
        printed=r"\text{if we set the penalty parameter }\mu\text{ large enough, we can get a decrease}",
        claim=Claim((mu > 0, L > 0, gamma >= 0, B >= 1, small > 0, room), positive_part > 0),
        condition=enough,
        method=Contradiction(
            (
                term(small / 2),
                term(1, 1, enough),
                term(small / (2 * mu), 1, room),
                term(1, 1, sp.Not(positive_part > 0)),
            )
        ),
        fails=AtPoint({mu: 100, L: 1, gamma: 1, B: 1, small: 1}),
        depends=("FP.9c",),
        severity="cosmetic",
        right="for gamma B < 1; for gamma B >= 1 no mu does it",
        reading="Remark 5 asks for gamma B < 1 a page earlier; the sentence is meant with it.",
        scope="mu times the bracket of (8), for L_- = 0. small is any number up to 1 - gamma B.",
    ),
    Entry(
        id="FP.11",
        kind=Kind.PRINTED,
        place="Appendix A.1, (9)",
        title="f is Lipschitz along the segment between the two means",
        printed=r"f(w^{t+1})\le f(\bar w^{t+1})+L_0\|w^{t+1}-\bar w^{t+1}\|",
        claim=Stated("Along a segment f changes by at most its steepest slope there times the length.", ""),
        verdict=Verdict.CITED,
        evidence=(cited("The mean value theorem."),),
        depends=("A1",),
        note="L_0 depends on the choice of devices, and stands inside the expectation: rightly so.",
    ),
    printed_line(
        id="FP.12a",
        place="Appendix A.1, display of L_0, first inequality",
        title="The slope along the segment",
        printed=r"L_0\le\|\nabla f(w^t)\|+L\max(\|\bar w^{t+1}-w^t\|,\|w^{t+1}-w^t\|)",
        claim=Claim((L >= 0, s >= 0, *on_segment), G <= a + L * top),
        method=SumOfSquares(
            (
                term(1, 1, on_segment[0]),
                term(L, 1, on_segment[1]),
                term(L, 1, s <= 1, m <= top),
                term(L * s, 1, q <= top),
            )
        ),
        depends=("FP.11", "A1"),
    ),
    printed_line(
        id="FP.12b",
        place="Appendix A.1, display of L_0, second inequality",
        title="A maximum is at most the sum",
        printed=r"\le\|\nabla f(w^t)\|+L(\|\bar w^{t+1}-w^t\|+\|w^{t+1}-w^t\|)",
        claim=Claim((L >= 0, m >= 0, q >= 0, sp.Or(top <= m, top <= q)), a + L * top <= a + L * (m + q)),
        method=Cases(
            (
                SumOfSquares((term(L, 1, top <= m), term(L * q))),
                SumOfSquares((term(L, 1, top <= q), term(L * m))),
            )
        ),
    ),
    printed_line(
        id="FP.13",
        place="Appendix A.1, (10)",
        title="The expectation over the choice of devices",
        printed=r"\mathbb{E}_{S_t}\left[f(w^{t+1})\right]\le f(\bar w^{t+1})+Q_t",
        claim=Claim(
            (*weights, sp.Eq(p2, 1 - p1), f1 <= fb + q1, f2 <= fb + q2),
            p1 * f1 + p2 * f2 <= fb + p1 * q1 + p2 * q2,
        ),
        method=SumOfSquares(
            (term(p1, 1, f1 <= fb + q1), term(p2, 1, f2 <= fb + q2)), using=((-fb, sp.Eq(p2, 1 - p1)),)
        ),
        depends=("FP.11",),
        scope="Two possible choices, with probabilities p1 and p2.",
    ),
    printed_line(
        id="FP.14a",
        place="Appendix A.1, (11), line 1",
        title="The bound of L_0 is inserted",
        printed=r"Q_t\le\mathbb{E}_{S_t}[(\|\nabla f\|+L(\|\bar w-w^t\|+\|w^{t+1}-w^t\|))\|w^{t+1}-\bar w\|]",
        claim=Claim((x >= 0, L0 <= a + L * (m + q)), L0 * x <= (a + L * (m + q)) * x),
        method=SumOfSquares((term(x, 1, L0 <= a + L * (m + q)),)),
        depends=("FP.12a", "FP.12b", "FP.13"),
        note="For each choice of devices. A bracket of the print is not closed.",
    ),
    printed_line(
        id="FP.14b",
        place="Appendix A.1, (11), line 2",
        title="What does not depend on the choice leaves the expectation",
        printed=r"\le(\|\nabla f\|+L\|\bar w-w^t\|)\mathbb{E}[\|w^{t+1}-\bar w\|]"
        r"+L\mathbb{E}[\|w^{t+1}-w^t\|\cdot\|w^{t+1}-\bar w\|]",
        claim=Claim(
            (sp.Eq(p2, 1 - p1),),
            equal(
                p1 * (a + L * (m + q1)) * xa + p2 * (a + L * (m + q2)) * xb,
                (a + L * m) * (p1 * xa + p2 * xb) + L * (p1 * q1 * xa + p2 * q2 * xb),
            ),
        ),
        method=Identity(),
        scope="Two possible choices.",
    ),
    printed_line(
        id="FP.14c",
        place="Appendix A.1, (11), line 3",
        title="Triangle inequality from w over the mean",
        printed=r"\le(\|\nabla f\|+2L\|\bar w-w^t\|)\mathbb{E}[\|w^{t+1}-\bar w\|]+L\mathbb{E}["
        r"\|w^{t+1}-\bar w\|^2]",
        claim=Claim(
            (L >= 0, x >= 0, q <= m + x), (a + L * m) * x + L * q * x <= (a + 2 * L * m) * x + L * x**2
        ),
        method=SumOfSquares((term(L * x, 1, q <= m + x),)),
        depends=("FP.14a", "FP.14b"),
        note="For each choice of devices.",
    ),
    printed_line(
        id="FP.15",
        place="Appendix A.1, (12)",
        title="The mean distance is at most the root of its mean square",
        printed=r"\mathbb{E}_{S_t}[\|w^{t+1}-\bar w^{t+1}\|]\le\sqrt{\mathbb{E}_{S_t}[\|w^{t+1}-\bar "
        r"w^{t+1}\|^2]}",
        claim=Claim((EX >= 0, X2 >= 0, EX**2 <= X2), EX <= sp.sqrt(X2)),
        method=Contradiction(
            (
                term(1, 1, EX > sp.sqrt(X2), EX > sp.sqrt(X2)),
                term(2 * sp.sqrt(X2), 1, EX > sp.sqrt(X2)),
                term(1, 1, EX**2 <= X2),
            )
        ),
        depends=("FP.D3",),
    ),
    printed_line(
        id="FP.13b",
        place="Appendix A.1, (13), line 2",
        title="The variance over the devices is at most twice the mean squared step",
        printed=r"\frac1K\mathbb{E}_k[\|w_k^{t+1}-\bar w^{t+1}\|^2]\le\frac2K\mathbb{E}_k["
        r"\|w_k^{t+1}-w^t\|^2]",
        claim=Claim((K >= 1, sp.Eq(spread, S2 - m2), m2 >= 0, S2 >= 0), spread / K <= 2 / K * S2),
        method=SumOfSquares(
            (term(1 / K, 1, S2 >= 0), term(1 / K, 1, m2 >= 0)), using=((-1 / K, sp.Eq(spread, S2 - m2)),)
        ),
        depends=("FP.13a",),
    ),
    question(
        id="FP.13q",
        place="Appendix A.1, (13), line 2, without the factor 2",
        title="Is the factor 2 needless?",
        claim=Claim((sp.Eq(spread, S2 - m2), m2 >= 0), spread <= S2),
        method=SumOfSquares((term(1, 1, m2 >= 0),), using=((-1, sp.Eq(spread, S2 - m2)),)),
        note="Yes: a variance is the mean square minus the squared mean. Every root of 2 in rho could go.",
    ),
    printed_line(
        id="FP.13c",
        place="Appendix A.1, (13), line 3",
        title="(6) in the mean square",
        printed=r"\le\frac2K\frac{(1+\gamma)^2}{\bar\mu^2}\mathbb{E}_k\left[\|\nabla F_k(w^t)\|^2\right]",
        claim=Claim(
            (mubar > 0, K >= 1, gamma >= 0, *weights, n1 >= 0, n2 >= 0, g1 >= 0, g2 >= 0, *per_step),
            2 / K * (p1 * n1**2 + p2 * n2**2)
            <= 2 / K * (1 + gamma) ** 2 / mubar**2 * (p1 * g1**2 + p2 * g2**2),
        ),
        method=SumOfSquares(
            (
                term(2 * p1 / K * (n1 + (1 + gamma) / mubar * g1), 1, per_step[0]),
                term(2 * p2 / K * (n2 + (1 + gamma) / mubar * g2), 1, per_step[1]),
            )
        ),
        depends=("FP.6", "FP.13b"),
        scope="Two devices.",
        note="The print shows a stray sign before the expectation.",
    ),
    printed_line(
        id="FP.13d",
        place="Appendix A.1, (13), line 4",
        title="Bounded dissimilarity once more",
        printed=r"\le\frac{2B^2}K\frac{(1+\gamma)^2}{\bar\mu^2}\|\nabla f(w^t)\|^2",
        claim=Claim(
            (mubar > 0, K >= 1, gamma >= 0, alike),
            2 / K * (1 + gamma) ** 2 / mubar**2 * S2 <= 2 * STEP**2 / K * a**2,
        ),
        method=SumOfSquares((term(2 / K * (1 + gamma) ** 2 / mubar**2, 1, alike),)),
        depends=("FP.13c", "A2"),
    ),
    printed_line(
        id="FP.14",
        place="Appendix A.1, (14)",
        title="What the choice of K devices costs",
        printed=r"Q_t\le\left(\frac{B(1+\gamma)\sqrt2}{\bar\mu\sqrt K}+\frac{LB^2(1+\gamma)^2}{\bar\mu^2K}"
        r"\left(2\sqrt{2K}+2\right)\right)\|\nabla f(w^t)\|^2",
        claim=Claim((*POSITIVE, K >= 1, s1 >= 0, m >= 0, *bounds), Q <= price() * a**2),
        method=SumOfSquares(
            (
                term(1, 1, bounds[0]),
                term(2 * L * s1, 1, bounds[1]),
                term(a + 2 * L * STEP * a, 1, bounds[2]),
                term(L, 1, bounds[3]),
            )
        ),
        depends=("FP.14c", "FP.15", "FP.13d"),
        note="Nothing of this price is needed: see FP.R1.",
    ),
    printed_line(
        id="FP.T4",
        place="Section 4.2, Theorem 4, and the last display of Appendix A.1",
        title="Theorem 4: f decreases in expectation",
        printed=r"\mathbb{E}_{S_t}\left[f(w^{t+1})\right]\le f(w^t)-\rho\|\nabla f(w^t)\|^2",
        claim=Claim((*POSITIVE, K >= 1, *final), fs <= f0 - printed() * a**2),
        method=SumOfSquares(tuple(term(1, 1, each) for each in final)),
        depends=("FP.9c", "FP.13", "FP.14"),
        scope="K independent draws of devices by p_k (FP.s2), every device with a fixed gamma-inexact "
        "point (FP.s3). "
        "The implication from (8), (10) and (14).",
        note="True, and improvable by one line: FP.R1 deletes both terms in K. Read with a subset and "
        "unequal "
        "weights it fails: FP.T4s.",
    ),
)  # fmt: skip
