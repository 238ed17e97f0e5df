"""Sections 3 and 4.1: the dissimilarity, the local solutions, and how devices are chosen."""

import sympy as sp

from theory.ledger import Claim, Stated, cited, equal, other_reading, support
from theory.ledger.entry import Entry, Verdict
from theory.ledger.lines import SILENT, defined, printed_line, refuted, silent_step, undefined
from theory.letters import real
from theory.papers.fedprox.letters import L, Lm, a, gamma, mu
from theory.provers import AtPoint, Identity, SumOfSquares, term

R = sp.Rational
p1, p2, x1, x2, x3, m, S2, B2, u1, u2, v1, v2, h, g, e = real("p1 p2 x1 x2 x3 m S2 B2 u1 u2 v1 v2 h g e")
TWO_DEVICES = "Two devices with weights p1 and p2, coordinate by coordinate."
LETTERS = {
    "p1": "weight of device 1",
    "p2": "weight of device 2",
    "x1": "a coordinate that belongs to device 1: of its gradient, or of its step",
    "x2": "the same of device 2",
    "x3": "the same of device 3",
    "m": "the mean of the devices' steps by their weights",
    "S2": "E_k|grad F_k(w)|^2",
    "B2": "B(w)^2",
    "u1": "the step of device 1 if it is chosen",
    "u2": "the step of device 2 if it is chosen",
    "v1": "the step that stands for device 1 in the mean if it is not chosen",
    "v2": "the same of device 2",
    "h": "|grad h(w; w)|",
    "g": "|grad F_k(w)|",
    "e": "|grad h(w_k; w)|",
}
weights = (p1 >= 0, p2 >= 0, sp.Eq(p1 + p2, 1))
second = p1 * x1**2 + p2 * x2**2
of_two = (sp.Eq(p2, 1 - p1), sp.Eq(m, p1 * x1 + p2 * x2))  # two draws from two devices
drawn = p1**2 * x1 + 2 * p1 * p2 * (x1 + x2) / 2 + p2**2 * x2
drawn_variance = p1**2 * (x1 - m) ** 2 + 2 * p1 * p2 * ((x1 + x2) / 2 - m) ** 2 + p2**2 * (x2 - m) ** 2
variance = p1 * (x1 - m) ** 2 + p2 * (x2 - m) ** 2
pairs = sum(((x + y) / 2 - (x1 + x2 + x3) / 3) ** 2 for x, y in ((x1, x2), (x1, x3), (x2, x3))) / 3
spread = sum((x - (x1 + x2 + x3) / 3) ** 2 for x in (x1, x2, x3)) / 3
both = (x1 + x2) / 2
READ_AS_DRAWS = (
    "K independent draws, device k with probability p_k in each: then every line of the proof holds, and "
    "nothing else in the paper contradicts it."
)

