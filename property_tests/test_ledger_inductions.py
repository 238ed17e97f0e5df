"""An induction goes on, and starts where its step starts."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp

from property_tests.planted_lines import entry, status
from theory import ledger
from theory.claim import Claim, Derivation, Entry, Step
from theory.errors import EvidenceFailed
from theory.inductions import demand_induction
from theory.sources import begun
from theory.steps import given, pairs
from theory.symbols import real

one, two, s, n = real("one two s n")
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
