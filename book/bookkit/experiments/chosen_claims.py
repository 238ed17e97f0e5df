"""How the claims of the paper's experiments were chosen, and what that means for their count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from fpsverify.reproduce.claims import Claim, Verdict

# The claims that FPS is first under noise, each with its reading if that is not the default one.
COMPARED = (
    ("noisy MNIST, rivals send gradients", "mnist-best-in-noise", ""),
    ("noisy MNIST, rivals send updates", "mnist-best-in-noise", "if the rivals send updates"),
    ("noisy regression", "synthetic-lowest-loss", ""),
    ("noisy KDD12", "kdd12-best-in-noise", ""),
    ("noisy KDD10", "kdd10-best-in-noise", ""),
)
OUTCOMES = ("better", "undecided", "worse")


@dataclass(frozen=True)
class Chosen:
    """The paper's claims: statements of its text, and patterns of its tables that the text does not state."""

    text: int
    patterns: int
    failed: int
    failed_patterns: int

    @staticmethod
    def of(judged: Sequence[tuple[Claim, Verdict]]) -> Chosen:
        theirs = [(is_pattern(c), v.status == "not reproduced") for c, v in judged if not c.ours]
        patterns = [failed for pattern, failed in theirs if pattern]
        return Chosen(
            text=len(theirs) - len(patterns),
            patterns=len(patterns),
            failed=sum(failed for _, failed in theirs),
            failed_patterns=sum(patterns),
        )

    @property
    def total(self) -> int:
        return self.text + self.patterns


def is_pattern(claim: Claim) -> bool:
    """Was it read off a table?"""
    return claim.where.startswith("Table")


def compared(judged: Sequence[tuple[Claim, Verdict]]) -> list[list[str]]:
    """One line for each claim that FPS is first under noise: how often it is, in single comparisons."""
    return [[words, *map(str, comparisons(judged, name, reading))] for words, name, reading in COMPARED]


def comparisons(judged: Sequence[tuple[Claim, Verdict]], name: str, reading: str = "") -> list[int]:
    """How many of a claim's single comparisons FPS wins, leaves undecided, loses.

    By the default readings, unless another one is named.
    """
    (verdict,) = (v for claim, v in judged if claim.name == name)
    first = verdict.by_reading[reading] if reading else next(iter(verdict.by_reading.values()), verdict)
    counts = Counter(case.outcome for case in verdict.cases or first.cases)
    return [counts[outcome] for outcome in OUTCOMES]
