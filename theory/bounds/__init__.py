"""The bounds of the paper and of the repaired theory, term by term, and sizes of count sketches."""
