"""Where image data come from: archives cannot decide where files land, programs that fail are named."""

from __future__ import annotations

import io
import sys
import tarfile

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from fpsverify.data import fetch
from fpsverify.data.labelled import DenseData
from fpsverify.problems.build import subset
from property_tests import laws

SOURCE = laws.FILES


def archive(path, files: dict[str, bytes]) -> None:
    with tarfile.open(path, "w:gz") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))


def test_only_data_files_leave_an_archive_and_only_into_the_folder(tmp_path):
    inside = tmp_path / "inside"
    inside.mkdir()
    names = {"package/data/a-ubyte": b"1", "../outside-ubyte": b"2", "/absolute-ubyte": b"3", "code.js": b"4"}
    archive(tmp_path / "p.tgz", names)
    fetch._unpack(tmp_path / "p.tgz", inside)
    found = {p.name: p.read_bytes() for p in inside.iterdir()}
    assert found == {"a-ubyte": b"1", "outside-ubyte": b"2", "absolute-ubyte": b"3"}
    assert not (tmp_path / "outside-ubyte").exists()


def test_a_damaged_archive_makes_a_source_unavailable(tmp_path):
    (tmp_path / "p.tgz").write_bytes(b"no archive")
    with pytest.raises(fetch.Unavailable, match=r"p\.tgz"):
        fetch._unpack(tmp_path / "p.tgz", tmp_path)


def test_a_program_that_is_absent_fails_or_is_silent_is_named(tmp_path, monkeypatch):
    with pytest.raises(fetch.Unavailable, match="no such-program-anywhere here"):
        fetch._program(["such-program-anywhere"], tmp_path)
    with pytest.raises(fetch.Unavailable, match="failed: the last line"):
        fetch._program([sys.executable, "-c", "import sys; sys.exit('first\\nthe last line')"], tmp_path)
    monkeypatch.setattr(fetch, "TIMEOUT", 1)  # only now: a busy machine may need longer to start a program
    with pytest.raises(fetch.Unavailable, match="took more than 1 s"):
        fetch._program([sys.executable, "-c", "import time; time.sleep(600)"], tmp_path)


def images(n: int, m: int) -> DenseData:
    """Row i of X is (i, 2i), its label and group are i: rows that were torn apart would show."""
    train, test = torch.arange(n), torch.arange(m)
    pixels = [torch.stack([t, 2 * t], dim=1).float() for t in (train, test)]
    return DenseData("multiclass", pixels[0], train, np.arange(n), pixels[1], test, max(n, m), "made up")


@given(st.integers(1, 30), st.integers(1, 30), st.integers(0, 99), st.data())
def test_a_subset_has_whole_rows_each_once(n, m, seed, data):
    samples, tests = data.draw(st.integers(1, n)), data.draw(st.integers(1, m))
    found = subset(images(n, m), samples, tests, seed)
    assert len(found.X) == samples and len(found.X_test) == tests
    for X, y, size in ((found.X, found.y, samples), (found.X_test, found.y_test, tests)):
        assert torch.equal(X[:, 0].long(), y) and torch.equal(X[:, 1].long(), 2 * y)
        assert len(set(y.tolist())) == size
    assert torch.equal(torch.as_tensor(found.groups), found.y)
    assert torch.equal(subset(images(n, m), samples, tests, seed).y, found.y)
