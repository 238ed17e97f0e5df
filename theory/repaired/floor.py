"""Proposition F: a floor that no learning rate removes, for k-sparse broadcasts with ‖v_T‖ = o(T).

f = (L/2)‖w−w*‖², every l_m of Hessian L·I, no bias or noise, (1−γ(L+μ))^E ≠ 1:
liminf A ≥ L²‖w*‖²(sp(w*)/k − 1), sp(x) = ‖x‖_1²/‖x‖_2².
Not a floor of FPS with a small sketch: there ‖v_T‖ grows like T (see theory.validation).
"""

from __future__ import annotations

import sympy as sp

from theory.claim import Claim, Entry
from theory.provers import Contradiction, Identity, SumOfSquares, term
from theory.repaired.lines import classical, line, nonnegative
from theory.symbols import real

PLACE = "Proposition F"
NOT_FPS = (
    "‖v_T‖ = o(T) fails for a persistent sketch of too few buckets: this is no floor of compressive FPS."
)


def entries() -> tuple[Entry, ...]:
    """The round as one step, the mean of the broadcasts, the floor, and when ‖v_T‖ = o(T)."""
    return (*one_round(), *floor(), *exact_top_k())


def one_round() -> tuple[Entry, ...]:
    gamma, Lam, g, w, keep = real("gamma L_mu g w keep")
    theta, T, v0, vT, L, mean, star = real("theta T v0 vT L mean star")
    moved = sp.Eq(v0 - vT, theta * L * T * (mean - star))
    return (
        line(
            "RF.1",
            PLACE,
            "a round on a quadratic is one gradient step",
            r"y_e=-\frac{1-(1-\gamma\Lambda)^e}{\Lambda}\nabla l_m(x)",
            Claim(
                (Lam > 0, sp.Eq(keep, 1 - gamma * Lam)),
                sp.Eq(keep * (-g * (1 - w) / Lam) - gamma * g, -g * (1 - keep * w) / Lam),
            ),
            Identity(given=((keep, 1 - gamma * Lam),)),
            because="Induction, Λ = L + μ, w = (1−γΛ)^e, one coordinate; y_0 = 0.",
            depends=("RD.P1",),
        ),
        _rounds_add_up(),
        line(
            "RF.2",
            PLACE,
            "the mean of the broadcasts",
            r"\bar w-w^*=\frac{v_0-v_T}{\theta LT}",
            Claim((theta > 0, L > 0, T > 0, moved), sp.Eq(mean - star, (v0 - vT) / (theta * L * T))),
            Identity(using=((-1 / (theta * L * T), moved),)),
            because="θ = (1−(1−γΛ)^E)/Λ ≠ 0; the updates −θL(w̃_t − w*) sum to v_T − v_0.",
            depends=("RF.2a",),
        ),
    )


def _rounds_add_up() -> Entry:
    v, v0, step, theta, L, total, w1, num, star = real("v v0 step theta L total w1 num star")
    before = sp.Eq(v - v0, -theta * L * (total - num * star))
    one = sp.Eq(step + theta * L * w1, theta * L * star)
    return line(
        "RF.2a",
        PLACE,
        "the updates add up",
        r"v_{T+1}=v_0-\theta L\sum_{t\le T}(\tilde w_t-w^*)",
        Claim((before, one), sp.Eq(v + step, v0 - theta * L * (total + w1 - (num + 1) * star))),
        Identity(using=((1, before), (1, one))),
        because="Induction on the rounds, one coordinate: total is the sum of num broadcasts, w1 the next "
        "one; v_0 is the base. A round moves v by −θ mean_m ∇l_m = "
        "−θL(w̃ − w*).",
        depends=("RF.1",),
    )


