"""Theorem 1, step 2 (eq:step2_fps): the second moments are inserted, coefficient by coefficient."""

import sympy as sp

from theory.ledger import Claim, corrected_form, cover, equal
from theory.ledger.lines import absorbed, defined, printed_line, refuted
from theory.papers.fps.assumptions import EPOCHS, FRESH_E, RATE, SIGNS, SMOOTH
from theory.papers.fps.letters import A, E, H, Lam, gamma, q, real, x, y
from theory.papers.fps.moments import coefficients as co
from theory.provers import AtPoint, Identity, Positivity, SumOfSquares, term

R = sp.Rational
a, g, r, coefficient = real("a g r coefficient")

LETTERS = {
    **co.LETTERS,
    "coefficient": "coefficient of |grad f(w_t)|^2 before it is collected",
    "a": "|w_t - w~_t|",
    "r": "|grad f(w_t) - grad f(w~_t)|",
    "g": "|g_t|",
    "inner": "<grad f(w_t) - grad f(w~_t), g_t>",
    "along": "<w_t - w~_t, g_t>",
}

half = gamma / 2 * (2 * y * E**2 * (1 + 2 * H))
printed = gamma * y * (1 + 2 * H) * E**2 / 2
noise_gradient = 2 * x * E**2 + 2 * x * co.TERM1 * A
inner, along = real("inner along")
norms, lipschitz, cauchy = (a >= 0, r >= 0, g >= 0), r <= Lam * a, inner <= r * g
lengths = (cauchy, -inner <= r * g, along <= a * g, -along <= a * g)
replaced, right = gamma * inner <= Lam * gamma * along, gamma * inner <= Lam * gamma * a * g
young, longest = gamma * inner <= Lam**2 * a**2 / 2 + gamma**2 * g**2 / 2, along <= a * g
moment_gradient = 2 * q * E**2 + 2 * q * co.TERM1 * A

