"""Lemma 2 as stated, sharper constants from the same recursion, and the reading per device that fails."""

import sympy as sp

from theory.ledger import Claim
from theory.ledger.lines import SILENT, defined, printed_line, question, refuted
from theory.papers.fps.assumptions import ENERGIES, EPOCHS, LEMMA2_RATE, RATE, SIGNS, SMOOTH
from theory.papers.fps.letters import A, B, E, G, Lam, b2, gamma, real, s2, y
from theory.provers import AtPoint, Cases, SumOfSquares, term

D, Q = real("D Q")
RATES = (SMOOTH, RATE, LEMMA2_RATE)

LETTERS = {"D": "E|w^e_t - w_t|^2, the squared drift", "Q": "(1 + 1/(E-1))^E"}

mean, apart = real("mean apart")
factor = 1 + 2 * y
alike = mean**2 + apart**2 <= B**2 * mean**2
bound = 30 * 2**2 * gamma**2 * factor * mean**2
rate = gamma <= 1 / (4 * 2 * Lam * factor)
energy = A * G + b2 + s2
unrolled = D <= 6 * E * (E - 1) * (Q - 1) * gamma**2 * energy
several, single = sp.And(E > 1, Q <= 5, unrolled), sp.Eq(D, 0)

ENTRIES = defined(
    LETTERS,
    printed_line(
        id="L2",
        place="Appendix C.2, eq. (15), Lemma 2",
        title="Lemma 2: the bound of the drift, with the constant 30",
        printed=r"\mathbb{E}\|w^e_t-w_t\|^2\le30E^2\gamma^2((1+2B^2(P_b+P_n))\|\nabla "
        r"f(w_t)\|^2+b^2+\sigma^2)",
        claim=Claim(
            (*SIGNS, *ENERGIES, EPOCHS, *RATES, sp.Or(several, single)),
            D <= 30 * E**2 * gamma**2 * energy,
        ),
        method=Cases(  # in the order of the printed cases: several epochs, then one
            (
                SumOfSquares(
                    (
                        term(1, 1, unrolled),
                        term(6 * E * (E - 1) * energy, gamma, Q <= 5),
                        term((6 * E**2 + 24 * E) * energy, gamma),
                    )
                ),
                SumOfSquares((term(30 * E**2 * energy, gamma),), using=((-1, single),)),
            )
        ),
        depends=("L2.12", "L2.13", "L2.14", "L2.15"),
        note="For E > 1 the recursion of L2.12 and L2.13 gives the bound, with (1 + 1/(E-1))^E at "
        "most 5 (L2.14). At E = 1 nothing drifts. For one model with B >= 1; per device it is false (entry "
        "L2.24).",
    ),
    question(
        id="L2.16",
        place="not in the paper; needed by entries M.11 and M.12",
        title="The same recursion stopped at e <= E-1 gives 12 in place of 30",
        claim=Claim((*SIGNS, *ENERGIES, E > 1, *RATES, Q <= 3, unrolled), D <= 12 * E**2 * gamma**2 * energy),
        method=SumOfSquares(
            (
                term(1, 1, unrolled),
                term(6 * E * (E - 1) * energy, gamma, Q <= 3),
                term(12 * E * energy, gamma),
            )
        ),
        depends=("L2.12", "L2.13", "L2.14t"),
        letters={"Q": "(1 + 1/(E-1))^(E-1)"},
        note="Only E-1 steps precede the last local point. At E = 1 there is no drift.",
    ),
    # Slopes mean ± apart of two linear losses: 11 and −9 drift much further than their mean 1.
    refuted(
        id="L2.24",
        kind=SILENT,
        place="Appendix C.2, eq. (15), Lemma 2, used for the iterate of each device",
        title="The lemma holds for each device, with the gradient of f in the bound",
        printed=r"\mathbb{E}\|w^{m,e}_t-w_t\|^2\le30E^2\gamma^2(\dots)\ \text{ for each device } m",
        claim=Claim(
            (y > 0, 100 * y <= 1, B >= 1, SMOOTH, RATE, rate, alike),  # so P_b < 1
            sp.And((gamma * (mean + apart)) ** 2 <= bound, (gamma * (mean - apart)) ** 2 <= bound),
        ),
        fails=AtPoint(
            {mean: 1, apart: 10, B: 11, y: sp.Rational(1, 1000), Lam: 1, gamma: sp.Rational(1, 200)}
        ),
        depends=("L2",),
        right="average over devices, with the mean of the squared device gradients (Lemma 2')",
        severity="fixable",
        letters={"mean": "slope of f", "apart": "half the difference of the devices' slopes"},
        note="Two devices with linear losses, exact gradients and E = 2: after one step they are off by "
        "gamma times their slopes. Algorithm 1 moves each device by its own gradient, so this is the "
        "reading that Theorem 1 needs.",
        reading="With one model, or devices that all have the gradient of f, the lemma stands as "
        "printed (entry L2).",
    ),
)
