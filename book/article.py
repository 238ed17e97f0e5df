"""The article, a PDF of at most eight pages, from `article.typ`: python -m book.article [--out FILE].

The template prints << value >> and runs <% statement %>. Typst brings its own fonts; nothing is fetched.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import jinja2

from benchmarks.provenance import ROOT, git, why_old
from book.bookkit import ledger_data, results, words
from theory.counterexamples.exact_runs import RUNS
from theory.counterexamples.printed import gamma_range, rho
from theory.proofs import manifest
from theory.rates.rounding import rounded_down, rounded_up

TEMPLATE = Path(__file__).with_suffix(".typ")
BUILT = TEMPLATE.parent / "_build" / "article.pdf"
MOST_PAGES = 8
STEPS, SPREADS = (1, 2, 3, 5, 10), (1.0, 1.1, 1.5, 2.0, 5.0)
USED = ("certified", "validation", "worst_case", "advice")
SPECIAL = re.compile(r"([\\`*_{}\[\]<>#$~@/=+-])")
TAGGED = re.compile(r"<(sub|sup|code)>(.*?)</\1>")
SCRIPTS = {"sub": "#sub[{}];", "sup": "#super[{}];", "code": "{}"}


def numbers() -> dict[str, Any]:
    """Everything that the template may print."""
    record = manifest.load()
    return {
        "edition": dict(zip(("commit", "day"), git("log", "-1", "--format=%h %cs").split(), strict=False)),
        "ledger": ledger(),
        "runs": runs(),
        "proofs": {
            "results": len(record.results),
            "date": record.date,
            "coq": record.coq,
        },
        "rates": rates(),
        "validation": validation(results.load("validation"), results.load("worst_case")),
        "claims": claims(),
        "sent": sent(),
        "sources": [
            {"name": name, "command": found["provenance"]["command"], "state": why_old(found) or "is current"}
            for name in USED
            for found in [results.load(name)]
        ],
    }


def ledger() -> dict[str, Any]:
    entries = ledger_data.entries()
    printed = [e for e in entries if e["kind"] == "printed line"]
    fatal = [e for e in entries if e["severity"] == "fatal" and "." in e["id"]]
    return {
        "entries": len(entries),
        "printed": Counter(e["verdict"] for e in printed) | {"total": len(printed)},
        "errors": sum(e["severity"] is not None for e in entries),
        "fatal": [{key: e[key] for key in ("id", "place", "title", "corrected")} for e in fatal],
        "repaired": [e for e in entries if e["kind"] == "repaired result"],
    }


def runs() -> dict[str, Any]:
    """The exact runs that break Theorem 1, and the simplest one with all its numbers."""
    found = [run.refutation for run in RUNS]
    first = next(run for run in found if run.name == "range-without-L")
    q = first.parameters
    shown = {name: exact(getattr(q, name)) for name in ("L", "gamma", "P_b", "c", "W")}
    sides = {"left": exact(first.left), "right": exact(first.right.total), "rho": exact(rho(q))}
    return {
        "rows": [
            {
                "name": run.name,
                "left": exact(run.left),
                "right": exact(run.right.total),
                "as_printed": "yes" if run.as_printed else "no",
                "steps": "met" if run.meets_appendix_conditions else "no",
            }
            for run in found
        ],
        "plain": sum(run.as_printed for run in found),
        "compressing": sum(run.parameters.k < run.parameters.d for run in found),
        "first": shown | sides | {"rounds": q.T + 1, "range": exact(gamma_range(q))},
    }


def rates() -> dict[str, Any]:
    """Certified and impossible learning rates times L, without bias, noise and proximal term."""
    grid = results.load("certified")
    at = {(E, B): (i, j) for i, E in enumerate(grid["E"]) for j, B in enumerate(grid["B"])}
    pairs = {key: (grid["step"][i][j][0], grid["impossible"][i][j]) for key, (i, j) in at.items()}
    shares = [low / high for (E, _), (low, high) in pairs.items() if E <= max(STEPS)]
    cell = lambda E, B: [rounded_down(pairs[E, B][0], 4), rounded_up(pairs[E, B][1], 4)]  # noqa: E731
    return {
        "spreads": [f"{B:g}" for B in SPREADS],
        "rows": [{"E": E, "cells": [cell(E, B) for B in SPREADS]} for E in STEPS],
        "gap": rounded_up(100 * (1 - min(shares)), 2),
    }


def validation(found: dict[str, Any], worst: dict[str, Any]) -> dict[str, Any]:
    ratios = [row["ratio"] for row in worst["rows"]]
    return {
        "comparisons": f"{sum(row['comparisons'] for row in found['violations'].values()):,}",
        "violations": sum(row["violations"] for row in found["violations"].values()),
        "worst_least": f"{min(ratios):.3g}",
        "worst_most": f"{max(ratios):.3g}",
    }


def claims() -> dict[str, Any]:
    from book.bookkit import experiments as tables

    judged = [(claim, verdict) for claim, verdict in tables.judged_claims() if not claim.ours]
    counts = Counter(verdict.status for _, verdict in judged)
    return {"total": len(judged), "rows": [{"status": status, "count": n} for status, n in counts.items()]}


def sent() -> dict[str, Any]:
    """MNIST without noise: the accuracy of each method for every number of numbers."""
    from book.bookkit import pictures

    cells = pictures.sent("mnist")
    sizes = sorted({cell.m for cell in cells})
    found = {(cell.method, cell.m): f"{100 * cell.mean:.1f}" for cell in cells}
    rows = [
        [method, *(found.get((method, m), "") for m in sizes)] for method in (*pictures.METHODS, "FedAvg")
    ]
    return {"sizes": [f"{m:,}" for m in sizes], "rows": rows}


def exact(value: Fraction) -> str:
    """A fraction as it is, or three digits of it where it is long."""
    return text if len(text := str(value).replace("-", "−")) <= 12 else f"{float(value):.3g}"


def typst(value: Any) -> str:
    """Plain text, with the scripts and Greek letters of the ledger, as Typst markup."""
    pieces, last, tagged = [], 0, words.tagged(str(value))
    for match in TAGGED.finditer(tagged):
        pieces += [literal(tagged[last : match.start()]), SCRIPTS[match[1]].format(literal(match[2]))]
        last = match.end()
    return "".join([*pieces, literal(tagged[last:])])


def literal(text: str) -> str:
    return SPECIAL.sub(r"\\\1", text).replace(" %", "\u00a0%")


def rendered(values: dict[str, Any]) -> str:
    """The template with its values."""
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined,
        finalize=typst,
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
        trim_blocks=True,
    )
    return environment.from_string(TEMPLATE.read_text(encoding="utf-8")).render(values)


def build(out: Path) -> None:
    import typst as compiler

    with tempfile.TemporaryDirectory() as place:
        source = Path(place) / "article.typ"
        source.write_text(rendered(numbers()), encoding="utf-8")
        pages = compiler.compile(source, format="png", ppi=10, ignore_system_fonts=True)
        if isinstance(pages, list) and len(pages) > MOST_PAGES:
            raise ValueError(f"the article has {len(pages)} pages, at most {MOST_PAGES}")
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_bytes(bytes(compiler.compile(source, ignore_system_fonts=True)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=BUILT)
    path = parser.parse_args().out
    build(path)
    print(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path)