ENTRIES = defined(
    LETTERS,
    printed_line(
        id="FP.D1",
        place="Definition 1, with the first display of Appendix A.1, line 2",
        title="The residual of a device is at most gamma times its gradient at w",
        printed=r"\|e_k^{t+1}\|\le\gamma\|\nabla F_k(w^t)\|",
        claim=Claim((sp.Eq(h, g), gamma >= 0, g >= 0, e <= gamma * h), e <= gamma * g),
        method=SumOfSquares((term(1, 1, e <= gamma * h),), using=((-gamma, sp.Eq(h, g)),)),
        note="At w itself the proximal term has no gradient.",
    ),
    printed_line(
        id="FP.D3",
        place="Section 4.1, after Definition 3",
        title="B(w) is at least 1",
        printed=r"B(w)\ge1",
        claim=Claim(weights, (p1 * x1 + p2 * x2) ** 2 <= second),
        method=SumOfSquares((term(p1 * p2, x1 - x2),), using=((-second, weights[2]),)),
        scope=TWO_DEVICES + " More devices follow one by one.",
    ),
    refuted(
        id="FP.D3f",
        place="Section 4.1, footnote 2",
        title="Where the squared gradients of the devices have the mean |grad f|^2, w is stationary",
        printed=r"\mathbb{E}_k[\|\nabla F_k(w)\|^2]=\|\nabla f(w)\|^2",
        claim=Claim((sp.Eq((x1**2 + x2**2) / 2, both**2),), equal(both, 0)),
        fails=AtPoint({x1: 1, x2: 1}),
        severity="cosmetic",
        right="equal gradients on all devices, which need not vanish; there B(w) = 1 by the formula itself",
        reading="The exception is meant for points where every device is stationary, and there it is right.",
    ),
    undefined(
        id="FP.D3u",
        kind=SILENT,
        place="Definition 3 and Assumption 1, at stationary points of f",
        title="B(w) bounds the devices' gradients at every point",
        printed=r"\mathbb{E}_k[\|\nabla F_k(w)\|^2]\le\|\nabla f(w)\|^2B^2",
        claim=Claim((a > 0, S2 >= 0, sp.Eq(B2, S2 / a**2)), S2 <= B2 * a**2),
        method=SumOfSquares((), using=((a**2, sp.Eq(B2, S2 / a**2)),)),
        beside=other_reading(
            Claim((a >= 0, S2 >= 0, B2 >= 1), S2 <= B2 * a**2),
            AtPoint({a: 0, S2: 1, B2: 1}),
            "where grad f = 0 and the devices disagree, no B is large enough",
        ),
        right="points with |grad f(w)|^2 > epsilon, which is all that Assumption 1 speaks of",
        reading="Theorem 4 excludes stationary points, so nothing is lost there. For whole runs see FP.T6b.",
    ),
    Entry(
        id="FP.s1",
        kind=SILENT,
        place="Appendix A.1, before (5)",
        title="The exact local solution exists and is unique",
        printed=r"\hat w_k^{t+1}=\mathrm{argmin}_w\,h_k(w;w^t)",
        claim=Stated("A strongly convex function on R^d has exactly one minimiser.", ""),
        verdict=Verdict.CITED,
        evidence=(cited("Classical: a strongly convex differentiable function on R^d is coercive."),),
        depends=("A1",),
    ),
    undefined(
        id="FP.s2",
        kind=SILENT,
        place="Algorithm 2, the choice of devices, with Appendix A.1 before (9)",
        title="The mean of the chosen devices is an unbiased estimate of the mean of all",
        printed=r"\mathbb{E}_{S_t}[w^{t+1}]=\bar w^{t+1}",
        claim=Claim(of_two, equal(drawn, m)),
        method=Identity(),
        beside=other_reading(
            Claim(of_two, equal(both, m)),
            AtPoint({p1: R(9, 10), p2: R(1, 10), x1: 1, x2: 0, m: R(9, 10)}),
            "a subset of K = N = 2 devices is always the same, and its plain mean ignores the weights",
        ),
        severity="fixable",
        right="draw with replacement by p_k; or without, uniformly, if all p_k are equal",
        reading=READ_AS_DRAWS,
        scope="Two devices and two draws.",
        note="Algorithm 2 chooses 'a subset of K devices', device k 'with probability p_k', and averages "
        "with 1/K. "
        "No one scheme does all of that.",
    ),
    undefined(
        id="FP.s3",
        kind=SILENT,
        place="Appendix A.1, definition of the mean over all devices",
        title="A device's result does not depend on which devices are chosen",
        printed=r"\bar w^{t+1}=\mathbb{E}_k[w_k^{t+1}]",
        claim=Claim(
            (sp.Eq(v1, u1), sp.Eq(v2, u2)), equal((u1 + u2) / 2, ((u1 + v2) / 2 + (v1 + u2) / 2) / 2)
        ),
        method=Identity(),
        beside=other_reading(
            Claim((), equal((u1 + u2) / 2, ((u1 + v2) / 2 + (v1 + u2) / 2) / 2)),
            AtPoint({u1: 0, u2: 0, v1: 1, v2: 1}),
            "a device that is not chosen has no result; what stands for it in the mean has to be fixed "
            "before",
        ),
        right="every device has a gamma-inexact point, fixed before the choice",
        reading="A deterministic solver, or one whose randomness is independent of the choice. R1 needs "
        "less: only "
        "the chosen devices have to be gamma-inexact.",
        scope="Two devices with equal weights and K = 1.",
    ),
    silent_step(
        id="FP.s4",
        place="Theorem 4 and Appendix A.3: L_- > 0 there, L_- = 0 here",
        title="The convex case is a case of Theorem 4",
        printed=r"L_-=0,\ \bar\mu=\mu",
        claim=Claim((mu > 0, Lm >= 0, Lm < mu, L >= 0), 1 / mu <= 1 / (mu - Lm)),
        method=SumOfSquares((term(1 / (mu * (mu - Lm)), 1, Lm >= 0),)),
        note="rho of Theorem 4 grows as L_- falls, and is continuous in it.",
    ),
    undefined(
        id="FP.13a",
        place="Appendix A.1, (13), line 1",
        title="The mean of K devices has 1/K of the variance of one",
        printed=r"\mathbb{E}_{S_t}\left[\|w^{t+1}-\bar w^{t+1}\|^2\right]\le\frac1K"
        r"\mathbb{E}_k\left[\|w_k^{t+1}-\bar w^{t+1}\|^2\right]",
        claim=Claim(of_two, equal(drawn_variance, variance / 2)),
        method=Identity(),
        beside=(
            other_reading(
                Claim(of_two, (both - m) ** 2 <= variance / 2),
                AtPoint({p1: R(9, 10), p2: R(1, 10), x1: 1, x2: 0, m: R(9, 10)}),
                "a subset of K = N = 2 devices with unequal weights",
            ),
            support(
                Claim((), equal(pairs, spread / 4)),
                Identity(),
                "uniformly without replacement the factor is (N-K)/(K(N-1)): 1/4 for two of three devices",
            ),
        ),
        depends=("FP.s2", "FP.s3"),
        severity="fixable",
        right="draw with replacement by p_k; or without, uniformly, if all p_k are equal",
        reading=READ_AS_DRAWS,
        scope="Two devices and two draws: K = 2.",
    ),
)
