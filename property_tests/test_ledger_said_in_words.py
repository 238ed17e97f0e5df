"""An earlier line is used of what it was proved of: that is shown again, or listed as said in words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from theory.said_in_words import SAID, said
from theory.same_letters import SAME, same
from theory.sources import scalar

from property_tests.conftest import PROFILE
from property_tests.planted_lines import entry, status
from theory import absorption
from theory.errors import EvidenceFailed
from theory.ledger import Derivation, Entry, Step

SAYS = [(user, line) for user, lines in SAID.items() for line in lines]
KEEPS = [(user, line) for user, lines in SAME.items() for line in lines]


def steps_to(user: Entry, line: str) -> list[Step]:
    """How a line, or the corrected form of an absorbed one, reads another."""
    own = (*user.steps, *(user.correction.steps if user.correction else ()))
    return [step for step in own if step.line == line and not step.base]


def demand_right(user: Entry) -> None:
    """The line follows; of an absorbed one, its corrected form."""
    if user.correction is None:
        basis = status(user)
        if basis.status not in (Derivation.RIGHT, Derivation.CONDITIONAL):
            raise EvidenceFailed(basis.why)
    else:
        absorption.demand_absorbs(user, entry(user.absorbed_at), entry)


@pytest.mark.parametrize(("name", "line"), SAYS, ids=str)
def test_nothing_is_said_in_words_that_a_machine_shows(
    name: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each reading of the table is one of the line, and without them (`thorough`: each) it is refused."""
    user = entry(name)
    known = frozenset(said(name, line))
    assert known <= {pair for step in steps_to(user, line) for pair in step.reads}
    for left_out in ([pair] for pair in known) if PROFILE == "thorough" else (known,):
        kept = ", ".join(f"{old}: {new}" for old, new in known.difference(left_out))
        monkeypatch.setitem(SAID, name, {**SAID[name], line: kept})
        with pytest.raises(EvidenceFailed):
            demand_right(user)


@pytest.mark.parametrize(("name", "line"), KEEPS, ids=str)
def test_no_letter_is_called_the_same_without_need(
    name: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    user, source = entry(name), scalar(entry(line))
    assert source is not None
    known = same(name, line)
    assert known <= set(source.symbols)
    for left_out in ([letter] for letter in known) if PROFILE == "thorough" else (known,):
        kept = " ".join(map(str, known.difference(left_out)))
        monkeypatch.setitem(SAME, name, {**SAME[name], line: kept})
        with pytest.raises(EvidenceFailed):
            demand_right(user)


@pytest.mark.parametrize(("name", "line"), SAYS, ids=str)
def test_a_thousand_times_as_much_is_not_said(name: str, line: str) -> None:
    """The readings of a line with 1000 times what the table says, in words that nobody wrote."""
    user, known = entry(name), said(name, line)

    def more(steps: tuple[Step, ...]) -> tuple[Step, ...]:
        return tuple(
            replace(
                s,
                reads=tuple((old, 1000 * new + 1000 if (old, new) in known else new) for old, new in s.reads),
            )
            if s in steps_to(user, line)
            else s
            for s in steps
        )

    planted = replace(user, steps=more(user.steps))
    if user.correction is not None:
        corrected = replace(user.correction, steps=more(user.correction.steps))
        planted = replace(planted, correction=corrected)
    with pytest.raises(EvidenceFailed):
        demand_right(planted)
