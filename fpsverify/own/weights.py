"""How much each row counts in a loss, found from its values, or one line if it is no mean over rows.

R(S) = Σ c_i r_i / Σ c_i with r_i = R({i}). For a row i and an anchor a,

    R({a, i}) = (c_a r_a + c_i r_i)/(c_a + c_i),   so   c_i/c_a = (R({a, i}) − r_a)/(r_i − R({a, i})).

Two anchors whose losses differ see every row, since r_i cannot be close to both. Then R of groups of four, at
other parameters, must be what c says. Both are done for all rows, at parameters moved at random (a head of
zeros gives every row one loss), so that the answer does not depend on a lucky choice of either.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from torch.func import vmap

from fpsverify.errors import BadInput
from fpsverify.own.objective import ModuleObjective, on_tensors, scores_in
from fpsverify.problems.problem import CHUNK
from fpsverify.rng import torch_generator

ANCHORS = 64  # rows among which the two with the most different losses are taken
HELD = 2**23  # numbers of outputs that are kept at once
FULL = 256  # rows at once where the module is called on each set of rows
GROUP = 4
MOVED = 0.05
NEAR = {True: 1e-6, False: 1e-3}  # in float64, and for a loss that takes float32 only
MEAN = "the plain mean over rows (reduction='mean'), or one that weight= or ignore_index= weighs"
NO_MIXING = (
    "a module that judges each row by itself: batch_first=True in recurrent layers and attention, "
    "fps.without_batch_norm(module)"
)

Losses = Callable[[Tensor], Tensor]  # (k, s) numbers of rows → (k,) losses of these sets of s rows


def row_weights(objective: ModuleObjective, w: Tensor, X: Tensor, y: Tensor, field: str) -> Tensor | None:
    """c_i of every row, of mean 1; None if all are equal."""
    first, second = (_moved(w, draw) for draw in range(2))
    anchors = _anchors(objective, first, X, y)
    found, misfit = [], 0.0
    for rows in torch.arange(len(y)).split(block_rows(objective, w, X, y)):
        c = torch.ones(len(rows), dtype=torch.float64)
        if anchors is not None:
            at = torch.cat([anchors, rows])
            c, alone = _against_anchors(_losses(objective, first, X[at], y[at]), len(at))
            _demand_counted(alone, rows, field)
        misfit = max(misfit, _misfit(_losses(objective, second, X[rows], y[rows]), c))
        found.append(c)
    c, near = torch.cat(found), NEAR[objective.reading.wide]
    if not bool((c > 0).all()) or not misfit < near:
        right = MEAN if _sliced(objective, w, X, y) else f"{MEAN}, of {NO_MIXING}"
        raise BadInput("loss", "no mean over rows: what a row counts depends on the others", right)
    c = c / c.mean()
    return None if float((c - 1).abs().max()) < near else c


def of_devices(c: Tensor, shards: tuple[Tensor, ...]) -> list[Tensor]:
    """a_i = c_i over the mean of c on the device."""
    return [c[rows] / c[rows].mean() for rows in shards]


def _moved(w: Tensor, draw: int) -> Tensor:
    noise = torch.randn(len(w), generator=torch_generator(draw, "row weights")).to(w)
    return w + MOVED * (w.abs() + w.square().mean().sqrt() + 0.1) * noise


def block_rows(objective: ModuleObjective, w: Tensor, X: Tensor, y: Tensor) -> int:
    """Rows whose outputs are kept at once."""
    sizes: list[int] = []
    on_tensors(lambda x: sizes.append(x.numel()) or x, objective.outputs(w, X[:1], y[:1]))  # type: ignore[func-returns-value]
    most = CHUNK if _sliced(objective, w, X, y) else FULL
    return max(1, min(most, HELD // max(1, sum(sizes))))


def _sliced(objective: ModuleObjective, w: Tensor, X: Tensor, y: Tensor) -> bool:
    """Whether all that the loss takes from the module is one tensor with a row for each example."""
    if objective.criterion is None:
        return False
    outputs = objective.outputs(w, X[:2], y[:2])
    scores = scores_in(outputs)
    return (
        (objective.reading.scores or scores is outputs) and scores is not None and len(scores) == len(y[:2])
    )


def _losses(objective: ModuleObjective, w: Tensor, X: Tensor, y: Tensor) -> Losses:
    wide = torch.float64 if objective.reading.wide else w.dtype
    if _sliced(objective, w, X, y):
        scores = scores_in(objective.outputs(w, X, y))
        assert scores is not None
        scores = scores.detach().to(wide)
        objective.judged(scores, X, y, wide)  # a target out of range shows here
        together: tuple[Tensor, ...] = scores, X, y
        one: Callable[..., Tensor] = lambda o, X, y: objective.judged(o, X, y, wide)  # noqa: E731
    else:
        v, together = w.to(wide), (X, y)
        one = lambda X, y: objective.judged(objective.outputs(v, X, y), X, y, wide)  # noqa: E731

    def of(sets: Tensor) -> Tensor:
        batches = [x[sets] for x in together]
        try:
            found: Tensor = vmap(one)(*batches)
        except Exception:  # vmap's errors have no type of their own; one by one is always right
            found = torch.stack([one(*batch) for batch in zip(*batches, strict=True)])
        return found.detach().double()

    return of


def _anchors(objective: ModuleObjective, w: Tensor, X: Tensor, y: Tensor) -> Tensor | None:
    """The rows with the least and the largest loss, among some, and if these are alike among all."""
    for count in sorted({min(ANCHORS, len(y)), len(y)}):
        rows = torch.linspace(0, len(y) - 1, count, dtype=torch.float64).long()
        parts = rows.split(block_rows(objective, w, X, y))
        alone = torch.cat([_losses(objective, w, X[r], y[r])(torch.arange(len(r))[:, None]) for r in parts])
        good = alone.isfinite()
        if bool(good.any()):
            least, most = (rows[good][i(alone[good])] for i in (torch.argmin, torch.argmax))
            if float(alone[good].max() - alone[good].min()) > 1e-6 * float(alone[good].abs().max()):
                return torch.stack([least, most])
    return None


def _against_anchors(losses: Losses, n: int) -> tuple[Tensor, Tensor]:
    """c and r of rows 2 … n − 1, given that rows 0 and 1 are the anchors."""
    i = torch.arange(n)
    alone = losses(i[:, None])
    ratios = []
    for anchor in (0, 1):
        both = losses(torch.stack([torch.full_like(i, anchor), i], 1))
        ratios.append((both - alone[anchor]) / (alone - both))
    first, second = ratios[0], ratios[1] * ratios[0][1]
    nearer = (alone - alone[0]).abs() < (alone - alone[1]).abs()
    return torch.where(nearer, second, first)[2:], alone[2:]


def _demand_counted(alone: Tensor, rows: Tensor, field: str) -> None:
    bad = (~alone.isfinite()).nonzero().flatten()
    if len(bad):
        told = f"row {int(rows[bad[0]])} with the loss {float(alone[bad[0]]):g}"
        right = "a finite loss of each row; leave out rows whose targets are all ignored"
        raise BadInput(field, told, right)


def _misfit(losses: Losses, c: Tensor) -> float:
    """By how much R of groups of rows is not the mean that c weighs, beside the size of the loss."""
    n = len(c)
    groups = torch.arange(-(-n // GROUP) * GROUP).reshape(-1, GROUP) % n
    alone, found = losses(torch.arange(n)[:, None]), losses(groups)
    expected = (c * alone)[groups].sum(1) / c[groups].sum(1)
    size, off = alone.abs().mean() + found.abs().mean(), (found - expected).abs().max()
    return 0.0 if float(off) == 0 else float((off / size).nan_to_num(torch.inf))
