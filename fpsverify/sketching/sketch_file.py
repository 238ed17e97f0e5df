"""Sketches on disk: one safetensors file (no pickle), written to a temporary name and then renamed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from safetensors import SafetensorError, safe_open
from safetensors.torch import save

from fpsverify.errors import FpsError, shorten
from fpsverify.files import write_bytes
from fpsverify.sketching.hashing import HASH_VERSION, SketchSpec

if TYPE_CHECKING:
    from fpsverify.sketching.sketch import CountSketch

FORMAT = f"fpsverify count sketch {HASH_VERSION}"
FIELDS = ("rows", "buckets", "d", "seed")


def save_sketch(sketch: CountSketch, path: Path) -> None:
    known = {name: getattr(sketch.spec, name) for name in (*FIELDS, "fresh")}
    metadata = {"format": FORMAT, **{name: str(value) for name, value in known.items() if value is not None}}
    payload = save({"table": sketch.table.detach().cpu().contiguous()}, metadata=metadata)
    write_bytes(path, payload)


def load_sketch(path: Path) -> CountSketch:
    """The stored sketch on the CPU; any file that is not one is refused in one line."""
    from fpsverify.sketching.sketch import CountSketch

    try:
        with safe_open(path, framework="pt") as file:
            metadata = file.metadata() or {}
            if metadata.get("format") != FORMAT:
                raise FpsError(f"{path}: not a stored count sketch")
            spec = SketchSpec(
                **{name: int(metadata[name]) for name in (*FIELDS, "fresh") if name in metadata}
            )
            return CountSketch(spec, file.get_tensor("table"))
    except (SafetensorError, OSError, KeyError, ValueError, FpsError) as error:
        raise FpsError(f"{path}: cannot read a count sketch ({shorten(error, 160)})") from error
