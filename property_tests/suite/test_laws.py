"""The list of laws is complete, and a law that fails says which one it is and how to repeat it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from property_tests import laws

SOURCE = laws.TOOLS

FOLDER = Path(__file__).parents[1]
ROOT = FOLDER.parent
SAMPLE = '''
from hypothesis import given, strategies as st

@given(st.integers())
def test_whole_numbers_are_small(n):
    """Every one is below 1000.

    It is not.
    """
    assert n < 1000

def test_a_law_without_a_docstring_has_its_name():
    assert False

def test_that_holds():
    assert True
'''


def test_every_test_file_names_its_source() -> None:
    """`SOURCE = laws.…`, the place of the paper that its laws come from."""
    for path in FOLDER.rglob("test_*.py"):
        assert "\nSOURCE = laws." in path.read_text(encoding="utf-8"), path


def run_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """pytest in another process, with this folder's conftest and its imports."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "FPSVERIFY_PROFILE": "dev"}
    environment.pop("PYTEST_ADDOPTS", None)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def section(output: str, title: str) -> list[str]:
    """The lines below each heading of that name."""
    lines = output.splitlines()
    return [lines[i + 1] for i, line in enumerate(lines) if line.strip("- ") == title and "--" in line]


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample")
    (folder / "test_sample.py").write_text(SAMPLE, encoding="utf-8")
    (folder / "conftest.py").write_text(
        (FOLDER / "conftest.py").read_text(encoding="utf-8"), encoding="utf-8"
    )
    return folder


def test_a_failing_law_prints_itself_its_shrunk_input_and_a_line_that_repeats_it(failing: Path) -> None:
    first = run_pytest(failing, "test_sample.py")
    assert first.returncode == 1 and "1 passed" in first.stdout
    assert section(first.stdout, "law") == [
        "Whole numbers are small. Every one is below 1000.",
        "A law without a docstring has its name.",
    ]
    assert "n=1000," in first.stdout  # shrunk
    assert "@reproduce_failure(" in first.stdout  # the blob
    line = section(first.stdout, "reproduce")[0]
    assert (
        line.endswith("python -m pytest test_sample.py::test_whole_numbers_are_small")
        and "FPSVERIFY_PROFILE=dev" in line
    )
    again = run_pytest(failing, *line.partition(" -m pytest ")[2].split())
    assert again.returncode == 1 and "n=1000," in again.stdout and "1 failed" in again.stdout


def test_the_list_of_laws_is_written_and_nothing_runs(tmp_path: Path) -> None:
    out, files = (
        tmp_path / "laws.json",
        ("suite/test_assertions.py", "algorithms/test_channel.py", "runs/test_run_resume.py"),
    )
    done = run_pytest(ROOT, "-q", *(f"property_tests/{name}" for name in files), "--laws", str(out))
    assert done.returncode == 0 and "passed" not in done.stdout, done.stdout + done.stderr
    found = {law["test"]: law for law in json.loads(out.read_text(encoding="utf-8"))["laws"]}
    known = found["property_tests/suite/test_assertions.py::test_wrong_rates_are_rejected"]
    assert known["sentence"].startswith("Wrong rates are rejected. 250 of 1000 ")
    assert known["source"].startswith("design") and known["lines"] == ""
    channel = [law for test, law in found.items() if "test_channel" in test]
    assert len(channel) > 5 and all(law["lines"] == "160-171" for law in channel)
    (machine,) = [law for test, law in found.items() if "runTest" in test]
    assert machine["sentence"] == machine["about"]
