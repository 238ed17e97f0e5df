"""Section 5: what the proofs assume of the loss, the bias and the gradients before they start."""

import sympy as sp

from theory.ledger import Claim, equal, support
from theory.ledger.lines import SILENT, conditional, defined, printed_line, refuted, silent_step
from theory.papers.fps.assumptions import EPOCHS, FRESH_E, SIGNS
from theory.papers.fps.letters import B, E, H, Lam, P_b, P_n, mu, real, x, y
from theory.papers.fps.theorem1.rate import GAMMA_MAX
from theory.provers import AtPoint, Contradiction, Identity, Parts, Positivity, SumOfSquares, term
from theory.provers.certificates import shift, strictly_below

R = sp.Rational
rem, dist2, ll, v, w, cen, size, g1, g2, tail, share = real("rem dist2 ll v w cen size g1 g2 tail share")
fxy, gxh, gyh, square, h2, L = real("fxy gxh gyh apart2 h2 L")  # apart2 = |∇f(x) − ∇f(y)|²

LETTERS = {
    "rem": "remainder f(v) - f(w) - <grad f(w), v - w> of the application loss",
    "dist2": "|v - w|^2",
    "ll": "smoothness L of the application loss",
    "v": "a coordinate of the point v",
    "w": "a coordinate of the point w",
    "cen": "a coordinate of the centre of the proximal term",
    "fm": "f at the point (v + w)/2 + u",
    "fx": "f(w)",
    "fy": "f(v)",
    "fxy": "f(v) - f(w)",
    "gxh": "<grad f(w), h>, h = (v - w)/2",
    "gyh": "<grad f(v), h>, h = (v - w)/2",
    "gxu": "<grad f(w), u>",
    "gyu": "<grad f(v), u>",
    "h2": "|h|^2 = |v - w|^2/4",
    "hu": "<h, u>",
    "u2": "|u|^2, u any vector",
    "apart2": "|grad f(v) - grad f(w)|^2",
    "g1": "|g(1)|, size of the first coordinate",
    "g2": "|g(2)|, size of the second coordinate",
    "tail": "sum of the other squared coordinates",
    "size": "|g|",
    "share": "2^{-p}",
}


LARGEST, SECOND = sp.Eq(g1, size), sp.Eq(g2, share * size)
PYTHAGORAS = sp.Eq(size**2, g1**2 + g2**2 + tail)

fm, fx, fy, gxu, gyu, hu, u2 = real("fm fx fy gxu gyu hu u2")
from_x = fm - fx - gxh - gxu <= L / 2 * (h2 + 2 * hu + u2)
from_y = fm - fy + gyh - gyu >= -L / 2 * (h2 - 2 * hu + u2)
up = fxy <= gxh + gyh - square / (2 * L) + L * h2 + square / (4 * L)
down = -fxy <= -gxh - gyh - square / (2 * L) + L * h2 + square / (4 * L)
both = (rem <= ll / 2 * dist2, rem >= -ll / 2 * dist2, mu >= 0, dist2 >= 0)
width = (P_n >= 0, B >= 1, EPOCHS, Lam > 0)
printed = GAMMA_MAX.subs({x: P_n * B**2, y: P_b * B**2})
limit = 1 / (6 * E**2 * B**2)

# share² size² + tail = 0 with share > 0.
ONLY_ZERO = Contradiction(
    (term(1, 1, share > 0, share > 0, size > 0, size > 0), term(1, 1, tail >= 0)),
    using=((1, PYTHAGORAS), (g1 + size, LARGEST), (g2 + share * size, SECOND)),
)

