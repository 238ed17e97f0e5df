"""What the calculators say in words: what became of a run, and how a rate compares with the proofs."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from book.bookkit import js_formulas
from property_tests import laws
from property_tests.book import node
from theory.rates.parameters import Parameters
from theory.rates.ranges import ranges
from theory.rates.rounding import rounded_down

SOURCE = laws.BOOK

needs_node = pytest.mark.skipif(not node.available(), reason="Node is not installed")
EDGE = js_formulas.source("edge.js")
ROUNDS = 150


def fates(losses: list[list[float]], unstable: bool = False) -> list[str]:
    return node.evaluate(EDGE, f"l => fateOf(l, {str(unstable).lower()})", losses)


@needs_node
@settings(max_examples=5)
@given(st.floats(0.5, 0.97), st.floats(1.03, 1.3), st.floats(0.0, 0.6), st.floats(1.0, 2.9))
def test_a_run_falls_rises_or_diverges(falls: float, grows: float, low: float, top: float) -> None:
    """Down to a level and to stay; down and up to a level below 3 of the start; growth without end."""
    steps = range(ROUNDS + 1)
    down = [low + (1 - low) * falls**t for t in steps]
    turned = [down[t] if t < 75 else top for t in steps]
    assert fates([down, turned, [grows**t for t in steps]]) == ["falls", "rises", "diverges"]
    assert fates([[1.0 + t * t for t in steps]]) == ["diverges"]  # a model that grows like t


@needs_node
def test_the_figures_runs_have_the_fates_that_their_curves_show() -> None:
    small = {"rows": 5, "buckets": 8, "k": 64, "gamma": 1.4, "seed": 1}
    kinds = {
        "diverges": small,
        "falls": {**small, "gamma": 0.4},
        "rises": {**small, "gamma": 0.4, "k": 5},
    }
    for how in ("mean", "median"):
        call = f"q => fateOf(runThroughSketch({{...q, how: '{how}'}}, {ROUNDS}).losses, false)"
        assert node.evaluate(EDGE, call, list(kinds.values())) == list(kinds)


@needs_node
def test_beyond_an_exact_edge_a_loss_that_rises_diverges() -> None:
    slow = [0.5 + abs(t - 100) / 100 for t in range(ROUNDS + 1)]
    assert fates([slow]) == ["rises"] and fates([slow], unstable=True) == ["diverges"]


BASE = {"L": 1.951, "E": 5, "B": 1.0, "P_b": 0.0, "P_n": 0.14, "mu": 0.0, "M": 8, "L_A": 0.0, "gamma": 0.01}


def said(*changes: dict[str, Any]) -> list[str]:
    found = node.evaluate(js_formulas.rate_engine(), "sentenceFor", [{**BASE, **each} for each in changes])
    return [re.sub(r"<[^>]*>", "", text) for text in found]


@needs_node
def test_a_rate_beyond_the_proofs_is_no_failure() -> None:
    limit = ranges(Parameters(L=1.951, E=5, P_n=0.14, M=8))["repaired_sharp"].gamma_max
    assert limit is not None
    inside, above, far = said({}, {"gamma": 0.1687}, {"gamma": 830 * limit})
    assert f"Use γ ≤ {rounded_down(limit * (1 - 1e-6), 4)} (proved by Theorem A; no sketch)" in inside
    assert "Your γ is inside." in inside
    for text in (above, far):
        assert "times the largest proved one. That is no failure" in text and "too large" not in text
    assert "Your γ is 830 times" in far


@needs_node
@settings(max_examples=5)
@given(st.floats(1.001, 1e15))
def test_a_multiple_is_written_without_an_exponent(ratio: float) -> None:
    (shown,) = node.evaluate(js_formulas.rate_engine(), "multiple", [ratio])
    assert "e" not in shown and float(shown) == pytest.approx(ratio, rel=0.05)


@needs_node
def test_strong_words_only_beyond_an_exact_edge() -> None:
    sketch = {"L": 4.0, "E": 1, "P_n": 0.0, "L_A": 18.0}
    below, beyond, more = said(
        {**sketch, "gamma": 0.1}, {**sketch, "gamma": 0.12}, {**sketch, "gamma": 0.12, "E": 2}
    )
    assert "beyond the edge" in beyond and "no failure" not in beyond
    for text in (below, more):
        assert "beyond the edge" not in text and "no failure" in text


@needs_node
def test_the_residual_is_spoken_of_only_with_a_sketch() -> None:
    without, given_one = said({}, {"L_A": 1.0})
    assert "residual" not in without and "if the residual of the sketch stays bounded" in given_one
