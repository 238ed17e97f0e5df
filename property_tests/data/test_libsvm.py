"""LIBSVM text to binary rows: round trip, malformed lines by number, nothing dropped in silence."""

import bz2
import gzip
import lzma

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fpsverify.data import libsvm
from fpsverify.data.libsvm import (
    Malformed,
    Report,
    convert,
    load_converted,
    open_stored,
    parse_line,
    read_rows,
)
from fpsverify.errors import BadInput, FpsError
from fpsverify.problems import build
from property_tests.support.commands import refusal
from property_tests.support.small_runs import small

rows = st.lists(
    st.tuples(
        st.sampled_from(["1", "+1", "0", "-1", "1.0", "-1.0"]),
        st.dictionaries(st.integers(1, 60), st.floats(-1e6, 1e6, width=32), max_size=6),
    ),
    min_size=1,
    max_size=12,
)


def text_of(data) -> str:
    lines = [" ".join([label, *(f"{i}:{x!r}" for i, x in sorted(pairs.items()))]) for label, pairs in data]
    return "\n".join(lines) + "\n"


@given(data=rows, seed=st.integers(0, 99))
def test_what_is_written_is_what_was_read_in_any_choice_of_rows(data, seed, tmp_path_factory):
    folder = tmp_path_factory.mktemp("svm")
    source, out = folder / "a.svm", folder / "a.safetensors"
    source.write_text(text_of(data))
    report = convert(source, out, features=60)
    assert (report.lines, report.rows, report.malformed) == (len(data), len(data), 0)
    stored = open_stored(out)
    ids = np.random.default_rng(seed).integers(0, len(data), 2 * len(data))
    got, chosen = stored.rows(ids), [data[i] for i in ids]
    assert stored.d == got.d == 60 and stored.n == len(data)
    assert got.labels.tolist() == [int(float(label) > 0) for label, _ in chosen]
    for i, (_, pairs) in enumerate(chosen):
        a, b = int(got.indptr[i]), int(got.indptr[i + 1])
        assert [
            (j + 1, x) for j, x in zip(got.indices[a:b].tolist(), got.values[a:b].tolist(), strict=True)
        ] == [(j, float(np.float32(x))) for j, x in sorted(pairs.items())]


BAD = [
    ("2 1:1", "label '2' is not -1, 0 or 1"),
    ("nan 1:1", "label 'nan'"),
    ("1 3:1 2:1", "index 2 after 3"),
    ("1 2:1 2:1", "index 2 after 2"),
    ("1 0:1", "index 0 is below 1"),
    ("1 5", "'5' is not index:value"),
    ("1 a:1", "'a:1' is not index:value"),
    ("1 -1:1", "'-1:1' is not index:value"),
    ("1 1:", "'1:' is not index:value"),
    ("1 1:1_0", "'1:1_0' is not index:value"),
    ("1 1:nan", "'1:nan' is not finite"),
    ("1 1:1e999", "'1:1e999' is not finite"),
    ("1 qid:3 1:1", "'qid:3' is not index:value"),
    ("1 61:1", "index 61 with only 60 features"),
]


def test_blank_lines_comments_and_files_that_count_from_zero():
    assert parse_line("") is None and parse_line("  # only text") is None
    assert parse_line("1").indices == [] and parse_line("0 7:1 # x").indices == [6]
    assert parse_line("1 0:2 59:3", base=0, features=60).indices == [0, 59]
    with pytest.raises(Malformed):
        parse_line("1 60:1", base=0, features=60)


def test_malformed_lines_are_reported_by_number_and_reason_and_left_out_only_if_asked(tmp_path):
    """Nothing is written unless leaving them out was asked for; then the file remembers."""
    source = tmp_path / "mixed.svm"
    lines = ["1 1:1 2:2", "", *(line for line, _ in BAD), "0 3:1"]
    source.write_bytes("\n".join(lines).encode() + b"\n1 1:\xff\n")
    report = convert(source, tmp_path / "out", features=60)
    n = len(BAD)
    assert (report.lines, report.rows, report.blank, report.malformed) == (n + 4, 2, 1, n + 1)
    assert [number for number, _ in report.first] == [*range(3, n + 3), n + 4]
    for (_, said), (_, reason) in zip(report.first, BAD, strict=False):
        assert said.startswith(reason)
    assert report.message("mixed.svm").startswith("mixed.svm: line 3: label '2' is not -1, 0 or 1; line 4: ")
    assert [p.name for p in tmp_path.iterdir()] == ["mixed.svm"]
    convert(source, tmp_path / "out", features=60, skip_malformed=True)
    assert open_stored(tmp_path / "out").malformed == n + 1
    assert open_stored(tmp_path / "out").rows(np.arange(2)).indices.tolist() == [0, 1, 2]


def test_an_endless_line_is_one_malformed_line(monkeypatch):
    import io

    monkeypatch.setattr("fpsverify.data.libsvm.MAX_LINE", 50)
    report = Report()
    found = list(read_rows(io.BytesIO(b"1 " + b"9" * 500 + b"\n1 1:1\n"), report))
    assert (len(found), report.lines, report.malformed) == (1, 2, 1)


