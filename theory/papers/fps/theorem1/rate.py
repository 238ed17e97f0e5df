"""Theorem 1, the learning rate (Appendix C.3 and Section 5): ρ(γ), eq:gamma_range, and what the range
implies.
"""

from dataclasses import replace

import sympy as sp

from theory.ledger import Claim, equal, support
from theory.ledger.lines import QUESTION, SILENT, conditional, printed_line, question, refuted
from theory.papers.fps.assumptions import DESCENT_RATE, FRESH_E, NONEMPTY, POSITIVE, RATE, SIGNS, SMOOTH
from theory.papers.fps.letters import A, E, H, Lam, gamma, q, x, y
from theory.provers import AtPoint, Cases, Contradiction, Identity, Positivity, term
from theory.provers.certificates import below, strictly_below

R = sp.Rational
WIDTH = (1 + y + (Lam + 1) * x) * E**2
SLOPE = (2 + 2 * y + (2 * Lam + 1) * x) * (1 + 2 * H) * E**2
RHO = (1 - y * (1 + 2 * H) * E**2) / 2 - gamma * SLOPE
RHO_CORRECTED = (1 - 2 * y * (1 + 2 * H) * E**2) / 2 - gamma * SLOPE
GAMMA_MAX = (1 - 6 * y * E**2) / (12 * WIDTH)
GAMMA_QUARTER = (1 - 6 * y * E**2) / (24 * WIDTH)
GAMMA_QUARTER_CORRECTED = (1 - 12 * y * E**2) / (24 * WIDTH)
IN_RANGE = (*POSITIVE, NONEMPTY, gamma <= GAMMA_MAX)
ASKED = (*IN_RANGE, y > 0, RHO > R(1, 4))  # what Section 5 asks of the rate, and P_b > 0

AT_RANGE = below(gamma, "h", GAMMA_MAX)
ROOM = strictly_below(y, "m", 1 / (6 * E**2))
SOME_ERROR = sp.Or(x > 0, y > 0, gamma < GAMMA_MAX)

bracket = (
    gamma / 2
    - gamma * y * (1 + 2 * H) * E**2 / 2
    - 2 * x * Lam * (1 + 2 * H) * gamma**2 * E**2
    - gamma**2 * E**2 * q * (1 + 2 * H)
)
quotient = (1 - y * (1 + 2 * H) * E**2) / (2 * SLOPE)
first = (
    (1 - y * (1 + 2 * H) * E**2) / 2
    - 2 * x * Lam * (1 + 2 * H) * gamma * E**2
    - gamma * E**2 * q * (1 + 2 * H)
)
at_corner = (E >= 1, sp.Eq(x, 0), sp.Eq(y, 0), sp.Eq(gamma, GAMMA_MAX))
cases = Cases(
    (  # in the order of the printed cases: gamma below its limit, noise, bias
        Positivity(below(gamma, "h", GAMMA_MAX, strict=True), ROOM, FRESH_E),
        Positivity(AT_RANGE, ROOM, FRESH_E),
        Positivity(AT_RANGE, replace(ROOM, strict=True), FRESH_E),
    )
)
edge = {x: 0, y: 0, E: 1, Lam: 1, gamma: R(1, 12)}
half_room = strictly_below(y, "m", 1 / (12 * E**2))
asked = {x: 0, y: R(1, 20), E: 1, gamma: R(1, 36)}
at_five = GAMMA_MAX.subs(E, 5)

