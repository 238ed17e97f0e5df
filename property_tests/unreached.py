"""Which lines of the three packages no law reaches, and why.

    python -m property_tests.unreached coverage.json [--out book/results/coverage.json]

`make coverage` measures all processes that tests start, except those that are killed on purpose, and then
runs this. A line without a reason is a missing law or dead code: the command fails.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

PACKAGES = ("fpsverify", "theory", "empirical")
FLOWER = "needs Flower, which has an environment of its own: make test-engines"
COMPILED = "machine code: numba runs it, where coverage cannot look; test_sketch_device.py compares every way"

EXPERIMENT = "an experiment of hours, opt-in: python -m book.bookkit.results"
NETWORK = "asks a package manager for the data: needs a network, which tests must not"

DASK = "needs Dask, which has an environment of its own: make test-engines"
BOOK = "for the book, whose build fails on any error: make book"
ACCELERATOR = "needs an accelerator; none was ever present"
DISK = "a disk or a connection that fails at just this moment"
COMMAND = "printed after the whole ledger only, which `make verify` runs"
OTHER_CLAIMS = "for statements of a form that no entry of this ledger has: nothing is concluded from them"
LARGE = "numbers beyond the largest float: said in words instead of a number"
REFUSAL = "an error for what no law has brought about yet: it only refuses"
PROGRAM = "the last line of a program"

# The beginning of "file::function", and why lines there are not reached.
REASONS: dict[str, str] = {
    "fpsverify/kernels/compiled_loops.py::": COMPILED,
    "fpsverify/engines/": FLOWER,
    "fpsverify/grids/executors.py::": DASK,
    "fpsverify/data/fetch.py::npm_package": NETWORK,
    "fpsverify/data/fetch.py::debian_package": NETWORK,
    "fpsverify/cli/data.py::fetch_command": NETWORK,
    "fpsverify/problems/build.py::load_data": "reads real images, which need a network to get",
    "benchmarks/estimates/advice.py::examine": EXPERIMENT,
    "benchmarks/estimates/advice.py::_limit_by": EXPERIMENT,
    "benchmarks/estimates/advice.py::pilot_evidence": EXPERIMENT,
    "benchmarks/estimates/advice.py::Bench.losses": EXPERIMENT,
    "benchmarks/estimates/advice.py::main": EXPERIMENT,
    "benchmarks/estimates/calibration.py::main": EXPERIMENT,
    "benchmarks/estimates/generated.py::power_law_trial": EXPERIMENT,
    "fpsverify/device.py::present_devices": ACCELERATOR,
    "fpsverify/kernels/topk.py::kth_largest": ACCELERATOR,
    "fpsverify/data/csr_file.py::_scratch_beside": DISK,
    "fpsverify/data/fetch.py::_publish": DISK,
    "fpsverify/distributed/torchrun.py::_first_to_speak": DISK,
    "fpsverify/distributed/torchrun.py::TorchWire.gather": "one rank under torchrun: benchmarks/equality.py",
    "fpsverify/runs/record.py::versions": "a package that is not installed: its version is said to be absent",
    "theory/ledger/report.py::versions": "a package that is not installed: its version is said to be absent",
    "fpsverify/algorithms/fps.py::_selection": "an outage of the channel before the first broadcast",
    "fpsverify/cli/report.py::report_command": "a summary with parts of other types: one line",
    "empirical/answer/text.py::render": "names the figures of --plot, which laws call directly",
    "theory/bounds/size_report.py::_fit": "so few subcarriers that no accuracy follows: said in words",
    "fpsverify/report/svg.py::": BOOK,
    "fpsverify/reproduce/granularity.py::": BOOK,
    "fpsverify/cli/ledger.py::verify_command": COMMAND,
    "theory/bounds/terms.py::": LARGE,
    "theory/rates/parameters.py::as_float": LARGE,
    "theory/bounds/sketch_size.py::_memory": LARGE,
    "theory/rates/theorem_a.py::_some_excluded": LARGE,
    "theory/rates/rounding.py::": LARGE,
    "fpsverify/cli/rates_text.py::_printed_remark": LARGE,
    **{
        f"theory/{name}": OTHER_CLAIMS
        for name in (
            "ledger/collection.py::find",
            "ledger/guards.py::",
            "ledger/judge.py::missing_evidence",
            "ledger/statements.py::",
            "provers/certificates.py::",
            "provers/decided.py::",
            "provers/recheck.py::",
            "provers/replay.py::",
        )
    },
}


@dataclass(frozen=True)
class Gap:
    """Lines of one function (or of a module's body) that nothing has run."""

    file: str
    function: str
    lines: tuple[int, ...]
    reason: str | None

    @property
    def place(self) -> str:
        return f"{self.file}::{self.function}"


def reason_of(place: str, texts: tuple[str, ...] = ()) -> str | None:
    """By place; else by what the lines say: errors that are raised, the call of main."""
    known = next((reason for start, reason in REASONS.items() if place.startswith(start)), None)
    if known or not texts:
        return known
    if all(text.startswith(("raise ", "except ")) for text in texts):
        return REFUSAL
    return PROGRAM if all(text in ("main()", "sys.exit(main())") for text in texts) else None


def text_of(file: str, lines: Sequence[int]) -> tuple[str, ...]:
    """The unreached lines themselves, without their indentation."""
    try:
        source = Path(file).read_text(encoding="utf-8").splitlines()
    except OSError:
        return ()
    return tuple(source[line - 1].strip() for line in lines if line <= len(source))


def gaps(measured: dict[str, Any]) -> Iterator[Gap]:
    """All unreached lines, by function."""
    for file, found in sorted(measured["files"].items()):
        for function, region in found["functions"].items():
            if region["missing_lines"]:
                place = f"{file}::{function}"
                lines = tuple(region["missing_lines"])
                yield Gap(file, function, lines, reason_of(place, text_of(file, lines)))


def packages(measured: dict[str, Any]) -> list[dict[str, Any]]:
    """Statements of each package, and how many of them ran."""
    rows = []
    for name in PACKAGES:
        mine = [f["summary"] for path, f in measured["files"].items() if path.startswith(name + "/")]
        rows.append(
            {
                "package": name,
                "files": len(mine),
                "statements": sum(each["num_statements"] for each in mine),
                "reached": sum(each["covered_lines"] for each in mine),
            }
        )
    return rows


def as_ranges(lines: tuple[int, ...]) -> str:
    """1, 2, 3, 7 as 1-3, 7."""
    parts: list[list[int]] = []
    for line in lines:
        if parts and line == parts[-1][1] + 1:
            parts[-1][1] = line
        else:
            parts.append([line, line])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def report(measured: dict[str, Any]) -> dict[str, Any]:
    return {"packages": packages(measured), "gaps": [asdict(gap) for gap in gaps(measured)]}


def show(measured: dict[str, Any]) -> str:
    lines = []
    for row in packages(measured):
        share = row["reached"] / row["statements"] if row["statements"] else 1.0
        lines.append(
            f"{row['package']:10} {row['reached']:6} of {row['statements']:6} statements, {share:.2%}"
        )
    for gap in gaps(measured):
        lines.append(f"{gap.place}, lines {as_ranges(gap.lines)}: {gap.reason or 'NO REASON KNOWN'}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("measured", type=Path, help="what coverage wrote as JSON")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    measured = json.loads(args.measured.read_text(encoding="utf-8"))
    if not measured["files"]:
        raise SystemExit(f"{args.measured}: coverage measured nothing")
    print(show(measured))
    if args.out is not None:
        from fpsverify.files import write_json
        from property_tests.mutation.copies import ROOT
        from property_tests.mutation.table import commit

        made = {"command": "make coverage", "commit": commit(ROOT)}
        write_json(args.out, report(measured) | {"provenance": made})
    unexplained = sum(len(gap.lines) for gap in gaps(measured) if gap.reason is None)
    print(f"{unexplained} unreached lines without a reason")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
