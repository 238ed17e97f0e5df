"""Theorem 1, step 1 (Appendix C.3, eq:step1_fps): from smoothness to a descent inequality."""

import sympy as sp

from theory.ledger import Claim, equal
from theory.ledger.lines import defined, printed_line, refuted, silent_step
from theory.papers.fps.assumptions import AT_RATE, COORDINATE, DESCENT_RATE, IN_RATE, RATE, SMOOTH
from theory.papers.fps.letters import Lam, gamma, mu, real
from theory.provers import AtPoint, Identity, Positivity, SumOfSquares, term
from theory.provers.certificates import below

f0, f1, ip, rem, dist2, Mg, Z, g, u, ut, bt = real("f0 f1 ip rem dist2 Mg Z g u ut bt")
l1, move = real("l1 move")

LETTERS = {
    "f0": "f(w~_t)",
    "f1": "f(w~_{t+1})",
    "ip": "<grad f(w~_t), w~_{t+1} - w~_t>",
    "rem": "f1 - f0 - ip",
    "dist2": "|w~_{t+1} - w~_t|^2",
    "l1": "application loss at the new point",
    "move": "distance of the new point to the old centre",
    "g": "a coordinate of g_t",
    "u": "the same coordinate of grad f(w_t)",
    "ut": "the same coordinate of grad f(w~_t)",
    "bt": "the same coordinate of beta_t",
    "Mg": "|grad f(w_t) + beta_t|^2",
    "Z": "E|zeta_t|^2",
    "w1": "the coordinate of w~_t that is not 0",
    "step1": "the same coordinate of -gamma g_t",
    "step2": "the other coordinate of -gamma g_t",
    "kept": "1 if top-1 keeps the first coordinate, 0 if it keeps the second",
}

w1, step1, step2, kept = real("w1 step1 step2 kept")
chosen = (sp.Eq(kept**2, kept), (2 * kept - 1) * ((w1 + step1) ** 2 - step2**2) >= 0)
upper, move_by = rem <= Lam / 2 * dist2, sp.Eq(rem, f1 - f0 - ip)

