"""What the stored experiments say about the repaired theory and about the advice."""

from __future__ import annotations

from typing import Any

from benchmarks.estimates.advice_table import figures
from book.article import sources
from book.article.shown import counted, significant

ROUNDS = 300
PAIRS = {"wins": "mean_wins", "equal": "equal", "pairs": "of"}
NAMES = {
    "recommended": "recommended by the pilots",
    "certified": "certified range",
    "theorem_a": "Theorem A",
    "paper": "the paper's range",
    "gamma_0.01": "the paper's γ = 0.01",
}


def numbers() -> dict[str, Any]:
    """Validation, exact worst cases, advice, assumptions on a real run, and speed targets."""
    return {
        "validation": validation(sources.load("validation")),
        "worst_case": worst_case(sources.load("worst_case")),
        "advice": advice(sources.load("advice")),
        "estimate": estimate(sources.load("estimate_mnist")),
        "bench": bench(sources.load("bench")),
        "readout": readout(sources.load("readout")),
    }


def validation(found: dict[str, Any]) -> dict[str, Any]:
    """Comparisons and violations; how far the bound is from the run; how the residual grows."""
    overall = next(row for row in found["ratios"] if row["read"] == "all")
    first, *_, last = found["scope"]["dense"]
    blind = [row["constants_median"] for row in found["ratios"] if _compresses_without_noise(row)]
    return {
        "configurations": counted(found["configurations"]),
        "comparisons": counted(sum(v["comparisons"] for v in found["violations"].values())),
        "violations": sum(v["violations"] for v in found["violations"].values()),
        "smallest": significant(overall["measured_min"]),
        "median": significant(overall["measured_median"], 2),
        "constants": f"{overall['constants_median']:#.2g}",
        "compressing_least": significant(min(blind), 2),
        "compressing_most": significant(max(blind), 2),
        "setting": found["scope"]["setting"].partition(", f =")[0],
        "exponent": significant(found["scope"]["dense_exponent"]),
        "rounds": counted(last["T"]),
        "A": significant(last["A"], 2),
        "bound_first": significant(first["bound"], 2),
        "rounds_first": counted(first["T"]),
        "bound": counted(int(float(significant(last["bound"], 2)))),
    }


def _compresses_without_noise(row: dict[str, Any]) -> bool:
    return row["read"] == "compressed" and row["expectation"] == "exact: no noise"


def worst_case(found: dict[str, Any]) -> dict[str, Any]:
    """Theorem A's bound over the exact worst case of small runs."""
    ratios = [row["ratio"] for row in found["rows"]]
    return {
        "cases": len(ratios),
        "respected": sum(row["respected"] for row in found["rows"]),
        "smallest": significant(min(ratios)),
        "largest": significant(max(ratios)),
        "rounds": max(row["T"] for row in found["rows"]),
    }


def advice(found: dict[str, Any]) -> dict[str, Any]:
    """How often a learning rate was safe, and how far below the true limit; a row for each way to choose."""
    held_out = [row for row in found["rows"] if row["held_out"]]
    return {"problems": len(held_out), "rows": _held_out(held_out), "rounds": ROUNDS}


def _held_out(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The problems that the rule was not developed on, without and with a sketch, after ROUNDS rounds."""
    kinds = {"no sketch": False, "sketch": True}
    chosen = {kind: [r for r in rows if r["sketched"] == has] for kind, has in kinds.items()}
    cells = [
        (k, name, figures(own, form, ROUNDS)) for k, own in chosen.items() for form, name in NAMES.items()
    ]
    return [
        {
            "name": f"{name}, {kind}",
            "problems": own["problems"],
            "given": own["given"],
            "safe": own["safe"],
            "median": _size(own["limit_over_gamma"]["median"]),
            "ninety": _size(own["limit_over_gamma"]["90 %"]),
            "regret": _size(own["regret"]["median"]),
        }
        for kind, name, own in cells
        if own["given"]
    ]


def _size(value: float | None) -> str:
    return "∞" if value is None else significant(value)


def estimate(found: dict[str, Any]) -> dict[str, Any]:
    """The assumptions, measured on one run on real MNIST."""
    rows = found["estimate"]["assumptions"]
    return {
        "rows": [
            {"name": row["name"], "measured": row["measured"], "verdict": row["verdict"]}
            for row in rows
            if row["name"][0] in "12345"
        ],
        "fails": sum(row["verdict"] == "fails" for row in rows if row["name"][0] in "12345"),
        "d": counted(found["summary"]["d"]),
    }


def bench(found: dict[str, Any]) -> dict[str, int]:
    """How many speed ratios reach their target."""
    return {"ratios": len(found["ratios"]), "met": sum(row["met"] for row in found["ratios"])}


def readout(found: dict[str, Any]) -> dict[str, int]:
    """How often the mean read-out beats the median, pair by pair."""
    rows = found["rows"]
    return {name: sum(row[key] for row in rows) for name, key in PAIRS.items()} | {"cases": len(rows)}
