"""Which statements depend on the units of the loss or of the parameters: roots, maxima, exponents."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from theory.weights import Units, decide, weight_of

from theory.ledger import Claim
from theory.ledger import collection as ledger
from theory.ledger import report as render
from theory.symbols import F0, QUANTITIES, E, G, Lam, W, b2, gamma, p, real, s2, x, y
from theory.units.measure import NONE, Weight

half = sp.Rational(1, 2)
HOMOGENEOUS = (
    gamma <= 1 / Lam,
    sp.Abs(F0) <= W * Lam,
    sp.Abs(gamma * Lam - 1) <= 1,
    sp.Max(b2, s2) <= G,
    sp.Min(gamma, 1 / Lam) <= 2 / Lam,
    sp.Max(gamma, 0) <= 1 / Lam,
    sp.sqrt(G) <= Lam * sp.sqrt(W),
    sp.sqrt(b2 + s2) <= sp.sqrt(G) + sp.sqrt(b2),
    (gamma * Lam) ** p <= 1,
    E ** (1 - 2 * p) / (2 * p - 1) * W <= W,
    Lam ** (2 * p) * gamma**p <= Lam**p,
    sp.exp(-gamma * Lam) <= 1,
    1 + gamma <= 2 + gamma - x,
    (gamma * Lam + gamma**2 * Lam) / (1 + gamma) <= 1,
    sp.And(gamma <= 1 / Lam, b2 <= G),
)
INHOMOGENEOUS = (
    gamma <= 1 / (1 + Lam),
    sp.Abs(gamma) <= 1,
    sp.Abs(1 + gamma) <= 2,
    sp.Max(gamma, 1) <= 2,
    sp.Min(b2, W) <= G,
    sp.sqrt(G) <= Lam * W,
    sp.sqrt(1 + gamma) <= 1 + x,
    gamma**p <= 1,
    Lam ** (2 * p) * gamma**p <= 1,
    E**gamma <= 1,
    sp.exp(-gamma) <= 1,
    gamma**2 / 2 * G <= b2,
    sp.Eq(gamma + 1, 1 + gamma, evaluate=False),
    sp.And(gamma <= 1 / Lam, gamma <= 1),
)


@pytest.mark.parametrize("statement", HOMOGENEOUS, ids=str)
def test_a_homogeneous_statement_is_found(statement: sp.Basic) -> None:
    assert decide(statement).units is Units.HOMOGENEOUS


@pytest.mark.parametrize("statement", INHOMOGENEOUS, ids=str)
def test_an_inhomogeneous_statement_is_found(statement: sp.Basic) -> None:
    assert decide(statement).units is Units.INHOMOGENEOUS


def test_what_no_rule_sees_is_undecided_with_its_reason() -> None:
    """max + min is the sum, and max·min the product: homogeneous, but not by comparing monomials."""
    product = sp.Max(gamma, 1) * sp.Min(gamma, 1)
    found = decide(sp.Le(product, 1 / Lam, evaluate=False))
    assert found.units is Units.UNDECIDED and "differ in weight" in found.why
    assert str(found).startswith("undecided: ")


def test_letters_without_units_are_named() -> None:
    a, b = real("a b_")
    assert decide(a <= b * gamma).why == "no declared units: a, b_"
    assert decide(sp.true).units is decide(sp.Le(1, 2, evaluate=False)).units is Units.NOT_APPLICABLE


def test_weights_with_a_letter_in_the_exponent() -> None:
    assert weight_of((gamma * Lam) ** p) == NONE
    assert weight_of(sp.sqrt(G * b2)) == Weight(Fraction(2), Fraction(-2))
    found = weight_of(Lam**p)
    assert found is not None and found.value == p and found.length == -2 * p
    assert weight_of(gamma**p + 1) is None


WITH_UNITS = [q.symbol for q in QUANTITIES if q.value or q.length]


@given(st.sampled_from(WITH_UNITS), st.sampled_from(WITH_UNITS), st.sampled_from([sp.Max, sp.Min]))
def test_the_larger_of_two_has_a_weight_exactly_when_they_agree(one, two, pick) -> None:  # type: ignore[no-untyped-def]
    same = weight_of(one) == weight_of(two)
    statement = pick(one, two) <= (two if same else one)
    if statement in (sp.true, sp.false) or one == two:
        return
    assert (decide(statement).units is Units.HOMOGENEOUS) == same


def test_no_statement_of_the_ledger_is_undecided() -> None:
    shown = {line.id: render.units_of(line) for line in ledger.entries()}
    assert not [name for name, units in shown.items() if units.startswith("undecided")]
    declared = {q.symbol for q in QUANTITIES}
    for line in ledger.entries():
        if isinstance(line.claim, Claim) and line.claim.statement.free_symbols:
            known = line.claim.statement.free_symbols <= declared
            assert known == shown[line.id].startswith(("homogeneous", "inhomogeneous")), line.id
    assert shown["T1.35"] == "inhomogeneous" and y in ledger.find("T1.35").claim.statement.free_symbols
