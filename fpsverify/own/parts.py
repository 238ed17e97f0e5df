"""Who holds which rows, as it is given in Python: what is no list of row numbers is told in one line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fpsverify.data.partition import partition
from fpsverify.errors import BadInput

LISTS = "a list of row numbers per device"


def listed(parts: Any) -> list[NDArray[Any]]:
    """One array per device, from a list or anything else to be gone through; not a number, a name, a dict."""
    if isinstance(parts, Mapping):
        raise BadInput("parts", "a dict", f"{LISTS}: list(parts.values())")
    if isinstance(parts, (str, bytes)) or not isinstance(parts, Iterable):
        M = parts if isinstance(parts, int) and parts > 1 else "M"
        raise BadInput("parts", parts, f"{LISTS}; fps.dirichlet(labels, {M}, alpha) makes one")
    found = [_numbers(part, f"parts[{m}]") for m, part in enumerate(parts)]
    if not found:
        raise BadInput("parts", "no device", LISTS)
    return found


def _numbers(part: Any, field: str) -> NDArray[Any]:
    try:
        found = np.asarray(part)
    except ValueError:  # lists within lists
        raise BadInput(field, part, "a list of row numbers") from None
    if found.ndim == 0:
        raise BadInput(field, part, "a list of row numbers")
    return found


def dirichlet(labels: ArrayLike, M: int, alpha: float, seed: int = 1) -> tuple[NDArray[np.int64], ...]:
    """Row numbers of M devices, classes spread by Dirichlet(alpha): the smaller, the less alike."""
    if np.ndim(labels) == 0:
        raise BadInput("labels", labels, "the class of each row, as a list")
    if not isinstance(M, Integral):
        raise BadInput("M", M, "a whole number of devices")
    if not isinstance(alpha, Real) or not 0 < alpha < np.inf:
        raise BadInput("alpha", alpha, "a positive number")
    return partition(labels, M, 1, seed, alpha=alpha)
