"""The reference of public names and of config keys, read off the code."""

from __future__ import annotations

import inspect
import re
from html import escape
from typing import Any

import fpsverify
from fpsverify.config import RunConfig
from fpsverify.config_keys import keys

from .show import table
from .words import html, markdown

PLACE = re.compile(r"<(?:object object|function .*?) at 0x[0-9a-f]+>")  # a default that only code can say
QUOTED = re.compile(r"""(: |-> )(['"])(.*?)\2""")  # annotations are texts


def reference() -> str:
    """Markdown: each public name with its signature, what it is, and its public methods."""
    return "\n\n".join(
        _entry(name, getattr(fpsverify, name)) for name in fpsverify.__all__ if name != "__version__"
    )


def _entry(name: str, thing: Any) -> str:
    lines = [f"**`fps.{name}`**", f"`{signature(name, thing)}`", first_paragraph(thing)]
    if inspect.isclass(thing):
        lines += ["\n".join(f"- `{n}`: {first_paragraph(m)}" for n, m in methods(thing))]
    return "\n\n".join(line for line in lines if line)


def methods(thing: type) -> list[tuple[str, Any]]:
    """Documented public functions and properties of the class itself, not of its bases."""
    own = [
        (n, inspect.unwrap(getattr(m, "fget", None) or getattr(m, "__func__", m)))
        for n, m in vars(thing).items()
    ]
    return [
        (n, m) for n, m in own if not n.startswith(("_", "model_")) and inspect.isfunction(m) and m.__doc__
    ]


def first_paragraph(thing: Any) -> str:
    """As Markdown."""
    return markdown(" ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split()))


def signature(name: str, thing: Any) -> str:
    if inspect.isclass(thing) and hasattr(thing, "model_fields"):
        return f"{name}({', '.join(thing.model_fields)})"
    try:
        found = PLACE.sub("...", f"{name}{inspect.signature(thing)}")
        return QUOTED.sub(r"\1\3", found).replace("`", "'")
    except (TypeError, ValueError):
        return name


def config_table() -> str:
    """Each key, what may be written, its default, its meaning."""
    rows = [
        [
            f"<code>{escape(k.name).replace('.', '.<wbr>')}</code>",
            escape(k.values),
            f"<code>{escape(k.default)}</code>" if k.default else "",
            html(k.meaning),
        ]
        for k in keys(RunConfig)
    ]
    return table(["key", "values", "default", "meaning"], rows, "fps-stackable fps-keys")
