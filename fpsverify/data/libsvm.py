"""LIBSVM text, `label index:value index:value …` per line, and its binary form on disk.

Text is read as a stream. A line is malformed if its label is not -1, 0 or 1, a pair is not `integer:finite
number`, or indices do not increase or are out of range. Malformed lines are counted and reported by number;
whether they may be left out is the caller's choice. Text after `#` is a comment; blank lines are counted too.

The binary form is a safetensors file with `indptr`, `indices`, `values`, `labels`, read by memory map: each
array grows in a scratch file and they are joined behind the header, so memory does not grow with the file.
`sums` has a checksum of each row, and the header one of itself, so that whoever reads a row refuses a changed
byte.
"""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import shutil
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np
import torch
from numpy.typing import NDArray

from fpsverify.data.labelled import CsrRows, SparseData
from fpsverify.errors import BadInput, FpsError
from fpsverify.files import remove_left_over, write_atomically
from fpsverify.rng import numpy_generator

LABELS = {"-1": 0, "0": 0, "1": 1, "+1": 1}
OPENERS: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
KEPT_REPORTS = 20  # numbers of lines that are told; all lines are counted
SHOWN_REASONS = 3  # of them with their reasons
LARGEST = 3.4028234e38  # what a float32 holds
MAX_LINE = 1 << 24  # bytes; a longer "line" is not text of this format


@dataclass(frozen=True)
class Row:
    label: int
    indices: list[int]
    values: list[float]


@dataclass
class Report:
    """What the reader met; the counts add up to the number of lines."""

    lines: int = 0
    rows: int = 0
    blank: int = 0
    malformed: int = 0
    first: list[tuple[int, str]] = field(default_factory=list)

    def reject(self, number: int, reason: str) -> None:
        self.malformed += 1
        if len(self.first) < KEPT_REPORTS:
            self.first.append((number, reason))

    def message(self, source: str) -> str:
        """All malformed lines in one: the first with their reasons, then numbers, then how many more."""
        told = [f"line {number}: {reason}" for number, reason in self.first[:SHOWN_REASONS]]
        numbers = [str(number) for number, _ in self.first[SHOWN_REASONS:]]
        rest = self.malformed - len(self.first)
        if numbers:
            told.append(
                f"line{'s' * (len(numbers) > 1)} {', '.join(numbers)}" + (f" and {rest} more" if rest else "")
            )
        return f"{source}: " + "; ".join(told)


class Malformed(ValueError):
    """Why a line is not a row."""


def parse_line(line: str, base: int = 1, features: int | None = None) -> Row | None:
    """A row with indices from 0, or None for a blank line. `base` is the file's lowest index, 0 or 1."""
    tokens = line.partition("#")[0].split()
    if not tokens:
        return None
    label = _label(tokens[0])
    indices: list[int] = []
    values: list[float] = []
    last = base - 1
    for token in tokens[1:]:
        index, value = _pair(token)
        if index <= last:
            what = f"index {index} is below {base}" if index < base else f"index {index} after {last}"
            raise Malformed(f"{what}: indices must increase")
        last = index
        indices.append(index - base)
        values.append(value)
    if features is not None and last - base >= features:
        raise Malformed(f"index {last} with only {features} features")
    return Row(label, indices, values)


def _label(token: str) -> int:
    found = LABELS.get(token)
    if found is None:
        try:
            found = LABELS[f"{float(token):g}"]
        except (ValueError, KeyError):
            raise Malformed(f"label {token[:20]!r} is not -1, 0 or 1") from None
    return found


def _pair(token: str) -> tuple[int, float]:
    index, colon, value = token.partition(":")
    if not colon or not index.isascii() or not index.isdigit() or len(index) > 18 or "_" in value:
        raise Malformed(f"{token[:20]!r} is not index:value")
    try:
        number = float(value)
    except ValueError:
        raise Malformed(f"{token[:20]!r} is not index:value") from None
    if not abs(number) <= LARGEST:
        raise Malformed(f"{token[:20]!r} is not finite")
    return int(index), number


def read_rows(stream: IO[bytes], report: Report, base: int = 1, features: int | None = None) -> Iterator[Row]:
    """The good rows of a stream, one at a time; `report` is filled in as they pass."""
    while line := stream.readline(MAX_LINE):
        report.lines += 1
        try:
            if len(line) == MAX_LINE and not line.endswith(b"\n"):
                _skip_to_newline(stream)
                raise Malformed(f"longer than {MAX_LINE} bytes")
            row = parse_line(line.decode("ascii"), base, features)
        except Malformed as error:
            report.reject(report.lines, str(error))
        except UnicodeDecodeError:
            report.reject(report.lines, "bytes that are not ASCII text")
        else:
            if row is None:
                report.blank += 1
            else:
                report.rows += 1
                yield row


def _skip_to_newline(stream: IO[bytes]) -> None:
    while (piece := stream.readline(MAX_LINE)) and not piece.endswith(b"\n"):
        pass


