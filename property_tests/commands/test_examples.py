"""The examples are configs that can be read, one has a finite bound, and the script with a CNN runs."""

import json
import runpy
import sys
from functools import wraps
from pathlib import Path

import numpy as np
import pytest

from fpsverify.cli import main
from fpsverify.data import mnist
from fpsverify.own import training
from fpsverify.own.training import train
from fpsverify.runs import record
from property_tests.support.idx_files import checksums, encode

ROOT = Path(__file__).parents[2]
SHORTER = ("rounds=40", "record.checkpoint_every=4", "devices.M=5")


def test_the_bounded_example_has_a_finite_bound_above_the_runs_mean_gradient(tmp_path, capsys):
    """Shortened: a fifth of the rounds, half of the devices, as many checkpoints."""
    folder, example = tmp_path / "run", str(ROOT / "examples" / "bounded.toml")
    changes = [word for each in SHORTER for word in ("--set", each)]
    assert main(["run", example, "--out", str(folder), "--quiet", *changes]) == 0
    capsys.readouterr()
    assert main(["estimate", str(folder), "--json", "--quiet", "--replicates", "12"]) == 0
    bound = json.loads(capsys.readouterr().out)["bound"]
    squares = [row["grad_norm_squared"] for row in record.read_rows(folder)][:-1]
    mean = sum(squares) / len(squares)
    assert bound["theorem_a"] is not None and bound["why_not"] == ""
    assert 0 < mean < bound["theorem_a"] < 100 * mean
    assert bound["holds"] and abs(bound["measured_average"]["estimate"] / mean - 1) < 1e-9


LEARNS = ("gru", "two_towers", "decoder", "cnn", "bag_of_words", "regression")


@pytest.mark.parametrize("name", LEARNS)
def test_an_example_is_short_and_learns(name, monkeypatch, capsys):
    """As it stands, but for fewer rounds."""
    script = (ROOT / "examples" / f"{name}.py").read_text(encoding="utf-8")
    assert len([line for line in script.splitlines() if line]) <= 15
    runs = []

    @wraps(train)
    def shorter(*given, **options):
        runs.append(train(*given, **{**options, "rounds": 25}))
        return runs[0]

    monkeypatch.setattr(training, "train", shorter)
    exec(compile(script, name, "exec"), {"__name__": name})
    losses = [row[key] for row in runs[0].rows for key in ("test_loss", "train_loss") if key in row]
    assert losses[-1] < 0.95 * losses[0] and capsys.readouterr().out


def small_digits(folder: Path) -> dict[str, str]:
    """Four IDX files of generated digits in place of MNIST's, and their digests by part."""
    generator, files = np.random.default_rng(1), {}
    folder.mkdir()
    shapes = generator.integers(0, 256, (10, 28, 28))
    for part, rows in (("train", 300), ("test", 60)):
        labels = np.arange(rows, dtype=np.uint8) % 10
        noisy = shapes[labels] * 0.7 + generator.integers(0, 77, (rows, 28, 28))
        for kind, array in (("images", noisy.astype(np.uint8)), ("labels", labels)):
            files[f"{part} {kind}"] = encode(array)
            (folder / mnist.FILES[f"{part} {kind}"]).write_bytes(encode(array))
    return checksums(files)


def test_the_script_with_a_cnn_goes_from_advice_to_a_page(tmp_path, monkeypatch, capsys):
    """As it stands but for sizes, on generated digits that are read as MNIST's are."""
    script = (ROOT / "examples" / "own_model.py").read_text(encoding="utf-8")
    assert len([line for line in script.splitlines() if line]) <= 15
    monkeypatch.setenv("FPSVERIFY_DATA", str(tmp_path))
    monkeypatch.setitem(mnist.SHA256, "mnist", small_digits(tmp_path / "mnist"))
    monkeypatch.setattr(sys, "argv", ["own_model.py", str(tmp_path / "run")])
    shorter = script.replace("2000, 500", "300, 60").replace('"rounds": 100', '"rounds": 30')
    shorter = shorter.replace("fps.advise(devices,", "fps.advise(devices, pilot=15,")
    assert "300, 60" in shorter and "pilot=15" in shorter
    (tmp_path / "own_model.py").write_text(shorter, encoding="utf-8")
    runpy.run_path(str(tmp_path / "own_model.py"))
    said, summary = capsys.readouterr().out, json.loads((tmp_path / "run" / "summary.json").read_bytes())
    assert summary["M"] == 8 and summary["final"]["accuracy"] > 0.8
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert "Page: " in said and page.startswith("<!doctype html>") and "0 devices" not in page
