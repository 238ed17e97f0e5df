"""Lemma 1' (sketch residual), line by line.

Ŝ = top-k of |v̂|, S* = top-k of |v|, C = S*\\Ŝ, Q = Ŝ\\S*, U = Ŝ∪S*, Δ̂ = v̂ − v, τ = ℓ2 tail of v, h = ⌈J/2⌉.
(a) deterministic; (b) power law; (c) v independent of the hash; (d) v may depend on the hash.
"""

from __future__ import annotations

import sympy as sp

from theory.certificates import shift
from theory.claim import Claim, Entry, FiniteClaim, support
from theory.provers import Contradiction, Identity, OnInstance, Positivity, SumOfSquares, term
from theory.repaired import sketch_counting, sketch_random
from theory.repaired import sketch_instances as si
from theory.repaired.lines import classical, everywhere, false, line, nonnegative
from theory.second import selections
from theory.symbols import real

PLACE = "Lemma 1'"


def entries() -> tuple[Entry, ...]:
    """Parts (a) to (d)."""
    return (
        *kept_estimates(),
        *deterministic(),
        *power_law(),
        *sketch_random.entries(),
        *sketch_counting.entries(),
    )


def kept_estimates() -> tuple[Entry, ...]:
    """‖v̂_C‖ ≤ ‖v̂_Q‖ from the definition of top-k."""
    out1, in1, out2, in2, hat_C, hat_Q = real("out1 in1 out2 in2 hat_C hat_Q")
    one, before, squares = out1**2 <= in1**2, out2 <= in2, hat_C**2 <= hat_Q**2
    return (
        line(
            "RS.a0",
            PLACE,
            "of equally many coordinates, those kept have the larger estimates",
            r"\sum_{i\in C}\hat v_i^2\le\sum_{i\in Q}\hat v_i^2",
            Claim((one, before), out2 + out1**2 <= in2 + in1**2),
            SumOfSquares((term(1, 1, one), term(1, 1, before))),
            because="Induction on pairs of a coordinate of C and one of Q, |C| = |Q|: out1 and in1 are their "
            "estimates, out2 and in2 the sums of squares over the pairs before. No pair is the base.",
        ),
        line(
            "RS.a0r",
            PLACE,
            "the same for norms",
            r"\|\hat v_C\|\le\|\hat v_Q\|",
            Claim((*nonnegative(hat_C, hat_Q), squares), hat_C <= hat_Q),
            Contradiction(
                (
                    term(1, 1, hat_C > hat_Q, hat_C > hat_Q),
                    term(2 * hat_Q, 1, hat_C > hat_Q),
                    term(1, 1, squares),
                )
            ),
            depends=("RS.a0",),
        ),
    )


