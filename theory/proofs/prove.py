"""`make prove`: build every proof from nothing, check what it states and what it rests on, and record it.

It fails on anything left unproved, on an axiom outside the allow list, on a theorem that does not prove its
stated result, and on a statement that is not the recorded one (`--accept` records a new one).
"""

import argparse
import datetime
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from textwrap import shorten

from theory.errors import EvidenceFailed
from theory.proofs import axioms, build, gallina, manifest, sources
from theory.proofs.manifest import Checked, Manifest

INSTALL = "Coq is not installed: `apt-get install -y coq` (8.16 or newer), then `make prove`."


def main(words: list[str] | None = None) -> int:
    """Exit code 0 only if everything is proved as recorded."""
    parser = argparse.ArgumentParser(prog="make prove", description=__doc__)
    parser.add_argument("--accept", action="store_true", help="record statements that are new or changed")
    parser.add_argument("--check", action="store_true", help="write nothing; fail where the record differs")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="files compiled at once (default 2)")
    args = parser.parse_args(words)
    try:
        return _prove(args)
    except EvidenceFailed as error:
        print(f"make prove: {error}", file=sys.stderr)
        return 1


def _prove(args: argparse.Namespace) -> int:
    version = build.coq_version()
    if version is None:
        print(INSTALL, file=sys.stderr)
        return 2
    start = time.monotonic()
    if left := sources.forbidden_words():
        raise EvidenceFailed(f"left unproved or assumed: {', '.join(left)}")
    if _not_built_here(build.LEBESGUE):
        print("lebesgue/: not built here (needs the Debian package libcoq-mathcomp-analysis).")
    results, seconds = _build(args.jobs)
    print(table(results, seconds), axioms_used(results), sep="\n\n")
    found = _record(version, results)
    print(f"\n{found.line}; built from nothing and read again by coqchk in {time.monotonic() - start:.0f} s.")
    return _keep(found, args.accept, args.check)


def _build(jobs: int) -> tuple[tuple[Checked, ...], dict[str, float]]:
    """Every result that can be built here, and the CPU seconds of every file."""
    wanted = [path for path in sources.files() if not _not_built_here(path.as_posix())]
    with tempfile.TemporaryDirectory(prefix="fps-proofs-") as name:
        folder = Path(name)
        build.copy_sources(folder, wanted)
        gallina.write(folder / gallina.FILE)
        print(f"Building {len(wanted)} files from nothing …", flush=True)
        seconds = build.compile_all(folder, jobs, _say_built)
        stated = sources.results(folder)
        print(f"Comparing {len(stated)} theorems with their statements, listing axioms, coqchk …", flush=True)
        with ThreadPoolExecutor(1) as beside:
            again = beside.submit(build.recheck, folder, stated)
            used = build.axioms_of(folder, stated, max(1, jobs - 1))
            again.result()
        theorems = {result.name: sources.proof_of(result, folder).theorem for result in stated}
    checked = [Checked(theorem=theorems[r.name], axioms=used[r.name], **vars(r)) for r in stated]
    for each in checked:
        demand_allowed(each)
    return tuple(checked), seconds


def _say_built(file: str, seconds: float) -> None:
    print(f"  {file:<50}{seconds:7.1f} s", flush=True)


def demand_allowed(result: Checked) -> None:
    """Only Coq's classical reals; the Lebesgue instance may also use mathcomp's axioms."""
    if more := axioms.outside(result.axioms, result.file.startswith(build.LEBESGUE)):
        raise EvidenceFailed(f"{result.theorem} uses axioms outside the allow list: {', '.join(more)}")


def table(results: tuple[Checked, ...], seconds: dict[str, float]) -> str:
    """Theorem, axioms, seconds of CPU (all files of the same result together), statement in words."""
    lines = [f"{'theorem':<44}{'axioms':>7}{'CPU s':>8}  statement in words"]
    for each in results:
        spent = sum(s for file, s in seconds.items() if file.startswith(each.file.removesuffix(".v")))
        words = shorten(each.words, 120, placeholder=" …")
        lines.append(f"{each.theorem:<44}{len(each.axioms):>7}{spent:>8.1f}  {words}")
    return "\n".join(lines)


def axioms_used(results: tuple[Checked, ...]) -> str:
    """Every axiom behind the results, how many use it, and what it says."""
    used = Counter(axiom for each in results for axiom in each.axioms)
    rows = [f"  {axiom} ({used[axiom]}): {'; '.join(axioms.in_words([axiom]))}" for axiom in sorted(used)]
    return "\n".join([f"Axioms of {len(results)} theorems (how many use each)", *rows])


def _record(version: str, results: tuple[Checked, ...]) -> Manifest:
    """What this build found; results that could not be built here stay as recorded if their files did."""
    digests = manifest.file_digests()
    built = {result.name for result in results}
    kept = tuple(r for r in _recorded_results(digests) if r.name not in built)
    missing = [r.name for r in sources.results() if r.name not in built | {k.name for k in kept}]
    if missing:
        raise EvidenceFailed(f"not built here and not recorded: {', '.join(missing)}")
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    return Manifest(version, today, digests, manifest.specification_digests(), (*results, *kept))


def _not_built_here(file: str) -> bool:
    return file.startswith(build.LEBESGUE) and not build.has_measure_theory()


def _recorded_results(digests: dict[str, str]) -> tuple[Checked, ...]:
    """The recorded results that cannot be built here, if their files are as they were."""
    try:
        recorded = manifest.load()
    except EvidenceFailed:
        return ()
    elsewhere = (r for r in recorded.results if _not_built_here(r.file))
    return tuple(r for r in elsewhere if _unchanged(r, recorded.files, digests))


def _unchanged(result: Checked, old: dict[str, str], new: dict[str, str]) -> bool:
    """Are the result's file, its proof and all that they import as they were?"""
    here = Path(result.file), Path(sources.proof_of(result).file)
    names = [path.as_posix() for path in sources.with_imports(here)]
    return all(old.get(name) == new.get(name) for name in names)


def _keep(found: Manifest, accept: bool, check: bool) -> int:
    """Write the record; a statement that is not the recorded one must be accepted by somebody."""
    try:
        recorded = manifest.load()
    except EvidenceFailed:
        recorded = None
    changed = _changed(recorded, found)
    if changed and (check or not accept):
        shown = ", ".join(changed)
        raise EvidenceFailed(
            f"not the recorded statements: {shown}. If they are meant: `make prove ACCEPT=1`."
        )
    if check:
        if recorded and (stale := recorded.stale_files()):
            raise EvidenceFailed(
                f"proved, but the committed record is older: {', '.join(stale)}. Run `make prove`."
            )
    elif recorded is None or recorded.files != found.files or recorded.results != found.results:
        manifest.save(found)
        print(f"Recorded in {manifest.FILE.name}.")
    return 0


def _changed(recorded: Manifest | None, found: Manifest) -> tuple[str, ...]:
    """Files whose statements, comments apart, are not the recorded ones."""
    old = recorded.specification if recorded else {}
    new = found.specification
    return tuple(sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name)))


if __name__ == "__main__":
    sys.exit(main())
