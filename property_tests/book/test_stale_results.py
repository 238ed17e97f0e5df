"""A stored result names the code that it depends on; a changed line of that code makes it old."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import provenance
from book.bookkit import results
from property_tests import laws

SOURCE = laws.BOOK

WORDS = st.text(alphabet="abc ", max_size=20)
CODE = 'def f(x):\n    """{}"""\n    # {}\n    return x + {}\n'


@given(WORDS, WORDS, WORDS, WORDS, st.integers(0, 9))
def test_words_beside_the_code_do_not_count(a: str, b: str, c: str, d: str, number: int) -> None:
    assert provenance.code_digest(CODE.format(a, b, number)) == provenance.code_digest(
        CODE.format(c, d, number)
    )


@given(st.integers(0, 99), st.integers(0, 99))
def test_the_code_counts(one: int, other: int) -> None:
    same = provenance.code_digest(CODE.format("", "", one)) == provenance.code_digest(
        CODE.format("", "", other)
    )
    assert same == (one == other)


def test_a_text_that_is_no_docstring_counts() -> None:
    assert provenance.code_digest('x = "a"') != provenance.code_digest('x = "b"')


def test_changed_missing_and_unrecorded_code_is_told_apart(tmp_path: Path) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("x = 1\n", encoding="utf-8")
    made = {"code": provenance.digests(["a.py", "b.py"], tmp_path)}
    assert provenance.changed(made, tmp_path) == []
    (tmp_path / "a.py").write_text("x = 2\n", encoding="utf-8")
    (tmp_path / "b.py").unlink()
    assert provenance.changed(made, tmp_path) == ["a.py", "b.py"]
    assert provenance.changed({}, tmp_path) is None


@pytest.mark.parametrize(
    ("name", "counts"),
    [("theory/a.py", True), ("fpsverify/cli/run.py", False), ("theory/__init__.py", False)],
)
def test_lists_of_names_and_the_command_line_do_not_count(tmp_path: Path, name: str, counts: bool) -> None:
    assert bool(provenance.changed({"code": {name: "0" * 12}}, tmp_path)) == counts


def test_a_result_names_the_modules_that_were_loaded() -> None:
    import theory.rates.ranges  # noqa: F401

    made = provenance.made("python -m x", 1.0)
    assert "theory/rates/ranges.py" in made["code"] and "benchmarks/provenance.py" in made["code"]
    assert all(not name.startswith("book/") for name in made["code"])
    assert provenance.changed(made) == []


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of results with one that fits the code, one that does not, and one that names no code."""
    fresh = provenance.made("python -m x", 1.0)
    old = {**fresh, "code": {**fresh["code"], "benchmarks/interleave.py": "0" * 12}}
    for name, made in (("fresh", fresh), ("old", old), ("unknown", {"command": "python -m x"})):
        (tmp_path / f"{name}.json").write_text(json.dumps({"provenance": made}), encoding="utf-8")
    monkeypatch.setattr(results, "FOLDER", tmp_path)
    monkeypatch.delenv(results.PUBLISHING, raising=False)
    return tmp_path


@pytest.mark.usefixtures("stored")
def test_a_page_warns_of_results_that_are_older_than_their_code() -> None:
    assert results.banner("fresh") == ""
    assert "older than benchmarks/interleave.py" in results.banner("fresh", "old")
    assert results.UNMADE in results.banner("unknown") and "not been made" in results.banner("absent")


@pytest.mark.usefixtures("stored")
def test_such_a_page_is_not_published(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(results.PUBLISHING, "1")
    assert results.banner("fresh") == ""
    with pytest.raises(RuntimeError, match="old is older than"):
        results.banner("fresh", "old")
