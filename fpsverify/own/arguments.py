"""Arguments from Python that no config takes: each is refused in one line that names the argument."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from torch import Tensor

from fpsverify.errors import BadInput, RunFailed
from fpsverify.own.federation import Federation


def settings(set: Any) -> list[str]:
    """The keys of a config beside the arguments, after checking that they are a list of texts."""
    if isinstance(set, str):
        raise BadInput("set", set, f"a list: set=[{set!r}]")
    if not isinstance(set, (list, tuple)) or not all(isinstance(item, str) for item in set):
        raise BadInput("set", set, 'a list of texts, for example set=["record.checkpoint_every=10"]')
    return list(set)


def in_python(error: BadInput, given: dict[str, Any]) -> BadInput:
    """The same with the name of the argument before that of the key of the config."""
    section, _, key = error.field.partition(".")
    names = {"algorithm.name": "algorithm", "algorithm": "sketch", "channel": "channel", "--out": "out"}
    name = names.get(error.field) or names.get(section) or key
    field = f"{name} ({error.field})" if name in given else error.field
    return BadInput(field, error.value, error.expected)


@contextmanager
def named_in_python() -> Iterator[None]:
    """A run that fails names the learning rate as the argument and as the key of a config."""
    try:
        yield
    except RunFailed as error:
        raise RunFailed(str(error).replace("local.gamma", "gamma (local.gamma)")) from None


def demand_federation(x: Any, field: str, right: str) -> None:
    if not isinstance(x, Federation):
        raise BadInput(field, type(x).__name__, right)


def plain(value: Any, name: str) -> Any:
    """The number in an array or tensor without places; one with places is no value of an argument."""
    if not isinstance(value, (np.generic, np.ndarray, Tensor)):
        return value
    if value.ndim > 0:
        raise BadInput(
            name, f"{type(value).__name__} of shape {tuple(value.shape)}", "one value, not an array"
        )
    return value.item()


def demand_rate(gamma: Any) -> None:
    if gamma is None:
        raise BadInput("gamma", None, "a number; advise recommended none: see advice.summary()")
    if not isinstance(gamma, (int, float, str)):
        raise BadInput("gamma", type(gamma).__name__, "one number, for example advice.gamma")
