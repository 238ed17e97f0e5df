"""How much memory there is, and one line for what cannot fit, before anything is allocated."""

from __future__ import annotations

import os
from math import prod
from pathlib import Path

from fpsverify.config import RunConfig
from fpsverify.errors import BadInput
from fpsverify.files import size

FIELDS = {"kdd12": 11, "kdd10": 40}  # entries of a row
DRAWN = 12  # bytes of a generated number while it is drawn and stored


def free() -> int | None:
    """Bytes that can be taken without swapping; None where the system does not say."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return 1024 * int(line.split()[1])
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None


def needed(config: RunConfig) -> list[tuple[dict[str, int], int]]:
    """The large arrays of a run, each as its sizes by the field that sets them, and the bytes of a number.

    A lower bound: what is missing only makes a refusal come later, as "out of memory".
    """
    p, a, item = config.problem, config.algorithm, 8 if config.dtype == "float64" else 4
    table = {"algorithm.rows": a.rows, "algorithm.buckets": a.buckets}
    if a.simulate == "batched":
        table["devices.M"] = config.devices.M
    sketched = a.name in ("fps", "fetchsgd", "fresh") and a.compressor != "identity"
    arrays = [(table, item)] if sketched else []
    if p.data == "own":
        return arrays
    rows = {"problem.samples": p.samples, "problem.test_samples": p.test_samples}
    field = max(rows, key=lambda name: rows[name])
    if p.data in FIELDS:
        return [*arrays, ({field: rows[field]}, DRAWN * FIELDS[p.data])]
    width = {"problem.features": p.features}
    model = {"mlp": {"problem.hidden": p.hidden}, "softmax": {"problem.classes": p.classes}}
    arrays.append(({**width, **model.get(p.objective, {}), "devices.M": config.devices.M}, item))
    if p.data in ("blobs", "synthetic"):
        arrays.append(({field: rows[field], **width}, DRAWN))
    return arrays


def demand_room(config: RunConfig) -> None:
    """Refuse sizes whose arrays take more memory than there is; the largest of them is named."""
    arrays, there = needed(config), free()
    each = [prod(sizes.values()) * item for sizes, item in arrays]
    if there is None or sum(each) <= there:
        return
    sizes, _ = arrays[each.index(max(each))]
    field = max(sizes, key=lambda name: sizes[name])
    right = f"less: the run needs at least {size(sum(each))} of memory, and {size(there)} are free"
    raise BadInput(field, sizes[field], right)