def demand_no_csv(path: Path) -> None:
    """Refuse a table with separators at its first line, instead of at every line."""
    with open_text(path) as stream:
        first = stream.readline(MAX_LINE)
    found = next((s for s in (b",", b";", b"\t") if len(first.split(s)) > 1), None)
    if found is not None and b":" not in first:
        right = "LIBSVM text, `1 3:0.5 7:1` per row (sklearn.datasets.dump_svmlight_file writes it)"
        raise BadInput("FILE", f"{path.name}, columns separated by {found.decode()!r}", right)


def open_text(path: Path) -> IO[bytes]:
    """A plain, .gz, .bz2 or .xz file as a stream of bytes."""
    try:
        stream: IO[bytes] = OPENERS.get(path.suffix, open)(path, "rb")
    except OSError as error:
        raise BadInput("FILE", str(path), f"a readable file ({error.strerror})") from None
    return stream


FORMAT = "fpsverify-csr-2"
ARRAYS = {"indptr": "q", "indices": "q", "values": "f", "labels": "B", "sums": "I"}  # array typecodes
DTYPES = {"indptr": "I64", "indices": "I64", "values": "F32", "labels": "U8", "sums": "U32"}
NUMPY = {"I64": "<i8", "F32": "<f4", "U8": "|u1", "U32": "<u4"}
FLUSH_ROWS = 50_000

Tick = Callable[[int, Report], None]


def convert(
    source: Path,
    out: Path,
    *,
    base: int = 1,
    features: int | None = None,
    skip_malformed: bool = False,
    tick: Tick = lambda position, report: None,
) -> Report:
    """Write `out`, unless a line is malformed and leaving out was not asked for. `tick` sees the progress."""
    if base not in (0, 1):
        raise BadInput("base", base, "0 or 1")
    report = Report()
    scratch = _scratch_beside(out)
    try:
        demand_no_csv(source)
        with open_text(source) as stream:
            highest = _spill(read_rows(stream, report, base, features), scratch, stream, report, tick)
        if report.malformed and not skip_malformed:
            return report
        if report.rows == 0:
            raise BadInput("FILE", str(source), "at least one row")
        about = {"d": str(features or highest + 1), "malformed": str(report.malformed)}
        about |= {"sum": _header_sum(about), "source": source.name}
        write_atomically(out, lambda path: _join(scratch, path, about))
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        raise BadInput("FILE", str(source), f"a file that can be read to its end ({error})") from None
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return report


def _header_sum(about: dict[str, str]) -> str:
    return str(zlib.crc32(f"{about['d']} {about['malformed']}".encode()))


def _row_sum(indices: bytes, values: bytes, label: int) -> int:
    return zlib.crc32(bytes([label]), zlib.crc32(values, zlib.crc32(indices)))


def _scratch_beside(out: Path) -> Path:
    """A folder of this process; those of processes that were killed are removed."""
    try:
        remove_left_over(out.parent)
        place = out.with_name(f".{out.name}.{os.getpid()}.scratch")
        place.mkdir(mode=0o700)
        return place
    except OSError as error:
        raise BadInput("--out", str(out), f"a place in a writable folder ({error.strerror})") from None


def _spill(rows: Iterable[Row], scratch: Path, stream: Any, report: Report, tick: Tick) -> int:
    """Append rows to one scratch file per array; the highest index met."""
    parts: dict[str, Any] = {name: array(code) for name, code in ARRAYS.items()}
    handles = {name: open(scratch / name, "wb") for name in ARRAYS}  # noqa: SIM115
    entries, highest = 0, -1
    try:
        parts["indptr"].append(0)
        for row in rows:
            entries += len(row.indices)
            highest = max(highest, row.indices[-1] if row.indices else -1)
            parts["indptr"].append(entries)
            indices, values = array(ARRAYS["indices"], row.indices), array(ARRAYS["values"], row.values)
            parts["indices"].extend(indices)
            parts["values"].extend(values)
            parts["labels"].append(row.label)
            parts["sums"].append(_row_sum(indices.tobytes(), values.tobytes(), row.label))
            if report.rows % FLUSH_ROWS == 0:
                _flush(parts, handles)
                tick(_position(stream), report)
        _flush(parts, handles)
    finally:
        for handle in handles.values():
            handle.close()
    tick(_position(stream), report)
    return highest


def _flush(parts: dict[str, Any], handles: dict[str, Any]) -> None:
    for name, part in parts.items():
        part.tofile(handles[name])
        del part[:]


def _position(stream: Any) -> int:
    """Bytes of the file on disk that were read so far, also of a compressed one."""
    raw = getattr(stream, "fileobj", None) or getattr(stream, "_fp", None) or stream
    return int(raw.tell())


def _join(scratch: Path, path: Path, about: dict[str, str]) -> None:
    """The safetensors layout: header length (8 bytes), JSON header, then the arrays one after another."""
    header: dict[str, Any] = {"__metadata__": {"format": FORMAT, **about}}
    begin = 0
    for name, dtype in DTYPES.items():
        size = (scratch / name).stat().st_size
        count = size // np.dtype(NUMPY[dtype]).itemsize
        header[name] = {"dtype": dtype, "shape": [count], "data_offsets": [begin, begin + size]}
        begin += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as out:
        out.write(len(text).to_bytes(8, "little") + text)
        for name in DTYPES:
            with open(scratch / name, "rb") as part:
                shutil.copyfileobj(part, out, 1 << 20)


