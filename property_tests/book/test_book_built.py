"""The built book: its length, links, numbers, tables and foot. Skipped until `make book` has been run."""

import os
import re
from pathlib import Path
from typing import Any

import pytest

from book.bookkit import numbers

BOOK = Path(__file__).parents[2] / "book"
HTML = Path(os.environ.get("FPSVERIFY_BOOK_HTML", BOOK / "_build" / "html")).resolve()
MOST_WORDS, MOST_ON_THE_FIRST = 9_000, 600
PAGES = re.findall(r"(?:root|file): ([a-z_]+)$", (BOOK / "_toc.yml").read_text("utf-8"), re.MULTILINE)
CHAPTERS = PAGES[:6]
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


def test_six_pages_can_be_read_to_the_end() -> None:
    lengths = {chapter: len(words(chapter)) for chapter in CHAPTERS}
    assert len(lengths) == 6 and min(lengths.values()) > 100
    assert sum(lengths.values()) <= MOST_WORDS and lengths["intro"] <= MOST_ON_THE_FIRST, lengths


def test_every_link_inside_the_book_has_a_target() -> None:
    """Pages and places in them, those of formulas and of the scripts' text too."""
    whole = {page: parsed(page) for page in PAGES}
    places = {page: {tag["id"] for tag in each.select("[id]")} for page, each in whole.items()}
    for page, each in whole.items():
        found = [link["href"] for link in each.article.select("a[href]")]
        found += re.findall(r"\\href\{([^}]*)\}", str(each.article))
        for link in found:
            if "://" in link or link.startswith(("mailto:", "data:")):
                continue
            name, _, place = link.partition("#")
            target = name.removesuffix(".html") or page
            if target in whole:
                assert not place or place in places[target], (page, link)
            else:
                assert (HTML / name).exists(), (page, link)


def test_numbers_in_the_text_are_those_of_the_results() -> None:
    """Every `{{ name }}` of a page stands in the built page as its result gives it."""
    every = numbers.every()
    for page in CHAPTERS:
        text = parsed(page).article.get_text(" ")
        assert not re.search(r"\{\{ \w+ \}\}", text)
        for name in re.findall(r"\{\{ (\w+) \}\}", (BOOK / f"{page}.md").read_text("utf-8")):
            assert every[name] in text, (page, name)


@pytest.mark.parametrize("page", sorted(path.stem for path in HTML.glob("*.html")) or ["none"])
def test_every_row_of_a_table_has_as_many_cells_as_its_head(page: str) -> None:
    for table in parsed(page).select("table"):
        rows = [sum(int(cell.get("colspan", 1)) for cell in row("td") + row("th")) for row in table("tr")]
        assert len(set(rows)) <= 1, table


def test_every_page_says_what_was_built() -> None:
    for chapter in PAGES:
        foot = r"fpsverify [\w. ]+, commit [0-9a-f]{10,40}(-dirty)?, built 20\d\d-\d\d-\d\d"
        assert re.search(foot, parsed(chapter).get_text()), chapter
