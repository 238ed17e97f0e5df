"""IDX files: every array survives, no bytes crash the parser, image sets load only when they are right."""

import gzip
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from fpsverify.data.labelled import DenseData
from fpsverify.data.mnist import FILES, decompressed, load_folder, load_images, parse_idx
from fpsverify.errors import BadInput
from fpsverify.problems.build import subset
from property_tests.support.idx_files import checksums, encode, small_set

any_array = arrays.arrays(np.uint8, arrays.array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=4))


@given(any_array)
def test_every_array_survives(array: np.ndarray) -> None:
    found = parse_idx(encode(array))
    assert found.dtype == array.dtype
    assert found.shape == array.shape
    assert found.tobytes() == array.tobytes()


@given(any_array, st.data())
def test_a_file_that_is_cut_or_longer_is_refused(array: np.ndarray, data: st.DataObject) -> None:
    whole = encode(array)
    cut = data.draw(st.integers(0, len(whole) - 1))
    with pytest.raises(BadInput):
        parse_idx(whole[:cut])
    with pytest.raises(BadInput, match=f"'{len(whole) + 1} bytes', expected {len(whole)} bytes"):
        parse_idx(whole + b"\0")


header_like = st.builds(
    lambda code, sizes, rest: (
        bytes([0, 0, code, len(sizes)]) + b"".join(s.to_bytes(4, "big") for s in sizes) + rest
    ),
    st.sampled_from([8, 0, 9, 255]),
    st.lists(st.sampled_from([0, 1, 2, 2**31, 2**32 - 1]), max_size=9),
    st.binary(max_size=16),
)


@given(st.binary(max_size=64) | header_like | st.binary(max_size=64).map(lambda b: b"\x1f\x8b" + b))
@example(bytes([0, 0, 8, 3]) + bytes(4) + b"\xff" * 8)  # empty, yet too big for numpy
@example(gzip.compress(b"", mtime=0)[:10] + b"\xff" * 20)  # a gzip header, then no valid deflate block
def test_no_bytes_do_worse_than_one_clear_line(content: bytes) -> None:
    try:
        parse_idx(decompressed(content, "some file"), "some file")
    except BadInput as error:
        assert str(error).startswith("some file: ")
        assert "\n" not in str(error)


@given(st.binary(max_size=200), st.data())
def test_gzip_is_recognised_by_content_and_damage_is_noticed(content: bytes, data: st.DataObject) -> None:
    packed = gzip.compress(content, mtime=0)
    assert decompressed(packed) == content
    cut = data.draw(st.integers(3, len(packed) - 1))
    with pytest.raises(BadInput, match="gzip"):
        decompressed(packed[:cut])


def test_a_compressed_bomb_stops_at_the_limit() -> None:
    with pytest.raises(BadInput, match="more than 1000 bytes"):
        decompressed(gzip.compress(bytes(1001)), limit=1000)
    assert decompressed(gzip.compress(bytes(1000)), limit=1000) == bytes(1000)


def write(folder: Path, files: dict[str, bytes], how: str) -> None:
    for part, content in files.items():
        name = FILES[part].replace("-idx", ".idx") if "dotted" in how else FILES[part]
        packed = "gz" in how
        (folder / (name + ".gz" * packed)).write_bytes(gzip.compress(content) if packed else content)


@pytest.mark.parametrize("how", ["plain", "gz", "dotted", "dotted gz"])
def test_an_image_set_loads_in_all_its_usual_forms(tmp_path: Path, how: str) -> None:
    files = small_set()
    write(tmp_path, files, how)
    data = load_folder(tmp_path, "small", checksums(files))
    assert (data.X.shape, data.X_test.shape) == ((6, 6), (4, 6))
    assert data.y.tolist() == [0, 1, 2, 3, 4, 5]
    pixels = parse_idx(files["train images"]).reshape(6, 6).astype(np.float32)
    assert np.array_equal(data.X.numpy(), pixels / np.float32(255))
    assert data.task == "multiclass" and data.provenance.startswith("real: small")


@pytest.mark.parametrize("part", list(FILES))
def test_one_changed_byte_or_missing_file_is_refused(tmp_path: Path, part: str) -> None:
    files = small_set()
    expected = checksums(files)
    write(tmp_path, files | {part: files[part][:-1] + bytes([files[part][-1] ^ 1])}, "plain")
    with pytest.raises(BadInput, match="sha256"):
        load_folder(tmp_path, "small", expected)
    (tmp_path / FILES[part]).unlink()
    with pytest.raises(BadInput, match=FILES[part]):
        load_folder(tmp_path, "small", expected)


def test_files_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    files = small_set()
    too_few = encode(np.zeros(5, dtype=np.uint8))
    no_class = encode(np.full(6, 10, dtype=np.uint8))
    for labels, message in ((too_few, "N images and N labels"), (no_class, "0 to 9")):
        wrong = files | {"train labels": labels}
        write(tmp_path, wrong, "plain")
        with pytest.raises(BadInput, match=message):
            load_folder(tmp_path, "small", checksums(wrong))


def test_an_absent_set_says_where_to_put_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FPSVERIFY_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(BadInput, match=r"four IDX files .* in .*mnist.*data fetch mnist"):
        load_images("mnist")
    with pytest.raises(BadInput, match="mnist or fashion"):
        load_images("cifar")


def images(n: int, m: int) -> DenseData:
    """Row i of X is (i, 2i), its label and group are i: rows that were torn apart would show."""
    train, test = torch.arange(n), torch.arange(m)
    pixels = [torch.stack([t, 2 * t], dim=1).float() for t in (train, test)]
    return DenseData("multiclass", pixels[0], train, np.arange(n), pixels[1], test, max(n, m), "made up")


@given(st.integers(1, 30), st.integers(1, 30), st.integers(0, 99), st.data())
def test_a_subset_has_whole_rows_each_once_and_no_more_than_there_are(n, m, seed, data):
    samples, tests = data.draw(st.integers(1, n)), data.draw(st.integers(1, m))
    found = subset(images(n, m), samples, tests, seed)
    assert len(found.X) == samples and len(found.X_test) == tests
    for X, y, size in ((found.X, found.y, samples), (found.X_test, found.y_test, tests)):
        assert torch.equal(X[:, 0].long(), y) and torch.equal(X[:, 1].long(), 2 * y)
        assert len(set(y.tolist())) == size
    assert torch.equal(torch.as_tensor(found.groups), found.y)
    assert torch.equal(subset(images(n, m), samples, tests, seed).y, found.y)
    for field, sizes, most in (("samples", (n + 1, tests), n), ("test_samples", (samples, m + 1), m)):
        with pytest.raises(BadInput, match=f"^problem.{field}: got {most + 1}, expected at most"):
            subset(images(n, m), *sizes, seed)
