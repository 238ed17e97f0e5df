"""The whole suite as another processor would run it: `python -m benchmarks.portable`."""
