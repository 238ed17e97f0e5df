"""Lemma 1, what it presupposes: sketch size, which vectors, failure probability, one hash for all rounds."""

import sympy as sp

from theory.ledger import Claim, Stated, cover, support
from theory.ledger.lines import SILENT, absorbed, conditional, defined, refuted, silent_step
from theory.papers.fps.assumptions import EMPTY_SKETCHES
from theory.papers.fps.letters import T, c, delta, k, real
from theory.provers import AtPoint, KernelChecked, Positivity, SumOfSquares, term
from theory.provers.certificates import shift

R = sp.Rational
per_step, ratio, w1, w2 = real("per_step ratio w1 w2")
error, eps2, head, norm2 = real("error eps2 head norm2")

LETTERS = {
    "ratio": "|g_tail|^2/g(k)^2",
    "constant": "the constant that O(.) hides",
    "i": "index of a coordinate",
    "error": "squared error of one coordinate",
    "eps2": "epsilon^2",
    "head": "squared error on the k kept coordinates",
    "norm2": "E|w_t|^2",
    "w1": "the larger coordinate of w",
    "w2": "the smaller one",
    "per_step": "failure probability allowed in one round",
    **{
        f"met{pair}": f"how often {pair[0]} and {pair[1]} are the coordinate read and the one loaded, "
        "when this pair alone shares a bucket"
        for pair in ("12", "13", "23")
    },
}


i, constant = real("i constant")
# The tail of i^{-2} is of order k g(k)².
GROWING_RATIO = (
    support(
        Claim((i >= 1,), i**-4 >= (i**-3 - (i + 1) ** -3) / 3),
        Positivity(shift(i, "j", 1)),
        "one term against its integral",
    ),
    support(
        Claim((k >= 1,), 7 * k**4 / (24 * (k + 1) ** 3) >= 7 * k / 192),
        Positivity(shift(k, "m", 1)),
        "the integral from k+1 to 2k+2 against k",
    ),
)
point_query, together = error <= eps2 * norm2, head <= k * error
POINT_QUERY = cover(
    "L1.3",
    Claim((k >= 1, point_query, together), head <= eps2 * k * norm2),
    SumOfSquares((term(k, 1, point_query), term(1, 1, together))),
    "the point-query bound gives each coordinate this error with b of order ck",
)
met = real("met12 met13 met23")
between = tuple(part for share in met for part in (share >= 0, share <= 1))
fixed = sp.Eq(sum(met), 1)

