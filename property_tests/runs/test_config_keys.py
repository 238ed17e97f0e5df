"""The reference of config keys is made from the fields: complete, true, and it helps to find a key."""

from __future__ import annotations

import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fpsverify as fps
from fpsverify.algorithms import ALGORITHMS
from fpsverify.cli import main
from fpsverify.config import RunConfig, apply_overrides, parse
from fpsverify.config_keys import keys
from fpsverify.errors import BadInput
from property_tests import laws

SOURCE = laws.COMMANDS
KILLS = ("fpsverify/config_keys.py",)
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


def test_the_reference_names_every_algorithm():
    words = KEYS["algorithm.name"].meaning.replace(",", " ").split()
    assert set(ALGORITHMS) <= set(words)


def test_the_whole_reference_fits_a_terminal(capsys):
    text = out_of(capsys)
    assert max(map(len, text.splitlines())) <= 80 and all(f"  {name}: " in text for name in KEYS)


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


@given(st.text(max_size=12).filter(lambda text: text not in KEYS and text not in RunConfig.model_fields))
def test_any_other_word_is_one_line(word):
    with pytest.raises(BadInput) as caught:
        parse({word: 1})
    assert "\n" not in str(caught.value)


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


def test_an_unknown_key_is_one_line(capsys):
    for word, line in (
        ("gamma", "the key local.gamma"),
        ("local.gama", "the key gamma"),
        ("a.b.c", "one of"),
    ):
        assert main(["config", word]) == 2
        err = capsys.readouterr().err
        assert err.startswith(f"fpsverify: KEY: got '{word}', expected {line}") and err.count("\n") == 1


def test_a_config_is_printed_as_what_was_changed():
    found = fps.RunConfig(rounds=5, local={"gamma": 0.5})
    assert (
        repr(found) == str(found) == "RunConfig(rounds=5, local.gamma=0.5)"
        and repr(RunConfig()) == "RunConfig()"
    )
