"""The config: what is accepted survives a round trip, what is not gets one line that names it and helps to
find a key; `fpsverify config` says what every key means."""

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import fpsverify as fps
from fpsverify import config
from fpsverify.config_keys import keys
from fpsverify.errors import BadInput, FpsError
from property_tests.support.commands import said
from property_tests.support.small_runs import SMALL, small

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.toml"))


@pytest.mark.parametrize("values", [{}, SMALL, *(tomllib.loads(path.read_text()) for path in EXAMPLES)])
def test_toml_round_trip(values, tmp_path):
    """Of the examples, too."""
    first = config.parse(values)
    path = tmp_path / "c.toml"
    path.write_text(first.to_toml())
    again = config.load(path)
    assert again == first and again.digest() == first.digest()


@given(st.floats(1e-6, 10), st.integers(1, 99), st.integers(0, 2**63 - 1))
@example(0.1, 6, 2**63 - 1)
def test_overrides_reach_their_field_and_change_the_digest(gamma, rounds, seed):
    changed = small(f"local.gamma={gamma!r}", f"rounds={rounds}", f"seed={seed}")
    assert (changed.local.gamma, changed.rounds, changed.seed) == (gamma, rounds, seed)
    assert (changed.digest() == small().digest()) == (changed == small())


BAD = [
    ("local.gamma=-1", "local.gamma: got -1.0, expected greater than 0"),
    ("local.gamma=nan", "local.gamma: got nan, expected a finite number"),
    ("local.E=0", "local.E: got 0, expected greater than or equal to 1"),
    ("local.E=1.5", "local.E: got 1.5, expected a valid integer"),
    ("local.E=true", "local.E: got True, expected a valid integer"),
    ("local.gama=1", "local.gama: got 1, expected the key gamma, or another of E, unit, batch, gamma, mu"),
    ("channel.kind=radio", "channel.kind: got 'radio', expected 'ideal', 'gaussian' or 'rayleigh'"),
    ("nothing=3", "nothing: got 3, expected one of seed, rounds"),
    ("seed=-1", "seed: got -1, expected greater than or equal to 0"),
    ("local=3", "local: got 3, expected a valid dictionary or instance of LocalConfig"),
    ("channel.k=3", "channel.k: got 3, expected the key algorithm.k"),
    ("locall.gamma=1", "locall: got {'gamma': 1}, expected the key local, or another of seed"),
    ("sigmaa=1", "sigmaa: got 1, expected the key channel.sigma"),
    (f"local.batch={10**300 + 7}", "local.batch: got 'an integer of 997 bits', expected one of at most 63"),
    (f"local.gamma={10**300 + 7}", "local.gamma: got 'an integer of 997 bits', expected one of at most 63"),
    ("gamma", "--set: got"),
    ("=3", "--set: got"),
    ("local.gamma.x=3", "--set: got"),
]


@pytest.mark.parametrize("override,message", BAD)
def test_bad_values_get_one_clear_line(override, message):
    with pytest.raises(BadInput) as caught:
        small(override)
    assert str(caught.value).startswith(message)


NO_CONFIG = (b"\xff", b"seed = [1", b"[local]\ngamma = 1e999", b"local = [[1]]", b"seed = 1979-05-27")


@pytest.mark.parametrize("data", NO_CONFIG)
def test_a_file_that_is_no_config_gets_one_line(tmp_path, data):
    """Any bytes at all: `test_robustness.py`."""
    (tmp_path / "c.toml").write_bytes(data)
    with pytest.raises(FpsError) as caught:
        config.load(tmp_path / "c.toml")
    assert "\n" not in str(caught.value)


def test_defaults_that_are_the_papers():
    """Σ_ii = i^-5 (Appendix D.1), ten devices, five local steps, γ = 0.01 (Section 6)."""
    default = config.RunConfig()
    assert default.problem.power_law == 5.0 and default.devices.M == 10
    assert (default.local.E, default.local.gamma) == (5, 0.01)


KEYS = {key.name: key for key in keys(config.RunConfig)}


def test_the_reference_has_the_defaults_of_the_code(capsys):
    assert config.parse(tomllib.loads(said(capsys, "config", "--toml"))) == config.RunConfig()
    listed = {entry["name"]: entry for entry in json.loads(said(capsys, "config", "--json"))}
    assert set(listed) == set(KEYS) and listed["local.gamma"]["default"] == "0.01"
    assert KEYS["local.E"].values == "whole number ≥ 1" and KEYS["channel.sigma"].values == "number ≥ 0"
    assert KEYS["algorithm.momentum"].values == "number ≥ 0 < 1"
    assert KEYS["channel.kind"].values == "ideal, gaussian, rayleigh"


@pytest.mark.parametrize("name", KEYS)
def test_a_key_or_a_section_can_be_asked_for_alone_and_says_what_it_means_and_takes(name, capsys):
    key = KEYS[name]
    assert len(key.meaning) > 8 and key.values and "None" not in key.values
    assert f"  {name}: " in said(capsys, "config", name)
    if section := key.section:
        shown = said(capsys, "config", section)
        assert f"  {name}: " in shown and "seed" not in shown


@pytest.mark.parametrize("name", [name for name in KEYS if "." in name])
def test_a_key_without_its_section_is_told_where_it_belongs(name):
    last = name.rpartition(".")[2]
    with pytest.raises(BadInput, match=rf"^{last}: got 'x', expected the key .*\b{name}\b"):
        config.parse(config.apply_overrides({}, [f"{last}=x"]))


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
    assert fps.RunConfig(rounds=5, local={"gamma": 0.5}) == config.parse(
        {"rounds": 5, "local": {"gamma": 0.5}}
    )
