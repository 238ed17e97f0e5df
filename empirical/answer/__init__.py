"""From estimates to an answer: estimate (all constants of a run), assumptions and verdict (which hold),
compare (bound and run), outcome (how it trained), findings (all), short_answer, six_lines and text (what
is printed), stored (estimate.json).
"""
