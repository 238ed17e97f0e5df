"""How well the table of a run still represents what the devices send: figures from its sampled rounds.

κ_own   = Σ‖S a_t‖²/(J Σ‖a_t‖²), a_t = ∇f(w̃_t): the share of the gradient that the run's own sketch sees.
          The broadcast depends on the hash, so κ_own can fall towards 0 while ‖a_t‖ does not.
κ_audit   the same with an independent hash of the same size, which is never fed back: near 1, with relative
          standard deviation about √(2/(J b)) for one round. κ_own far below κ_audit means that gradients hide
          from the hash, not that the sketch is too small.
‖s_t‖     from s_t = S v_t, where the run kept v_t. Growth like t (exponent 1): the table never settles.
blind     share of the J·b buckets whose value moved by more than half of the root mean square of ‖u_t‖
          between the middle and the last sampled round, u_t = what was read out of the table. Such a bucket
          grows because no coordinate's read-out corrects it. The threshold ½ was chosen once, never varied.
swaps     coordinates that enter the broadcast in one round, the mean over sampled rounds after the first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from empirical.observed.protocol import Evidence, Iterate
from empirical.observed.run_models import SparseModel
from empirical.sketch_space.table_operator import TableOperator, operator_of
from fpsverify.rng import derive_seed

BLIND = 0.5  # of the root mean square of ‖u_t‖


@dataclass(frozen=True)
class TableHealth:
    """`norms` are ‖s_t‖ at `rounds`; None where the run kept no v_t (record.verify = false)."""

    kappa_own: float
    kappa_audit: float
    rounds: tuple[int, ...]
    norms: tuple[float, ...] | None
    growth: float | None
    blind: float | None
    swaps: float | None

    @property
    def words(self) -> str:
        """One sentence."""
        found = [
            f"the gradient shows in it with {self.kappa_own:.3g} of its ‖∇f‖² (1: nothing is hidden; "
            f"{self.kappa_audit:.3g} with another random hash)"
        ]
        if self.norms is not None and self.growth is not None:
            found.append(
                f"its norm ends at {self.norms[-1]:.3g} and grows like t^{self.growth:.2g} (0: it has "
                "settled, 1: it never will)"
            )
        if self.blind is not None:
            found.append(f"{100 * self.blind:.3g} % of its buckets grow and nothing corrects them")
        if self.swaps is not None:
            found.append(f"{self.swaps:.3g} coordinates are new in the broadcast of a round")
        return f"The sketch table: {'; '.join(found)}."


def keeps_a_table(evidence: Evidence) -> bool:
    """Does the run read its broadcast out of a count sketch that lasts?"""
    options = evidence.config.get("algorithm", {})
    lasting = options.get("device_sketch") != "resync" and options.get("local_iterate") != "mission"
    return options.get("name") == "fps" and options.get("compressor") == "count_sketch" and lasting


def health(evidence: Evidence) -> TableHealth:
    iterates = sorted(evidence.iterates, key=lambda it: it.t)
    own = operator_of(evidence)
    audit = operator_of(evidence, derive_seed(evidence.seed, "audit hash") % 2**62)
    gradients = [_gradient(evidence, it) for it in iterates]
    tables = _tables(evidence, own, iterates)
    read_out = _read_out(evidence, iterates)
    t = np.array([it.t for it in iterates])
    norms = None if tables is None else tables.norm(dim=1).numpy()
    return TableHealth(
        kappa_own=kappa(own, gradients),
        kappa_audit=kappa(audit, gradients),
        rounds=tuple(int(x) for x in t),
        norms=None if norms is None else tuple(float(x) for x in norms),
        growth=None if norms is None else growth_exponent(t, norms),
        blind=None if tables is None else blind_share(t, tables, _size(read_out)),
        swaps=swaps_per_round(iterates, _origin(evidence, iterates)),
    )


def _gradient(evidence: Evidence, iterate: Iterate) -> Tensor:
    return evidence.model.full_gradients(iterate.w.expand(evidence.model.M, -1)).mean(0).double()


def kappa(table: TableOperator, vectors: list[Tensor]) -> float:
    """Σ‖S a‖²/(J Σ‖a‖²); not a number where all a are 0."""
    seen = sum(float(table.sketch(a).square().sum()) for a in vectors) / table.rows
    there = sum(float(a.square().sum()) for a in vectors)
    return seen / there if there > 0 else math.nan


def _tables(evidence: Evidence, own: TableOperator, iterates: list[Iterate]) -> Tensor | None:
    """(rounds, J·b): the exact tables, without channel noise. Sparse problems start at 0: v_t is `exact`."""
    sparse = isinstance(evidence.model, SparseModel)
    kept = [it.exact if sparse else it.stored for it in iterates]
    found = [own.sketch(v) for v in kept if v is not None]
    return torch.stack(found) if len(found) == len(iterates) else None


def growth_exponent(t: np.ndarray, norms: np.ndarray) -> float | None:
    """p with ‖s_t‖ ~ t^p between the middle and the last sampled round; 0 is settled, 1 is linear growth."""
    middle = middle_of(t)
    if t[middle] <= 0 or t[middle] == t[-1] or min(norms[middle], norms[-1]) <= 0:
        return None
    return float(np.log(norms[-1] / norms[middle]) / np.log(t[-1] / t[middle]))


def middle_of(t: np.ndarray) -> int:
    """The sampled round nearest to half of the last one."""
    return int(np.abs(t - t[-1] / 2).argmin())


def blind_share(t: np.ndarray, tables: Tensor, size: float) -> float:
    moved = (tables[-1] - tables[middle_of(t)]).abs()
    return float((moved > BLIND * size).double().mean())


def _origin(evidence: Evidence, iterates: list[Iterate]) -> Tensor:
    """What the table does not hold: w_0 where it is kept beside the table, else 0."""
    beside = evidence.config.get("algorithm", {}).get("initial_model", "beside") == "beside"
    return iterates[0].w if beside else torch.zeros_like(iterates[0].w)


def _read_out(evidence: Evidence, iterates: list[Iterate]) -> list[Tensor]:
    """u_t: what came out of the table."""
    origin = _origin(evidence, iterates)
    return [it.w - origin for it in iterates]


def _size(vectors: list[Tensor]) -> float:
    """Root mean square of the norms."""
    return math.sqrt(sum(float(u.double().square().sum()) for u in vectors) / len(vectors))


def swaps_per_round(iterates: list[Iterate], origin: Tensor) -> float | None:
    """Coordinates that are read out in round t + 1 and not in round t; the first broadcast is left out."""
    pairs = [(it.w != origin, it.after != origin) for it in iterates[1:] if it.after is not None]
    if not pairs:
        return None
    return float(np.mean([int((after & ~before).sum()) for before, after in pairs]))