ENTRIES = (
    printed_line(
        id="T1.18",
        place="Appendix C.3, eq. (27), line 1",
        title="rho is the bracket of eq. (26) divided by gamma",
        printed=r"\rho(\gamma)=\frac{1-P_b(1+2H)E^2B^2}{2}-2P_n(L+\mu)(1+2H)\gamma E^2B^2-\gamma "
        r"E^2(2+2P_bB^2+P_nB^2)(1+2H)",
        claim=Claim((*SIGNS, RATE), equal(bracket / gamma, first)),
        method=Identity(),
        depends=("T1.15",),
        right=(
            "the first term is (1 - 2 P_b (1+2H) E^2 B^2)/2 (entry T1.8)",
            r"\frac{1-2P_b(1+2H)E^2B^2}{2}-\gamma(2+2P_bB^2+(2(L+\mu)+1)P_nB^2)(1+2H)E^2",
        ),
    ),
    printed_line(
        id="T1.19",
        place="Appendix C.3, eq. (27), line 2, and Section 5, eq. (10)",
        title="The two forms of rho agree",
        printed=r"\rho(\gamma)=\frac{1-P_b(1+2H)E^2B^2}{2}-\gamma(2+2P_bB^2+(2(L+\mu)+1)P_nB^2)(1+2H)E^2",
        claim=Claim(SIGNS, equal(first, RHO)),
        method=Identity(),
    ),
    printed_line(
        id="T1.20",
        place="Appendix C.3, display after eq. (27)",
        title="rho > 0 exactly when gamma is below the quotient",
        printed=r"\gamma<\frac{1-P_b(1+2H)E^2B^2}{2(2+2P_bB^2+(2(L+\mu)+1)P_nB^2)(1+2H)E^2}",
        claim=Claim((*POSITIVE, RHO > 0), gamma < quotient),
        method=Contradiction((term(1, 1, RHO > 0), term(SLOPE, 1, gamma >= quotient))),
        beside=(
            support(
                Claim((*POSITIVE, gamma < quotient), RHO > 0),
                Contradiction((term(SLOPE, 1, gamma < quotient), term(1, 1, RHO <= 0))),
                "and the converse",
            ),
            support(Claim(POSITIVE, SLOPE > 0), Positivity(FRESH_E), "the slope of rho is positive"),
        ),
        depends=("T1.19",),
    ),
    printed_line(
        id="T1.21",
        place="Appendix C.3, eq. (28), and Section 5, eq. (11)",
        title="The range implies rho > 0",
        printed=r"\gamma\le\frac{1-6P_bE^2B^2}{12(1+P_bB^2+(L+\mu+1)P_nB^2)E^2}\ \Rightarrow\ "
        r"\rho(\gamma)>0",
        claim=Claim((*IN_RANGE, y > 0), RHO > 0),
        method=Positivity(AT_RANGE, replace(ROOM, strict=True), FRESH_E),
        beside=support(
            Claim(at_corner, equal(RHO, 0)),
            Identity(),
            "at P_b = P_n = 0 and gamma at its limit rho is 0",
        ),
        depends=("T1.19", "T1.20", "S.3", "S.7b", "A3"),
        scope="P_b > 0, which is part of Assumption 3. The text after it also names the special case P_b = "
        "P_n = 0; there rho is 0 at the end of the range.",
    ),
    conditional(
        id="T1.21c",
        kind=QUESTION,
        place="Section 5, eq. (11), with the corrected rho",
        title="The range implies that the corrected rho is positive too, except at the corner",
        claim=Claim(IN_RANGE, RHO_CORRECTED > 0),
        condition=SOME_ERROR,
        method=cases,
        fails=AtPoint(edge),
        needs=Contradiction(
            (
                term(1, 1, RHO_CORRECTED > 0),
                term(SLOPE, 1, gamma >= GAMMA_MAX),
                term(2 * H / 3, 1, x <= 0),
                term(2 * H / 3, 1, y <= 0),
                term((1 + 2 * H) * E**2 / (12 * WIDTH), 1, x <= 0, NONEMPTY),
            )
        ),
        depends=("T1.19", "T1.20"),
        note="P_b = 0 is allowed here, as in the special case that the text after Assumption 3 names.",
    ),
    refuted(
        id="T1.22",
        place="Section 5, sentence before eq. (11)",
        title="The range implies rho > 1/4",
        printed=r"\rho(\gamma)>\tfrac14\ \text{ and that is given by: }\ \gamma\le\frac{1"
        r"-6P_bE^2B^2}{12(1+P_bB^2+(L+\mu+1)P_nB^2)E^2}",
        claim=Claim((*IN_RANGE, y > 0), RHO > R(1, 4)),
        fails=AtPoint({x: 0, y: R(1, 100), E: 1, Lam: 1, gamma: R(94, 100) / (12 * R(101, 100))}),
        depends=("T1.21",),
        right=(
            "24 in place of 12 gives rho >= 1/4 (T1.22c); for the corrected rho, (1 - 12 P_b E^2 "
            "B^2)/24 (T1.22d)",
            r"\gamma\le\frac{1-12P_bE^2B^2}{24(1+P_bB^2+(L+\mu+1)P_nB^2)E^2}",
        ),
        severity="fixable",
        note="At the end of the range rho tends to 0 as P_b and P_n do (entry T1.21), so no positive "
        "constant works.",
        reading="A positive rho is all that the proof needs, and the range implies that (entry T1.21).",
    ),
    question(
        id="T1.22c",
        place="Section 5, eq. (11), with 24 in place of 12",
        title="Half the range gives rho >= 1/4 as printed",
        claim=Claim((*POSITIVE, NONEMPTY, gamma <= GAMMA_QUARTER), RHO >= R(1, 4)),
        method=Positivity(below(gamma, "h", GAMMA_QUARTER), ROOM, FRESH_E),
        depends=("T1.19", "T1.20"),
    ),
    question(
        id="T1.22d",
        place="Section 5, eq. (11), with (1 - 12 P_b E^2 B^2)/24 and the corrected rho",
        title="The range that gives corrected rho >= 1/4",
        claim=Claim(
            (*POSITIVE, 12 * y * E**2 < 1, gamma <= GAMMA_QUARTER_CORRECTED), RHO_CORRECTED >= R(1, 4)
        ),
        method=Positivity(below(gamma, "h", GAMMA_QUARTER_CORRECTED), half_room, FRESH_E),
        depends=("T1.19", "T1.20"),
    ),
    refuted(
        id="T1.23",
        kind=SILENT,
        place="Appendix C.3, eq. (25), step (b): its condition is not part of eq. (11)",
        title="The range implies the step size that step (b) needs",
        printed=r"\text{eq. (11)}\ \Rightarrow\ \gamma\le\frac{1}{2(L+\mu)}",
        claim=Claim(ASKED, gamma <= 1 / (2 * Lam)),
        fails=AtPoint({**asked, Lam: 72}),
        depends=("T1.21",),
        right="gamma <= min of the range and 1/(2(L+mu))",
        severity="fixable",
        note="At P_n = 0 neither the range nor rho contains L. The point has rho = 35/132 > 1/4.",
        reading="The condition stands in the appendix; the authors may take it for granted next to eq. (11).",
    ),
    refuted(
        id="T1.24",
        kind=SILENT,
        place="Appendix C.2, Lemma 2: its condition is not part of eq. (11)",
        title="The range implies the step size that Lemma 2 needs",
        printed=r"\text{eq. (11)}\ \Rightarrow\ \gamma\le\frac{1}{4E(L+\mu)(1+2B^2(P_b+P_n))}",
        claim=Claim((*ASKED, DESCENT_RATE), gamma <= 1 / (4 * E * Lam * A)),
        fails=AtPoint({**asked, Lam: 18}),
        depends=("T1.21",),
        right="gamma <= min of the range and 1/(4E(L+mu)(1+2B^2(P_b+P_n)))",
        severity="fixable",
        note="The point has rho = 35/132 > 1/4 and meets step (b)'s condition, gamma <= 1/(2(L+mu)).",
        reading="The condition stands in Lemma 2; the authors may take it for granted next to eq. (11).",
    ),
    refuted(
        id="T1.44",
        kind=QUESTION,
        place="Section 6, learning rate 0.01 and 5 local epochs, against eq. (11)",
        title="The learning rate of the experiments lies outside the range, whatever the other constants are",
        printed=r"\gamma=0.01,\ E=5\ \text{ satisfies eq. (11)}",
        claim=Claim((*SIGNS, SMOOTH), R(1, 100) <= at_five),
        always=Positivity(),
        beside=support(
            Claim(IN_RANGE, gamma <= 1 / (12 * E**2)),
            Positivity(AT_RANGE, ROOM, FRESH_E),
            "the range implies gamma <= 1/(12E^2), which is 1/300 at E = 5",
        ),
        depends=("T1.21",),
        right="gamma < 1/300 at E = 5",
    ),
)
