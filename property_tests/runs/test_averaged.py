"""The mean of the broadcasts: the plain formula, the record, checkpoints, and no way back into the run."""

import pytest
import torch

import fpsverify as fps
from fpsverify.errors import BadInput
from fpsverify.runs.averaged import FORGET
from fpsverify.runs.loop import prepare, rounds, run, run_in_memory
from fpsverify.vectors import SparseVector
from property_tests.support.own_models import federation
from property_tests.support.small_runs import SPARSE, small

KINDS = pytest.mark.parametrize("kind", ["last_half", "exponential"])


def entries(v: SparseVector) -> dict[int, float]:
    return dict(zip(v.indices.tolist(), v.values.tolist(), strict=True))


def broadcasts(config) -> list[torch.Tensor]:
    algorithm, setup, _ = prepare(config)
    return [algorithm.model(setup, s) for _, s, _ in rounds(algorithm, setup, algorithm.init(setup), 0)]


def by_hand(models: list, kind: str) -> torch.Tensor:
    """The definition, with all broadcasts at hand."""
    T = len(models) - 1
    if kind == "last_half":
        late = models[T // 2 + 1 :]
        return sum(late) / len(late)
    mean = models[1]
    for w in models[2:]:
        mean = (1 - FORGET) * mean + FORGET * w
    return mean


@KINDS
@pytest.mark.parametrize("T", [1, 2, 5, 6])
def test_it_is_the_mean_of_the_broadcasts_it_says(kind, T):
    config = small(f"rounds={T}", f"record.average={kind}")
    found = run_in_memory(config)
    torch.testing.assert_close(
        found.averaged, by_hand(broadcasts(config), kind), rtol=0, atol=1e-13
    )  # float64, at most 6 additions of numbers of order one
    _, setup, _ = prepare(config)
    metrics = setup.problem.evaluate(found.averaged, "negative")
    assert {f"averaged_{k}": v for k, v in metrics.items()}.items() <= found.rows[-1].items()


@KINDS
def test_nothing_of_it_goes_back_into_the_run(kind):
    plain, averaged = run_in_memory(small()), run_in_memory(small(f"record.average={kind}"))
    assert plain.averaged is None
    kept = [{k: v for k, v in row.items() if not k.startswith("averaged_")} for row in averaged.rows]
    assert kept == plain.rows
    first = next(row["round"] for row in averaged.rows if "averaged_accuracy" in row)
    assert first == (4 if kind == "last_half" else 2)  # T = 6, evaluated in every second round


def test_sparse_models_have_a_sparse_mean(tmp_path):
    config = small(*SPARSE, "rounds=4", "record.average=last_half")
    found = run(config, tmp_path / "run")
    late = [entries(w) for w in broadcasts(config)[3:]]
    mean = {i: sum(w.get(i, 0.0) for w in late) / 2 for i in {**late[0], **late[1]}}
    assert isinstance(found.averaged, SparseVector) and entries(found.averaged) == pytest.approx(mean)
    assert entries(run(None, tmp_path / "run", resume=True).averaged) == entries(found.averaged)


def test_a_trained_federation_has_both_models():
    trained = fps.train(federation(), rounds=4, sketch=(3, 40, 30), channel=0.1)
    w, mean = trained.w, trained.averaged
    assert not torch.equal(w, mean)
    flat = [torch.cat([p.flatten() for p in trained.module(averaged=a).parameters()]) for a in (False, True)]
    assert torch.equal(flat[0].detach(), w) and torch.equal(flat[1].detach(), mean)
    without = fps.train(federation(), rounds=2, sketch=(3, 40, 30), average=None)
    with pytest.raises(BadInput, match=r"^average: got None, expected 'last_half' or 'exponential'"):
        without.module(averaged=True)
