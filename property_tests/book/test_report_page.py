"""`fpsverify report`: one page that loads nothing."""

from __future__ import annotations

import argparse
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import fpsverify as fps
from property_tests import laws

SOURCE = laws.BOOK


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
    assert all(link.startswith("#") for link in parser.found)
    assert "<script" not in text and "@import" not in text and not re.search(r"url\((?!#)", text)
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
