"""A defined letter is defined once for the whole ledger, and never from itself."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp
from theory.assumed_readings import ASSUMED
from theory.defined_letters import (
    CHOSEN,
    COUNTS,
    DECLARED,
    definitions_below,
    demand_well_founded,
    relations,
    through,
)
from theory.definitions import DEFINITIONS
from theory.stated import STATED
from theory.steps import given

from property_tests.planted_lines import entry, plain, say, status
from theory.errors import EvidenceFailed
from theory.ledger import Claim, Derivation
from theory.ledger import collection as ledger
from theory.ledger.statements import parts
from theory.symbols import E, W, real

one, two, hits, theta = real("one two hits theta")


# ------------------------------------------------------------------ the ledger as it stands


def test_every_declaration_is_used_and_every_use_is_declared() -> None:
    steps = [s for line in ledger.entries() for s in line.steps]
    used = {(s.line, relations(s)) for s in steps if s.line in DEFINITIONS}
    for step in (s for s in steps if s.line not in STATED and not s.summed):
        below = definitions_below(entry(step.line), entry)
        used |= {(found.line, relations(through(step, found))) for found in below}
    assert used == {(s.line, relations(s)) for s in DECLARED}
    assert set(CHOSEN) == set(DEFINITIONS)
    demand_well_founded(DECLARED)


def test_every_assumption_is_read_as_declared_and_every_declaration_is_used() -> None:
    lines = ledger.entries()
    found = {
        (line.id, s.line, s.reads)
        for line in lines
        for s in (*line.steps, *(line.correction.steps if line.correction else ()))
        if s.line in STATED and s.line not in DEFINITIONS
    }
    assert found == {(name, s.line, s.reads) for names, s in ASSUMED for name in names.split()}


# ------------------------------------------------------------------ planted in an entry


@pytest.mark.parametrize(
    ("line", "reads", "said"),
    [
        ("UNC", "cross: one", sp.Eq(one, 0)),
        ("A2", "zeta_mean: one", sp.Eq(one, 0)),
        ("AW", "w2: one", one <= W),
        ("K3", "t: one", one * (E - 1) <= sp.Rational(1, 2)),
    ],
)
def test_an_assumption_says_nothing_of_other_letters(line: str, reads: str, said: sp.Basic) -> None:
    """Otherwise every letter would be a mean of noise, and so 0."""
    forms = [form.subs(dict(given(line, reads).reads)) for form in STATED[line]]
    assert said in [part for form in forms for part in parts(form)]
    with pytest.raises(EvidenceFailed, match=f"{line} is not declared to say"):
        status(plain(Claim((said,), one**2 <= two**2 + 10**6), given(line, reads)))


def test_a_maximum_is_not_read_both_ways() -> None:
    """one ≤ two and two ≤ one, each called a maximum of the other, would give one = two."""
    both = (given("MAX", "part1: one, most: two"), given("MAX", "part1: two, most: one"))
    with pytest.raises(EvidenceFailed, match="MAX is not declared to say one <= two"):
        status(plain(Claim((one <= two, two <= one), sp.Eq(one, two)), *both))
    back = given("MAX", "part1: theta, most: hits")
    claim = Claim((hits <= theta, theta <= hits), sp.Eq(hits, theta))
    with pytest.raises(EvidenceFailed, match="not declared to say theta <= hits"):
        status(replace(plain(claim, given("MAX", "part1: hits, most: theta"), back), id="RS.d1b"))


def test_the_excluded_set_is_not_upward_closed_by_a_word() -> None:
    """RA.T6 with m(A_1) among those that m(A_0) is the least of: then nothing is left to prove."""
    m_low, m_high, K = real("m_low m_high K")
    trivial = replace(
        entry("RA.T6"),
        claim=Claim((m_low > K, m_high >= m_low), m_high > K),
        steps=(given("LEAST", "part1: m_high, least: m_low"),),
        depends=("RA.T6m",),
    )
    with pytest.raises(EvidenceFailed, match="LEAST is not declared"):
        status(trivial)


@pytest.mark.parametrize(
    ("line", "reads"),
    [
        ("IND", "ind: above, amount: row - high"),  # declared with ≥
        ("REACHES", "ind: over, amount: row - level"),  # declared with >
        ("REACHES", "ind: above, amount: high - row"),
        ("ORDER", "low: high, high: low"),
        ("TOPK", "out1: in1, in1: out1"),
        ("MIN", "f1: f_star, f_star: f1"),
        ("START", "drift: one"),
    ],
)
def test_no_definition_is_read_otherwise(line: str, reads: str) -> None:
    ind = dict(given(line, reads).reads).get(real("ind")[0])
    unit = (ind >= 0, ind <= 1) if ind is not None else ()
    with pytest.raises(EvidenceFailed, match=f"{line} is not declared"):
        status(plain(Claim((*unit, one <= two), one <= two + 1), given(line, reads)))


def test_an_equation_does_not_close_a_circle() -> None:
    """hits ≤ theta, the largest of them, with theta + 1 for a name of hits."""
    largest = given("MAX", "part1: hits, most: theta")
    claim = Claim((sp.Eq(hits, theta + 1), hits <= theta), theta + 1 <= theta + one**2)
    with pytest.raises(EvidenceFailed, match="theta is defined from itself"):
        status(replace(plain(claim, largest), id="RS.d1b"))
    named = Claim((sp.Eq(hits, one + 1), hits <= theta), one + 1 <= theta)
    assert status(replace(plain(named, largest), id="RS.d1b")).status is Derivation.WORDS  # it has a meaning


def test_a_definition_is_not_turned_round_by_reading_a_line_that_uses_it() -> None:
    """RS.d1b rests on hits ≤ theta; read with both exchanged it would say theta ≤ hits."""
    spoiled, s = real("spoiled s")
    claim = Claim((spoiled + theta <= hits * (s + 1),), spoiled + theta <= hits * (s + 1) + one**2)
    turned = given("RS.d1b", "hits: theta, theta: hits")
    with pytest.raises(EvidenceFailed, match="MAX is not declared to say theta <= hits"):
        status(plain(claim, turned, depends=("RS.d1b",)))
    two_lines_on = given("RA.T6", "m_low: m_high, m_high: m_low")
    m_low, K = real("m_low K")
    with pytest.raises(EvidenceFailed, match="LEAST is not declared"):
        status(plain(Claim((m_low > K,), m_low > K - one**2), two_lines_on, depends=("RA.T6",)))


# ------------------------------------------------------------------ planted in the declarations


@pytest.mark.parametrize(
    ("planted", "fault"),
    [
        (("MAX", "part1: theta, most: hits"), "defined from itself"),
        (("LEAST", "part1: theta, least: signed"), None),
        (("LEAST", "part1: hits, least: theta"), "theta is defined twice: MAX and LEAST"),
        (("IND", "ind: above, amount: row - high"), "above is defined twice: REACHES and IND"),
        (("REACHES", "ind: above, amount: row"), "above is defined twice"),
        (("MAX", "part1: size1, most: signed"), "defined from itself"),
        (("MAX", "part1: in1**2, most: out1**2"), "defined from itself"),  # of top-k the other way
        (("MAX", "part1: n_up, most: row"), None),
        (("ORDER", "low: l2, high: u2, n_up: above, h: h2"), "above is defined twice"),
    ],
)
def test_declarations_define_once_and_in_no_circle(planted: tuple[str, str], fault: str | None) -> None:
    if fault is None:
        demand_well_founded((*DECLARED, given(*planted)))
        return
    with pytest.raises(EvidenceFailed, match=fault):
        demand_well_founded((*DECLARED, given(*planted)))


def test_a_circle_may_be_long() -> None:
    chain = [given("MAX", f"part1: a{n}, most: a{n + 1}") for n in range(5)]
    demand_well_founded(chain)
    with pytest.raises(EvidenceFailed, match="defined from itself"):
        demand_well_founded([*chain, given("LEAST", "part1: a5, least: a0")])


# ------------------------------------------------------------------ counts


def test_a_count_counts_a_declared_indicator() -> None:
    """ORDER's n_up is the number of rows that reach ORDER's high."""
    indicators = {dict(s.reads)[real("ind")[0]] for s in DECLARED if s.line in ("IND", "REACHES")}
    assert set(COUNTS.values()) <= indicators
    n_up, row, high = real("n_up row high")
    (reaches,) = (s for s in DECLARED if dict(s.reads).get(real("ind")[0]) == COUNTS[n_up])
    assert reaches.line == "REACHES" and dict(reaches.reads)[real("amount")[0]] == row - high
    assert {n_up, high} <= set(CHOSEN["ORDER"])


@pytest.mark.parametrize(
    ("name", "reads"),
    [
        ("RS.c5", "n_up + above: n_over, n_over + over: n_up"),
        ("RS.c5", "n_up + above: other, n_over + over: n_up"),
        ("RS.c5", "n_up + above: n_up - 1, n_over + over: n_over"),
        ("RS.c5", "above: over, over: above"),
        ("RS.c5n", "n_up + above: n_over, n_over + over: n_up"),
        ("RS.c6h", "squares + row**2: n_up"),
        ("RS.d1", "n_up + above - spoiled - bad: n_up - spoiled"),
    ],
)
def test_nothing_else_is_read_as_a_count(name: str, reads: str) -> None:
    line = entry(name)
    changed = tuple(
        replace(step, reads=given("", reads).reads) if real("n_up")[0] in dict(step.reads).values() else step
        for step in line.steps
    )
    assert changed != line.steps
    with pytest.raises(EvidenceFailed, match="counts|is not read as"):
        status(replace(line, steps=changed))


def test_a_count_of_something_else_is_no_count() -> None:
    """RS.c5n with a row more counted by any indicator `free` in place of `above`."""
    line = entry("RS.c5n")
    n_up, n_over, above, over, free = real("n_up n_over above over free")
    assert isinstance(line.claim, Claim)
    claim = Claim(tuple(h.subs(above, free) for h in line.claim.hypotheses), n_up + free <= n_over + over)
    other = "n_up + free: n_up, n_over + over: n_over"
    steps = (given("RS.c5i"), given("RS.c5n", other, base="n_up + free: 0, n_over + over: 0"))
    with pytest.raises(EvidenceFailed, match="n_up counts above"):
        status(replace(line, claim=claim, steps=steps))


def test_a_definition_is_not_turned_round_by_way_of_an_expression(monkeypatch: pytest.MonkeyPatch) -> None:
    """θ − hits ≥ 0 for a maximum θ; read as two − one it would hold for any two numbers."""
    maximum = given("MAX", "part1: hits, most: theta")
    room = sp.Ge(theta - hits, -(one**2) / 2)
    first = replace(plain(Claim((hits <= theta,), room), maximum), id="RS.d1c")
    assert status(first).status is Derivation.RIGHT
    for reading, difference in (("two - one", two - one), ("two", two)):
        claim = Claim((sp.Ge(difference, -(one**2) / 2),), sp.Ge(2 * difference, -(one**2)))
        last = plain(claim, given("RS.d1c", f"theta - hits: {reading}"), depends=("RS.d1c",))
        with pytest.raises(EvidenceFailed, match="asks for Eq|is no name|not said anywhere"):
            status(last, source=first)
    say(monkeypatch, "L2.10", "RS.d1c", "theta - hits: two")  # a name
    assert status(last, source=first).status is Derivation.RIGHT
