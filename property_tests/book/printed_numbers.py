"""Numbers as the article prints them, written a second time; where two sets of values differ."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "book" / "results"


def stored(name: str) -> Any:
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


def digits(value: float, number: int = 3) -> str:
    """Rounded half to even by decimal arithmetic, written as the article does."""
    short = Context(prec=number, rounding=ROUND_HALF_EVEN).create_decimal(Decimal(value))
    if short == 0:
        return "0"
    power = short.adjusted()
    if -5 < power < 6:
        plain = f"{short:f}"
        return plain.rstrip("0").rstrip(".") if "." in plain else plain
    head = f"{short.scaleb(-power).normalize():f}"
    return f"{head}·10^{power}"


def fraction(value: Fraction) -> str:
    whole = f"{value.numerator}" if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
    return whole.replace("-", "−") if len(whole) <= 12 else digits(float(value))


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every printed value with its place."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, f"{name}.{key}")
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from leaves(inner, f"{name}[{place}]")
    else:
        yield name, value


def differences(found: Any, expected: Any) -> list[str]:
    """Where the two differ, or where one of them has nothing."""
    one, two = dict(leaves(found)), dict(leaves(expected))
    names = sorted(one.keys() | two.keys())
    return [f"{n}: {one.get(n)!r}, not {two.get(n)!r}" for n in names if one.get(n) != two.get(n)]
