"""Section 3.2 and Theorem 2: the count sketch guarantee."""

import sympy as sp

from theory.ledger import Claim, Entry, Kind, Stated, Verdict, cited, equal, support
from theory.ledger.lines import defined, printed_line, refuted, silent_step
from theory.papers.fps.letters import k, real
from theory.provers import AtPoint, Identity, KernelChecked, Positivity, SumOfSquares, term
from theory.provers.certificates import shift

tail, eps, gk, s, err, norm2 = real("tail eps gk s err norm2")
MEMORY = r"\mathcal{O}\left(\left(k+\frac{\|g_{tail}\|^2}{\varepsilon^2g(k)}\right)\log dT\right)"
UNITS = (k >= 1, tail >= 0, eps > 0, gk > 0, s > 0)

LETTERS = {
    "tail": "|g_tail|^2, energy outside the k largest coordinates",
    "eps": "accuracy epsilon",
    "gk": "g(k), size of the k-th largest coordinate",
    "s": "factor by which g is multiplied",
    "tail_new": "|g_tail|^2 of s g",
    "gk_new": "g(k) of s g",
    "err": "error of one estimate",
    "buckets": "buckets of a row",
    "front": "what stands in front of the logarithm",
    "known": "log(dT)",
    "failure": "log(1/delta)",
    "power": "a power of 1/(dT) that delta is not below",
    "norm2": "|g|^2",
    "s1": "sign of the first coordinate",
    "s2": "sign of the second coordinate",
    "w1": "first coordinate of the iterate",
    "w2": "second coordinate of the iterate",
    "g1": "first coordinate of the gradient",
    "g2": "second coordinate of the gradient",
}

new_tail, new_gk = real("tail_new gk_new")
changed = (sp.Eq(new_tail, s**2 * tail), sp.Eq(new_gk, s * gk))
scaled = k + new_tail / (eps**2 * new_gk**2)
buckets, front, known, failure, power = real("buckets front known failure power")
likely = failure <= power * known
up = 1 / (2 * buckets)  # a row errs upwards where both coordinates share a bucket, with the right signs
at_least_two = 3 * up**2 * (1 - up) + up**3
s1, s2, w1, w2, g1, g2, rate = real("s1 s2 w1 w2 g1 g2 gamma")
WEAKER = Claim((eps > 0, gk >= 0, norm2 >= gk**2, err >= 0, err <= eps * gk), err**2 <= eps**2 * norm2)
sketch = s1 * w1 + s2 * w2
moved = s1 * (w1 - rate * g1) + s2 * (w2 - rate * g2)

