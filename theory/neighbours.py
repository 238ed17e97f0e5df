"""Instances near a given one: one number of it is changed at a time, always in the same order.

Fractions come first: whole numbers are often sizes, and a larger instance takes longer. An instance that has
no numbers of its own says what is `near` it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from typing import Any


def neighbours(instance: Any) -> Iterator[Any]:
    """The instance with one number one larger, one smaller, or doubled; then with one truth value turned."""
    for kind in (Fraction, int, bool):
        yield from _changed(instance, kind)


def _changed(instance: Any, kind: type) -> Iterator[Any]:
    if hasattr(instance, "near"):
        yield from instance.near() if kind is Fraction else ()
    elif type(instance) is kind:
        yield from _others(instance)
    elif isinstance(instance, Mapping):
        for key, value in instance.items():
            yield from ({**instance, key: found} for found in _changed(value, kind))
    elif isinstance(instance, tuple):
        for n, value in enumerate(instance):
            for found in _changed(value, kind):
                yield type(instance)((*instance[:n], found, *instance[n + 1 :]))
    elif isinstance(instance, set | frozenset):
        for value in sorted(instance):
            yield from (type(instance)({*instance, found} - {value}) for found in _changed(value, kind))
    elif is_dataclass(instance) and not isinstance(instance, type):
        for name in (item.name for item in fields(instance)):
            found = _changed(getattr(instance, name), kind)
            yield from (replace(instance, **{name: value}) for value in found)


def _others(number: Any) -> Iterator[Any]:
    if isinstance(number, bool):
        yield not number
        return
    yield from (number + 1, number - 1)
    if number not in (0, 1):
        yield 2 * number
