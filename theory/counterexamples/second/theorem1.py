"""Theorem 1 on a second run: the printed formulas as relations, decided by z3 at the numbers of the run."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import sympy as sp
from mpmath.ctx_iv import MPIntervalContext

from theory.counterexamples.second.algorithm1 import (
    ZERO,
    Loss,
    Path,
    Setting,
    above_minimum,
    left_side,
    play,
    squared,
)
from theory.errors import EvidenceFailed
from theory.ledger.statements import Claim, exact
from theory.letters import real
from theory.provers import smt
from theory.provers.replay import Opinion, Second

L, mu, gamma, T, W, c, P_b, P_n, B, E = real("L mu gamma T W c P_b P_n B E")
b2, sigma2, d, k, p, gap, left = real("b2 sigma2 d k p gap left")
iv = MPIntervalContext()  # its own digits, whatever others set
NAMED = {s.name: s for s in (L, mu, gamma, T, W, c, P_b, P_n, B, E, b2, sigma2, d, k)}

H = 1 / (1 + 2 * B**2 * (P_b + P_n))
RHO = (1 - P_b * (1 + 2 * H) * E**2 * B**2) / 2 - gamma * (
    2 + 2 * P_b * B**2 + (2 * (L + mu) + 1) * P_n * B**2
) * (1 + 2 * H) * E**2
RANGE = gamma * 12 * (1 + P_b * B**2 + (L + mu + 1) * P_n * B**2) * E**2 <= 1 - 6 * P_b * E**2 * B**2
TAIL = ((k + 1) ** (1 - 2 * p) - d ** (1 - 2 * p)) / (2 * p - 1)
OTHERS = (
    gap / (gamma * (T + 1))
    + 2 * E**2 * (1 + 2 * P_b * B**2 + gamma * (3 + L + mu + 2 * P_b * B**2 + 2 * P_n * B**2)) * b2
    + 2 * E**2 * (1 + gamma * (L + mu + 1) * (3 + 2 * P_b * B**2 + 2 * P_n * B**2)) * sigma2
)
AS_PRINTED = OTHERS + (1 / c + TAIL) * (L + mu) ** 2 * W
TAIL_AS_ZERO = OTHERS + (L + mu) ** 2 * W / c  # read so where k ≥ d − 1 makes it negative or 0
STATED = (
    gamma > 0, L > 0, mu >= 0, P_b > 0, P_b < 1, P_n >= 0, B >= 1, E >= 1, c > 1, k >= 1, k <= d, W > 0,
    T >= 0, RANGE, RHO > sp.Rational(1, 4),
)  # fmt: skip
# With the fixable errors corrected, for E = 1: ρ, the tail from k to d, 1/(2γ), and a selection that may be
# wrong; (√t + 2/√c)² is at most 11t/10 + 44/c.
TAIL_FROM_K = (k ** (1 - 2 * p) - d ** (1 - 2 * p)) / (2 * p - 1)
RHO_CORRECTED = RHO - P_b * (1 + 2 * H) * E**2 * B**2 / 2
RESIDUAL = (45 / c + 11 * TAIL_FROM_K / 10) * W
CORRECTED = (OTHERS + (L + mu) ** 2 * RESIDUAL / (2 * gamma)) / RHO_CORRECTED
STATED_CORRECTED = (
    *STATED, sp.Eq(E, 1), k < d, RHO_CORRECTED > sp.Rational(1, 4), 2 * gamma * (L + mu) <= 1,
    4 * gamma * E * (L + mu) <= H,
    24 * gamma * E**2 * (1 + P_b * B**2 + (L + mu + 1) * P_n * B**2) <= 1 - 12 * P_b * E**2 * B**2,
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A run and the constants it claims; `law` are the probabilities and values of ζ in every round.

    `proportional` reads Assumption 4 as |g(i)| = C i^(−p)‖g‖ with one constant C for all i. `lean` asks the
    power law of the models too.
    """

    setting: Setting
    constants: dict[str, Any]
    law: tuple[tuple[Fraction, Fraction], ...] = ((Fraction(1), ZERO),)
    right: sp.Expr = TAIL_AS_ZERO
    proportional: bool = False
    stated: tuple[sp.Basic, ...] = STATED
    lean: bool = False

    @property
    def values(self) -> dict[sp.Symbol, Fraction]:
        return {NAMED[name]: exact(value) for name, value in self.constants.items() if name in NAMED}

    @property
    def bound(self) -> sp.Expr:
        """The right side with numbers in its tail, where p is an exponent."""
        return self.right.subs({d: self.constants["d"], k: self.constants["k"], p: self.constants["p"]})


