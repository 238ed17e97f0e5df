"""`torchrun … -m fpsverify run CONFIG --distributed` with real processes: equal records, killed ranks, bytes.

Starting processes is what costs time here, so that each number of ranks is started once for many runs
(rank_jobs.py); the laws that need no processes are in test_ranks.py.
"""

# ruff: noqa: F811
import pytest

from fpsverify.runs import checkpoint
from fpsverify.runs.folder import read_traffic
from property_tests.ranks.torchrun_jobs import (
    BUCKETS,
    KILLED,
    LAST,
    ORDERED,
    RANK_TIMEOUT,
    ROUNDS,
    ROWS,
    M,
    base,  # noqa: F401
    contents,
    each_world,
    killed,  # noqa: F401
    ran,  # noqa: F401
)


@each_world
@pytest.mark.parametrize("name", ORDERED)
def test_ordered_records_are_those_of_one_process_bit_for_bit(name, world, base, ran):
    assert [rank["code"] for rank in ran[world, name]] == [0] * world, ran[world, name]
    assert contents(base / f"{name} on {world}") == contents(base / f"{name} on 1")


def test_a_killed_rank_ends_the_run_with_one_line(killed, ran, base):
    """torchrun reports on its own; of ours, two survivors, there is one line. They notice the closed
    connection: waiting for an answer would have taken RANK_TIMEOUT, however busy the machine is."""
    ours = [line for line in killed["err"].splitlines() if line.startswith("fpsverify: ")]
    assert len(ours) == 1 and "--resume" in ours[0] and "checkpoint" in ours[0], killed["err"]
    assert killed["code"] != 0 and killed["seconds"] < RANK_TIMEOUT / 2
    assert "fpsverify/" not in killed["err"], "no traceback into our files"
    assert checkpoint.latest(base / "killed", KILLED.lineage()) is not None
    assert not (base / "killed" / "summary.json").exists()


@each_world
def test_a_killed_run_continues_on_another_number_of_ranks(world, base, killed, ran):
    assert [rank["code"] for rank in ran[world, "resume"]] == [0] * world, ran[world, "resume"]
    assert contents(base / f"killed on {world}") == contents(base / "killed on 1")
    ranks = {row["round"]: row["ranks"] for row in read_traffic(base / f"killed on {world}")}
    assert ranks[0] == 3 and ranks[LAST] == world and sorted(ranks) == list(range(LAST + 1))


@each_world
@pytest.mark.parametrize("name, stored", [("wire", 2), ("wire averaged", 0), ("wire larger d", 2)])
def test_a_rank_hands_over_one_table_per_round_whatever_d(name, stored, world, base, ran):
    """Counted at torch's collectives: float32 tables of rows x buckets and nothing else is all-reduced.

    The books hold every byte but those of the `stored` checkpoints, which gather the sketches of the devices
    and belong to no round.
    """
    table, (first, *others) = 4 * ROWS * BUCKETS, ran[world, name]
    assert all(rank["all_reduce"] == [table] * ROUNDS for rank in (first, *others))
    rows = read_traffic(base / f"{name} on {world}")
    assert [row["table_bytes_sent"] for row in rows] == [0] + [table] * ROUNDS
    assert [row["table_bytes_received"] for row in rows] == [0] + [table] * ROUNDS
    assert f"{table} bytes sent" in first["out"]
    booked = sum(row["table_bytes_sent"] + row["other_bytes_sent"] for row in rows)
    checkpoints = stored * table * -(-M // world)
    assert booked + checkpoints == sum(first["all_reduce"]) + sum(first["all_gather"])


@each_world
def test_the_ordered_reduction_moves_the_tables_of_all_devices(world, base, ran):
    """⌈M/R⌉ float64 tables handed over, R times as much received."""
    devices = -(-M // world)
    table = 8 * ROWS * BUCKETS
    assert ran[world, "fps"][0]["all_gather"].count(devices * table) >= ROUNDS
    assert ran[world, "fps"][0]["all_reduce"] == []
    for row in read_traffic(base / f"fps on {world}")[1:]:
        assert row["table_bytes_sent"] == devices * table
        assert row["table_bytes_received"] == world * devices * table


REFUSED = {
    "different configs": "config: got 'seed = 9 (was 3)', expected that of rank 0, on rank",
    "too many ranks": "expected at most devices.M = 1 ranks in total",
    "bad on all ranks": "algorithm.k: got 9999",
    "occupied folder": "expected a new or empty folder, or add --resume",
    "different reductions": "--reduction: got 'ordered', expected fast on rank",
    "diverging": "use a smaller local.gamma",
}


@each_world
@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_run_ends_in_one_line_over_all_ranks(name, world, base, ran):
    ranks = ran[world, name]
    lines = [line for rank in ranks for line in rank["err"].splitlines()]
    assert len(lines) == 1 and lines[0].startswith("fpsverify: ") and REFUSED[name] in lines[0], lines
    assert all(rank["code"] != 0 and rank["out"] == "" for rank in ranks)
    assert not (base / f"refused {world}").exists() or not list(
        (base / f"refused {world}").rglob("*.parquet")
    )
