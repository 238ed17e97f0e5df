"""The built book: its length, its tables and its foot. Skipped until `make book` has been run."""

from __future__ import annotations

import os
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from property_tests import laws

SOURCE = laws.BOOK

BOOK = Path(__file__).parents[2] / "book"
HTML = Path(os.environ.get("FPSVERIFY_BOOK_HTML", BOOK / "_build" / "html")).resolve()
MOST_WORDS = 25_000
CHAPTERS = re.findall(r"(?:root|file): ([a-z_]+)$", (BOOK / "_toc.yml").read_text("utf-8"), re.MULTILINE)[:13]
pytestmark = pytest.mark.skipif(not (HTML / "intro.html").exists(), reason="the book is not built")


class Article(HTMLParser):
    """The words of a page's article; formulas, scripts and styles are not words. Tables by their cells."""

    SILENT = ("script", "style", "mjx-container", "noscript")

    def __init__(self) -> None:
        super().__init__()
        self.inside, self.silent, self.words = 0, 0, []
        self.rows: list[list[int]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        classes = dict(attributes).get("class") or ""
        if tag == "article":
            self.inside += 1
        if tag in self.SILENT or self.silent or re.search(r"\bmath\b", classes):
            self.silent += tag not in ("br", "img", "input", "hr", "link", "meta")
        if tag == "table":
            self.rows.append([])
        if tag == "tr" and self.rows:
            self.rows[-1].append(0)
        if tag in ("td", "th") and self.rows and self.rows[-1]:
            self.rows[-1][-1] += int(dict(attributes).get("colspan") or 1)

    def handle_endtag(self, tag: str) -> None:
        if self.silent:
            self.silent -= 1
        elif tag == "article":
            self.inside -= 1

    def handle_data(self, data: str) -> None:
        if self.inside and not self.silent:
            self.words += [word for word in data.split() if re.search(r"[^\W\d_]", word)]


def read(page: str) -> Article:
    found = Article()
    found.feed((HTML / f"{page}.html").read_text(encoding="utf-8"))
    return found


def test_the_chapters_have_at_most_25000_words() -> None:
    lengths = {chapter: len(read(chapter).words) for chapter in CHAPTERS}
    assert len(lengths) == 13 and min(lengths.values()) > 100
    assert sum(lengths.values()) <= MOST_WORDS, lengths


@pytest.mark.parametrize("page", sorted(path.stem for path in HTML.glob("*.html")) or ["none"])
def test_every_row_of_a_table_has_as_many_cells_as_its_head(page: str) -> None:
    for rows in read(page).rows:
        assert len(set(rows)) <= 1, rows


def test_every_page_says_what_was_built() -> None:
    for chapter in CHAPTERS:
        foot = (HTML / f"{chapter}.html").read_text(encoding="utf-8")
        assert re.search(
            r"fpsverify [\w. ]+, commit [0-9a-f]{10,40}(-dirty)?, built 20\d\d-\d\d-\d\d", foot
        ), chapter
