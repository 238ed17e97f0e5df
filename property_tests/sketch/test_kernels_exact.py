"""Sums of a sketch are exact in any order: one definition, the same bits from every kernel and partition."""

import math
from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from fpsverify.sketch import compiled_loops as loops
from fpsverify.sketch import numba_kernels, torch_kernels
from fpsverify.sketch.fixed_point import NOT_FINITE, FixedPoint
from fpsverify.sketch.hash import SketchSpec
from fpsverify.sketch.sketch import CountSketch
from property_tests.support.oracles import oracle_bucket_sign
from property_tests.support.strategies import backends, dtypes, pairs, specs, specs_with_vectors, wild

BITS = {torch.float32: np.int32, torch.float64: np.int64}
exponents = st.integers(-60, 60)


def oracle_quantum(x: Tensor) -> int:
    """The least e with n'·2^E ≤ 2^(62 + e), where 2^E exceeds all |x| and n' is the power of two above n."""
    field = max(math.frexp(float(v))[1] if v else -5000 for v in x.abs().max()[None]) if len(x) else -5000
    least = -126 if x.dtype == torch.float32 else -1022
    return max(field, least) + len(x).bit_length() - 62


def oracle_fixed_point(spec: SketchSpec, x: Tensor) -> Tensor:
    """2^e·Σ s·round(x·2^-e) with fractions, rounded to float64 and then to the dtype of x."""
    e = oracle_quantum(x)
    sums = [[0] * spec.buckets for _ in range(spec.rows)]
    for r in range(spec.rows):
        for i, v in enumerate(x.tolist()):
            bucket, sign = oracle_bucket_sign(spec, r, i)
            sums[r][bucket] += sign * round(Fraction(v) / Fraction(2) ** e)
    return torch.tensor([[math.ldexp(float(v), e) for v in row] for row in sums], dtype=torch.float64).to(
        x.dtype
    )


def compiled_quantum(x: Tensor, n: int | None = None) -> int:
    return loops.quantum(x.numpy().view(BITS[x.dtype]), len(x) if n is None else n)


@given(specs_with_vectors(whole=False), exponents, dtypes, backends)
def test_table_is_the_definition_in_fixed_point(case, exponent, dtype, backend) -> None:
    spec, (x,) = case
    x = (x.double() * 2.0**exponent).to(dtype)
    seen = CountSketch.zeros(spec, dtype=dtype).add(x, backend=backend).table
    assert torch.equal(seen, oracle_fixed_point(spec, x))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("n", [0, 1, 2, 1023, 1024, 5000])
def test_both_forms_of_the_quantum_agree(n: int, dtype: torch.dtype) -> None:
    """Also for zeros, subnormal numbers, the largest number, and on both sides of a power of two."""
    tiny, most = torch.finfo(dtype).smallest_normal, torch.finfo(dtype).max
    for peak in (0.0, 1.0, 1 - 1e-7, -1.0, 0.75, tiny, tiny / 2, tiny / 4096, most, -most, 3e30):
        x = torch.full((n,), peak, dtype=dtype) * torch.linspace(0, 1, n, dtype=dtype)
        assert compiled_quantum(x) == int(FixedPoint.of(x).exponent) == oracle_quantum(x)
        batch = FixedPoint.of(torch.stack([x, x / 3]))
        assert batch.exponent.flatten().tolist() == [compiled_quantum(x), compiled_quantum(x / 3)]


@given(st.integers(0, 3), st.integers(0, 70), dtypes, st.sampled_from([0.0, 0.1, 3.0]))
def test_local_step_has_the_same_bits_compiled(M, d, dtype, mu) -> None:
    """Also at sizes that no vector register divides; in place."""
    centre, W, g = wild(d, dtype), wild(M * d, dtype, 1).view(M, d), wild(M * d, dtype, 2).view(M, d)
    expected = W - 0.3 * (g if mu == 0 else g + mu * (W - centre))
    for kernels in (numba_kernels, torch_kernels):
        moved = W.clone()
        assert kernels.proximal(moved, g, centre, 0.3, mu) is moved
        assert torch.equal(moved, expected)


@given(specs(), st.data(), dtypes, backends)
def test_order_of_pairs_changes_no_bit(spec, data, dtype, backend) -> None:
    indices, values = data.draw(pairs(spec.d))
    values = (values * wild(len(values), torch.float64)).to(dtype)
    order = torch.tensor(data.draw(st.permutations(range(len(indices)))), dtype=torch.int64)
    zero = CountSketch.zeros(spec, dtype=dtype)
    once = zero.add_sparse(indices, values, backend=backend)
    assert torch.equal(once.table, zero.add_sparse(indices[order], values[order], backend=backend).table)
    other = "torch" if backend == "numba" else "numba"
    assert torch.equal(once.table, zero.add_sparse(indices, values, backend=other).table)


@pytest.mark.parametrize("backend", ["numba", "torch"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_one_value_that_is_not_finite_makes_its_table_nan(
    bad: float, dtype: torch.dtype, backend: str
) -> None:
    for shape in ((3, 50, 1021), (5, 50, 80_003), (4, 2000, 80_003)):
        spec = SketchSpec(*shape, 21)
        x = torch.zeros(2, spec.d, dtype=dtype)
        x[1, spec.d // 2] = bad
        batch = CountSketch.zeros(spec, batch=2, dtype=dtype).add(x, backend=backend)
        assert batch.table[1].isnan().all() and not batch.table[0].any()
        assert batch.member(0).add(x[1], backend=backend).table.isnan().all()
        keys = torch.arange(spec.d)
        assert batch.member(0).add_sparse(keys, x[1], backend=backend).table.isnan().all()
    assert compiled_quantum(x[1]) == NOT_FINITE


@pytest.mark.parametrize("backend", ["numba", "torch"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_ends_of_the_range_are_reached(dtype: torch.dtype, backend: str) -> None:
    """The largest number and the least positive one come back from a sketch where they are alone."""
    spec = SketchSpec(1, 1, 4, 2)
    least = torch.tensor([1]).to(torch.int32 if dtype == torch.float32 else torch.int64).view(dtype).item()
    for value in (least, 3 * least, torch.finfo(dtype).smallest_normal, torch.finfo(dtype).max, 1.0):
        x = torch.tensor([0.0, 0.0, value, 0.0], dtype=dtype)
        assert CountSketch.zeros(spec, dtype=dtype).add(x, backend=backend).table.abs().item() == value
