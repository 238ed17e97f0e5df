"""The README's figures are those of the ledger and of the calculator."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from theory.ledger import Derivation
from theory.ledger import collection as ledger
from theory.rates.parameters import Parameters
from theory.rates.ranges import ranges

README = (Path(__file__).parent.parent / "README.md").read_text()


def test_the_counts_of_verdicts_are_current():
    entries = ledger.entries()
    counts = Counter(str(entry.verdict) for entry in entries)
    line = next(line for line in README.splitlines() if " entries: " in line)
    shown = {word: int(number) for number, word in re.findall(r"(\d+) ([a-z]+)", line)}
    assert shown.pop("entries") == len(entries)
    assert shown == counts


def test_the_counts_of_derivations_are_current():
    """Those decided are pinned in test_ledger_derivations; the others are said by the entries themselves."""
    line = next(line for line in README.splitlines() if line.startswith("derivations: "))
    shown = {
        word: int(number)
        for number, word in re.findall(r"(\d+) (right|conditional|wrong|in words|not)", line)
    }
    said = Counter(entry.derivation for entry in ledger.entries())
    assert shown["wrong"] == said[Derivation.WRONG] and shown["not"] == said[Derivation.NONE]
    assert (shown["right"], shown["conditional"], shown["in words"]) == (240, 7, 2)
    assert sum(shown.values()) == len(ledger.entries())


def test_the_learning_rates_are_current():
    example = ranges(Parameters(L=4, mu=0.1, E=5, B=1.3, P_b=0.01, P_n=0.2, M=10))
    for name, answer in example.items():
        shown = re.search(rf"^  {name} +(\S+)$", README, re.MULTILINE)
        assert shown is not None
        if answer.empty:
            assert shown[1] == "empty"
        else:
            # Six digits, rounded down.
            assert 0 <= answer.gamma_max - float(shown[1]) < 1e-5 * answer.gamma_max


def test_every_claim_id_it_names_exists():
    ids = {entry.id for entry in ledger.entries()}
    assert set(re.findall(r"\((T1\.\d+|M\.\d+)\)", README)) <= ids
