"""What a module and a loss must be so that f(w) = (1/M) Σ_m l_m(w) has a meaning, or else one line.

A device's loss l_m is the user's loss of all its rows. So it must be one number, the same at every call,
and a mean over rows, in which the module judges each row by itself. Layers that mix rows (BatchNorm) or draw
at random (Dropout) fail this in training mode.

How much each row counts is found from the loss's values. R(S) = Σ c_i r_i / Σ c_i with r_i = R({i}). For a
row i and an anchor a,

    R({a, i}) = (c_a r_a + c_i r_i)/(c_a + c_i),   so   c_i/c_a = (R({a, i}) − r_a)/(r_i − R({a, i})).

Two anchors whose losses differ see every row, since r_i cannot be close to both. Then R of groups of four, at
other parameters, must be what c says. Both are done for all rows, at parameters moved at random (a head of
zeros gives every row one loss), so that the answer does not depend on a lucky choice of either.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

import torch
from torch import Tensor, nn
from torch.func import vmap
from torch.nn.parameter import is_lazy

from fpsverify.device import holds_data
from fpsverify.errors import BadInput
from fpsverify.own.layout import parts_of
from fpsverify.own.objective import ModuleObjective, Reading, on_tensors, scores_in
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


DTYPES = (torch.float32, torch.float64)
NO_LOSS = "a function of outputs and targets, or a module that takes whole rows and returns .loss"
FEW = 4  # rows that the module is tried on
SCORES = (
    "a tensor, a tuple that begins with one, or something with .logits; or a loss that takes what it returns"
)


def check_parameters(module: Any, where: torch.device) -> torch.dtype:
    """The dtype of the module's parameters, after checking that they are there and where the data are."""
    if not isinstance(module, nn.Module):
        raise BadInput("module", type(module).__name__, "a torch.nn.Module")
    if any(is_lazy(x) for x in (*module.parameters(), *module.buffers())):
        raise BadInput("module", "a lazy layer without sizes", "one call on a batch first: module(inputs)")
    trained = [p for p in module.parameters() if p.requires_grad]
    if not trained:
        raise BadInput("module", f"{type(module).__name__} with no parameters to train", "at least one")
    for device in {p.device for p in module.parameters()} | {b.device for b in module.buffers()}:
        if device != where or not holds_data(device):
            raise BadInput("module", f"parameters on {device}", f"all of them on {where}, where the data are")
    dtypes = {p.dtype for p in trained}
    if len(dtypes) > 1 or not dtypes <= set(DTYPES):
        told = ", ".join(sorted(str(t) for t in dtypes))
        raise BadInput("module", f"parameters of {told}", "all float32 or all float64")
    return dtypes.pop()


def tried(objective: ModuleObjective, w: Tensor, X: Tensor, y: Tensor) -> ModuleObjective:
    """The objective as its loss is to be called, after trying it on a few rows."""
    with warnings.catch_warnings(action="ignore"):  # what torch warns of is refused here, in one line
        check_buffers(objective, w, X, y)
        objective = read_by_trial(objective, w, X, y)
        check_behaviour(objective, w, X, y)
    return objective


def counted(objective: ModuleObjective, w: Tensor, X: Tensor, y: Tensor, field: str) -> Tensor | None:
    """How much each row counts (None: all alike), after checking that rows are judged one by one."""
    with warnings.catch_warnings(action="ignore"):
        try:
            c = row_weights(objective, w, X, y, field)
        except BadInput:
            check_shapes(objective, w, X, y)
            raise
        except Exception as error:  # whatever a user's loss raises on rows after the first
            check_shapes(objective, w, X, y)
            raise failed("loss", error, f"{len(y)} rows of {field}") from None
        check_rows_alone(objective, w, X, y, c)
    return c