@dataclass(frozen=True)
class StoredRows:
    """A converted file, mapped and not read; `malformed` lines were left out when it was made."""

    path: Path
    d: int
    malformed: int
    arrays: dict[str, NDArray[Any]]

    @property
    def n(self) -> int:
        return len(self.arrays["labels"])

    def rows(self, ids: NDArray[np.int64]) -> CsrRows:
        """The given rows, in the given order."""
        indptr = self.arrays["indptr"]
        start, stop = np.asarray(indptr[ids]), np.asarray(indptr[ids + 1])
        self._check(start, stop)
        spans = [slice(a, b) for a, b in zip(start.tolist(), stop.tolist(), strict=True)]
        indices, values = (
            np.concatenate([self.arrays[name][s] for s in spans] or [self.arrays[name][:0]])
            for name in ("indices", "values")
        )
        ends = np.concatenate([[0], np.cumsum(stop - start)]).astype(np.int64)
        labels = np.asarray(self.arrays["labels"][ids]).astype(np.int64)
        self._check_sums(ids, ends, indices, values)
        return CsrRows(
            self.d, *(torch.from_numpy(np.ascontiguousarray(x)) for x in (ends, indices, values, labels))
        )

    def _check(self, start: NDArray[np.int64], stop: NDArray[np.int64]) -> None:
        """Where a row begins and ends comes from the file, and the file may be damaged."""
        if not np.all((start >= 0) & (start <= stop) & (stop <= len(self.arrays["values"]))):
            raise FpsError(f"{self.path}: damaged (a row that ends before it begins or after all entries)")

    def _check_sums(self, ids: NDArray[np.int64], ends: NDArray[np.int64], *parts: NDArray[Any]) -> None:
        indices, values = (np.ascontiguousarray(part) for part in parts)
        labels, sums = self.arrays["labels"][ids].tolist(), self.arrays["sums"][ids].tolist()
        for i, (label, stored) in enumerate(zip(labels, sums, strict=True)):
            span = slice(int(ends[i]), int(ends[i + 1]))
            if _row_sum(indices[span].tobytes(), values[span].tobytes(), label) != stored:
                raise FpsError(f"{self.path}: row {int(ids[i])} was changed after it was written")


def open_stored(path: Path) -> StoredRows:
    try:
        size = os.path.getsize(path)
        with open(path, "rb") as handle:
            length = int.from_bytes(handle.read(8), "little")
            header = json.loads(handle.read(length)) if 0 < length < min(size, 1 << 20) else {}
        about = header["__metadata__"]
        if about["format"] != FORMAT:
            raise FpsError(f"{path}: not a converted file of this version; fpsverify data convert makes one")
        if about["sum"] != _header_sum(about):
            raise ValueError("its header was changed after it was written")
        arrays = {name: _mapped(path, header[name], 8 + length) for name in DTYPES}
        lengths = {name: len(array) for name, array in arrays.items()}
        rows = {lengths["indptr"] - 1, lengths["labels"], lengths["sums"]}
        if len(rows) > 1 or lengths["indices"] != lengths["values"]:
            raise FpsError(f"{path}: damaged (arrays of lengths that do not belong together)")
        return StoredRows(path, int(about["d"]), int(about["malformed"]), arrays)
    except (OSError, ValueError, KeyError, TypeError, OverflowError) as error:
        raise FpsError(f"{path}: not a converted file ({' '.join(str(error).split())})") from None


def _mapped(path: Path, entry: dict[str, Any], offset: int) -> NDArray[Any]:
    (begin, _), (count,) = entry["data_offsets"], entry["shape"]
    if type(begin) is not int or type(count) is not int or min(begin, count) < 0:
        raise ValueError("offsets and shapes are not whole numbers")
    dtype = np.dtype(NUMPY[entry["dtype"]])
    if count == 0:
        return np.empty(0, dtype)
    return np.memmap(path, dtype, "r", offset + begin, (count,))


def load_converted(name: str, N: int, N_test: int, seed: int) -> SparseData | None:
    """Random disjoint training and test rows of $FPSVERIFY_DATA/<name>.safetensors, or None without it."""
    folder = os.environ.get("FPSVERIFY_DATA")
    path = Path(folder or ".") / f"{name}.safetensors"
    if not folder or not path.is_file():
        return None
    stored = open_stored(path)
    if stored.n < N + N_test:
        there = f"the {stored.n} rows of {path.name}"
        raise BadInput("problem.samples + problem.test_samples", N + N_test, f"at most {there}")
    chosen = numpy_generator(seed, "stored rows").choice(stored.n, N + N_test, replace=False)
    train, test = (stored.rows(np.sort(part)) for part in (chosen[:N], chosen[N:]))
    left_out = f", {stored.malformed} malformed lines left out" if stored.malformed else ""
    return SparseData(
        train, test, f"real: {path.name}, {N} + {N_test} of {stored.n} rows{left_out}, seed {seed}"
    )
