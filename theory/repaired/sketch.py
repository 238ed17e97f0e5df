"""Lemma 1' (sketch residual), line by line.

Ŝ = top-k of |v̂|, S* = top-k of |v|, C = S*\\Ŝ, Q = Ŝ\\S*, U = Ŝ∪S*, Δ̂ = v̂ − v, τ = ℓ2 tail of v, h = ⌈J/2⌉.
(a) deterministic; (b) power law; (c) v independent of the hash; (d) v may depend on the hash.
"""

from __future__ import annotations

import sympy as sp

from theory.certificates import shift
from theory.claim import Claim, Entry, FiniteClaim, one_of, support
from theory.provers import Exhaustive, Identity, OnInstance, Positivity, Solver, SumOfSquares, term
from theory.repaired import sketch_instances as si
from theory.repaired.lines import classical, false, line, nonnegative
from theory.symbols import real

PLACE = "Lemma 1'"


def entries() -> tuple[Entry, ...]:
    """Parts (a) to (d)."""
    return (*deterministic(), *power_law(), *random_hash(), *adaptive())


def _everywhere(test: si.Test, instances: object, data: object, text: str) -> tuple[FiniteClaim, Exhaustive]:
    return FiniteClaim((one_of(text, instances),), test), Exhaustive(data)  # type: ignore[arg-type]


def deterministic() -> tuple[Entry, ...]:
    tau2, C2, Q2, rest, v_C, v_Q, hat_C, hat_Q, d_C, d_Q = real("tau2 C2 Q2 rest v_C v_Q hat_C hat_Q d_C d_Q")
    alpha, tau, y, k_root, eta, a, b, U = real("alpha tau delta_CQ k_root eta a b U")
    sample = si.Selection((10, 9), (9, 10), 1)
    maximum = _everywhere(
        si.MAX_FORM,
        lambda: si.selections(3, 2),
        si.Selection((2, 1, 0), (1, 2, 0), 1),
        "d = 3, entries up to 2, every k",
    )
    euclid = _everywhere(
        si.L2_FORM,
        lambda: si.selections(3, 2),
        si.Selection((2, 1, 0), (1, 2, 0), 1),
        "d = 3, entries up to 2, every k",
    )
    return (
        line(
            "RS.a1",
            PLACE,
            "what lies outside the chosen set",
            r"\|v_{\hat S^c}\|^2=\|v_C\|^2+\tau^2-\|v_Q\|^2",
            Claim((sp.Eq(tau2, Q2 + rest),), sp.Eq(C2 + rest, C2 + tau2 - Q2)),
            Identity(given=((tau2, Q2 + rest),)),
            because="rest = ‖v outside Ŝ∪S*‖²; the tail of v is Q and the rest.",
        ),
        line(
            "RS.a2",
            PLACE,
            "a wrongly dropped coordinate is not much larger than a wrongly kept one",
            r"\|v_C\|\le\|v_Q\|+\|\hat\Delta_Q\|+\|\hat\Delta_C\|",
            Claim((v_C <= hat_C + d_C, hat_C <= hat_Q, hat_Q <= v_Q + d_Q), v_C <= v_Q + d_Q + d_C),
            Solver(),
            because="|C| = |Q| and every |v̂| in Q is at least every |v̂| in C, so ‖v̂_C‖ ≤ ‖v̂_Q‖; the "
            "rest is the triangle inequality.",
        ),
        line(
            "RS.a3",
            PLACE,
            "absorbing it into the tail",
            r"(\alpha+y)^2-\alpha^2+\tau^2\le(\tau+y)^2\quad(\alpha\le\tau)",
            Claim((*nonnegative(y), alpha <= tau), (alpha + y) ** 2 - alpha**2 + tau**2 <= (tau + y) ** 2),
            SumOfSquares((term(2 * y, 1, alpha <= tau),)),
            because="α = ‖v_Q‖ ≤ τ, y = delta_CQ = ‖Δ̂_Q‖ + ‖Δ̂_C‖.",
            depends=("RS.a1", "RS.a2"),
        ),
        line(
            "RS.a4",
            PLACE,
            "(a), maximum form",
            r"\|r\|^2\le k\eta^2+(\tau_k+2\sqrt k\,\eta)^2",
            Claim(
                (*nonnegative(eta, k_root, tau, y, a), a <= k_root**2 * eta**2, y <= 2 * k_root * eta),
                a + (tau + y) ** 2 <= k_root**2 * eta**2 + (tau + 2 * k_root * eta) ** 2,
            ),
            Solver(),
            support(*maximum, "the whole of (a) on a finite domain, in exact arithmetic"),
            because="a = ‖Δ̂_Ŝ‖² ≤ kη²; |C|, |Q| ≤ k give delta_CQ ≤ 2√k η.",
            depends=("RS.a3",),
        ),
        line(
            "RS.a5",
            PLACE,
            "(a), ℓ2 form",
            r"\|\hat\Delta_Q\|+\|\hat\Delta_C\|\le\sqrt2\,\|\hat\Delta_U\|",
            Claim((a**2 + b**2 <= U**2,), (a + b) ** 2 <= 2 * U**2),
            SumOfSquares((term(1, a - b), term(2, 1, a**2 + b**2 <= U**2))),
            support(*euclid, "the ℓ2 form on a finite domain, in exact arithmetic"),
            because="Q and C are disjoint parts of U.",
            depends=("RS.a3",),
        ),
        false(
            "RS.a6",
            PLACE,
            "the residual without a selection term",
            r"\|r\|^2\le k\eta^2+\tau_k^2",
            FiniteClaim((), si.Test("‖r‖² ≤ kη² + τ_k²", _without_selection_term)),
            OnInstance(
                sample, "v = (10, 9), v̂ = (9, 10), k = 1", lambda s: f"{si.residual2(s)} > {1 + si.tail2(s)}"
            ),
            note="The paper's split over i ≤ k and i > k (audit row 10).",
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
            scope="The formula shows the printed sum at 2p = 3, k = i − 1, d = i + 1.",
        ),
        line(
            "RS.b3",
            PLACE,
            "(b)",
            r"\|r\|^2\le[\tfrac1c+(\tau_k/\|v\|+\tfrac2{\sqrt c})^2]W",
            Claim(
                (*nonnegative(tau, v), c_root > 0, k_root > 0, v**2 <= W),
                read <= (1 / c_root**2 + (tau + 2 / c_root) ** 2) * W,
            ),
            SumOfSquares((term(1 / c_root**2 + (tau + 2 / c_root) ** 2, 1, v**2 <= W),)),
            because="tau = τ_k/‖v‖, η = ‖v‖/√(ck), c_root = √c, k_root = √k.",
            depends=("RS.a4", "RS.b1", "RS.b2"),
            note="A fixed W fails for persistent compressive sketches, where ‖v_t‖ grows with t.",
        ),
    )


