"""Any sequence of add, merge, scale, save and load agrees with a dense vector of whole numbers."""

from __future__ import annotations

import tempfile
from fractions import Fraction
from pathlib import Path

import torch
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fpsverify.sketching.sketch import CountSketch, SketchSpec, combine
from fpsverify.vectors import SparseVector
from property_tests import laws
from property_tests.support.oracles import oracle_estimate, oracle_table
from property_tests.support.strategies import backends, dtypes, pairs, specs

SOURCE = laws.LINEARITY

# Entries stay below 2^20 and at multiples of 2^-4 here, so even float32 holds every number exactly.
LIMIT = Fraction(2**12)
QUANTUM = Fraction(1, 2**4)


class SketchMachine(RuleBasedStateMachine):
    """`sketch` is under test; `x` is the same vector, held exactly as {coordinate: value}."""

    @initialize(spec=specs(max_d=40), dtype=dtypes)
    def start(self, spec: SketchSpec, dtype: torch.dtype) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.spec, self.dtype = spec, dtype
        self.sketch = CountSketch.zeros(spec, dtype=dtype)
        self.x: dict[int, Fraction] = {}

    @rule(data=st.data(), backend=backends, form=st.sampled_from(["dense", "pairs", "vector", "batch"]))
    def add(self, data: st.DataObject, backend: str, form: str) -> None:
        indices, values = data.draw(pairs(self.spec.d, max_size=8))
        values = torch.round(values / 2**8)
        for i, v in zip(indices.tolist(), values.tolist(), strict=True):
            self.x[i] = self.x.get(i, Fraction(0)) + Fraction(v)
        dense = torch.zeros(self.spec.d, dtype=torch.float64).index_add_(0, indices, values)
        if form == "dense":
            self.sketch = self.sketch.add(dense, backend=backend)
        elif form == "pairs":
            self.sketch = self.sketch.add_sparse(indices, values, backend=backend)
        elif form == "vector":
            self.sketch = self.sketch.add(
                SparseVector.from_pairs(self.spec.d, indices, values), backend=backend
            )
        else:
            batch = CountSketch.zeros(self.spec, batch=2, dtype=self.dtype).add(dense, backend=backend)
            self.sketch = self.sketch.merge(batch.mean())

    @precondition(lambda self: self.magnitude() <= LIMIT)
    @rule(data=st.data(), weight=st.sampled_from([1, -1, 2]))
    def merge(self, data: st.DataObject, weight: int) -> None:
        indices, values = data.draw(pairs(self.spec.d, max_size=8))
        values = torch.round(values / 2**8)
        other = CountSketch.zeros(self.spec, dtype=self.dtype).add_sparse(indices, values)
        self.sketch = combine([self.sketch, other], [1, weight])
        for i, v in zip(indices.tolist(), values.tolist(), strict=True):
            self.x[i] = self.x.get(i, Fraction(0)) + weight * Fraction(v)

    @precondition(lambda self: self.magnitude() <= LIMIT)
    @rule(a=st.sampled_from([2, -1, -2, 0]))
    def scale(self, a: int) -> None:
        self.sketch = self.sketch.scaled(a)
        self.x = {i: a * v for i, v in self.x.items()}

    @precondition(lambda self: all((v / 2 / QUANTUM).denominator == 1 for v in self.x.values()))
    @rule()
    def halve(self) -> None:
        self.sketch = self.sketch.scaled(0.5)
        self.x = {i: v / 2 for i, v in self.x.items()}

    @rule()
    def save_and_load(self) -> None:
        path = Path(self.folder.name) / "sketch.safetensors"
        self.sketch.save(path)
        self.sketch = CountSketch.load(path)

    @rule(data=st.data(), backend=backends)
    def query(self, data: st.DataObject, backend: str) -> None:
        key = data.draw(st.integers(0, self.spec.d - 1))
        seen = self.sketch.estimate(torch.tensor([key]), backend=backend)
        assert Fraction(float(seen[0])) == oracle_estimate(self.spec, self.sketch.table, key, "median")

    @invariant()
    def table_is_the_exact_sketch(self) -> None:
        expected = [[float(v) for v in row] for row in oracle_table(self.spec, self.x)]
        assert self.sketch.spec == self.spec
        assert self.sketch.table.dtype == self.dtype
        assert self.sketch.table.tolist() == expected

    def magnitude(self) -> Fraction:
        return sum((abs(v) for v in self.x.values()), Fraction(0))

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()


TestSketchMachine = SketchMachine.TestCase
TestSketchMachine.settings = settings(stateful_step_count=20)
