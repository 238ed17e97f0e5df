"""The API reference, read off the code."""

from __future__ import annotations

import inspect
from importlib import import_module
from types import ModuleType

from .words import literal

MODULES = {
    "Learning rates and bounds": (
        "theory.rates.parameters",
        "theory.rates.ranges",
        "theory.rates.theorem_a",
        "theory.bounds",
    ),
    "Sketch size": ("theory.bounds.sketch_size",),
    "The ledger": (
        "theory.ledger",
        "theory.ledger.collection",
        "theory.ledger.judge",
        "theory.ledger.graph",
        "theory.counterexamples.runs",
    ),
    "Estimates from runs": (
        "empirical.observed.protocol",
        "empirical.answer.estimate",
        "empirical.answer.assumptions",
    ),
    "The reference system": (
        "fpsverify.sketching.sketch",
        "fpsverify.channel",
        "fpsverify.config",
        "fpsverify.runs.loop",
    ),
}


def reference() -> str:
    """Markdown: one part per topic, one list per module."""
    parts = []
    for topic, names in MODULES.items():
        parts.append(f'<p class="fps-topic"><strong>{topic}</strong></p>')
        parts += [_module(import_module(name)) for name in names]
    return "\n\n".join(parts)


def _module(module: ModuleType) -> str:
    own = [
        (name, thing)
        for name, thing in vars(module).items()
        if not name.startswith("_")
        and (inspect.isfunction(thing) or inspect.isclass(thing))
        and thing.__module__ == module.__name__
    ]
    lines = [f"**`{module.__name__}`**: {literal(first_paragraph(module))}"]
    lines += [f"- `{signature(name, thing)}`  \n  {literal(first_paragraph(thing))}" for name, thing in own]
    return "\n".join([lines[0], "", *lines[1:]])


def first_paragraph(thing: object) -> str:
    text = inspect.getdoc(thing) or ""
    return " ".join(text.split("\n\n")[0].split())


def signature(name: str, thing: object) -> str:
    try:
        shown = str(inspect.signature(thing))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return name
    return f"{name}{shown}".replace("`", "'")