def random_hash() -> tuple[Entry, ...]:
    row = si.RandomRow((3, 1, 1), 0, 2, 2)
    enumerated = "every bucket and sign of small sketches"
    up, down, q, p, heavy, light, s_K, cheb = real("up down q p heavy light s_K cheb")
    v1, v2, K, cross, noise, x1, x2, x3, m = real("v1 v2 K cross noise x1 x2 x3 m")
    union, few, small = p <= heavy + light, heavy <= s_K, light <= cheb
    big1, big2 = x1**2 >= m**2, x2**2 >= m**2
    rows, grid = (1, -1, 2), "J ≤ 5 rows, errors from −2 to 2"
    return (
        line(
            "RS.c1",
            PLACE,
            "one row: each side has half of the tail",
            r"\Pr(X>y)\le q/2",
            Claim((up + down <= q,), (up + down) / 2 <= q / 2),
            SumOfSquares((term(sp.Rational(1, 2), 1, up + down <= q),)),
            support(*_everywhere(si.SYMMETRIC, si.rows_to_check, row, enumerated), "exact law of one row"),
            because="X = s_i·Y with the sign s_i independent of Y, so P(X > y) = ½P(Y > y) + ½P(Y < −y); "
            "up and down are these.",
        ),
        classical(
            "RS.c2a",
            PLACE,
            "Chebyshev's inequality",
            r"\Pr(|Y|>y)\le\mathbb EY^2/y^2",
            Claim((x1 > 0, p >= 0, p <= 1, p * x1**2 <= m), p <= m / x1**2),
            "Chebyshev's inequality",
        ),
        line(
            "RS.c2",
            PLACE,
            "tail of one row",
            r"\Pr(|X|>y)\le\tfrac sK+\frac{\tau_s^2/K+\sigma_c^2}{y^2}",
            Claim((union, few, small), p <= s_K + cheb),
            SumOfSquares((term(1, 1, union), term(1, 1, few), term(1, 1, small))),
            support(*_everywhere(si.ROW_TAIL, si.rows_to_check, row, enumerated), "exact law of one row"),
            because="Either one of the s largest collides with i (probability at most s/K), or the rest, "
            "of variance τ_s²/K + σ_c², exceeds y.",
            depends=("RS.c2a", "RS.c3"),
        ),
        line(
            "RS.c3",
            PLACE,
            "variance of one row",
            r"\mathbb EX^2=(\|v\|^2-v_i^2)/K+\sigma_c^2",
            Claim(
                (K > 0, sp.Eq(cross, 0)),
                sp.Eq(v1**2 / K + 2 * v1 * v2 * cross + v2**2 / K + noise, (v1**2 + v2**2) / K + noise),
            ),
            Identity(given=((cross, sp.Integer(0)),)),
            support(*_everywhere(si.ROW_VARIANCE, si.rows_to_check, row, enumerated), "exact law of one row"),
            scope="Checked for two other coordinates; more coordinates add more such terms.",
            because="Two other coordinates; signs are independent, so every cross term vanishes; a "
            "collision has probability 1/K.",
        ),
        line(
            "RS.c4",
            PLACE,
            "tail of the median (checked for J = 3)",
            r"\Pr(|\hat\Delta_i|>y)\le2\Pr(\mathrm{Bin}(J,q/2)\ge h)",
            Claim((p >= 0, p <= q, q <= 1), 3 * p**2 - 2 * p**3 <= 3 * q**2 - 2 * q**3),
            Solver(),
            support(
                *_everywhere(si.MEDIAN_TAIL, si.rows_to_check, row, enumerated),
                "J = 3, from the exact law of one row",
            ),
            scope="Checked for J = 3, h = 2; that a binomial tail grows with its probability for every J is "
            "argued in words.",
            because="RS.c5 asks for h rows beyond y, rows are independent, each has probability at most "
            "q/2 (RS.c1), and a binomial tail grows with its probability (shown for J = 3, h = 2). Two "
            "sides; then a union over d·T.",
            depends=("RS.c1", "RS.c2", "RS.c5"),
        ),
        line(
            "RS.c5",
            PLACE,
            "a large median needs half of the rows (J ≤ 5)",
            r"\hat\Delta_i>y\Rightarrow\#\{j:X_j>y\}\ge h",
            *_everywhere(si.HALF_OF_ROWS, lambda: si.row_errors(2), rows, grid),
            scope="Checked for J ≤ 5; for any J it is argued in words.",
            because="Only the order of the J numbers matters, so a small grid meets every pattern for "
            "these J; for any J it is the definition of the middle order statistic.",
        ),
        line(
            "RS.c6",
            PLACE,
            "second moment of the median (checked for J = 3)",
            r"\mathbb E\hat\Delta_i^2\le\tfrac Jh\,\mathbb EX^2",
            Claim((big1, big2), 2 * m**2 <= x1**2 + x2**2 + x3**2),
            SumOfSquares((term(1, 1, big1), term(1, 1, big2), term(1, x3))),
            support(
                *_everywhere(si.SECOND_MOMENT, lambda: si.row_errors(2), rows, grid), "h·median² ≤ Σ X_j²"
            ),
            scope="Checked for J = 3, h = 2 (and on a grid for J ≤ 5); the general J is argued in words.",
            because="h rows are at least as large as the median m on its side (here J = 3, h = 2), so h·m² "
            "≤ Σ_jX_j²; take expectations.",
            depends=("RS.c3", "RS.c5"),
        ),
        _mean_of_rows(),
    )


