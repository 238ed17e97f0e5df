"""The claims of the paper's experiments, judged from our runs of the same cells."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

from book.article import sources
from book.article.shown import counted, significant
from book.bookkit.experiments import noise_places
from book.bookkit.experiments.chosen_claims import is_pattern
from fpsverify.grids.statistics import CONFIDENCE
from fpsverify.grids.store import read_columns
from fpsverify.grids.task import Result
from fpsverify.reproduce.claims import Claim, Verdict
from fpsverify.reproduce.paper import LABELS, printed
from fpsverify.reproduce.section6 import verdicts
from fpsverify.reproduce.tables import Results

STATUSES = {
    "reproduced": "reproduced",
    "not reproduced": "did not reproduce",
    "depends on the reading": "depend on the reading",
    "undecided": "are undecided",
    "not measured": "were not measured",
}
TITLES = {"mnist": "MNIST", "synthetic": "synthetic", "kdd12": "KDD12", "kdd10": "KDD10"}
NOISE = 0.8
SCENARIOS = (1, 2, 3, 4)
PLACES = {
    "algorithm": noise_places.ALGORITHM_1,
    "equations": noise_places.EQUATIONS_3_4,
    "added_up": noise_places.EQUATIONS_3_4_ADDED_UP,
}


@cache
def runs(grid: str) -> tuple[Result, ...]:
    """All stored runs of a grid, tuning included."""
    return tuple(read_columns(sources.FOLDER / "reproduced" / f"{grid}-full"))


def trials(grid: str) -> Results:
    """The runs behind the tables."""
    return Results.of([run for run in runs(grid) if run["kind"] == "trial"])


def judged() -> list[dict[str, Any]]:
    """Every claim with its verdict and the data behind it."""
    rows = []
    for grid in sources.GRIDS:
        results = trials(grid)
        updates = results.with_rivals_of(trials("readings"), "send-update")
        otherwise = {"if the rivals send updates": updates} if grid == "mnist" else {}
        for claim, verdict in verdicts(results, grid, otherwise):
            rows.append(_row(claim, verdict))
    return rows


def _row(claim: Claim, verdict: Verdict) -> dict[str, Any]:
    return {
        "data": TITLES[claim.dataset],
        "real": claim.dataset == "mnist",
        "ours": claim.ours,
        "pattern": is_pattern(claim),
        "text": claim.text,
        "where": claim.where,
        "status": verdict.status,
        "turns_true": verdict.status != "reproduced" and verdict.reproduced_by_some_reading,
    }


def numbers() -> dict[str, Any]:
    """The claims, how many of the paper's have each status, and the cells of the noisy MNIST table."""
    rows = judged()
    theirs = [row for row in rows if not row["ours"]]
    counts = Counter(row["status"] for row in theirs)
    of_text = Counter(row["status"] for row in theirs if not row["pattern"])
    return {
        "claims": rows,
        "total": len(theirs),
        "ours": len(rows) - len(theirs),
        "statuses": [
            {"status": s, "phrase": phrase, "count": counts[s]}
            for s, phrase in STATUSES.items()
            if counts[s] or s == "reproduced"
        ],
        "of_text": {s.replace(" ", "_"): of_text[s] for s in STATUSES},
        "text": sum(not row["pattern"] for row in theirs),
        "patterns": sum(row["pattern"] for row in theirs),
        "failed_patterns": sum(row["pattern"] and row["status"] == "not reproduced" for row in theirs),
        "count": {s.replace(" ", "_"): counts[s] for s in STATUSES},
        "turn_true": sum(row["turns_true"] for row in theirs),
        "real": sum(row["real"] for row in theirs),
        "generated": sum(not row["real"] for row in theirs),
        "runs": counted(sum(len(runs(grid)) for grid in (*sources.GRIDS, "readings", "ablations"))),
        "noise": f"{NOISE:g}",
        "level": f"{100 * CONFIDENCE:g}",
        "trials_least": min(trials(grid).trials(grid) for grid in sources.GRIDS),
        "trials_most": max(trials(grid).trials(grid) for grid in sources.GRIDS),
        "mnist": (cells := accuracies()),
        "robust": next(cell for cell in cells if (cell["scenario"], cell["label"]) == (2, "FPS")),
        "gradients": against_rivals(trials("mnist")),
        "updates": against_rivals(trials("mnist").with_rivals_of(trials("readings"), "send-update")),
        "places": places(),
        "ties": ties(),
    }


def against_rivals(results: Results) -> dict[str, int]:
    """FPS on noisy MNIST at equal gradient steps: how often it is better or worse, by paired intervals."""
    pairs = [(scenario, label) for scenario in SCENARIOS for label in LABELS if label != "FPS"]
    found = [results.fps_against("mnist", s, NOISE, label, "accuracy") for s, label in pairs]
    outcomes = Counter(each.outcome for each in found if each)
    return {"pairs": outcomes.total(), "better": outcomes["better"], "worse": outcomes["worse"]}


def places() -> dict[str, str]:
    """Accuracies of FPS in per cent, by scenario, with the noise in the places where the paper prints it, and
    the range of its rivals, which send gradients."""
    found = {name: noise_places.Standing.of(trials("readings"), reading) for name, reading in PLACES.items()}
    _require_the_words_of_the_article(found)
    percent = {name: [f"{100 * share:.0f}" for share in each.fps()] for name, each in found.items()}
    rivals = [f"{100 * share:.0f}" for share in sorted(found["equations"].rivals())]
    return {name: " and ".join(own) for name, own in percent.items()} | {
        "rivals": f"{rivals[0]}–{rivals[-1]}"
    }


def _require_the_words_of_the_article(found: dict[str, noise_places.Standing]) -> None:
    first = set(found["equations"].outcomes()) == {"better"}
    if not first or any(found["algorithm"].ahead()) or any(found["added_up"].ahead()):
        raise ValueError("the article says otherwise where FPS is first with the paper's noise")


def ties() -> dict[str, str]:
    """The share of test rows that FPS gives the score zero, on KDD12 in noise, over the scenarios."""
    results = trials("kdd12")
    cells = [results.measured("kdd12", scenario, 1.0, "FPS", "ties") for scenario in SCENARIOS]
    shares = [100 * sum(cell.values()) / len(cell) for cell in cells]
    return {"least": significant(min(shares), 2), "most": significant(max(shares), 2)}


def accuracies() -> list[dict[str, Any]]:
    """Accuracy in per cent on noisy MNIST: the paper's, ours, and the standard deviation of our trials."""
    results, rows = trials("mnist"), []
    for scenario in SCENARIOS:
        for label in LABELS:
            ours = list(results.measured("mnist", scenario, NOISE, label, "accuracy").values())
            theirs = printed("mnist", scenario, NOISE, label)
            if not ours or theirs is None:
                raise LookupError(f"no cell for {label} in Scenario {scenario}")
            mean = significant(100 * sum(ours) / len(ours))
            rows.append({"scenario": scenario, "label": label, "paper": f"{theirs.mean:.1f}", "ours": mean})
    return rows
