"""Mutation check: change one operator or constant of the product and see the laws fail.

`python -m property_tests.mutation` (or `make mutants`). `operators` lists every change that can be made to a
module, `targets` says which modules are mutated and which tests must notice. `driver` judges mutants on
`copies` of the repository, where `fork_server` runs the tests; `progress` survives interruptions, `table` is
the result.
"""
