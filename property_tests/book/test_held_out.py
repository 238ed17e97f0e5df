"""What the chapters say of the held-out problems is what the result file holds."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from book.bookkit import held_out, results
from book.bookkit.experiments.charts import shorter
from property_tests import laws

SOURCE = laws.BOOK


def rows() -> list[dict[str, Any]]:
    found = results.load("advice")
    assert found is not None
    return [row for row in found["rows"] if row["held_out"]]


@given(st.integers(1, 200), st.data())
def test_a_larger_share_of_failures_would_have_shown(given_: int, data: st.DataObject) -> None:
    """At the limit so few failures, or fewer, have a chance of 5 %. The root is found to 1e-8 or so."""
    safe = data.draw(st.integers(1, given_))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(held_out, "figures", lambda form, group: {"given": given_, "safe": safe})
        limit = held_out.failures_at_most("recommended")
    assert binom.cdf(given_ - safe, given_, limit) == pytest.approx(0.05, rel=1e-6)


def test_every_held_out_row_is_a_problem_that_is_described() -> None:
    there = rows()
    assert sorted(p.name for p in held_out.problems()) == sorted(row["problem"] for row in there)
    text = held_out.described()
    for words, count in (
        ("are least squares", sum(row["loss"] == "least_squares" for row in there)),
        ("have a sketch", sum(row["sketched"] for row in there)),
        ("channel noise", sum("-noise" in row["problem"] for row in there)),
        ("mini-batches", sum("-b0" not in row["problem"] for row in there)),
    ):
        assert re.search(rf"\b{count} {words}", text), words


def test_the_worst_problem_is_the_one_with_the_largest_regret() -> None:
    assert f"regret {held_out.figures('recommended')['regret']['max']:.2g}," in held_out.worst()


@given(st.floats(0.001, 1.0), st.floats(0.0, 1.0), st.integers(1, 30))
def test_a_proximal_term_shortens_a_round_by_what_its_steps_lose(gamma: float, mu: float, E: int) -> None:
    """A device under a constant gradient of −1 ends at γĒ. Both are sums of E ≤ 30 terms of at most 1."""
    w = 0.0
    for _ in range(E):
        w -= gamma * (-1 + mu * w)
    assert shorter(gamma, mu, E) == pytest.approx(1 - w / (gamma * E), abs=1e-12)
