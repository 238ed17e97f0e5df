"""What the last complete build of the proofs found, committed beside them: readable without Coq."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from theory.errors import EvidenceFailed
from theory.proofs import sources
from theory.proofs.sources import Result

FILE = sources.COQ / "manifest.json"


@dataclass(frozen=True)
class Checked(Result):
    """One result that the kernel accepted, with its theorem and the axioms that this uses."""

    theorem: str
    axioms: tuple[str, ...]


@dataclass(frozen=True)
class Manifest:
    """Coq's version, the day of the build, digests of all files, and the results."""

    coq: str
    date: str
    files: dict[str, str]
    specification: dict[str, str]
    results: tuple[Checked, ...]

    def result(self, name: str) -> Checked:
        """A result by its name."""
        for checked in self.results:
            if checked.name == name:
                return checked
        raise EvidenceFailed(f"{name} is not a kernel-checked result of {FILE.name}")

    def stale_files(self, folder: Path = sources.COQ) -> tuple[str, ...]:
        """Files that were changed, added or removed since the build."""
        now = file_digests(folder)
        return tuple(
            sorted(name for name in now.keys() | self.files if now.get(name) != self.files.get(name))
        )

    @property
    def line(self) -> str:
        """One line for a reader."""
        return f"{len(self.results)} results kernel-checked on {self.date} with Coq {self.coq}"


def file_digests(folder: Path = sources.COQ) -> dict[str, str]:
    """A digest of every Coq file."""
    return {
        path.as_posix(): sources.digest((folder / path).read_text(encoding="utf-8"))
        for path in sources.files(folder)
    }


def specification_digests(folder: Path = sources.COQ) -> dict[str, str]:
    """A digest of what must be believed, comments apart: statements, settings and tools."""
    return {
        path.as_posix(): sources.specification_digest((folder / path).read_text(encoding="utf-8"))
        for path in sources.specification(folder)
    }


def load(file: Path = FILE) -> Manifest:
    """The committed manifest."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        results = tuple(Checked(**each | {"axioms": tuple(each["axioms"])}) for each in found.pop("results"))
        return Manifest(**found, results=results)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise EvidenceFailed(f"{file} is not a manifest of the proofs ({error}): run `make prove`") from error


def save(manifest: Manifest, file: Path = FILE) -> None:
    """Write it so that a difference reads well."""
    text = json.dumps(asdict(manifest), indent=1, ensure_ascii=False, sort_keys=False)
    file.write_text(text + "\n", encoding="utf-8")
