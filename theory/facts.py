"""What is known of a problem and a setting, and the conditions that theorems put on it.

>>> facts = Facts(E=2, averaged=False)
>>> lacking(facts, ("mean", "one step", "finite constants"))
(('mean', 'one step'), ('finite constants',))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from theory.rates.parameters import Box, Scalar

How = Literal["exact", "measured", "assumed"]
Loss = Literal["quadratic", "convex", "smooth", "kinked"]
THROUGHOUT, AT_POINTS = "throughout", "at the points seen"  # where the constants hold


@dataclass(frozen=True)
class Known:
    """A number with both ends, and how it is known."""

    value: float
    low: float
    high: float
    how: How = "measured"


@dataclass(frozen=True)
class Compression:
    """What is lost between the devices and the broadcast: of d coordinates k are broadcast, after a sketch of
    `rows` x `buckets` numbers (None: no sketch). Its hash is kept for ever with its table, fresh in every
    round, or other: devices do not keep one table. `memory`: the share that devices keep of what was lost."""

    k: int
    d: int
    rows: int | None = None
    buckets: int | None = None
    recovery: str = "mean"
    kind: str = "count_sketch"
    hash: Literal["kept", "fresh", "other"] = "kept"
    memory: float = 0.0
    hash_known: bool = True


@dataclass(frozen=True)
class Facts:
    """What is known of a problem and a setting.

    box           the constants at both ends (None: some have no finite end); `how` they are known
    reach         do they hold throughout the run, or at the points seen alone?
    theta         curvature lies in [-theta L, L]; `L_f` is the smoothness of the mean loss
    trace         of a matrix above all Hessians of the mean loss (None: the worst case counts)
    participants  (n, M): so many of M devices are drawn for a round (None: all take part)
    edge          where a round with this very hash stops being stable; `edge_exact`: for this loss
    averaged      the server applies the mean of the devices' displacements, up to compression
    differences   is A3 known, how much devices differ?
    residual      is the mean square of what compression leaves out known? None: cannot tell
    shown         what a run shows of a condition: holds, fails, or (None) cannot tell
    """

    E: int
    mu: float = 0.0
    box: Box | None = None
    how: How = "assumed"
    reach: str = THROUGHOUT
    loss: Loss = "smooth"
    theta: Scalar = 1
    L_f: Scalar | None = None
    trace: Known | None = None
    participants: tuple[int, int] | None = None
    edge: Known | None = None
    averaged: bool = True
    everyone: bool = True
    mu_follows: bool = False
    full_batch: bool = True
    quiet: bool = True
    fading: bool = False
    sampled: bool = False
    table_kept: bool = True
    compression: Compression | None = None
    differences: bool = True
    residual: bool | None = True
    shown: Mapping[str, bool | None] = field(default_factory=dict)

    @property
    def noiseless(self) -> bool:
        return self.full_batch and self.quiet and not self.fading

    @property
    def known_throughout(self) -> bool:
        return self.reach == THROUGHOUT


Test = Callable[[Facts], bool | None]
CONDITIONS: dict[str, Test] = {
    "finite constants": lambda f: f.box is not None or None,
    "mean": lambda f: f.averaged,
    "everyone": lambda f: f.everyone,
    "smooth": lambda f: f.loss != "kinked",
    "noise": lambda f: True,
    "bias": lambda f: True,
    "proximal step": lambda f: True,
    "all rows": lambda f: not f.sampled,
    "fixed mu": lambda f: not f.mu_follows,
    "no mu": lambda f: f.mu == 0 or f.E == 1,
    "one step": lambda f: f.E == 1,
    "curvature everywhere": lambda f: f.known_throughout or f.loss == "quadratic",
    "noise everywhere": lambda f: f.known_throughout or f.full_batch,
    "no fading": lambda f: f.known_throughout or not f.fading,
    "quadratic": lambda f: f.loss == "quadratic",
    "convex": lambda f: f.loss in ("quadratic", "convex"),
    "minimum": lambda f: f.loss == "quadratic" or f.how == "assumed" or None,
    "noiseless": lambda f: f.noiseless,
    "nothing compressed": lambda f: f.compression is None,
    "k = d": lambda f: f.compression is None or f.compression.k >= f.compression.d,
    "mean read-out": lambda f: f.compression is None or f.compression.recovery == "mean",
    "kept table": lambda f: f.table_kept,
    "one hash": lambda f: f.compression is None or f.compression.hash != "fresh",
    "no memory": lambda f: f.compression is None or f.compression.memory == 0,
    "fresh hash": lambda f: f.compression is not None and f.compression.hash == "fresh",
    "hash known": lambda f: f.compression is None or f.compression.hash_known,
    "differences": lambda f: f.differences or f.E == 1,
    "no bias": lambda f: f.box is None or f.box.high.P_b == 0,
    "residual": lambda f: f.residual,
    "kept sketch": lambda f: (
        f.compression is not None and f.compression.rows is not None and f.compression.hash == "kept"
    ),
    "vectors kept": lambda f: True,
    "dense data": lambda f: True,
    "finite noise": lambda f: True,
    "edge": lambda f: f.edge is not None,
    "exact edge": lambda f: f.edge is not None and f.edge.how == "exact" and f.edge.low > 0,
}


def lacking(facts: Facts, needs: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Which of the conditions fail, and which cannot be told."""
    seen = {name: _holds(facts, name) for name in needs}
    return tuple(n for n, x in seen.items() if x is False), tuple(n for n, x in seen.items() if x is None)


def _holds(facts: Facts, name: str) -> bool | None:
    """What a run has shown of a condition counts beside what is known of its setting."""
    both = (CONDITIONS[name](facts), facts.shown.get(name, True))
    return False if False in both else None if None in both else True
