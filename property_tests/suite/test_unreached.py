"""The report on coverage leaves no unreached line out, and fails for one without a reason."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from property_tests import laws, unreached

SOURCE = laws.TOOLS

ROOT = Path(__file__).parents[2]


def measured(*missing: tuple[str, str, list[int]]) -> dict:
    """What coverage writes, as far as the report reads it: ten statements in every file."""
    files: dict = {}
    for file, function, lines in missing:
        found = files.setdefault(
            file, {"summary": {"num_statements": 10, "covered_lines": 10}, "functions": {}}
        )
        found["functions"][function] = {"missing_lines": lines}
        found["summary"]["covered_lines"] -= len(lines)
    return {"files": files}


@given(st.sets(st.integers(1, 60)))
def test_ranges_name_exactly_the_lines(lines: set[int]) -> None:
    named: set[int] = set()
    for part in filter(None, unreached.as_ranges(tuple(sorted(lines))).split(", ")):
        first, _, last = part.partition("-")
        named |= set(range(int(first), int(last or first) + 1))
    assert named == lines


def test_every_reason_names_a_file_or_function_that_exists() -> None:
    for start, reason in unreached.REASONS.items():
        file, _, function = start.partition("::")
        found = list(ROOT.glob(file + "*"))
        assert found and len(reason) > 10, start
        name = function.rpartition(".")[2]
        assert not name or any(f"{word} {name}" in found[0].read_text() for word in ("def", "class")), start


def test_only_lines_without_a_reason_fail(tmp_path, monkeypatch, capsys) -> None:
    excused = ("fpsverify/kernels/compiled_loops.py", "pack", [3, 4])
    for gaps, code in (([excused], 0), ([excused, ("theory/x.py", "f", [7])], 1)):
        path = tmp_path / "coverage.json"
        path.write_text(json.dumps(measured(*gaps)), encoding="utf-8")
        out = tmp_path / "out.json"
        monkeypatch.setattr(sys, "argv", ["unreached", str(path), "--out", str(out)])
        assert unreached.main() == code
        assert f"{code} unreached lines without a reason" in capsys.readouterr().out
        stored = json.loads(out.read_text(encoding="utf-8"))
        assert [gap["lines"] for gap in stored["gaps"]] == [lines for _, _, lines in gaps]
        assert stored["packages"][0] == {"package": "fpsverify", "files": 1, "statements": 10, "reached": 8}


def test_nothing_measured_is_no_success(tmp_path, monkeypatch) -> None:
    path = tmp_path / "coverage.json"
    path.write_text(json.dumps({"files": {}}), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["unreached", str(path)])
    with pytest.raises(SystemExit, match="measured nothing"):
        unreached.main()


@pytest.mark.parametrize(
    "texts, reason",
    [
        (("raise EvidenceFailed(text)",), unreached.REFUSAL),
        (("except OSError as error:", "raise BadInput(a, b, c) from None"), unreached.REFUSAL),
        (("sys.exit(main())",), unreached.PROGRAM),
        (("return 3",), None),
        (("raise ValueError(a)", "total = 3"), None),
        ((), None),
    ],
)
def test_lines_speak_for_themselves_only_if_all_of_them_refuse(texts, reason) -> None:
    assert unreached.reason_of("theory/x.py::f", texts) == reason
