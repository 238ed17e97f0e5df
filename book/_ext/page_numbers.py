"""`{{ name }}` in the text of a page is a number of `book.bookkit.numbers`."""

from __future__ import annotations

from typing import Any


def fill(app: Any, config: Any) -> None:
    from book.bookkit import numbers

    config.myst_substitutions = {**(config.myst_substitutions or {}), **numbers.every()}


def setup(app: Any) -> dict[str, bool]:
    app.connect("config-inited", fill)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
