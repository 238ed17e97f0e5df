"""Lemma 1, lines 4 to 7: the tail of the iterate through the norms of the gradients, and the power sum."""

import sympy as sp

from theory.ledger import Claim, Stated, cover, equal, support
from theory.ledger.lines import absorbed, defined, printed_line, refuted, silent_step
from theory.papers.fps.assumptions import COORDINATE, EMPTY_SKETCHES
from theory.papers.fps.letters import d, k, real
from theory.provers import AtPoint, Identity, KernelChecked, Positivity, SumOfSquares, term
from theory.provers.certificates import below, shift

eps2, norm2, g1, g2, a1, a2, w0, w2, size, total, head = real("eps2 norm2 g1 g2 a1 a2 w0 w2 size total head")
n1, n2, tail, sum2 = real("n1 n2 tail sum2")

LETTERS = {
    "eps2": "epsilon^2",
    "norm2": "E|w_t|^2",
    "head": "squared error on the k kept coordinates",
    "size": "sum of i^{-2p} over k < i <= d; in L1.4 one i^{-p}",
    "w0": "a coordinate of w_0",
    "w2": "the same coordinate of w_t",
    "total": "the same coordinate of the sum of the steps gamma g_j",
    "g1": "first step, along the first axis; in L1.4 one coordinate of it",
    "g2": "second step, along the first axis; in L1.4 the same coordinate of it",
    "a1": "|g1|",
    "a2": "|g2|",
    "tail": "squared coordinates of w_t after the k-th",
    "sum2": "squared sum of the norms of the steps",
    "n1": "norm of the first step",
    "n2": "norm of the second step",
}

steps, printed = sp.Eq(w2, w0 - total), equal(w2, -total)
coordinate = g1 + g2
uppers, lowers = (g1 <= size * n1, g2 <= size * n2), (-g1 <= size * n1, -g2 <= size * n2)
at_most, fifth = head <= k * eps2 * norm2, sum2 <= norm2
in_order = (size >= 0, n1 >= 0, n2 >= 0, *uppers, *lowers)

