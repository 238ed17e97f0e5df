"""Encode your own paper: three lines about gradient descent, judged with evidence.

    fpsverify verify --paper examples/encode_a_paper.py

What the lines say: for an L-smooth f and w⁺ = w − γ∇f(w), f(w⁺) ≤ f(w) − (γ/2)‖∇f(w)‖².
"""

from sympy import Eq, sqrt

import theory as th

# 1. The letters of the paper: code name, LaTeX, meaning. They carry no sign; a claim states those it needs.
LETTERS = th.Letters((
    th.Quantity("L", "L", "smoothness of f"), th.Quantity("gamma", r"\gamma", "learning rate"),
    th.Quantity("T", "T", "rounds"), th.Quantity("a", "a", "norm of the gradient at w"),
    th.Quantity("f0", "f_0", "f(w)"), th.Quantity("f1", "f_1", "f(w^+)"),
    th.Quantity("gap", r"\Delta", "f at the start minus its infimum"),
    th.Quantity("least", "m", "the least gradient norm of all rounds"),
    th.Quantity("slope", "s", "<grad f(w), w^+ - w>"), th.Quantity("step2", "q", "|w^+ - w|^2"),
))  # fmt: skip
L, gamma, T, a, f0, f1, gap, least, slope, step2 = (each.symbol for each in LETTERS.quantities)
SMOOTH = f1 <= f0 + slope + L / 2 * step2
STEP = (Eq(slope, -gamma * a**2), Eq(step2, gamma**2 * a**2))
BRACKET = f1 <= f0 - gamma * (1 - L * gamma / 2) * a**2
BOUND = sqrt(2 * gap / (gamma * T))
SIGNS = (L > 0, gamma > 0, T >= 1)

# 2. One entry per line: where it stands, what it claims, and the evidence. The judge runs the evidence.
LINES = (
    th.printed_line(
        id="G.1", place="Section 2, display 1", title="The step is inserted into the descent lemma",
        printed=r"f(w^+)\le f(w)-\gamma(1-\tfrac{L\gamma}2)\|\nabla f(w)\|^2",
        claim=th.Claim((*SIGNS, SMOOTH, *STEP), BRACKET),
        method=th.SumOfSquares((th.term(1, 1, SMOOTH),), using=((-1, STEP[0]), (-L / 2, STEP[1]))),
        depends=("smooth",),
    ),
    th.conditional(
        id="G.2", place="Section 2, Lemma 1", title="Lemma 1: half of the gradient term is left",
        printed=r"f(w^+)\le f(w)-\tfrac\gamma2\|\nabla f(w)\|^2",
        claim=th.Claim((*SIGNS, gamma <= 2 / L, BRACKET), f1 <= f0 - gamma / 2 * a**2),
        condition=gamma <= 1 / L,
        method=th.SumOfSquares((th.term(1, 1, BRACKET), th.term(L * gamma / 2, a, gamma <= 1 / L))),
        fails=th.AtPoint({L: 1, gamma: 2, T: 1, a: 1, f0: 0, f1: 0}),  # outside the condition it must fail
        severity="fixable", right="gamma <= 1/L", depends=("G.1",),
        reading="The proof ends with 'for small gamma', which 1/L makes exact.",
    ),
    th.printed_line(
        id="G.3", place="Section 2, Theorem 1", title="Theorem 1: the least gradient norm",
        printed=r"\min_t\|\nabla f(w_t)\|\le\sqrt{\frac{2\Delta}{\gamma T}}",
        claim=th.Claim((*SIGNS, gap >= 0, least >= 0, gamma / 2 * T * least**2 <= gap), least <= BOUND),
        method=th.Contradiction((
            th.term(1, 1, least > BOUND, least > BOUND), th.term(2 * BOUND, 1, least > BOUND),
            th.term(2 / (gamma * T), 1, gamma / 2 * T * least**2 <= gap),
        )),
        depends=("G.2",),
    ),
)  # fmt: skip

# 3. The paper. `verify` judges it, `claim G.2 --paper FILE.py` shows one line, --report FILE.md a table.
PAPER = th.Paper(
    name="descent", source=th.Source("Three lines on gradient descent", "example", "this file"),
    letters=LETTERS, assumptions={"smooth": "f is L-smooth"}, lines=LINES, main=("G.3", "Theorem 1"),
)  # fmt: skip
