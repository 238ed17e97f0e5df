"""Put HTML or Markdown into a chapter."""

from __future__ import annotations

import re
from collections.abc import Sequence


def show_html(text: str) -> None:
    from IPython.display import HTML, display

    display(HTML(text))


def show_markdown(text: str) -> None:
    """Markdown is parsed by the book itself: formulas become formulas, and the search finds its words."""
    from IPython.display import Markdown, display

    display(Markdown(text))


def put(**values: str) -> None:
    """Give values to the text of the page, which names them: {glue:text}`name`, before this cell or after it.

    MyST-NB's {eval} would need no list of names, but then a hidden cell at the end of a page, with its
    assertions, is never run.
    """
    from myst_nb import glue

    for name, value in values.items():
        if repr(value)[1:-1] != value:
            raise ValueError(f"{name} would be shown as {value!r}")
        glue(name, value, display=False)


def table(header: Sequence[str], rows: Sequence[Sequence[str]], kind: str = "") -> str:
    """An HTML table; cells are HTML already. On a narrow screen each row becomes a block with its labels.

    `kind` is one more class; a table of fps-numbers keeps its shape there and scrolls inside itself.
    """
    head = "".join(f"<th>{typeset(cell)}</th>" for cell in header)
    body = "".join(f"<tr>{_cells(header, row)}</tr>" for row in rows)
    names = " ".join(filter(None, ("docutils", kind or "fps-stackable")))
    return (
        f'<div class="fps-scroll"><table class="{names}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _cells(header: Sequence[str], row: Sequence[str]) -> str:
    labels = (re.sub(r"<[^>]*>", "", name) for name in header)
    return "".join(
        f'<td data-label="{label}"{_kind(cell)}>{typeset(cell)}</td>'
        for label, cell in zip(labels, row, strict=True)
    )


def _kind(cell: str) -> str:
    """A cell of words may break over lines; one of numbers may not."""
    return ' class="fps-words"' if len(re.findall(r"[^\W\d_]{2,}", re.sub(r"<[^>]*>", "", cell))) > 4 else ""


def typeset(cell: str) -> str:
    """With minus signs before its numbers and a space before its per cent signs, unless it has tags."""
    if "<" in cell:
        return cell
    return re.sub(r"(?<=\d)%", "\u00a0%", re.sub(r"(?<![\w)\]-])-(?=\d)", "−", cell))
