"""The machine-checked proofs in `theory/coq`, seen from Python."""
