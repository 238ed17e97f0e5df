"""A letter is the name of one expression, from the line that gives the name to the last one that has it."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp
from theory.letter_names import NAMES, names
from theory.showing import DECLARED
from theory.sources import scalar
from theory.steps import expression, given

from property_tests.planted_lines import entry, plain, say, status
from theory import letter_names
from theory.errors import EvidenceFailed
from theory.ledger import Claim, Derivation, Entry
from theory.ledger import collection as ledger
from theory.provers import smt
from theory.symbols import real

one, two, three, inner, a, b, v = real("one two three inner a b v")


def changed(line: Entry, old: sp.Basic, new: sp.Basic) -> Entry:
    """The line with another hypothesis in place of one."""
    assert isinstance(line.claim, Claim)
    assert old in line.claim.hypotheses
    kept = tuple(new if h == old else h for h in line.claim.hypotheses)
    return replace(line, claim=replace(line.claim, hypotheses=kept))


def named(identifier: str, name: sp.Basic, statement: sp.Basic) -> Entry:
    return replace(plain(Claim((name,), statement)), id=identifier)


# ------------------------------------------------------------------ the ledger as it stands


@pytest.mark.parametrize("part", NAMES)
def test_every_declared_name_is_of_a_letter_of_its_part(part: str) -> None:
    lines = [line for line in ledger.entries() if line.id.startswith(part)]
    used = set().union(*(set(claim.symbols) for line in lines if (claim := scalar(line)) is not None))
    read = {s for line in lines for step in line.steps for _, new in step.reads for s in new.free_symbols}
    read |= {s for line in lines if line.correction for s in line.correction.printed.free_symbols}
    told = [step for line in lines if line.correction for step in line.correction.steps]
    read |= {s for step in told for _, new in step.reads for s in new.free_symbols}
    for text in NAMES[part]:
        left, right = map(expression, text.split(" = "))
        assert left.free_symbols <= used | read, text
        assert not left.free_symbols & right.free_symbols, text


def test_the_names_of_a_line_agree_with_its_hypotheses() -> None:
    for line in ledger.entries():
        claim = scalar(line)
        if claim is None:
            continue
        letters = set(claim.symbols)
        own = [name for name in names(line.id).values() if name.free_symbols <= letters]
        own = [name for name in own if not any(power.exp.free_symbols for power in name.atoms(sp.Pow))]
        plain_facts = [h for h in (*own, *claim.hypotheses) if not smt.denominators(h)]
        declared = [h for h in DECLARED if h.free_symbols <= letters]
        if own:
            assert smt.consistent((*declared, *plain_facts)), line.id


# ------------------------------------------------------------------ planted: another name


def test_a_letter_that_a_line_speaks_of_gets_no_new_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """⟨u, v⟩ ≤ ab, and ⟨u, v⟩ called ab + (three − 1)², would give three = 1."""
    say(monkeypatch, "L2.10", "V.2", letters="a b inner")
    name = sp.Eq(inner, a * b + (three - 1) ** 2)
    claim = Claim((a >= 0, b >= 0, name, inner <= a * b), (three - 1) ** 2 <= 1)
    found = status(plain(claim, given("V.2"), depends=("V.2",)))
    assert found.status is Derivation.WORDS and "not traced" in found.why


def test_the_bias_of_corollary_1_is_not_divided_by_1000() -> None:
    """F(A)² is P_b(G² + B²A) + b² at E = 1: RC1.3 calls it nothing smaller."""
    line = entry("RC1.3")
    assert status(line).status is Derivation.RIGHT
    name = next(h for h in line.claim.hypotheses if isinstance(h, sp.Eq))  # type: ignore[union-attr]
    smaller = changed(line, name, sp.Eq(name.lhs, name.rhs / 1000))
    with pytest.raises(EvidenceFailed, match="in this part, not"):
        status(smaller)


@pytest.mark.parametrize("letter", ["q_1", "q_2", "q_3"])
def test_the_constants_of_corollary_2_are_not_divided_by_1000(
    letter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even where the part declares it: q = r², and r has a name as well."""
    line = entry("RC2.16f")
    declared = names("RC2.")[sp.Symbol(letter, real=True)]
    stated = next(h for h in line.claim.hypotheses if h == declared)  # type: ignore[union-attr]
    smaller = sp.Eq(stated.lhs, stated.rhs / 1000)
    with pytest.raises(EvidenceFailed, match="in this part, not"):
        status(changed(line, stated, smaller))
    texts = tuple(
        f"{letter} = ({text.split(' = ')[1]})/1000" if text.startswith(f"{letter} =") else text
        for text in NAMES["RC2."]
    )
    monkeypatch.setitem(letter_names.NAMES, "RC2.", texts)
    with pytest.raises(EvidenceFailed, match=f"RC2.10 asks for Eq.{letter}"):
        status(changed(line, stated, smaller))


