"""An induction goes on, and starts where its step starts."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp
from theory.inductions import demand_induction
from theory.sources import begun
from theory.steps import expression, given, pairs

from property_tests.planted_lines import entry, status
from theory.errors import EvidenceFailed
from theory.ledger import Claim, Derivation, Entry, Step
from theory.ledger import collection as ledger
from theory.symbols import real

one, two, s, n, a, v, num, total, x1 = real("one two s n a v num total x1")
STEPS = [(line, step) for line in ledger.entries() for step in line.steps if step.line == line.id]


def started(name: str, base: str) -> Entry:
    """The line with another start."""
    line = entry(name)
    steps = tuple(replace(step, base=pairs(base)) if step.line == name else step for step in line.steps)
    return replace(line, steps=steps)


@pytest.mark.parametrize(("line", "step"), STEPS, ids=lambda value: getattr(value, "id", ""))
def test_the_inductions_of_the_ledger(line: Entry, step: Step) -> None:
    """As they stand, and with a start that leaves one moved expression open or sets one letter more."""
    assert isinstance(line.claim, Claim)
    started_by = begun(line, line.claim, entry)
    demand_induction(step, line.claim, started_by)
    unmoved = sorted(line.claim.statement.free_symbols - {old for old, _ in step.reads}, key=str)[0]
    for base in (step.base[1:], (*step.base, (unmoved, sp.Integer(0)))):
        with pytest.raises(EvidenceFailed, match="start"):
            demand_induction(replace(step, base=base), line.claim, started_by)


@pytest.mark.parametrize(
    ("name", "base", "fault"),
    [
        ("RS.d1b", "theta: 0, spoiled: 0, hits: 0", "sets hits, spoiled, theta"),
        ("RS.d1b", "theta: 0, spoiled + hits: 0, s + 1: 0", "sets theta"),
        ("RS.d1b", "spoiled + hits: -5, s + 1: 0", "do not start together"),
        ("RS.d1c", "sums + hits*size1: 0, tail + size1: size1, theta: 1", "start"),
        ("RS.d1t", "tail_row + signed: -1, mass + size1: 0", "do not start together"),
        ("RS.c5n", "n_up + above: 0, n_over + over: 1", "do not start together"),
        ("RS.c5n", "n_up + above: -1, n_over + over: 0", "do not start together"),
        ("RC2.4", "bernoulli*(1 - t): 2, n + 1: 0", "product .* starts at 2"),
        ("L2.13", "S*(1 + 1/(E - 1)) + 1: 0, power*(1 + 1/(E - 1)): 2", "start"),
        ("L2.12", "D1: 0, C: 0", "sets C"),
        ("M.3a", "(S + a)**2: 0, Q + a**2: 0, num + 1: 1", "do not start together"),
    ],
)
def test_a_start_that_does_not_belong_to_the_step(name: str, base: str, fault: str) -> None:
    assert status(entry(name)).status is Derivation.RIGHT
    with pytest.raises(EvidenceFailed, match=fault):
        status(started(name, base))


@pytest.mark.parametrize(
    ("claim", "reads", "base", "fault"),
    [
        (Claim((s + 1 <= 5,), s <= 5), "s: s + 1", "s: 0", "not what was there before"),
        (Claim((2 * s <= 5,), s <= 5), "s: 2*s", "s: 0", "not what was there before"),
        (Claim((s <= 5,), s - 1 <= 5), "s - 1: s", "s - 1: 0", "goes back"),
        (Claim((2 * two <= one,), 2 * one <= two), "one: two, two: one", "one: 0, two: 0", "before itself"),
    ],
)
def test_no_induction_runs_away_from_its_start(claim: Claim, reads: str, base: str, fault: str) -> None:
    """s ≤ 5 from s + 1 ≤ 5, with 0 ≤ 5 for a start, would be true of every s."""
    with pytest.raises(EvidenceFailed, match=fault):
        demand_induction(given("X", reads, base=base), claim)


def test_the_conclusion_does_not_come_back_as_another_part() -> None:
    both = Claim((), sp.And(one <= s, two <= n))
    swapped = given("X", "one: two, two: one, s: n, n: s", base="one: 0, two: 0, s: 0, n: 0")
    with pytest.raises(EvidenceFailed, match="its own conclusion"):
        demand_induction(swapped, both)


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


LATE = Claim((num >= 0, num**2 >= 25, x1 <= 1, total <= num * (num - 8)), total + x1 <= (num + 1) * (num - 7))
ONE_MORE = given("X", "total + x1: total, num + 1: num", base="total + x1: 0, num + 1: 0")


@pytest.mark.parametrize(
    ("condition", "fault"),
    [
        (num**2 >= 25, "of the steps before"),
        (num * one <= 5, ""),
        (total <= 5, "of the steps before"),
        (num <= 5, ""),
        (one <= 5, ""),
    ],
)
def test_a_stated_condition_holds_at_all_steps_before(condition: sp.Basic, fault: str) -> None:
    """From five terms on total ≤ num·(num − 8) is kept; that says nothing of how it came there."""
    claim = Claim((*LATE.hypotheses, condition), LATE.statement)
    if not fault:
        demand_induction(ONE_MORE, claim, conditions=(condition,))
        return
    with pytest.raises(EvidenceFailed, match=fault):
        demand_induction(ONE_MORE, claim, conditions=(condition,))


def test_the_series_of_lemma_2_states_a_condition_on_its_number_of_steps() -> None:
    """ez ≤ 0.35356 holds for fewer steps; from below (ez ≥ …) it would not."""
    line = entry("L2.18d")
    (condition,) = line.stated
    assert status(line).status is Derivation.RIGHT
    turned = sp.Ge(*condition.args)
    assert isinstance(line.claim, Claim)
    kept = tuple(turned if h == condition else h for h in line.claim.hypotheses)
    with pytest.raises(EvidenceFailed, match="of the steps before"):
        status(replace(line, claim=replace(line.claim, hypotheses=kept), stated=(turned,)))
