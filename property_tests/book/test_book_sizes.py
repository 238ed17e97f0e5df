"""The sketch-size calculator of the book answers as Python does."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from book.bookkit import js_formulas
from property_tests import laws
from property_tests.book import node
from theory.bounds.sketch_size import (
    Demand,
    columns_needed,
    coordinate_failure,
    median_failure,
)

SOURCE = laws.SIZE

pytestmark = pytest.mark.skipif(not node.available(), reason="Node is not installed")

# The binomial tail is a sum of at most 201 positive terms, each a product of at most 201 rounded factors, and
# its first term is the exponential of a logarithm of size up to 3·10^3, summed from 201 parts: relative error
# below (201 + 201 + 10·3·10^3)·2^-52 < 1e-11. The row failure q before it adds a few roundings, raised to the
# power 101 at most: 1e-9 leaves room for that.
TAIL, WHOLE = 1e-11, 1e-9


def demands(count: int) -> list[dict[str, Any]]:
    draws = random.Random(11)
    return [
        {
            "k": draws.randint(1, 50),
            "d": draws.randint(50, 10 ** draws.randint(2, 7)),
            "T": draws.randint(1, 2000),
            "delta": draws.choice([0.001, 0.01, 0.2]),
            "c": draws.choice([0.5, 1.0, 4.0, 30.0]),
            "p": draws.choice([None, 0.75, 1.0, 1.5, 2.0]),
            "noise": draws.choice([0.0, 0.0, 1e-3, 1e-2]),
        }
        for _ in range(count)
    ]


def in_python(q: dict[str, Any]) -> Demand:
    return Demand(q["k"], q["d"], q["T"], q["delta"], 1 / math.sqrt(q["c"] * q["k"]), q["p"], q["noise"] ** 2)


def test_binomial_tail() -> None:
    draws = random.Random(5)
    points = [[draws.choice([1, 3, 5, 7, 21, 101, 201]), 10.0 ** draws.uniform(-6, 0)] for _ in range(200)]
    found = node.evaluate(js_formulas.size_engine(), "([rows, q]) => medianFailure(rows, q)", points)
    for (rows, q), value in zip(points, found, strict=True):
        assert math.isclose(value, median_failure(rows, q), rel_tol=TAIL, abs_tol=1e-300), (rows, q)


def test_columns_are_the_fewest_by_pythons_measure() -> None:
    """Up to the rounding of the failure probability, which may move the last column."""
    inputs = demands(12)
    found = node.evaluate(js_formulas.size_engine(), "sizing", inputs)
    for q, answer in zip(inputs, found, strict=True):
        demand = in_python(q)
        for rows, size in zip((3, 5, 7), answer["sizes"], strict=True):
            expected = columns_needed(rows, demand)
            assert (size is None) == (expected is None), q
            if size and expected:
                assert abs(size["columns"] - expected.columns) <= 1 + WHOLE * expected.columns, q
                assert math.isclose(
                    size["failure"], coordinate_failure(rows, size["columns"], demand), rel_tol=WHOLE
                )
