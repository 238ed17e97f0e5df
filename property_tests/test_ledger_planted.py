"""Planted chains of lines that would prove something false: each is refused, and says where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
import sympy as sp
from theory.inductions import demand_induction
from theory.steps import given

from property_tests.planted_lines import entry, plain, say
from theory import derivations
from theory.errors import EvidenceFailed
from theory.ledger import Claim, Derivation, Entry, Step
from theory.symbols import E, real

one, two, three, four, a, b, v, root, num, total, x1 = real("one two three four a b v root num total x1")
crowd, K, light, u, e, r, s, mean, L, E_bar, count = real("crowd K light u e r s mean L E_bar count")
square = three**2 - 2 * three + 1  # none below 0, which z3 has to find


def line(
    identifier: str,
    hypotheses: Sequence[sp.Basic],
    statement: sp.Basic,
    *steps: Step,
    stated: tuple[sp.Basic, ...] = (),
) -> Entry:
    """A planted line; what it states it prints as an implication."""
    depends = tuple(dict.fromkeys(step.line for step in steps if step.line != identifier))
    found = plain(Claim(tuple(hypotheses), statement), *steps, depends=depends)
    return replace(
        found, id=identifier, stated=stated, printed=r"a\\Rightarrow b" if stated else found.printed
    )


def refused(*lines: Entry) -> str:
    """Why the last line is not right, if all before it are."""
    known = {found.id: found for found in lines}
    for found in lines:
        try:
            basis = derivations.decide(found, True, lambda name: known.get(name) or entry(name))
        except EvidenceFailed as fault:
            assert found is lines[-1], f"{found.id}: {fault}"
            return str(fault)
        if basis.status is not Derivation.RIGHT:
            assert found is lines[-1], f"{found.id}: {basis.why}"
            return basis.why
    return ""


# ------------------------------------------------------------------ readings


def test_an_expression_and_its_letter_are_read_together() -> None:
    """one² + 1 ≥ 2·one; with one² called two and one called three it would be false at 0 and 5."""
    first = line("X.1", (), one**2 + 1 >= 2 * one)
    claim = (two >= 0, two + 1 >= 2 * three)
    last = line("Y.1", claim, two + 2 >= 2 * three, given("X.1", "one**2: two, one: three"))
    assert "X.1 asks for Eq(two, three**2)" in refused(first, last)
    power = line("X.2", (), one**4 * square >= 0)
    reads = given("X.2", "one**4: two, one: 5")
    planted = line("Y.1", (two * square >= 0,), 2 * two * square >= -1, reads)
    assert "X.2 asks for Eq(two, 625)" in refused(power, planted)


def test_no_expression_is_read_in_two_ways() -> None:
    last = line("V.3", (a >= 0, b >= 0, one <= a * b), one <= a * b + 1)
    doubled = replace(last, steps=(given("V.2", "inner: -inner, inner: one"),), depends=("V.2",))
    assert "read in two ways" in refused(doubled)


def test_only_an_induction_has_a_start() -> None:
    first = line("X.1", (), one**4 * square >= 0)
    last = line(
        "Y.1", (two * square >= 0,), 2 * two * square >= -1, given("X.1", "one**4: two", base="one: 1")
    )
    assert "is no induction of Y.1" in refused(first, last)


@pytest.mark.parametrize(
    ("hypotheses", "statement", "reading", "read"),
    [
        ((crowd >= 0, E >= 1), (crowd + E) ** 3 >= 1, "crowd + E: two", two**3 >= 1),
        ((K >= 1,), 2 * K**2 >= 2, "K**2: two", 2 * two >= 2),
        ((light >= 0, light <= 1), 2 * light**2 <= 2, "light**2: two", 2 * two <= 2),
    ],
)
def test_a_named_expression_keeps_the_kind_of_its_letter(
    hypotheses: tuple[sp.Basic, ...], statement: sp.Basic, reading: str, read: sp.Basic
) -> None:
    """crowd + E ≥ 1 for a size and E ≥ 1; K² ≥ 1 for a number of buckets, light² ≤ 1 for a share."""
    first = line("RS.x", hypotheses, statement)
    last = line("RS.y", (E >= 1, two >= 0, read), read.lhs**2 >= -1, given("RS.x", reading))
    assert "RS.x asks for" in refused(first, last)


def test_a_sum_leaves_other_letters_alone() -> None:
    """RC2.15m reads RC2.15s in the mean; its D, b and s are not 0 by the way."""
    known = entry("RC2.15m")
    more = tuple(
        replace(step, reads=(*step.reads, *given("X", "D: 0, b: 0, s: 0").reads)) if step.summed else step
        for step in known.steps
    )
    assert refused(known) == "" and isinstance(known.claim, Claim)
    none = dict.fromkeys(real("D b s"), 0)
    changed = tuple(
        h.subs(none) if h.has(*real("S_rms")) and h.has(*none) else h for h in known.claim.hypotheses
    )
    planted = replace(known, claim=replace(known.claim, hypotheses=changed), steps=more)
    assert "RC2.15s asks for" in refused(planted)


def test_what_absorbs_a_wrong_line_has_its_letters() -> None:
    known = entry("T1.10")
    (first, *others) = known.steps
    assert refused(replace(known, steps=(replace(first, reads=given("X", "bias: three").reads), *others)))


def test_letters_are_real_and_told_by_their_names() -> None:
    """z3 takes one for one, sympy does not: a condition on the other one would vanish."""
    other = sp.Symbol("one")
    first = line("X.1", (other >= 0,), one * square >= 0)
    assert "is not a letter of the ledger" in refused(first)


# ------------------------------------------------------------------ letters that vanish


def test_facts_do_not_meet_in_a_letter_that_the_line_does_not_have() -> None:
    """v = a² + 1 in one line and −a² in another: together they would prove everything."""
    first = line("X.1", (sp.Eq(v, a**2 + 1),), 2 * v >= 2)
    second = line("X.2", (sp.Eq(v, -(a**2)),), 2 * v <= 0)
    last = line("Y.1", (one <= two,), 2 * one <= 2 * two + 1, given("X.1"), given("X.2"))
    assert refused(first, second, last)


def test_nothing_is_read_that_the_line_does_not_have() -> None:
    first = line("X.1", (one >= 5, sp.Eq(u, one - 5)), 2 * one + u**2 >= 10)
    last = line("RC2.y", (2 * one >= 0,), 4 * one >= -1, given("X.1", "four: E_bar"))
    assert "X.1 has no four" in refused(first, last)


def test_a_letter_that_vanishes_does_not_meet_a_name_of_the_later_part() -> None:
    """u = one − 5 in one line, and LγĒ in the part RC2: that does not say that one is 5 or more."""
    first = line("X.1", (one >= 5, sp.Eq(u, one - 5)), 2 * one >= 10)
    last = line("RC2.y", (E_bar > 0, 2 * one >= 10), 4 * one >= 19, given("X.1"))
    assert "X.1 asks for one >= 5" in refused(first, last)


def test_a_kind_with_two_letters_is_shown_of_what_has_the_name() -> None:
    """e ≤ E − 1 is the kind of e; r with e = r² is any number, where the line does not have e."""
    kind, doubled = e <= E - 1, 2 * e <= 2 * E - 2
    first = line("X.1", (kind,), doubled, stated=(kind,))
    second = line("RC2.10x", (r >= 1, sp.Eq(e, r**2), doubled), 3 * r**2 <= 3 * E - 3, given("X.1"))
    claim = (r >= 1, E >= 2, 3 * r**2 <= 3 * E - 3)
    last = line("Y.1", claim, 6 * r**2 <= 6 * E - 5, given("RC2.10x"))
    assert "RC2.10x asks for r**2 <= E - 1" in refused(first, second, last)


def test_constants_are_not_bounded_by_the_kinds_of_other_letters() -> None:
    """r ≥ 1, e = r² and e ≤ E − 1 would say E ≥ 2 to whoever has an r."""
    first = line("X.1", (E >= 2,), E**2 >= 4, stated=(E >= 2,))
    last = line("RC2.10x", (r >= 1, sp.Eq(e, r**2), E**2 >= 4), 2 * E**2 >= 7, given("X.1"))
    assert "X.1 asks for E >= 2" in refused(first, last)


# ------------------------------------------------------------------ circles and quotients


def test_two_ranges_do_not_give_each_other() -> None:
    """a ≥ 0 from b ≥ 0 by a = b, and back."""
    same = sp.Eq(a, b)
    first = line("A.1", (a >= 0, same), b >= 0, stated=(same,))
    second = line("B.1", (b >= 0, same), a >= 0, stated=(same,))
    claim = (a >= 0, b >= 0, same)
    last = line("Y.1", claim, 2 * a >= -1, given("A.1"), given("B.1"), stated=(same,))
    assert "asks for" in refused(first, second, last)


def test_a_kind_is_not_shown_from_what_it_gives() -> None:
    first = line("X.1", (crowd >= 0, sp.Eq(crowd, one)), 2 * one >= 0, stated=(sp.Eq(crowd, one),))
    last = line("RS.y", (sp.Eq(crowd, one), 2 * one >= 0), 4 * one >= -1, given("X.1"))
    assert refused(first, last)


def test_a_root_is_not_shown_to_exist_from_what_it_gives() -> None:
    name = sp.Eq(root**2, one)
    first = line("X.1", (root >= 0, name), 2 * one >= 0, stated=(name,))
    last = line("Y.1", (root >= 0, name, 2 * one >= 0), 4 * one >= -1, given("X.1"))
    assert refused(first, last)


@pytest.mark.parametrize("quotient", [sp.Eq(v, 1 / (one - 1)), v >= 1 / (one - 1)])
def test_a_quotient_is_one(quotient: sp.Basic) -> None:
    """v = 1/(one − 1) says one ≠ 1 to z3; that has to be shown."""
    found = line("X.1", (quotient,), 2 * (one - 1) ** 2 > 0, stated=(quotient,))
    assert "one - 1 is not shown to be nonzero" in refused(found)
    claim = (one > 1, quotient)
    assert refused(line("X.1", claim, 2 * (one - 1) ** 2 > 0, stated=(quotient,))) == ""


# ------------------------------------------------------------------ assumptions and whole numbers


@pytest.mark.parametrize(
    ("name", "letter", "value"),
    [("T1.1", "rem", one), ("RD.D1", "m1", one - two), ("RS.a0", "in1", one), ("RC2.5", "t", one)],
)
def test_what_an_assumption_speaks_of_gets_no_other_name(name: str, letter: str, value: sp.Expr) -> None:
    """A remainder called `one` would be any number, bounded by any distance."""
    known = entry(name)
    assert isinstance(known.claim, Claim)
    called = sp.Eq(real(letter)[0], value)
    kept = tuple(h for h in known.claim.hypotheses if not (isinstance(h, sp.Eq) and h.lhs == called.lhs))
    assert refused(replace(known, claim=replace(known.claim, hypotheses=(called, *kept))))


def test_a_counter_is_a_whole_number() -> None:
    """n⁴ + 2n² ≥ 3n³ holds for n = 1, 2, 3, …, not for 3/2."""
    curve = sp.Ge(num**4 + 2 * num**2, 3 * num**3, evaluate=False)
    after = curve.subs(num, num + 1)
    first = line("M.x", (num >= 1, curve), after, given("M.x", "num + 1: num", base="num + 1: 1"))
    for letter, whole in ((three, False), (count, True)):
        read = curve.subs(num, letter)
        last = line("Y.1", (letter >= 1, read), read.lhs + 1 >= read.rhs, given("M.x", f"num + 1: {letter}"))
        assert bool(refused(first, last)) is not whole


@pytest.mark.parametrize(
    ("hypotheses", "statement", "reads", "base", "fault"),
    [
        ((num >= 0, num**3 >= -3), (num + 2) ** 3 >= -3, "num + 2: num", "num + 2: 0", "not by one"),
        (
            (num >= 0, one * num**3 <= one),
            one * (num + 1) ** 3 <= one * num**3,
            "num + 1: num, num: a",
            "num + 1: 1, num: 1",
            "does not start at|not kept",
        ),
        (
            (num >= 0, sp.Eq(one, num + 5), a <= num**2),
            one <= (num + 1) ** 2,
            "one: a, num + 1: num",
            "one: 0, num + 1: 0",
            "does not hold at the start",
        ),
        (
            (v >= 0, num >= 0, sp.Eq(v, num - 5), x1 <= 1, total <= num * (num - 8)),
            total + x1 <= (num + 1) * (num - 7),
            "total + x1: total, num + 1: num",
            "total + x1: 0, num + 1: 0",
            "of the steps before",
        ),
    ],
)
def test_an_induction_begins_once_and_goes_on_by_one(
    hypotheses: tuple[sp.Basic, ...], statement: sp.Basic, reads: str, base: str, fault: str
) -> None:
    with pytest.raises(EvidenceFailed, match=fault):
        demand_induction(given("X", reads, base=base), Claim(hypotheses, statement))


def test_only_a_counter_may_be_any_number_of_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A state such as one² + 1 is no counter: read as a number of steps it has to be said."""
    begins = given("X.m", "total + x1: total, one**2 + 1: one**2", base="total + x1: 0, one**2 + 1: 0")
    first = line("X.m", (x1 <= 1, total <= one**2), total + x1 <= one**2 + 1, begins)
    claim = (count >= 0, x1 <= 1, two <= count)
    last = line("Y.1", claim, 2 * two <= 2 * count + 1, given("X.m", "total + x1: two, one**2 + 1: count"))
    say(monkeypatch, "Y.1", "X.m", "total + x1: two")
    assert "X.m asks for Eq(count, one**2 + 1)" in refused(first, last)


def test_an_induction_from_a_letter_is_used_from_that_letter_on() -> None:
    """num ≥ E from E on; read as three it is not three ≥ E for any three."""
    first = line("X.m", (num >= E,), num + 1 >= E, given("X.m", "num + 1: num", base="num + 1: E"))
    last = line("Y.1", (count >= E,), 2 * count >= 2 * E, given("X.m", "num + 1: count"))
    assert refused(first, last)
