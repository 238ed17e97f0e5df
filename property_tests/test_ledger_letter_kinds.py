"""Signs and ranges go with a line: who reads it shows them, in whatever letters, and none gets lost."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp
from theory.letter_kinds import KINDS, RANGES, is_of_its_kind, kinds
from theory.showing import DECLARED
from theory.sources import scalar
from theory.steps import given

from property_tests.planted_lines import entry, plain, say, status
from theory import letter_kinds, uses
from theory.errors import EvidenceFailed
from theory.ledger import Claim, Derivation, Entry
from theory.ledger import collection as ledger
from theory.ledger.statements import parts
from theory.provers import smt
from theory.symbols import E, real

one, two, three, inner = real("one two three inner")
hits, theta, size1 = real("hits theta size1")


def earlier(claim: Claim, identifier: str = "X.1", **changes: object) -> Entry:
    return replace(entry("L2.10"), id=identifier, claim=claim, steps=(), depends=(), **changes)  # type: ignore[arg-type]


# ------------------------------------------------------------------ the ledger as it stands


def test_the_hypotheses_of_every_line_agree_with_the_kinds_of_its_letters() -> None:
    """A letter that is a constant of the theory elsewhere, or of another kind, would contradict itself."""
    for line in ledger.entries():
        claim = scalar(line)
        if claim is None:
            continue
        declared = [h for h in DECLARED if h.free_symbols <= set(claim.symbols)]
        known = (*declared, *kinds(line.id, claim.symbols))
        plain_facts = [h for h in claim.hypotheses if not smt.denominators(h)]
        assert smt.consistent((*known, *plain_facts)), line.id


@pytest.mark.parametrize("part", KINDS)
def test_every_letter_of_a_kind_belongs_to_a_line_of_its_part_and_has_one_kind(part: str) -> None:
    names = [name for group in KINDS[part].values() for name in group.split()]
    assert len(names) == len(set(names))
    lines = [line for line in ledger.entries() if line.id.startswith(part)]
    used = set().union(*(set(claim.symbols) for line in lines if (claim := scalar(line)) is not None))
    read = {s for line in lines for step in line.steps for _, new in step.reads for s in new.free_symbols}
    assert {sp.Symbol(name, real=True) for name in names} <= used | read
    assert set(KINDS[part]) <= set(RANGES)


@pytest.mark.parametrize(
    ("part", "kind", "name", "line"),
    [
        ("L2", "sizes", "Rr", "L2.5"),
        ("L2", "sizes", "D_before", "L2.16"),
        ("RD.D", "kept", "keep", "RD.D4b"),
        ("RA.", "shares", "lambda", "RA.T4"),
        ("RA.T2", "positive", "s", "RA.T5"),
        ("RC2.", "counts", "c_b", "RC2.1"),
    ],
)
def test_without_a_kind_a_line_of_the_ledger_is_refused(
    part: str, kind: str, name: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert status(entry(line)).status is Derivation.RIGHT
    left = " ".join(other for other in KINDS[part][kind].split() if other != name)
    monkeypatch.setitem(letter_kinds.KINDS, part, KINDS[part] | {kind: left})
    with pytest.raises(EvidenceFailed, match="asks for"):
        status(entry(line))


# ------------------------------------------------------------------ what a kind says


def test_a_range_is_of_a_kind_if_it_says_no_more() -> None:
    c_b, E_bar, w = real("c_b E_bar w")
    for said in (c_b >= 1, c_b > 0, c_b >= 0, E_bar > 0, E_bar >= 0, w >= 0, w <= 1, w < 2):
        assert is_of_its_kind("RC2.1", said), said
    for more in (c_b > 1, c_b >= 2, c_b <= 5, E_bar > 1, E_bar >= 1, w > 0, w < 1, w <= sp.Rational(1, 2)):
        assert not is_of_its_kind("RC2.1", more), more
    assert not is_of_its_kind("X.1", c_b >= 0)
    assert not is_of_its_kind("RC2.1", c_b >= E_bar)


def test_a_narrower_part_says_more_of_its_letters() -> None:
    s = real("s")[0]
    assert kinds("RA.T1", (s,)) == (s >= 0,)
    assert kinds("RA.T2s", (s,)) == (s > 0,)


# ------------------------------------------------------------------ planted: signs of letters


def test_a_letter_read_as_another_letter_keeps_its_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cauchy-Schwarz with a called one: |one| is not shown, so ⟨u, v⟩ ≤ one·two does not follow."""
    claim = Claim((two >= 0, inner <= one * two), inner <= one * two + 1)
    planted = plain(claim, given("V.2", "a: one, b: two"), depends=("V.2",))
    say(monkeypatch, planted.id, "V.2", "a: one, b: two", "inner")
    with pytest.raises(EvidenceFailed, match="V.2 asks for one >= 0"):
        status(planted)
    assert status(replace(planted, claim=claim.under(one >= 0))).status is Derivation.RIGHT


