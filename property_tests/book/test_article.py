"""The article prints what ledger, record and results hold, on eight pages at most."""

from fractions import Fraction
from pathlib import Path

import pytest

from book import article
from theory.ledger import Severity, report
from theory.papers.fps.paper import PAPER


@pytest.fixture(scope="module")
def numbers() -> dict:
    return article.numbers()


def test_counts_are_those_of_the_ledger_and_every_rate_is_rounded_to_its_safe_side(numbers: dict) -> None:
    entries = PAPER.entries
    errors = report.errors(entries)
    assert numbers["ledger"]["entries"] == len(entries)
    assert numbers["ledger"]["errors"] == sum(map(len, errors.values()))
    assert len(numbers["ledger"]["fatal"]) == sum("." in e.id for e in errors[Severity.FATAL])
    grid = article.results.load("certified")
    for row in numbers["rates"]["rows"]:
        for B, (low, high) in zip(article.SPREADS, row["cells"], strict=True):
            i, j = grid["E"].index(row["E"]), grid["B"].index(B)
            assert float(low) <= grid["step"][i][j][0] < grid["impossible"][i][j] <= float(high)


def test_a_fraction_is_exact_where_it_is_short_and_text_is_no_markup() -> None:
    assert article.exact(Fraction(-1, 36)) == "−1/36" and article.exact(Fraction(10**20, 3)) == "3.33e+19"
    assert article.typst("P_b = 5 % of [x]") == "P#sub[b]; \\= 5\u00a0% of \\[x\\]"


def test_the_template_prints_every_run_and_compiles(numbers: dict, tmp_path: Path) -> None:
    text = article.rendered(numbers)
    assert "<<" not in text and "<%" not in text
    assert all(article.literal(row["name"]) in text for row in numbers["runs"]["rows"])
    pytest.importorskip("typst", reason="comes with the book")
    article.build(tmp_path / "article.pdf")
    assert (tmp_path / "article.pdf").read_bytes().startswith(b"%PDF")
