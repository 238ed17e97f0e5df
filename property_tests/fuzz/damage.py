"""Seeded damage to bytes, and strange values for arguments."""

from __future__ import annotations

import re
from random import Random

NUMBERS = ("0", "-1", "1", "2", "3", "0.5", "-0.5", "1e-320", "1e308", "1e309", "nan", "inf", "-inf", "007")
NUMBERS += ("9" * 400, "2147483648", "-9223372036854775809", "1:2", "2:1", "1:", ":", "1e", "0x10", "1_000")
WORDS = ("", " ", "\t", "é", "\u202e", "\x00", "\ud800", "--", "-", "true", "[]", "{}", "'", '"', "a=b", "..")
WORDS += ("/", "/dev/null", "/dev/null/x", "absent.toml", "%s%n", "$HOME", "*", "x" * 5000, "\n", "a\nb")


def strange(rng: Random) -> str:
    """A value that somebody, somewhere, will type."""
    kind = rng.randrange(4)
    if kind == 0:
        return rng.choice(NUMBERS)
    if kind == 1:
        return rng.choice(WORDS)
    if kind == 2:
        return repr(rng.uniform(-3, 3) * 10.0 ** rng.randint(-30, 30))
    return "".join(chr(rng.randrange(1, 0x2FF)) for _ in range(rng.randrange(12)))


def damaged(rng: Random, content: bytes) -> bytes:
    """The content with one to four places cut, flipped, repeated or overwritten."""
    for _ in range(rng.randint(1, 4)):
        i, j = _span(rng, content)
        content = content[:i] + _filler(rng, content[i : i + 400]) + content[j:]
    return content


def _span(rng: Random, content: bytes) -> tuple[int, int]:
    """A place, a byte, a stretch, the rest, or a number: there parsers are most trusting."""
    i, j = sorted(rng.randrange(len(content) + 1) for _ in range(2))
    numbers = [found.span() for found in re.finditer(rb"[0-9]+", content)]
    return rng.choice([(i, i), (i, i + 1), (i, j), (i, len(content)), rng.choice(numbers or [(i, j)])])


def _filler(rng: Random, piece: bytes) -> bytes:
    text = rng.choice((strange(rng), rng.choice(NUMBERS))).encode("utf-8", "surrogatepass")
    return rng.choice((b"", b"", text, 2 * piece, rng.randbytes(1)))


def any_bytes(rng: Random, sample: bytes) -> bytes:
    """Mostly a damaged sample, sometimes the sample itself, sometimes noise."""
    kind = rng.randrange(10)
    if kind == 0:
        return rng.randbytes(rng.randrange(200))
    return sample if kind == 1 else damaged(rng, sample)
