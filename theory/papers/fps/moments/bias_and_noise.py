"""Second moments of bias and noise: the lines before eq:beta, then eq:beta and eq:sec_zeta by coefficient."""

import sympy as sp

from theory.ledger import Claim, equal
from theory.ledger.lines import absorbed, defined, printed_line, silent_step
from theory.papers.fps.assumptions import BASE, EPOCHS, FRESH_E, LEMMA2_RATE, RATE, SIGNS, SMOOTH
from theory.papers.fps.letters import A, E, G, Lam, b2, gamma, real, s2, x, y
from theory.papers.fps.moments import coefficients as co
from theory.provers import AtPoint, Identity, Positivity, SumOfSquares, term
from theory.provers.certificates import shift

R = sp.Rational
Bt, Sum, T1, S, Z = real("Bt Sum T1 S Z")

LETTERS = {
    "Sum": "sum over e of |grad f(w^e_t)|^2",
    "T1": "the paper's term 1",
    "moment": "coefficient of the constant in E|g_t|^2",
    "bias": "coefficient of the constant in |beta_t|^2",
    "noise": "coefficient of the constant in E|zeta_t|^2",
    "total": "one coordinate of beta_t",
    "S": "squared norm of the sum over e of the biases (in M.13z of the noises)",
    "Bt": "sum over e of |beta^e_t|^2",
    "Z": "sum over e of E|zeta^e_t|^2",
    "local": "the same coordinate of the sum of the beta^e_t; in M.15a of grad f(w^e_t)",
    "start": "the same coordinate of grad f(w_t)",
    "apart": "their difference",
}

grown, local_bias = S <= E * Bt, Bt <= y * Sum + E * b2
loud, local_noise = S <= E * Z, Z <= x * Sum + E * s2
split = E * Sum <= 2 * T1 + 2 * E**2 * G
total, local, start, apart = real("total local start apart")
in_range = 6 * y * E**2 <= 1

CORRECTED_B2 = co.reaches(
    "T1.30",
    (gamma / 2 * co.bias + gamma**2 * Lam * co.noise + gamma**2 / 2 * co.moment) / gamma <= co.LINE_B2,
    (R(1, 2), co.bias <= co.NEEDED_BIAS_B2),
    (gamma * Lam, co.noise <= co.NEEDED_NOISE_B2),
    (gamma / 2, co.moment <= co.NEEDED_G_B2),
    says="with H <= 1 the line has more on b^2 than the corrected chain needs",
)

