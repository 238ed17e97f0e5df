"""The four scenarios: disjoint and complete always, and each with the balance or skew it is named for.

Partitions that a user gives (α, lists, a file, a partitioner), and the picture of who holds what.
"""

from __future__ import annotations

import json
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from torch import nn

import fpsverify as fps
from fpsverify import config as configs
from fpsverify.data import holdings
from fpsverify.data.partition import SCENARIOS, class_counts, dirichlet_counts, partition
from fpsverify.errors import BadInput
from fpsverify.problems.build import build
from fpsverify.rng import numpy_generator
from fpsverify.runs.loop import run
from property_tests import laws
from property_tests.support.commands import refusal, said
from property_tests.support.small_runs import SMALL, small

SOURCE = laws.SCENARIOS
CORE = True

label_lists = st.lists(st.sampled_from([-2, 0, 1, 7]), min_size=1, max_size=120)
seeds = st.integers(0, 2**32)


def spread(counts: np.ndarray) -> int:
    return int(counts.max() - counts.min())


alphas = st.none() | st.floats(0.05, 100)


@given(label_lists, st.integers(1, 8), st.sampled_from(list(SCENARIOS)), seeds, st.integers(0, 3), alphas)
def test_parts_are_sorted_disjoint_complete_and_large_enough(
    labels: list[int], M: int, scenario: int, seed: int, min_samples: int, alpha: float | None
) -> None:
    try:
        parts = partition(labels, M, scenario, seed, min_samples=min_samples, max_tries=50, alpha=alpha)
    except BadInput as error:
        assert "\n" not in str(error)
        assume(False)
    assert len(parts) == M
    assert all((np.diff(part) > 0).all() for part in parts)
    assert sorted(np.concatenate(parts).tolist()) == list(range(len(labels)))
    assert min(len(part) for part in parts) >= min_samples


@given(label_lists, st.integers(1, 8), seeds)
def test_scenario_1_is_always_possible_and_equal_to_within_one_row(
    labels: list[int], M: int, seed: int
) -> None:
    assume(len(labels) >= M)
    parts = partition(labels, M, 1, seed)
    assert all(spread(row) <= 1 for row in class_counts(labels, parts))
    assert spread(np.array([len(part) for part in parts])) <= 1


@given(st.integers(1, 6), st.integers(1, 8), st.data(), seeds)
def test_scenario_2_gives_each_device_its_number_of_classes_and_splits_classes_evenly(
    C: int, M: int, data: st.DataObject, seed: int
) -> None:
    fewest = -(-C // M)
    per_device = data.draw(st.integers(fewest, C))
    labels = np.arange(C).repeat(data.draw(st.lists(st.integers(M, 3 * M), min_size=C, max_size=C)))
    counts = class_counts(labels, partition(labels, M, 2, seed, classes_per_device=per_device))
    assert ((counts > 0).sum(axis=0) == per_device).all()
    assert spread((counts > 0).sum(axis=1)) <= 1
    assert all(spread(row[row > 0]) <= 1 for row in counts)
    by_default = class_counts(labels, partition(labels, M, 2, seed))
    assert ((by_default > 0).sum(axis=0) == fewest).all()


def test_scenario_2_draws_which_device_holds_which_class() -> None:
    """Over 100 seeds device 0 misses one of 4 classes with probability 4·(3/4)^100 < 1e-11."""
    labels = np.arange(16) % 4
    held = [int(labels[partition(labels, 4, 2, seed)[0][0]]) for seed in range(100)]
    assert set(held) == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("scenario", "given_alpha", "alpha"), [(3, None, 0.1), (4, None, 1.0), (1, 0.05, 0.05), (3, 50.0, 50.0)]
)
@pytest.mark.parametrize("M", [2, 10])
def test_dirichlet_shares_have_the_second_moment_of_their_alpha(
    scenario: int, given_alpha: float | None, alpha: float, M: int
) -> None:
    """p ~ Dir_M(α): E Σ p_m² = (α+1)/(Mα+1), a mean of variables in [0, 1]; Hoeffding at 1e-9. α is the
    scenario's, or the given one whatever the scenario."""
    classes, rows = 4000, 200
    labels = np.arange(classes).repeat(rows)
    counts = class_counts(labels, partition(labels, M, scenario, seed=9, min_samples=0, alpha=given_alpha))
    energy = ((counts / rows) ** 2).sum(axis=1).mean()
    # Rounding moves each cut by at most ½ row, so each share by 1/rows and Σ p² by 2·Σp/rows + M/rows².
    tolerance = sqrt(log(2 / 1e-9) / (2 * classes)) + 2 / rows + M / rows**2
    assert abs(energy - (alpha + 1) / (M * alpha + 1)) <= tolerance
    assert abs(counts.mean() - rows / M) <= 1e-9


