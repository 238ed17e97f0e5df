"""The accuracy at the advised rate stands beside the best of a grid around it."""

from __future__ import annotations

import pytest

from benchmarks.estimates import advised_accuracy
from fpsverify import config as configs
from property_tests import laws

SOURCE = laws.ADVICE


def test_the_advised_rate_is_one_of_the_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advised_accuracy, "POWERS", (-3, 0, 3))
    values = {
        "rounds": 15,
        "problem": {"data": "blobs", "objective": "softmax", "samples": 80, "features": 6, "classes": 3},
        "devices": {"M": 2},
        "algorithm": {"name": "fedavg"},
        "channel": {"kind": "ideal"},
    }
    row = advised_accuracy.measure("small", configs.parse(values))
    assert [each["gamma"] / row["recommended"] for each in row["grid"]] == [1 / 8, 1, 8]
    assert row["accuracy"] == row["grid"][1]["accuracy"] == row["best"]["accuracy"] - row["below_best"]
    assert f"{row['accuracy']:.1%} at the advised" in advised_accuracy.line(row)


def test_a_run_that_diverges_has_no_accuracy() -> None:
    values = {"rounds": 300, "problem": {"data": "blobs", "objective": "mlp", "samples": 60, "hidden": 4}}
    assert advised_accuracy.accuracy(configs.parse(values), 1e30) == 0
