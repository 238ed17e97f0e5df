"""A round as the sketch sees it: table_operator and round_operator (S, and one round), crossing and edge
(where it stops being stable), theorem_b (its bound), table_health (what a table loses).
"""
