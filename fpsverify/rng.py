"""Every random draw is named: a generator is a function of (seed, path) and nothing else.

A path such as ("channel", 17) says what the draw is for. No generator lives across rounds, so a run that
is resumed at round t draws exactly what an uninterrupted run draws, without storing generator states.
"""

from __future__ import annotations

import hashlib

import numpy as np
import torch


def named(seed: int, *path: str | int) -> str:
    """The name of a draw: two different (seed, path) never have one name."""
    return "/".join([str(int(seed)), *(f"{type(p).__name__}:{p}" for p in path)])


def stream(count: int, seed: int, *path: str | int) -> bytes:
    """`count` bytes of SHAKE-128 of the name itself; draws of different names share nothing.

    >>> stream(4, 1, "fresh", 17) == stream(8, 1, "fresh", 17)[:4] != stream(4, 1, "fresh", 18)
    True
    """
    return hashlib.shake_128(f"fpsverify draw/{named(seed, *path)}".encode()).digest(count)


def derive_seed(seed: int, *path: str | int) -> int:
    """A 63-bit seed for the draw called `path`; distinct paths give independent-looking seeds (SHA-256)."""
    return int.from_bytes(hashlib.sha256(named(seed, *path).encode()).digest()[:8], "big") >> 1


def numpy_generator(seed: int, *path: str | int) -> np.random.Generator:
    return np.random.Generator(np.random.Philox(derive_seed(seed, *path)))


def torch_generator(seed: int, *path: str | int, device: torch.device | str = "cpu") -> torch.Generator:
    return torch.Generator(device=device).manual_seed(derive_seed(seed, *path))