def _mean_of_rows() -> Entry:
    m1, m2, cross = real("m1 m2 cross")
    return line(
        "RS.c7",
        PLACE,
        "second moment of the mean of rows (checked for J = 2)",
        r"\mathbb E\hat\Delta_i^2=\tfrac1J\,\mathbb EX^2",
        Claim((sp.Eq(cross, 0), sp.Eq(m2, m1)), sp.Eq((m1 + 2 * cross + m2) / 4, m1 / 2)),
        Identity(given=((cross, sp.Integer(0)), (m2, m1))),
        scope="Checked for two rows; the general J is argued in words.",
        because="Two rows; rows are independent and centred, so every cross term vanishes.",
        depends=("RS.c3",),
    )


def adaptive() -> tuple[Entry, ...]:
    m, h, theta, s, tail = real("m h theta s tail")
    example = si.FixedSketch(((0, 1, 1), (0, 0, 1), (0, 1, 0)), ((1, 1, 1),) * 3, (2, 1, 1))
    return (
        line(
            "RS.d1",
            PLACE,
            "(d): counting rows that no large coordinate spoils",
            r"(h-\vartheta s)|\hat\Delta_i|\le\vartheta\|v_{\mathrm{tail}(s)}\|_1",
            Claim(
                (m >= 0, theta * s < h, (h - theta * s) * m <= theta * tail),
                m <= theta * tail / (h - theta * s),
            ),
            Solver(),
            support(
                *_everywhere(
                    si.ADAPTIVE, si.adaptive_sketches, example, "three rows, two columns, every hash and sign"
                ),
                "the whole of (d) on a finite domain",
            ),
            because="h rows reach |Δ̂_i| (RS.c5); at most ϑs of them meet one of the s largest; in the "
            "others each tail coordinate is counted in at most ϑ rows.",
            depends=("RS.c5",),
        ),
    )
