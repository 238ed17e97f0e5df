"""Results of runs of the paper's grids, made by hand, and the files that a grid leaves."""

from pathlib import Path

from fpsverify.reproduce.tables import Results


def files_of(folder: Path) -> dict[str, bytes]:
    found = (p for p in folder.rglob("*.*") if p.is_file() and p.name != ".lock")
    return {str(p.relative_to(folder)): p.read_bytes() for p in found}


def result(label: str, trial: int, accuracies: list[float], uses: float, **more) -> dict:
    curve = [
        {"round": i, "accuracy": a, "uses": i * uses, "steps": i, "ties": 0.0, "auc": 0.5, "test_loss": -a}
        for i, a in enumerate(accuracies)
    ]
    base = {"dataset": "mnist", "scenario": 1, "sigma": 0.8, "reading": "", "mu": 0.0, "status": "done"}
    return {**base, "algorithm": label, "trial": trial, "curve": curve, "provenance": "real: x", **more}


def two_budgets(fps: float, early: float, late: float) -> Results:
    """FetchSGD has used the channel as often as FPS at its first evaluation, five times as often later."""
    trials = []
    for i, noise in enumerate((0.0, 0.001, -0.001)):
        trials.append(result("FPS", i, [0.1, fps + noise], 100))
        trials.append(result("FetchSGD", i, [0.1, early, late, late, late, late], 100))
    return Results.of(trials)