@pytest.mark.parametrize("scenario", list(SCENARIOS))
def test_a_partition_is_a_function_of_its_seed(scenario: int) -> None:
    labels = np.arange(600) % 6
    first, again, other = (partition(labels, 5, scenario, seed) for seed in (1, 1, 2))
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert not all(np.array_equal(a, b) for a, b in zip(first, other, strict=True))


def test_rows_of_a_class_are_dealt_at_random_not_in_order() -> None:
    """A device's mean row number is within 6 standard errors of the middle; in order it would not be."""
    N, M = 10_000, 10
    error = N / sqrt(12) / sqrt(N / M)
    for part in partition(np.zeros(N), M, 1, seed=2):
        assert abs(part.mean() - (N - 1) / 2) <= 6 * error


@pytest.mark.parametrize(
    ("field", "arguments"),
    [
        ("scenario", {"scenario": 5}),
        ("M", {"M": 0}),
        ("M", {"M": 101}),
        ("M", {"M": 10, "min_samples": 11}),
        ("classes_per_device", {"scenario": 2, "M": 3, "classes_per_device": 1}),
        ("classes_per_device", {"scenario": 2, "M": 3, "classes_per_device": 5}),
        ("classes_per_device", {"scenario": 2, "M": 3, "classes_per_device": 0}),
        ("scenario", {"scenario": 3, "M": 90, "max_tries": 20}),
        ("alpha", {"alpha": 0.001, "M": 90, "max_tries": 20}),
    ],
)
def test_what_cannot_be_split_is_refused_in_one_line(field: str, arguments: dict[str, float]) -> None:
    settings = {"M": 10, "scenario": 1, "seed": 0} | arguments
    with pytest.raises(BadInput) as caught:
        partition(np.arange(100) % 4, **settings)
    assert caught.value.field == field
    assert "\n" not in str(caught.value)


@given(st.lists(st.integers(0, 2**46), min_size=1, max_size=5), st.integers(1, 14), alphas, seeds)
def test_dirichlet_counts_are_complete_at_any_size(
    sizes: list[int], M: int, alpha: float | None, seed: int
) -> None:
    """More rows than an address space has bytes, 2^47, halved: (M + 1)·2^46 < 2^50."""
    counts = dirichlet_counts(np.array(sizes), M, alpha or 0.01, numpy_generator(seed, "test"))
    assert (counts >= 0).all()
    assert counts.sum(axis=1).tolist() == sizes


@pytest.mark.parametrize("value", ["0", "0.0", "-1", "nan", "inf"])
def test_an_alpha_that_is_not_positive_is_refused_in_one_line(value):
    with pytest.raises(BadInput, match=r"^devices\.alpha: got ") as caught:
        small(f"devices.alpha={value}")
    assert "\n" not in str(caught.value)


@pytest.fixture
def place(tmp_path):
    """A config and a partition file beside it."""
    config = configs.parse(configs.apply_overrides(SMALL, ["rounds=4", "devices.M=3"]))
    (tmp_path / "parts.json").write_text(json.dumps([[0, 1, 2, 3], [10, 20, 30], [5, 119]]))
    text = config.to_toml().replace("[devices]\n", '[devices]\npartition = "parts.json"\n')
    (tmp_path / "run.toml").write_text(text)
    return tmp_path


def test_lists_in_a_file_are_the_partition(place):
    config = configs.load(place / "run.toml")
    shards = build(config).problem.shards
    assert [shard.tolist() for shard in shards] == [[0, 1, 2, 3], [10, 20, 30], [5, 119]]
    found = run(config, place / "out")
    stored = configs.load(place / "out" / "config.toml")
    assert stored.digest() == config.digest() and len(found.rows) == 5
    assert run(None, place / "out", resume=True).rows == found.rows


