"""Second moments over E local steps (Appendix C.2, after Lemma 2), line by line.

Letters: Sum = Σ_e ‖∇f(w^e_t)‖², T1 = E Σ_e E‖∇f(w^e_t) − ∇f(w_t)‖² (the paper's term 1). The final lines
(eq:sec_grad, eq:beta, eq:sec_zeta) are linear in ‖∇f(w_t)‖², b² and σ², so each coefficient is its own entry:
sampling the whole line cannot see a lost factor that another coefficient pays for.
"""

import sympy as sp

from theory.ledger import Claim, equal, support
from theory.ledger.lines import SILENT, defined, printed_line, refuted, silent_step
from theory.papers.fps.assumptions import (
    AT_RATE,
    BASE,
    COORDINATE,
    ENERGIES,
    EPOCHS,
    FRESH_E,
    IN_RATE,
    NORMS,
    RATE,
    SIGNS,
    SMOOTH,
)
from theory.papers.fps.letters import A, E, G, Lam, P_b, b2, gamma, q, real, s2, x, y
from theory.provers import AtPoint, Identity, Positivity, SumOfSquares, term
from theory.provers.certificates import below, shift, strictly_below

R = sp.Rational
Bt, Z, N, Sum, T1, D, S, Q, a, u, bt, r, g0, num = real("Bt Z N Sum T1 D S Q a u bt r g0 num")

LETTERS = {
    "S": "one coordinate, summed over the other local steps; in M.7 the sum over e of E|grad f(w^e_t) - "
    "grad f(w_t)|^2",
    "a": "one coordinate of g^e_t",
    "u": "the same coordinate of grad f(w^e_t)",
    "bt": "the same coordinate of the bias",
    "r": "the same coordinate of the noise; in M.5 of grad f(w^e_t) - grad f(w_t)",
    "g0": "the same coordinate of grad f(w_t)",
    "w0": "the same coordinate of w_t",
    "before": "the same coordinate of the local point before a step",
    "after": "the same coordinate after it",
    "Q": "its squares, summed over the first num vectors",
    "num": "number of vectors so far",
    "total2": "squared norm of the sum over e of grad f(w^e_t) - grad f(w_t) + beta^e_t",
    "N": "E|g_t|^2",
    "Sum": "sum over e of E|grad f(w^e_t)|^2",
    "Parts": "sum over e of E|g^e_t|^2",
    "Bt": "sum over e of E|beta^e_t|^2",
    "Z": "sum over e of E|zeta^e_t|^2",
    "T1": "the paper's term 1",
    "D": "sum over e of E|w^e_t - w_t|^2; in M.8 a bound of each",
}

w0, before, after = real("w0 before after")
moved, step = sp.Eq(before, w0 - gamma * S), sp.Eq(after, before - gamma * a)
holds = Claim((E >= 2, P_b > 0, P_b < 1, G > 0), (E - 1) ** 2 * G <= P_b * G)
# The corrected form in Theorem 1, without b and sigma: total2 = |sum of (grad f(w^e) - grad f + beta^e)|².
total2 = real("total2")[0]
own_step, quarter = 2 * gamma * Lam * E <= 1, 1 / (16 * E * Lam * A)
apart, biases = total2 <= 2 * T1 + 2 * E * Bt, Bt <= y * Sum
at_start, drift = E * Sum <= 2 * T1 + 2 * E**2 * G, T1 <= R(15, 128) * E**2 * G / A
SUM_OF_GRADIENTS = (
    support(
        Claim(
            (EPOCHS, RATE, SMOOTH, own_step),
            -gamma * u * (E * u + bt) + gamma**2 * Lam * (E * u + bt) ** 2
            <= gamma / (2 * E) * bt**2 - gamma * E / 2 * u**2,
        ),
        SumOfSquares((term(gamma / (2 * E), E * u + bt, own_step),)),
        "the corrected form in steps (a) and (b): E gradients, and bt a coordinate of the rest",
    ),
    support(
        Claim((EPOCHS, y >= 0, apart, biases, at_start), total2 <= (2 + 4 * y) * T1 + 4 * y * E**2 * G),
        SumOfSquares((term(1, 1, apart), term(2 * E, 1, biases), term(2 * y, 1, at_start))),
        "the rest is drift and bias",
    ),
    support(
        Claim(
            (*BASE, SMOOTH, RATE, gamma <= quarter),
            30 * E**4 * Lam**2 * gamma**2 * A <= R(15, 128) * E**2 / A,
        ),
        Positivity(below(gamma, "h", quarter), FRESH_E),
        "term 1 by Lemma 2 at a quarter of its step size",
    ),
    support(
        Claim(
            (*BASE, RATE, G >= 0, 24 * y <= 1, drift),
            gamma / (2 * E) * ((2 + 4 * y) * T1 + 4 * y * E**2 * G) <= gamma * E / 4 * G,
        ),
        SumOfSquares(
            (
                term(gamma / (2 * E) * (2 + 4 * y), 1, drift),
                term(gamma * E * G / 12, 1, 24 * y <= 1),
                term(gamma * E * G / 2 * (R(1, 3) - R(15, 64))),
                term(R(15, 64) * gamma * E * G * x / A),
            )
        ),
        "half of the gamma E/2 |grad f|^2 is left; eq. (11) implies 24 P_b B^2 < 1 for E >= 2",
    ),
)
total = real("Parts")[0]
cauchy, parts = N <= E * total, total <= 2 * Sum + 2 * Bt + Z  # entries M.3a and M.3b, L2.6a
bias, noise = Bt <= y * Sum + E * b2, Z <= x * Sum + E * s2
grown = S**2 <= num * Q
energy = A * G + b2 + s2
per_step = D <= 30 * E**2 * gamma**2 * energy
smooth = S <= Lam**2 * D

