"""Robustness: any bytes and any arguments end in success or one clear line, and SIGKILL loses nothing.

`python -m property_tests.fuzz` (or `make fuzz`) runs 100,000 cases and 200 kills; `make test` runs a sample.
`damage` makes the inputs, `cases` turns them into commands, `judge` runs one and says what is wrong with its
behaviour, `kills` ends real processes at random moments. Case number n of a seed is always the same case.
"""
