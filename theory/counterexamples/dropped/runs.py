"""Each assumption of A2 (and A3) bites: a run that violates (★) as soon as it is dropped.

f = w²/2 unless said otherwise, in one dimension, no sketch. Noise has finite support, so E is an exact sum
over all outcomes; linear runs with many rounds carry the exact second moment E w² instead. The other
assumptions that a run could break are checked on the same run, and so are L, γ, E, T and Δ: with a wrong one
of them a run refutes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from theory.counterexamples.dropped.exact_star import ClaimedConstants, right_side_up
from theory.counterexamples.second.star import second_star
from theory.ledger import Entry, FiniteClaim, Kind, Test, Verdict, counterexample
from theory.provers import OnInstance

PREFIXES = ("RX",)

Law = list[tuple[Fraction, Fraction]]  # (probability, value)
UNIT = (Fraction(1),)  # the curvature of w²/2
SIGN: Law = [(Fraction(1, 2), Fraction(1)), (Fraction(1, 2), Fraction(-1))]


@dataclass(frozen=True)
class Setup:
    """What is played: the devices' curvatures, E‖∇f(w_0)‖², the step, and the rounds of E local steps."""

    curvatures: tuple[Fraction, ...]
    start: Fraction
    gamma: Fraction
    T: int
    E: int = 1

    @property
    def constants(self) -> tuple[Fraction | int, ...]:
        """L, γ, E, T and Δ: quadratics are as smooth as the largest curvature says, and f, with the mean
        curvature, lies ‖∇f(w_0)‖²/(2·curvature) above its minimum.
        """
        gap = self.start / (2 * _mean(list(self.curvatures)))
        return max(self.curvatures), self.gamma, self.E, self.T, gap

    def fits(self, claimed: ClaimedConstants) -> bool:
        return (claimed.L, claimed.gamma, claimed.E, claimed.T, claimed.Delta) == self.constants


@dataclass(frozen=True)
class Run:
    """A, what (★) allows at most with the claimed constants, and which assumptions hold."""

    A: Fraction
    setup: Setup
    claimed: ClaimedConstants
    kept: tuple[tuple[str, bool], ...]
    dropped: str
    dropped_holds: bool

    @property
    def constants_right(self) -> bool:
        return self.setup.fits(self.claimed)

    @property
    def allowed(self) -> Fraction:
        return right_side_up(self.claimed, self.A)


def expected_squares(
    start: object,
    step: Callable[[object], list[tuple[Fraction, object]]],
    read: Callable[[object], Fraction],
    T: int,
) -> list[Fraction]:
    """E read(state_t)² for t < T, by carrying the whole law of the state."""
    law, found = {start: Fraction(1)}, []
    for _ in range(T):
        found.append(sum((p * read(state) ** 2 for state, p in law.items()), Fraction(0)))
        following: dict[object, Fraction] = {}
        for state, p in law.items():
            for share, new in step(state):
                following[new] = following.get(new, Fraction(0)) + p * share
        law = following
    return found


def _mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def beta_depends_on_noise() -> Run:
    """β = sign ζ, L = γ = E = 1, b = σ = 1: every step lands at w = −2ζ."""
    T, start, gamma = 16, Fraction(2), Fraction(1)
    squares = expected_squares(
        start,
        lambda w: [(p, w - gamma * (w + z + z)) for p, z in SIGN],  # type: ignore
        lambda w: w,  # type: ignore
        T,
    )
    setup = Setup(UNIT, squares[0], gamma, len(squares))
    mean_beta = sum((p * z for p, z in SIGN), Fraction(0))
    claimed = ClaimedConstants(
        Fraction(1), Fraction(1), b2=Fraction(1), sigma2=Fraction(1), Delta=start**2 / 2, T=T
    )
    kept = (
        ("‖β‖² ≤ b²", all(z * z <= claimed.b2 for _, z in SIGN)),
        ("E[ζ | past] = 0", mean_beta == 0),
        ("E‖ζ‖² ≤ σ²", sum(p * z * z for p, z in SIGN) <= claimed.sigma2),
    )
    known = all(z == SIGN[0][1] for _, z in SIGN)
    return Run(_mean(squares), setup, claimed, kept, "β is known from the past", known)