def read_by_trial(objective: ModuleObjective, w: Tensor, X: Tensor, y: Tensor) -> ModuleObjective:
    """The objective with what its loss takes: output or scores, and targets or the whole batch."""
    X, y = X[:FEW], y[:FEW]
    outputs = _outputs(objective, w, X, y)
    if objective.criterion is not None:
        objective = replace(objective, reading=_reading(objective, outputs, X, y, w.dtype))
    else:
        held = outputs if isinstance(outputs, dict) else getattr(outputs, "__dict__", {})
        if held.get("loss") is None:
            raise BadInput("loss", None, NO_LOSS)
    try:
        objective.judged(objective.outputs(w.double(), X, y), X, y, torch.float64)
    except Exception:  # a loss that holds tensors in float32
        objective = replace(objective, reading=replace(objective.reading, wide=False))
    return objective


def _reading(objective: ModuleObjective, outputs: Any, X: Tensor, y: Tensor, dtype: torch.dtype) -> Reading:
    """The first way to call the loss that works; if none does, the error of the likeliest."""
    has_scores, plain = scores_in(outputs) is not None, isinstance(outputs, Tensor)
    with_targets = [False] if objective.targets is None else [False, True]
    errors: dict[Reading, Exception] = {}
    for batch, scores in product(with_targets, [False] if plain or not has_scores else [False, True]):
        reading = Reading(scores, batch)
        try:
            found = replace(objective, reading=reading).judged(outputs, X, y, dtype)
            if isinstance(found, Tensor) or plain:
                return reading
        except Exception as error:  # whatever a user's loss raises
            errors[reading] = error
    if not has_scores:
        raise BadInput("module", f"{type(outputs).__name__} as its output", SCORES)
    likeliest = errors.get(Reading(scores=not plain)) or next(iter(errors.values()))
    raise failed("loss", likeliest, _batch(objective, outputs, y)) from None


def check_behaviour(objective: ModuleObjective, w: Tensor, X: Tensor, y: Tensor) -> None:
    """Try the module and the loss on a few rows."""
    X, y = X[:FEW], y[:FEW]
    first, again = (_loss(objective, w, X, y) for _ in range(2))
    if first != again:
        raise BadInput(
            "module", "another loss at every call", "no random layer (Dropout: p=0, or module.eval())"
        )
    with torch.enable_grad():
        at = w.detach().clone().requires_grad_()
        found = objective.value(at, X, y)
    if not found.requires_grad or torch.autograd.grad(found, at, allow_unused=True)[0] is None:
        right = "one that depends on the parameters (no argmax, no detach, no lambda that holds the module)"
        raise BadInput("loss", "a number without a gradient", right)


def check_rows_alone(objective: ModuleObjective, w: Tensor, X: Tensor, y: Tensor, c: Tensor | None) -> None:
    """A few rows in company have the mean of what they have alone: the module does not mix them."""
    X, y = X[:FEW], y[:FEW]
    c = torch.ones(len(y)) if c is None else c[:FEW]
    each = torch.tensor([_loss(objective, w, X[i : i + 1], y[i : i + 1]) for i in range(len(y))])
    together, mean = _loss(objective, w, X, y), float((c * each).sum() / c.sum())
    if abs(together - mean) > 1e-3 * (abs(together) + abs(mean)):
        told = f"the loss {together:.4g} of {len(y)} rows together and {mean:.4g} as their mean"
        raise BadInput("module", told, NO_MIXING)


def check_shapes(objective: ModuleObjective, w: Tensor, X: Tensor, y: Tensor) -> None:
    """Shapes that torch stretches to one, so that it pairs rows with other rows.

    Either outputs and targets are equally many, or the number of rows happens to be that of outputs per row:
    then the loss fails on fewer rows.
    """
    X, y = X[:FEW], y[:FEW]
    said, reading = objective.outputs(w, X, y), objective.reading
    outputs = scores_in(said) if reading.scores or isinstance(said, Tensor) else None
    if outputs is None or reading.batch or objective.targets is None or not objective.targets.single:
        return
    shape, use = tuple(outputs.shape), ""
    if shape != tuple(y.shape) and prod(shape) == y.numel():
        use = "use targets.unsqueeze(1)" if len(shape) > y.ndim else "use outputs.unsqueeze(1)"
    elif shape != tuple(y.shape) and not _takes(objective, outputs[:-1], y[:-1]):
        use = "as many outputs as targets in each row, or for classes nn.CrossEntropyLoss()"
    if use:
        raise BadInput("loss", f"outputs {shape}, targets {tuple(y.shape)}", f"one shape: {use}")


