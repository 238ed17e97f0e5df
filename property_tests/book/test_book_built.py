"""The built book: its length, its tables and its foot. Skipped until `make book` has been run."""

import os
import re
from pathlib import Path
from typing import Any

import pytest

BOOK = Path(__file__).parents[2] / "book"
HTML = Path(os.environ.get("FPSVERIFY_BOOK_HTML", BOOK / "_build" / "html")).resolve()
MOST_WORDS = 25_000
CHAPTERS = re.findall(r"(?:root|file): ([a-z_]+)$", (BOOK / "_toc.yml").read_text("utf-8"), re.MULTILINE)[:13]
pytestmark = pytest.mark.skipif(not (HTML / "intro.html").exists(), reason="the book is not built")


def parsed(page: str) -> Any:
    bs4 = pytest.importorskip("bs4", reason="comes with the book")
    return bs4.BeautifulSoup((HTML / f"{page}.html").read_text(encoding="utf-8"), "html.parser")


def words(page: str) -> list[str]:
    """Of the article; formulas, scripts and styles are not words."""
    article = parsed(page).article
    for silent in article.select("script, style, noscript, .math"):
        silent.decompose()
    return [word for word in article.get_text(" ").split() if re.search(r"[^\W\d_]", word)]


def test_the_chapters_have_at_most_25000_words() -> None:
    lengths = {chapter: len(words(chapter)) for chapter in CHAPTERS}
    assert len(lengths) == 13 and min(lengths.values()) > 100
    assert sum(lengths.values()) <= MOST_WORDS, lengths


@pytest.mark.parametrize("page", sorted(path.stem for path in HTML.glob("*.html")) or ["none"])
def test_every_row_of_a_table_has_as_many_cells_as_its_head(page: str) -> None:
    for table in parsed(page).select("table"):
        rows = [sum(int(cell.get("colspan", 1)) for cell in row("td") + row("th")) for row in table("tr")]
        assert len(set(rows)) <= 1, table


def test_every_page_says_what_was_built() -> None:
    for chapter in CHAPTERS:
        foot = r"fpsverify [\w. ]+, commit [0-9a-f]{10,40}(-dirty)?, built 20\d\d-\d\d-\d\d"
        assert re.search(foot, parsed(chapter).get_text()), chapter
