"""The README's figures are those of the ledger and of the calculator."""

from __future__ import annotations

import re
from pathlib import Path

from property_tests import laws
from theory.ledger import collection as ledger
from theory.ledger import report
from theory.rates.parameters import Parameters
from theory.rates.ranges import ranges

SOURCE = laws.BOOK

README = (Path(__file__).parents[2] / "README.md").read_text()


def test_the_counts_per_kind_are_current():
    for kind, own in report.counts(ledger.entries()).items():
        (line,) = (
            line for line in README.splitlines() if re.match(rf" *{sum(own.values())} {stem(kind)}", line)
        )
        shown = {word: int(number) for number, word in re.findall(r"(\d+) ([a-z]+)(?:,|$)", line)}
        assert shown == {str(verdict): count for verdict, count in own.items() if count}, kind


def stem(kind):
    return kind.split()[0]


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
