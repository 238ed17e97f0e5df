"""The reference of config keys is made from the fields: complete, true, and it helps to find a key."""

from __future__ import annotations

import json
import tomllib

import pytest

import fpsverify as fps
from fpsverify.cli import main
from fpsverify.config import RunConfig, apply_overrides, parse
from fpsverify.config_keys import keys
from fpsverify.errors import BadInput
from property_tests import laws

SOURCE = laws.COMMANDS
CORE = True

KEYS = {key.name: key for key in keys(RunConfig)}


def out_of(capsys, *argv: str) -> str:
    assert main(["config", *argv]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", KEYS)
def test_every_key_says_what_it_means_and_what_may_be_written(name):
    key = KEYS[name]
    assert len(key.meaning) > 8 and key.values and "None" not in key.values


def test_the_reference_has_the_defaults_of_the_code(capsys):
    assert parse(tomllib.loads(out_of(capsys, "--toml"))) == RunConfig()
    listed = {entry["name"]: entry for entry in json.loads(out_of(capsys, "--json"))}
    assert set(listed) == set(KEYS) and listed["local.gamma"]["default"] == "0.01"
    assert KEYS["local.E"].values == "whole number ≥ 1" and KEYS["channel.sigma"].values == "number ≥ 0"
    assert KEYS["algorithm.momentum"].values == "number ≥ 0 < 1"
    assert KEYS["channel.kind"].values == "ideal, gaussian, rayleigh"


@pytest.mark.parametrize("name", KEYS)
def test_a_key_or_a_section_can_be_asked_for_alone(name, capsys):
    assert f"  {name}: " in out_of(capsys, name)
    if section := KEYS[name].section:
        shown = out_of(capsys, section)
        assert f"  {name}: " in shown and "seed" not in shown


@pytest.mark.parametrize("name", [name for name in KEYS if "." in name])
def test_a_key_without_its_section_is_told_where_it_belongs(name):
    last = name.rpartition(".")[2]
    with pytest.raises(BadInput, match=rf"^{last}: got 'x', expected the key .*\b{name}\b"):
        parse(apply_overrides({}, [f"{last}=x"]))


@pytest.mark.parametrize(
    "wrong,right",
    [
        ("local.gama=1", "the key gamma, or another of E, unit"),
        ("channel.k=3", "the key algorithm.k"),
        ("locall.gamma=1", "the key local, or another of seed"),
        ("sigmaa=1", "the key channel.sigma"),
        ("quux=1", "one of seed, rounds"),
    ],
)
def test_a_key_that_is_spelt_wrong_or_misplaced_is_told_a_right_one(wrong, right):
    with pytest.raises(BadInput, match=f"expected {right}"):
        parse(apply_overrides({}, [wrong]))


def test_python_gets_the_same_lines():
    lines = {
        "round: got 5, expected the key rounds": {"round": 5},
        "gamma: got 0.1, expected the key local.gamma": {"gamma": 0.1},
        "local.gamma: got -1.0, expected greater than 0": {"local": {"gamma": -1.0}},
    }
    for line, wrong in lines.items():
        with pytest.raises(BadInput) as caught:
            fps.RunConfig(**wrong)
        assert str(caught.value).startswith(line) and "\n" not in str(caught.value)
    assert fps.RunConfig(rounds=5, local={"gamma": 0.5}) == parse({"rounds": 5, "local": {"gamma": 0.5}})
