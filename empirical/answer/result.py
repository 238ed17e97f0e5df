"""`fps.estimate(run)`: what a recorded run says about the theory, as an object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from empirical.answer import stored, text
from empirical.answer.stored import FAST, Settings
from fpsverify.errors import BadInput, needs
from fpsverify.report import names
from fpsverify.runs import files as run_files
from fpsverify.status import status

if TYPE_CHECKING:
    from fpsverify.own.federation import Federation

Tell = Callable[[str], None]


def _silent(text: str) -> None:
    pass


@dataclass(frozen=True)
class Listener:
    """Who hears of the work: each stage, each step in it, and remarks for the reader."""

    stage: Tell = _silent
    step: Tell = _silent
    remark: Tell = _silent


@dataclass(frozen=True, repr=False)
class Estimate:
    """`values` is what `fpsverify estimate --json` prints; `print(found)` is its text.

    gamma        the recommended learning rate (None: none that was tried lowers the loss)
    covered      does a theorem cover the run, Theorem A or the certified range? None: cannot tell
    """

    values: dict[str, Any]

    @property
    def gamma(self) -> float | None:
        advice = self.values["advice"]
        found: float | None = advice["recommended"] if advice else None
        return found

    @property
    def covered(self) -> bool | None:
        found: bool | None = self.values["answer"]["covered"]
        return found

    def summary(self, detail: bool = False) -> str:
        """80 columns: the answer in six lines, then tables; with `detail` every number and reason."""
        return text.render(self.values, detail)

    def to_frame(self) -> Any:
        """A pandas table of the constants: estimate, interval, and which assumption fails or is undecided."""
        with needs():
            import pandas as pd

        rows = [
            {"name": name, "meaning": names.MEANING[name], **c}
            for name, c in self.values["constants"].items()
        ]
        return pd.DataFrame(rows).set_index("name")

    def plot(self) -> Any:
        """The figures of Appendix E and the scatter plots, as one matplotlib figure."""
        from empirical.answer import plots

        return plots.draw_all(self.values)

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        run = self.values["run"]
        gamma = "none" if self.gamma is None else f"{self.gamma:.4g}"
        return f"Estimate(gamma={gamma}, covered={self.covered}, d={run['d']}, M={run['M']}, T={run['T']})"

    def _repr_html_(self) -> str:
        from fpsverify.report.page import fragment

        return fragment(self.values)


def estimate(
    run: str | Path | Any,
    federation: Federation | None = None,
    *,
    replicates: int = Settings.replicates,
    rounds: int = Settings.rounds,
    replay: bool = False,
    fast: bool = False,
    progress: Tell | None = None,
    trust: bool = False,
) -> Estimate:
    """The constants of Assumptions 1-5 from a run, and what follows from them; kept in RUN/estimate.json.

    run          a run folder, or what `train` or `run` returned
    federation   the federation of a run of one's own problem; known if `train` returned it
    replicates   gradients per point, at least 8
    rounds       rounds to look at, at least 3
    replay       run again in memory to measure what the run did not record
    fast         fewer rounds and replicates: quicker, with wider intervals
    progress     told what is being done, one line at a time; without it, a line on a terminal says so
    trust        run the Python file that the run's config names as its problem
    """
    if not isinstance(run, (str, Path)):
        federation = federation or getattr(run, "federation", None)
        run = _folder_of(run)
    settings = replace(FAST, replay=replay) if fast else Settings(replicates, rounds, replay)
    if trust and federation is None:
        from fpsverify.own.source import given

        federation = given(run_files.read_config(Path(run)), None, trust)
    with status(progress) as say:
        return Estimate(of_folder(Path(run), settings, federation, Listener(say, say, say)))


def of_folder(
    folder: Path,
    settings: Settings | None = None,
    federation: Federation | None = None,
    listener: Listener = Listener(),  # noqa: B008
) -> dict[str, Any]:
    """The stored estimate if it is still true (settings None: whatever was asked then), else a new one."""
    config = run_files.read_config(folder)  # refuses what is no run folder
    if federation is not None:
        federation.demand(config.problem.federation, f"the run in {folder}")
    found = stored.read(folder, settings)
    if found.result is not None:
        return found.result
    settings, inputs = settings or Settings(), stored.inputs(folder)
    result = _made(folder, settings, federation, listener)
    if found.why:
        listener.remark(f"{folder / stored.FILE}: estimated anew, because {found.why}")
    if problem := stored.write(folder, inputs, settings, result):
        listener.remark(f"not kept: {problem}")
    return result


def _made(
    folder: Path, settings: Settings, federation: Federation | None, listener: Listener
) -> dict[str, Any]:
    from empirical.answer.estimate import check_replicates
    from empirical.answer.estimate import estimate as from_evidence
    from empirical.answer.findings import values
    from empirical.observed import recorded
    from fpsverify.threads import one_thread

    check_replicates(settings.replicates)
    if settings.rounds < recorded.FEWEST_ITERATES:
        raise BadInput("--rounds", settings.rounds, f"at least {recorded.FEWEST_ITERATES}")
    with one_thread():
        if settings.replay:  # takes long; without it an error in the files comes at once, and is one line
            listener.stage("reading the run")
        evidence = recorded.evidence(folder, settings.rounds, settings.replay, federation)
        if settings.note:
            evidence = replace(evidence, notes=(settings.note, *evidence.notes))
        if evidence.left_out:
            listener.remark(f"{folder / 'checkpoints'}: {recorded.left_out(evidence.left_out)}")
        if not settings.replay:
            listener.stage("reading the run")
        found = from_evidence(evidence, settings.replicates, listener.step, listener.stage)
        listener.stage("answers")
        return values(found)


def _folder_of(result: Any) -> Path:
    found = getattr(result, "folder", None)
    if found is None:
        raise BadInput("run", repr(result)[:60], "a run folder: train or run with out=")
    return Path(found)
