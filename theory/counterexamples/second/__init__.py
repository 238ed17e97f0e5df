"""A second judge of the exact runs: Algorithm 1 (`algorithm1`) and Theorem 1 (`theorem1`) once more.

It is written from the paper's text and shares no code with the replay that it judges. It reads the same
numbers, says whether the hypotheses and the statement hold, and a difference is an error.
"""
