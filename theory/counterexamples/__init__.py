"""Exact runs that break Theorem 1 (`runs`), and a second judge of them (`second`)."""