def test_the_content_of_the_file_is_part_of_the_identity_and_its_place_is_not(place):
    one = configs.load(place / "run.toml")
    (place / "there").mkdir()
    for name in ("run.toml", "parts.json"):
        (place / "there" / name).write_text((place / name).read_text())
    assert configs.load(place / "there" / "run.toml").digest() == one.digest()
    (place / "parts.json").write_text("[[0], [1], [2]]")
    assert configs.load(place / "run.toml").digest() != one.digest()
    with pytest.raises(BadInput, match=r"^devices\.partition: got 'a changed parts\.json'"):
        build(one)


@pytest.mark.parametrize(
    "content,words",
    [
        ("[[0], [1]]", "devices.M: got 3, expected 2"),
        ("[[0], [], [1]]", r"parts.json[1]: got 'no rows'"),
        ("[[0], [1], [120]]", "parts.json[2]: got '120 to 120', expected row numbers 0 to 119"),
        ("[[0], [1], [1.5]]", "parts.json[2]: got 'float64"),
        ("[0, 1, 2]", "JSON: a list of row numbers"),
        ("nonsense", "JSON: a list of row numbers"),
        (None, "a readable file"),
    ],
)
def test_a_file_that_is_no_partition_is_one_line(place, content, words, capsys):
    (place / "parts.json").unlink()
    if content is not None:
        (place / "parts.json").write_text(content)
    assert words in refusal(capsys, "run", place / "run.toml", "--out", place / "out", "--quiet")
    assert not (place / "out").exists()


class Picture:
    """As much of a PIL image as is looked at."""

    def __init__(self, values):
        self.values = np.asarray(values, dtype=np.uint8)

    def getbands(self):
        return ("L",)

    def __array__(self, dtype=None, copy=None):
        return self.values


class Partitioner:
    """As much of a partitioner of flwr-datasets as is looked at: rows are dictionaries."""

    num_partitions = 3

    def load_partition(self, m):
        return [{"image": Picture(np.full((2, 2), 51 * i)), "label": (i + m) % 2} for i in range(5)]


def test_partitioners_with_pictures_are_federations():
    net = nn.Sequential(nn.Flatten(), nn.Linear(4, 2))
    f = fps.Federation(net, nn.functional.cross_entropy, Partitioner())
    assert f.M == 3 and f.sizes == (5, 5, 5) and f.objective.item == (1, 2, 2)
    assert f.X[:5, 0].tolist() == pytest.approx([0, 0.2, 0.4, 0.6, 0.8])
    assert f.y.tolist() == [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0]
    assert fps.train(f, rounds=2, sketch=(3, 8, 5)).figures["M"] == 3


@given(st.lists(st.integers(0, 3), min_size=6, max_size=40), st.integers(1, 3))
def test_the_table_and_the_bars_add_up_to_the_rows_of_each_device(labels, M):
    groups, shards = np.array(labels), [np.arange(m, len(labels), M) for m in range(M)]
    names, table = holdings.counts(groups, shards)
    assert table.sum(axis=0).tolist() == [len(s) for s in shards] and len(names) == len(set(labels))
    lines = holdings.text(groups, shards).splitlines()[1:]
    assert [int(line.split()[1]) for line in lines] == [len(s) for s in shards]
    heights = np.zeros(M)
    for bar in holdings.picture(groups, shards).axes[0].patches:
        heights[round(bar.get_x() + bar.get_width() / 2)] += bar.get_height()
    assert heights.tolist() == [len(s) for s in shards]


def test_the_command_shows_a_config_and_writes_a_picture(place, capsys):
    command, picture = ["data", "partition", place / "run.toml", "--out"], place / "who.svg"
    out = said(capsys, *command, picture)
    assert "device     rows" in out and f"picture: {picture}" in out
    assert picture.read_text().startswith("<?xml")
    refusal(capsys, *command, place / "who.txt")


@pytest.mark.parametrize(("classes", "columns"), [(10, 1), (12, 2)])
def test_many_classes_are_listed_in_two_columns(classes, columns):
    legend = holdings.picture(np.arange(classes), [np.arange(classes)]).axes[0].get_legend()
    assert len(legend.get_texts()) == classes and legend._ncols == columns
