"""Accuracies by the size of the sketch, each at its own advised learning rate."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import Any

from .. import results
from ..show import table

RUNS = {"demo": "the demo", "mnist": "MNIST, one class per device"}


@dataclass(frozen=True)
class Sizes:
    """The rows of the experiment by case, numbers sent (None: no sketch) and k, both as shares of d."""

    rows: dict[tuple[str, float | None, float], dict[str, Any]]
    made: dict[str, Any]

    @staticmethod
    def load() -> Sizes:
        found = results.load("sketch_sizes") or {"rows": []}
        return Sizes({(row["case"], row["sent"], row["kept"]): row for row in found["rows"]}, found)

    @property
    def sent(self) -> list[float | None]:
        """From the smallest sketch to none."""
        shares = {sent for _, sent, _ in self.rows}
        return [*sorted(share for share in shares if share is not None), None]

    @property
    def kept(self) -> list[float]:
        return sorted({kept for *_, kept in self.rows})

    def d(self, case: str) -> int:
        return next(int(row["d"]) for (name, *_), row in self.rows.items() if name == case)

    def accuracy(self, case: str, sent: float | None, kept: float) -> float:
        """In per cent, the mean of the seeds."""
        return 100 * fmean(self.rows[case, sent, kept]["accuracy"])

    def best(self, case: str, sent: float | None, kept: float) -> tuple[float, float]:
        """The γ with the largest mean accuracy in per cent, of the advised one and the grid around it."""
        row = self.rows[case, sent, kept]
        tried = [(at["gamma"], 100 * fmean(at["accuracy"])) for at in (row, *row["grid"])]
        return max(tried, key=lambda each: each[1])

    def best_without(self, case: str) -> float:
        """What sending all d numbers reaches at its best k and γ."""
        return max(self.best(case, None, kept)[1] for kept in self.kept)

    def lost(self, case: str) -> float:
        """Points that the advised size costs, each at its best γ."""
        return self.best_without(case) - self.best(case, 0.2, self.kept[2])[1]

    def lost_in_words(self, case: str) -> str:
        points = self.lost(case)
        return "nothing" if points < 0.5 else f"{points:.1f}"

    def apart(self) -> float:
        """The largest ratio of the advised γ of two sketches, or of one and none, at equal k."""
        gammas = [
            [at["gamma"] for (c, _, k), at in self.rows.items() if (c, k) == (case, kept) and at["gamma"]]
            for case in RUNS
            for kept in self.kept
        ]
        return max(max(found) / min(found) for found in gammas if found)

    def html(self, case: str) -> str:
        """Accuracies with their ranges; a row for each sketch, a column for each k."""
        head = ["numbers sent / <i>d</i>", *(f"<i>k</i> = {share(kept)}" for kept in self.kept)]
        body = [[_numbers(sent), *(self._cell(case, sent, k) for k in self.kept)] for sent in self.sent]
        compared = [sent for sent in self.sent if self.rows[case, sent, self.kept[0]]["grid"]]
        body += [
            [f"{_numbers(sent)}, best γ tried", *(_at(*self.best(case, sent, k)) for k in self.kept)]
            for sent in compared
        ]
        return table(head, body, "fps-numbers fps-ranges-of")

    def _cell(self, case: str, sent: float | None, kept: float) -> str:
        row = self.rows[case, sent, kept]
        if row["gamma"] is None:
            return "refused"
        found = [100 * a for a in row["accuracy"]]
        spread = f"<br><small>({min(found):.1f} … {max(found):.1f})</small>"
        return _at(row["gamma"], fmean(found)).replace("<br>", f"{spread}<br>")


def _numbers(sent: float | None) -> str:
    return "no sketch" if sent is None else f"{sent:.0%}"


def _at(gamma: float, accuracy: float) -> str:
    return f"<b>{accuracy:.1f}</b><br><small>@ {gamma:.2g}</small>"


def share(kept: float) -> str:
    """A share of d in words."""
    return "<i>d</i>" if kept == 1 else f"<i>d</i>/{1 / kept:.0f}"
