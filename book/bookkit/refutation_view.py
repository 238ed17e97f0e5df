"""A run that breaks Theorem 1, for a reader: iterates, both sides of the bound, assumptions checked."""

from __future__ import annotations

from fractions import Fraction

from fpsverify.report.svg import Axis, Series, line_chart
from theory.counterexamples.refutation import Refutation

from .show import table
from .words import html


def short(value: Fraction) -> str:
    """Exact when short, else four digits."""
    exact = str(value)
    return exact if len(exact) <= 14 else f"{float(value):.4g}"


def picture(found: Refutation, caption: str, most: int = 60) -> str:
    """The broadcast iterates over the rounds, one line per coordinate."""
    shown = found.trajectory[:most]
    rounds = [float(t) for t in range(len(shown))]
    series = [
        Series(f"coordinate {i + 1}" if len(shown[0]) > 1 else "", rounds, [float(w[i]) for w in shown])
        for i in range(len(shown[0]))
    ]
    return line_chart(series, Axis("round t"), Axis("broadcast model wₜ"), caption)


def qualified(found: Refutation) -> str:
    """What the run meets: every assumption as printed, or what has to be added."""
    words = found.qualification or "Every stated assumption holds as printed."
    return f"<p><b>{'With a qualification' if found.qualification else 'As printed'}.</b> {html(words)}</p>"


def sides(found: Refutation) -> str:
    """What the theorem claims, and what the run gives."""
    terms = " + ".join(f"{name} {short(value)}" for name, value in vars(found.right).items() if value)
    factor = (
        f"{float(found.left / found.right.total):.3g}"
        if found.right.total > 0
        else "no factor: the bound is negative"
    )
    return table(
        ["", "value", ""],
        [
            ["left side: mean of ‖∇f(w<sub>t</sub>)‖²", f"<b>{short(found.left)}</b>", "what the run gives"],
            ["right side of Theorem 1", f"<b>{short(found.right.total)}</b>", terms],
            ["left / right", factor, "at most 1 is claimed"],
            ["how often", short(found.probability), f"at most δ = {found.parameters.delta} is claimed"],
        ],
    )


def assumptions(found: Refutation) -> str:
    """Every assumption with the numbers by which it holds."""
    rows = [
        [
            html(check.name) + ("" if check.required else " (appendix only)"),
            html(check.statement),
            short(check.value),
            short(check.limit),
            "✓" if check.holds else "✗",
        ]
        for check in found.checks
    ]
    return (
        "<details><summary>Every assumption of the theorem, checked on this run</summary>"
        + table(["assumption", "statement", "value", "limit", "holds"], rows)
        + "</details>"
    )
