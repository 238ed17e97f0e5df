"""Lemma 2 (Appendix C.2): the drift of the local iterates, line by line.

Vectors reduce to scalars in two ways. Young's inequality and its kin hold coordinate by coordinate, so a
line between squared norms of linear combinations is a line between squares of reals. Lines that only
combine norms use one letter per norm: D = E‖w^{e-1} − w_t‖², G = ‖∇f(w_t)‖², N = E‖β + ζ‖², and so on.
"""

import sympy as sp

from theory.ledger import Claim, cover, equal
from theory.ledger.lines import absorbed, defined, printed_line, silent_step
from theory.papers.fps.assumptions import COORDINATE, EPOCHS, NORMS, RATE, SIGNS
from theory.papers.fps.letters import A, B, E, G, Lam, P_b, P_n, b2, gamma, real, s2, x, y
from theory.provers import AtPoint, Identity, SumOfSquares, Term, term

a, v, n, r, g0, w1, wp, w0, g, u, after = real("a v n r g0 w1 wp w0 g u after")
D, N, Rr, Ge, Bt, Z, m = real("D N Rr Ge Bt Z m")
GROWTH = 1 + 1 / (2 * E - 1)

LETTERS = {
    "w1": "a coordinate of w^e_t",
    "wp": "the same coordinate of w^{e-1}_t",
    "w0": "the same coordinate of w_t",
    "g": "the same coordinate of g^{e-1}_t",
    "u": "the same coordinate of grad f(w^{e-1}_t)",
    "v": "the same coordinate of grad f(w_t); in L2.3 of any vector",
    "a": "a coordinate of w^{e-1}_t - w_t",
    "n": "the same coordinate of g^{e-1}_t - grad f(w^{e-1}_t)",
    "r": "the same coordinate of grad f(w^{e-1}_t) - grad f(w_t)",
    "g0": "the same coordinate of grad f(w_t)",
    "after": "the same coordinate of w^e_t - w_t, squared",
    "D": "E|w^{e-1}_t - w_t|^2",
    "N": "E|beta + zeta|^2",
    "Rr": "E|grad f(w^{e-1}_t) - grad f(w_t)|^2",
    "Ge": "E|grad f(w^{e-1}_t)|^2",
    "Bt": "E|beta^{e-1}_t|^2; in L2.6a a coordinate of the bias",
    "Z": "E|zeta^{e-1}_t|^2; in L2.6a of one coordinate",
    "m": "E zeta, one coordinate",
}


def _three_squares(*differences: sp.Expr) -> tuple[Term, ...]:
    return tuple(term(2 * E, gamma * difference) for difference in differences)


vector = n + r + g0
printed_vector = -n + r + g0
young = (a - gamma * v) ** 2 <= GROWTH * a**2 + 2 * E * gamma**2 * v**2
wrong_sign = (a - gamma * vector) ** 2 <= GROWTH * a**2 + 2 * E * gamma**2 * printed_vector**2
printed = after <= GROWTH * a**2 + 2 * E * gamma**2 * printed_vector**2
right = after <= GROWTH * a**2 + 2 * E * gamma**2 * vector**2
split = after <= GROWTH * a**2 + 6 * E * gamma**2 * (n**2 + r**2 + g0**2)
smooth = Rr <= Lam**2 * D
bias, noise = Bt <= P_b * Ge + b2, Z <= P_n * Ge + s2
halved = Ge <= 2 * Rr + 2 * G
local = 6 * E * gamma**2

