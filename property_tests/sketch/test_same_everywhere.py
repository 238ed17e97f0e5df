"""Hashes and sketches have the same bits on every processor: stored digests.

A digest changes only with the arithmetic of the kernels; then its change is one to be told.

The values are made from whole numbers, so that they are the same everywhere; their sums are rounded at every
step, so that another order of addition would show.
"""

import hashlib

import pytest
import torch

from fpsverify.sketch.sketch import CountSketch, SketchSpec

# Of the table, of what is read out by medians and by means, and of sums of tables; the same for all backends.
# fmt: off
SKETCHED = {
    ("few buckets", "float32"): ["87a0fc8448b9", "2b6bfdf70ced", "9ab47ed8b906", "ab749c11b7cf"],
    ("few buckets", "float64"): ["5a8398270980", "7bb9d6a56df4", "fdb4952e7c13", "bdaf4ac34431"],
    ("many buckets", "float32"): ["2a9c85706568", "4379ea12e161", "0b9683445684", "28789e45082e"],
    ("many buckets", "float64"): ["0f767d182116", "5e16248b0b4d", "68232304fb56", "52588e04491a"],
}
# fmt: on
SPECS = {"few buckets": SketchSpec(3, 50, 40_003, 21), "many buckets": SketchSpec(5, 2000, 40_003, 21)}
DTYPES = {"float32": torch.float32, "float64": torch.float64}


def values(d: int, dtype: torch.dtype, start: int = 1) -> torch.Tensor:
    """Whole numbers below 2^40 times powers of 2 from 2^-70 to 2^-40: sums of them do not fit a float64."""
    i = torch.arange(start, start + d, dtype=torch.int64)
    words = ((i * 6364136223846793005).bitwise_right_shift(23) & (2**41 - 1)) - 2**40
    return torch.ldexp(words.double(), -40 - i * 7 % 31).to(dtype)


def digest(*tensors: torch.Tensor) -> str:
    total = hashlib.sha256()
    for x in tensors:
        total.update(x.contiguous().numpy().tobytes())
    return total.hexdigest()[:12]


def sketched(spec: SketchSpec, dtype: torch.dtype, backend: str) -> list[str]:
    """One digest for each thing that a round computes with sketches."""
    one = CountSketch.zeros(spec, dtype=dtype).add(values(spec.d, dtype), backend=backend)
    two = CountSketch.zeros(spec, dtype=dtype).add(values(spec.d, dtype, 10**6), backend=backend)
    batch = one.with_table(torch.stack([one.table, two.table, one.table / 3]))
    found, by_mean = one.unsketch(500, backend=backend), one.unsketch(500, rule="mean", backend=backend)
    mixed = (one.table.double() * 0.1 + two.table.double() * 0.7).to(dtype)
    sums = mixed, one.merge(two).table, batch.mean().table
    read_out = [digest(each.indices, each.values) for each in (found, by_mean)]
    return [digest(one.table), *read_out, digest(*sums)]


@pytest.mark.parametrize("backend", ["numba", "torch"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", SPECS)
def test_sketches_have_the_stored_digests(name: str, dtype: str, backend: str) -> None:
    assert sketched(SPECS[name], DTYPES[dtype], backend) == SKETCHED[name, dtype]
