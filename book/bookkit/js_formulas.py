"""JavaScript made from the sympy expressions of `theory.formulas`: page and ledger cannot drift apart.

The paper's range is generated here, and certified rates and exact runs are data. What is written by hand
(`book/calculators/*.js`) is compared with Python by tests.
"""

from __future__ import annotations

import json
from pathlib import Path

import sympy as sp

from theory.rates.parameters import Parameters
from theory.rates.ranges import form_conditions

from . import exact_runs, results

CALCULATORS = Path(__file__).resolve().parent.parent / "calculators"


def function(expression: sp.Expr) -> str:
    """`({B, E}) => …` for an expression in B and E."""
    expression = sp.sympify(expression)
    names = sorted(symbol.name for symbol in expression.free_symbols)
    return f"({{{', '.join(names)}}}) => {sp.jscode(expression)}"


def papers_limit() -> str:
    """`PAPERS_LIMIT`: eq. (11), the same for every number of local steps."""
    (step,) = form_conditions("paper", Parameters(L=1, E=2))
    return f"const PAPERS_LIMIT = {function(step.upper / step.slope)};"


def source(*names: str) -> str:
    """Hand-written scripts of `book/calculators`, in order."""
    return "\n".join((CALCULATORS / name).read_text(encoding="utf-8") for name in names)


def rate_engine() -> str:
    """Everything that computes, nothing that draws: what the tests run outside a browser."""
    return "\n".join([papers_limit(), certified_table(), source("numbers.js", "rates.js")])


def certified_table() -> str:
    """`const CERTIFIED`: the grid of certified and impossible steps without bias, and no certificates."""
    found = results.load("certified")
    step = [[cell[0] for cell in row] for row in found["step"]]
    grid = {"E": found["E"], "B": found["B"], "step": step, "impossible": found["impossible"]}
    return f"const CERTIFIED = {json.dumps(grid)};"


def exact_engine() -> str:
    """The runs that break Theorem 1, in exact arithmetic."""
    return "\n".join(
        [f"const RUNS = {json.dumps(exact_runs.every())};", source("numbers.js", "exact.js", "exact_run.js")]
    )


def runs_script() -> str:
    """Fills every <div class="fps-run" data-run="NAME"> of a page with its run."""
    body = "\n".join([exact_engine(), source("plot.js", "fields.js", "run_view.js")]).replace("</", "<\\/")
    fill = (
        "document.querySelectorAll('.fps-run').forEach(place => runWidget(place, RUNS[place.dataset.run]));"
    )
    return f"<script>(() => {{\n{body}\n{fill}\n}})();</script>"


def rate_calculator() -> str:
    """An empty element, and a closed script that fills it."""
    body = "\n".join([rate_engine(), source("fields.js", "rates_page.js")]).replace("</", "<\\/")
    return (
        '<div class="fps-calc" id="rate-calculator">'
        "<noscript>This calculator needs JavaScript.</noscript></div>\n"
        f"<script>(() => {{\n{body}\n}})();</script>"
    )
