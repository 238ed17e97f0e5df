"""Files are whole or absent; links and devices survive being written to."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from fpsverify.errors import BadInput
from fpsverify.files import write_text
from property_tests import laws

SOURCE = laws.FILES


def test_a_file_is_replaced_whole_and_nothing_else_is_left(tmp_path: Path) -> None:
    write_text(tmp_path / "f", "one")
    write_text(tmp_path / "f", "two")
    assert (tmp_path / "f").read_text() == "two"
    assert [p.name for p in tmp_path.iterdir()] == ["f"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    """The same holds for /dev/null and /dev/stdout, which a test had better not risk."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    write_text(pipe, "through")
    reader.join(10)
    assert got == ["through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("place", ["", "absent/f", "file/f"])
def test_a_place_that_cannot_be_written_is_one_line(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("kept")
    with pytest.raises(BadInput, match="a writable place"):
        write_text(tmp_path / place, "x")
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["file"]
