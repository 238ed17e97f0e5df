"""A cell of a stackable table knows its column: on a narrow screen each row is a block with these labels.

Tables of `book.bookkit.show` write the labels themselves; those of Markdown get them here from their head.
"""

from __future__ import annotations

import re
from typing import Any

TABLE = re.compile(r'<table class="[^"]*(?<=[" ])fps-stackable[" ].*?</table>', re.DOTALL)
HEAD = re.compile(r"<th[ >].*?</th>", re.DOTALL)
ROW = re.compile(r"<tr[ >].*?</tr>", re.DOTALL)


def label_cells(html: str) -> str:
    return TABLE.sub(lambda table: labelled(table[0]), html)


def labelled(table: str) -> str:
    heads = [re.sub(r"<[^>]*>", "", head).strip().replace('"', "&quot;") for head in HEAD.findall(table)]
    if not heads or "data-label=" in table:
        return table
    return ROW.sub(lambda row: _labelled_row(row[0], heads), table)


def _labelled_row(row: str, heads: list[str]) -> str:
    names = iter(heads)
    return re.sub(r"<td(?=[ >])", lambda _: f'<td data-label="{next(names)}"', row)


def label(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    if "body" in context:
        context["body"] = label_cells(context["body"])


def setup(app: Any) -> dict[str, bool]:
    app.connect("html-page-context", label)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