def without_replacement() -> Run:
    """Two samples with gradients w ± 1, each drawn once per epoch of two rounds; E = 1, γ = 3/2."""
    gamma, T = Fraction(3, 2), 12

    def step(state: tuple[Fraction, Fraction]) -> list[tuple[Fraction, tuple[Fraction, Fraction]]]:
        w, left_over = state
        draws = [(Fraction(1), left_over)] if left_over else SIGN
        return [(p, (w - gamma * (w + z), Fraction(0) if left_over else -z)) for p, z in draws]

    squares = expected_squares((Fraction(0), Fraction(0)), step, lambda s: s[0], T)  # type: ignore
    setup = Setup(UNIT, squares[0], gamma, len(squares))
    claimed = ClaimedConstants(Fraction(1), gamma, sigma2=Fraction(1), T=T)
    kept = (("E‖ζ‖² ≤ σ²", all(z * z <= claimed.sigma2 for _, z in SIGN)),)
    second_draw_mean = -SIGN[0][1]  # given that the first draw was SIGN[0]
    return Run(_mean(squares), setup, claimed, kept, "E[ζ | past] = 0", second_draw_mean == 0)


def replayed_noise() -> Run:
    """M = E = 4: device m replays device 0's noise m steps later; ν = 1/M is claimed. E w_0² is the
    stationary value.
    """
    E, gamma, T = 4, Fraction(1, 100), 10**4
    coefficients: dict[tuple[int, int], Fraction] = {}
    for m in range(E):
        for e in range(E):
            source = (0, e - m) if e >= m else (m, e)
            share = gamma * (1 - gamma) ** (E - 1 - e) / E
            coefficients[source] = coefficients.get(source, Fraction(0)) + share
    variance = sum((c * c for c in coefficients.values()), Fraction(0)) / (1 - (1 - gamma) ** (2 * E))
    own = all(len({(0, e - m) if e >= m else (m, e) for e in range(E)}) == E for m in range(E))
    claimed = ClaimedConstants(
        Fraction(1), gamma, E=E, sigma2=Fraction(1), nu=Fraction(1, E), Delta=variance / 2, T=T
    )
    kept = (("each device's own noise is fresh: E[ζ | its past] = 0", own),)
    fresh_sources = len(coefficients) == E * E
    setup = Setup(UNIT * E, variance, gamma, T, E)
    dropped = "E⟨ζ^{m,e}, ζ^{m',e'}⟩ = 0 for m ≠ m' and all e, e'"
    return Run(variance, setup, claimed, kept, dropped, fresh_sources)


def bias_understated() -> Run:
    """β = −1 always, b = 0 claimed: w = 1 is a fixed point with ‖∇f‖² = 1."""
    w, beta, gamma, T = Fraction(1), Fraction(-1), Fraction(1, 2), 1000
    squares = expected_squares(
        w,
        lambda x: [(Fraction(1), x - gamma * (x + beta))],  # type: ignore
        lambda x: x,  # type: ignore
        T,
    )
    setup = Setup(UNIT, squares[0], gamma, len(squares))
    claimed = ClaimedConstants(Fraction(1), gamma, Delta=w * w / 2, T=T)
    kept = (("the run stands still, as β known from the past makes it", set(squares) == {w * w}),)
    return Run(_mean(squares), setup, claimed, kept, "‖β‖² ≤ P_b‖∇l‖² + b²", beta * beta <= claimed.b2)


def noise_understated() -> Run:
    """ζ = ±1, σ = 0 claimed, Lγ = 1/2, E w_0² the stationary value uσ²/(2−u)."""
    u, T = Fraction(1, 2), 1000
    variance = u**2 * sum((p * z * z for p, z in SIGN), Fraction(0)) / (1 - (1 - u) ** 2)
    claimed = ClaimedConstants(Fraction(1), u, Delta=variance / 2, T=T)
    kept = (("E[ζ | past] = 0", sum(p * z for p, z in SIGN) == 0),)
    setup, dropped = Setup(UNIT, variance, u, T), "E‖ζ‖² ≤ P_n‖∇l‖² + σ²"
    return Run(variance, setup, claimed, kept, dropped, SIGN[0][1] ** 2 <= claimed.sigma2)


