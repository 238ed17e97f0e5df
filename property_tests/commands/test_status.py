"""What long work says: on a terminal a line with the time, in a log one line for each stage."""

import io
import sys
import threading
import time

import pytest

from fpsverify.status import NAME, status
from property_tests import laws

SOURCE = laws.COMMANDS


def test_where_nobody_watches_each_stage_is_one_line_and_its_steps_are_none(capsys) -> None:
    told = [
        "curvature",
        "pilot at gamma = 0.1: round 2 of 50, loss 1",
        "pilot at gamma = 0.1: round 4 of 50, loss 1",
    ]
    told += [
        "pilot at gamma = 0.2: round 2 of 50, loss 1",
        "replicates",
        "replicates at round 3",
        "a: round trip",
    ]
    with status(None) as say:
        for line in told:
            say(line)
    stages = ["curvature", "pilot at gamma = 0.1", "pilot at gamma = 0.2", "replicates", "a: round trip"]
    assert capsys.readouterr().err.splitlines() == stages


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
