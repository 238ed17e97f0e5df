"""Intervals: of means and medians (intervals), growth, largest values over unseen rounds (unseen, kriging),
and of two constants at once (frontier).
"""
