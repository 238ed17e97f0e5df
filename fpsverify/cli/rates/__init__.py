"""`lr` and `bound`: what they parse, compute and print."""
