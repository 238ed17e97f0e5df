"""`torchrun … -m fpsverify run CONFIG --distributed` with real processes: equal records, killed ranks, bytes.

Starting processes is what costs time here, so that each number of ranks is started once for many runs
(rank_jobs.py); the laws that need no processes are in test_ranks.py.
"""

# ruff: noqa: F811
from __future__ import annotations

import shutil

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch

from fpsverify.cli import main
from fpsverify.config import RunConfig
from fpsverify.problems.build import build
from fpsverify.runs import checkpoint, record
from fpsverify.runs.folder import read_traffic
from fpsverify.runs.loop import run
from property_tests import laws
from property_tests.support.torchrun_jobs import (
    BUCKETS,
    FAST,
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

SOURCE = laws.RANKS


@each_world
@pytest.mark.parametrize("name", ORDERED)
def test_ordered_records_are_those_of_one_process_bit_for_bit(name, world, base, ran):
    assert [rank["code"] for rank in ran[world, name]] == [0] * world, ran[world, name]
    assert contents(base / f"{name} on {world}") == contents(base / f"{name} on 1")


def test_ordered_records_are_those_of_a_plain_run(base, tmp_path):
    """These shapes do not depend on the batch (test_ranks.py), so the plain run has the same bits too."""
    for name, config in ORDERED.items():
        run(config, tmp_path / name)
        assert contents(tmp_path / name) == contents(base / f"{name} on 1")


def sensitivity(config: RunConfig) -> tuple[np.ndarray, float]:
    """e_t ≥ ‖w_t − w'_t‖₂ for two orders of every sum over devices, and the smoothness L.

    An update is γ times a gradient, L-Lipschitz in w with L ≤ (1 + max‖x‖²)/2 (softmax), and rounded.
    The sketches add updates up, and a bucket holds at most ‖·‖₁ ≤ √d‖·‖₂: s_{t+1} = s_t + √d(γ L e_t + r).
    Reading out k of the coordinates by medians, plus one sum in two orders: e_{t+1} ≤ √k(s_{t+1} + 2(M+t)u S)
    with S the largest bucket of any device's table, noise of 6σ included. Numbers in a gradient are at most
    G = √2 max‖(x, 1)‖; r = γ c u G, c = 2(features + batch + classes + 8) operations on the way to an entry.
    """
    problem, u = build(config).problem, np.finfo(np.float64).eps / 2
    gamma, c = config.local.gamma, 2 * (config.problem.features + config.local.batch + 3 + 8)
    X2 = float(problem.X.square().sum(dim=1).max()) + 1
    L, G = X2 / 2, np.sqrt(2 * X2)
    d, k, e, s = problem.d, config.algorithm.k, [0.0], 0.0
    for t in range(1, config.rounds + 1):
        s += np.sqrt(d) * (gamma * L * e[-1] + gamma * c * u * G)
        S = t * gamma * np.sqrt(d) * G + 6 * config.channel.sigma
        e.append(np.sqrt(k) * (s + 2 * (problem.M + t) * u * S))
    return np.array(e), L


@each_world
def test_fast_records_are_those_of_one_process_up_to_the_order_of_sums(world, base, ran):
    config = FAST["gentle"]
    one, many = (record.read_rows(base / f"gentle on {n}") for n in (1, world))
    e, L = sensitivity(config)
    u = np.finfo(np.float64).eps / 2
    assert e[-1] < 1e-10, "the bound must be of the size of rounding to say anything"
    assert [row.get("noise_energy") for row in one] == [row.get("noise_energy") for row in many]
    assert [row.get("selected") for row in one] == [row.get("selected") for row in many]
    for a, b, err in zip(one, many, e, strict=True):
        w, g = np.sqrt(a["w_norm_squared"]), np.sqrt(a["grad_norm_squared"])
        slack = 200 * u  # of the 120 rows and 21 coordinates that these columns sum over
        assert abs(a["w_norm_squared"] - b["w_norm_squared"]) <= 2 * w * err + err**2 + slack * w**2
        assert abs(a["loss"] - b["loss"]) <= g * err + L * err**2 + slack * a["loss"]
        assert (
            abs(a["grad_norm_squared"] - b["grad_norm_squared"]) <= 2 * g * L * err + (L * err) ** 2 + slack
        )


def test_a_killed_rank_ends_the_run_with_one_line(killed, ran, base):
    """torchrun reports on its own; of ours, two survivors, there is one line. They notice the closed
    connection: waiting for an answer would have taken RANK_TIMEOUT, however busy the machine is."""
    ours = [line for line in killed["err"].splitlines() if line.startswith("fpsverify: ")]
    assert len(ours) == 1 and "--resume" in ours[0] and "checkpoint" in ours[0], killed["err"]
    assert killed["code"] != 0 and killed["seconds"] < RANK_TIMEOUT / 2
    assert "fpsverify/" not in killed["err"], "no traceback into our files"
    assert checkpoint.latest(base / "killed", KILLED.digest()) is not None
    assert not (base / "killed" / "summary.json").exists()


@each_world
def test_a_killed_run_continues_on_another_number_of_ranks(world, base, killed, ran):
    assert [rank["code"] for rank in ran[world, "resume"]] == [0] * world, ran[world, "resume"]
    assert contents(base / f"killed on {world}") == contents(base / "killed on 1")
    ranks = {row["round"]: row["ranks"] for row in read_traffic(base / f"killed on {world}")}
    assert ranks[0] == 3 and ranks[LAST] == world and sorted(ranks) == list(range(LAST + 1))


def test_a_killed_run_continues_in_a_single_process(base, killed, tmp_path):
    shutil.copytree(base / "killed", tmp_path / "killed")
    code = main(["run", "--resume", "--out", str(tmp_path / "killed"), "--quiet", "--reduction", "ordered"])
    assert code == 0 and contents(tmp_path / "killed") == contents(base / "killed on 1")


@each_world
@pytest.mark.parametrize("name", ["wire", "wire averaged", "wire larger d"])
def test_a_rank_hands_over_one_table_per_round_whatever_d(name, world, base, ran):
    """Counted at torch's collectives: float32 tables of rows x buckets and nothing else is all-reduced."""
    table = 4 * ROWS * BUCKETS
    for rank in ran[world, name]:
        assert rank["all_reduce"] == [table] * ROUNDS
    rows = read_traffic(base / f"{name} on {world}")
    assert [row["table_bytes_sent"] for row in rows] == [0] + [table] * ROUNDS
    assert [row["table_bytes_received"] for row in rows] == [0] + [table] * ROUNDS
    assert f"{table} bytes sent" in ran[world, name][0]["out"]


@each_world
def test_dense_updates_cost_d_numbers_per_round(world, base, ran):
    d = build(FAST["wire fedavg"]).problem.d
    assert ran[world, "wire fedavg"][0]["all_reduce"] == [4 * d] * ROUNDS


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


@each_world
@pytest.mark.parametrize("name, stored", [("wire averaged", 0), ("wire", 2)])
def test_the_books_hold_every_byte_that_was_handed_over(name, stored, world, base, ran):
    """`stored` checkpoints gather the sketches of the devices and belong to no round."""
    rank = ran[world, name][0]
    rows = read_traffic(base / f"{name} on {world}")
    booked = sum(row["table_bytes_sent"] + row["other_bytes_sent"] for row in rows)
    checkpoints = stored * 4 * ROWS * BUCKETS * -(-M // world)
    assert booked + checkpoints == sum(rank["all_reduce"]) + sum(rank["all_gather"])


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


@each_world
def test_a_run_that_diverges_keeps_its_last_good_checkpoint(world, base, ran):
    folder = base / f"diverged {world}"
    good = checkpoint.stored(folder)
    assert good and all(torch.isfinite(x).all() for x in checkpoint.load(good[-1]).tensors.values())


def test_the_books_are_a_parquet_file_beside_the_record(base, ran):
    columns = pq.read_table(base / "wire on 2" / "wire.parquet").column_names
    assert columns[:2] == ["round", "ranks"] and "table_bytes_sent" in columns
    assert not (base / "wire on 1" / "wire.parquet").exists()
