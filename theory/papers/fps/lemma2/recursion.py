"""Lemma 2, the recursion: step size, geometric sum, its limit constants, and the last line."""

import sympy as sp

from theory.ledger import Claim, equal, support
from theory.ledger.lines import defined, printed_line, question
from theory.papers.fps.assumptions import AT_RATE, BASE, FRESH_E, IN_RATE, LEMMA2_RATE, RATE, SIGNS, SMOOTH
from theory.papers.fps.letters import A, E, Lam, gamma, real
from theory.provers import Identity, Positivity, SumOfSquares, term
from theory.provers.certificates import shift

R = sp.Rational
RATES = (*SIGNS, SMOOTH, RATE, LEMMA2_RATE)
D, D1, S, C, Q, V, z = real("D D1 S C Q V z")
GROWTH = 1 + 1 / (E - 1)

LETTERS = {
    "D": "bound of the squared drift before a step",
    "D1": "squared drift after it",
    "S": "sum of the first e powers of 1 + 1/(E-1)",
    "C": "6 E gamma^2 (A |grad f(w_t)|^2 + b^2 + sigma^2)",
    "power": "the e-th power of 1 + 1/(E-1)",
    "Q": "(1 + 1/(E-1))^E",
    "V": "gamma^2 (A |grad f(w_t)|^2 + b^2 + sigma^2)",
    "now": "(1 + 1/(E-1))^E",
    "following": "the same for E + 1",
    "growth": "(1 + z)^(E+1)",
    "z": "1/((E-1)(E+1))",
    "before": "(1 + z)^n",
    "n": "a whole number",
}


def _falling(limit: int, start: int) -> tuple[Claim, SumOfSquares]:
    """(1 + 1/(E−1))^E does not increase: the quotient of two neighbours is (E−1)/E · (1+z)^(E+1) ≥ 1."""
    now, following, growth = real("now following growth")
    quotient, is_small = sp.Eq(now, following * growth * (E - 1) / E), sp.Eq(z, 1 / ((E - 1) * (E + 1)))
    bernoulli = growth >= 1 + (E + 1) * z
    known = (E >= start, following >= 0, is_small, bernoulli, quotient, now <= limit)
    method = SumOfSquares(
        (term(1, 1, now <= limit), term(following * (E - 1) / E, 1, bernoulli)),
        using=((1, quotient), (following * (E - 1) * (E + 1) / E, is_small)),
    )
    return Claim(known, following <= limit), method


below_five, by_five = _falling(5, 2)
between = sp.Eq(E, R(3, 2))

n, raised = real("n before")
known = raised >= 1 + n * z
# (1+z)^n ≥ 1 + nz for z ≥ 0, from one n to the next; equality at n = 0.
BERNOULLI = support(
    Claim((z >= 0, n >= 0, known), (1 + z) * raised >= 1 + (n + 1) * z),
    SumOfSquares((term(1 + z, 1, known), term(n, z))),
    "Bernoulli's inequality, the step from n to n + 1",
)
below_three, by_three = _falling(3, 6)
before, after = D <= C * S, D1 <= GROWTH * D + C
power = real("power")[0]
closed = sp.Eq(S, (E - 1) * (power - 1))

