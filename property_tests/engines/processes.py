"""Processes on loopback: where they can listen, and waiting until they do."""

import contextlib
import socket
import time
from collections.abc import Callable

PATIENCE = 240.0  # seconds for processes that import torch on a busy machine


def free_ports(n: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(n)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_until(met: Callable[[], bool], otherwise: Callable[[], str] = lambda: "it took too long") -> None:
    end = time.monotonic() + PATIENCE
    while not met():
        assert time.monotonic() < end, otherwise()
        time.sleep(0.1)