def test_a_name_is_said_again_as_long_as_its_letter_stays() -> None:
    """v = one² + 1 gives v ≥ 1 and v = −one² gives v ≤ 0; a line with both would prove everything."""
    first = named("X.1", sp.Eq(v, one**2 + 1), 2 * v >= 2)
    second = named("X.2", sp.Eq(v, -(one**2)), 3 * v <= 0)
    claim = Claim((2 * v >= 2, 3 * v <= 0), one >= 7)
    last = plain(claim, given("X.1"), given("X.2"), depends=("X.1", "X.2"))
    with pytest.raises(EvidenceFailed, match=r"X\.[12] asks for Eq\(v"):
        status(last, first=first, second=second)
    again = plain(Claim((sp.Eq(v, one**2 + 1), 2 * v >= 2), v >= 0), given("X.1"), depends=("X.1",))
    assert status(again, first=first).status is Derivation.RIGHT


def test_a_name_is_no_way_to_a_sign() -> None:
    """size1 is a size in the part RS: calling one − two by it would make that none below 0."""
    size1 = real("size1")[0]
    claim = Claim((sp.Eq(size1, one - two),), one - two + size1 <= 2 * one - 2 * two + 1)
    with pytest.raises(EvidenceFailed, match="size1 is called one - two, and one - two >= 0 is not shown"):
        status(replace(plain(claim), id="RS.x"))


# ------------------------------------------------------------------ planted: names that leave something open


@pytest.mark.parametrize(
    ("old", "sign"),
    [("one**4", True), ("(one - 1)**2", False), ("one**2 + gamma", True), ("one**3 - one", False)],
)
def test_a_name_for_an_expression_of_one_letter_says_what_the_letter_is(old: str, sign: bool) -> None:
    """one⁴ called two is not below 0, and nobody says so; other powers are no names at all."""
    power = expression(old)
    room = three**2 - 2 * three + 1
    first = replace(plain(Claim((), sp.Ge(power * room + inner**2, inner, evaluate=False))), id="X.1")
    claim = Claim((sp.Ge(two * room + inner**2, inner, evaluate=False),), sp.Ge(two, -(10**6)))
    with pytest.raises(EvidenceFailed, match="X.1 asks for|leaves open what one is"):
        status(plain(claim, given("X.1", f"{old}: two"), depends=("X.1",)), source=first)


def test_a_sum_of_sizes_is_none_below_0(monkeypatch: pytest.MonkeyPatch) -> None:
    """2·size ≥ size holds of a size; of a sum two it is two ≥ 0 in disguise."""
    say(monkeypatch, "L2.10", "RS.x", "size1: two")
    size1 = real("size1")[0]
    doubled = sp.Ge(2 * size1, size1, evaluate=False)
    first = replace(plain(Claim((size1 >= 0,), doubled)), id="RS.x")
    claim = Claim((doubled.subs(size1, two),), 4 * two >= 2 * two - 1)
    planted = plain(claim, given("RS.x", "size1: two", True), depends=("RS.x",))
    with pytest.raises(EvidenceFailed, match="RS.x asks for two >= 0"):
        status(planted, source=first)


def test_a_letter_that_keeps_its_name_keeps_its_kind_in_another_part() -> None:
    """size1 is a size in RS, and any number in the line that uses RS.x."""
    size1 = real("size1")[0]
    first = replace(plain(Claim((), size1**2 + three**2 / 2 >= three * size1 - size1**2)), id="RS.x")
    relation = first.claim.statement  # type: ignore[union-attr]
    claim = Claim((relation,), relation.lhs + 1 >= relation.rhs)
    planted = plain(claim, given("RS.x"), depends=("RS.x",))
    with pytest.raises(EvidenceFailed, match="RS.x asks for size1 >= 0"):
        status(planted, source=first)
    assert status(replace(planted, claim=claim.under(size1 >= 0)), source=first).status is Derivation.RIGHT
