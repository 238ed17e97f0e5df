"""Who holds which rows: the four ways of Section 6, partitions that somebody gives, and tables of both.

1  IID: every device gets the same number of each class (to within one row).
2  Few classes per device, as evenly as the class sizes allow (one class for binary data and for ten classes
   on ten devices).
3  Dirichlet(0.1): class c's rows are split over devices by proportions p_c ~ Dir_M(0.1).
4  Dirichlet(1).

A draw is a table counts[class, device]; rows are then shuffled within their class and dealt by it. The parts
are disjoint and complete by construction. A draw that leaves a device short is repeated, a bounded number of
times.

A given file holds one list of row numbers per device: [[0, 4, 7], [1, 2], …]. Rows may be left out. A
partitioner is anything with `num_partitions` and `load_partition(m)`, as those of flwr-datasets have.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fpsverify.errors import BadInput
from fpsverify.figure import new_figure
from fpsverify.rng import numpy_generator

SCENARIOS = {1: "IID", 2: "few classes per device", 3: "Dirichlet(0.1)", 4: "Dirichlet(1)"}
DIRICHLET_ALPHA = {3: 0.1, 4: 1.0}

Counts = NDArray[np.int64]


def partition(
    labels: ArrayLike,
    M: int,
    scenario: int,
    seed: int,
    classes_per_device: int | None = None,
    min_samples: int = 1,
    max_tries: int = 10_000,
    alpha: float | None = None,
) -> tuple[NDArray[np.int64], ...]:
    """Sorted row numbers of each device. `classes_per_device` (Scenario 2): by default the fewest.

    `alpha`: Dirichlet(alpha), whatever the scenario.
    """
    if np.ndim(labels) != 1:
        raise BadInput("labels", f"shape {np.shape(labels)}", "one label per row")
    classes, class_of_row = np.unique(np.asarray(labels), return_inverse=True)
    sizes = np.bincount(class_of_row, minlength=len(classes)).astype(np.int64)
    _check(sizes, M, scenario, classes_per_device, min_samples)
    rng = numpy_generator(seed, "partition", scenario)
    for _ in range(max_tries):
        if alpha is None:
            counts = _draw_counts(sizes, M, scenario, classes_per_device, rng)
        else:
            counts = dirichlet_counts(sizes, M, alpha, rng)
        if counts.sum(axis=0).min() >= min_samples:
            return _deal(class_of_row, counts, rng)
    raise BadInput(
        "scenario" if alpha is None else "alpha",
        scenario if alpha is None else alpha,
        f"a split of {sizes.sum()} rows over {M} devices with at least {min_samples} rows each; "
        f"none found in {max_tries} tries, use more rows, fewer devices or a smaller min_samples",
    )


def _check(
    sizes: NDArray[np.int64], M: int, scenario: int, classes_per_device: int | None, min_samples: int
) -> None:
    if scenario not in SCENARIOS:
        raise BadInput("scenario", scenario, "1, 2, 3 or 4")
    if M < 1:
        raise BadInput("M", M, "at least one device")
    if sizes.sum() < M * max(min_samples, 1):
        raise BadInput("M", M, f"at most {sizes.sum() // max(min_samples, 1)} devices for {sizes.sum()} rows")
    c = classes_per_device
    if c is not None and not (1 <= c <= len(sizes) and c * M >= len(sizes)):
        lowest = ceil(len(sizes) / M)
        raise BadInput("classes_per_device", c, f"{lowest} to {len(sizes)}, so that all classes are used")


def _draw_counts(
    sizes: NDArray[np.int64], M: int, scenario: int, classes_per_device: int | None, rng: np.random.Generator
) -> Counts:
    if scenario == 1:
        return _equal_counts(sizes, M)
    if scenario == 2:
        return _few_class_counts(sizes, M, classes_per_device or ceil(len(sizes) / M), rng)
    return dirichlet_counts(sizes, M, DIRICHLET_ALPHA[scenario], rng)


def _equal_counts(sizes: NDArray[np.int64], M: int) -> Counts:
    """Deal all rows, class after class, round the table: class counts and totals differ by at most one."""
    end = np.cumsum(sizes)
    device = np.arange(M)
    dealt = (end[:, None] + M - 1 - device) // M  # rows of the first `end` that land on each device
    return np.diff(dealt, axis=0, prepend=0)


def _few_class_counts(sizes: NDArray[np.int64], M: int, per_device: int, rng: np.random.Generator) -> Counts:
    """Walk round a shuffled ring of classes, `per_device` places per device; then split each class evenly."""
    C = len(sizes)
    ring, seat = rng.permutation(C), rng.permutation(M)
    counts = np.zeros((C, M), dtype=np.int64)
    place = np.arange(M * per_device)
    holders = np.zeros((C, M), dtype=bool)
    holders[ring[place % C], seat[place // per_device]] = True
    for c in range(C):
        counts[c, holders[c]] = _even(int(sizes[c]), int(holders[c].sum()))
    return counts


def _even(total: int, parts: int) -> NDArray[np.int64]:
    return np.diff(np.arange(parts + 1, dtype=np.int64) * total // parts)


def dirichlet_counts(sizes: NDArray[np.int64], M: int, alpha: float, rng: np.random.Generator) -> Counts:
    """Cuts err by rounding: 4 operations per share, so by less than half a row while size·(M + 1) < 2^50."""
    shares = rng.dirichlet(np.full(M, alpha), size=len(sizes))
    cuts = np.rint(np.cumsum(shares, axis=1) * sizes[:, None]).astype(np.int64)
    return np.diff(cuts, axis=1, prepend=0)


def _deal(
    class_of_row: NDArray[np.int64], counts: Counts, rng: np.random.Generator
) -> tuple[NDArray[np.int64], ...]:
    """Shuffle the rows of each class and hand them out as `counts` says."""
    by_class = np.split(np.argsort(class_of_row, kind="stable"), np.cumsum(counts.sum(axis=1))[:-1])
    hands: list[list[NDArray[np.int64]]] = [[] for _ in range(counts.shape[1])]
    for rows, row_counts in zip(by_class, counts, strict=True):
        pieces = np.split(rng.permutation(rows), np.cumsum(row_counts)[:-1])
        for hand, piece in zip(hands, pieces, strict=True):
            hand.append(piece)
    return tuple(np.sort(np.concatenate(hand)) for hand in hands)


Parts = tuple[NDArray[np.int64], ...]


def checked(parts: Sequence[Any], rows: int, field: str = "parts") -> Parts:
    """Index lists of the devices, checked against the number of rows."""
    found = []
    for m, part in enumerate(parts):
        try:
            index = np.asarray(part)
        except (ValueError, OverflowError):  # lists of several lengths, or of numbers and lists
            raise BadInput(f"{field}[{m}]", "lists inside a list", "a list of row numbers") from None
        if index.size == 0:
            raise BadInput(f"{field}[{m}]", "no rows", "at least one row on every device")
        if index.ndim != 1 or index.dtype.kind not in "iu":
            raise BadInput(f"{field}[{m}]", f"{index.dtype} of shape {index.shape}", "a list of row numbers")
        if index.min() < 0 or index.max() >= rows:
            raise BadInput(f"{field}[{m}]", f"{index.min()} to {index.max()}", f"row numbers 0 to {rows - 1}")
        if field != "parts" and len(np.unique(index)) < len(index):
            raise BadInput(f"{field}[{m}]", "a row given twice", "each row at most once on a device")
        found.append(index.astype(np.int64))
    return tuple(found)


def from_file(path: Path, M: int, rows: int, digest: str | None = None) -> Parts:
    """The lists of a JSON file; with `digest`, only if it is the file of that content."""
    field = "devices.partition"
    content = _content(path)
    if digest is not None and digest_of(path) != digest:
        raise BadInput(
            field, f"a changed {path.name}", f"{path} as it was when the run began (digest {digest})"
        )
    try:
        parts = json.loads(content)
        lists = isinstance(parts, list) and all(isinstance(part, list) for part in parts)
    except (ValueError, RecursionError):
        lists = False
    if not lists:
        raise BadInput(field, path.name, "JSON: a list of row numbers for each device, [[0, 2], [1, 3], …]")
    if len(parts) != M:
        raise BadInput("devices.M", M, f"{len(parts)}, as many devices as {path.name} has lists")
    return checked(parts, rows, path.name)


def digest_of(path: Path) -> str:
    return hashlib.sha256(_content(path)).hexdigest()[:12]


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(
            "devices.partition", path.name, f"a readable file ({error.strerror}: {path})"
        ) from None


def is_partitioner(x: Any) -> bool:
    return hasattr(x, "load_partition") and hasattr(x, "num_partitions")


def of_partitioner(x: Any) -> list[Any]:
    """The data set of each device."""
    return [x.load_partition(m) for m in range(int(x.num_partitions))]


WIDEST = 8  # classes that a line of the table has room for


def held(groups: NDArray[Any], shards: Sequence[NDArray[np.int64]]) -> tuple[list[str], NDArray[np.int64]]:
    """The names of the classes and counts[class, device]."""
    names, of_row = np.unique(groups, return_inverse=True)
    table = np.stack([np.bincount(of_row[shard], minlength=len(names)) for shard in shards], axis=1)
    return [f"{name:g}" for name in names], table


def text(groups: NDArray[Any], shards: Sequence[NDArray[np.int64]]) -> str:
    """One line per device: rows, classes, and the largest of these."""
    names, table = held(groups, shards)
    lines = [f"{'device':>6}  {'rows':>7}  classes (rows of each, the largest first)"]
    for m, column in enumerate(table.T):
        order = [c for c in np.argsort(-column, kind="stable") if column[c]]
        shown = ", ".join(f"{names[c]}: {column[c]}" for c in order[:WIDEST])
        more = f", {len(order) - WIDEST} more" if len(order) > WIDEST else ""
        lines.append(f"{m:>6}  {column.sum():>7}  {len(order)} ({shown}{more})")
    return "\n".join(lines)


def picture(groups: NDArray[Any], shards: Sequence[NDArray[np.int64]], what: str = "class") -> Any:
    """A bar per device, cut into its classes, as a matplotlib figure."""
    from matplotlib import colormaps

    names, table = held(groups, shards)
    figure = new_figure(max(4.0, 0.35 * table.shape[1] + 2.5), 3.2)
    axes, foot = figure.add_subplot(), np.zeros(table.shape[1])
    colours = colormaps["viridis"](np.linspace(0, 1, max(len(names), 2)))
    for name, row, colour in zip(names, table, colours, strict=False):
        axes.bar(np.arange(len(row)), row, bottom=foot, label=name, color=colour)
        foot += row
    axes.set(xlabel="device", ylabel="rows", xticks=np.arange(table.shape[1]))
    if 1 < len(names) <= 20:
        axes.legend(
            title=what,
            fontsize="small",
            ncols=1 + len(names) // 11,
            loc="center left",
            bbox_to_anchor=(1, 0.5),
        )
    return figure
