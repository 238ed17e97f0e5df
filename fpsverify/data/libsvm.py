"""LIBSVM text, `label index:value index:value …` per line, read as a stream and checked line by line.

A line is malformed if its label is not -1, 0 or 1, a pair is not `integer:finite number`, or indices do not
increase or are out of range. Malformed lines are counted and reported by number with the reason; whether they
may be left out is the caller's explicit choice. Text after `#` is a comment; blank lines are counted too.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from fpsverify.errors import BadInput

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