ENTRIES = defined(
    LETTERS,
    # Of the first local steps the sum is S; one more, with the gradient a, moves to `after`.
    printed_line(
        id="M.0",
        place="Appendix C.2, eq. (17)",
        title="The gradient of a round is the sum of its E local gradients",
        printed=r"g_t(w_t)=\sum_{e=0}^{E-1}g_t(w^e_t)",
        claim=Claim((moved, step), equal(after, w0 - gamma * (S + a))),
        method=Identity(),
        note="As a definition: a round moves by -gamma times this sum, by induction on the local steps. That "
        "the sum meets Definition 1 and Assumption 3 as one gradient of f is another step (entry M.1).",
    ),
    refuted(
        id="M.1",
        kind=SILENT,
        place="Appendix C.2, eq. (17), used with Definition 1 and Assumption 3",
        title="The sum of E gradients is one gradient of f with bias and noise",
        printed=r"\sum_{e=0}^{E-1}g_t(w^e_t)=\nabla f(w_t)+\beta_t+\zeta_t,\quad\|\beta_t\|^2\le "
        r"P_b\|\nabla f(w_t)\|^2+b^2",
        claim=holds,
        fails=AtPoint({E: 2, P_b: R(1, 30), G: 1}),
        always=Positivity(shift(E, "e", 2), strictly_below(P_b, "m", sp.Integer(1))),
        depends=("M.0", "A3", "D1"),
        beside=SUM_OF_GRADIENTS,
        right=(
            "E[g_t] = E grad f + sum of (grad f(w^e) - grad f + beta^e): the step is E gamma, not gamma, "
            "at a quarter of Lemma 2's step size",
            r"\mathbb{E}_t g_t=E\nabla f(w_t)+\sum_e(\nabla f(w^e_t)-\nabla f(w_t)+\beta^e_t)",
        ),
        severity="fixable",
        note="Linear f, exact gradients, b = 0: then beta_t = (E-1) grad f, and Assumption 3 reads (E-1)^2 "
        "<= P_b. Fails for every E >= 2 and every P_b < 1. If beta_t means the sum of the local biases "
        "instead, then g_t - beta_t - zeta_t is the sum of E gradients and step (a) of Theorem 1 loses E - "
        "1 of them. With the corrected form the argument goes on as in Corollary 2.",
        reading="At E = 1 the line is right. For E >= 2 the authors may count the (E-1) further "
        "gradients into a larger b^2.",
    ),
    printed_line(
        id="M.2",
        place="Appendix C.2, eq. (18), line 1",
        title="Each local gradient is its mean plus bias plus noise",
        printed=r"\mathbb{E}\|g_t\|^2=\mathbb{E}\left\|\sum_{e=0}^{E-1}\nabla f(w^e_t)+\beta^e_t+"
        r"\zeta^e_t\right\|^2",
        claim=Claim((sp.Eq(a, u + bt + r),), equal((S + a) ** 2, (S + (u + bt + r)) ** 2)),
        method=Identity(),
    ),
    silent_step(
        id="M.3a",
        place="Appendix C.2, eq. (18), line 2, used without being written",
        title="Cauchy-Schwarz: the squared norm of a sum of E vectors is at most E times the sum of squares",
        printed=r"\left\|\sum_e a_e\right\|^2\le E\sum_e\|a_e\|^2",
        claim=Claim((num >= 1, grown), (S + a) ** 2 <= (num + 1) * (Q + a**2)),
        method=SumOfSquares((term((num + 1) / num, 1, grown), term(1 / num, S - num * a))),
        depends=("M.2",),
        note="Induction on the number of vectors, per coordinate. The base is one vector, with equality.",
    ),
    printed_line(
        id="M.3",
        place="Appendix C.2, eq. (18), line 2",
        title="Bias and noise of the local steps, with the factor 2 + 2P_bB^2 + P_nB^2",
        printed=r"\le E\sum_e\left((2+2P_bB^2+P_nB^2)\|\nabla f(w^e_t)\|^2+2b^2+\sigma^2\right)",
        claim=Claim((*SIGNS, EPOCHS, cauchy, parts, bias, noise), N <= E * (q * Sum + E * (2 * b2 + s2))),
        method=SumOfSquares((term(1, 1, cauchy), term(E, 1, parts), term(2 * E, 1, bias), term(E, 1, noise))),
        depends=("M.3a", "M.3b", "L2.6a", "A2", "A3", "A5"),
    ),
    silent_step(
        id="M.3b",
        place="Appendix C.2, eq. (18), line 2, used without being written",
        title="Gradient plus bias: twice the sum of squares",
        printed=r"\|\nabla f+\beta\|^2\le2\|\nabla f\|^2+2\|\beta\|^2",
        claim=Claim((), (u + bt) ** 2 <= 2 * u**2 + 2 * bt**2),
        method=SumOfSquares((term(1, u - bt),)),
    ),
    printed_line(
        id="M.4",
        place="Appendix C.2, eq. (18), line 3",
        title="The constants are summed over the E steps",
        printed=r"=(2+2P_bB^2+P_nB^2)E\sum_e\|\nabla f(w^e_t)\|^2+2E^2b^2+E^2\sigma^2",
        claim=Claim((), equal(E * (q * Sum + E * (2 * b2 + s2)), q * E * Sum + 2 * E**2 * b2 + E**2 * s2)),
        method=Identity(),
        depends=("M.3",),
        note=NORMS,
    ),
    printed_line(
        id="M.5",
        place="Appendix C.2, eq. (18), line 4",
        title="The gradient at the start is added and subtracted",
        printed=r"\|\nabla f(w^e_t)\|^2=\|\nabla f(w^e_t)-\nabla f(w_t)+\nabla f(w_t)\|^2",
        claim=Claim((sp.Eq(r, u - g0),), equal(u**2, (r + g0) ** 2)),
        method=Identity(),
        depends=("M.4",),
        note=COORDINATE,
    ),
    printed_line(
        id="M.6",
        place="Appendix C.2, eq. (18), line 5",
        title="The sum over local gradients becomes term 1 plus E^2 times the gradient at the start",
        printed=r"\le2(2+2P_bB^2+P_nB^2)\underbrace{E\left(\sum_e\|\nabla f(w^e_t)-\nabla f(w_t)\|^2"
        r"\right)}_{\text{term 1}}+2(2+2P_bB^2+P_nB^2)E^2\|\nabla f(w_t)\|^2+2E^2b^2+E^2"
        r"\sigma^2",
        claim=Claim(
            (*BASE, E * Sum <= 2 * T1 + 2 * E**2 * G),
            q * E * Sum + 2 * E**2 * b2 + E**2 * s2
            <= 2 * q * T1 + 2 * q * E**2 * G + 2 * E**2 * b2 + E**2 * s2,
        ),
        method=SumOfSquares((term(q, 1, E * Sum <= 2 * T1 + 2 * E**2 * G),)),
        depends=("M.5", "L2.8a"),
        note=NORMS,
    ),
    printed_line(
        id="M.7",
        place="Appendix C.2, eq. (19)",
        title="Smoothness bounds term 1 by the drift",
        printed=r"E\sum_e\mathbb{E}\|\nabla f(w^e_t)-\nabla f(w_t)\|^2\le(L+\mu)^2E\sum_e\mathbb{E}"
        r"\|w^e_t-w_t\|^2",
        claim=Claim((EPOCHS, D >= 0, smooth), E * S <= Lam**2 * E * D),
        method=SumOfSquares((term(E, 1, smooth),)),
        depends=("S.2",),
    ),
    printed_line(
        id="M.8",
        place="Appendix C.2, eq. (20), line 1",
        title="Lemma 2 inserted: 30 E^4 (L+mu)^2 gamma^2",
        printed=r"\le30E^4(L+\mu)^2\gamma^2((1+2B^2(P_b+P_n))\|\nabla f(w_t)\|^2+b^2+\sigma^2)",
        claim=Claim(
            (*IN_RATE, *ENERGIES, per_step),
            Lam**2 * E * (E * D) <= 30 * E**4 * Lam**2 * gamma**2 * energy,
        ),
        method=SumOfSquares((term(1, Lam * E, per_step),)),
        depends=("M.7", "L2"),
        note="The bound of the drift holds for every local step, so the sum over e is at most E times it.",
    ),
    printed_line(
        id="M.9",
        place="Appendix C.2, eq. (20), line 2",
        title="The step size turns 30/16 into 2",
        printed=r"30E^4(L+\mu)^2\gamma^2\le\frac{2E^2}{(1+2B^2(P_b+P_n))^2}",
        claim=Claim(IN_RATE, 30 * E**4 * Lam**2 * gamma**2 <= 2 * E**2 / A**2),
        method=Positivity(*AT_RATE),
        depends=("M.8",),
        note="Coefficients: M.8 without its last bracket.",
    ),
)