ENTRIES = defined(
    LETTERS,
    absorbed(
        id="L1.0",
        place="Appendix C.1, Lemma 1, the sketch size",
        title="With eps^2 = 1/(ck), Theorem 2's memory is of order ck",
        printed=r"\varepsilon=\frac{1}{\sqrt{ck}}\ \text{ and sketch size scaling like }\ \mathcal{O}"
        r"\left(ck\log\frac{dT}{\delta}\right)",
        claim=Claim(
            (c >= 1, constant >= 1, k >= 28 * constant, ratio >= 7 * k / 192),
            k + c * k * ratio <= constant * c * k,
        ),
        fails=AtPoint({c: 2, k: 400, constant: 14, ratio: R(7 * 400, 192)}),
        always=Positivity(  # each letter from its least value on
            shift(ratio, "r", 7 * k / 192),
            shift(k, "m", 28 * constant),
            shift(constant, "n", 1),
            shift(c, "u", 1),
        ),
        beside=(*GROWING_RATIO, POINT_QUERY),
        depends=("CS.4",),
        right="the point-query bound, b = O(ck), gives the size that is printed; Theorem 2 gives O(ck^2) "
        "under a power law",
        note="ratio = |tail|^2/g(k)^2. For entries i^{-2} (p = 2) and d >= 2k + 1 it is at least k^4 "
        "times the integral of t^{-4} from k+1 to 2k+2, which is 7k^4/(24(k+1)^3) >= 7k/192. So for any "
        "constant every k of at least 28 times it exceeds the memory.",
    ),
    refuted(
        id="L1.any",
        place="Appendix C.1, Lemma 1, 'for any iterate'",
        title="The lemma holds for every vector",
        printed=r"\text{the following holds for any iterate } w\in\mathbb{R}^d\ \text{ with"
        r" probability at least }\ 1-\frac{\delta}{T}",
        claim=Claim((c > 1, w1**2 >= w2**2), w2**2 <= (w1**2 + w2**2) / c),
        fails=AtPoint({w1: 1, w2: 1, c: 3}),
        right="w itself must be compressible: |w|_(i) <= i^{-p} ||w||",
        severity="fatal",
        note="Two coordinates, k = 1, exact recovery: top-1 drops one, and at d = k + 1 the printed tail "
        "factor is 0. (1, 1) is a sum of the steps (1, 0) and (0, 1), which meet Assumption 4 with <=. The "
        "paper's limitations name low-dimensional models; no assumption does. With it Lemma 1' holds.",
        reading="Models of the application that are compressible themselves, as the introduction "
        "has in mind. Then the lemma holds with a constant.",
    ),
    silent_step(
        id="L1.9",
        place="Appendix C.1, Lemma 1, probability 1 - delta/T, used for t = 0, ..., T",
        title="The rounds at failure probability delta/T each fail with probability at most delta",
        printed=r"T\cdot\frac{\delta}{T}\le\delta",
        claim=Claim((T >= 1, delta > 0, per_step <= delta / T), T * per_step <= delta),
        method=SumOfSquares((term(T, 1, per_step <= delta / T),)),
        beside=(
            support(
                Claim((T >= 1, delta > 0), (T + 1) * delta / T > delta),
                Positivity(shift(T, "n", 1)),
                "T+1 rounds at delta/T each are too many",
            ),
            support(
                Claim((T >= 1, delta > 0, per_step <= delta / (T + 1)), (T + 1) * per_step <= delta),
                SumOfSquares((term(T + 1, 1, per_step <= delta / (T + 1)),)),
                "with delta/(T+1) per round the union bound gives delta for T+1 rounds",
            ),
        ),
        scope=EMPTY_SKETCHES + " Round 0 then loses nothing, and T rounds are left.",
    ),
    # Three coordinates, one row of two buckets: some pair always collides, and an iterate may find it.
    conditional(
        id="L1.10",
        kind=SILENT,
        place="Appendix C.1, Lemma 1, one hash for all rounds",
        title="The guarantee for a fixed vector holds for iterates that depend on the hash",
        printed=r"P\left(|\hat w_t(i)-w_t(i)|>\varepsilon\|w_t\|\right)\le\frac1b\ \text{ for } w_t=w_t(h)",
        claim=Claim(between, R(1, 4) + sum(met) / 4 <= R(1, 2)),
        condition=fixed,
        method=SumOfSquares((), using=((-R(1, 4), fixed),)),
        fails=AtPoint(dict.fromkeys(met, 1)),
        depends=("CS.4",),
        beside=support(
            Stated(
                "If any two coordinates collide in at most theta of the J rows, the median errs by at most "
                "theta |w_tail(s)|_1/(h - theta s) on every vector, for h = ceil(J/2) and theta s < h.",
                "",
            ),
            KernelChecked("Median_Of_Any_Vector"),
            "the bound for all vectors at once, without channel noise",
        ),
        right=(
            "the bound for all vectors at once, with the l1 norm of the tail, where any two coordinates "
            "collide in at most theta of the J rows, h = ceil(J/2) (Lemma 1' (d)). It needs a larger "
            "sketch: for an error of |w|/sqrt(ck), theta/h of order |w|/(sqrt(ck) |w_tail|_1)",
            r"|\hat w(i)-w(i)|\le\frac{\vartheta\|w_{\mathrm{tail}(s)}\|_1}{h-\vartheta s}\ "
            r"\text{ for all } w \text{ and } \vartheta s<h",
        ),
        severity="fixable",
        scope="Three coordinates and one row of b = 2 buckets.",
        note="The iterates are read from the same sketch, so they depend on its hash. With chance 1/4 all "
        "three coordinates share a bucket, and with chance 1/4 each of the three pairs does so alone. A unit "
        "vector errs at the coordinate that is read if both share a bucket. Which pair that is, the vector "
        "fixed before the hash has chosen once: the three shares add up to 1. A vector that knows the hash "
        "is on the colliding pair each time, and errs always. A table that is kept (the repair of T1.2) "
        "cannot be hashed anew.",
        reading="Sketches that are hashed anew in each round, independent of the iterate: then the "
        "guarantee for a fixed vector is enough.",
    ),
)
