"""The mutation check judges rightly: what passes survives; what fails, dies or hangs is killed."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.mutation import sample
from benchmarks.mutation.__main__ import judged, state
from benchmarks.mutation.operators import apply, candidates
from property_tests import laws

SOURCE = laws.TOOLS

TESTS = """
import os, time
from theory.module import add
def test_sum(): assert add(1, 3) == 4
def test_dead(): os._exit(0)
def test_endless(): time.sleep(600)
"""
MODULE = (
    "def add(a, b):\n    return a + b\ndef same(a):\n    return a * 5  # pragma: no mutate: nobody asks\n"
)
# Runs where a worker runs: in a process of its own, below a copy of the repository.
ASK = """
import json, sys
from pathlib import Path
from benchmarks.mutation.sample import jobs
from benchmarks.mutation.worker import in_place, run_tests
root, test = Path.cwd(), "property_tests/some/test_module.py::"
job, = jobs(9, 1, root=root)
verdicts = [run_tests([test + name], 60) for name in ("test_sum", "test_dead")]
verdicts.append(run_tests([test + "test_endless"], 3))
for mutant in job.mutants:
    with in_place(mutant, Path(sys.argv[1])):
        verdicts.append(run_tests([test + "test_sum"], 60))
verdicts.append(run_tests([test + "test_sum"], 60))
print(json.dumps([[v["outcome"], v["by"].rpartition("::")[2]] for v in verdicts]))
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """As much of a repository as a worker needs."""
    folder = tmp_path / "repo"
    for name in ("theory", "property_tests/some"):
        (folder / name).mkdir(parents=True)
        (folder / name.partition("/")[0] / "__init__.py").touch()
    (folder / "theory" / "module.py").write_text(MODULE, encoding="utf-8")
    (folder / "property_tests" / "some" / "__init__.py").write_text(
        'WATCHES = ("theory",)\n', encoding="utf-8"
    )
    (folder / "property_tests" / "some" / "test_module.py").write_text(TESTS, encoding="utf-8")
    return folder


def test_passing_failing_dying_and_endless_tests_are_told_apart(repository: Path, tmp_path: Path) -> None:
    """A test that ends the process with success has not passed; a mutant is there only while it is judged."""
    original = shutil.copytree(repository, tmp_path / "original")
    environment = {**os.environ, "PYTHONPATH": str(sample.ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-P", "-c", ASK, str(original)]
    done = subprocess.run(command, cwd=repository, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    same, dead, endless = ["passed", ""], ["crashed", "test_dead"], ["timeout", "test_endless"]
    assert json.loads(done.stdout) == [same, dead, endless, ["failed", "test_sum"], same]


def test_every_mutant_of_the_sample_is_another_program() -> None:
    """The sample is the same for the same seed, and reaches every package."""
    chosen = sample.jobs(2, 1)
    few = "theory/bounds"
    assert sample.jobs(2, 1, few) == [job for job in chosen if few in job.path] != sample.jobs(2, 2, few)
    assert {job.path.partition("/")[0] for job in chosen} == {"fpsverify", "theory", "empirical"}
    for job in chosen:
        source = (sample.ROOT / job.path).read_text(encoding="utf-8")
        assert 1 <= len(job.mutants) <= 2 and job.tests
        for mutant in job.mutants:
            assert apply(source, mutant.number) != ast.unparse(ast.parse(source)) + "\n", mutant.name


def test_a_line_or_a_file_may_be_excused() -> None:
    assert [mutant.line for mutant in candidates(MODULE, "m.py")] == [2]
    assert candidates("# pragma: no mutate file: a reason\n" + MODULE, "m.py") == []


@pytest.mark.parametrize("killed", [True, False])
def test_a_verdict_is_kept_while_what_it_rests_on_is_the_same(killed: bool) -> None:
    """On the module, and on the test that killed the mutant, or on all that let it live."""
    (job,) = sample.jobs(1, 1, "theory/bounds/sketch_size.py")
    (name,), by = (mutant.name for mutant in job.mutants), f"{job.tests[0]}::test_x" if killed else ""
    code = dict.fromkeys((job.path, *job.tests), "a digest")
    known = {name: {"by": by, "state": state(job, by, code)}}
    for changed, kept in ((job.path, False), (job.tests[0], False), (job.tests[-1], killed), ("a.py", True)):
        assert judged(job, known, code | {changed: "another"}) == ({name} if kept else set())
