"""The k largest coordinates of the final model: evaluated, and kept beside the run."""

import pytest
import torch
from safetensors.torch import load_file, save_file

from fpsverify.errors import BadInput, FpsError
from fpsverify.runs import readout
from fpsverify.runs.loop import prepare, run, run_in_memory
from fpsverify.vectors import SparseVector
from property_tests.support.oracles import oracle_top_k
from property_tests.support.small_runs import SPARSE, Stop, small, stop_at

FRESH = "algorithm.name=fresh"


@pytest.mark.parametrize("name", ["fresh", "fps", "fedavg"])
@pytest.mark.parametrize("k", [1, 5, 21])
def test_it_is_the_k_largest_of_the_last_broadcast_and_changes_nothing_else(name, k):
    chosen = small(f"algorithm.name={name}", f"record.readout_k={k}")
    algorithm, setup, _ = prepare(chosen)
    result, plain = run_in_memory(chosen), run_in_memory(small(f"algorithm.name={name}"))
    w = algorithm.model(setup, result.state)
    assert result.rows == plain.rows and plain.readout is None
    assert result.readout.indices.tolist() == oracle_top_k(w.tolist(), k)
    assert torch.equal(result.readout.values, w[result.readout.indices])
    final = result.summary["final"]
    expected = setup.problem.evaluate(result.readout.dense(), "negative")
    assert {name: final[f"readout_{name}"] for name in expected} == expected
    if k == 21:
        assert final["readout_test_loss"] == final["test_loss"]


def test_a_sparse_problem_keeps_it_sparse():
    result = run_in_memory(
        small(*(x for x in SPARSE if ".k=" not in x), FRESH, "record.readout_k=3", "rounds=2")
    )
    assert isinstance(result.readout, SparseVector) and len(result.readout.indices) == 3
    assert "readout_test_loss" in result.summary["final"]


def test_it_is_in_the_folder_whether_the_run_was_killed_or_not_and_of_the_longest_run(tmp_path):
    chosen = small(FRESH, "record.readout_k=4")
    whole = run(chosen, tmp_path / "whole")
    with pytest.raises(Stop):
        run(chosen, tmp_path / "killed", progress=stop_at(4))
    run(None, tmp_path / "killed", resume=True)
    left, right = (readout.load(tmp_path / name) for name in ("whole", "killed"))
    assert torch.equal(left.indices, right.indices) and torch.equal(left.values, right.values)
    assert torch.equal(left.values, whole.readout.values) and left.d == 21
    run(small(FRESH, "record.readout_k=4", "rounds=8"), tmp_path / "whole", resume=True)
    assert not torch.equal(readout.load(tmp_path / "whole").values, left.values)


def test_a_changed_file_is_refused_by_name(tmp_path):
    run(small(FRESH, "record.readout_k=4"), tmp_path / "run")
    path = tmp_path / "run" / readout.FILE
    tensors = load_file(path)
    tensors["values"][0] += 1
    save_file(tensors, path, metadata={"d": "21", "sum": "0"})
    with pytest.raises(FpsError, match=r"readout.safetensors: unreadable"):
        readout.load(tmp_path / "run")


def test_more_coordinates_than_the_model_has_are_refused():
    with pytest.raises(BadInput, match=r"^record.readout_k: got 22, expected at most .* d = 21"):
        prepare(small("record.readout_k=22"))
