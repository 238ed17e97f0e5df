"""Numbers for readers, rounded to the safe side: a limit down, a bound up."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context


def rounded_down(value: float, digits: int = 6) -> str:  # pragma: no mutate: shapes text
    """A decimal of so many digits that is not above the value: for what must stay below a limit."""
    return _rounded(value, digits, ROUND_FLOOR)


def rounded_up(value: float, digits: int = 6) -> str:  # pragma: no mutate: shapes text
    """A decimal of so many digits that is not below the value: for what bounds from above."""
    return _rounded(value, digits, ROUND_CEILING)


def _rounded(value: float, digits: int, direction: str) -> str:
    if not math.isfinite(value):  # pragma: no cover: beyond the largest float
        return f"{value:g}"
    # From the shortest decimal that reads back as the value, so that 0.3 stays 0.3.
    short = Context(prec=digits, rounding=direction).create_decimal(repr(float(value)))
    return f"{float(short):.{digits}g}"
