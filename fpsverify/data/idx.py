"""The IDX format of the MNIST files: two zero bytes, a type code, the number of dimensions, the sizes as
big-endian 32-bit integers, then the data. Anything else is refused in one line."""

from __future__ import annotations

import gzip
import io
import zlib
from math import prod
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fpsverify.errors import BadInput

TYPES = {0x08: ">u1", 0x09: ">i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}
MAX_DIMENSIONS = 8
GZIP_MAGIC = b"\x1f\x8b"
MAX_BYTES = 2**30  # no file of this family comes near; a compressed bomb must not fill the memory


def parse_idx(content: bytes, source: str = "IDX data") -> NDArray[np.generic]:
    """The array in the bytes of one uncompressed IDX file, in native byte order."""
    dtype, shape = _header(content, source)
    start = 4 + 4 * len(shape)
    expected = start + prod(shape) * dtype.itemsize
    if len(content) != expected:
        raise BadInput(source, f"{len(content)} bytes", f"{expected} bytes for shape {shape}")
    try:
        array = np.frombuffer(content, dtype, offset=start).reshape(shape)
    except ValueError:  # numpy refuses some empty shapes, those with further huge sizes
        raise BadInput(source, f"shape {shape}", "sizes that fit in memory") from None
    return array.astype(dtype.newbyteorder("="))


def _header(content: bytes, source: str) -> tuple[np.dtype[np.generic], tuple[int, ...]]:
    if len(content) < 4 or content[:2] != b"\0\0":
        raise BadInput(source, f"{content[:4].hex()} as first bytes", "an IDX file, which begins with 0000")
    code, dimensions = content[2], content[3]
    if code not in TYPES:
        raise BadInput(source, f"type code {code:#04x}", f"one of {', '.join(f'{t:#04x}' for t in TYPES)}")
    if not 1 <= dimensions <= MAX_DIMENSIONS:
        raise BadInput(source, f"{dimensions} dimensions", f"1 to {MAX_DIMENSIONS}")
    if len(content) < 4 + 4 * dimensions:
        raise BadInput(source, f"{len(content)} bytes", f"{4 + 4 * dimensions} bytes for the header alone")
    return np.dtype(TYPES[code]), tuple(np.frombuffer(content, ">u4", dimensions, offset=4).tolist())


def decompressed(content: bytes, source: str = "IDX data", limit: int = MAX_BYTES) -> bytes:
    """The content itself, or what it holds if it is gzip."""
    if content[:2] != GZIP_MAGIC:
        return content
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as stream:
            inner = stream.read(limit + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise BadInput(source, f"damaged gzip data ({error})", "a complete gzip file") from None
    if len(inner) > limit:
        raise BadInput(source, f"more than {limit} bytes after decompression", f"at most {limit}")
    return inner


def read_bytes(path: Path) -> bytes:
    """The uncompressed content of a plain or gzip file."""
    try:
        return decompressed(path.read_bytes(), path.name)
    except OSError as error:
        raise BadInput(str(path), error.strerror or "an unreadable file", "a readable file") from None
