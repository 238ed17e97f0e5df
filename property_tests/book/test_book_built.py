"""The built book: its length, its tables and its foot. Skipped until `make book` has been run."""

from __future__ import annotations

import os
import re
from html import unescape
from pathlib import Path

import pytest

from property_tests import laws

SOURCE = laws.BOOK

BOOK = Path(__file__).parents[2] / "book"
HTML = Path(os.environ.get("FPSVERIFY_BOOK_HTML", BOOK / "_build" / "html")).resolve()
MOST_WORDS = 25_000
CHAPTERS = re.findall(r"(?:root|file): ([a-z_]+)$", (BOOK / "_toc.yml").read_text("utf-8"), re.MULTILINE)[:13]
pytestmark = pytest.mark.skipif(not (HTML / "intro.html").exists(), reason="the book is not built")


SILENT = re.compile(r"<(script|style|noscript)\b.*?</\1>|<(span|div)[^>]*\bmath\b[^>]*>.*?</\2>", re.DOTALL)


def html(page: str) -> str:
    return (HTML / f"{page}.html").read_text(encoding="utf-8")


def words(page: str) -> list[str]:
    """Of the article; formulas, scripts and styles are not words."""
    (article,) = re.findall(r"<article[^>]*>(.*?)</article>", html(page), re.DOTALL)
    plain = re.sub(r"<[^>]*>", " ", SILENT.sub(" ", article))
    return [word for word in unescape(plain).split() if re.search(r"[^\W\d_]", word)]


def cells(row: str) -> int:
    heads = re.findall(r"<t[dh]\b([^>]*)>", row)
    spans = [re.search(r'colspan="(\d+)"', head) for head in heads]
    return sum(int(span[1]) if span else 1 for span in spans)


def test_the_chapters_have_at_most_25000_words() -> None:
    lengths = {chapter: len(words(chapter)) for chapter in CHAPTERS}
    assert len(lengths) == 13 and min(lengths.values()) > 100
    assert sum(lengths.values()) <= MOST_WORDS, lengths


@pytest.mark.parametrize("page", sorted(path.stem for path in HTML.glob("*.html")) or ["none"])
def test_every_row_of_a_table_has_as_many_cells_as_its_head(page: str) -> None:
    shown = re.sub(r"<script\b.*?</script>", "", html(page), flags=re.DOTALL)
    for table in re.findall(r"<table\b.*?</table>", shown, re.DOTALL):
        rows = re.findall(r"<tr\b.*?</tr>", table, re.DOTALL)
        assert len({cells(row) for row in rows}) <= 1, rows


def test_every_page_says_what_was_built() -> None:
    for chapter in CHAPTERS:
        foot = r"fpsverify [\w. ]+, commit [0-9a-f]{10,40}(-dirty)?, built 20\d\d-\d\d-\d\d"
        assert re.search(foot, html(chapter)), chapter