def case_of(run: Any) -> Case:
    """The numbers of a run, and nothing of its code."""
    q, losses = run.parameters, tuple(Loss(d.curvature, d.centre, d.along) for d in run.devices)
    steps = (q.gamma, q.mu, q.T, q.E, q.k)
    setting = Setting(losses, run.start, *steps, 5, run.columns, run.bias, run.persistent)
    noise = tuple((p, value[0]) for p, value in run.law if value) or ((Fraction(1), ZERO),)
    right = TAIL_AS_ZERO if run.favour_paper else AS_PRINTED
    return Case(setting, vars(q), noise, right, run.with_constant)


def right_at(case: Case, largest_gap: Fraction) -> Fraction:
    """The right side as a number, by sympy."""
    found = case.bound.subs({**case.values, gap: largest_gap})
    return exact(sp.Rational(found))


def opinion(case: Case) -> Opinion:
    """Do the stated conditions hold, and the bound with probability 1 − δ?

    z3 decides the bound at the smallest left side that exceeds it.
    """
    rounds = case.setting.rounds
    outcomes = list(product(case.law, repeat=rounds)) if len(case.law) > 1 else [()]
    paths = [
        (play(case.setting, tuple(z for _, z in o)), prod((chance for chance, _ in o), start=Fraction(1)))
        for o in outcomes
    ]
    readings = [(path.broadcast, path.exact) for path, _ in paths]  # both must violate the bound
    largest_gap = max(above_minimum(case.setting, points[0]) for both in readings for points in both)
    right = right_at(case, largest_gap)
    lefts = [min(left_side(case.setting, points) for points in both) for both in readings]
    above = [(found, p) for found, (_, p) in zip(lefts, paths, strict=True) if found > right]
    shown = min((found for found, _ in above), default=lefts[0])
    often = sum((p for _, p in above), ZERO) * _exact_recovery(case.setting)
    judged = by_z3(Claim(case.stated, left <= case.bound), {**case.values, gap: largest_gap, left: shown})
    met = judged.admissible and all(_meets(case, path) for path, _ in paths) and _large(case) and _alike(case)
    return Opinion(met, judged.holds or often <= case.constants["delta"], (shown, right, often))


def by_z3(claim: Claim, values: Mapping[sp.Symbol, Any]) -> Opinion:
    """z3 on the hypotheses and the statement with a number for every letter."""
    fixed = tuple(sp.Eq(letter, sp.Rational(exact(value))) for letter, value in values.items())
    parts = (sp.And(*claim.hypotheses), claim.statement)
    met, true = (smt.prove(fixed, part).answer for part in parts)
    if smt.Answer.UNKNOWN in (met, true) or set(claim.symbols) - set(values):
        raise EvidenceFailed("z3 leaves the claim open")
    return Opinion(met is smt.Answer.PROVED, true is smt.Answer.PROVED)


def _exact_recovery(s: Setting) -> Fraction:
    """The chance that random hashes keep two coordinates apart in most rows, row by row."""
    if len(s.start) == 1:
        return Fraction(1)
    meet = Fraction(1, s.columns)
    patterns = [p for p in product((0, 1), repeat=s.rows) if 2 * sum(p) < s.rows]
    return sum((meet ** sum(p) * (1 - meet) ** (s.rows - sum(p)) for p in patterns), ZERO)