ENTRIES = defined(
    LETTERS,
    printed_line(
        id="L2.1",
        place="Appendix C.2, first display after eq. (15), line 1",
        title="One local step: the drift after e steps is the drift before it minus the step",
        printed=r"\mathbb{E}\|w^e_t-w_t\|^2=\mathbb{E}\|w^{e-1}_t-\gamma g^{e-1}_t-w_t\|^2",
        claim=Claim((sp.Eq(w1, wp - gamma * g),), sp.Eq((w1 - w0) ** 2, (wp - gamma * g - w0) ** 2)),
        method=Identity(),
        note=COORDINATE,
    ),
    printed_line(
        id="L2.2",
        place="Appendix C.2, first display after eq. (15), line 2",
        title="The gradient at the local point is added and subtracted, and the one at the start too",
        printed=r"=\mathbb{E}\|w^{e-1}_t-w_t-\gamma(g^{e-1}_t-\nabla f(w^{e-1}_t)+\nabla "
        r"f(w^{e-1}_t)-\nabla f(w_t)+\nabla f(w_t))\|^2",
        claim=Claim(
            (sp.Eq(n, g - u), sp.Eq(r, u - v)),
            equal((wp - gamma * g - w0) ** 2, (wp - w0 - gamma * (n + r + v)) ** 2),
        ),
        method=Identity(),
        depends=("L2.1",),
        note=COORDINATE,
    ),
    printed_line(
        id="L2.3",
        place="Appendix C.2, first display after eq. (15), line 3",
        title="Young's inequality with weights 1 + 1/(2E-1) and 2E, for the vector of line 2",
        printed=r"\mathbb{E}\|w^{e-1}_t-w_t-\gamma(\dots)\|^2\le\left(1+\frac{1}{2E-1}\right)"
        r"\mathbb{E}\|w^{e-1}_t-w_t\|^2+2E\gamma^2\mathbb{E}\|\dots\|^2",
        claim=Claim((EPOCHS,), young),
        method=SumOfSquares((term(1 / (2 * E - 1), a + (2 * E - 1) * gamma * v),)),
        depends=("L2.2",),
        note=f"{COORDINATE} The vector that line 3 prints in the last norm is the matter of L2.3v.",
    ),
    absorbed(
        id="L2.3v",
        place="Appendix C.2, first display after eq. (15), line 3, the vector inside the last norm",
        title="The printed vector is the one that the next line needs",
        printed=r"+2E\gamma^2\,\mathbb{E}\|\nabla f(w^{e-1}_t)-g^{e-1}_t+\nabla f(w^{e-1}_t)-\nabla "
        r"f(w_t)+\nabla f(w_t)\|^2",
        claim=Claim((EPOCHS, RATE), wrong_sign),
        fails=AtPoint({a: 0, n: 1, r: 0, g0: 1, gamma: sp.Rational(1, 200), E: 2}),
        beside=cover(
            "L2.4",
            Claim((EPOCHS, right), split),
            SumOfSquares((term(1, 1, right), *_three_squares(n - r, n - g0, r - g0))),
            "the next line splits into three squares, which ignore signs",
        ),
        depends=("L2.2", "L2.3"),
        right=(
            "the first difference is g - grad f(w^{e-1}), not its negative",
            r"\|g^{e-1}_t-\nabla f(w^{e-1}_t)+\nabla f(w^{e-1}_t)-\nabla f(w_t)+\nabla "
            r"f(w_t)\|^2",
        ),
        note=COORDINATE,
    ),
    printed_line(
        id="L2.4",
        place="Appendix C.2, first display after eq. (15), line 4",
        title="Three-way split of the square",
        printed=r"2E\gamma^2\mathbb{E}\|\nabla f(w^{e-1}_t)-g^{e-1}_t+\nabla f(w^{e-1}_t)-\nabla"
        r" f(w_t)+\nabla f(w_t)\|^2\le6E\gamma^2\mathbb{E}\|\nabla f(w^{e-1}_t)-g^{e-1}_t\|^2"
        r"+6E\gamma^2\mathbb{E}\|\nabla f(w^{e-1}_t)-\nabla f(w_t)\|^2+6E\gamma^2\|\nabla"
        r" f(w_t)\|^2",
        claim=Claim((EPOCHS, printed), split),
        method=SumOfSquares((term(1, 1, printed), *_three_squares(n + r, n + g0, r - g0))),
        depends=("L2.3", "L2.3v"),
        note=COORDINATE,
    ),
    printed_line(
        id="L2.5",
        place="Appendix C.2, first display after eq. (15), line 5",
        title="Smoothness turns the gradient difference into drift; g - grad f is bias plus noise",
        printed=r"\left(1+\tfrac{1}{2E-1}+6E(L+\mu)^2\gamma^2\right)\mathbb{E}\|w^{e-1}_t-w_t\|^2+6E"
        r"\gamma^2(\mathbb{E}\|\beta^{e-1}_t+\zeta^{e-1}_t\|^2+\|\nabla f(w_t)\|^2)",
        claim=Claim(
            (EPOCHS, D >= 0, smooth),
            GROWTH * D + local * (N + Rr + G) <= (GROWTH + 6 * E * Lam**2 * gamma**2) * D + local * (N + G),
        ),
        method=SumOfSquares((term(6 * E, gamma, smooth),)),
        depends=("L2.4", "S.2"),
        note=NORMS,
    ),
    silent_step(
        id="L2.6a",
        place="Appendix C.2, first display after eq. (15), line 6, used without being written",
        title="Bias and zero-mean noise are orthogonal in expectation",
        printed=r"\mathbb{E}\|\beta+\zeta\|^2=\|\beta\|^2+\mathbb{E}\|\zeta\|^2",
        claim=Claim((sp.Eq(m, 0),), sp.Eq(Bt**2 + 2 * Bt * m + Z, Bt**2 + Z)),
        method=Identity(),
        depends=("A2", "A3"),
        note="Per coordinate, with m = E zeta = 0 and the bias known before the noise is drawn.",
    ),
    printed_line(
        id="L2.6",
        place="Appendix C.2, first display after eq. (15), line 6",
        title="Assumptions 2 and 3 bound bias and noise at the local point, with B^2 in front",
        printed=r"\mathbb{E}\|\beta^{e-1}_t+\zeta^{e-1}_t\|^2\le B^2(P_b+P_n)\,\mathbb{E}\|\nabla "
        r"f(w^{e-1}_t)\|^2+b^2+\sigma^2",
        claim=Claim(
            (B >= 1, P_b >= 0, P_n >= 0, Ge >= 0, bias, noise),
            Bt + Z <= B**2 * (P_b + P_n) * Ge + b2 + s2,
        ),
        method=SumOfSquares(
            (term(1, 1, bias), term(1, 1, noise), term((P_b + P_n) * Ge * (B + 1), 1, B >= 1))
        ),
        depends=("L2.5", "L2.6a", "S.7", "A2", "A3", "A5"),
        note=f"{NORMS} Uses B >= 1, and Assumptions 2-3 at every local iterate although they are stated for "
        "w_t only.",
    ),
    printed_line(
        id="L2.7",
        place="Appendix C.2, first display after eq. (15), line 7",
        title="The gradient at the start is added and subtracted",
        printed=r"\|\nabla f(w^{e-1}_t)\|^2=\|\nabla f(w^{e-1}_t)-\nabla f(w_t)+\nabla f(w_t)\|^2",
        claim=Claim((sp.Eq(r, u - v),), equal(u**2, (r + v) ** 2)),
        method=Identity(),
        depends=("L2.6",),
        note=COORDINATE,
    ),
    silent_step(
        id="L2.8a",
        place="Appendix C.2, first display after eq. (15), line 8, used without being written",
        title="A squared sum is at most twice the sum of squares",
        printed=r"\|r+g\|^2\le2\|r\|^2+2\|g\|^2",
        claim=Claim((), (r + g0) ** 2 <= 2 * r**2 + 2 * g0**2),
        method=SumOfSquares((term(1, r - g0),)),
        depends=("L2.7",),
        note=COORDINATE,
    ),
    printed_line(
        id="L2.8",
        place="Appendix C.2, first display after eq. (15), line 8",
        title="The factor 1 + 2B^2(P_b + P_n) is collected on drift and gradient",
        printed=r"\left(1+\tfrac{1}{2E-1}+6E(L+\mu)^2\gamma^2(1+2B^2(P_b+P_n))\right)\mathbb{E}"
        r"\|w^{e-1}_t-w_t\|^2+6E\gamma^2((1+2B^2(P_b+P_n))\|\nabla f(w_t)\|^2+b^2+\sigma^2)",
        claim=Claim(
            (*SIGNS, EPOCHS, D >= 0, smooth, halved),
            (GROWTH + 6 * E * Lam**2 * gamma**2) * D + local * ((x + y) * Ge + b2 + s2 + G)
            <= (GROWTH + 6 * E * Lam**2 * gamma**2 * A) * D + local * (A * G + b2 + s2),
        ),
        method=SumOfSquares((term(6 * E * (x + y), gamma, halved), term(12 * E * (x + y), gamma, smooth))),
        depends=("L2.6", "L2.7", "L2.8a", "S.2"),
        note=NORMS,
    ),
)
