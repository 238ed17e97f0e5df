"""Builds the article and the summary: python -m book.article.build [--out FOLDER]

Writes article.pdf, summary.pdf and summary.md. The fonts are those inside of Typst; nothing is fetched.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jinja2

from book.article import (
    claim_numbers,
    ledger_numbers,
    proof_numbers,
    rate_numbers,
    result_numbers,
    run_numbers,
    shown,
    sketch_numbers,
    sources,
)

HERE = Path(__file__).resolve().parent
BUILT = HERE.parent / "_build" / "article"
PARTS = {
    "ledger": ledger_numbers,
    "runs": run_numbers,
    "proofs": proof_numbers,
    "rates": rate_numbers,
    "sketch": sketch_numbers,
    "results": result_numbers,
    "claims": claim_numbers,
    "sources": sources,
}
TEMPLATES = ("layout.typ", "article.typ", "summary.typ", "summary.md")
PAGES = {"article": range(6, 11), "summary": range(1, 2)}


def numbers() -> dict[str, Any]:
    """Everything that the templates may print."""
    return {name: module.numbers() for name, module in PARTS.items()}


def edition() -> dict[str, str]:
    """The commit and its day: two builds of one commit say the same."""
    asked = ["git", "log", "-1", "--format=%h %cd", "--date=format:%-d %B %Y"]
    found = subprocess.run(asked, cwd=HERE, capture_output=True, text=True, check=False).stdout.strip()
    commit, _, day = found.partition(" ")
    return {"commit": commit or "unknown", "date": day or f"{datetime.now(UTC):%-d %B %Y}"}


def environment(language: shown.Language) -> jinja2.Environment:
    """Templates whose marks do not collide with Typst's: << value >> and <% statement %>."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"),
        undefined=jinja2.StrictUndefined,
        finalize=language.text,
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
        comment_start_string="<#",
        comment_end_string="#>",
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    marks = language.marks()
    made.filters |= {"code": marks["code"], "spelled": shown.spelled}
    made.globals |= marks
    return made


def rendered(template: str, values: dict[str, Any]) -> str:
    """A template with its values."""
    language = shown.MARKDOWN if template.endswith(".md") else shown.TYPST
    return environment(language).get_template(template).render(values)


def compiled(folder: Path, name: str) -> bytes:
    """A PDF of so many pages as it should have."""
    import typst

    source = folder / f"{name}.typ"
    pages = typst.compile(source, format="png", ppi=10, ignore_system_fonts=True)
    number = len(pages) if isinstance(pages, list) else 1
    if number not in PAGES[name]:
        raise ValueError(f"{name} has {number} pages, not {PAGES[name].start} to {PAGES[name].stop - 1}")
    return bytes(typst.compile(source, ignore_system_fonts=True))


def build(out: Path) -> list[Path]:
    """All three files, or none."""
    from book.article import figures

    values = numbers() | {"edition": edition()}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        figures.draw(folder)
        for name in TEMPLATES:
            (folder / name).write_text(rendered(name, values), encoding="utf-8")
        made = {f"{name}.pdf": compiled(folder, name) for name in PAGES}
        made["summary.md"] = (folder / "summary.md").read_bytes()
        out.mkdir(parents=True, exist_ok=True)
        for name, content in made.items():
            (out / name).write_bytes(content)
    return [out / name for name in made]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=BUILT)
    for path in build(parser.parse_args().out):
        print(path)


if __name__ == "__main__":
    main()
