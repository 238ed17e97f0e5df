"""Any bytes, any arguments: success or one clear line. The whole check is `make fuzz`; this is a sample."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from property_tests.fuzz.cases import MAKERS
from property_tests.fuzz.judge import verdict
from property_tests.fuzz.kills import VICTIMS, Killer
from property_tests.fuzz.samples import Samples, make_samples

FULL = os.environ.get("FPSVERIFY_PROFILE") == "fuzz"
PARTS, CASES, KILLS = (20, 180, 200) if FULL else (1, 10, 6)  # CASES: times 32, in each part
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Samples:
    return make_samples(tmp_path_factory.mktemp("samples"))


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("room")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FPSVERIFY_DATA", str(folder / "no data"))
        yield folder / "room"


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("make", MAKERS)
def test_no_input_does_worse_than_one_line(make: Any, part: int, samples: Samples, room: Path) -> None:
    @settings(max_examples=CASES * MAKERS[make])
    @given(st.data())
    def attempt(data: st.DataObject) -> None:
        shutil.rmtree(room, ignore_errors=True)
        room.mkdir()
        case = make(data.draw, samples, room)
        assert verdict(case.command, room, case.keep, case.lines) is None

    attempt()


def test_killed_at_random_moments_nothing_is_lost(tmp_path: Path) -> None:
    """Runs, conversions and grids: continued after kills or a full disk, they end in the same bytes."""
    killer, at_work = Killer(tmp_path / "room"), []

    @settings(max_examples=KILLS, phases=(Phase.generate,))
    @given(st.sampled_from(sorted(VICTIMS)), st.lists(st.floats(0, 1.2), min_size=1, max_size=3))
    def strike(kind: str, moments: list[float]) -> None:
        at_work.append(killer.strike(kind, moments))

    strike()
    assert any(at_work)
    full = []

    @settings(max_examples=KILLS, phases=(Phase.generate,))
    @given(st.sampled_from(sorted(VICTIMS)), st.integers(0, 16_000))
    def starve(kind: str, limit: int) -> None:
        full.append(killer.starve(kind, limit))

    starve()
    assert any(full)


@pytest.mark.parametrize(
    "code,says,complaint",
    [(None, "", "TypeError"), (2, "one\ntwo\n", "2 lines"), (2, "", "0 lines"), (77, "why", "exit code 77")],
)
def test_the_judge_sees_bad_behaviour(code: Any, says: str, complaint: str, tmp_path: Path) -> None:
    """No exit code at all stands for a crash."""

    def command() -> Any:
        sys.stderr.write(says)
        return code

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
