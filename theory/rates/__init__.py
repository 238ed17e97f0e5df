"""Learning rates: which are proved to descend, which are impossible, and how large the bound is."""
