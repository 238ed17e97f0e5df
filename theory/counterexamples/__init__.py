"""Exact runs: against Theorem 1 (`runs`), and against Theorem A with one assumption dropped (`dropped`)."""
