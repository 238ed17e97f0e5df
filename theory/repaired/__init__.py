"""The repaired theory: one entry per result, with its theorem in Coq."""
