"""Building the proofs from nothing in a fresh folder: nothing compiled or cached before is reused."""

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from theory.errors import EvidenceFailed
from theory.proofs import sources
from theory.proofs.sources import Result

LEBESGUE = "lebesgue"  # the only folder that needs more than Coq itself
TIMED = re.compile(r"^(\S+)\.vo \(real: [\d.]+, user: ([\d.]+), sys: ([\d.]+)")


def coq_version() -> str | None:
    """The version of Coq on this machine; None without one."""
    if not shutil.which("coqc") or not shutil.which("coq_makefile"):
        return None
    shown = subprocess.run(["coqc", "--print-version"], capture_output=True, text=True, check=True)
    return shown.stdout.split()[0]


@cache
def has_measure_theory() -> bool:
    """Is mathcomp-analysis installed, which the Lebesgue instance is built on?"""
    where = subprocess.run(["coqc", "-where"], capture_output=True, text=True, check=True).stdout.strip()
    return (Path(where) / "user-contrib" / "mathcomp" / "analysis").is_dir()


def copy_sources(target: Path, wanted: Sequence[Path]) -> None:
    """The Coq files alone, into an empty folder."""
    for path in wanted:
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(sources.COQ / path, target / path)


def compile_all(folder: Path, jobs: int, progress: Callable[[str, float], None]) -> dict[str, float]:
    """Compile every file of the folder; CPU seconds of each. The first error ends it."""
    names = [path.as_posix() for path in sources.files(folder)]
    quiet = ["-arg", "-w", "-arg", "none"]
    _run(["coq_makefile", "-Q", ".", sources.ROOT, *quiet, *names, "-o", "Makefile"], folder)
    seconds = {}
    for line in _lines(["make", "--no-print-directory", f"-j{jobs}", "TIMED=1"], folder):
        if match := TIMED.match(line):
            seconds[f"{match[1]}.v"] = float(match[2]) + float(match[3])
            progress(f"{match[1]}.v", seconds[f"{match[1]}.v"])
    return seconds


def compare_statements(
    folder: Path, results: Sequence[Result], name: str = "Statements", with_axioms: bool = False
) -> str:
    """Each theorem proves the statement of its result, word for word; what Coq prints of their axioms."""
    proofs = [(result, sources.proof_of(result, folder)) for result in results]
    files = sorted({file for result, proof in proofs for file in (result.file, proof.file)})
    lines = [f"Require {sources.module(file)}." for file in files]
    for number, (result, proof) in enumerate(proofs):
        theorem = f"{sources.module(proof.file)}.{proof.theorem}"
        lines.append(
            f"Definition as_stated_{number} : {sources.module(result.file)}.{result.name} := {theorem}."
        )
        lines += [f"Print Assumptions {theorem}."] if with_axioms else []
    (folder / f"{name}.v").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return _run(["coqc", "-w", "none", "-Q", ".", sources.ROOT, f"{name}.v"], folder)


def axioms_of(folder: Path, results: Sequence[Result], jobs: int = 1) -> dict[str, tuple[str, ...]]:
    """The axioms behind each result; `jobs` at a time, because Coq takes a second for each."""
    shares = [results[first::jobs] for first in range(jobs)]
    with ThreadPoolExecutor(jobs) as pool:
        found = pool.map(lambda n: _axioms_of_share(folder, shares[n], f"Axioms{n}"), range(jobs))
        return {name: axioms for share in found for name, axioms in share.items()}


def _axioms_of_share(folder: Path, results: Sequence[Result], name: str) -> dict[str, tuple[str, ...]]:
    found = axioms(compare_statements(folder, results, name, with_axioms=True))
    full = _full_names(folder, name, sorted({axiom for each in found for axiom in each}))
    return {
        result.name: tuple(sorted(full[axiom] for axiom in each))
        for result, each in zip(results, found, strict=True)
    }


def _full_names(folder: Path, name: str, short: Sequence[str]) -> dict[str, str]:
    """Coq prints the shortest name that its context allows, and a module can imitate that."""
    text = (folder / f"{name}.v").read_text(encoding="utf-8")
    context = [line for line in text.splitlines() if line.startswith("Require ")]
    asked = [f"About {axiom}." for axiom in short]
    (folder / f"{name}Names.v").write_text("\n".join([*context, *asked]) + "\n", encoding="utf-8")
    printed = _run(["coqc", "-w", "none", "-Q", ".", sources.ROOT, f"{name}Names.v"], folder)
    return dict(zip(short, re.findall(r"^Expands to: \w+\s+(\S+)$", printed, re.MULTILINE), strict=True))


def axioms(printed: str) -> list[tuple[str, ...]]:
    """The names behind each `Print Assumptions`, in order: they stand at the beginning of a line."""
    parts = re.split(r"^(?:Closed under the global context|Axioms:)$", printed, flags=re.MULTILINE)
    return [tuple(sorted(re.findall(r"^([\w.']+)", part, flags=re.MULTILINE))) for part in parts[1:]]


def recheck(folder: Path, results: Sequence[Result]) -> None:
    """coqchk reads the compiled files again with a kernel of its own.

    The Lebesgue instance is left out: with it coqchk would read all of mathcomp again, for many minutes.
    """
    files = {sources.proof_of(result, folder).file for result in results}
    modules = sorted(sources.module(file) for file in files if not file.startswith(LEBESGUE))
    _run(["coqchk", "-silent", "-Q", ".", sources.ROOT, *modules], folder)


def _run(command: Sequence[str], folder: Path) -> str:
    return "\n".join(_lines(command, folder))


def _lines(command: Sequence[str], folder: Path) -> Iterator[str]:
    """The lines that a command prints, as they come; its last ones in the error if it fails."""
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    seen = []
    assert process.stdout is not None
    for line in process.stdout:
        seen.append(line.rstrip("\n"))
        yield seen[-1]
    if process.wait():
        raise EvidenceFailed(f"{command[0]} failed: {_reason(seen)}")


def _reason(printed: Sequence[str]) -> str:
    """Coq's place and its error, without the state of the proof between them; else the last lines."""
    places = [line for line in printed if line.startswith('File "')]
    errors = [number for number, line in enumerate(printed) if line.startswith(("Error", "Fatal"))]
    said = printed[errors[0] : errors[0] + 6] if errors else printed[-8:]
    return " ".join(" ".join([*places[-1:], *said]).split())