@pytest.mark.parametrize(
    "ending,compress", [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)]
)
def test_compressed_files_are_read_and_truncated_ones_refused(tmp_path, ending, compress):
    source = tmp_path / f"a.svm{ending}"
    data = compress(b"1 1:1 5:2\n0 2:3\n" * 500)
    source.write_bytes(data)
    positions = []
    report = convert(source, tmp_path / "out", tick=lambda at, _: positions.append(at))
    assert report.rows == 1000 and positions[-1] == len(data)
    source.write_bytes(data[:-12])
    with pytest.raises(BadInput, match="read to its end"):
        convert(source, tmp_path / "out2")
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(["out", source.name])


def test_memory_does_not_grow_with_the_file(tmp_path, monkeypatch):
    """The buffers are emptied every FLUSH_ROWS rows: none ever holds more than that many rows' entries."""
    monkeypatch.setattr(libsvm, "FLUSH_ROWS", 10)
    longest = []
    flush = libsvm._flush
    monkeypatch.setattr(
        libsvm,
        "_flush",
        lambda parts, handles: (longest.append(len(parts["indices"])), flush(parts, handles)),
    )
    (tmp_path / "a.svm").write_text("1 1:1 2:1 3:1\n" * 1000)
    convert(tmp_path / "a.svm", tmp_path / "out")
    assert len(longest) == 101 and max(longest) == 30


@pytest.mark.parametrize(
    "content", [b"", b"x" * 7, b"\xff" * 64, (2).to_bytes(8, "little") + b"{}" + b"0" * 80]
)
def test_other_files_are_refused_in_one_line(tmp_path, content):
    (tmp_path / "a").write_bytes(content)
    with pytest.raises(FpsError, match="not a converted file") as caught:
        open_stored(tmp_path / "a")
    assert "\n" not in str(caught.value)


def test_runs_on_kdd_use_the_real_file_if_it_is_there_and_say_so(tmp_path, monkeypatch):
    (tmp_path / "a.svm").write_text("1 1:1 5:2\n0 2:3\n0 7:1\n1 4:1\n" * 50)
    convert(tmp_path / "a.svm", tmp_path / "kdd12.safetensors", features=54_686_452)
    config = small("problem.data=kdd12", "problem.objective=sparse_logistic")
    monkeypatch.delenv("FPSVERIFY_DATA", raising=False)
    assert build.load_data(config).provenance.startswith("generated: ")
    monkeypatch.setenv("FPSVERIFY_DATA", str(tmp_path))
    data = build.load_data(config)
    assert data.provenance == "real: kdd12.safetensors, 120 + 40 of 200 rows, seed 3"
    assert (data.train.n, data.test.n, data.d) == (120, 40, 54_686_452)
    with pytest.raises(BadInput, match="test_samples: got 201, expected at most the 200 rows of kdd12"):
        load_converted("kdd12", 161, 40, 1)


@pytest.mark.parametrize("extra", [[], ["--out", "b.safetensors"], ["--out", "./b.safetensors"]])
def test_the_file_that_is_read_is_never_overwritten(tmp_path, monkeypatch, capsys, extra):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "b.safetensors").write_text("1 1:1\n")
    said = refusal(capsys, "data", "convert", "b.safetensors", *extra)
    assert "expected another place than the file that is read" in said
    assert (tmp_path / "b.safetensors").read_text() == "1 1:1\n"


COLUMNS = "label,f1,f2\n" + "1,0.5,2\n" * 5


@pytest.mark.parametrize(
    "content,words",
    [
        ("1 1:1\nx\n", "a.svm: line 2: label 'x' is not -1, 0 or 1 (2 lines: 1 rows, 0 blank, 1 malformed)"),
        ("\n\n", "at least one row"),
        (None, "a readable file"),
        *((COLUMNS.replace(",", by), "dump_svmlight_file") for by in ",;\t"),
    ],
)
def test_what_is_no_libsvm_file_is_one_line_and_nothing_is_written(content, words, tmp_path, capsys):
    if content is not None:
        (tmp_path / "a.svm").write_text(content)
    assert words in refusal(capsys, "data", "convert", tmp_path / "a.svm", "--quiet")
    assert {p.name for p in tmp_path.iterdir()} <= {"a.svm"}


def test_a_changed_byte_is_refused_or_changes_no_row(tmp_path):
    """Every byte of a small file in turn; only the padding and the name of the source may pass."""

    def rows(path):
        got = open_stored(path).rows(np.arange(4))
        return got.d, *(x.tolist() for x in (got.indptr, got.indices, got.values, got.labels))

    (tmp_path / "a.svm").write_text("1 1:1 5:2\n0 2:3\n0 7:1\n1 4:1.5\n")
    convert(tmp_path / "a.svm", tmp_path / "a")
    whole, known = (tmp_path / "a").read_bytes(), rows(tmp_path / "a")
    for i, byte in enumerate(whole):
        (tmp_path / "b").write_bytes(whole[:i] + bytes([byte ^ 1]) + whole[i + 1 :])
        try:
            assert rows(tmp_path / "b") == known
        except FpsError:
            continue