ENTRIES = defined(
    LETTERS,
    absorbed(
        id="L1.4",
        place="Appendix C.1, eq. (14), line 4",
        title="The tail of the iterate is i^{-2p} times the squared sum of gradient norms",
        printed=r"\sum_{i=k+1}^d(w_t(i))^2=\sum_{i=k+1}^di^{-2p}\left(\sum_{j=1}^t\|-\gamma "
        r"g_j\|\right)^2",
        claim=Claim(in_order, equal(coordinate**2, (size * (n1 + n2)) ** 2)),
        fails=AtPoint({g1: 0, g2: 0, n1: 1, n2: 1, size: sp.Rational(1, 4)}),
        beside=(
            support(
                Claim(in_order, coordinate**2 <= (size * (n1 + n2)) ** 2),
                SumOfSquares(tuple(term(1, 1, above, beneath) for above in uppers for beneath in lowers)),
                "with 'at most' the line holds",
            ),
            support(
                Claim((n2 > 0, n1 > 0, n1 < 3 * n2), n2**2 > (n1 + n2) ** 2 / 2**4),
                Positivity(below(n1, "h", 3 * n2, strict=True), shift(n2, "m", 0, strict=True)),
                "if each gradient has an order of its own, it does not",
            ),
            cover(
                "L1.6",
                Claim(
                    (at_most, tail <= size * sum2, fifth, size >= 0), head + tail <= (eps2 * k + size) * norm2
                ),
                SumOfSquares((term(1, 1, at_most), term(1, 1, tail <= size * sum2), term(size, 1, fifth))),
                "with 'at most', and with what L1.5 claims, the line L1.6 is reached as 'at most'",
            ),
        ),
        depends=("L1.3", "A4"),
        right=("at most", r"\le\sum_{i=k+1}^di^{-2p}\left(\sum_{j=1}^t\|-\gamma g_j\|\right)^2"),
        scope="One coordinate of two steps. Assumption 4 is read with <= and, as it is printed, in one order "
        "for all gradients.",
        note="If each gradient is sorted by its own size, the line is false also with 'at most': two "
        "gradients along different axes, of norms n1 and n2, k = 1, p = 2.",
    ),
    silent_step(
        id="L1.4w",
        place="Appendix C.1, eq. (14), line 4, used without being written",
        title="The iterate is minus the sum of the steps",
        printed=r"w_t=\sum_{j=1}^t-\gamma g_j",
        claim=Claim((steps, sp.Eq(w0, 0)), printed),
        method=Identity(),
        scope=EMPTY_SKETCHES,
        note=COORDINATE,
    ),
    refuted(
        id="L1.5",
        place="Appendix C.1, eq. (14), line 5",
        title="The sum of the norms is at most the norm of the sum",
        printed=r"\left(\sum_{j=1}^t\|-\gamma g_j\|\right)^2\le\left(\left\|\sum_{j=1}^t-\gamma g_j"
        r"\right\|\right)^2",
        claim=Claim(
            (a1 >= 0, a2 >= 0, sp.Eq(a1**2, g1**2), sp.Eq(a2**2, g2**2)), (a1 + a2) ** 2 <= (g1 + g2) ** 2
        ),
        fails=AtPoint({g1: 1, g2: -1, a1: 1, a2: 1}),
        depends=("L1.4",),
        right=(
            "the norm of the sum is at most the sum of the norms",
            r"\left\|\sum_j-\gamma g_j\right\|\le\sum_j\|-\gamma g_j\|",
        ),
        severity="fatal",
        note="Steps (1, 0) and (-1, 0) with d = 2, k = 1: the norms add up to 2, the steps to 0, so 4 "
        "against 0. They meet Assumption 4 with <=. The other direction is true. "
        "Compressible models take an assumption of their own (entry L1.any).",
        reading="The authors may have meant the tail of w_t itself to follow the power law; then "
        "the line is not needed.",
    ),
    printed_line(
        id="L1.6",
        place="Appendix C.1, eq. (14), line 6",
        title="The squared norm is factored out",
        printed=r"=\left(\varepsilon^2k+\sum_{i=k+1}^di^{-2p}\right)\mathbb{E}\|w_t\|^2",
        claim=Claim(
            (k >= 1, sp.Eq(head, eps2 * k * norm2)), equal(head + size * norm2, (eps2 * k + size) * norm2)
        ),
        method=Identity(),
        depends=("L1.3", "L1.5", "L1.4w"),
    ),
    refuted(
        id="L1.7",
        place="Appendix C.1, eq. (14), line 7, second part",
        title="The power sum is at most the printed integral",
        printed=r"\sum_{i=k+1}^di^{-2p}\le\frac{(k+1)^{1-2p}-d^{1-2p}}{2p-1}",
        claim=Claim((k >= 1, sp.Eq(d, k + 1)), (k + 1) ** -4 <= ((k + 1) ** -3 - d**-3) / 3),
        fails=AtPoint({k: 1, d: 2}),
        beside=support(
            Stated("The sum exceeds the printed bound for every real p > 1/2 and every k <= d.", ""),
            KernelChecked("Tail_exceeds_its_bound"),
            "the line is always false, not only at p = 2",
        ),
        depends=("L1.6",),
        right=(
            "the integral from k to d, or from k+1/2 to d+1/2 (Lemma1r.b), or exactly zeta(2p,k+1) - "
            "zeta(2p,d+1)",
            r"\sum_{i=k+1}^di^{-2p}\le\frac{k^{1-2p}-d^{1-2p}}{2p-1}",
        ),
        severity="fixable",
        note="At p = 2 and d = k + 1 the sum has one term, and the printed bound is 0; at k = d it is "
        "negative.",
        reading="For k far above p, and d far above k, sum and integral hardly differ.",
    ),
)
