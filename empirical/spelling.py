"""How a remedy is called: in a config and on the command line, or in the program that made the run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from empirical.observed.recorded import LOOKS, MOST_STEPS


@dataclass(frozen=True)
class Spelling:
    """Names of what a reader may do next.

    >>> Spelling(python=False).whole
    'send whole vectors (algorithm.compressor = "identity", k = d)'
    >>> Spelling(python=True).estimate(16, 150)
    'fps.estimate(folder, federation, rounds=32)'
    """

    python: bool

    @property
    def whole(self) -> str:
        how = "sketch=None" if self.python else 'algorithm.compressor = "identity", k = d'
        return f"send whole vectors ({how})"

    @property
    def verify(self) -> str:
        return "train(verify=True)" if self.python else "record.verify = true"

    @property
    def replay(self) -> str:
        return "fps.estimate(folder, federation, replay=True)" if self.python else "estimate with --replay"

    @property
    def advise(self) -> str:
        return "fps.advise" if self.python else "fpsverify advise"

    @property
    def which_rate(self) -> str:
        """What to call for another learning rate."""
        if self.python:
            return "fps.advise with the options of fps.train"
        return "fpsverify advise RUN/config.toml"

    def estimate(self, looks: int, T: int) -> str:
        """What looks at more rounds than so many of T + 1."""
        rounds = min(max(LOOKS, 2 * looks), T + 1)
        if self.python:
            more = ", replay=True" if T > MOST_STEPS else ""
            return f"fps.estimate(folder, federation, rounds={rounds}{more})"
        return f"estimate with --rounds {rounds}" + (" --replay" if T > MOST_STEPS else "")


COMMANDS, PROGRAM = Spelling(python=False), Spelling(python=True)


def spelling_of(config: Mapping[str, Any]) -> Spelling:
    """Only its program has the federation of a run made in Python: commands cannot run it again.

    >>> spelling_of({"problem": {"data": "own"}}) == PROGRAM
    True
    """
    problem = config.get("problem", {})
    return PROGRAM if problem.get("data") == "own" and not problem.get("source") else COMMANDS
