"""The IDX format, written from its description and independently of the parser."""

import hashlib

import numpy as np

from fpsverify.data.mnist import FILES


def encode(array: np.ndarray) -> bytes:
    sizes = b"".join(n.to_bytes(4, "big") for n in array.shape)
    return bytes([0, 0, 8, array.ndim]) + sizes + array.astype(np.uint8).tobytes()


def checksums(files: dict[str, bytes]) -> dict[str, str]:
    return {part: hashlib.sha256(content).hexdigest() for part, content in files.items()}


def small_set(train: int = 6, test: int = 4) -> dict[str, bytes]:
    """The four files of an image set, by part."""
    rng = np.random.Generator(np.random.Philox(1))
    images = lambda n: rng.integers(0, 256, (n, 3, 2)).astype(np.uint8)  # noqa: E731
    labels = lambda n: (np.arange(n) % 10).astype(np.uint8)  # noqa: E731
    parts = (images(train), labels(train), images(test), labels(test))
    return {part: encode(array) for part, array in zip(FILES, parts, strict=True)}
