"""The mutation check judges rightly: what passes survives; what fails, dies or hangs is killed."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from property_tests import laws
from property_tests.mutation import copies, driver, progress, table
from property_tests.mutation.operators import Mutant, apply, candidates
from property_tests.mutation.targets import EQUIVALENT, targets

SOURCE = laws.TOOLS

FOLDER = Path(__file__).parents[1]
CHOSEN = driver.choose(2, 1)
SAMPLE = """
import os, time
def test_good(): assert True
def test_bad(): assert False
def test_dead(): os._exit(0)
def test_endless(): time.sleep(600)
"""


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As much of a repository as the server of tests needs."""
    folder = tmp_path_factory.mktemp("copy") / "repo"
    (folder / "property_tests").mkdir(parents=True)
    (folder / "property_tests" / "test_sample.py").write_text(SAMPLE, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def server(repository: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-P", str(copies.SERVER)]
    with subprocess.Popen(
        command, cwd=repository, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None and json.loads(process.stdout.readline()) == "ready"
        yield process
        process.terminate()


def ask(
    server: subprocess.Popen[str], *names: str, limits: dict[str, float] | None = None
) -> tuple[str, str]:
    tests = [f"property_tests/test_sample.py{name and '::' + name}" for name in names]
    request = {"tests": tests, "limits": limits or {}, "grace": 0.0, "compiled": None}
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(json.dumps(request) + "\n")
    server.stdin.flush()
    answer = json.loads(server.stdout.readline())
    return answer["outcome"], answer["by"].rpartition("::")[2]


def test_passing_failing_dying_and_endless_tests_are_told_apart(server) -> None:
    """A test that ends the process with success has not passed: nothing after it ran."""
    assert ask(server, "test_good") == ("passed", "")
    assert ask(server, "test_good", "test_bad") == ("failed", "test_bad")
    assert ask(server, "test_dead") == ("crashed", "test_dead")
    endless = "property_tests/test_sample.py::test_endless"
    assert ask(server, "test_endless", limits={endless: 0.2}) == ("timeout", "test_endless")
    assert ask(server, "test_absent")[0] == "crashed"


def test_a_change_on_disk_is_seen_by_the_next_run(server, repository) -> None:
    """Also in a file of the same size."""
    path = repository / "property_tests" / "test_sample.py"
    try:
        path.write_text(SAMPLE.replace("assert True", "assert None"), encoding="utf-8")
        assert ask(server, "test_good") == ("failed", "test_good")
    finally:
        path.write_text(SAMPLE, encoding="utf-8")


def test_every_mutant_of_the_sample_is_another_program() -> None:
    for mutant, _ in CHOSEN:
        source = (copies.ROOT / mutant.path).read_text(encoding="utf-8")
        changed = ast.parse(apply(source, mutant.number))
        assert ast.unparse(changed) != ast.unparse(ast.parse(source)), mutant.name


def test_a_mutant_is_in_place_only_within_its_block(tmp_path) -> None:
    """Its time differs from that of the original and of every other mutant; then all is as before."""
    path = tmp_path / "repo" / "module.py"
    path.parent.mkdir()
    source = "from fpsverify.kernels.jit import compiled\nx = 1 + 2\ny = 5 - 3\n"
    path.write_text(source, encoding="utf-8")
    copy = copies.Copy.__new__(copies.Copy)
    copy.folder, copy.repo = tmp_path, path.parent
    times = {path.stat().st_mtime}
    for mutant in candidates(source, "module.py"):
        with copy.mutated(mutant) as fresh:
            assert path.read_text(encoding="utf-8") == apply(source, mutant.number)
            assert fresh is not None and not list(fresh.iterdir())
            times.add(path.stat().st_mtime)
        assert path.read_text(encoding="utf-8") == source
    assert len(times) == 1 + len(candidates(source, "module.py"))
    assert path.stat().st_mtime in times
    assert not copies.is_compiled("import torch\n") and copies.is_compiled("import numba\n")


def test_every_excuse_is_for_one_mutant_that_exists() -> None:
    """Its text occurs once in the module: an excuse must not serve another mutant."""
    for key in EQUIVALENT:
        path = key.partition(":")[0]
        pool = Counter(m.key for m in candidates((copies.ROOT / path).read_text(encoding="utf-8"), path))
        assert pool[key] == 1, key


def test_targets_and_their_tests_exist_and_cover_the_packages() -> None:
    found = targets()
    assert all((copies.ROOT / path).is_file() for path in found)
    assert all((FOLDER / name).is_file() for tests in found.values() for name in tests)
    assert {path.partition("/")[0] for path in found} == {"fpsverify", "theory", "empirical", "benchmarks"}
    assert len(CHOSEN) >= 60 and len({m.name for m, _ in CHOSEN}) == len(CHOSEN)


MUTANT = Mutant("a.py", 1, 0, "1 + 2", "1 - 2")
KILLED = driver.row(MUTANT, ("test_a.py",), copies.Verdict("failed", "test_a.py::test_x", 1.0, {}))


def test_verdicts_are_kept_for_the_same_sources_only(tmp_path) -> None:
    place = tmp_path / "build" / "progress.json"
    assert progress.Progress.load("one", place).rows == {}
    known = progress.Progress("one", {MUTANT.name: KILLED}, {"test_a.py": {"test_x": 0.5}}, 100.0, place)
    known.save()
    again = progress.Progress.load("one", place)
    assert again.rows == known.rows and again.baseline == known.baseline and again.elapsed >= 100
    assert progress.Progress.load("other", place).rows == {}
    place.write_text("{", encoding="utf-8")
    assert progress.Progress.load("one", place).rows == {}


def test_the_share_leaves_out_equivalent_mutants_and_shows_wrong_excuses(monkeypatch, tmp_path) -> None:
    survivor = {**KILLED, "mutant": "b", "key": "b", "killed": False}
    equal = {**survivor, "mutant": "c", "key": "c"}
    monkeypatch.setattr(table, "EQUIVALENT", {"c": "the same", MUTANT.key: "not the same"})
    known = progress.Progress("one", {r["mutant"]: r for r in (KILLED, survivor, equal)})
    found = table.summary(known, 1, 2)
    assert (found["total"], found["killed"], found["equivalent"], found["share"]) == (3, 1, 1, 0.5)
    assert table.wrongly_excused(found) == [MUTANT.name]
    stored = tmp_path / "table.json"
    stored.write_text(json.dumps(found), encoding="utf-8")
    assert progress.last_killers(stored) == {MUTANT.name: "test_a.py::test_x"}
    assert progress.last_killers(tmp_path / "absent") == {}


def test_a_mutant_survives_only_if_its_whole_list_of_tests_passes() -> None:
    """The test that killed it last time goes first; if it passes, all of them run."""

    class Recorder:
        def __init__(self, *outcomes: str) -> None:
            self.outcomes, self.asked = list(outcomes), []

        def run(self, tests, limits, grace, compiled):
            self.asked.append(tests)
            return copies.Verdict(self.outcomes.pop(0), "", 1.0, {})

    known = progress.Progress("one", baseline={"test_a.py": {"property_tests/test_a.py::test_x": 0.5}})
    check = driver.Check(known, {MUTANT.name: "property_tests/test_a.py::test_x"}, 1)
    for outcomes, killed, asked in (
        (["failed"], True, [("test_a.py::test_x",)]),
        (["passed", "passed"], False, [("test_a.py::test_x",), ("test_a.py",)]),
        (["passed", "timeout"], True, [("test_a.py::test_x",), ("test_a.py",)]),
    ):
        recorder = Recorder(*outcomes)
        verdict = check._judge(recorder, MUTANT, ("test_a.py",), None)
        assert (verdict.killed, recorder.asked) == (killed, asked)
    forgotten = Recorder("passed")
    assert not check._judge(forgotten, replace(MUTANT, line=2), ("test_a.py",), None).killed
    assert forgotten.asked == [("test_a.py",)]


def test_a_copy_holds_every_module_and_nothing_that_commands_leave() -> None:
    """A package whose name is also that of a folder of results is copied all the same."""
    for package in ("fpsverify", "theory", "empirical", "benchmarks", "property_tests"):
        for module in (copies.ROOT / package).rglob("*.py"):
            for step in [module, *module.parents]:
                if step != copies.ROOT and step.is_relative_to(copies.ROOT):
                    assert not copies.skipped(str(step.parent), [step.name])
    left = ["runs", "build", ".venv", ".git"]
    assert copies.skipped(str(copies.ROOT), [*left, "theory"]) == set(left)
