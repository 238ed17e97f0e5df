"""The repaired theory: one entry per result. Coq proves it; exact small cases are checked beside it."""
