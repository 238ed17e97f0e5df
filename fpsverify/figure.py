"""Figures of matplotlib that a notebook shows by themselves, without a magic line."""

from __future__ import annotations

import io
from typing import Any

from fpsverify.errors import needs


def new_figure(width: float, height: float) -> Any:
    """An empty figure; matplotlib is asked for here alone, so that what draws nothing needs none."""
    with needs():
        from matplotlib.figure import Figure

    class Picture(Figure):
        def _repr_png_(self) -> bytes:
            file = io.BytesIO()
            self.savefig(file, format="png", dpi=110)
            return file.getvalue()

    return Picture(figsize=(width, height), layout="constrained")
