"""The page of the experiments answers from the stored results, and counts what it says."""

import re

from book.bookkit import experiments as tables
from fpsverify.reproduce.claims import CLAIMS, Case, Verdict


def rows_of(html: str) -> list[list[str]]:
    return [re.findall("<td[^>]*>(.*?)</td>", row) for row in re.findall("<tr>(.*?)</tr>", html)][1:]


def test_questions_of_ours_are_not_counted_among_the_claims():
    judged = [(claim, Verdict("undecided", "")) for claim in CLAIMS if claim.dataset == "kdd12"]
    ours = sum("ties" in claim.text for claim, _ in judged)
    claims, _, apart = tables.tally(judged).partition("ours")
    assert ours == 1 and f"Of {len(judged) - ours} claims" in claims and f"<b>{ours}</b>" in apart
    assert tables.claims_list(judged).count("a question of ours") == ours


def test_comparisons_at_one_budget_are_shown_for_that_budget():
    claim = next(c for c in CLAIMS if c.name == "kdd12-best-in-noise")
    cases = tuple(Case(s, rival, "worse", "steps") for s in (1, 2) for rival in ("FetchSGD", "BLCD"))
    html = tables.claims_list([(claim, Verdict("not reproduced", "", cases))])
    assert [row[:2] for row in rows_of(html)] == [
        ["equal gradient steps", "FetchSGD"],
        ["equal gradient steps", "BLCD"],
    ]


def test_the_tally_counts_what_holds_by_some_reading_and_says_so_if_nothing_reproduced():
    yes, no = Verdict("reproduced", ""), Verdict("not reproduced", "")
    nested = Verdict("depends on the reading", "", (), {"steps": no, "uses": yes})
    turning = [Verdict("depends on the reading", "", (), {"a": no, "b": v}) for v in (nested, no)]
    told = tables.tally([*zip(CLAIMS, [no, *turning], strict=False)])
    assert "<b>0</b> reproduced, <b>1</b> did not" in told
    assert "Of the 2, 1 reproduced by one of the readings." in told


def test_every_cell_of_the_paper_that_was_run_is_in_the_table():
    """Paper beside measurement, for each of the four scenarios."""
    found = tables.trials("synthetic")
    _, *shown = tables.cells(found, "synthetic")
    assert {row[0] for row in shown} == {"1", "2", "3", "4"} and len(shown) == len(
        {key for key in found.by_cell if not key[-1]}
    )
