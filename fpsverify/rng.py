"""Every random draw is named: a generator is a function of (seed, path) and nothing else.

A path such as ("channel", 17) says what the draw is for. No generator lives across rounds, so a run that
is resumed at round t draws exactly what an uninterrupted run draws, without storing generator states.
"""

from __future__ import annotations

import hashlib

import numpy as np
import torch


def derive_seed(seed: int, *path: str | int) -> int:
    """A 63-bit seed for the draw called `path`; distinct paths give independent-looking seeds (SHA-256)."""
    text = "/".join([str(int(seed)), *(f"{type(p).__name__}:{p}" for p in path)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def numpy_generator(seed: int, *path: str | int) -> np.random.Generator:
    return np.random.Generator(np.random.Philox(derive_seed(seed, *path)))


def torch_generator(seed: int, *path: str | int, device: torch.device | str = "cpu") -> torch.Generator:
    return torch.Generator(device=device).manual_seed(derive_seed(seed, *path))
