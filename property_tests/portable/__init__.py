"""The whole suite as another processor would run it: `python -m property_tests.portable`."""
