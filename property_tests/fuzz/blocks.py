"""A block of cases or kills in one process; a spawned process could not import this from `__main__`."""

from __future__ import annotations

import tempfile
from pathlib import Path

Found = tuple[str, int, str, str | None]  # kind, number, what was tried, what went wrong
Block = tuple[str, int, int, int]  # "case" or "kill", seed, first number, end


def work(block: Block) -> list[Found]:
    import torch

    torch.set_num_threads(1)
    kind, seed, first, last = block
    return _cases(seed, first, last) if kind == "case" else _kills(seed, first, last)


def _cases(seed: int, first: int, last: int) -> list[Found]:
    from property_tests.fuzz.cases import try_case
    from property_tests.fuzz.samples import make_samples

    with tempfile.TemporaryDirectory() as base:
        samples = make_samples(Path(base) / "samples")
        found = []
        for number in range(first, last):
            kind, text, wrong = try_case(seed, number, samples, Path(base) / "room")
            found.append((kind, number, text, wrong))
    return found


def _kills(seed: int, first: int, last: int) -> list[Found]:
    from property_tests.fuzz.kills import Killer

    with tempfile.TemporaryDirectory() as base:
        killer = Killer(Path(base) / "room")
        found: list[Found] = []
        for number in range(first, last):
            outcome = killer.strike(seed, number)
            state = "at work" if outcome.at_work else "already done"
            found.append((f"killed {outcome.kind} ({state})", number, outcome.kind, outcome.wrong))
    return found
