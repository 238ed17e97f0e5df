"""From estimates to an answer: estimate (all constants of a run), assumptions and verdict (which hold),
compare (bound and run), findings (all of it), short_answer and text (what is printed), stored
(estimate.json).
"""
