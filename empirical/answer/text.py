"""The estimate as text: constants, verdicts, learning rates, bound."""

from __future__ import annotations

from typing import Any

from theory.rates.rounding import rounded_down

MEANING = {
    "P_b": "relative bias",
    "b2": "b², absolute bias",
    "P_n": "relative noise",
    "sigma2": "σ², absolute noise",
    "B": "dissimilarity, relative",
    "G2": "G², dissimilarity, absolute",
    "p": "power law of gradients",
    "L": "smoothness",
    "W": "largest ‖w̃‖²",
    "R2": "R², sketch residual",
}


def render(result: dict[str, Any]) -> str:
    run = result["run"]
    head = (
        f"{run['T']} rounds, M = {run['M']}, d = {run['d']:,}, E = {run['E']}, γ = {run['gamma']:g}, "
        f"μ = {run['mu']:g}; looked at rounds {', '.join(map(str, run['sampled_rounds']))}, "
        f"{run['replicates']} replicates"
    )
    parts = [
        head,
        _constants(result),
        _verdicts(result["assumptions"]),
        _rates(result),
        _bound(result["bound"]),
    ]
    parts += [f"note: {note}" for note in run["notes"]]
    if "figures" in result:  # pragma: no cover: --plot, which laws call directly
        parts.append("figures: " + ", ".join(result["figures"]))
    return "\n\n".join(parts)


def number(value: float | None, digits: int = 4) -> str:
    return "-" if value is None else f"{value:.{digits}g}"


def upper_end(constant: dict[str, Any]) -> str:
    """In words where a measured constant has none."""
    if constant["high"] is None and constant["estimate"] is not None:
        return "no upper limit"
    return number(constant["high"])


def table(header: list[str], rows: list[list[str]]) -> str:
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) for row in [header, *rows]]
    return "\n".join(line.rstrip() for line in lines)


def _constants(result: dict[str, Any]) -> str:
    rows = []
    for name, meaning in MEANING.items():
        c = result["constants"][name]
        limits = f"[{number(c['low'])}, {upper_end(c)}]"
        exact = c["estimate"] is not None and c["low"] == c["high"] and c["method"].startswith("exact")
        rows.append([name, meaning, number(c["estimate"]), "exact" if exact else limits, c["method"]])
    return table(["constant", "", "estimate", "95 % interval", "how"], rows)


def _verdicts(assumptions: list[dict[str, str]]) -> str:
    blocks = []
    for a in assumptions:
        blocks.append(
            f"{a['name']}: {a['verdict'].upper()}  ({a['why']})\n"
            f"    demands   {a['demands']}\n    measured  {a['measured']}"
        )
    return "Assumptions\n" + "\n".join(blocks)


def _rates(result: dict[str, Any]) -> str:
    rows = [_rate_row(form, rate) for form, rate in result["learning_rate"].items()]
    for stage, rates in result["learning_rate_paper_constants"].items():
        rows.append(_rate_row(f"paper, {stage} gradient", rates["paper"]))
    title = "Learning rates that each form allows, for every value in the intervals"
    shown = table(["form", "γ_max", "γ used", "binding"], rows)
    return "\n".join([title, shown, *_lumped_lines(result), *_caveats(result)])


def _caveats(result: dict[str, Any]) -> list[str]:
    """A range is worth what it rests on: the repaired forms need neither a power law nor the paper's moments.

    The residual of the sketch enters no range, and speaks for itself in its verdict.
    """
    failed = [a["name"] for a in result["assumptions"] if a["verdict"] == "fails"]
    needed = {
        "the paper's": [n for n in failed if "repaired" not in n and n != "sketch residual"],
        "the repaired": [
            n for n in failed if "paper" not in n and n not in ("sketch residual", "4 power law")
        ],
    }
    return [
        "    the paper's range is refuted as printed; `fpsverify lr` has the status of every form",
        *(f"    {forms} forms rest on assumptions that fail here: {', '.join(names)}"
          for forms, names in needed.items() if names),
    ]  # fmt: skip


def _lumped_lines(result: dict[str, Any]) -> list[str]:
    """What the paper's own reading of the bias would have to cover."""
    return [
        f"    {stage} gradient: ‖β‖² is {number(c['bias_over_gradient'], 3)} times ‖∇f‖² in the median; "
        f"chosen pair P_b = {number(c['P_b']['high'], 3)}, b² = {number(c['b2']['high'], 3)}, "
        "which covers the sampled rounds only"
        for stage, c in result["details"]["lumped"].items()
    ]


def _rate_row(form: str, rate: dict[str, Any]) -> list[str]:
    if rate["empty"]:
        return [form, "none", "outside", rate["binding"]]
    if rate["unbounded"]:
        return [form, "any", "inside", rate["binding"]]
    place = "inside" if rate["used_is_inside"] else "outside"
    return [
        form,
        "-" if rate["gamma_max"] is None else rounded_down(rate["gamma_max"], 4),
        f"{place}, {number(rate['used_over_max'], 3)} times γ_max",
        rate["binding"],
    ]


def _bound(bound: dict[str, Any]) -> str:
    average = bound["measured_average"]
    mean = "not recorded every round" if average is None else number(average["estimate"])
    lines = ["Theorem A against the run", f"    mean of ‖∇f(w̃_t)‖² in the run   {mean}"]
    if bound["theorem_a"] is None:
        lines.append(f"    Theorem A                        no bound: {bound['why_not']}")
    else:
        lines.append(f"    Theorem A, safe constants        {number(bound['theorem_a'])}")
        lines.append("    (a mean over all draws of batches and noise; R² and the run itself are one draw)")
    if bound.get("with_measured_D2_and_residual") is not None:
        lines.append(f"    with measured D² and ρ²          {number(bound['with_measured_D2_and_residual'])}")
    if bound.get("ratio") is not None:
        lines.append(f"    bound / run                      {number(bound['ratio'])}")
    return "\n".join(lines)
