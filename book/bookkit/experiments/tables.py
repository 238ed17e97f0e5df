"""The paper's experiments: stored grids → tables and verdicts. What is absent is said to be."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from statistics import fmean

from benchmarks.replay import in_words
from fpsverify.grids.store import final_point, read_columns
from fpsverify.grids.task import Result
from fpsverify.reproduce.claims import Claim, Verdict
from fpsverify.reproduce.grid import cells
from fpsverify.reproduce.section6 import verdicts
from fpsverify.reproduce.tables import Key, Results, table
from fpsverify.reproduce.tuned import count_tasks

from .. import results as stored
from ..show import table as html_table
from ..show import typeset

SCENARIOS = (1, 2, 3, 4)
ABSENT = "–"
FOLDER = stored.FOLDER / "reproduced"
PROFILES = ("full", "quick")
TABLE_GRIDS = ("mnist", "synthetic", "kdd12", "kdd10")
SIGN = {
    "reproduced": "✓",
    "not reproduced": "✗",
    "depends on the reading": "±",
    "undecided": "?",
    "not measured": "–",
}
SHOWN = {"depends on the reading": "depends on interpretation"}
COUNTED = {
    "reproduced": "reproduced",
    "not reproduced": "did not",
    "depends on the reading": "depend on interpretation",
    "undecided": "stayed undecided",
    "not measured": "were not measured",
}
DATA = {
    "mnist": "MNIST (real data)",
    "synthetic": "Regression (generated, as in the paper)",
    "kdd12": "KDD12 (generated data in place of the original)",
    "kdd10": "KDD10 (generated data in place of the original)",
}
Judged = list[tuple[Claim, Verdict]]
LONGEST = 90  # characters of numbers that stand open
OUTCOMES = {"better": "▲", "undecided": "?", "worse": "▽"}
BUDGETS = {"steps": "equal gradient steps", "uses": "equal channel uses"}


def profile_of(grid: str) -> str:
    """`full` if any of it is there; else `quick`, a tenth or a fifth of the rounds, if that is there."""
    return next((p for p in PROFILES if (FOLDER / f"{grid}-{p}").exists()), "full")


def runs(grid: str, profile: str = "") -> list[Result]:
    """All committed runs of a grid, tuning included; none if it has not been run."""
    name = f"{grid}-{profile or profile_of(grid)}"
    found = read_columns(FOLDER / name)
    if found:
        stored.load(f"reproduced/{name}/replay")  # says whether the code still gives these runs
    return found


def trials(grid: str, profile: str = "") -> Results:
    return Results.of([r for r in runs(grid, profile) if r["kind"] == "trial"])


def amount_of_work(grid: str, name: str) -> str:
    """Rounds, steps, batch, rows and sketch of the FPS runs of a grid, in one sentence."""
    made = [r["config"] for r in runs(grid) if r["algorithm"] == "FPS" and "config" in r]
    local, sketch = (("E", "batch"), ("k", "rows", "buckets"))
    (each,) = {
        (c["rounds"], c["problem"]["samples"], *_of(c["local"], *local), *_of(c["algorithm"], *sketch))
        for c in made
    }
    rounds, rows, E, batch, k, J, K = each
    return (
        f"{name}: {rounds:,} rounds of {E} steps with {batch} rows each, {rows:,} training rows, "
        f"{J} × {K:,} buckets, k = {k:,}."
    )


def _of(section: Mapping[str, int], *keys: str) -> tuple[int, ...]:
    return tuple(section[key] for key in keys)


def coverage(grid: str) -> tuple[int, int]:
    """Runs that are there, runs that the grid has."""
    return len(runs(grid)), count_tasks(cells(grid, profile_of(grid)))


def heading(grid: str) -> str:
    """How much of the grid has been run, on which data, with which versions."""
    found, (done, planned) = runs(grid), coverage(grid)
    if not found:
        return f"<p><b>Not run yet</b>: none of the {planned} runs of this grid is there.</p>"
    data = sorted({str(r.get("provenance", "")).split(":")[0] for r in found if r.get("provenance")})
    versions = Counter(tuple(sorted(r["versions"].items())) for r in found).most_common(1)[0][0]
    diverged = sum(r["status"] == "diverged" for r in found)
    part = (
        "" if done >= planned else " <b>The grid is incomplete</b>: rows that are absent have not been run."
    )
    about = f"{done} of {planned} runs, {escape(' and '.join(data))} data, {diverged} of them diverged."
    profile = profile_of(grid)
    if profile == "quick":
        part += (
            " <b>These are short runs</b> (profile <code>quick</code>: a fraction of the rounds, two trials)."
            " They show directions, not final accuracies, and no claim is judged from them."
        )
    command = f"fpsverify reproduce {grid} --profile {profile}"
    made = ", ".join(f"{name} {version}" for name, version in versions)
    name = f"reproduced/{grid}-{profile}/replay"
    replayed = stored.load(name)
    repeated = f"; {in_words(replayed)}" if replayed else ""
    return (
        f'<p>{about}{part}</p><p class="fps-place">Made by <code>{command}</code>{repeated}; '
        f"seeds of trials: 101, 102, …; {escape(made)}. "
        "Every row of the stored file carries its config and digest.</p>"
    )


MAIN_COLUMNS = ("S", "σ", "algorithm", "μ", "paper", "measured", "log test loss", "at FPS")


def side_by_side(results: Results, dataset: str, reading: bool = False) -> str:
    """Paper and measurement, and behind a click all other columns of `fpsverify reproduce`'s own table.

    The lines of the paper's own cells, or of the other readings.
    """
    lines = [line for line in table(results, dataset).splitlines() if line.startswith("|")]
    header, _, *rows = [[c.strip() for c in line.strip("|").split("|")] for line in lines]
    chosen = [[escape(c) for c in row] for row in rows if ("(" in row[2]) == reading]
    main = [i for i, name in enumerate(header) if name.startswith(MAIN_COLUMNS)]
    rest = [i for i in range(len(header)) if i < 3 or i not in main]
    main, rest = ([i for i in places if _has_values(row[i] for row in chosen)] for places in (main, rest))
    first, second = (
        html_table(
            [escape(header[i]) for i in places], [[row[i] for i in places] for row in chosen], "fps-numbers"
        )
        for places in (main, rest)
    )
    more = ", ".join(escape(header[i]) for i in rest[3:])
    return f"{first}<details><summary>The same rows: {more}</summary>{second}</details>"


def _has_values(cells: Iterable[str]) -> bool:
    return any(cell not in ("", ABSENT, "-") for cell in cells)


def claims_list(judged: Judged) -> str:
    """Each claim with its verdict and the numbers behind it; a list, because the numbers need width."""
    parts = []
    for grid, words in DATA.items():
        items = "".join(_claim(claim, v) for claim, v in judged if claim.dataset == grid)
        parts += [f"<p><b>{words}</b></p><ul>{items}</ul>"] if items else []
    return "".join(parts)


def _claim(claim: Claim, v: Verdict) -> str:
    verdict = SHOWN.get(v.status, v.status)
    asked = "a question of ours: " if claim.ours else ""
    head = f"<b>{SIGN[v.status]} {verdict}</b>: {asked}{escape(claim.text)} ({escape(claim.where)})"
    readings = v.by_reading.items()
    behind = "".join(f"<br>{escape(words)}: {escape(_in_words(o))}{_behind(o)}" for words, o in readings)
    return f"<li>{head}{behind or _behind(v)}</li>"


def _in_words(v: Verdict) -> str:
    """The status, or what it is at either budget: the first sentence of the reason."""
    return v.reason.split(". ")[0] if v.status == "depends on the reading" else v.status


def in_per_cent(reason: str) -> str:
    """An AUC as the tables have it."""
    return re.sub(r"\bAUC (0\.\d\d|1\.00)", lambda found: f"AUC {100 * float(found[1]):.0f} %", reason)


def _behind(v: Verdict) -> str:
    """What the verdict rests on: numbers in words, or one sign for each comparison."""
    if v.status == "not measured":
        return ""
    if not v.cases:
        lines = typeset(escape(in_per_cent(v.reason))).replace(" | ", "<br>")
        if len(v.reason) <= LONGEST:
            return f"<br><small>{lines}</small>"
        return f"<details><summary><small>The numbers</small></summary><small>{lines}</small></details>"
    scenarios = sorted({c.scenario for c in v.cases})
    rows = []
    for budget, rival in dict.fromkeys((c.budget, c.rival) for c in v.cases):
        found = {c.scenario: c.outcome for c in v.cases if (c.budget, c.rival) == (budget, rival)}
        rows.append([BUDGETS[budget], rival, *(f"{OUTCOMES[found[s]]} {found[s]}" for s in scenarios)])
    counts = Counter(c.outcome for c in v.cases)
    summary = ", ".join(f"{counts[o]} {o}" for o in OUTCOMES if counts[o])
    columns = ["budget", "FPS against", *(f"Scenario {s}" for s in scenarios)]
    head = f"<summary><small>FPS in {len(v.cases)} comparisons: {summary}</small></summary>"
    return f"<details>{head}{html_table(columns, rows, 'fps-numbers')}</details>"


def judged_claims(grids: tuple[str, ...] = TABLE_GRIDS) -> Judged:
    """By the default readings, by the other tie rule and, on MNIST, with rivals that send updates."""
    found = []
    for grid in grids:
        results = trials(grid, "full")
        updates = results.with_rivals_of(trials("readings", "full"), "send-update")
        otherwise = {"if the rivals send updates": updates} if grid == "mnist" else {}
        found += verdicts(results, grid, otherwise)
    return found


def tally(judged: Judged) -> str:
    """The claims of the paper, counted for the front page; questions of ours apart."""
    theirs, ours = ([v for claim, v in judged if claim.ours is own] for own in (False, True))
    apart = f" Questions of ours, on ties in the KDD tables, stand apart: {_counts(ours)}." if ours else ""
    turning = [v for v in theirs if v.status == "depends on the reading"]
    some = sum(v.reproduced_by_some_reading for v in turning)
    held = f" Of the {len(turning)}, {some} reproduced by one of the readings." if turning else ""
    return f"Of {len(theirs)} claims of Section 6 and Appendix D, {_counts(theirs)}.{held}{apart}"


def _counts(found: Sequence[Verdict]) -> str:
    counts = Counter(v.status for v in found)
    shown = [status for status in SIGN if counts[status] or status == "reproduced"]
    return ", ".join(f"<b>{counts[status]}</b> {COUNTED[status]}" for status in shown)


@dataclass(frozen=True)
class Cell:
    """The finished trials of one cell."""

    done: tuple[Result, ...]
    trials: int

    @staticmethod
    def of(results: Results, *key: object) -> Cell:
        found = results.by_cell.get(_key(*key), [])
        return Cell(tuple(r for r in found if r["status"] == "done"), len(found))

    def mean(self, metric: str) -> float | None:
        """Of a column of the stored row, or of the last evaluation."""
        found = [final_point(r).get(metric, r.get(metric)) for r in self.done]
        return fmean(float(x) for x in found) if found and None not in found else None

    def percent(self, metric: str) -> str:
        found = self.mean(metric)
        if found is None and self.trials > len(self.done):
            return f"{self.trials - len(self.done)} of {self.trials} diverged"
        return ABSENT if found is None else f"{100 * found:.1f}"


def _key(dataset: str, scenario: int, sigma: float, label: str, reading: str = "") -> Key:
    return dataset, scenario, sigma, label, reading


def zero_scores(results: Results, dataset: str, sigma: float, labels: Sequence[str]) -> str:
    """What the accuracy of each cell would be under either rule for scores of exactly zero."""
    rows = []
    for label in labels:
        for scenario in SCENARIOS:
            cell = Cell.of(results, dataset, scenario, sigma, label)
            if cell.done:
                metrics = (
                    "ties", "accuracy_ties_negative", "accuracy_ties_positive", "majority",
                    "balanced_accuracy", "auc",
                )  # fmt: skip
                rows.append([escape(label), f"S{scenario}", *(cell.percent(m) for m in metrics)])
    header = (
        "algorithm", "scenario", "scores of exactly zero %", "accuracy % if these count as no click",
        "… as a click", "share of no click %", "balanced %", "AUC %",
    )  # fmt: skip
    return html_table(header, rows)


NOISES = {"": "on the sum", "noise-avg": "on the average", "noise-grad": "at gradient scale"}


def survivable(results: Results, dataset: str, sigma: float) -> str:
    """AUC of FPS without noise and with it in three places; full scan and scan of the support.

    FedProx, which sends all coordinates, shows what could be learned at all.
    """

    def row(scan: str, where: str, s: float, label: str, reading: str) -> list[str]:
        cells = [Cell.of(results, dataset, scenario, s, label, reading) for scenario in SCENARIOS]
        snr = cells[0].mean("snr_db")
        return [scan, where, ABSENT if snr is None else f"{snr:.1f}", *(c.percent("auc") for c in cells)]

    rows = [row("nothing is compressed (FedProx)", "no noise", 0.0, "FedProx", "")]
    rows.append(row("nothing is compressed (FedProx)", "on the sum", sigma, "FedProx", ""))
    for scan, words in (("", "all d coordinates"), ("scan-support", "coordinates that occur")):
        rows.append(row(words, "no noise", 0.0, "FPS", scan))
        for place, where in NOISES.items():
            rows.append(row(words, where, sigma, "FPS", "-".join(part for part in (place, scan) if part)))
    header = ["the server scans", f"noise of σ = {sigma:g}", "SNR dB, S1"]
    return html_table([*header, *(f"AUC %, S{s}" for s in SCENARIOS)], rows, "fps-numbers")


def scanned(results: Results, dataset: str, sigma: float) -> str:
    """How many of the coordinates read out occur in the data, and what scanning only those changes."""
    rows = []
    for label in ("FPS", "FetchSGD"):
        for scan, words in (("", "all d coordinates"), ("scan-support", "coordinates that occur")):
            cells = [Cell.of(results, dataset, s, sigma, label, scan) for s in SCENARIOS]
            if not any(cell.done for cell in cells):
                continue
            of = next(cell.mean("selected") for cell in cells if cell.done)
            rows.append([escape(label), words, f"{of:.0f}", *map(_occurring, cells)])
    header = ("algorithm", "the server scans", "read out", *(f"occur (AUC %), S{s}" for s in SCENARIOS))
    return html_table(header, rows, "fps-numbers")


def _occurring(cell: Cell) -> str:
    inside = cell.mean("selected_in_data")
    return ABSENT if inside is None else f"{inside:.1f} ({cell.percent('auc')})"