def _takes(objective: ModuleObjective, outputs: Tensor, y: Tensor) -> bool:
    assert objective.criterion is not None
    try:
        objective.criterion(outputs, y)
    except Exception:  # whatever a user's loss raises
        return False
    return True


def check_buffers(objective: ModuleObjective, w: Tensor, X: Tensor, y: Tensor) -> None:
    """No buffer changes when the module is called."""
    module = objective.module
    before = {name: b.clone() for name, b in module.named_buffers()}
    with torch.no_grad():
        _outputs(objective, w, X[:FEW], y[:FEW])
    changed = [name for name, b in module.named_buffers() if not torch.equal(b, before[name])]
    if changed:
        layer = type(module.get_submodule(changed[0].rpartition(".")[0])).__name__
        right = (
            "no layer that mixes rows, which leaves no device a loss of its own: use "
            "fps.without_batch_norm(module); module.eval() keeps what a trained layer has learned and "
            "makes a new one do nothing"
        )
        raise BadInput("module", f"{layer} with the buffer {changed[0]}", right)


def _outputs(objective: ModuleObjective, w: Tensor, X: Tensor, y: Tensor) -> Any:
    """Of the module as it is: `functional_call` on copies of its buffers would hide that they change."""
    try:
        return objective.outputs(w, X, y)
    except Exception as error:  # whatever a user's module raises
        if objective.criterion is None:
            raise BadInput("loss", None, NO_LOSS) from None
        shapes = [f"{name} {(len(X), *part.shape)}".strip() for name, part in parts_of(objective.inputs.tree)]
        raise failed("module", error, f"inputs {', '.join(shapes)}") from None


def _batch(objective: ModuleObjective, outputs: Any, y: Tensor) -> str:
    scores = scores_in(outputs)
    told = type(outputs).__name__ if scores is None else f"outputs {tuple(scores.shape)}"
    return f"{told} and targets {tuple(y.shape)} of {y.dtype}" if objective.targets is not None else told


def _loss(objective: ModuleObjective, w: Tensor, X: Tensor, y: Tensor) -> float:
    outputs = _outputs(objective, w, X, y)
    try:
        found = objective.judged(outputs, X, y, w.dtype)
    except Exception as error:  # whatever a user's loss raises
        raise failed("loss", error, _batch(objective, outputs, y)) from None
    if not isinstance(found, Tensor) or found.shape != ():
        told = f"a tensor {tuple(found.shape)}" if isinstance(found, Tensor) else type(found).__name__
        raise BadInput("loss", told, "one number as a tensor, the mean over rows (reduction='mean')")
    if found.is_complex():
        raise BadInput("loss", f"a number of {found.dtype}", "a real number")
    if not bool(torch.isfinite(found)):
        raise BadInput("loss", float(found), "a finite number at the module's own parameters")
    return float(found)


def failed(field: str, error: Exception, batch: str) -> BadInput:
    words = (str(error).strip().splitlines() or [""])[0]
    return BadInput(field, f"{type(error).__name__}: {words}", f"no error on a batch of {batch}")


def goes_together(objective: ModuleObjective, w: Tensor, X: Tensor, y: Tensor) -> bool:
    """Whether `vmap` knows all of the module's operations and gives the gradients of one device at a time."""
    X, y, W = X[:FEW].expand(2, -1, -1), y[:FEW].expand(2, *y[:FEW].shape), w.expand(2, -1)
    alone = objective.gradient(W[:1], X[:1], y[:1])
    try:
        with warnings.catch_warnings(action="error"):  # torch warns where vmap is slower than one by one
            both = objective.gradient(W, X, y)
    except Exception:  # vmap's errors have no type of their own; one by one is always right
        return False
    return torch.allclose(both, alone.expand_as(both), rtol=1e-3, atol=1e-5)
