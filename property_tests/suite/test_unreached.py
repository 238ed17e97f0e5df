"""What coverage leaves out has its reason beside the code, and what it counted is added up."""

from pathlib import Path

from benchmarks import unreached
from property_tests import laws

SOURCE = laws.TOOLS


def test_every_place_that_is_left_out_has_a_reason() -> None:
    found = unreached.excused()
    assert found and [place for place in found if len(place["reason"]) < 10] == []


def test_a_pragma_without_a_reason_is_seen(tmp_path: Path) -> None:
    (tmp_path / "theory").mkdir()
    text = "a = 1  # pragma: no cover\nb = 2\n# pragma: no cover file: a reason\n"
    (tmp_path / "theory" / "x.py").write_text(text, encoding="utf-8")
    rows = unreached.excused(tmp_path)
    assert [(row["line"], row["reason"]) for row in rows] == [(1, ""), (3, "a reason")]


def test_statements_are_counted_by_package() -> None:
    counts = {"a.py": (10, 8), "b/c.py": (5, 5)}
    files = {
        f"theory/{name}": {"summary": {"num_statements": n, "covered_lines": reached}}
        for name, (n, reached) in counts.items()
    }
    theory = {"package": "theory", "files": 2, "statements": 15, "reached": 13}
    assert unreached.packages(files)[1] == theory
