"""Robustness: any bytes and any arguments end in success or one clear line, and SIGKILL loses nothing.

`make fuzz` tries 100,000 inputs and 200 kills; `make test` a sample: both are `commands/test_robustness.py`.
`samples` are good inputs, `cases` damages them and makes commands of them, `judge` runs one and says what is
wrong with its behaviour, `kills` ends real processes at random moments.
"""
