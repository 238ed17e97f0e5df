"""A line that reads an earlier one in other letters: what is neither shown nor said is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp
from theory.sources import scalar
from theory.steps import expression, given, pairs

from property_tests.planted_lines import entry, plain, say, status
from theory.errors import EvidenceFailed
from theory.ledger import Claim, Derivation, Entry
from theory.symbols import real

one, two, three, four, inner, a, b, v = real("one two three four inner a b v")


def named(identifier: str, name: sp.Basic, statement: sp.Basic) -> Entry:
    return replace(plain(Claim((name,), statement)), id=identifier)


# ------------------------------------------------------------------ planted: what is neither shown nor said


def test_an_expression_is_not_called_by_a_constant() -> None:
    """−one² ≤ 0 for every one; called γ, it would say γ ≤ 0."""
    gamma = expression("gamma")
    first = replace(plain(Claim((three >= 0,), three * (-(one**2) - two**2) <= four**2)), id="X.1")
    claim = Claim((three >= 0, three * gamma <= four**2), 2 * three * gamma <= 2 * four**2 + 1)
    planted = plain(claim, given("X.1", "-one**2 - two**2: gamma"), depends=("X.1",))
    with pytest.raises(EvidenceFailed, match="X.1 asks for Eq|not said"):
        status(planted, source=first)


def test_a_sum_over_coordinates_is_said_to_be_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """2·u·v ≤ u² + v² in each coordinate; that a letter is the sum of the products, nobody sees."""
    first = replace(plain(Claim((), 2 * one * two <= one**2 + two**2)), id="X.1")
    claim = Claim((2 * three <= a**2 + b**2,), 4 * three <= 2 * a**2 + 2 * b**2 + 1)
    reads = "one*two: three, one**2: a**2, two**2: b**2"
    planted = plain(claim, given("X.1", reads, True), depends=("X.1",))
    with pytest.raises(EvidenceFailed, match="not said anywhere"):
        status(planted, source=first)
    say(monkeypatch, planted.id, "X.1", reads)
    assert status(planted, source=first).status is Derivation.RIGHT


def test_an_expression_is_not_called_by_what_has_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """E·Lγ is not u, which is LγĒ in the part RC2: with both, E would be Ē."""
    E, L, gamma, E_bar, g, u = map(expression, ["E", "L", "gamma", "E_bar", "g", "u"])
    first = named("RC2.x", sp.Eq(g, L * gamma), sp.Eq(2 * E * g, 2 * E * L * gamma))
    names = (sp.Eq(u, L * gamma * E_bar), sp.Eq(2 * u, 2 * E * L * gamma))
    claim = Claim((L > 0, gamma > 0, *names), sp.Eq(2 * E_bar, 2 * E))
    planted = replace(plain(claim, given("RC2.x", "E*g: u"), depends=("RC2.x",)), id="RC2.y")
    with pytest.raises(EvidenceFailed, match=r"RC2.x asks for Eq\(u, E\*g\)"):
        status(planted, source=first)
    say(monkeypatch, "RC2.y", "RC2.x", "E*g: u")
    assert status(planted, source=first).status is Derivation.RIGHT  # such words are for a reader to check


@pytest.mark.parametrize("part", ["RS.y", "Y.1"])
def test_a_name_does_not_lose_what_it_was_made_of(part: str) -> None:
    """one = two − crowd is at most two, as a crowd is none below 0; read as three and four, which are any."""
    crowd = real("crowd")[0]
    first = replace(plain(Claim((crowd >= 0, sp.Eq(one, two - crowd)), 2 * one <= 2 * two)), id="RS.x")
    claim = Claim((2 * three <= 2 * four,), 4 * three <= 4 * four + 1)
    planted = plain(claim, given("RS.x", "one: three, two: four"), depends=("RS.x",))
    with pytest.raises(EvidenceFailed, match="RS.x asks for Eq"):
        status(replace(planted, id=part), source=first)


def test_a_letter_that_keeps_its_name_is_not_the_same_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """RD.D2b gets apart ≤ L·s from V.4, of a drift s; in another line s may be any number."""
    relation = scalar(entry("RD.D2b")).statement  # type: ignore[union-attr]
    ranges = tuple(sp.Gt(letter, 0) for letter in relation.free_symbols)
    claim = Claim((*ranges, relation), relation.lhs <= relation.rhs + 1)
    planted = replace(plain(claim, given("RD.D2b"), depends=("RD.D2b",)), id="RD.D2z")
    with pytest.raises(EvidenceFailed, match="RD.D2b asks for"):
        status(planted)
    say(monkeypatch, "RD.D2z", "RD.D2b", letters="D h s apart")
    assert status(planted).status is Derivation.RIGHT


def test_what_is_read_as_a_letter_is_not_also_that_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    """X.2 is about one, of which it got one ≤ two; with three read as one, the old one is another number."""
    bound = replace(plain(Claim((one <= two,), 2 * one <= 2 * two)), id="X.1", stated=(one <= two,))
    bound = replace(bound, printed=r"a\Rightarrow b")
    got = replace(plain(Claim((2 * one <= 2 * two,), three + 2 * one <= three + 2 * two)), id="X.2")
    got = replace(got, steps=(given("X.1"),), depends=("X.1",))
    claim = Claim((one + 2 * one <= one + 2 * two,), 3 * one <= one + 2 * two + 1)
    planted = plain(claim, given("X.2", "three: one"), depends=("X.2",))
    say(monkeypatch, planted.id, "X.2", "three: one", "one two")
    with pytest.raises(EvidenceFailed, match=r"X.2 asks for 2\*one <= 2\*two"):
        status(planted, bound=bound, source=got)


def test_what_is_said_of_another_reading_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said that `apart` is one; half of one is another number."""
    known = entry("V.4")
    relation = scalar(known).statement  # type: ignore[union-attr]
    apart, L = real("apart L")
    say(monkeypatch, "L2.10", "V.4", "apart: one, dist: two")
    for value in (one, one / 2):
        read = relation.subs(apart, value).subs(real("dist")[0], two)
        claim = Claim((one >= 0, two >= 0, L > 0, read), read.lhs <= read.rhs + 1)
        planted = plain(claim, given("V.4", f"apart: {value}, dist: two"), depends=("V.4",))
        if value == one:
            assert status(planted).status is Derivation.RIGHT
            continue
        with pytest.raises(EvidenceFailed, match="V.4 asks for"):
            status(planted)