def _meets(case: Case, path: Path) -> bool:
    """‖w‖² ≤ W, L-smooth losses, ‖β‖² ≤ P_b‖∇‖², Eζ = 0 and Eζ² ≤ σ², and the power law of each g."""
    q, s = case.constants, case.setting
    models = (*path.broadcast, *path.exact, *path.met)
    bounded = all(squared(point) <= q["W"] for point in models)
    lean = not case.lean or all(_power_law(point, q["p"]) for point in models)
    smooth = all(abs(a) <= q["L"] for loss in s.losses for a in loss.steepness)
    centred = sum(p * z for p, z in case.law) == 0 and sum(p for p, _ in case.law) == 1
    small = sum(p * z * z for p, z in case.law) <= q.get("sigma2", 0)
    law = _proportional if case.proportional else _power_law
    steep = all(law(move, q["p"]) for move in path.moves)
    return bounded and smooth and s.bias**2 <= q["P_b"] and centred and small and steep and lean


def _power_law(g: list[Fraction], p: int) -> bool:
    """|v|_(i) ≤ i^(−p)‖v‖ in squares: Assumption 4 with ≤, and the same for −γg and for models."""
    largest_first = sorted((x * x for x in g), reverse=True)
    return all(i ** (2 * p) * x <= squared(g) for i, x in enumerate(largest_first, start=1))


def _proportional(g: list[Fraction], p: int) -> bool:
    """i^p|g(i)| is the same for every i: then |g(i)| = C i^(−p)‖g‖, and the norms on both sides give C."""
    return len({i**p * abs(x) for i, x in enumerate(g, start=1)}) == 1


def _large(case: Case) -> bool:
    """The sketch that Lemma 1 asks for: ck·log(dT/δ) cells, wherever the interval of the logarithm ends.

    With the corrections no two coordinates may meet, in any row, with probability 1 − δ.
    """
    q, s = case.constants, case.setting
    ratio = q["d"] * max(s.rounds, 1) / Fraction(q["delta"])
    needed = iv.mpf(int(q["k"])) * _interval(q["c"]) * iv.log(_interval(ratio))
    apart = case.stated == STATED or s.rows * q["d"] * (q["d"] - 1) <= 2 * q["delta"] * s.columns
    return bool(needed.b <= s.rows * s.columns) and apart


def _interval(value: Any) -> Any:
    return iv.mpf(exact(value).numerator) / iv.mpf(exact(value).denominator)


def _alike(case: Case) -> bool:
    """Assumption 5: where ‖∇f‖² > ε, the mean of the devices' squared slopes is at most B²‖∇f‖²."""
    first, *others = case.setting.losses
    if all(loss == first for loss in others):
        return True
    at = real(" ".join(f"w{i}" for i in range(len(first.lowest))))
    slopes = [
        [
            sp.Rational(a) * (w - sp.Rational(z))
            for a, w, z in zip(loss.steepness, at, loss.lowest, strict=True)
        ]
        for loss in case.setting.losses
    ]
    squares = [sum(slope**2 for slope in own) for own in slopes]
    whole = sum((sum(column) / len(slopes)) ** 2 for column in zip(*slopes, strict=True))
    limit = sp.Rational(exact(case.constants["B"])) ** 2 * whole
    large = whole > sp.Rational(exact(case.constants["epsilon"]))
    reply = smt.prove((large,), sum(squares) / len(slopes) <= limit)
    if reply.answer is smt.Answer.UNKNOWN:
        raise EvidenceFailed("z3 does not decide Assumption 5")
    return reply.answer is smt.Answer.PROVED


SECOND = Second("second run and z3", lambda run: opinion(case_of(run)))


def corrected_case(run: Any, lean: bool) -> Case:
    """The run against Theorem 1 with every fixable error corrected."""
    return replace(case_of(run), right=CORRECTED, stated=STATED_CORRECTED, lean=lean)


WITH_CORRECTIONS = Second("second run and z3", lambda run: opinion(corrected_case(run, lean=True)))
BUT_FOR_THE_MODELS = Second("second run and z3", lambda run: opinion(corrected_case(run, lean=False)))