ENTRIES = defined(
    LETTERS,
    printed_line(
        id="L2.9",
        place="Appendix C.2, second display after eq. (15), line 1",
        title="The step-size condition bounds the drift factor",
        printed=r"6E(L+\mu)^2\gamma^2(1+2B^2(P_b+P_n))\le\frac{6}{16(1+2B^2(P_b+P_n))E}",
        claim=Claim(IN_RATE, 6 * E * Lam**2 * gamma**2 * A <= R(6, 16) / (A * E)),
        method=Positivity(*AT_RATE),
        depends=("L2.8",),
        note="Coefficients of the drift.",
    ),
    printed_line(
        id="L2.10",
        place="Appendix C.2, second display after eq. (15), line 2",
        title="That bound of the drift factor is at most 1/(2E)",
        printed=r"\frac{6}{16(1+2B^2(P_b+P_n))E}\le\frac{1}{2E}",
        claim=Claim(BASE, R(6, 16) / (A * E) <= 1 / (2 * E)),
        method=Positivity(FRESH_E),
        depends=("L2.9",),
    ),
    printed_line(
        id="L2.11",
        place="Appendix C.2, second display after eq. (15), line 3",
        title="1/(2E-1) + 1/(2E) is at most 1/(E-1)",
        printed=r"\frac{1}{2E-1}+\frac{1}{2E}\le\frac{1}{E-1}",
        claim=Claim((E > 1,), 1 / (2 * E - 1) + 1 / (2 * E) <= 1 / (E - 1)),
        method=Positivity(shift(E, "e", 1, strict=True)),
        depends=("L2.10",),
        scope="E > 1, as the sentence that ends the proof says (entry L2.14). At E = 1 the line divides by "
        "zero; there is no drift then, and the lemma is trivial.",
    ),
    printed_line(
        id="L2.12",
        place="Appendix C.2, eq. (16), line 1",
        title="The recursion is unrolled into a geometric sum",
        printed=r"\mathbb{E}\|w^e_t-w_t\|^2\le\sum_{e=0}^{E-1}\left(1+\tfrac{1}{E-1}\right)^e "
        r"6E\gamma^2(\dots)",
        claim=Claim((E > 1, *RATES, C >= 0, D >= 0, before, after), D1 <= C * (GROWTH * S + 1)),
        method=SumOfSquares((term(1, 1, after), term(GROWTH, 1, before))),
        depends=("L2.8", "L2.9", "L2.10", "L2.11"),
        note="Induction on e: S_0 = 0 and S_{e+1} = (1 + 1/(E-1)) S_e + 1. D1 is the left side of L2.8, "
        "which L2.1 to L2.7 show to be at least the next squared drift. All powers are positive, so e terms "
        "add up to at most E terms. The summation index reuses the letter e of the left side.",
    ),
    printed_line(
        id="L2.13",
        place="Appendix C.2, eq. (16), line 2",
        title="The geometric sum in closed form",
        printed=r"\sum_{e=0}^{E-1}\left(1+\tfrac{1}{E-1}\right)^e=(E-1)\left(\left(1+\tfrac{1}{E-1}"
        r"\right)^E-1\right)",
        claim=Claim(
            (E > 1, closed),
            equal(S * GROWTH + 1, (E - 1) * (power * GROWTH - 1)),
        ),
        method=Identity(),
        depends=("L2.12",),
        note="Induction on the number of terms: the next sum is 1 plus the factor times this one, as in "
        "L2.12. No term is the base.",
    ),
    printed_line(
        id="L2.14",
        place="Appendix C.2, sentence after eq. (16)",
        title="(1 + 1/(E-1))^E is at most 5 for all E > 1",
        printed=r"\left(1+\frac{1}{E-1}\right)^E\le5\ \text{ for all } E>1",
        claim=below_five,
        method=by_five,
        beside=(
            BERNOULLI,
            support(
                Claim((between,), equal((1 + 1 / (E - 1)) ** 3, 5**2 + 2)),
                Identity(),
                "between whole numbers it is false: at E = 3/2 its square is 27, and 5 squared is 25",
            ),
        ),
        scope="E is a whole number, as it counts local epochs; for real E it is false below about 1.5456.",
        note="The step of an induction on E: if it is at most 5 at E, so it is at E + 1. At E = 2 it is 4.",
    ),
    # (1 + 1/(E−1))^(E−1) stays below (1 + 1/(E−1))^E, which falls and is below 3 from E = 6 on.
    question(
        id="L2.14t",
        place="not in the paper; needed by entry L2.16",
        title="(1 + 1/(E-1))^(E-1) is at most 3 for every integer E of at least 2",
        claim=below_three,
        method=by_three,
        beside=BERNOULLI,
        note="It is at most (1 + 1/(E-1))^E, which is 2.985984 at E = 6 and does not increase: the step of "
        "that induction is the formula. At E = 2, 3, 4, 5 it is 2, 9/4, 64/27, 625/256.",
    ),
    printed_line(
        id="L2.15",
        place="Appendix C.2, eq. (16), line 3",
        title="The drift is at most 30 E^2 gamma^2 times the last bracket",
        printed=r"(E-1)\left(\left(1+\tfrac{1}{E-1}\right)^E-1\right)6E\gamma^2(\dots)\le30E^2"
        r"\gamma^2(\dots)",
        claim=Claim((E > 1, Q <= 5, V >= 0), (E - 1) * (Q - 1) * 6 * E * V <= 30 * E**2 * V),
        method=SumOfSquares((term(6 * E * (E - 1) * V, 1, Q <= 5), term((6 * E**2 + 24 * E) * V))),
        depends=("L2.13", "L2.14"),
    ),
)
