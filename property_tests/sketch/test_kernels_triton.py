"""The kernels for a GPU give the bits of the CPU: on a GPU if there is one, else in Triton's interpreter.

The interpreter runs one block after the other: it shows what is computed, not that blocks leave each other
alone.
"""

import importlib
import math
import os

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from fpsverify.errors import BadInput
from fpsverify.kernels import choose
from fpsverify.sketching.hashing import SketchSpec
from fpsverify.sketching.sketch import CountSketch
from property_tests.support.strategies import wild

ABSENT = "needs Triton: pip install 'fpsverify[gpu]'"
DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
if DEVICE.type == "cpu":  # before anyone imports Triton: it looks at this once
    os.environ["TRITON_INTERPRET"] = "1"
DTYPES = [torch.float32, torch.float64]
# One and several blocks, few and many buckets, odd and even numbers of rows, more than 16 bits of index.
SPECS = {
    "one bucket": SketchSpec(1, 1, 5, 3),
    "blocks": SketchSpec(5, 204, 2500, 3),
    "even rows": SketchSpec(4, 50, 1025, 3),
    "many rows": SketchSpec(7, 9, 700, 3),
    "wide": SketchSpec(2, 40_000, 1024, 3),
}


@pytest.fixture(scope="module")
def triton() -> object:
    """The kernels; on a machine without a GPU they are interpreted."""
    pytest.importorskip("triton", reason=ABSENT)
    return importlib.import_module("fpsverify.kernels.triton_kernels")


def pair(spec: SketchSpec, dtype: torch.dtype, batch: int | None = None) -> tuple[CountSketch, CountSketch]:
    """The zero sketch here and on the device."""
    return CountSketch.zeros(spec, batch, dtype), CountSketch.zeros(spec, batch, dtype, DEVICE)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("way", SPECS)
def test_dense_updates_have_the_bits_of_the_cpu(triton: object, way: str, dtype: torch.dtype) -> None:
    """One vector, a batch, one vector for a batch; onto tables that are not 0; values in any stride."""
    spec = SPECS[way]
    x = torch.stack([wild(spec.d, dtype, seed) for seed in (1, 2)])
    here, there = pair(spec, dtype, batch=2)
    for values in (x, x[1], x.flip(0), x.T.contiguous().T):
        here, there = here.add(values), there.add(values.to(DEVICE), backend="triton")
        assert torch.equal(there.table.cpu(), here.table)
    single = there.member(0).add(x[0].to(DEVICE), backend="triton")
    assert torch.equal(single.table.cpu(), here.member(0).add(x[0]).table)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("nnz", [0, 1, 3, 1024, 1500])
def test_sparse_updates_have_the_bits_of_the_cpu(triton: object, nnz: int, dtype: torch.dtype) -> None:
    """Repeated keys too."""
    spec = SPECS["blocks"]
    keys = torch.randint(0, spec.d, (nnz,), generator=torch.Generator().manual_seed(4))
    here, there = pair(spec, dtype)
    seen = there.add_sparse(keys.to(DEVICE), wild(nnz, dtype).to(DEVICE), backend="triton")
    assert torch.equal(seen.table.cpu(), here.add_sparse(keys, wild(nnz, dtype)).table)
    with pytest.raises(BadInput, match="indices: got 2500"):
        there.add_sparse(
            torch.tensor([spec.d], device=DEVICE), torch.ones(1, device=DEVICE), backend="triton"
        )


@settings(max_examples=20)
@given(st.lists(st.integers(-(2**54), 2**54), min_size=1, max_size=6), st.integers(-3, 3))
def test_rounding_is_to_even_at_every_size(triton: object, numbers: list[int], exponent: int) -> None:
    """Few float64 values use up to 61 bits: ties between whole numbers appear on both sides of 2^51."""
    x = torch.tensor([math.ldexp(float(n), exponent) for n in numbers], dtype=torch.float64)
    here, there = pair(SketchSpec(2, 3, len(x), 1), torch.float64)
    assert torch.equal(there.add(x.to(DEVICE), backend="triton").table.cpu(), here.add(x).table)


# Triton's interpreter casts by numpy, which warns of what a GPU does in silence.
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")
@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_values_that_are_not_finite_make_the_table_nan(triton: object, bad: float) -> None:
    _, there = pair(SPECS["blocks"], torch.float32)
    x = torch.zeros(2500, device=DEVICE)
    x[77] = bad
    assert there.add(x, backend="triton").table.isnan().all()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("rule", ["median", "mean"])
@pytest.mark.parametrize("way", SPECS)
def test_queries_have_the_bits_of_the_cpu(triton: object, way: str, rule: str, dtype: torch.dtype) -> None:
    """Estimates, also of no key; the k largest of all, with ties (few buckets) and without."""
    spec = SPECS[way]
    sketch = CountSketch.zeros(spec, dtype=dtype).add(wild(spec.d, dtype))
    there = CountSketch(spec, sketch.table.to(DEVICE))
    keys = torch.randint(0, spec.d, (300,), generator=torch.Generator().manual_seed(5))
    for some in (keys, keys[:1], keys[:0]):
        seen = there.estimate(some.to(DEVICE), rule, backend="triton")
        assert torch.equal(seen.cpu(), sketch.estimate(some, rule))
    for k in (1, min(600, spec.d)):
        found, expected = there.unsketch(k, rule=rule, backend="triton"), sketch.unsketch(k, rule=rule)
        assert torch.equal(found.indices.cpu(), expected.indices)
        assert torch.equal(found.values.cpu(), expected.values)


@pytest.mark.parametrize("k", [1, 40, 1500])
def test_scans_in_several_launches_keep_the_rules(triton: object, k: int, monkeypatch) -> None:
    """The threshold rises between launches; whole numbers in few buckets tie at it."""
    monkeypatch.setattr(triton, "SCAN", 700)
    spec = SketchSpec(3, 5, 2100, 4)
    sketch = CountSketch.zeros(spec).add(torch.arange(2100).remainder(7).float())
    found = CountSketch(spec, sketch.table.to(DEVICE)).unsketch(k, backend="triton")
    expected = sketch.unsketch(k)
    assert torch.equal(found.indices.cpu(), expected.indices) and torch.equal(
        found.values.cpu(), expected.values
    )


def test_a_gpu_gets_triton_by_itself(triton: object) -> None:
    gpu = torch.device("cuda")
    choose.__globals__["_kernels"].cache_clear()
    assert choose(gpu) is choose(gpu, "numba") is triton
    assert choose(gpu, "torch").__name__ == "fpsverify.kernels.torch_kernels"
