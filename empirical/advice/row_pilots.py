"""Does a single row drive the model away? With mini-batches a pilot may never draw it; a long run will.

A row that is drawn c times in a round moves its device along its own gradient, by γ/b for each draw, and the
mean of n devices by a part 1/n of that. Repeated round after round this must not diverge. For least squares
and c = 1 it does so exactly if γh/(bn) > 2, h being the row's curvature: the mean square along that row then
grows without end, however rarely it is drawn.

Mini-batches are drawn with replacement, so that some round of a long run draws a row several times, and one
such round may undo many others. So c varies: it starts with the largest number that some round of the run has
with more than a small chance, and then takes each number as often as rounds do that draw the row at all. An
epoch has each row once. The draws are spread over the E local steps.

Rows whose gradient does not grow in the first round are stable for quadratics, and are not looked at further.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import torch
from scipy.stats import binom
from torch import Tensor

from empirical.advice import device_pilots
from empirical.advice.case import Case
from empirical.advice.pilots import HOPELESS
from empirical.advice.rule import MARGIN, Choice
from empirical.observed.run_models import DenseModel
from fpsverify.problems.problem import DenseProblem

MOST_ROWS, ROUNDS, LOWERINGS = 64, 64, 100
CHANCE = 0.01  # that some round of the run, on some device, draws a row more often than is looked at
GOLDEN = (5**0.5 - 1) / 2  # its multiples fill (0, 1) evenly
HELD = 2**22  # numbers in the gradients of one block of rows


@dataclass(frozen=True)
class Rows:
    """Some rows, and how often each is drawn in every round (rows by rounds)."""

    problem: DenseProblem
    at: np.ndarray
    draws: np.ndarray

    def __getitem__(self, chosen: np.ndarray | slice) -> Rows:
        return Rows(self.problem, self.at[chosen], self.draws[chosen])

    def loss_gradient(self, W: Tensor) -> tuple[Tensor, Tensor]:
        """Of each row, as of a device that has no other."""
        p, at = self.problem, torch.from_numpy(np.ascontiguousarray(self.at))
        return p.objective.loss_gradient(W, p.X[at][:, None], p.y[at][:, None])


def settle(case: Case, choice: Choice) -> Choice:
    """The same, or a smaller γ at which no row and no device drives the model away."""
    rows, devices = rows_of(case), device_pilots.devices_of(case)
    if rows is not None:
        choice = lowered(choice, "row", lambda gamma: diverges(case, rows, gamma))
    if devices is not None:
        choice = lowered(choice, "device", lambda gamma: device_pilots.diverges(case, devices, gamma))
    return choice


def lowered(choice: Choice, stiff: str, too_large: Callable[[float], bool]) -> Choice:
    """The margin below a γ that is not too large; None stays None."""
    if choice.gamma is None:
        return choice
    stable = choice.gamma * MARGIN
    for _ in range(LOWERINGS):
        if not too_large(stable):
            break
        stable /= MARGIN
    if stable == choice.gamma * MARGIN:
        return choice
    return replace(choice, gamma=stable / MARGIN, too_much=choice.gamma, stiff=stiff)


def rows_of(case: Case) -> Rows | None:
    """All rows; of large problems the sampled ones and those with the largest inputs.

    None where whole gradients are taken, or a sparse logistic loss: its gradients are bounded.
    """
    problem, local = case.setup.problem, case.config.local
    if local.batch == 0 or not isinstance(problem, DenseProblem):
        return None
    shards = [_kept(problem, shard, few) for shard, few in zip(problem.shards, _few(case), strict=True)]
    draws = [draws_of_a_row(case, size) for size in problem.sizes]
    return Rows(problem, np.concatenate(shards), np.repeat(draws, [len(shard) for shard in shards], axis=0))


def draws_of_a_row(case: Case, size: int) -> np.ndarray:
    """In ROUNDS rounds that draw one of `size` rows; the first has the most that a run of T rounds sees."""
    local = case.config.local
    if local.unit != "steps":
        return np.full(ROUNDS, local.E)
    trials, share = local.E * local.batch, 1 / size
    evenly = np.arange(ROUNDS) * GOLDEN % 1 * binom.sf(0, trials, share)
    rarest = CHANCE / (case.config.rounds * case.model.M)
    return np.maximum(1, binom.isf(np.maximum(rarest, evenly), trials, share)).astype(int)


def _few(case: Case) -> tuple[np.ndarray, ...]:
    assert isinstance(case.model, DenseModel)
    return case.model.problem.shards


def _kept(problem: DenseProblem, shard: np.ndarray, few: np.ndarray) -> np.ndarray:
    if len(few) == len(shard) or not problem.X.is_floating_point():
        return few
    size = torch.linalg.vector_norm(problem.X[torch.from_numpy(shard)].flatten(1), dim=1)
    largest = torch.topk(size, min(MOST_ROWS, len(shard))).indices.cpu().numpy()
    return np.union1d(few, shard[largest])


def diverges(case: Case, rows: Rows, gamma: float) -> bool:
    w = case.in_model(case.setup.problem.start)
    size = max(1, HELD // len(w))
    growth = torch.cat([_growth(case, part, w, gamma) for part in _blocks(rows, size)])
    worst = torch.argsort(growth, descending=True)[:MOST_ROWS]
    kept = worst[growth[worst] > 1].cpu().numpy()
    return len(kept) > 0 and _driven_away(case, rows[kept], w, gamma)


def _blocks(rows: Rows, size: int) -> Iterator[Rows]:
    return (rows[slice(i, i + size)] for i in range(0, len(rows.at), size))


def _growth(case: Case, rows: Rows, w: Tensor, gamma: float) -> Tensor:
    """‖∇l_i after one round‖/‖∇l_i before‖; infinite where it is not a number."""
    W = w.expand(len(rows.at), -1)
    before = rows.loss_gradient(W)[1].norm(dim=1)
    after = rows.loss_gradient(_round(case, rows, W, gamma, 0))[1].norm(dim=1)
    return torch.nan_to_num(after / before.clamp_min(torch.finfo(w.dtype).tiny), nan=torch.inf)


def _round(case: Case, rows: Rows, W: Tensor, gamma: float, t: int) -> Tensor:
    V, draws = W, rows.draws[:, t]
    for e in range(min(case.E, draws.max())):
        step = torch.from_numpy(gamma / case.config.local.batch * ((draws + case.E - 1 - e) // case.E)).to(W)
        V = V - step[:, None] * rows.loss_gradient(V)[1]
    return W + (V - W) / case.n


def _driven_away(case: Case, rows: Rows, w: Tensor, gamma: float) -> bool:
    W = w.expand(len(rows.at), -1)
    limit = HOPELESS * rows.loss_gradient(W)[0].clamp_min(case.model.loss(w))
    for t in range(ROUNDS):
        W = _round(case, rows, W, gamma, t)
        if not bool((rows.loss_gradient(W)[0] <= limit).all()):
            return True
    return False
