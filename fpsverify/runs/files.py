"""The files of a run directory as its readers (`estimate`, `report`) meet them.

One rule for whatever is wrong: one line with the file, what is wrong with it, and what would be right.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from fpsverify import config as configs
from fpsverify.config import RunConfig
from fpsverify.errors import BadInput, FpsError
from fpsverify.files import read_result
from fpsverify.runs import checkpoint, record
from fpsverify.runs.checkpoint import round_of
from fpsverify.runs.record import ROUNDS, SUMMARY, Row, broken

CONFIG = "config.toml"
LOSSES = ("loss", "train_loss", "test_loss")
HOPELESS = 100.0  # times the loss at the start


def read_config(folder: Path) -> RunConfig:
    if not folder.is_dir():
        raise _no_folder(folder)
    path = folder / CONFIG
    right = (
        f"the run's config; where there is none, fpsverify run CONFIG.toml --resume --out {folder} writes it"
    )
    text = _text(path, right)
    try:
        return configs.parse(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise broken(path, f"not TOML ({error})", right) from None
    except BadInput as error:
        raise broken(path, f"not a config ({error})", right) from None


def _no_folder(path: Path) -> FpsError:
    if path.is_file() and path.suffix == ".toml":
        right = f"the folder of a run: first fpsverify run {path} --out RUN, then this command on RUN"
        return broken(path, "a config, not a run", right)
    wrong = "a file" if path.is_file() else "no such folder"
    return broken(path, wrong, "a run directory, as fpsverify run --out makes it")


def read_rows(folder: Path) -> list[Row]:
    """Rows of rounds 0, 1, …, with a norm of the model in each."""
    rows = record.read_rows(folder)
    path, right = folder / ROUNDS, record.right_rows(folder)
    if [row["round"] for row in rows] != list(range(len(rows))):
        raise broken(path, "not one row per round", right)
    if any("w_norm_squared" not in row for row in rows):
        raise broken(path, "no w_norm_squared in some row", right)
    return rows


def read_summary(folder: Path, config: RunConfig) -> dict[str, Any] | None:
    """None while the run is not finished."""
    path = folder / SUMMARY
    if not path.exists():
        return None
    right = right_summary(folder, config)
    try:
        found = read_result(path)
    except (OSError, ValueError, RecursionError) as error:
        raise broken(path, f"unreadable ({error})", right) from None
    if not isinstance(found.get("final"), dict):
        raise broken(path, "not the summary of a run", right)
    if found.get("config_digest") != config.digest():
        raise broken(path, f"the summary of another config than {CONFIG}", right)
    return found


def right_summary(folder: Path, config: RunConfig) -> str:
    return f"the summary of this run; {goes_on(folder, config)} writes it"


def made_in_python(config: RunConfig) -> bool:
    """Only its program has the federation of such a run."""
    return config.problem.data == "own" and config.problem.source is None


def goes_on(folder: Path, config: RunConfig) -> str:
    """What continues a run."""
    if made_in_python(config):
        return "the same call of fps.train with resume=True"
    return f"fpsverify run --resume --out {folder}{consent(config)}"


def advises(folder: Path, config: RunConfig) -> str:
    """What finds a learning rate for a run like this one."""
    if made_in_python(config):
        return "fps.advise(federation, …) with the options of fps.train"
    return f"fpsverify advise {folder / CONFIG}{consent(config)}"


def consent(config: RunConfig) -> str:
    """What allows a command to run the file of one's own problem."""
    return "" if config.problem.source is None else " --trust"


def broke_in(folder: Path, config: RunConfig, rows: list[Row]) -> int | None:
    """The round in which a run diverged; None if it did not, as far as its files tell.

    A kill leaves no rows beyond the newest checkpoint; what was not finite leaves all that came before it.
    """
    last = int(rows[-1]["round"])
    if last == config.rounds or read_summary(folder, config):
        return None
    kept = [t for path in checkpoint.stored(folder) if (t := round_of(path)) is not None]
    beyond = bool(kept) and max(kept) < last and last % config.record.checkpoint_every > 0
    return last + 1 if beyond or _hopeless(rows) else None


def _hopeless(rows: list[Row]) -> bool:
    """Does a loss end far above its start, or at no number?"""
    seen = ([row[name] for row in rows if name in row] for name in LOSSES)
    return any(not losses[-1] <= HOPELESS * abs(losses[0]) for losses in seen if losses)


def diverged(folder: Path, config: RunConfig, broke: int) -> FpsError:
    """What a reader of a run says that ended so early that nothing can be read from it."""
    words = f"the run diverged in round {broke} of {config.rounds}; {advises(folder, config)} finds a smaller"
    return FpsError(f"{folder}: {words} learning rate")


def _text(path: Path, right: str) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise broken(path, "missing", right) from None
    except OSError as error:
        raise broken(path, f"unreadable ({error.strerror})", right) from None
    except UnicodeDecodeError as error:
        raise broken(path, f"not text ({error.reason} at byte {error.start})", right) from None
