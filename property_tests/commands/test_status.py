"""What long work says: on a terminal a line with the time, in a log one line for each stage."""

import io
import sys
import threading
import time

import pytest

from fpsverify.status import NAME, status


def test_on_a_terminal_the_time_goes_on_while_nothing_new_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr("fpsverify.status.EVERY", 0.001)
    with status(None) as say:
        say("curvature")
        written, until = screen.tell(), time.monotonic() + 30
        while screen.tell() == written and time.monotonic() < until:
            time.sleep(0.001)
        assert screen.tell() > written
    assert NAME not in {thread.name for thread in threading.enumerate()}
