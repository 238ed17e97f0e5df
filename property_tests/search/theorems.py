"""Theorem A and its corollaries: exact right sides, and which runs try which assumption."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

import sympy as sp
from hypothesis import strategies as st

from property_tests.search import theorem_a as runs
from property_tests.search.drift import BIAS, CENTRED, NOISE, PAST, SMOOTH
from property_tests.search.dropped import ONE, ZERO, Theorem, Trial, compare
from property_tests.search.hunting import inner_shares, positive, root_down, root_up
from property_tests.search.theorem_a import GAMMA_MU, GAP, RESIDUAL, SIMILAR, UNCORRELATED, Case
from theory import formulas as fm
from theory import symbols as sy

HALF = Fraction(1, 2)
SLOW = 200  # rounds, where steps are small


# ---------------------------------------------------------------- right sides


def star_up(case: Case) -> Fraction:
    """At least the right side of (★) at A, with μ and R; γμ > 1 is inserted as it stands."""
    q, A = case.told, case.A
    keep = 1 - q.gamma * case.mu
    weights = [keep ** (q.E - 1 - e) for e in range(q.E)]
    E_bar = sum(weights, ZERO)
    u, rho = q.L * q.gamma * E_bar, q.L * root_up(case.R2)
    D, S, F, N = root_up(q.G2 + q.B2 * A), ZERO, ZERO, ZERO
    for weight in weights:
        H = D + q.L * S
        bias, noise2 = root_up(q.P_b * H * H + q.b2), q.P_n * H * H + q.sigma2
        F += weight / E_bar * (q.L * S + bias)
        N += q.nu * (weight / E_bar) ** 2 * noise2
        S = root_up((keep * S + q.gamma * (H + bias)) ** 2 + q.gamma**2 * noise2)
    return 2 * q.Delta / (q.gamma * E_bar * q.T) + F * F + _inner(u, rho, N, A, F, q.E)


def _inner(u: Fraction, rho: Fraction, N: Fraction, A: Fraction, F: Fraction, E: int) -> Fraction:
    """E = 1: the maximum of 2ρx − (1−u)x² + uN over |x − √A| ≤ F. E ≥ 2, u < 1: over all x."""
    if E > 1:
        if u >= 1:
            raise ZeroDivisionError("no bound of this kind at u ≥ 1")
        return (rho + u * root_up(N)) ** 2 / (1 - u) + u * N
    low, high = max(ZERO, root_down(A) - F), root_up(A) + F
    x = high if u >= 1 else min(max(rho / (1 - u), low), high)
    return 2 * rho * x - (1 - u) * x * x + u * N


@cache
def _total(E_is_one: bool) -> sp.Expr:
    terms = fm.COROLLARY1_TERMS if E_is_one else fm.COROLLARY2_TERMS
    return sum(terms.values(), sp.Integer(0))


def values(case: Case) -> dict[sp.Symbol, sp.Rational]:
    """The letters of the corollaries at a case."""
    q = case.told
    E_bar = sum(((1 - q.gamma * case.mu) ** j for j in range(q.E)), ZERO)
    named = {
        sy.L: q.L, sy.mu: case.mu, sy.gamma: q.gamma, sy.E: q.E, sy.B: root_up(q.B2), sy.P_b: q.P_b,
        sy.P_n: q.P_n, sy.b2: q.b2, sy.s2: q.sigma2, sy.F0: q.Delta, sy.T: q.T, sy.R2: case.R2,
        fm.nu: q.nu, fm.G2: q.G2, fm.E_bar: E_bar,
    }  # fmt: skip
    return {symbol: rational(value) for symbol, value in named.items()}


def rational(value: Fraction | int) -> sp.Rational:
    exact = Fraction(value)
    return sp.Rational(exact.numerator, exact.denominator)


def exactly(expression: sp.Expr, at: dict[sp.Symbol, sp.Rational]) -> Fraction:
    """A rational value; shares are squares, so that √P_b and √P_n are rational."""
    number = sp.expand(expression.xreplace(at))
    return Fraction(int(number.p), int(number.q))


def corollary(case: Case) -> Fraction:
    return exactly(_total(case.told.E == 1), values(case))


def conditions(case: Case) -> dict[str, bool]:
    """The step-size conditions of Corollary 1 (E = 1) or 2, at a case."""
    found = fm.COROLLARY1_CONDITIONS if case.told.E == 1 else fm.COROLLARY2_CONDITIONS
    at, gamma = values(case), case.told.gamma
    sides = {c.name: (exactly(c.slope, at) * gamma, exactly(c.upper, at), c.strict) for c in found}
    return {name: left < right if strict else left <= right for name, (left, right, strict) in sides.items()}


def trials(
    families: Callable[[str | None], list[st.SearchStrategy[Case]]], right: Callable[[Case], Fraction]
) -> Callable[[str | None], st.SearchStrategy[Trial]]:
    """One strategy of trials for each dropped assumption."""

    def of(dropped: str | None) -> st.SearchStrategy[Trial]:
        return st.one_of(families(dropped)).map(lambda case: judge(case, right))

    return of


def judge(case: Case, right: Callable[[Case], Fraction]) -> Trial:
    flags = {**case.flags, **(conditions(case) if right is corollary else {})}
    return compare(case.A, right(case), flags, case.describe(), "A")


# ---------------------------------------------------------------- which runs try which assumption


def star_families(dropped: str | None) -> list[st.SearchStrategy[Case]]:
    """Theorem A: one or two local steps."""
    special = {
        SIMILAR: [runs.standing_devices(dropped), runs.tilted_devices(dropped)],
        UNCORRELATED: [runs.replayed_noise(dropped), runs.equal_devices(dropped)],
        RESIDUAL: [runs.unread(dropped), runs.unread(dropped, 2)],
        GAMMA_MU: [runs.pulled_back(dropped, GAMMA_MU, ONE)],
    }
    plain = [runs.one_device(dropped), runs.one_device(dropped, 2, ONE)]
    if dropped is None:
        return plain + [family for found in special.values() for family in found]
    return special.get(dropped, plain)


SMALL_STEP, POSITIVE_RHO = (condition.name for condition in fm.COROLLARY1_CONDITIONS)
DRIFT, SMALL_NOISE, PROXIMAL = (condition.name for condition in fm.COROLLARY2_CONDITIONS)


@st.composite
def overwhelmed(draw: st.DrawFn) -> Case:
    """A relative bias larger than the gradient: ρ_1 < 0."""
    steps = runs.Steps(ONE, draw(inner_shares), 1, draw(st.integers(1, 5)), ONE, p=1 + draw(positive))
    return steps.case(steps.honest(), POSITIVE_RHO)


def corollary1_families(dropped: str | None) -> list[st.SearchStrategy[Case]]:
    """E = 1 and Lγ < 1, unless that is dropped."""
    special = {
        SIMILAR: [runs.tilted_devices(dropped)],
        RESIDUAL: [runs.unread(dropped)],
        UNCORRELATED: [runs.equal_devices(dropped)],
        POSITIVE_RHO: [overwhelmed()],
        SMALL_STEP: [runs.one_device(dropped, 1, 3 * ONE)],
    }
    plain = [runs.one_device(dropped, 1, ONE)]
    if dropped is None:
        return [*plain, *special[SIMILAR], *special[RESIDUAL], *special[UNCORRELATED]]
    return special.get(dropped, plain)


@st.composite
def loud(draw: st.DrawFn) -> Case:
    """Relative noise with n = √P_n up to 1000, γ at the drift condition: the noise condition fails."""
    n = Fraction(draw(st.integers(1, 1000)))
    steps = runs.Steps(ONE, 1 / (8 * (1 + n)), 2, draw(st.integers(1, 400)), ONE, n=n)
    return steps.case(steps.honest(), SMALL_NOISE)


def corollary2_families(dropped: str | None) -> list[st.SearchStrategy[Case]]:
    """E = 2. LγE ≤ 1/16 meets the drift condition for the relative errors drawn (c c_b ≤ 3, P ≤ 1/4)."""
    most = Fraction(1, 16)
    special = {
        SIMILAR: [runs.standing_devices(dropped, most)],
        RESIDUAL: [runs.unread(dropped, 2, most, SLOW)],
        UNCORRELATED: [runs.equal_devices(dropped, 2, most, SLOW)],
        CENTRED: [runs.one_device(dropped, 2, most, SLOW)],
        DRIFT: [runs.one_device(dropped, 2, 8 * ONE)],
        SMALL_NOISE: [loud()],
        PROXIMAL: [runs.pulled_back(dropped, PROXIMAL, HALF)],
    }
    plain = [runs.one_device(dropped, 2, most)]
    if dropped is None:
        kept = (SIMILAR, RESIDUAL, UNCORRELATED, PROXIMAL)
        return [*plain, *(family for name in kept for family in special[name])]
    return special.get(dropped, plain)


LOCAL = (SMOOTH, BIAS, PAST, CENTRED, NOISE, GAP, SIMILAR, RESIDUAL, UNCORRELATED)
NOT_NEEDED = {  # dropping it breaks nothing, so there is no violation to find
    (
        "Corollary 2",
        PAST,
    ): "a bias coupled to its own noise adds at most (b+σ)² ≤ 2b² + 2σ² to a step, and the "
    "corollary's constants have room for that factor 2",
}
THEOREMS = (
    Theorem("Theorem A", "TheoremA", (*LOCAL, GAMMA_MU), trials(star_families, star_up)),
    Theorem(
        "Corollary 1",
        "Corollary1",
        (*LOCAL, SMALL_STEP, POSITIVE_RHO),
        trials(corollary1_families, corollary),
    ),
    Theorem(
        "Corollary 2",
        "Corollary2",
        (*LOCAL, DRIFT, SMALL_NOISE, PROXIMAL),
        trials(corollary2_families, corollary),
    ),
)