ENTRIES = defined(
    LETTERS,
    printed_line(
        id="T1.1",
        place="Appendix C.3, eq. (25), line 1",
        title="The descent lemma between consecutive unsketched iterates",
        printed=r"\mathbb{E}_tf(\tilde w_{t+1})\le f(\tilde w_t)+\langle\nabla f(\tilde "
        r"w_t),\mathbb{E}_t[\tilde w_{t+1}-\tilde w_t]\rangle+\tfrac{L+\mu}{2}\mathbb{E}_t\|\tilde "
        r"w_{t+1}-\tilde w_t\|^2",
        claim=Claim((upper, move_by, dist2 >= 0), f1 <= f0 + ip + Lam / 2 * dist2),
        method=SumOfSquares((term(1, 1, upper),), using=((1, move_by),)),
        depends=("S.1", "S.2", "A1"),
    ),
    silent_step(
        id="T1.1c",
        place="Appendix C.3, eq. (25), between two rounds",
        title="The proximal centre moves with the broadcast point, and the loss does not increase by that",
        printed=r"f(\tilde w_{t+1},\tilde w_{t+1})\le f(\tilde w_{t+1},\tilde w_t)",
        claim=Claim((mu >= 0,), l1 + mu / 2 * (move - move) ** 2 <= l1 + mu / 2 * move**2),
        method=SumOfSquares((term(mu / 2, move),)),
        note="At its own centre the proximal term is zero; move is the distance to the old centre.",
    ),
    # Top-1 of two coordinates, w~ = (w1, 0): what is kept is (kept (w1 + step1), (1 - kept) step2).
    refuted(
        id="T1.2",
        place="Appendix C.3, eq. (25), line 2",
        title="The unsketched iterate moves by exactly -gamma g_t",
        printed=r"\tilde w_{t+1}-\tilde w_t=-\gamma g_t",
        claim=Claim(chosen, sp.And(equal(kept * (w1 + step1) - w1, step1), equal((1 - kept) * step2, step2))),
        fails=AtPoint({w1: 1, step1: 0, step2: 2, kept: 0}),
        depends=("T1.1",),
        right=(
            "the exact vector v_t behind the sketch moves by -gamma g_t; the broadcast point is v_t minus a "
            "residual",
            r"v_{t+1}-v_t=-\gamma g_t,\quad \tilde w_t=v_t-r_t",
        ),
        severity="fixable",
        note="Two coordinates, k = 1, exact recovery. Fixable where sketches are kept (Section 6.2): with "
        "the names exchanged (w_t the broadcast, where gradients are taken, w~_t the vector behind the "
        "sketch) the line is true, and at E = 1 the chain goes on, with T1.8 corrected and |w_t - w~_t|^2 "
        "as a term (Corollary 1). For sketches that start anew in each round (step 6 as written) we know "
        "no repair; from w_0 ≠ 0 the bound is false (entry T1.38).",
        reading="Sketches that are kept, with w_t the vector behind the sketch: then the line is "
        "right, and the residual moves into the gradient.",
    ),
    printed_line(
        id="T1.3",
        place="Appendix C.3, eq. (25), line 3",
        title="The gradient at w_t is added and subtracted",
        printed=r"-\langle\nabla f(\tilde w_t),\gamma\mathbb{E}_tg_t\rangle=-\gamma\langle\nabla "
        r"f(w_t),\mathbb{E}_tg_t\rangle+\langle\nabla f(w_t)-\nabla f(\tilde "
        r"w_t),\gamma\mathbb{E}_tg_t\rangle",
        claim=Claim((), equal(-ut * gamma * g, -gamma * u * g + (u - ut) * gamma * g)),
        method=Identity(),
        depends=("T1.1", "T1.2"),
        note=COORDINATE,
    ),
    printed_line(
        id="T1.4",
        place="Appendix C.3, eq. (25), line 4, step (a)",
        title="Mean and noise of the gradient are separated, with a factor 2 to spare",
        printed=r"\tfrac{L+\mu}{2}\gamma^2\mathbb{E}_t\|g_t\|^2\le\gamma^2(L+\mu)(\|\nabla "
        r"f(w_t)+\beta_t\|^2+\mathbb{E}_t\|\zeta_t\|^2)",
        claim=Claim(
            (SMOOTH, RATE, Mg >= 0, Z >= 0), Lam / 2 * gamma**2 * (Mg + Z) <= gamma**2 * Lam * (Mg + Z)
        ),
        method=Positivity(),
        depends=("T1.3", "M.1", "L2.6a"),
        note="Mg = |grad f + beta|^2 and Z = E|zeta|^2 add up to E|g|^2 because zeta has mean zero. "
        "Takes E_t g_t = grad f(w_t) + beta_t from Definition 1, which entry M.1 breaks for E >= 2.",
    ),
    printed_line(
        id="T1.5",
        place="Appendix C.3, eq. (25), line 5, step (b)",
        title="gamma <= 1/(2(L+mu)) turns the quadratic term into gamma/2",
        printed=r"-\gamma\langle\nabla f(w_t),\nabla f(w_t)+\beta_t\rangle+\dots+\gamma^2(L+\mu)(\|"
        r"\nabla f(w_t)+\beta_t\|^2+\mathbb{E}_t\|\zeta_t\|^2)\le\frac{\gamma}{2}\left(-2"
        r"\langle\nabla f(w_t),\nabla f(w_t)+\beta_t\rangle+\|\nabla f(w_t)+\beta_t\|^2"
        r"\right)+\dots+\gamma^2(L+\mu)(\mathbb{E}_t\|\zeta_t\|^2)",
        claim=Claim((SMOOTH, RATE, DESCENT_RATE, Mg >= 0), gamma**2 * Lam * Mg <= gamma / 2 * Mg),
        method=Positivity(below(gamma, "h", 1 / (2 * Lam))),
        depends=("T1.4",),
    ),
    printed_line(
        id="T1.5c",
        place="Appendix C.3, sentence after eq. (25)",
        title="The step-size condition of Lemma 2 implies gamma <= 1/(2(L+mu))",
        printed=r"\gamma\le\frac{1}{4E(L+\mu)(1+2B^2(P_b+P_n))}\ \Rightarrow\ "
        r"\gamma\le\frac{1}{2(L+\mu)}",
        claim=Claim(IN_RATE, gamma <= 1 / (2 * Lam)),
        method=Positivity(*AT_RATE),
    ),
    printed_line(
        id="T1.6",
        place="Appendix C.3, eq. (25), line 6",
        title="Completing the square leaves minus the gradient plus the bias",
        printed=r"\frac{\gamma}{2}\left(-2\langle\nabla f(w_t),\nabla f(w_t)+\beta_t\rangle+\|\nabla"
        r" f(w_t)+\beta_t\|^2\right)=\frac{\gamma}{2}\left(-\|\nabla f(w_t)\|^2+\|\beta_t\|^2"
        r"\right)",
        claim=Claim((), equal(-2 * u * (u + bt) + (u + bt) ** 2, -(u**2) + bt**2)),
        method=Identity(),
        depends=("T1.5",),
        note=COORDINATE,
    ),
)
