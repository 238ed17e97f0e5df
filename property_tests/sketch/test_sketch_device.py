"""Devices, backends and determinism: the same numbers everywhere, the same bits every time."""

from dataclasses import replace

import pytest
import torch

from fpsverify.device import devices_to_test
from fpsverify.errors import BadInput
from fpsverify.sketch import numba_kernels, torch_kernels
from fpsverify.sketch.hash import buckets_and_signs, hash_tables, packed_indices
from fpsverify.sketch.kernels import MANY, choose
from fpsverify.sketch.sketch import CountSketch, SketchSpec
from fpsverify.vectors import SparseVector
from property_tests.support.assertions import with_each_number_of_threads
from property_tests.support.strategies import wild

DEVICES = devices_to_test()
SPEC = SketchSpec(5, 13, 3000, 21)
# Several blocks of keys for the numba kernels, several chunks for torch, and no multiple of anything.
LONG = SketchSpec(3, 50, 1_300_001, 21)
# Every way of a dense update: few and many buckets, one block or several; several tiles each, and lengths
# that are multiples of nothing.
WAYS = {
    "few buckets": SketchSpec(3, 50, 200_003, 21),
    "many buckets": SketchSpec(3, 2000, 200_003, 21),
    "few pairs": SketchSpec(3, 50, 1021, 21),
    "long, few buckets": SketchSpec(3, 50, 400_001, 21),
    "long, many buckets": SketchSpec(3, 2000, 400_001, 21),
    "more than 16 bits": SketchSpec(2, 40_000, 30_001, 21),
    "more than 17 bits": SketchSpec(2, 150_000, 30_001, 21),
    "blocks": LONG,
}


def whole_vector(d: int) -> torch.Tensor:
    return torch.arange(d).remainder(199).double() - 99


def table_by_definition(spec: SketchSpec, x: torch.Tensor) -> torch.Tensor:
    """S[r, h_r(i)] += s_r(i)·x_i in integers: exact in any order."""
    h, s = buckets_and_signs(hash_tables(spec, x.device), torch.arange(spec.d))
    return torch.zeros(spec.rows, spec.buckets, dtype=torch.int64).scatter_add_(1, h, s * x.long()).double()


@pytest.mark.parametrize("device", DEVICES, ids=str)
def test_hash_and_whole_number_sketch_are_equal_on_every_device(device: torch.device) -> None:
    keys = torch.arange(SPEC.d)
    here = packed_indices(hash_tables(SPEC, device), keys.to(device))
    assert torch.equal(here.cpu(), packed_indices(hash_tables(SPEC, torch.device("cpu")), keys))
    x = keys.remainder(97).double() - 48
    plain = CountSketch.zeros(SPEC, dtype=torch.float64).add(x)
    moved = CountSketch.zeros(SPEC, dtype=torch.float64, device=device).add(x.to(device))
    assert moved.table.device.type == device.type
    assert torch.equal(moved.table.cpu(), plain.table)
    assert torch.equal(moved.unsketch(20).indices.cpu(), plain.unsketch(20).indices)