def floor() -> tuple[Entry, ...]:
    cross, star2, k, one, L, m2 = real("cross star2 k one L m2")
    x1, x2, total, squares = real("x1 x2 total squares")
    A, eps, star1, mean1, ones2 = real("A eps star1 mean1 ones2")
    length, sizes, signed, size1 = real("length sizes signed size1")
    sparse = (m2 >= ones2 / k, mean1**2 <= ones2)
    fewer = total**2 <= k * squares
    before_limit = A >= L**2 * (one**2 / k - 2 * cross + star2)
    near = (one >= star1 - eps, cross <= star2 + eps)
    return (
        line(
            "RF.3",
            PLACE,
            "a k-sparse vector has ‖w‖² ≥ ‖w‖_1²/k",
            r"\|w\|_1^2\le k\|w\|^2",
            Claim((k >= 1, fewer), (total + x1) ** 2 <= (k + 1) * (squares + x1**2)),
            SumOfSquares((term((k + 1) / k, 1, fewer), term(1 / k, total - k * x1))),
            because="Induction on k, x_i = |w_i|: total and squares are the sum and sum of squares of the "
            "first k of them. One coordinate is the base, with equality.",
        ),
        classical(
            "RF.4",
            PLACE,
            "Jensen's inequality for a square, cited for any mean and shown for two rounds",
            r"\mathrm{mean}\|\tilde w\|_1^2\ge(\mathrm{mean}\|\tilde w\|_1)^2",
            Claim((), ((x1 + x2) / 2) ** 2 <= (x1**2 + x2**2) / 2),
            "Jensen's inequality",
            SumOfSquares((term(sp.Rational(1, 4), x1 - x2),)),
        ),
        line(
            "RF.4t",
            PLACE,
            "the norm of a mean is at most the mean of the norms",
            r"\|\bar w\|_1\le\mathrm{mean}\|\tilde w\|_1",
            Claim((length <= sizes, signed <= size1), length + signed <= sizes + size1),
            SumOfSquares((term(1, 1, length <= sizes), term(1, 1, signed <= size1))),
            because="Induction on the rounds, coordinate by coordinate, with the sign of the mean in place "
            "of an absolute value: length and sizes are the sums of the signed entries and of their sizes, "
            "signed ≤ size1 those of one more round. No round is the base; divided by T and summed.",
        ),
        line(
            "RF.5",
            PLACE,
            "the floor before the limit, for every T",
            r"A\ge L^2\big[\|\bar w\|_1^2/k-2\langle\bar w,w^*\rangle+\|w^*\|^2\big]",
            Claim(
                (k > 0, *nonnegative(one), *sparse, one <= mean1),
                L**2 * (m2 - 2 * cross + star2) >= L**2 * (one**2 / k - 2 * cross + star2),
            ),
            SumOfSquares(
                (
                    term(1, L, sparse[0]),
                    term(1 / k, L, sparse[1]),
                    term((one + mean1) / k, L, one <= mean1),
                )
            ),
            because="A = L² mean‖w̃_t − w*‖² = L²(m2 − 2⟨w̄, w*⟩ + ‖w*‖²) with m2 = mean‖w̃_t‖²; one = ‖w̄‖_1, "
            "mean1 and ones2 are the means of ‖w̃_t‖_1 and of its square over rounds (RF.3 holds in each).",
            depends=("RF.3", "RF.4", "RF.4t"),
        ),
        line(
            "RF.6",
            PLACE,
            "the floor, as far as w̄ is from w*",
            r"\|\bar w\|_1\ge\|w^*\|_1-\varepsilon,\ \langle\bar w,w^*\rangle\le\|w^*\|^2+\varepsilon"
            r"\Rightarrow A\ge L^2\|w^*\|^2\big(\tfrac{\mathrm{sp}(w^*)}k-1\big)"
            r"-2L^2\varepsilon\big(\tfrac{\|w^*\|_1}k+1\big)",
            Claim(
                (k > 0, star2 > 0, star1 >= 0, before_limit, *near),
                A >= L**2 * star2 * (star1**2 / star2 / k - 1) - 2 * L**2 * eps * (star1 / k + 1),
            ),
            SumOfSquares(
                (
                    term(1, 1, before_limit),
                    term(L**2 / k, one - star1),
                    term(2 * star1 / k, L, near[0]),
                    term(2, L, near[1]),
                )
            ),
            because="star1 = ‖w*‖_1 and sp(w*) = ‖w*‖_1²/‖w*‖². By RF.2, w̄ → w* where ‖v_T‖ = o(T): then "
            "this holds for every ε > 0 from some T on, so liminf A is at least the first term.",
            depends=("RF.2", "RF.5"),
            note=NOT_FPS,
            stated=near,
        ),
    )


