"""Where the tasks of a grid run: here, in processes, or on a cluster that must be the same."""

import sys

import pytest

from fpsverify.errors import BadInput, FpsError
from fpsverify.grids import executors
from fpsverify.grids.task import measure
from fpsverify.reproduce.grid import trial_tasks
from property_tests.support.assertions import with_each_number_of_threads
from property_tests.support.small_runs import tiny_cell

NO_ADDRESS = (
    "", "here", "host:8786", "http://host:8786", "tcp://", "tcp://host", "tcp://:8786", "tcp://host:0",
    "tcp://host:70000", "tcp://host:port", "tcp://host:8786/path", "tcp://[::1:8786", "tcp://host:1?x=1",
)  # fmt: skip


@pytest.mark.parametrize("address", NO_ADDRESS)
def test_an_address_that_is_none_is_refused(address):
    with pytest.raises(BadInput, match="^--scheduler: got .*expected an address such as tcp://"):
        executors.require_address(address)


def test_numbers_of_processes_that_make_no_sense_and_a_cluster_without_the_extra_are_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    for jobs, scheduler, words in (
        (0, None, "^--jobs: got "),
        (-1, None, "^--jobs: got "),
        (2, "tcp://127.0.0.1:8786", "^--jobs: got "),
        (1, "tcp://127.0.0.1:8786", r"^--scheduler needs Dask: pip install 'fpsverify\[dask\]'$"),
    ):
        with pytest.raises(FpsError, match=words), executors.executor(jobs, scheduler):
            raise AssertionError("not refused")


def test_a_task_gives_the_same_bits_for_any_number_of_threads():
    """A network whose products torch would split over threads."""
    network = ("problem.objective=mlp", "problem.hidden=64", "problem.features=64", "problem.samples=2000")
    whole = ("dtype=float32", "rounds=2", "devices.M=1", "devices.scenario=1", "local.batch=0")
    task, *_ = trial_tasks(tiny_cell("BLCD", *network, *whole), None)
    one, two = with_each_number_of_threads((1, 2), lambda: measure(task)["curve"])
    assert one == two


def test_several_tasks_go_to_other_processes_and_one_stays_here(monkeypatch, tmp_path):
    def here(self, tasks, folder):
        raise FpsError("here")

    monkeypatch.setattr(executors.Here, "results", here)
    one, two = trial_tasks(tiny_cell("BLCD", trials=2), None)
    one.path(tmp_path).parent.mkdir(parents=True)
    done = list(executors.Processes(2).results([one, two], tmp_path))
    assert {found["task"] for found in done} == {one.name, two.name}
    with pytest.raises(FpsError, match="^here$"):
        list(executors.Processes(2).results([one], tmp_path))


def test_a_result_of_another_version_config_or_kind_of_data_is_refused():
    task, *_ = trial_tasks(tiny_cell(mus=()), None)
    result = measure(task)
    executors.require_ours(result, task, "generated")
    strange = {
        "torch 0.1 ": {"versions": {**result["versions"], "torch": "0.1"}},
        "result format 99 ": {"format": 99},
        "read another config": {"config_digest": "0"},
        "another config": {"task": "another"},
        "has real data": {"provenance": "real: clicks"},
    }
    for words, change in strange.items():
        with pytest.raises(FpsError, match=words) as caught:
            executors.require_ours({**result, **change}, task, "generated")
        assert "\n" not in str(caught.value) and task.name in str(caught.value)
