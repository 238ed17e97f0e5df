"""The methods that numbers come from, each with a version that is raised by hand.

Whoever changes a method so that its numbers change raises its version here. A stored result and a stored
estimate keep the versions that made them, and are old once one of them is raised. A changed comment, a moved
module or a quicker loop makes nothing old. `property_tests/suite/test_methods.py` reminds of it: it knows a
few numbers of every method.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

METHODS: Mapping[str, int] = MappingProxyType(
    {
        "hash": 2,  # hash functions, sketches and their read-out
        "local_step": 1,  # gradients and the proximal steps of a device
        "channel": 1,  # superposition, noise, fading, power
        "algorithm": 1,  # what server and devices do in a round
        "data": 1,  # generated data and their division among devices
        "estimate": 2,  # the constants of Assumptions 1-5, their intervals, the edge
        "rates": 1,  # certificates, admissible learning rates, bounds
        "advice": 2,  # pilots and the recommended learning rate
    }
)
RUN = ("hash", "local_step", "channel", "algorithm", "data")  # what decides the numbers of a run


def versions_of(names: Iterable[str] = METHODS) -> dict[str, int]:
    """Methods with their versions, to be kept beside a result.

    >>> sorted(versions_of(["rates", "hash"]))
    ['hash', 'rates']
    """
    return {name: METHODS[name] for name in names}


def raised(kept: Mapping[str, int]) -> list[str]:
    """The methods that are no longer those of a kept result.

    >>> raised(versions_of())
    []
    >>> raised({"hash": 0})
    ['hash']
    """
    return [name for name, number in kept.items() if METHODS.get(name) != number]