def test_two_readings_do_not_hide_a_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    """one = −1 − t² through a line about one alone would give u ≤ 0 for every u."""
    say(monkeypatch, "X.1", "V.2", "a: one, b: two", "inner")
    say(monkeypatch, "L2.10", "X.1", "one: -1 - three**2", "inner two")
    first = replace(
        plain(Claim((inner <= one * two,), 2 * inner <= 2 * one * two), given("V.2", "a: one, b: two")),
        id="X.1",
        depends=("V.2",),
    )
    with pytest.raises(EvidenceFailed, match="V.2 asks for"):
        status(first)
    signs = (one >= 0, two >= 0)
    first = replace(first, claim=Claim((*signs, *first.claim.hypotheses), first.claim.statement))  # type: ignore[union-attr]
    assert status(first).status is Derivation.RIGHT
    relation = inner <= -(1 + three**2) * two
    last = plain(
        Claim((two >= 0, relation), inner <= 0), given("X.1", "one: -1 - three**2"), depends=("X.1",)
    )
    with pytest.raises(EvidenceFailed, match=r"X.1 asks for -three\*\*2 - 1 >= 0|X.1 asks for False"):
        status(last, source=first)


def test_a_letter_of_a_kind_is_read_as_its_kind_also_where_the_line_does_not_say_it() -> None:
    """RC1.2 says nothing of ρ ≥ 0, but ρ is a size in its part."""
    claim = entry("RC1.2").claim
    assert isinstance(claim, Claim)
    rho = real("rho")[0]
    assert (rho >= 0) not in claim.hypotheses
    relation = claim.statement.subs(rho, one)
    planted = plain(
        Claim((*claim.hypotheses, relation), relation.lhs <= relation.rhs + 1),
        given("RC1.2", "rho: one"),
        depends=("RC1.2",),
    )
    with pytest.raises(EvidenceFailed, match="RC1.2 asks for one >= 0"):
        status(planted)


# ------------------------------------------------------------------ planted: letters that vanish


def test_a_range_does_not_vanish_with_its_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    """hits ≥ 5 and the maximum θ ≥ hits give 2θ ≥ θ + 5; a line about θ alone cannot use that."""
    first = replace(
        plain(Claim((hits >= 5, hits <= theta), 2 * theta >= theta + 5)),
        id="RS.d1b",
        steps=(given("MAX", "part1: hits, most: theta"),),
    )
    assert status(first).status is Derivation.RIGHT
    say(monkeypatch, "L2.10", "RS.d1b", letters="hits theta")
    last = plain(Claim((2 * theta >= theta + 5,), theta**2 >= 25), given("RS.d1b"), depends=("RS.d1b",))
    with pytest.raises(EvidenceFailed, match="RS.d1b asks for hits >= 5"):
        status(last, source=first)
    kept = replace(last, claim=last.claim.under(hits >= 5))  # type: ignore[union-attr]
    assert status(kept, source=first).status is Derivation.RIGHT


