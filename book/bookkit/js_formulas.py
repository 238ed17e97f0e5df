"""JavaScript made from the sympy expressions of `theory.formulas`: page and ledger cannot drift apart.

What the calculators evaluate is generated here: every condition on the learning rate, ρ, the remedies for an
empty range, and the words. Written by hand, once, are only loops: the drift recursion and the bisection
(`book/calculators/*.js`); tests compare them with Python.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import sympy as sp

from theory.formulas import letters, repaired
from theory.papers.fps import letters as symbols
from theory.rates import ranges as words
from theory.rates.parameters import Parameters
from theory.rates.ranges import FORMS, form_conditions

from . import exact_runs, results
from .palette import FORMS as FORM_WORDS

GRID = ("E", "B", "P_b", "step", "impossible")
CALCULATORS = Path(__file__).resolve().parent.parent / "calculators"


def function(expression: sp.Expr) -> str:
    """`({B, E}) => …` for an expression in B and E."""
    expression = sp.sympify(expression)
    names = sorted(symbol.name for symbol in expression.free_symbols)
    return f"({{{', '.join(names)}}}) => {sp.jscode(expression)}"


def condition(step: letters.StepCondition) -> str:
    """`slope·γ ≤ upper` as an object."""
    return (
        f"{{name: {json.dumps(step.name)}, strict: {json.dumps(step.strict)}, "
        f"upper: {function(step.upper)}, slope: {function(step.slope)}}}"
    )


def conditions(steps: tuple[letters.StepCondition, ...]) -> str:
    return f"[{', '.join(map(condition, steps))}]"


def functions(named: Mapping[str, sp.Expr]) -> str:
    return "{" + ", ".join(f"{json.dumps(name)}: {function(e)}" for name, e in named.items()) + "}"


def rate_formulas() -> str:
    """`const RATES`: the conditions of every closed form at E = 1 and E ≥ 2, and what the words need."""
    one, more = Parameters(L=1, E=1), Parameters(L=1, E=2)
    closed = [form for form in FORMS if form != "repaired_sharp"]
    forms = ", ".join(
        f"{form}: {{one: {conditions(form_conditions(form, one))}, "
        f"more: {conditions(form_conditions(form, more))}}}"
        for form in closed
    )
    single = {
        "small": repaired.SHARP_E1_SMALL_NOISE,
        "large": repaired.SHARP_E1_LARGE_NOISE,
        "a4": repaired.A4,
    }
    sharp = ", ".join(f"{name}: {condition(step)}" for name, step in single.items())
    rho = {"P": letters.P, "noise": letters.nu * symbols.P_n * symbols.B**2}
    texts = {
        "order": list(FORMS),
        "names": {form: name for form, (_, name) in FORM_WORDS.items()},
        "roles": {form: role for form, (role, _) in FORM_WORDS.items()},
        "binding": words.BINDING,
        "status": words.STATUS,
    }
    return (
        f"const RATES = {{forms: {{{forms}}}, sharp: {{{sharp}}}, "
        f"value: {functions(rho)}, "
        f"text: {json.dumps(texts, ensure_ascii=False)}}};"
    )


def source(*names: str) -> str:
    """Hand-written scripts of `book/calculators`, in order."""
    return "\n".join((CALCULATORS / name).read_text(encoding="utf-8") for name in names)


def rate_engine() -> str:
    """Everything that computes, nothing that draws: what the tests run outside a browser."""
    return "\n".join(
        [
            rate_formulas(),
            certified_table(),
            source("numbers.js", "certified.js", "theorem_a.js", "rates.js", "rates_words.js"),
        ]
    )


def certified_table() -> str:
    """`const CERTIFIED`: the grid of certified steps, without the certificates."""
    found = results.load("certified") or {}
    return f"const CERTIFIED = {json.dumps({k: v for k, v in found.items() if k in GRID})};"


def exact_engine() -> str:
    """Exact runs, the grid of certified steps, and the runs that break Theorem 1."""
    runs = f"const RUNS = {json.dumps(exact_runs.every())}; const STORIES = {json.dumps(exact_runs.TITLES)};"
    return "\n".join(
        [runs, certified_table(), source("numbers.js", "certified.js", "exact.js", "exact_run.js")]
    )


def edge() -> str:
    """The edge that a small sketch moves."""
    return page("edge-demo", "", "numbers.js", "plot.js", "fields.js", "edge.js", "edge_page.js")


def runs_script() -> str:
    """Fills every <div class="fps-run" data-run="NAME"> of a page with its run."""
    body = "\n".join([exact_engine(), source("plot.js", "fields.js", "run_view.js")]).replace("</", "<\\/")
    fill = (
        "document.querySelectorAll('.fps-run').forEach(place => runWidget(place, RUNS[place.dataset.run]));"
    )
    return f"<script>(() => {{\n{body}\n{fill}\n}})();</script>"


def page(identifier: str, engine: str, *scripts: str) -> str:
    """A calculator in a page: an empty element and a closed script that fills it."""
    body = "\n".join([engine, source(*scripts)]).replace("</", "<\\/")
    return (
        f'<div class="fps-calc" id="{identifier}">'
        "<noscript>This calculator needs JavaScript.</noscript></div>\n"
        f"<script>(() => {{\n{body}\n}})();</script>"
    )


def rate_calculator() -> str:
    """The calculator of chapter 8, with the certificates to download."""
    found = results.load("certified") or {}
    certificates = f"const CERTIFICATES = {json.dumps(found.get('certificate', []))};"
    return page("rate-calculator", f"{rate_engine()}\n{certificates}", "fields.js", "rates_page.js")
