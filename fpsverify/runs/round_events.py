"""One round played event by event, to check the formulas of round_cost.py against something that has none.

Devices get ready at random moments; slots of the channel go by one at a time, each taking what it can carry;
the server works when it has everything; the broadcast goes slot by slot too. With `early`, a device that is
ready may send its turn while others still compute, which a digital uplink allows and adding over the air does
not: the model leaves this saving to the dense scheme unused, and the simulation says how large it is.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator

import numpy as np

from fpsverify.errors import BadInput
from fpsverify.runs.round_cost import How, Link, Machine, Round, What, numbers_sent, server, sketching


def simulate(
    size: Round,
    machine: Machine,
    link: Link,
    what: What,
    how: How,
    generator: np.random.Generator,
    early: bool = False,
) -> float:
    """Seconds of one round, from the first moment at which a device can be ready to the end."""
    if early and how == "air":
        raise BadInput("early", early, "False over the air, where all devices send at once")
    work = sketching(size, machine) if what == "sketch" else 0.0
    ready = [work + wait for wait in generator.exponential(size.spread, size.M)]
    heapq.heapify(ready)
    now = 0.0 if early else max(ready)
    n = numbers_sent(size, machine, what)
    if how == "air":
        *_, now = slots(now, link.slot_seconds, n, link.numbers)
    else:
        while ready:  # in the order in which they became ready, each when the channel is free
            now = max(now, heapq.heappop(ready))
            *_, now = slots(now, link.slot_seconds, n * link.bits_per_number, link.bits_up)
    now += server(size, machine, what, how)
    told = 2 * size.k if what == "sketch" else size.d
    *_, now = slots(now, link.slot_seconds, told * link.bits_per_number, link.bits_down)
    return now


def slots(now: float, seconds: float, load: float, carried: float) -> Iterator[float]:
    """The moments at which slots end, until the load is gone."""
    while load > 0:
        load -= carried
        now += seconds
        yield now
