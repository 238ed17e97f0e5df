"""Segments of the run on which the gradient is steep, and kinks, where it jumps and no L exists.

A segment is halved again and again, each device keeping the half in which its gradient changes more. Where
l_m is smooth the quotient ‖Δ∇l_m‖/‖Δw‖ settles at a directional curvature; at a jump ‖Δ∇l_m‖ stays and the
quotient doubles with every halving, without end.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor

from empirical.observed.protocol import Evidence, Model
from empirical.observed.replicates import local_iterates

HALVINGS, LAST = 40, 6
SETTLED = 0.01  # relative change of the quotient over LAST halvings that ends the search
Segment = tuple[int, Tensor, Tensor]  # after round t, from and to
SEGMENTS = 6  # of each kind; a zoom costs up to HALVINGS full gradients


@dataclass(frozen=True)
class Kink:
    """After round t, ∇l_m changes by `jump` over a distance: a quotient that doubles with every halving."""

    t: int
    device: int
    jump: float
    distance: float

    @property
    def quotient(self) -> float:
        return self.jump / self.distance


@dataclass(frozen=True)
class Zoom:
    """Largest quotients over devices: on the whole segment, and on any half that was kept."""

    whole: float
    steepest: float
    kink: Kink | None


def segments(evidence: Evidence) -> list[Segment]:
    """(M, d) each: to the next round, to the next sampled one, along the local path, to v_t."""
    M, its = evidence.model.M, evidence.iterates
    wide = lambda w: w.expand(M, -1)  # noqa: E731
    kinds = [
        [(a.t, wide(a.w), wide(b.w)) for a, b in pairwise(its)],
        [(it.t, wide(it.w), wide(it.after)) for it in its if it.after is not None],
        [(it.t, wide(it.w), wide(it.exact)) for it in its if it.exact is not None],
    ]
    if evidence.E > 1:
        kinds.append([(it.t, wide(it.w), local_iterates(evidence, it, evidence.E - 1)) for it in its])
    chosen = [each for kind in kinds for each in _spread(kind)]
    return [(t, a, b) for t, a, b in chosen if not torch.equal(a, b)]


def _spread(items: list[Segment]) -> list[Segment]:
    """At most SEGMENTS of them, evenly over the run."""
    if len(items) <= SEGMENTS:
        return items
    return [items[round(i * (len(items) - 1) / (SEGMENTS - 1))] for i in range(SEGMENTS)]


def zoom(model: Model, t: int, a: Tensor, b: Tensor) -> Zoom:
    """Halve the segments a[m] … b[m] towards their steepest parts."""
    g_a, g_b = model.full_gradients(a).double(), model.full_gradients(b).double()
    eps = torch.finfo(a.dtype).eps
    # Below these, a difference of points or of gradients is rounding: sums over rows agree to about 1e3 eps.
    closest = 1e3 * eps * torch.maximum(a.double().norm(dim=1), b.double().norm(dim=1))
    smallest = 1e3 * eps * torch.maximum(g_a.norm(dim=1), g_b.norm(dim=1))
    jumps, lengths = [(g_b - g_a).norm(dim=1)], [(b - a).double().norm(dim=1)]
    for _ in range(HALVINGS):
        middle = (a + b) / 2
        g = model.full_gradients(middle).double()
        left = ((g - g_a).norm(dim=1) >= (g_b - g).norm(dim=1))[:, None]
        a, b = torch.where(left, a, middle), torch.where(left, middle, b)
        g_a, g_b = torch.where(left, g_a, g), torch.where(left, g, g_b)
        jump, length = (g_b - g_a).norm(dim=1), (b - a).double().norm(dim=1)
        if not bool(((jump > smallest) & (length > closest)).any()):
            break
        jumps.append(torch.where((jump > smallest) & (length > closest), jump, torch.nan))
        lengths.append(length)
        if _settled(jumps, lengths):
            break
    return _judged(t, torch.stack(jumps), torch.stack(lengths))


def _settled(jumps: list[Tensor], lengths: list[Tensor]) -> bool:
    if len(jumps) <= LAST:
        return False
    now, before = jumps[-1] / lengths[-1], jumps[-1 - LAST] / lengths[-1 - LAST]
    return bool(((now - before).abs() <= SETTLED * before).all())


def whole(t: int, model: Model, a: Tensor, b: Tensor) -> Zoom:
    """The segment as it is."""
    jump, length = (model.full_gradients(b) - model.full_gradients(a)).double(), (b - a).double().norm(dim=1)
    return _judged(t, jump.norm(dim=1)[None], length[None])


def search(evidence: Evidence) -> list[Zoom]:
    """All segments in order, in float64 where the model can; after a kink there is nothing left to find."""
    double = getattr(evidence.model, "in_double", None)
    model = evidence.model if double is None else double()
    found: list[Zoom] = []
    for t, a, b in segments(evidence):
        ends = (a, b) if double is None else (a.double(), b.double())
        done = any(each.kink is not None for each in found)
        found.append(whole(t, model, *ends) if done else zoom(model, t, *ends))
    return found


def _judged(t: int, jumps: Tensor, lengths: Tensor) -> Zoom:
    """A kink: over the last halvings that are not rounding, the quotient grew by more than half of 2^LAST."""
    quotient = torch.where(lengths > 0, jumps / lengths, torch.nan).nan_to_num(nan=0.0)
    kinks = [_kink(t, m, jumps[:, m], lengths[:, m]) for m in range(jumps.shape[1])]
    found = [k for k in kinks if k is not None]
    worst = max(found, key=lambda k: k.jump) if found else None
    return Zoom(float(quotient[0].max()), float(quotient.max()), worst)


def _kink(t: int, m: int, jump: Tensor, length: Tensor) -> Kink | None:
    usable = int(torch.isnan(jump).int().argmax()) if bool(torch.isnan(jump).any()) else len(jump)
    if usable <= LAST or float(jump[0]) == 0:
        return None
    last, before = usable - 1, usable - 1 - LAST
    if float(jump[last]) * 2 < float(jump[before]):
        return None
    return Kink(t, m, float(jump[last]), float(length[last]))