@pytest.mark.parametrize("backend", ["numba", "torch"])
@pytest.mark.parametrize("way", ["few pairs", "long, many buckets", "blocks"])
def test_number_of_threads_does_not_change_a_bit(way: str, backend: str) -> None:
    zero = CountSketch.zeros(WAYS[way])
    x = wild(zero.spec.d, torch.float32)
    x[: len(x) * 2 // 3] *= 2.0**-40  # parts of threads differ in scale

    def results() -> tuple[torch.Tensor, ...]:
        sketch = zero.add(x, backend=backend)
        found = sketch.unsketch(50, backend=backend)
        return sketch.table, found.indices, found.values

    first, *others = with_each_number_of_threads((1, 2, 3), results)
    assert all(torch.equal(a, b) for other in others for a, b in zip(first, other, strict=True))


@pytest.mark.parametrize("shape", [(1, 100_003), (2, 100_003), (5, 4000)])
def test_number_of_threads_does_not_change_a_norm_or_a_mean(shape: tuple[int, int]) -> None:
    """Also where a single long sum is formed, which torch would cut into one part per thread."""
    generator = torch.Generator().manual_seed(1)
    single = CountSketch(SketchSpec(*shape, 100, 1), torch.randn(shape, generator=generator))
    batch = CountSketch(SketchSpec(1, 1, 100, 1), torch.randn(100_003, 1, 1, generator=generator).double())
    results = with_each_number_of_threads(
        (1, 2, 3, 4), lambda: (single.l2_squared().item(), batch.mean().table.item())
    )
    assert len(set(results)) == 1


def test_as_many_blocks_as_threads_unless_their_tables_outweigh_the_work() -> None:
    wide = replace(LONG, buckets=60_000)
    found = with_each_number_of_threads(
        (1, 2, 3), lambda: (len(numba_kernels.blocks(LONG)), len(numba_kernels.blocks(wide)))
    )
    assert found == [(1, 1), (2, 1), (2, 1)]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("way", WAYS)
def test_every_dense_way_is_the_definition_and_has_the_same_bits(way: str, dtype: torch.dtype) -> None:
    """Whole numbers against the definition, values of all magnitudes kernel against kernel; onto tables that
    are not 0, in batches and alone."""
    zero = CountSketch.zeros(WAYS[way], dtype=dtype)
    keys, x = torch.arange(zero.spec.d), whole_vector(zero.spec.d).to(dtype)
    mixed = torch.stack([wild(zero.spec.d, dtype, seed) for seed in (1, 2)])
    expected, tables = table_by_definition(zero.spec, x).to(dtype), []
    for backend in ("numba", "torch"):
        once = zero.add(x, backend=backend)
        assert torch.equal(once.table, expected)
        assert torch.equal(once.add(-3 * x, backend=backend).table, -2 * expected)
        assert torch.equal(zero.add_sparse(keys, x, backend=backend).table, expected)
        batch = CountSketch.zeros(WAYS[way], 2, dtype).add(x, backend=backend).add(mixed, backend=backend)
        assert torch.equal(batch.table[1], once.add(mixed[1], backend=backend).table)
        tables.append(batch.table)
    assert torch.equal(*tables)


def test_values_that_are_negated_views_are_read_as_they_are() -> None:
    x = torch.complex(torch.zeros(3000, dtype=torch.float64), whole_vector(3000)).conj().imag
    assert x.is_neg()
    seen = CountSketch.zeros(SPEC, dtype=torch.float64).add(x, backend="torch")
    assert torch.equal(seen.table, table_by_definition(SPEC, -whole_vector(3000)))


def test_kernels_run_on_meta_tensors() -> None:
    """No values, only shapes and devices: a stray CPU tensor in a kernel fails here on any machine."""
    x = torch.empty(SPEC.d, device="meta")
    keys = torch.empty(9, dtype=torch.int64, device="meta")
    sketch = CountSketch.zeros(SPEC, device="meta").add(x)
    sketch = sketch.add(SparseVector(SPEC.d, keys, torch.empty(9, device="meta")))
    batch = CountSketch.zeros(SPEC, batch=4, device="meta").add(torch.empty(4, SPEC.d, device="meta"))
    mixed = batch.mean().merge(sketch.scaled(0.5))
    for result, shape in (
        (mixed.table, (5, 13)),
        (batch.estimate(keys), (4, 9)),
        (sketch.estimate(keys, rule="mean"), (9,)),
        (batch.l2_squared(), (4,)),
    ):
        assert result.device.type == "meta"
        assert tuple(result.shape) == shape


def test_tensors_on_another_device_are_refused() -> None:
    x, keys = torch.empty(SPEC.d, device="meta"), torch.empty(2, dtype=torch.int64, device="meta")
    sketch = CountSketch.zeros(SPEC)
    for call in (
        lambda: sketch.add(x),
        lambda: sketch.add_sparse(keys, torch.ones(2)),
        lambda: sketch.add_sparse(torch.tensor([1, 2]), x[:2]),
        lambda: sketch.estimate(keys),
        lambda: sketch.unsketch(1, support=keys),
        lambda: sketch.merge(CountSketch.zeros(SPEC, device="meta")),
    ):
        with pytest.raises(BadInput, match="^device: got meta"):
            call()


def test_work_and_device_decide_unless_a_backend_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    cpu, meta = torch.device("cpu"), torch.device("meta")
    monkeypatch.delenv("FPSVERIFY_BACKEND", raising=False)
    for work, kernels in ((MANY, numba_kernels), (MANY - 1, torch_kernels)):
        assert choose(cpu, work=work) is kernels
        assert choose(cpu, "numba", work) is numba_kernels
        assert choose(meta, work=work) is choose(meta, "numba") is choose(cpu, "torch", work) is torch_kernels
    monkeypatch.setenv("FPSVERIFY_BACKEND", "torch")
    assert choose(cpu) is torch_kernels and choose(cpu, "numba") is numba_kernels
    monkeypatch.setenv("FPSVERIFY_BACKEND", "abacus")
    for device in (cpu, meta):
        with pytest.raises(BadInput, match="^backend: got 'abacus', expected numba or torch"):
            choose(device)
