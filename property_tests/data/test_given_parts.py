"""Partitions that a user gives (α, lists, a file, a partitioner), and the picture of who holds what."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

import fpsverify as fps
from fpsverify import config as configs
from fpsverify.data import partition
from fpsverify.errors import BadInput
from fpsverify.problems.build import build
from fpsverify.runs.loop import run
from property_tests.support.commands import refusal, said
from property_tests.support.small_runs import SMALL, small


@pytest.mark.parametrize("value", ["0", "0.0", "-1", "nan", "inf"])
def test_an_alpha_that_is_not_positive_is_refused_in_one_line(value):
    with pytest.raises(BadInput, match=r"^devices\.alpha: got ") as caught:
        small(f"devices.alpha={value}")
    assert "\n" not in str(caught.value)


@pytest.fixture
def place(tmp_path):
    """A config and a partition file beside it."""
    config = configs.parse(configs.apply_overrides(SMALL, ["rounds=4", "devices.M=3", "local.batch=4"]))
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
    assert f.M == 3 and f.sizes == (5, 5, 5)
    assert f.X[:5, 0].tolist() == pytest.approx([0, 0.2, 0.4, 0.6, 0.8])
    assert f.y.tolist() == [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0]
    assert fps.train(f, rounds=2, sketch=(3, 8, 5)).figures["M"] == 3


@given(st.lists(st.integers(0, 3), min_size=6, max_size=40), st.integers(1, 3))
def test_the_table_and_the_bars_add_up_to_the_rows_of_each_device(labels, M):
    groups, shards = np.array(labels), [np.arange(m, len(labels), M) for m in range(M)]
    names, table = partition.held(groups, shards)
    assert table.sum(axis=0).tolist() == [len(s) for s in shards] and len(names) == len(set(labels))
    lines = partition.text(groups, shards).splitlines()[1:]
    assert [int(line.split()[1]) for line in lines] == [len(s) for s in shards]
    heights = np.zeros(M)
    for bar in partition.picture(groups, shards).axes[0].patches:
        heights[round(bar.get_x() + bar.get_width() / 2)] += bar.get_height()
    assert heights.tolist() == [len(s) for s in shards]


def test_the_command_shows_a_config_and_writes_a_picture(place, capsys):
    command, picture = ["data", "partition", place / "run.toml", "--out"], place / "who.svg"
    out = said(capsys, *command, picture)
    assert "device     rows" in out and f"picture: {picture}" in out
    assert picture.read_text().startswith("<?xml")
    refusal(capsys, *command, place / "who.txt")
