"""The list of laws is complete, and a law that fails says which one it is and how to repeat it."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from property_tests import laws

SOURCE = laws.TOOLS

FOLDER = Path(__file__).parents[1]
SAMPLE = '''
"""A machine agrees with a table."""
import unittest
from hypothesis import given, strategies as st
from property_tests import laws

SOURCE = laws.MAC

@given(st.integers())
def test_whole_numbers_are_small(n):
    """Every one is below 1000.

    It is not.
    """
    assert n < 1000

def test_a_law_without_a_docstring_has_its_name():
    assert False

class Machine(unittest.TestCase):
    def runTest(self):
        assert True
'''
SENTENCES = ["Whole numbers are small. Every one is below 1000.", "A law without a docstring has its name."]


def test_every_test_file_names_its_source() -> None:
    """`SOURCE = laws.…`, the place of the paper that its laws come from."""
    for path in FOLDER.rglob("test_*.py"):
        assert "\nSOURCE = laws." in path.read_text(encoding="utf-8"), path


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample")
    (folder / "test_sample.py").write_text(SAMPLE, encoding="utf-8")
    shutil.copy(FOLDER / "conftest.py", folder)
    return folder


def run_pytest(folder: Path, *arguments: str) -> tuple[int, str]:
    """The exit code and the words of pytest in another process, with the conftest of this suite."""
    environment = {**os.environ, "PYTHONPATH": str(FOLDER.parent), "FPSVERIFY_PROFILE": "dev"}
    environment.pop("PYTEST_ADDOPTS", None)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout


def test_a_failing_law_prints_itself_its_shrunk_input_and_a_line_that_repeats_it(sample: Path) -> None:
    code, words = run_pytest(sample, "test_sample.py")
    assert code == 1 and "1 passed" in words
    assert re.findall(r"^-+ law -+\n(.*)$", words, re.MULTILINE) == SENTENCES
    assert "n=1000," in words and "@reproduce_failure(" in words  # shrunk, and the blob
    line = re.findall(r"^-+ reproduce -+\n(.*)$", words, re.MULTILINE)[0]
    assert "FPSVERIFY_PROFILE=dev" in line
    code, words = run_pytest(sample, *line.partition(" -m pytest ")[2].split())
    assert code == 1 and "n=1000," in words and "1 failed" in words and "passed" not in words


def test_the_list_of_laws_is_written_and_nothing_runs(sample: Path, tmp_path: Path) -> None:
    code, words = run_pytest(sample, "-q", "test_sample.py", "--laws", str(tmp_path / "laws.json"))
    assert code == 0 and "passed" not in words and "failed" not in words, words
    found = json.loads((tmp_path / "laws.json").read_text(encoding="utf-8"))["laws"]
    assert [law["sentence"] for law in found] == [*SENTENCES, "A machine agrees with a table."]
    assert found[0]["test"] == "test_sample.py::test_whole_numbers_are_small"
    assert {(law["source"], law["lines"]) for law in found} == {(laws.MAC.place, "160-171")}