ENTRIES = defined(
    LETTERS,
    printed_line(
        id="M.13a",
        place="Appendix C.2, display before eq. (22), line 1",
        title="The bias of the round is the sum of the local biases",
        printed=r"\|\beta_t\|^2=\left\|\sum_{e=0}^{E-1}\nabla\beta^e_t\right\|^2",
        claim=Claim((sp.Eq(total, local),), equal(total**2, local**2)),
        method=Identity(),
        depends=("D1",),
        note="Printed with a stray nabla in front of beta. As the beta_t of Definition 1 it is wrong: "
        "entry M.1.",
    ),
    printed_line(
        id="M.13",
        place="Appendix C.2, display before eq. (22), line 2",
        title="Each local bias is bounded by Assumption 3",
        printed=r"\left\|\sum_{e=0}^{E-1}\nabla\beta^e_t\right\|^2\le E\sum_e(P_bB^2\|\nabla f(w^e_t)"
        r"\|^2+b^2)",
        claim=Claim((EPOCHS, grown, local_bias), S <= E * (y * Sum + E * b2)),
        method=SumOfSquares((term(1, 1, grown), term(E, 1, local_bias))),
        depends=("M.13a", "M.3a", "A3", "A5"),
    ),
    silent_step(
        id="M.13z",
        place="Appendix C.2, eq. (23), a step before it",
        title="Each local noise is bounded by Assumption 2, with the constant of the sum of squares",
        printed=r"\mathbb{E}\left\|\sum_e\zeta^e_t\right\|^2\le E\sum_e(P_nB^2\mathbb{E}\|\nabla f(w^e_t)\|^2"
        r"+\sigma^2)",
        claim=Claim((EPOCHS, loud, local_noise), S <= E * (x * Sum + E * s2)),
        method=SumOfSquares((term(1, 1, loud), term(E, 1, local_noise))),
        depends=("M.3a", "A2", "A5"),
    ),
    printed_line(
        id="M.14",
        place="Appendix C.2, display before eq. (22), line 3",
        title="The constants are summed over the E steps",
        printed=r"=P_bB^2E\sum_e\|\nabla f(w^e_t)\|^2+E^2b^2",
        claim=Claim((), equal(E * (y * Sum + E * b2), y * E * Sum + E**2 * b2)),
        method=Identity(),
        depends=("M.13",),
    ),
    printed_line(
        id="M.15a",
        place="Appendix C.2, display before eq. (22), line 4",
        title="The gradient at the start is added and subtracted",
        printed=r"=P_bB^2E\sum_e\|\nabla f(w^e_t)-\nabla f(w_t)+\nabla f(w_t)\|^2+E^2b^2",
        claim=Claim(
            (sp.Eq(apart, local - start),),
            equal(y * E * local**2 + E**2 * b2, y * E * (apart + start) ** 2 + E**2 * b2),
        ),
        method=Identity(),
        depends=("M.14",),
    ),
    printed_line(
        id="M.15",
        place="Appendix C.2, display before eq. (22), line 5",
        title="The square is split",
        printed=r"\le2P_bB^2E\sum_e\|\nabla f(w^e_t)-\nabla f(w_t)\|^2+2P_bB^2E^2\|\nabla "
        r"f(w_t)\|^2+E^2b^2",
        claim=Claim((*BASE, split), y * E * Sum + E**2 * b2 <= 2 * y * T1 + 2 * y * E**2 * G + E**2 * b2),
        method=SumOfSquares((term(y, 1, split),)),
        depends=("M.15a", "M.5", "L2.8a"),
    ),
    printed_line(
        id="M.16",
        place="Appendix C.2, eq. (22), coefficient of the gradient",
        title="|beta_t|^2: coefficient of the squared gradient",
        printed=r"2P_bB^2E^2\left(1+\frac{2}{1+2B^2(P_b+P_n)}\right)",
        claim=Claim(SIGNS, equal(2 * y * co.TERM1 * A + 2 * y * E**2, 2 * y * E**2 * (1 + 2 / A))),
        method=Identity(),
        depends=("M.15", "M.9"),
    ),
    absorbed(
        id="M.17",
        place="Appendix C.2, eq. (22), coefficient of b^2",
        title="|beta_t|^2: the coefficient of b^2, all of it with H^2",
        printed=r"\frac{2E^2}{(1+2B^2(P_b+P_n))^2}\left(\frac12+2P_bB^2\right)b^2",
        claim=Claim((x >= 0, y > 0, EPOCHS, b2 > 0), E**2 * b2 <= co.PRINTED_BIAS_B2 * b2),
        fails=AtPoint({x: 0, y: R(1, 20), E: 1, b2: 1}),
        always=Positivity(FRESH_E),
        beside=(
            co.exceeds(co.NEEDED_BIAS_B2, co.PRINTED_BIAS_B2, hypotheses=(y > 0,)),
            co.follows(co.bias, co.NEEDED_BIAS_B2, factor=y, constant=E**2),
            CORRECTED_B2,
        ),
        depends=("M.13", "M.15", "M.9"),
        right=(
            "E^2 (1 + 4 P_b B^2 H^2); equal to the printed one only at P_b = P_n = 0",
            r"E^2\left(1+\frac{4P_bB^2}{(1+2B^2(P_b+P_n))^2}\right)b^2",
        ),
        note="No loss, E equal biases of norm b: the squared norm of their sum is E^2 b^2. H^2 (1 + 4 P_b "
        "B^2) < 1 whenever P_b > 0 or P_n > 0.",
    ),
    printed_line(
        id="M.18",
        place="Appendix C.2, eq. (22), coefficient of sigma^2",
        title="|beta_t|^2: coefficient of sigma^2",
        printed=r"\frac{2E^2}{(1+2B^2(P_b+P_n))^2}\left(\left(\frac12+2P_bB^2\right)b^2+\sigma^2"
        r"\right)",
        claim=Claim((*BASE, in_range), co.NEEDED_BIAS_S2 <= co.PRINTED_BIAS_S2),
        method=SumOfSquares(
            (
                term(2 * E**2 / A**2, 1, in_range),
                term(4 * E**2 / A**2 * (3 * E**2 - 1), 1, y >= 0),
            )
        ),
        depends=("M.15", "M.9"),
        scope="Where eq. (11) allows some gamma > 0: then 6 P_b E^2 B^2 < 1, so P_b B^2 < 1/2. For P_b B^2 "
        "above 1/2 the line is false.",
        note="Coefficients: what lines M.15 and M.9 give, 4 P_b B^2 E^2 H^2, against what is printed. The "
        "left side carries no expectation although the right side was averaged.",
    ),
    printed_line(
        id="M.19",
        place="Appendix C.2, eq. (23), coefficient of the gradient",
        title="E|zeta_t|^2: coefficient of the squared gradient",
        printed=r"2P_nB^2E^2\left(1+\frac{2}{1+2B^2(P_b+P_n)}\right)",
        claim=Claim(SIGNS, equal(2 * x * co.TERM1 * A + 2 * x * E**2, 2 * x * E**2 * (1 + 2 / A))),
        method=Identity(),
        depends=("M.15", "M.9"),
    ),
    absorbed(
        id="M.20",
        place="Appendix C.2, eq. (23), coefficient of b^2",
        title="E|zeta_t|^2: the coefficient of b^2",
        printed=r"\frac{2E^2}{(1+2B^2(P_b+P_n))^2}b^2",
        claim=Claim(
            (x >= 0, y > 0, E >= 2, b2 > 0, SMOOTH, RATE, LEMMA2_RATE),
            x * Lam**2 * gamma**2 * b2 <= co.PRINTED_NOISE_B2 * b2,
        ),
        fails=AtPoint({x: 10**5, y: R(1, 1000), E: 2, b2: 1, Lam: 100, gamma: R(1, 10**9)}),
        beside=(
            co.exceeds(
                co.NEEDED_NOISE_B2,
                co.PRINTED_NOISE_B2,
                hypotheses=(x > R(1, 2),),
                changes=(shift(x, "n", R(1, 2), strict=True),),
            ),
            co.follows(co.noise, co.NEEDED_NOISE_B2, factor=x, constant=0),
            CORRECTED_B2,
        ),
        depends=("M.13z", "M.15", "M.9"),
        right=(
            "4 P_n B^2 E^2 H^2; the printed one suffices when P_n B^2 <= 1/2",
            r"\frac{4P_nB^2E^2}{(1+2B^2(P_b+P_n))^2}b^2",
        ),
        note="f = (Lam/2) w^2 at its minimum, first step biased by b: the second step sees grad f = Lam "
        "gamma b. The derivation fails for P_n B^2 > 1/2, the statement at 600, and within the range at 10^5 "
        "with L + mu = 100.",
    ),
    absorbed(
        id="M.21",
        place="Appendix C.2, eq. (23), coefficient of sigma^2",
        title="E|zeta_t|^2: the coefficient of sigma^2, all of it with H^2",
        printed=r"\frac{2E^2}{(1+2B^2(P_b+P_n))^2}\left(b^2+\left(\frac12+2P_nB^2\right)\sigma^2"
        r"\right)",
        claim=Claim((*BASE, s2 > 0), E * s2 <= co.PRINTED_NOISE_S2 * s2),
        fails=AtPoint({x: 1, y: R(1, 20), E: 1, s2: 1}),
        beside=(
            co.exceeds(co.NEEDED_NOISE_S2, co.PRINTED_NOISE_S2, hypotheses=(y > 0,)),
            co.follows(co.noise, co.NEEDED_NOISE_S2, factor=x, constant=E**2),
            co.reaches(
                "T1.31",
                (gamma / 2 * co.PRINTED_BIAS_S2 + gamma**2 * Lam * co.noise + gamma**2 / 2 * co.moment)
                / gamma
                <= co.LINE_S2,
                (gamma * Lam, co.noise <= co.NEEDED_NOISE_S2),
                (gamma / 2, co.moment <= co.NEEDED_G_S2),
                says="with H <= 1 the line has more on sigma^2 than the corrected chain needs",
            ),
        ),
        depends=("M.13z", "M.15", "M.9"),
        right=(
            "E^2 (1 + 4 P_n B^2 H^2)",
            r"E^2\left(1+\frac{4P_nB^2}{(1+2B^2(P_b+P_n))^2}\right)\sigma^2",
        ),
        note="No loss, E independent noises of variance sigma^2: their sum has second moment E sigma^2.",
    ),
)