ENTRIES = defined(
    LETTERS,
    refuted(
        id="CS.1",
        place="Section 3.2, memory of the count sketch",
        title="The memory bound does not depend on the unit of the gradient",
        printed=MEMORY,
        claim=Claim(UNITS, equal(k + s**2 * tail / (eps**2 * s * gk), k + tail / (eps**2 * gk))),
        fails=AtPoint({k: 1, tail: 1, eps: 1, gk: 1, s: 2}),
        right=(
            "g(k)^2 in the denominator",
            r"\mathcal{O}\left(\left(k+\frac{\|g_{tail}\|^2}{\varepsilon^2g(k)^2}\right)\log"
            r"\frac{dT}{\delta}\right)",
        ),
        severity="cosmetic",
        note="The bound for s g in place of g: the sketch of s g is s times the sketch of g.",
        reading="A typing slip: Appendix B of the paper has the square.",
    ),
    printed_line(
        id="CS.1c",
        place="Appendix B, Theorem 2, memory of the count sketch",
        title="With g(k) squared the memory bound does not depend on the unit",
        printed=r"\mathcal{O}\left(\left(k+\frac{\|g^{tail}\|^2}{\varepsilon^2g(k)^2}\right)\log\frac{d}{"
        r"\delta}\right)",
        claim=Claim((*UNITS, *changed), equal(scaled, k + tail / (eps**2 * gk**2))),
        method=Identity(),
    ),
    # g = (1, 1), three rows: the median errs upwards by |g_2| when two rows do, and as often downwards.
    printed_line(
        id="CS.2",
        place="Section 3.2, the logarithm of the memory bound",
        title="log dT in place of log(dT/delta), for a high probability",
        printed=MEMORY,
        claim=Claim((front >= 0, likely), front * (known + failure) <= (1 + power) * front * known),
        method=SumOfSquares((term(front, 1, likely),)),
        beside=support(
            Claim((buckets >= 1,), 2 * at_least_two > 0),
            Positivity(shift(buckets, "n", 1)),
            "the median of three rows errs by at least |g|/2 on g = (1, 1) with this probability: two "
            "rows err to the same side. So no size serves every delta",
        ),
        scope="'With high probability' names no delta. As usual, delta is a fixed power of 1/(dT) or above.",
        note="Then log(dT/delta) is at most log dT times a constant, which the O hides. For any delta it "
        "takes a delta in the logarithm, as Section 5 and Theorem 2 print it.",
    ),
    printed_line(
        id="CS.3",
        place="Section 3.2, sentence before eq. (5)",
        title="One row estimates each coordinate without bias",
        printed=r"\text{unbiased estimates of the top-}k\text{ or heavy hitter (HH) coordinates}",
        claim=Stated(
            "With fair, uncorrelated signs that are independent of the buckets, one row is right on average.",
            r"\mathbb{E}\,\hat g(i)=g(i)",
        ),
        method=KernelChecked("A_Row_Is_Unbiased", "Independent_Signs_Are_Coins"),
        note="Of one row, before the top-k selection: keeping the coordinates that look large biases them "
        "upwards.",
    ),
    Entry(
        id="CS.4",
        kind=Kind.PRINTED,
        place="Section 3.2, eq. (5), and Appendix B, Theorem 2",
        title="Theorem 2: error at most eps |g| on the top-k coordinates",
        printed=r"|\hat g(i)-g(i)|\le\varepsilon\|g\|\quad\forall i\in\text{HH}",
        claim=WEAKER,
        verdict=Verdict.CITED,
        evidence=(
            cited(
                "Charikar, Chen, Farach-Colton (2002): with this memory the error is at most eps g(k) w.p. "
                "1 - delta"
            ),
            support(
                WEAKER,
                SumOfSquares((term(1, eps, norm2 >= gk**2), term(err + eps * gk, 1, err <= eps * gk))),
                "the classical error eps g(k) implies the printed eps |g|: the theorem is weaker than what "
                "it cites",
            ),
        ),
        depends=("CS.1c",),
        note="True but weak: the classical bound is eps g(k), and g(k) is at most |g|.",
    ),
    silent_step(
        id="CS.5",
        place="Appendix B, Theorem 2, the step behind it",
        title="The squared error of one row is at most the energy of the other coordinates over the buckets",
        claim=Stated(
            "With pairwise independent buckets the squared error of one row is at most (|g|^2 - g(i)^2)/b.",
            r"\mathbb{E}\,(\hat g(i) - g(i))^2 \le \frac{\|g\|^2 - g(i)^2}{b}",
        ),
        method=KernelChecked("Second_Moment_Of_A_Row", "Uniform_Buckets_Collide"),
        depends=("CS.3",),
        note="With the median over rows this gives the failure probability that the sizing calculator "
        "computes.",
    ),
    # One bucket: the signed sum of the coordinates that fall into it, here two of them.
    printed_line(
        id="CS.6",
        place="Section 4, eq. (6)",
        title="The sketch is linear: adding the sketch of the update gives the sketch of the new iterate",
        printed=r"(-\gamma g^m_t)\to S^m(w^m_t)\triangleq S^m(w^m_t-\gamma g^m_t)=S^m(w^m_{t+1})",
        claim=Claim((), equal(sketch - rate * (s1 * g1 + s2 * g2), moved)),
        method=Identity(),
        scope="One bucket with two coordinates of signs s1, s2; more coordinates add more such terms.",
        note="The sketch is linear, reading the top-k coordinates from it is not (entry T1.2).",
    ),
)
