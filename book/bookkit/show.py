"""Put HTML or Markdown into a chapter."""

from __future__ import annotations

from collections.abc import Sequence


def show_html(text: str) -> None:
    from IPython.display import HTML, display

    display(HTML(text))


def show_markdown(text: str) -> None:
    """Markdown is parsed by the book itself: formulas become formulas, and the search finds its words."""
    from IPython.display import Markdown, display

    display(Markdown(text))


def table(header: Sequence[str], rows: Sequence[Sequence[str]], kind: str = "") -> str:
    """An HTML table that scrolls inside itself on a narrow screen; cells are HTML already.

    `kind` is one more class, such as fps-numbers: small, with unbroken cells.
    """
    head = "".join(f"<th>{cell}</th>" for cell in header)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return (
        f'<div class="fps-scroll"><table class="{f"docutils {kind}".strip()}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )
