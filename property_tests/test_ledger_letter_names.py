"""A letter is the name of one expression, from the line that gives the name to the last one that has it."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp

from property_tests.planted_lines import entry, plain, status
from theory import ledger, letter_names, smt
from theory.claim import Claim, Derivation, Entry
from theory.errors import EvidenceFailed
from theory.inductions import demand_induction
from theory.letter_names import NAMES, names
from theory.read_expressions import EXPRESSIONS, demand_said
from theory.sources import scalar
from theory.steps import expression, given, pairs
from theory.symbols import real
from theory.ultimate import conditions_text, rests_on
from theory.uses import DECLARED

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


def test_a_letter_that_a_line_speaks_of_gets_no_new_name() -> None:
    """⟨u, v⟩ ≤ ab, and ⟨u, v⟩ called ab + (three − 1)², would give three = 1."""
    name = sp.Eq(inner, a * b + (three - 1) ** 2)
    claim = Claim((a >= 0, b >= 0, name, inner <= a * b), (three - 1) ** 2 <= 1)
    found = status(plain(claim, given("V.2"), depends=("V.2",)))
    assert found.status is Derivation.WORDS and "not traced" in found.why


def test_the_bias_of_corollary_1_is_not_divided_by_1000() -> None:
    """RA.T4r speaks of t_H, the root of P_b H² + b²: RC1.3 calls it nothing smaller."""
    line = entry("RC1.3")
    assert status(line).status is Derivation.RIGHT
    name = next(h for h in line.claim.hypotheses if isinstance(h, sp.Eq))  # type: ignore[union-attr]
    smaller = changed(line, name, sp.Eq(name.lhs, name.rhs / 1000))
    with pytest.raises(EvidenceFailed, match="RA.T4r asks for"):
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


# ------------------------------------------------------------------ planted: readings that say too much


def test_a_letter_is_not_read_as_an_expression_of_the_others() -> None:
    """V.2 is about an inner product: read as ab + three² it says three = 0, and no line vouches for it."""
    relation = sp.Le(a * b + three**2, a * b)
    claim = Claim((a >= 0, b >= 0, relation), three**2 <= 1)
    with pytest.raises(EvidenceFailed, match="V.2 asks for"):
        status(plain(claim, given("V.2", "inner: a*b + three**2"), depends=("V.2",)))


def test_the_name_of_an_expression_is_said_where_its_letters_are_there() -> None:
    """two for one + 1, in a line that has one as well: (one + 1)² ≥ 4·one becomes two² ≥ 4·one."""
    square = sp.Ge(sp.Add(one, 1) ** 2 + three**2 / 2, 4 * one)
    first = replace(plain(Claim((), square)), id="X.1")
    claim = Claim((sp.Ge(two**2 + three**2 / 2, 4 * one),), two**2 + three**2 >= 4 * one)
    last = plain(claim, given("X.1", "one + 1: two"), depends=("X.1",))
    with pytest.raises(EvidenceFailed, match="X.1 asks for Eq"):
        status(last, source=first)


def test_what_holds_for_whole_numbers_is_read_for_whole_numbers() -> None:
    """(1 + 1/(E − 1))^E ≤ 4 for E = 2, 3, …; at 1.01 the left side is above 100."""
    line = entry("L2.15")
    step = replace(line.steps[0], reads=pairs("(1 + 1/(E - 1))**E: Q, E: three"))
    with pytest.raises(EvidenceFailed, match="L2.14i holds for whole E only"):
        status(replace(line, steps=(step,)))


def test_a_wrong_line_serves_nobody_but_what_absorbs_it() -> None:
    wrong = entry("L2.3v")
    assert wrong.correction is not None
    relation = wrong.correction.printed
    planted = plain(Claim((relation,), relation.lhs <= relation.rhs + 1), given("L2.3v"), depends=("L2.3v",))
    with pytest.raises(EvidenceFailed, match="not on the way to what absorbs it"):
        status(planted)


def test_a_weight_is_tied_to_no_coordinate() -> None:
    """two = one in each coordinate and two·one = one²; read as a weight it would give (Σ one)² = Σ one²."""
    total, squares = real("sum_one sum_squares")
    first = named("X.1", sp.Eq(two, one), sp.Eq(two * one + three - three, one**2))
    claim = Claim((sp.Eq(total * total, squares),), squares >= 0)
    reads = "one: sum_one, one**2: sum_squares, two: sum_one"
    with pytest.raises(EvidenceFailed, match="ties a weight|not linear"):
        status(plain(claim, given("X.1", reads, True), depends=("X.1",)), source=first)


@pytest.mark.parametrize("name", sorted(EXPRESSIONS))
def test_an_expression_is_read_as_one_only_where_that_is_said(name: str) -> None:
    """A thousand times as much, in words that nobody wrote, is refused."""
    line = entry(name)
    steps = (*line.steps, *(line.correction.steps if line.correction else ()))
    said = {pair for text in EXPRESSIONS[name] for pair in pairs(text)}
    found = [s for s in steps if not s.base and said & set(s.reads)]
    assert said == {pair for s in found for pair in s.reads if pair in said}
    for step in found:
        demand_said(step, name)
        more = tuple((old, 1000 * new if (old, new) in said else new) for old, new in step.reads)
        with pytest.raises(EvidenceFailed, match="not said anywhere"):
            demand_said(replace(step, reads=more), name)


def test_the_drift_after_e_steps_is_bounded_by_the_growth_of_e_steps() -> None:
    """RC2.10a with the growth of one step, or of none, for e of them."""
    line = entry("RC2.10a")
    assert status(line).status is Derivation.RIGHT
    for steps_done in ("1", "0"):
        steps = tuple(
            replace(s, reads=pairs(f"n: {steps_done}")) if s.line == "RC2.6" else s for s in line.steps
        )
        with pytest.raises(EvidenceFailed, match="RC2.6"):
            status(replace(line, steps=steps))


# ------------------------------------------------------------------ planted: inductions


@pytest.mark.parametrize(
    ("name", "start"),
    [("RD.S3", "unit"), ("RD.S3", "-5*unit"), ("RD.D4c", "gamma*(A + N)"), ("RD.D4c", "gamma*(A + N)/1000")],
)
def test_no_start_is_chosen(name: str, start: str) -> None:
    """S_1 ≤ γQ is what a line says of the first step from 0, not a value to begin with."""
    line = entry(name)
    assert status(line).status is Derivation.RIGHT
    after = real("after")[0]
    steps = tuple(
        replace(s, base=tuple((old, expression(start) if old == after else value) for old, value in s.base))
        for s in line.steps
        if not s.start
    )
    with pytest.raises(EvidenceFailed, match="no line says that after starts at"):
        status(replace(line, steps=steps))


def test_without_the_line_about_the_start_there_is_none() -> None:
    for name in ("RD.S3", "RD.D4c"):
        line = entry(name)
        with pytest.raises(EvidenceFailed, match="not shown at the start"):
            status(replace(line, steps=tuple(s for s in line.steps if not s.start)))


@pytest.mark.parametrize(
    ("claim", "reads", "base", "fault"),
    [
        (
            Claim((v >= 5, one <= v), one + a**2 <= v + a**2 + 1),
            "one + a**2: one, v + a**2 + 1: v",
            "one + a**2: 0, v + a**2 + 1: 0",
            "does not hold at the start",
        ),
        (
            Claim((one >= 0, one <= two), one - 3 <= two + 1),
            "one - 3: one, two + 1: two",
            "one - 3: 0, two + 1: 0",
            "goes back|not kept",
        ),
        (
            Claim((v >= 0, one <= v), one + 1 <= v + a),
            "one + 1: one, v + a: v",
            "one + 1: 0, v + a: 0",
            "not kept by the step",
        ),
    ],
)
def test_a_range_holds_at_the_start_and_is_kept(claim: Claim, reads: str, base: str, fault: str) -> None:
    """A step that needs num ≥ 5 never begins at 0; one that may leave v ≥ 0 does not go on."""
    with pytest.raises(EvidenceFailed, match=fault):
        demand_induction(given("X", reads, base=base), claim)


# ------------------------------------------------------------------ what a line rests on in the end


def test_the_end_of_corollary_2_rests_on_its_step_size_conditions() -> None:
    found = rests_on(entry("RC2.17"), entry)
    assert {"A1", "A2", "A3", "A5", "K1", "K2", "K3", "MU", "MIN", "NU"} <= set(found)
    assert "K2: 16*B**2*P_n*g*nu <= 1 - P" in conditions_text(found)
    assert rests_on(entry("V.4"), entry) == ("A1",)
    assert rests_on(entry("V.1"), entry) == ()


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


def test_an_expression_of_constants_is_called_by_a_name_that_says_so() -> None:
    """E − 1 ≥ 0, with E − 1 called one, is not one ≥ 0 for every one."""
    E = expression("E")
    room = three**2 - 2 * three + 1
    first = replace(plain(Claim((E >= 1,), (E - 1) * room >= -(inner**2) / 2)), id="X.1")
    claim = Claim((E >= 1, one * room >= -(inner**2) / 2), 2 * one * room >= -(inner**2))
    planted = plain(claim, given("X.1", "E - 1: one"), depends=("X.1",))
    with pytest.raises(EvidenceFailed, match="X.1 asks for Eq"):
        status(planted, source=first)
    told = replace(planted, claim=claim.under(sp.Eq(one, E - 1)))
    assert status(told, source=first).status is Derivation.RIGHT


def test_what_is_false_as_it_is_read_gives_nothing() -> None:
    first = named("X.1", sp.Eq(v, one**2 + 1), 2 * v >= 2)
    planted = plain(Claim((one <= two,), one <= two + 1), given("X.1", "v: 0"), depends=("X.1",))
    with pytest.raises(EvidenceFailed, match="X.1 (is|says).*false as it is read"):
        status(planted, source=first)


def test_a_sum_of_sizes_is_none_below_0() -> None:
    """2·size ≥ size holds of a size; of a sum two it is two ≥ 0 in disguise."""
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


def test_a_letter_read_as_another_one_takes_its_name_along() -> None:
    """v = one + 1 gives 3v ≥ 3·one; with v called two that says nothing of any two."""
    first = named("X.1", sp.Eq(v, one + 1), 3 * v >= 3 * one)
    claim = Claim((3 * two >= 3 * one,), two + 1 >= one)
    planted = plain(claim, given("X.1", "v: two"), depends=("X.1",))
    with pytest.raises(EvidenceFailed, match="X.1 asks for Eq"):
        status(planted, source=first)
    told = replace(planted, claim=claim.under(sp.Eq(two, one + 1)))
    assert status(told, source=first).status is Derivation.RIGHT
