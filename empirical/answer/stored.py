"""`RUN/estimate.json`: a finished estimate, kept beside the run that it is of.

    {"format": 1,
     "inputs":   {"run": digest, "methods": {"estimate": 1, ...}},
     "settings": {"replicates": 32, "rounds": 16, "replay": false},
     "result":   what `fpsverify estimate --json` prints}

`inputs.run` is a digest of config, rounds, summary and checkpoints, `inputs.methods` has the versions of the
methods that made it (`fpsverify.methods`). A stored estimate whose inputs are not those of now is not used,
and `Found.why` says which of them changed. `report`, `lr --from RUN` and `bound --from RUN` take any settings
(`read(folder, None)`).
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from fpsverify.errors import FpsError
from fpsverify.files import read_result, write_result
from fpsverify.methods import raised, versions_of
from fpsverify.runs.files import CONFIG
from fpsverify.runs.record import ROUNDS, SUMMARY

FILE, FORMAT = "estimate.json", 3


@dataclass(frozen=True)
class Settings:
    """How hard to look; see `fpsverify estimate --help`."""

    replicates: int = 32
    rounds: int = 16
    replay: bool = False

    @property
    def note(self) -> str:
        """What a reader must know of a quick estimate."""
        if replace(self, replay=False) != FAST:
            return ""
        return (
            f"fast: {self.rounds} rounds and {self.replicates} replicates, so intervals are wider than usual"
        )


FAST = Settings(replicates=16, rounds=6)


@dataclass(frozen=True)
class Found:
    """A stored result, or None and why there is none that can be used."""

    result: dict[str, Any] | None
    why: str = ""


def read(folder: Path, settings: Settings | None = None) -> Found:
    """What is stored for these settings (None: any) and is still true of the run and the code."""
    try:
        kept = read_result(folder / FILE)
        used = kept["settings"] if kept["format"] == FORMAT else None
        before, result = kept["inputs"], kept["result"]
    except FileNotFoundError:
        return Found(None)
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        return Found(None, f"{FILE} is unreadable ({' '.join(str(error).split())})")
    if used is None or not _is_dict(before, result) or not _is_dict(before.get("methods")):
        return Found(None, f"{FILE} is of another version")
    if changed := _changed(before, folder):
        return Found(None, f"{changed} changed since {FILE} was written")
    if settings is not None and used != asdict(settings):
        return Found(None, f"{FILE} has other settings")
    return Found(result)


def _is_dict(*values: object) -> bool:
    return all(isinstance(value, dict) for value in values)


def _changed(before: dict[str, Any], folder: Path) -> str:
    """What a stored estimate rests on and is different now."""
    if before.get("run") != inputs(folder)["run"]:
        return "the run"
    return ", ".join(raised(before["methods"]))


def write(folder: Path, made_from: dict[str, Any], settings: Settings, result: dict[str, Any]) -> str:
    """Whole or not at all; returns why not, if the folder cannot be written to."""
    kept = {"format": FORMAT, "inputs": made_from, "settings": asdict(settings), "result": result}
    try:
        write_result(folder / FILE, kept, ordered=True)
    except FpsError as error:
        return str(error)
    return ""


def inputs(folder: Path) -> dict[str, Any]:
    """All that decides the numbers: a digest of the run, and the versions of the methods."""
    files = [folder / name for name in (CONFIG, ROUNDS, SUMMARY)]
    files += sorted((folder / "checkpoints").glob("*"))
    return {"run": _digest(files, folder), "methods": versions_of()}


def _digest(files: list[Path], root: Path) -> str:
    """Of names and contents; a file that is not there counts by its absence."""
    total = hashlib.sha256()
    for path in files:
        total.update(f"{path.relative_to(root)}\n".encode())
        if path.is_file():
            with open(path, "rb") as handle:
                total.update(hashlib.file_digest(handle, "sha256").digest())
    return total.hexdigest()[:16]