ENTRIES = defined(
    LETTERS,
    printed_line(
        id="S.1",
        place="Appendix C.3, sentence after eq. (24)",
        title="The restructured loss is (L+mu)-smooth",
        printed=r"f(\cdot)\ \text{ is }\ (L+\mu)\text{-smooth}",
        claim=Claim(
            both,
            sp.And(
                rem + mu / 2 * dist2 <= (ll + mu) / 2 * dist2,
                rem + mu / 2 * dist2 >= -(ll + mu) / 2 * dist2,
            ),
        ),
        method=Parts(
            (SumOfSquares((term(1, 1, both[0]),)), SumOfSquares((term(1, 1, both[1]), term(mu * dist2))))
        ),
        beside=support(
            Claim(
                (),
                equal(
                    mu / 2 * (v - cen) ** 2 - mu / 2 * (w - cen) ** 2 - mu * (w - cen) * (v - w),
                    mu / 2 * (v - w) ** 2,
                ),
            ),
            Identity(),
            "the proximal term has remainder exactly (mu/2)|v-w|^2",
        ),
        depends=("A1",),
        note="Assumption 1 bounds rem by (L/2)|v-w|^2 on both sides.",
    ),
    # f(v) − f(w) through the point (v+w)/2 + u, from above at w and from below at v.
    silent_step(
        id="S.2a",
        place="Section 5, Assumption 1, as the proofs use it",
        title="Assumption 1 from both ends to a point beside the middle",
        printed=r"f(y)-f(x)\le\langle\nabla f(x),h+u\rangle+\langle\nabla f(y),h-u\rangle"
        r"+L(\|h\|^2+\|u\|^2),\quad h=\tfrac12(y-x)",
        claim=Claim(
            (L > 0, h2 >= 0, u2 >= 0, from_x, from_y), fy - fx <= gxh + gyh + (gxu - gyu) + L * (h2 + u2)
        ),
        method=SumOfSquares((term(1, 1, from_x), term(1, 1, from_y))),
        depends=("A1",),
    ),
    silent_step(
        id="S.2",
        place="Section 5, Assumption 1, as the proofs use it",
        title="Assumption 1 makes the gradient Lipschitz",
        printed=r"\|\nabla f(v)-\nabla f(w)\|\le(L+\mu)\|v-w\|",
        claim=Claim((L > 0, h2 >= 0, square >= 0, up, down), square <= 4 * L**2 * h2),
        method=SumOfSquares((term(2 * L, 1, up), term(2 * L, 1, down))),
        depends=("S.1", "S.2a", "A1"),
        note="S.2a with u = -(grad f(w) - grad f(v))/(2L), then with both ends exchanged and -u for u.",
    ),
    printed_line(
        id="S.3",
        place="Section 5, sentence before eq. (10)",
        title="H is at most 1",
        printed=r"H=\frac{1}{1+2B^2(P_b+P_n)}\le1",
        claim=Claim(SIGNS, H <= 1),
        method=Positivity(),
    ),
    conditional(
        id="S.4",
        kind=SILENT,
        place="Section 5, Assumption 3 against eq. (11)",
        title="P_b in (0,1) leaves a learning rate to choose",
        printed=r"P_b\in(0,1)\ \Rightarrow\ \frac{1-6P_bE^2B^2}{12(1+P_bB^2+(L+\mu+1)P_nB^2)E^2}>0",
        claim=Claim((P_b > 0, P_b < 1, *width), printed > 0),
        condition=P_b < limit,
        method=Positivity(strictly_below(P_b, "m", limit), shift(B, "n", 1), FRESH_E),
        fails=AtPoint({P_b: R(1, 2), P_n: 0, B: 1, E: 1, Lam: 1}),
        needs=Contradiction(
            (
                term(sp.fraction(sp.together(printed))[1], 1, printed > 0),
                term(6 * E**2 * B**2, 1, P_b >= limit),
            )
        ),
        depends=("A3",),
        right="P_b < 1/(6 E^2 B^2)",
        severity="fixable",
        note="The text after Assumption 3 also sets P_b = 0, which (0,1) excludes.",
        reading="The range of eq. (11) is empty unless P_b is small, so the authors may mean it to "
        "be; then the condition is only not printed.",
    ),
    refuted(
        id="S.6",
        place="Section 5, Assumption 4",
        title="A non-zero gradient with at least two coordinates can satisfy Assumption 4",
        printed=r"|g_t(i)|=i^{-p}\|g_t\|",
        claim=Claim(
            (
                share > 0,  # 2^{-p}
                tail >= 0,
                size >= 0,
                PYTHAGORAS,
                LARGEST,
                SECOND,
            ),
            size > 0,
        ),
        always=ONLY_ZERO,
        fails=AtPoint({share: R(1, 4), tail: 0, size: 0, g1: 0, g2: 0}),
        depends=("A4",),
        right=("sorted by size, |g|_(i) <= i^{-p} ||g||", r"|g|_{(i)}\le i^{-p}\|g\|"),
        severity="fixable",
        note="i = 1 gives |g(1)| = ||g||, so all other coordinates vanish, and then i = 2 gives g = 0. "
        "The assumption is not contradictory: g = 0 satisfies it, and so does every vector when d = 1. "
        "With a constant of the law, |g(i)| = C i^{-p} ||g||, there are other solutions: entry "
        "R.power-law-with-a-constant reads it so.",
        reading="A decay of the sorted entries, as the text before it says: with at most in place "
        "of equal the assumption has many vectors.",
    ),
)
