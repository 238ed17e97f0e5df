"""No hypothesis is accounted for by way of itself, however many lines lie between."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp
from theory.steps import given

from theory import derivations
from theory.errors import EvidenceFailed
from theory.ledger import Claim, Derivation, Entry
from theory.ledger import collection as ledger
from theory.symbols import real

one, two, three, four, five, six = real("one two three four five six")
FIRST, SECOND, THIRD = one <= two, three <= four, five <= six
ALL = Claim((FIRST, SECOND, THIRD), one + three + five <= two + four + six)
PAIR = Claim((FIRST, SECOND), one + three <= two + four)


def line(identifier: str, claim: Claim, *sources: str, stated: tuple[sp.Basic, ...] = ()) -> Entry:
    return replace(
        ledger.find("L2.10"),
        id=identifier,
        claim=claim,
        depends=sources,
        steps=tuple(map(given, sources)),
        stated=stated,
        printed=r"a\Rightarrow b",
    )


def gives(identifier: str, asked: sp.Basic, statement: sp.Basic, stated: bool) -> Entry:
    return line(identifier, Claim((asked,), statement), stated=(asked,) if stated else ())


def status(planted: Entry, *others: Entry) -> derivations.Basis:
    known = {other.id: other for other in others}
    return derivations.decide(planted, True, lambda name: known.get(name) or ledger.find(name))


@pytest.mark.parametrize("stated", [True, False])
def test_two_hypotheses_do_not_give_each_other(stated: bool) -> None:
    there, back = gives("X.1", FIRST, SECOND, stated), gives("X.2", SECOND, FIRST, stated)
    for claim in (PAIR, replace(PAIR, hypotheses=PAIR.hypotheses[::-1])):
        with pytest.raises(EvidenceFailed, match=r"X\.[12] asks for"):
            status(line("X", claim, "X.1", "X.2"), there, back)


def test_nor_do_three() -> None:
    circle = (
        gives("X.1", FIRST, SECOND, True),
        gives("X.2", SECOND, THIRD, True),
        gives("X.3", THIRD, FIRST, True),
    )
    with pytest.raises(EvidenceFailed, match=r"X\.. asks for"):
        status(line("X", ALL, "X.1", "X.2", "X.3"), *circle)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_a_chain_with_a_beginning_is_followed_in_any_order(order: tuple[int, ...]) -> None:
    chain = (gives("X.1", FIRST, SECOND, True), gives("X.2", SECOND, THIRD, True))
    claim = replace(ALL, hypotheses=tuple(ALL.hypotheses[n] for n in order))
    begun = line("X", claim, "X.1", "X.2", stated=(FIRST,))
    found = status(begun, *chain)
    assert found.status is Derivation.RIGHT
    assert {o.hypothesis: o.source for o in found.origins} == {
        str(FIRST): "stated",
        str(SECOND): "X.1",
        str(THIRD): "X.2",
    }


def test_what_a_line_states_is_not_shown_from_what_was_given_to_it() -> None:
    """X.2 states one ≤ two and gets 2 one ≤ 2 two + 0·three from X.1, which asks for one ≤ two as well."""
    doubled = sp.And(2 * one <= 2 * two, three**2 >= 0)
    first = line("X.1", Claim((FIRST,), doubled), stated=(FIRST,))
    weaker = 3 * one <= 3 * two + three**2
    second = line("X.2", Claim((FIRST, 2 * one <= 2 * two), weaker), "X.1", stated=(FIRST,))
    assert status(second, first).status is Derivation.RIGHT
    last = line("X", Claim((weaker,), weaker.lhs <= weaker.rhs + 1), "X.2")
    with pytest.raises(EvidenceFailed, match=r"X.2 asks for one <= two"):
        status(last, first, second)
    kept = line("X", Claim((FIRST, weaker), weaker.lhs <= weaker.rhs + 1), "X.2", stated=(FIRST,))
    assert status(kept, first, second).status is Derivation.RIGHT