def deterministic() -> tuple[Entry, ...]:
    tau2, C2, Q2, rest, v_C, v_Q, hat_C, hat_Q, d_C, d_Q = real("tau2 C2 Q2 rest v_C v_Q hat_C hat_Q d_C d_Q")
    alpha, tau, y, k_root, eta, a, b, U, out2 = real("alpha tau delta_CQ k_root eta a b U out2")
    links = (v_C <= hat_C + d_C, hat_C <= hat_Q, hat_Q <= v_Q + d_Q)
    kept, moved = a <= k_root**2 * eta**2, sp.Eq(y, d_C + d_Q)
    small_C, small_Q = d_C <= k_root * eta, d_Q <= k_root * eta
    disjoint = sp.Eq(U**2, a**2 + b**2 + rest)
    sample = si.Selection((10, 9), (9, 10), 1)
    maximum = everywhere(
        si.MAX_FORM,
        lambda: si.selections(3, 2),
        si.Selection((2, 1, 0), (1, 2, 0), 1),
        "d = 3, entries up to 2, every k",
        si.Selection((9, 1), (9, 1), 1, smallest=True),
    )
    euclid = everywhere(
        si.L2_FORM,
        lambda: si.selections(3, 2),
        si.Selection((2, 1, 0), (1, 2, 0), 1),
        "d = 3, entries up to 2, every k",
        si.Selection((9, 1), (9, 1), 1, smallest=True),
    )
    return (
        line(
            "RS.a1",
            PLACE,
            "what lies outside the chosen set",
            r"\|v_{\hat S^c}\|^2=\|v_C\|^2+\tau^2-\|v_Q\|^2",
            Claim((sp.Eq(tau2, Q2 + rest), sp.Eq(out2, C2 + rest)), sp.Eq(out2, C2 + tau2 - Q2)),
            Identity(given=((tau2, Q2 + rest), (out2, C2 + rest))),
            because="rest = ‖v outside Ŝ∪S*‖²; the tail of v is Q and the rest; out2, what lies outside Ŝ, "
            "is C and the rest.",
        ),
        line(
            "RS.a2",
            PLACE,
            "a wrongly dropped coordinate is not much larger than a wrongly kept one",
            r"\|v_C\|\le\|v_Q\|+\|\hat\Delta_Q\|+\|\hat\Delta_C\|",
            Claim((*links,), v_C <= v_Q + d_Q + d_C),
            SumOfSquares(tuple(term(1, 1, link) for link in links)),
            because="|C| = |Q| and every |v̂| in Q is at least every |v̂| in C, so ‖v̂_C‖ ≤ ‖v̂_Q‖ (RS.a0r); "
            "the rest is the triangle inequality.",
            depends=("V.3", "RS.a0r"),
        ),
        line(
            "RS.a3",
            PLACE,
            "absorbing it into the tail",
            r"\alpha\le\tau\Rightarrow(\alpha+y)^2-\alpha^2+\tau^2\le(\tau+y)^2",
            Claim((*nonnegative(y), alpha <= tau), (alpha + y) ** 2 - alpha**2 + tau**2 <= (tau + y) ** 2),
            SumOfSquares((term(2 * y, 1, alpha <= tau),)),
            because="α = ‖v_Q‖ ≤ τ, y = delta_CQ = ‖Δ̂_Q‖ + ‖Δ̂_C‖.",
            depends=("RS.a1", "RS.a2"),
            stated=(alpha <= tau,),
        ),
        *_at_most_k_errors(),
        line(
            "RS.a4",
            PLACE,
            "(a), maximum form",
            r"\|r\|^2\le k\eta^2+(\tau_k+2\sqrt k\,\eta)^2",
            Claim(
                (*nonnegative(eta, k_root, tau, y, a, d_C, d_Q), kept, moved, small_C, small_Q),
                a + (tau + y) ** 2 <= k_root**2 * eta**2 + (tau + 2 * k_root * eta) ** 2,
            ),
            SumOfSquares(
                (
                    term(1, 1, kept),
                    term(2 * tau + 2 * k_root * eta + y, 1, small_C),
                    term(2 * tau + 2 * k_root * eta + y, 1, small_Q),
                ),
                using=((-(2 * tau + 2 * k_root * eta + y), moved),),
            ),
            support(*maximum, "the whole of (a) on a finite domain, in exact arithmetic"),
            because="a = ‖Δ̂_Ŝ‖² ≤ kη²; |C|, |Q| ≤ k give delta_CQ ≤ 2√k η. ‖r‖² is a and what lies outside "
            "Ŝ, which is at most (τ_k + delta_CQ)² by RS.a1 to RS.a3.",
            depends=("RS.a3", "RS.a4k", "RS.a4r"),
        ),
        line(
            "RS.a5",
            PLACE,
            "(a), ℓ2 form",
            r"\|\hat\Delta_Q\|+\|\hat\Delta_C\|\le\sqrt2\,\|\hat\Delta_U\|",
            Claim((U >= 0, rest >= 0, disjoint), (a + b) ** 2 <= 2 * U**2),
            SumOfSquares((term(1, a - b), term(2 * rest)), using=((2, disjoint),)),
            support(*euclid, "the ℓ2 form on a finite domain, in exact arithmetic"),
            because="Q and C are disjoint parts of U, rest is what the others add to its square. Inserted "
            "for y in RS.a3.",
        ),
        false(
            "RS.a6",
            PLACE,
            "the residual without a selection term",
            r"\|r\|^2\le k\eta^2+\tau_k^2",
            FiniteClaim((), si.Test("‖r‖² ≤ kη² + τ_k²", _without_selection_term)),
            OnInstance(
                sample,
                "v = (10, 9), v̂ = (9, 10), k = 1",
                lambda s: f"{si.residual2(s)} > {1 + si.tail2(s)}",
                selections.WITHOUT_SELECTION,
                unlike=si.Selection((10, 9), (10, 9), 1),
            ),
            note="The paper's split over i ≤ k and i > k (audit row 10).",
        ),
    )