def exact_top_k() -> tuple[Entry, ...]:
    eta, top, ratio, star, n, cross, dot, rest = real("eta top ratio star n cross dot rest")
    grown = n**2 - 2 * eta * (top**2 - dot) + eta**2 * (top**2 - 2 * cross + star**2)
    bound = (
        n**2
        - (2 * eta - eta**2) * ratio * n**2
        + 2 * eta * n * star
        + 2 * eta**2 * n * star
        + eta**2 * star**2
    )
    shares, along, against, shorter = top**2 >= ratio * n**2, dot <= n * star, -cross <= top * star, top <= n
    parts, longer = sp.Eq(n**2, top**2 + rest), top > n
    far, rate, k, d = real("far rate k d")
    outside = far * rate >= (3 + 3 * eta) * star
    change = -(rate * eta) * far**2 + 2 * (eta + eta**2) * far * star + eta**2 * star**2
    return (
        *_share_of_top_k(),
        line(
            "RF.7s",
            PLACE,
            "what is kept is no longer than the whole",
            r"\|\tilde w\|\le\|v\|",
            Claim((*nonnegative(n, top, rest), parts), top <= n),
            Contradiction(
                (term(1, 1, longer, longer), term(2 * n, 1, longer), term(rest)), using=((1, parts),)
            ),
            because="n = ‖v‖, top = ‖w̃‖, rest the squares that are left out.",
        ),
        line(
            "RF.7",
            PLACE,
            "exact top-k: one step",
            r"\eta\le2\Rightarrow\|v^+\|^2\le\|v\|^2-(2\eta-\eta^2)\tfrac kd\|v\|^2+2(\eta+\eta^2)\|v\|"
            r"\|w^*\|+\eta^2\|w^*\|^2",
            Claim(
                (
                    d >= 1,
                    k <= d,
                    *nonnegative(eta, n, star, ratio, top),
                    eta <= 2,
                    along,
                    against,
                    shorter,
                    shares,
                ),
                grown <= bound,
            ),
            SumOfSquares(
                (
                    term(eta * (2 - eta), 1, shares),
                    term(2 * eta, 1, along),
                    term(2 * eta**2, 1, against),
                    term(2 * eta**2 * star, 1, shorter),
                )
            ),
            because="v⁺ = v − η(w̃ − w*), η = θL; ⟨v, w̃⟩ = ‖w̃‖² for exact top-k, top = ‖w̃‖; dot = ⟨v, w*⟩, "
            "cross = ⟨w̃, w*⟩, n = ‖v‖, ratio = k/d.",
            depends=("RF.2", "RF.7t", "RF.7s", "V.2"),
            stated=(eta <= 2,),
        ),
        line(
            "RF.8",
            PLACE,
            "exact top-k keeps ‖v_t‖ bounded, so ‖v_T‖ = o(T)",
            r"0<\eta<2,\ (2-\eta)\tfrac kd\|v\|\ge3(1+\eta)\|w^*\|,\ \|v\|\ge\|w^*\|\Rightarrow\|v^+\|<\|v\|",
            Claim(
                (
                    *(eta > 0, eta < 2, ratio > 0, star > 0),
                    *(sp.Eq(rate, (2 - eta) * ratio), outside, far >= star),
                ),
                change < 0,
            ),
            Contradiction(
                (
                    term(1, 1, eta > 0, star > 0, star > 0),
                    term(1, 1, change >= 0),
                    term(eta, 1, far >= star, outside),
                    term(eta * star, 1, outside),
                    term(eta * (1 + eta) * star, 1, far >= star),
                )
            ),
            because="far = ‖v‖, rate = (2−η)k/d. One step moves v by a bounded amount from inside.",
            depends=("RF.7",),
            stated=(eta < 2, outside, far >= star),
        ),
    )


def _share_of_top_k() -> tuple[Entry, ...]:
    """The k of d coordinates that are kept have at least the share k/d of the squares."""
    level, in1, in2, out1, out2, num, whole, k, d = real("level in1 in2 out1 out2 num whole k d")
    large, small = level <= in1**2, out1**2 <= level
    kept, left = num * level <= in2, out2 <= num * level
    all_kept, all_left, sum_ = k * level <= in2, out2 <= (d - k) * level, sp.Eq(whole, in2 + out2)
    return (
        line(
            "RF.7a",
            PLACE,
            "kept coordinates are at least as large as the largest one left out",
            r"\sum_{i\in S}v_i^2\ge k\max_{i\notin S}v_i^2",
            Claim((large, kept), (num + 1) * level <= in2 + in1**2),
            SumOfSquares((term(1, 1, large), term(1, 1, kept))),
            because="Induction on the coordinates kept, none is the base; level is the largest square left "
            "out.",
        ),
        line(
            "RF.7b",
            PLACE,
            "those left out are at most as large as the largest of them",
            r"\sum_{i\notin S}v_i^2\le(d-k)\max_{i\notin S}v_i^2",
            Claim((small, left), out2 + out1**2 <= (num + 1) * level),
            SumOfSquares((term(1, 1, small), term(1, 1, left))),
            because="Induction on the coordinates left out, none is the base.",
        ),
        line(
            "RF.7t",
            PLACE,
            "top-k keeps at least the share k/d",
            r"\sum_{i\in S}v_i^2\ge\tfrac kd\|v\|^2",
            Claim((k >= 1, d >= 1, k <= d, all_kept, all_left, sum_), in2 >= k / d * whole),
            SumOfSquares((term((d - k) / d, 1, all_kept), term(k / d, 1, all_left)), using=((-k / d, sum_),)),
            depends=("RF.7a", "RF.7b"),
        ),
    )
