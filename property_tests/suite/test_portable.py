"""The matrix of processors: every row emulates what it says, and passed rows are not run again."""

import json
import os
import platform
import re
import subprocess
import sys

import pytest

from benchmarks.portable import __main__ as portable
from benchmarks.portable.processors import is_avx512, matrix
from property_tests import laws

SOURCE = laws.TOOLS

ROWS = {row.name: row for row in matrix()}
X86 = platform.machine() in ("x86_64", "AMD64")
PROBE = """
import json, numba, torch
from benchmarks.portable.processors import umath
left = [n for n in umath.__cpu_dispatch__ if umath.__cpu_features__.get(n)]
print(json.dumps([left, torch.backends.cpu.get_cpu_capability(), numba.config.CPU_NAME]))
"""


@pytest.mark.skipif(not X86, reason="only x86 processors stand in for older ones")
@pytest.mark.parametrize(
    ("name", "capability", "cpu"), [("sse4-1", "DEFAULT", "nehalem"), ("avx2-1", "AVX2", "haswell")]
)
def test_libraries_take_a_row_for_the_processor(name, capability, cpu):
    """No library warns about a name that it does not know, as numpy would."""
    command = [sys.executable, "-W", "error::ImportWarning", "-c", PROBE]
    environment = {**os.environ, **ROWS[name].environment}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=portable.ROOT)
    assert done.returncode == 0, done.stderr
    left, seen, numba_cpu = json.loads(done.stdout)
    assert (seen, numba_cpu) == (capability, cpu)
    assert not any(map(is_avx512, left)) and (name != "sse4-1" or not left)


@pytest.mark.skipif(not X86, reason="the workflow runs on x86")
def test_the_workflow_runs_every_row_with_both_numbers_of_threads():
    assert {row.environment["FPSVERIFY_THREADS"] for row in matrix()} == {"1", "2"}
    text = (portable.ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    listed = re.search(r"row: \[(.*)\]", text)
    assert listed is not None and set(listed[1].split(", ")) == set(ROWS)


def test_a_row_is_a_run_of_pytest_with_its_environment(tmp_path, capsys):
    """Counted as pytest counts; a failed test is named."""
    path = tmp_path / "test_two.py"
    path.write_text(
        "import torch\n"
        "def test_good(): assert torch.get_num_threads() == 2\n"
        "def test_bad(): assert torch.get_num_threads() == 1\n"
    )
    (tmp_path / "conftest.py").write_text("from property_tests import conftest\n")
    code, words = portable.run_row(ROWS["own-2"], [str(path)], tmp_path)
    assert code == 1 and "1 failed, 1 passed" in words and "test_two.py::test_bad" in words


def test_rows_that_passed_are_not_run_again_unless_something_changed(tmp_path, capsys, monkeypatch):
    rows, ran, codes = matrix()[:1], [], iter([1, 0, 0])

    def run_row(processor, *_):
        ran.append(processor.name)
        return next(codes), "1 passed"

    monkeypatch.setattr(portable, "run_row", run_row)
    for state, passes, runs in (("a", False, 1), ("a", True, 2), ("a", True, 2), ("b", True, 3)):
        monkeypatch.setattr(portable, "state_of_sources", lambda tests, state=state: state)
        assert portable.run_matrix(rows, ["x"], tmp_path) is passes and len(ran) == runs
    said = capsys.readouterr().out.splitlines()
    assert [rows[0].name in line for line in said] == [True] * 4
    assert "FAILED" in said[0] and "passed before" in said[2] and "passed: 1 passed" in said[3]