def dissimilarity_understated() -> Run:
    """The two devices of R.heterogeneity-drift (without μ), with G = 0 and B = 1 claimed: a fixed point
    with ∇f ≠ 0.
    """
    a, gamma, T = (Fraction(10), Fraction(1)), Fraction(1, 100), 10**5
    slopes = (Fraction(-1), (2 - gamma * a[0]) / (2 - gamma * a[1]))  # ∇l_1(0), ∇l_2(0)
    moves = [-gamma * g * (2 - gamma * x) for g, x in zip(slopes, a, strict=True)]
    A, D2 = _mean(list(slopes)) ** 2, _mean([g * g for g in slopes])
    claimed = ClaimedConstants(a[0], gamma, E=2, Delta=A / (a[0] + a[1]), T=T)
    kept = (("the run stands still", sum(moves) == 0),)
    dropped = "A3: mean_m‖∇l_m(w̃)‖² ≤ G² + B²‖∇f(w̃)‖²"
    return Run(A, Setup(a, A, gamma, T, 2), claimed, kept, dropped, D2 <= claimed.G2 + claimed.B2 * A)


@dataclass(frozen=True)
class Dropped:
    """A run without one assumption, and the constants with which it satisfies (★) all the same."""

    name: str
    build: Callable[[], Run]
    title: str
    honest: dict[str, Any]


RUNS = (
    Dropped(
        "beta-depends-on-noise",
        beta_depends_on_noise,
        "β may depend on the noise of its own step",
        {"b2": Fraction(0), "sigma2": Fraction(4)},  # count β + ζ = 2ζ as noise
    ),
    Dropped(
        "without-replacement",
        without_replacement,
        "samples are drawn without replacement (true epochs)",
        {"b2": Fraction(1)},  # the second draw's conditional mean ∓1 is a bias
    ),
    Dropped(
        "replayed-noise",
        replayed_noise,
        "ν = 1/M although devices share noise at different steps",
        {"nu": Fraction(1)},
    ),
    Dropped("bias-understated", bias_understated, "the bias exceeds its bound", {"b2": Fraction(1)}),
    Dropped("noise-understated", noise_understated, "the noise exceeds its bound", {"sigma2": Fraction(1)}),
    Dropped(
        "dissimilarity-understated",
        dissimilarity_understated,
        "the devices differ more than A3 says",
        {"G2": Fraction(1)},
    ),
)

STAR = r"A\le\frac{2\Delta}{\gamma\bar ET}+F^2+\max\{2\rho x-x^2+u(x+\sqrt N)^2\}"
ALL_KEPT = Test(
    "every other assumption holds, and the dropped one fails",
    lambda run: all(holds for _, holds in run.kept) and not run.dropped_holds,
)
CONSTANTS = Test("L, γ, E, T and Δ are those of the run", lambda run: run.constants_right)
WITHIN = Test("A ≤ the right side of (★)", lambda r: r.A <= r.allowed)


def entries() -> tuple[Entry, ...]:
    """(★) without one of its assumptions, refuted."""
    return tuple(map(_entry, RUNS))


def _entry(dropped: Dropped) -> Entry:
    name, run = dropped.name, dropped.build()
    honest = replace(run, claimed=replace(run.claimed, **dropped.honest))
    method = OnInstance(
        run, f"dropped: {run.dropped}", _sides, second_star(name), lambda r: (r.A,), unlike=honest
    )
    return Entry(
        id=f"RX.{name}",
        kind=Kind.RUN,
        place="repaired theory, Theorem A, one assumption dropped",
        title=f"(★) when {dropped.title}",
        printed=STAR,
        claim=FiniteClaim((ALL_KEPT, CONSTANTS), WITHIN, STAR),
        verdict=Verdict.REFUTED,
        evidence=(counterexample(method),),
        depends=("TheoremA",),
        note="With honest constants the same run satisfies (★).",
    )


def _sides(run: Run) -> str:
    return f"A = {float(run.A):.6g} while (★) allows at most {float(run.allowed):.6g}"
