"""The templates of the article hold no number of their own, and values come out of them unharmed."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.provenance import ROOT
from book.article import shown
from book.bookkit.palette import SHADES
from property_tests import laws

SOURCE = laws.BOOK

TEMPLATES = ROOT / "book" / "article" / "templates"
PROSE = re.compile(
    r"<%.*?%>|<<.*?>>|\*References\.\*.*?\n\]|\$[^$]*\$|#raw\(\"[^\"]*\"\)|\"#[0-9A-F]{6}\"|arXiv:[\d.]+"
    r"|\b(?:19|20)\d\d\b|\(1\d\)|eq\. \d+|[\d.]+(?:pt|em|cm|fr|%)|(?:Appendix|Section) [\w.]+|//.*",
    re.DOTALL,
)
NUMBER = re.compile(r"(?<![\w./])(?:\d{2,}|\d+\.\d+)(?![\w])")


@pytest.mark.parametrize("path", sorted(TEMPLATES.iterdir()), ids=lambda path: path.name)
def test_no_number_is_typed_by_hand(path: Path) -> None:
    """In prose only one digit, a year or a place; in formulas no decimals. All else is computed."""
    text = re.sub(r"^//.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert path.name == "layout.typ" or not NUMBER.findall(PROSE.sub(" ", text))
    formulas = [re.sub(r"<<.*?>>", "", formula) for formula in re.findall(r"\$([^$]*)\$", text)]
    assert not [f for f in formulas if re.search(r"\d\.\d|\d{3}", f)]


def test_colours_mean_the_same_as_in_the_book() -> None:
    used = set(re.findall(r"#[0-9A-F]{6}", (TEMPLATES / "layout.typ").read_text(encoding="utf-8")))
    assert used and used <= {light for light, _ in SHADES.values()}


@given(st.text(max_size=40))
def test_escaped_text_has_no_markup(text: str) -> None:
    assert not re.search(r"(?<!\\)(?:\\\\)*[#$*_`@<>\[\]]", shown.literal(text))


@given(st.floats(1e-30, 1e30), st.integers(1, 6))
def test_a_number_is_shown_to_half_a_unit_of_its_last_digit(value: float, digits: int) -> None:
    text = float(shown.significant(value, digits).replace("·10^", "e"))
    assert abs(text - value) <= 0.5000001 * 10.0 ** (math.floor(math.log10(value)) + 1 - digits)


@given(st.fractions())
def test_a_fraction_of_at_most_twelve_characters_is_shown_as_it_is(value: Fraction) -> None:
    text = shown.exact(value).replace("−", "-")
    assert text == (str(value) if len(str(value)) <= 12 else shown.significant(float(value)))
