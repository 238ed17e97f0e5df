"""A root of a function that is costly to call: false position with Anderson and Björck's weights.

Every third call halves the bracket, so that no function, however curved, takes long.

scipy has such functions, but its package takes longer to load than a certificate takes to find.
"""

from __future__ import annotations

from collections.abc import Callable

MOST_CALLS = 100


def root(function: Callable[[float], float], low: float, high: float, tolerance: float) -> float:
    """A point within tolerance (relative) of a sign change between low and high, whose signs differ."""
    at_low, at_high = function(low), function(high)
    if at_low == 0 or at_high == 0:
        return low if at_low == 0 else high
    if (at_low > 0) == (at_high > 0):
        raise ValueError("the function has the same sign at both ends")
    for call in range(MOST_CALLS):
        secant = _inside(low, high, at_low, at_high, tolerance)
        middle = (low + high) / 2 if call % 3 == 2 else secant  # pragma: no mutate: every so often
        value = function(middle)
        if value == 0:
            return middle
        if (value > 0) == (at_high > 0):
            low, at_low, high, at_high = low, at_low * _weight(value, at_high), middle, value
        else:
            low, at_low, high, at_high = middle, value, high, at_high * _weight(value, at_low)
        if high - low <= tolerance * abs(high):
            break
    return (low + high) / 2


def _inside(low: float, high: float, at_low: float, at_high: float, tolerance: float) -> float:
    """The secant's zero, kept a little inside, so that a bracket closes from both ends."""
    guess = low + (high - low) * at_low / (at_low - at_high)
    margin = min(0.4 * tolerance * abs(high), 0.25 * (high - low))
    return min(max(guess, low + margin), high - margin)


def _weight(value: float, replaced: float) -> float:
    """Shrinks the value at the end that stays, which pulls the next guess towards it."""
    weight = 1 - value / replaced
    return weight if weight > 0 else 0.5
