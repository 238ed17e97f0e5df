"""`fpsverify report`: one page that loads nothing."""

import re
from pathlib import Path

import pytest

import fpsverify as fps
from fpsverify.cli import main
from property_tests.support.commands import refusal
from property_tests.support.small_runs import finished_and_copy, small

whole, folder = finished_and_copy(small("rounds=12", "record.checkpoint_every=3"))


def test_report_is_one_file_that_loads_nothing(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    fps.estimate(folder, replicates=8, rounds=4)
    assert main(["report", str(folder), "--out", str(out)]) == 0
    text = out.read_text(encoding="utf-8")
    loaded = re.findall(r'(?:src|href|data|poster)="([^"]*)"', text)
    assert all(link.startswith("#") for link in loaded)
    assert "<script" not in text and "@import" not in text and not re.search(r"url\((?!#)", text)
    for wanted in ("Theorem A", "Assumptions", "Learning rates", "‖∇f(w̃)‖²", "Sketch residual"):
        assert wanted in text


def test_report_without_estimate_and_bad_input(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(whole), "--no-estimate", "--out", str(tmp_path / "a.html")]) == 0
    assert "Not estimated" in (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "config.toml: missing; expected" in refusal(capsys, "report", tmp_path, "--no-estimate")
    assert "--out" in refusal(capsys, "report", whole, "--no-estimate", "--out", tmp_path / "no" / "a.html")
