"""Pieces of the book and of `fpsverify report` that need no build."""

from __future__ import annotations

import argparse
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fpsverify as fps
from book.bookkit import cards, ledger_data, words
from fpsverify.report import svg
from property_tests import laws
from theory.ledger.collection import entries

SOURCE = laws.BOOK

BOOK = Path(__file__).parents[2] / "book"
REAL = st.floats(min_value=-1e9, max_value=1e9)


@given(st.text(max_size=60))
def test_escaped_text_has_no_tags(text: str) -> None:
    assert not re.search(r"[<>]", words.escape(text))


@pytest.mark.parametrize(
    ("plain", "shown"),
    [
        ("w̃_{t+1} − w̃_t", "w̃<sub>t+1</sub> − w̃<sub>t</sub>"),
        ("P_bB^2 <= 1", "P<sub>b</sub>B<sup>2</sup> ≤ 1"),
        ("eq:gamma_range gives gamma", "<code>eq:gamma_range</code> gives γ"),
        ("Gamma_x stays", "Gamma_x stays"),
    ],
)
def test_words_as_on_paper(plain: str, shown: str) -> None:
    assert words.tagged(plain) == shown


def test_every_entry_has_a_page_that_shows_it() -> None:
    toc = (BOOK / "_toc.yml").read_text(encoding="utf-8")
    for entry in entries():
        page = cards.page_of(entry.id).removesuffix(".html")
        family = ledger_data.family(entry.id)
        assert f"file: {page}\n" in toc, entry.id
        if not cards.is_repaired(entry.id):  # that page shows whatever families the ledger has
            assert f'"{family}' in (BOOK / f"{page}.md").read_text(encoding="utf-8"), entry.id
    anchors = [cards.anchor(entry.id) for entry in entries()]
    assert len(set(anchors)) == len(anchors)


def test_a_changed_source_changes_the_name_of_the_stored_ledger(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n", encoding="utf-8")
    before = ledger_data.sources_digest(tmp_path)
    (tmp_path / "a.py").write_text("x = 2\n", encoding="utf-8")
    changed = ledger_data.sources_digest(tmp_path)
    (tmp_path / "a.py").rename(tmp_path / "b.py")
    assert len({before, changed, ledger_data.sources_digest(tmp_path)}) == 3


@given(REAL, st.floats(min_value=1e-3, max_value=1e6))
def test_linear_ticks_lie_inside_and_are_few(low: float, width: float) -> None:
    high = low + width
    ticks = svg.linear_ticks(low, high)
    slack = 1e-6 * max(abs(low), abs(high), width)
    assert all(low - slack <= tick <= high + slack for tick in ticks) and 1 <= len(ticks) <= 7


@given(st.integers(-20, 20), st.integers(1, 30))
def test_log_ticks_are_powers_of_ten(first: int, decades: int) -> None:
    ticks = svg.log_ticks(10.0**first, 10.0 ** (first + decades))
    assert ticks[0] == 10.0**first and 1 <= len(ticks) <= 8


@given(st.lists(st.one_of(st.none(), REAL, st.just(float("nan"))), min_size=2, max_size=12), st.booleans())
def test_a_chart_survives_any_values(values: list[float | None], log: bool) -> None:
    text = svg.line_chart(
        [svg.Series("s", list(range(len(values))), values)], svg.Axis("x"), svg.Axis("y", log=log), "c"
    )
    assert "nan" not in text.lower() and "inf" not in text.lower().replace("sans", "")


class Resources(HTMLParser):
    """Everything a page would load."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found += [str(value) for name, value in attributes if name in ("src", "href", "data", "poster")]


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from fpsverify import config as configs
    from fpsverify.runs.loop import run

    folder = tmp_path_factory.mktemp("runs") / "small"
    options = {
        "rounds": 12,
        "problem": {"data": "blobs", "objective": "softmax", "samples": 200, "features": 8, "classes": 3},
        "devices": {"M": 3},
        "local": {"E": 2, "gamma": 0.1},
        "algorithm": {"rows": 3, "buckets": 12, "k": 12},
        "record": {"verify": True, "checkpoint_every": 3},
    }
    run(configs.parse(options), folder)
    return folder


def report(arguments: list[str]) -> int:
    from fpsverify.cli import report as command

    parser = argparse.ArgumentParser()
    command.add_commands(parser.add_subparsers())
    args = parser.parse_args(["report", *arguments])
    return int(args.func(args))


def test_report_is_one_file_that_loads_nothing(run_folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    fps.estimate(run_folder, replicates=8, rounds=4)
    assert report([str(run_folder), "--out", str(out)]) == 0
    text = out.read_text(encoding="utf-8")
    parser = Resources()
    parser.feed(text)
    assert (
        all(link.startswith("#") for link in parser.found)
        and "<script" not in text
        and "url(" not in text
        and "@import" not in text
    )
    for wanted in ("Theorem A", "Assumptions", "Learning rates", "‖∇f(w̃)‖²", "Sketch residual"):
        assert wanted in text


def test_report_without_estimate_and_bad_input(run_folder: Path, tmp_path: Path) -> None:
    from fpsverify.errors import FpsError

    assert report([str(run_folder), "--no-estimate", "--out", str(tmp_path / "a.html")]) == 0
    assert "Not estimated" in (tmp_path / "a.html").read_text(encoding="utf-8")
    with pytest.raises(FpsError, match="config.toml: missing; expected"):
        report([str(tmp_path), "--no-estimate"])
    with pytest.raises(FpsError, match="--out"):
        report([str(run_folder), "--no-estimate", "--out", str(tmp_path / "no" / "a.html")])
