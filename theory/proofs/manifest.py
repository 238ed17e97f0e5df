"""What the last build of the proofs found, committed beside them: readable without Coq."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from theory.errors import EvidenceFailed

COQ = Path(__file__).resolve().parent.parent / "coq"
FILE = COQ / "manifest.json"


@dataclass(frozen=True)
class Checked:
    """One result that the kernel accepted, with the axioms that its proof uses."""

    name: str
    theorem: str
    file: str
    words: str
    axioms: tuple[str, ...]


@dataclass(frozen=True)
class Manifest:
    """Coq's version, the day of the build, digests of all files, and the results."""

    coq: str
    date: str
    files: dict[str, str]
    results: tuple[Checked, ...]

    def result(self, name: str) -> Checked:
        """A result by its name."""
        for checked in self.results:
            if checked.name == name:
                return checked
        raise EvidenceFailed(f"{name} is not a kernel-checked result of {FILE.name}")

    def stale_files(self) -> tuple[str, ...]:
        """Files that were changed or removed since the build."""
        now = {n: sha256((COQ / n).read_bytes()).hexdigest() for n in self.files if (COQ / n).exists()}
        return tuple(sorted(name for name in self.files if now.get(name) != self.files[name]))


def load(file: Path = FILE) -> Manifest:
    """The committed manifest."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        results = tuple(Checked(**{**item, "axioms": tuple(item["axioms"])}) for item in found.pop("results"))
        return Manifest(**found, results=results)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise EvidenceFailed(f"{file} is not a manifest of the proofs ({error}): run `make prove`") from error
