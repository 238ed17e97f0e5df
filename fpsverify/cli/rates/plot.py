"""A picture of γ_max against one swept parameter, all five forms."""

from __future__ import annotations

import math
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

from fpsverify.figure import new_figure
from theory.errors import InvalidParameter
from theory.rates.parameters import Parameters
from theory.rates.ranges import FORMS, supremum

SWEEPABLE = ("L", "mu", "E", "B", "P_b", "P_n", "M")
INTEGERS = ("E", "M")
SUFFIXES = (".png", ".pdf", ".svg")


def swept_values(name: str, low: float, high: float, points: int) -> list[float]:
    """Equally spaced values; every integer at most once for E and M."""
    if name not in SWEEPABLE:
        raise InvalidParameter("sweep", name, f"one of {', '.join(SWEEPABLE)}")
    if not low < high:
        raise InvalidParameter("sweep", f"{name} {float(low):g} {float(high):g}", "LO below HI")
    values = [float(low) + (float(high) - float(low)) * i / (points - 1) for i in range(points)]
    return sorted({float(round(value)) for value in values}) if name in INTEGERS else values


def curves(
    q: Parameters, name: str, low: float, high: float, points: int = 101
) -> tuple[list[float], dict[str, list[float]]]:
    """The swept values and each form's γ_max at them; NaN where a range is empty or unbounded."""
    values = swept_values(name, low, high, points)
    changes: list[dict[str, Any]] = [{name: value} for value in values]
    at = [replace(q, **change) for change in changes]
    return values, {form: [_finite_or_nan(supremum(form, each)) for each in at] for form in FORMS}


def _finite_or_nan(gamma: float) -> float:
    return gamma if 0 < gamma < math.inf else math.nan


def checked_suffix(path: Path) -> str:
    """The format that the file name asks for."""
    if path.suffix.lower() not in SUFFIXES:
        raise InvalidParameter("plot", str(path), f"a file name that ends in {', '.join(SUFFIXES)}")
    if not path.parent.is_dir():
        raise InvalidParameter("plot", str(path), "a file in a directory that exists")
    return path.suffix.lower().removeprefix(".")


def picture(q: Parameters, name: str, low: float, high: float, suffix: str) -> bytes:
    """The picture as the content of a file; a curve stops where its range becomes empty."""
    values, by_form = curves(q, name, low, high)

    figure = new_figure(7, 4.5)
    axes = figure.add_subplot()
    styles = dict(zip(FORMS, ("-", "--", ":", "-.", "-"), strict=True))
    for form, gammas in by_form.items():
        label = f"{form} (empty everywhere)" if all(map(math.isnan, gammas)) else form
        axes.plot(values, gammas, styles[form], label=label, marker="o" if name in INTEGERS else None, ms=3)
    axes.set(xlabel=name, ylabel="γ_max", yscale="log", title="largest learning rate allowed")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    content = BytesIO()
    figure.savefig(content, format=suffix, dpi=150)
    return content.getvalue()
