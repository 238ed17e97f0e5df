"""TensorBoard: every number of the record, once, also after a resume; one line if the package is missing."""

import sys

import pytest

import fpsverify as fps
from fpsverify.cli import main
from fpsverify.errors import BadInput
from fpsverify.runs import checkpoint
from fpsverify.runs.record import read_rows
from property_tests.support.own_models import federation
from property_tests.support.small_runs import small


def scalars(folder):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    log = EventAccumulator(str(folder / "tensorboard")).Reload()
    return {tag: [(e.step, e.value) for e in log.Scalars(tag)] for tag in log.Tags()["scalars"]}


def recorded(folder):
    rows = read_rows(folder)
    names = {name for row in rows for name in row} - {"round"}
    return {n: [(row["round"], pytest.approx(row[n], rel=1e-6)) for row in rows if n in row] for n in names}


def test_the_log_is_the_record_also_of_a_resumed_run(tmp_path):
    (tmp_path / "small.toml").write_text(small("rounds=4").to_toml())
    out = tmp_path / "run"
    command = ["run", str(tmp_path / "small.toml"), "--out", str(out), "--quiet", "--tensorboard"]
    assert main(command) == 0
    assert scalars(out) == recorded(out)
    checkpoint.path_of(out, 4).unlink()
    assert main([*command, "--resume"]) == 0
    assert scalars(out) == recorded(out) and len(list((out / "tensorboard").iterdir())) == 1


def test_a_federation_is_logged_too(tmp_path):
    seen = []
    fps.train(
        federation(), rounds=2, sketch=(3, 40, 30), out=tmp_path, tensorboard=True, progress=seen.append
    )
    assert scalars(tmp_path)["w_norm_squared"] == recorded(tmp_path)["w_norm_squared"] and len(seen) == 3
    with pytest.raises(BadInput, match=r"^tensorboard: got True, expected out="):
        fps.train(federation(), rounds=2, sketch=(3, 40, 30), tensorboard=True)


def test_a_missing_package_is_one_line_and_nothing_is_written(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    (tmp_path / "small.toml").write_text(small().to_toml())
    out = tmp_path / "run"
    assert main(["run", str(tmp_path / "small.toml"), "--out", str(out), "--quiet", "--tensorboard"]) != 0
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "pip install 'fpsverify[tensorboard]'" in said and not out.exists()