def _at_most_k_errors() -> tuple[Entry, ...]:
    """No error exceeds η, so the squares of k of them add up to at most kη²."""
    err1, total, num, eta, norm, k_root = real("err1 total num eta norm k_root")
    one, before, squares = err1**2 <= eta**2, total <= num * eta**2, norm**2 <= k_root**2 * eta**2
    more = norm > k_root * eta
    return (
        line(
            "RS.a4k",
            PLACE,
            "k errors of at most η",
            r"|I|\le k\Rightarrow\|\hat\Delta_I\|^2\le k\eta^2",
            Claim((one, before), total + err1**2 <= (num + 1) * eta**2),
            SumOfSquares((term(1, 1, one), term(1, 1, before))),
            because="Induction on the coordinates of I ⊆ Ŝ∪S*, filled up to k with zeros: total is the sum "
            "over num of them, err1 the next error. None is the base.",
        ),
        line(
            "RS.a4r",
            PLACE,
            "the same for norms",
            r"|I|\le k\Rightarrow\|\hat\Delta_I\|\le\sqrt k\,\eta",
            Claim((*nonnegative(norm, k_root, eta), squares), norm <= k_root * eta),
            Contradiction((term(1, 1, more, more), term(2 * k_root * eta, 1, more), term(1, 1, squares))),
            depends=("RS.a4k",),
        ),
    )


def _without_selection_term(s: si.Selection) -> bool:
    eta = max(abs(s.estimate[i] - s.v[i]) for i in s.chosen | s.best)
    return si.residual2(s) <= s.k * eta * eta + si.tail2(s)


def power_law() -> tuple[Entry, ...]:
    i, tau, k_root, c_root, v, W = real("i tau k_root c_root v W")
    eta = v / (c_root * k_root)
    read = k_root**2 * eta**2 + (tau * v + 2 * k_root * eta) ** 2
    terms = tuple(
        support(
            Claim((i >= 2,), 1 / i**m <= ((i - 1) ** (1 - m) - i ** (1 - m)) / (m - 1)),
            Positivity(shift(i, "j", 2)),
            f"2p = {m}",
        )
        for m in (3, 4, 6)
    )
    return (
        line(
            "RS.b1",
            PLACE,
            "one term of the tail against its integral, 2p = 2",
            r"i^{-2p}\le\int_{i-1}^ix^{-2p}dx=\frac{(i-1)^{1-2p}-i^{1-2p}}{2p-1}",
            Claim((i >= 2,), 1 / i**2 <= 1 / (i - 1) - 1 / i),
            Positivity(shift(i, "j", 2)),
            *terms,
            because="Summed over i = k+1 … d the right side telescopes to (k^{1−2p} − d^{1−2p})/(2p−1).",
        ),
        classical(
            "RS.b2",
            PLACE,
            "the same for real p > ½",
            r"\sum_{i=k+1}^di^{-2p}\le\int_k^dx^{-2p}dx",
            Claim((i >= 2,), i**-3 + (i + 1) ** -3 <= ((i - 1) ** -2 - (i + 1) ** -2) / 2),
            "Integral test: x^{-2p} is decreasing, so its value at i is at most its mean over [i−1, i]",
            Positivity(shift(i, "j", 2)),
            scope="The formula shows the printed sum at 2p = 3, k = i − 1, d = i + 1.",
        ),
        line(
            "RS.b3",
            PLACE,
            "(b)",
            r"\|r\|^2\le[\tfrac1c+(\tau_k/\|v\|+\tfrac2{\sqrt c})^2]W",
            Claim(
                (*nonnegative(tau), v > 0, c_root > 0, k_root > 0, v**2 <= W),
                read <= (1 / c_root**2 + (tau + 2 / c_root) ** 2) * W,
            ),
            SumOfSquares((term(1 / c_root**2 + (tau + 2 / c_root) ** 2, 1, v**2 <= W),)),
            because="RS.a4 over ‖v‖² with tau = τ_k/‖v‖, η = ‖v‖/√(ck), c_root = √c, k_root = √k; for v = 0 "
            "the residual is 0.",
            depends=("RS.a4", "RS.b1", "RS.b2"),
            note="A fixed W fails for persistent compressive sketches, where ‖v_t‖ grows with t.",
        ),
    )