def test_the_state_of_an_induction_is_no_number_of_ones_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    """M.3a bounds the square of a sum by the sum of squares of its terms, not any one by any two."""
    count = real("count")[0]
    claim = Claim((count >= 1, one <= count * two), 2 * one <= 2 * count * two + 1)
    step = given("M.3a", "(S + a)**2: one, Q + a**2: two, num + 1: count")
    planted = plain(claim, step, depends=("M.3a",))
    with pytest.raises(EvidenceFailed, match="M.3a asks for Eq"):
        status(planted)
    say(monkeypatch, planted.id, "M.3a", "(S + a)**2: one, Q + a**2: two")
    assert status(planted).status is Derivation.RIGHT


def test_a_constant_is_not_read_as_a_smaller_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """M.13 bounds a bias by P_bB² (y) times the gradients; with y read as 0 nothing of that is left."""
    known = scalar(entry("M.13"))
    assert known is not None
    y = expression("y")
    for value, fault in ((y, ""), (sp.Integer(0), "M.13 asks for Bt <= E.b2")):
        relation = known.statement.subs(y, value)
        ranges = (expression("E") >= 1, y >= 0)
        claim = Claim((*ranges, relation), relation.lhs <= relation.rhs + 1)
        planted = plain(claim, given("M.13", f"y: {value}"), depends=("M.13",))
        say(monkeypatch, planted.id, "M.13", letters="S Sum Bt")
        if not fault:
            assert status(planted).status is Derivation.RIGHT
            continue
        with pytest.raises(EvidenceFailed, match=fault):
            status(planted)


def test_a_denominator_is_not_shown_to_be_none_by_a_name() -> None:
    """R = ρ²/(1 − u) is a name in the part RC1; that u is not 1 is another matter."""
    u, rho = real("u rho")
    apart = (one - 1) ** 2 > 0
    first = replace(plain(Claim((apart,), 2 * (one - 1) ** 2 > 0)), id="X.1", stated=(apart,))
    first = replace(first, printed=r"a\Rightarrow b")
    claim = Claim((u >= 0, rho >= 0, 2 * (u - 1) ** 2 > 0), 4 * (u - 1) ** 2 > 0)
    planted = replace(plain(claim, given("X.1", "one: u"), depends=("X.1",)), id="RC1.y")
    with pytest.raises(EvidenceFailed, match=r"X.1 asks for \(u - 1\)\*\*2 > 0"):
        status(planted, source=first)
    told = replace(planted, claim=claim.under(u < 1))
    assert status(told, source=first).status is Derivation.RIGHT


def test_a_definition_is_read_by_the_lines_that_are_named() -> None:
    """`level` is the largest square left out in RF.7a, and a threshold in RS.c2."""
    level, in1 = real("level in1")
    claim = Claim((level > 0, level <= in1**2), 2 * in1**2 > 0)
    largest = given("TOPK", "out1**2: level")
    assert status(replace(plain(claim, largest), id="RF.7a")).status is Derivation.RIGHT
    with pytest.raises(EvidenceFailed, match="TOPK is not declared to say level <= in1.* in RS.c2"):
        status(replace(plain(claim, largest), id="RS.c2"))


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


def test_a_letter_read_as_another_one_takes_its_name_along() -> None:
    """v = one + 1 gives 3v ≥ 3·one; with v called two that says nothing of any two."""
    first = named("X.1", sp.Eq(v, one + 1), 3 * v >= 3 * one)
    claim = Claim((3 * two >= 3 * one,), two + 1 >= one)
    planted = plain(claim, given("X.1", "v: two"), depends=("X.1",))
    with pytest.raises(EvidenceFailed, match="X.1 asks for Eq"):
        status(planted, source=first)
    told = replace(planted, claim=claim.under(sp.Eq(two, one + 1)))
    assert status(told, source=first).status is Derivation.RIGHT


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
