"""Any bytes, any arguments: success or one clear line. The whole check is `make fuzz`; this is a sample."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from property_tests import laws
from property_tests.fuzz.cases import MAKERS, try_case
from property_tests.fuzz.judge import verdict
from property_tests.fuzz.kills import Killer
from property_tests.fuzz.samples import Samples, make_samples

SOURCE = laws.COMMANDS

SAMPLE, KILLS = 600, 6
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Samples:
    return make_samples(tmp_path_factory.mktemp("samples"))


@pytest.mark.parametrize("part", range(4))
def test_no_input_does_worse_than_one_line(
    part: int, samples: Samples, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FPSVERIFY_DATA", str(tmp_path / "no data"))
    kinds = set()
    for number in range(part * SAMPLE // 4, (part + 1) * SAMPLE // 4):
        kind, text, wrong = try_case(1, number, samples, tmp_path / "room")
        kinds.add(kind)
        assert wrong is None, f"case {number} ({kind}): {wrong}\n{text}"
    assert kinds == set(MAKERS)


def test_the_whole_check_starts_as_make_fuzz_starts_it() -> None:
    """Two processes, a few cases: what they run must be importable in both."""
    command = [sys.executable, "-m", "property_tests.fuzz", "--cases", "6", "--kills", "0", "--jobs", "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "0 failures in 6" in done.stdout


def test_killed_at_random_moments_nothing_is_lost(tmp_path: Path) -> None:
    """Runs, conversions and grids: continued, they end in the same bytes as without a kill."""
    killer = Killer(tmp_path / "room")
    outcomes = [killer.strike(1, number) for number in range(KILLS)]
    assert [outcome.wrong for outcome in outcomes] == [None] * KILLS
    assert any(outcome.at_work for outcome in outcomes)


def crash() -> int:
    raise KeyError("surprise")


def ending(code: int, text: str) -> Callable[[], int]:
    def command() -> int:
        print(text, file=sys.stderr)
        return code

    return command


@pytest.mark.parametrize(
    "command,complaint",
    [
        (crash, "surprise"),
        (ending(2, "one\ntwo"), "2 lines"),
        (lambda: 2, "0 lines"),
        (ending(77, "why"), "exit code 77"),
    ],
)
def test_the_judge_sees_bad_behaviour(command, complaint: str, tmp_path: Path) -> None:
    assert complaint in (verdict(command, tmp_path, {}) or "")


def test_nothing_in_the_packages_can_load_a_pickle() -> None:
    """torch.load, numpy's allow_pickle, joblib.load and pickle itself run code found in files."""
    forbidden = ("torch.load(", "allow_pickle=True", "joblib.load(", "import pickle", "read_pickle(")
    found = [
        f"{path.relative_to(ROOT)}: {word}"
        for package in ("fpsverify", "theory", "empirical")
        for path in sorted((ROOT / package).rglob("*.py"))
        for word in forbidden
        if word in path.read_text(encoding="utf-8")
    ]
    assert not found
