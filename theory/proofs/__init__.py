"""The proofs in `theory/coq/`: what they state, how they are built and checked, and when that was last done.

`python -m theory.proofs.prove` (that is `make prove`) builds everything from nothing; `manifest.load()` reads
what the last such build found, which needs no Coq.
"""
