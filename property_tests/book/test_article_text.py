"""The templates of the article hold no number of their own, and values come out of them unharmed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from book.article import shown
from book.bookkit.palette import SHADES
from property_tests import laws
from property_tests.support.printed_numbers import ROOT, differences

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


@given(st.data())
def test_one_wrong_number_is_seen(data: st.DataObject) -> None:
    rows = st.lists(
        st.fixed_dictionaries({"a": st.integers(), "b": st.text(max_size=3)}), min_size=1, max_size=4
    )
    value = data.draw(st.dictionaries(st.sampled_from("xyz"), rows, min_size=1))
    assert differences(value, value) == []
    key = data.draw(st.sampled_from(sorted(value)))
    changed = json.loads(json.dumps(value))
    changed[key][0]["a"] += data.draw(st.sampled_from((-1, 1)))
    assert len(differences(changed, value)) == 1
    assert differences({**value, "more": 1}, value)


@given(st.floats(1e-30, 1e30), st.integers(1, 6))
def test_significant_digits_are_rounded_to_the_nearest(value: float, number: int) -> None:
    text = shown.significant(value, number).replace("·10^", "e")
    assert abs(float(text) / value - 1) <= 0.5 * 10.0 ** (1 - number) * (1 + 1e-9)
    assert len(re.sub(r"e.*|\.|^0*\.?0*", "", text).strip("0")) <= number


@given(st.text(max_size=40))
def test_escaped_text_has_no_markup(text: str) -> None:
    assert not re.search(r"(?<!\\)(?:\\\\)*[#$*_`@<>\[\]]", shown.literal(text))
