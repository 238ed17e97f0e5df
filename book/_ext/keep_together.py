"""A formula in a line of text stays with the punctuation around it: "(P = 0)," never breaks before the comma.

A browser may break a line on both sides of a formula, because to it the formula is a picture.
"""

from __future__ import annotations

import re
from typing import Any

BEFORE, AFTER = r"[(\[“‘]*", r"[.,;:!?)\]”’%…]*"
FORMULA = re.compile(
    rf'({BEFORE})(<span class="math[^"]*">\\\((?:(?!</span>).)*\\\)</span>)({AFTER})', re.DOTALL
)


def kept(match: re.Match[str]) -> str:
    before, formula, after = match.groups()
    return f'<span class="fps-together">{before}{formula}{after}</span>' if before or after else formula


def keep_together(html: str) -> str:
    return FORMULA.sub(kept, html)


def keep(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    if "body" in context:
        context["body"] = keep_together(context["body"])


def setup(app: Any) -> dict[str, bool]:
    app.connect("html-page-context", keep)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