@pytest.mark.parametrize(("bound", "refused"), [(0, False), (5, True)])
def test_only_the_kind_of_a_letter_goes_without_saying(
    bound: int, refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """size1 is a size in the part RS: that it is not negative is known, that it is 5 or more is not."""
    say(monkeypatch, "L2.10", "RS.x", "size1*one**2: two, one**2: three")
    first = earlier(Claim((size1 >= bound,), size1 * one**2 >= (bound - 1) * one**2), "RS.x")
    claim = Claim((three >= 0, two >= (bound - 1) * three), 2 * two >= 2 * (bound - 1) * three)
    last = plain(claim, given("RS.x", "size1*one**2: two, one**2: three"), depends=("RS.x",))
    if refused:
        with pytest.raises(EvidenceFailed, match="RS.x asks for size1 >= 5"):
            status(last, source=first)
    else:
        assert status(last, source=first).status is Derivation.RIGHT


# ------------------------------------------------------------------ planted: sums over coordinates


def test_a_condition_on_each_coordinate_is_not_shown_by_a_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    """one·two ≥ two where one ≥ 1 and two ≥ 0 in each coordinate; sums of them do not tell."""
    say(monkeypatch, "L2.10", "X.1", "one*two: sum_all, two: sum_two")
    first = earlier(Claim((one >= 1, two >= 0), one * two >= two))
    total, part = real("sum_all sum_two")
    claim = Claim((total >= part,), 2 * total >= 2 * part)
    last = plain(claim, given("X.1", "one*two: sum_all, two: sum_two", True), depends=("X.1",))
    with pytest.raises(EvidenceFailed, match="of each coordinate; sums do not show it"):
        status(last, source=first)


def test_weights_are_the_same_for_each_coordinate_and_show_their_own_conditions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    say(monkeypatch, "L2.10", "X.1", "two**2: sum_two")
    first = earlier(Claim((one >= 1,), one * two**2 >= two**2))
    total = real("sum_two")[0]
    claim = Claim((total >= 0, three * total >= total), 2 * three * total >= 2 * total)
    last = plain(claim, given("X.1", "two**2: sum_two, one: three", True), depends=("X.1",))
    with pytest.raises(EvidenceFailed, match="X.1 asks for three >= 1"):
        status(last, source=first)
    told = replace(last, claim=claim.under(three >= 1))
    assert status(told, source=first).status is Derivation.RIGHT


def test_a_product_of_two_sums_is_no_sum() -> None:
    first = earlier(Claim((), 2 * one * two <= one**2 + two**2))
    claim = Claim(
        (2 * inner * three <= inner**2 + three**2,), 4 * inner * three <= 2 * inner**2 + 2 * three**2
    )
    last = plain(claim, given("X.1", "one: inner, two: three", True), depends=("X.1",))
    with pytest.raises(EvidenceFailed, match="not linear in what is summed"):
        status(last, source=first)


# ------------------------------------------------------------------ planted: names of expressions


def test_the_name_of_a_square_is_not_negative() -> None:
    square = three**2 - 2 * three + 1
    first = earlier(Claim((), one**2 * square >= 0))
    claim = Claim((two * square >= 0,), 2 * two * square >= -1)
    last = plain(claim, given("X.1", "one**2: two"), depends=("X.1",))
    with pytest.raises(EvidenceFailed, match="X.1 asks for two >= 0"):
        status(last, source=first)
    assert status(replace(last, claim=claim.under(two >= 0)), source=first).status is Derivation.RIGHT


def test_an_induction_holds_from_its_start_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """M.3a is about one vector or more: N ≤ 0·Parts for no vector is not what it says."""
    say(monkeypatch, "L2.10", "M.3a", "(S + a)**2: one, Q + a**2: two")
    count = real("count")[0]
    claim = Claim((one <= count * two,), 2 * one <= 2 * count * two)
    step = given("M.3a", "(S + a)**2: one, Q + a**2: two, num + 1: count")
    last = plain(claim, step, depends=("M.3a",))
    with pytest.raises(EvidenceFailed, match="M.3a asks for count >= 1"):
        status(last)
    assert status(replace(last, claim=claim.under(count >= 1))).status is Derivation.RIGHT


def test_the_number_of_steps_is_asked_for() -> None:
    """N ≤ E·Parts holds for one step or more."""
    line = entry("M.3")
    assert status(line).status is Derivation.RIGHT
    for wanted in uses.asked(line.steps[0], entry("M.3a"), entry("M.3a").claim):  # type: ignore[arg-type]
        assert wanted == (E >= 1)


@pytest.mark.parametrize("letter", ["size1", "fresh1"])
def test_a_named_difference_keeps_its_sign_when_the_name_goes(letter: str) -> None:
    """v = one − two and v ≥ 0 say one ≥ two, whether v ≥ 0 is a range or the kind of v."""
    v = real(letter)[0]
    first = earlier(Claim((v >= 0, sp.Eq(v, one - two)), 3 * one >= 3 * two), "RS.x")
    claim = Claim((3 * one >= 3 * two,), one + 1 >= two)
    last = plain(claim, given("RS.x"), depends=("RS.x",))
    with pytest.raises(EvidenceFailed, match="RS.x asks for one - two >= 0"):
        status(last, source=first)


def test_a_root_exists_only_of_what_is_not_negative() -> None:
    """v² = one: reading one as −1 − three² would have to show that this is a square."""
    v = real("size1")[0]
    first = earlier(Claim((v >= 0, one >= 0, sp.Eq(v**2, one)), 3 * one + two**2 / 2 >= one), "RS.x")
    below = -1 - three**2
    claim = Claim((3 * below + two**2 / 2 >= below,), two**2 >= 4)
    last = plain(claim, given("RS.x", "one: -1 - three**2"), depends=("RS.x",))
    with pytest.raises(EvidenceFailed, match="RS.x says .*, which is false as it is read"):
        status(last, source=first)


# ------------------------------------------------------------------ planted: what proves everything


def test_a_hypothesis_that_is_false_by_its_form_is_refused() -> None:
    with pytest.raises(EvidenceFailed, match="false by its form"):
        status(plain(Claim((sp.false,), one <= two)))


def test_cauchy_schwarz_needs_all_three_weights() -> None:
    """For two zero vectors the first two say nothing; for one of them (1, 1) is not enough."""
    claim = entry("V.2").claim
    assert isinstance(claim, Claim)
    assert smt.prove(claim.hypotheses, claim.statement).answer is smt.Answer.PROVED
    for left_out in claim.hypotheses[2:]:
        fewer = tuple(h for h in claim.hypotheses if h != left_out)
        assert smt.prove(fewer, claim.statement).answer is smt.Answer.REFUTED, left_out
    assert len(parts(claim.statement)) == 1