ENTRIES = defined(
    LETTERS,
    refuted(
        id="T1.8",
        place="Appendix C.3, eq. (26), line 1, bias in the coefficient of the gradient",
        title="rho has half of the bias coefficient",
        printed=r"\frac{\gamma}{2}-\frac{\gamma P_b(1+2H)E^2B^2}{2}",
        claim=Claim((x >= 0, y > 0, EPOCHS, RATE), half <= printed),
        fails=AtPoint({x: 0, y: R(1, 20), E: 1, gamma: R(1, 36)}),
        always=Positivity(FRESH_E),
        depends=("T1.6", "M.16"),
        right=(
            "gamma P_b (1+2H) E^2 B^2: short by gamma P_b B^2 E^2 (1+2H)/2, so rho changes",
            r"\gamma P_b(1+2H)E^2B^2",
        ),
        severity="fixable",
        reading="A slip of a factor 2: the chain goes on with the corrected rho (entry T1.21c).",
    ),
    printed_line(
        id="T1.9",
        place="Appendix C.3, eq. (26), line 1, noise in the coefficient of the gradient",
        title="The noise adds 2 P_n (L+mu)(1+2H) gamma^2 E^2 B^2 to the coefficient of the gradient",
        printed=r"-2P_n(L+\mu)(1+2H)\gamma^2E^2B^2",
        claim=Claim(
            (*SIGNS, sp.Eq(coefficient, noise_gradient)),
            equal(gamma**2 * Lam * coefficient, 2 * x * Lam * (1 + 2 * H) * gamma**2 * E**2),
        ),
        method=Identity(),
        depends=("T1.6", "M.19"),
    ),
    co.line_from(
        gamma / 2 * co.bias + gamma**2 * Lam * co.noise <= co.STEP2_B2,
        (gamma / 2, co.bias <= co.PRINTED_BIAS_B2),
        (gamma**2 * Lam, co.noise <= co.PRINTED_NOISE_B2),
        id="T1.10",
        place="Appendix C.3, eq. (26), line 1, coefficient of b^2",
        title="b^2 from bias and noise, with a factor 2 to spare on the bias",
        printed=r"2E^2H^2\left(\left(\tfrac12+2P_bB^2\right)\gamma+\gamma^2(L+\mu)\right)b^2",
        depends=("T1.6", "M.17", "M.20"),
    ),
    co.line_from(
        gamma / 2 * co.PRINTED_BIAS_S2 + gamma**2 * Lam * co.noise <= co.STEP2_S2,
        (gamma**2 * Lam, co.noise <= co.PRINTED_NOISE_S2),
        id="T1.11",
        place="Appendix C.3, eq. (26), line 1, coefficient of sigma^2",
        title="sigma^2 from bias and noise, with a factor 2 to spare on the bias",
        printed=r"2E^2H^2\left(\gamma+\left(\tfrac12+2P_nB^2\right)\gamma^2(L+\mu)\right)\sigma^2",
        depends=("T1.6", "M.18", "M.21"),
    ),
    absorbed(
        id="T1.12",
        place="Appendix C.3, eq. (26), line 1, the inner product",
        title="An inner product with the gradient difference is (L+mu) times both lengths",
        printed=r"\langle\nabla f(w_t)-\nabla f(\tilde w_t),\gamma\mathbb{E}_t[g_t]\rangle\le"
        r"\mathbb{E}_t[\langle(L+\mu)(w_t-\tilde w_t),\gamma g_t\rangle]",
        claim=Claim((SMOOTH, RATE, *norms, lipschitz, *lengths), replaced),
        fails=AtPoint({Lam: 1, gamma: R(1, 36), a: 1, r: 0, g: 1, inner: 0, along: -1}),
        beside=(
            corrected_form(
                Claim((SMOOTH, RATE, *norms, lipschitz, cauchy), right),
                SumOfSquares((term(gamma, 1, cauchy), term(gamma * g, 1, lipschitz))),
                "Cauchy-Schwarz, then smoothness",
            ),
            cover(
                "T1.13",
                Claim((RATE, right), young),
                SumOfSquares((term(1, 1, right), term(R(1, 2), Lam * a - gamma * g))),
                "step (d) follows from the gradient difference directly",
            ),
        ),
        depends=("T1.6", "S.2"),
        right=(
            "at most |grad f(w) - grad f(w~)| |gamma g|, hence step (d)",
            r"\langle\nabla f(w_t)-\nabla f(\tilde w_t),\gamma "
            r"g_t\rangle\le(L+\mu)\|w_t-\tilde w_t\|\,\|\gamma g_t\|",
        ),
        note="Smoothness bounds norms, not coordinates. "
        "In one dimension: w - w~ = 1, equal gradients, g_t = -1.",
    ),
    printed_line(
        id="T1.13",
        place="Appendix C.3, eq. (26), line 2, step (d)",
        title="Young with weight 1 on quantities of different units",
        printed=r"\mathbb{E}_t[\langle(L+\mu)(w_t-\tilde w_t),\gamma g_t\rangle]\le\tfrac{(L+"
        r"\mu)^2}{2}\mathbb{E}_t\|w_t-\tilde w_t\|^2+\tfrac{\gamma^2}{2}\mathbb{E}_t\|g_t\|^2",
        claim=Claim((SMOOTH, RATE, replaced, longest), young),
        method=SumOfSquares(
            (term(1, 1, replaced), term(Lam * gamma, 1, longest), term(R(1, 2), Lam * a - gamma * g))
        ),
        depends=("T1.12",),
        note="True, but the two terms have different units, (loss/length)^2 and length^2: everything "
        "after it depends on the unit of the loss.",
    ),
    printed_line(
        id="T1.15",
        place="Appendix C.3, eq. (26), line 3, coefficient of the gradient",
        title="eq. (21) inserted: gradient",
        printed=r"-\gamma^2E^2(2+2P_bB^2+P_nB^2)(1+2H)",
        claim=Claim(
            (*SIGNS, sp.Eq(coefficient, moment_gradient)),
            equal(gamma**2 / 2 * coefficient, gamma**2 * E**2 * q * (1 + 2 * H)),
        ),
        method=Identity(),
        depends=("T1.8", "T1.9", "T1.13", "M.10"),
    ),
    co.line_from(
        co.step + gamma**2 / 2 * co.moment <= co.LAST_B2,
        (sp.Integer(1), co.step <= co.STEP2_B2),
        (gamma**2 / 2, co.moment <= co.PRINTED_G_B2),
        id="T1.16",
        place="Appendix C.3, eq. (26), line 3, coefficient of b^2",
        title="eq. (21) inserted: b^2, with the factor 1/2 of step (d) dropped",
        printed=r"\dots+\left(\frac{1}{H^2}+(2+2P_bB^2+P_nB^2)\right)\gamma^2",
        depends=("T1.10", "T1.13", "M.11"),
        note="The dropped 1/2 pays for the factor 2 lost in eq. (21).",
    ),
    co.line_from(
        co.step + gamma**2 / 2 * co.moment <= co.LAST_S2,
        (sp.Integer(1), co.step <= co.STEP2_S2),
        (gamma**2 / 2, co.moment <= co.PRINTED_G_S2),
        id="T1.17",
        place="Appendix C.3, eq. (26), line 3, coefficient of sigma^2",
        title="eq. (21) inserted: sigma^2, with the factor 1/2 of step (d) dropped",
        printed=r"\dots+\left((2+2P_bB^2+P_nB^2)+\frac{1}{2H^2}\right)\gamma^2",
        depends=("T1.11", "T1.13", "M.12"),
    ),
)
