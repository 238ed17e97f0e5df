"""What coverage leaves out has its reason beside the code; a line without one fails `make coverage`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from property_tests import laws, unreached

SOURCE = laws.TOOLS


def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict) -> tuple[int, Path]:
    (tmp_path / "coverage.json").write_text(json.dumps({"files": files}), encoding="utf-8")
    out = tmp_path / "out.json"
    monkeypatch.setattr(sys, "argv", ["unreached", str(tmp_path / "coverage.json"), "--out", str(out)])
    return unreached.main(), out


def test_every_place_that_is_left_out_has_a_reason() -> None:
    found = unreached.excused()
    assert found and [place for place in found if len(place["reason"]) < 10] == []


def test_a_pragma_without_a_reason_is_seen(tmp_path: Path) -> None:
    (tmp_path / "theory").mkdir()
    text = "a = 1  # pragma: no cover\nb = 2\n# pragma: no cover file: a reason\n"
    (tmp_path / "theory" / "x.py").write_text(text, encoding="utf-8")
    rows = unreached.excused(tmp_path)
    assert [(row["line"], row["reason"]) for row in rows] == [(1, ""), (3, "a reason")]


@pytest.mark.parametrize("missing", [[], [7, 9]])
def test_a_line_that_no_law_reaches_fails(tmp_path, monkeypatch, capsys, missing: list[int]) -> None:
    summary = {"num_statements": 10, "covered_lines": 10 - len(missing)}
    files = {"theory/symbols.py": {"summary": summary, "missing_lines": missing}}
    code, out = run(tmp_path, monkeypatch, files)
    assert code == bool(missing)
    assert ("theory/symbols.py: no law reaches lines 7, 9" in capsys.readouterr().out) == bool(missing)
    row = json.loads(out.read_text(encoding="utf-8"))["packages"][1]
    assert (row["statements"], row["reached"]) == (10, 10 - len(missing))


def test_nothing_measured_is_no_success(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match="measured nothing"):
        run(tmp_path, monkeypatch, {})
