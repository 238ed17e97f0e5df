"""Mutation check: change one operator or constant of the product and see the laws fail.

`python -m benchmarks.mutation` (or `make mutants`). `operators` lists every change that can be made to a
module, `sample` draws some and says which tests must notice, `worker` judges them on a
copy of the repository.
"""
