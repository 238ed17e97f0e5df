"""Sketches on disk: one safetensors file (no pickle), written to a temporary name and then renamed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fpsverify import tensors
from fpsverify.errors import FpsError, shorten
from fpsverify.sketching.hashing import HASH_VERSION, SketchSpec

if TYPE_CHECKING:
    from fpsverify.sketching.sketch import CountSketch

FORMAT = f"fpsverify count sketch {HASH_VERSION}"
FIELDS = ("rows", "buckets", "d", "seed", "fresh")


def save_sketch(sketch: CountSketch, path: Path) -> None:
    known = {name: getattr(sketch.spec, name) for name in FIELDS}
    about = {"format": FORMAT, **{name: x for name, x in known.items() if x is not None}}
    tensors.write(path, {"table": sketch.table.detach().cpu().contiguous()}, about)


def load_sketch(path: Path) -> CountSketch:
    """The stored sketch on the CPU; any file that is not one is refused in one line."""
    from fpsverify.sketching.sketch import CountSketch

    try:
        about, found = tensors.read(Path(path))
        if about.get("format") != FORMAT:
            raise FpsError(f"{path}: not a stored count sketch")
        spec = SketchSpec(**{name: int(about[name]) for name in FIELDS if name in about})
        return CountSketch(spec, found["table"])
    except (KeyError, TypeError, ValueError, FpsError) as error:
        raise FpsError(f"{path}: cannot read a count sketch ({shorten(error, 160)})") from error
