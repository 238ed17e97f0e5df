"""Seeded damage to bytes, and strange values for arguments."""

from __future__ import annotations

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
    """The content with one to four places cut, flipped, repeated, overwritten or swapped."""
    for _ in range(rng.randint(1, 4)):
        content = rng.choice((_flip, _cut, _insert, _repeat, _overwrite_number))(rng, content)
    return content


def any_bytes(rng: Random, sample: bytes) -> bytes:
    """Mostly a damaged sample, sometimes the sample itself, sometimes noise."""
    kind = rng.randrange(10)
    if kind == 0:
        return rng.randbytes(rng.randrange(200))
    return sample if kind == 1 else damaged(rng, sample)


def _place(rng: Random, content: bytes) -> int:
    return rng.randrange(len(content) + 1)


def _flip(rng: Random, content: bytes) -> bytes:
    if not content:
        return content
    i = rng.randrange(len(content))
    return content[:i] + bytes([content[i] ^ (1 << rng.randrange(8))]) + content[i + 1 :]


def _cut(rng: Random, content: bytes) -> bytes:
    i, j = sorted((_place(rng, content), _place(rng, content)))
    return content[:i] + content[j:] if rng.random() < 0.7 else content[:j]


def _insert(rng: Random, content: bytes) -> bytes:
    i = _place(rng, content)
    return content[:i] + strange(rng).encode("utf-8", "surrogatepass") + content[i:]


def _repeat(rng: Random, content: bytes) -> bytes:
    i, j = sorted((_place(rng, content), _place(rng, content)))
    return content[:j] + content[i : min(j, i + 400)] + content[j:]


def _overwrite_number(rng: Random, content: bytes) -> bytes:
    """Replace a run of digits, where parsers are most trusting."""
    digits = [i for i, c in enumerate(content) if 48 <= c <= 57]
    if not digits:
        return _insert(rng, content)
    i = j = rng.choice(digits)
    while j < len(content) and 48 <= content[j] <= 57:
        j += 1
    return content[:i] + rng.choice(NUMBERS).encode() + content[j:]
