"""(1 + 1/n)^n stays below 2.7183 for every integer n = E − 1, without the number e.

(1 + 1/n)^{2n+1} falls to e² like 1 + 1/(6n²), so that the squares need n = 119 only. The quotient of two
neighbours is (1 + z)^{2n+1}((n+1)/(n+2))² with z = 1/(n(n+2)); three terms of the binomial series suffice.
"""

from __future__ import annotations

import sympy as sp

from theory.claim import Derivation, Entry, Verdict, proof
from theory.integers import Directly, Lemma, Reading, for_integers
from theory.provers import Chain, Induction, SumOfSquares, term
from theory.statements import Claim
from theory.symbols import E, real

LIMIT = sp.Rational(27183, 10000) ** 2
SQUARED = (1 + 1 / (E - 1)) ** (2 * E - 2)
FALLING = (1 + 1 / (E - 1)) ** (2 * E - 1)
SMALL = 1 / ((E - 1) * (E + 1))
LATE = 120


def entries() -> tuple[Entry, ...]:
    """The bound for squares; whoever needs it takes the root."""
    power, step_up = real("power step_up")
    quotient = sp.Eq(step_up, power * E / (E - 1))
    longer = Claim((E >= 2, power >= 0, quotient), power <= step_up)
    method = SumOfSquares((term(power / (E - 1)),), using=((1, quotient),))
    links = (
        (
            for_integers(E, 2, SQUARED <= FALLING),
            Directly(Reading(longer, method, ((power, SQUARED), (step_up, FALLING))), {E: 2}, "E = 2"),
        ),
        (for_integers(E, LATE, FALLING <= LIMIT), Induction(_falls(), {E: LATE}, f"E = {LATE}")),
    )
    return (
        Entry(
            id="L2.17e",
            place="not in the paper; needed by entry L2.17",
            title="(1 + 1/(E-1))^(E-1) is at most 2.7183 for every integer E of at least 2",
            printed="",
            claim=for_integers(E, 2, SQUARED <= LIMIT),
            verdict=Verdict.VALID,
            derivation=Derivation.NONE,
            evidence=(proof(Chain(links, {E: 2}, "E = 2")),),
            reduction="Both sides squared.",
        ),
    )


def cubic(n: sp.Expr, z: sp.Expr) -> sp.Expr:
    """The binomial series of (1 + z)^n up to z³."""
    return 1 + n * z + n * (n - 1) * z**2 / 2 + n * (n - 1) * (n - 2) * z**3 / 6


def _series() -> Lemma:
    """(1+z)^n ≥ its first four terms for z ≥ 0 and n ≥ 2, used at n = 2E − 1 and z = 1/((E−1)(E+1))."""
    n, z, power = real("n z power")
    before = power >= cubic(n, z)
    step = Claim((z >= 0, n >= 2, before), (1 + z) * power >= cubic(n + 1, z))
    rest = sp.factor(sp.expand((1 + z) * cubic(n, z) - cubic(n + 1, z)))
    method = SumOfSquares((term(1 + z, 1, before), term(rest)))
    claim = for_integers(n, 2, (1 + z) ** n >= cubic(n, z), z >= 0)
    reading = Reading(step, method, ((power, (1 + z) ** n),))
    return Lemma(claim, Induction(reading, {n: 2, z: 1}, "n = 2, z = 1"), ((n, 2 * E - 1), (z, SMALL)))


def _falls() -> Reading:
    """(1 + 1/(E−1))^{2E−1} does not increase."""
    now, following, growth = real("now following growth")
    share = E**2 / (E + 1) ** 2
    quotient, enough = sp.Eq(now, following * growth * share), growth >= cubic(2 * E - 1, SMALL)
    step = Claim((E >= 2, following >= 0, enough, quotient, now <= LIMIT), following <= LIMIT)
    gained = sp.factor(sp.together(share * cubic(2 * E - 1, SMALL) - 1))
    method = SumOfSquares(
        (term(1, 1, now <= LIMIT), term(following * share, 1, enough), term(following * gained)),
        using=((1, quotient),),
    )
    reads = ((now, FALLING), (following, FALLING.subs(E, E + 1)), (growth, (1 + SMALL) ** (2 * E - 1)))
    return Reading(step, method, reads, (_series(),))
