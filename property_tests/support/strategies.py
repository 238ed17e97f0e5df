"""Valid inputs: sketch shapes, vectors and updates. Built, never filtered."""

import torch
from hypothesis import strategies as st
from torch import Tensor

from fpsverify.sketch.hash import SketchSpec

# Sums of 1000 such numbers stay below 2^24, so float32 holds them exactly.
MAX_INTEGER = 2**14

dtypes = st.sampled_from([torch.float32, torch.float64])
backends = st.sampled_from(["numba", "torch"])
rules = st.sampled_from(["median", "mean"])
seeds = st.integers(-(2**63), 2**64 - 1)
integers = st.integers(-MAX_INTEGER, MAX_INTEGER)
floats = st.floats(-1e6, 1e6, width=32, allow_subnormal=False)


@st.composite
def specs(draw: st.DrawFn, max_d: int = 300) -> SketchSpec:
    """From one bucket (everything collides) to more buckets than coordinates; odd and even w."""
    d = draw(st.integers(1, max_d))
    return SketchSpec(draw(st.integers(1, 7)), draw(st.integers(1, 40)), d, draw(seeds))


@st.composite
def large_specs(draw: st.DrawFn) -> SketchSpec:
    """Any d that is allowed, and buckets up to beyond 2^15, where the packed index leaves 16 bits."""
    d = draw(st.integers(1, 2**31 - 2))
    return SketchSpec(draw(st.integers(1, 3)), draw(st.integers(1, 2**18)), d, draw(seeds))


@st.composite
def pairs(draw: st.DrawFn, d: int, max_size: int = 60) -> tuple[Tensor, Tensor]:
    """(indices, values) with repetitions, in any order."""
    n = draw(st.integers(0, max_size))
    keys = draw(st.lists(st.integers(0, d - 1), min_size=n, max_size=n))
    values = draw(st.lists(integers, min_size=n, max_size=n))
    return torch.tensor(keys, dtype=torch.int64), torch.tensor(values, dtype=torch.float64)


@st.composite
def specs_with_vectors(
    draw: st.DrawFn, count: int = 1, whole: bool = True
) -> tuple[SketchSpec, list[Tensor]]:
    """Vectors of whole numbers in float64, or of any in float32."""
    spec = draw(specs(max_d=60))
    numbers, dtype = (integers, torch.float64) if whole else (floats, torch.float32)
    vectors = [draw(st.lists(numbers, min_size=spec.d, max_size=spec.d)) for _ in range(count)]
    return spec, [torch.tensor(v, dtype=dtype) for v in vectors]


def wild(d: int, dtype: torch.dtype, seed: int = 3) -> Tensor:
    """Magnitudes from 1e-9 to 1e9 and of both signs: float sums in another order would differ."""
    generator = torch.Generator().manual_seed(seed)
    size = torch.empty(d, dtype=torch.float64).uniform_(-9, 9, generator=generator)
    return (torch.randn(d, dtype=torch.float64, generator=generator) * 10**size).to(dtype)
