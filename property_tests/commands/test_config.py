"""The config: what is accepted survives a round trip, what is not gets one line that names it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fpsverify import config
from fpsverify.cli.run import DEMO
from fpsverify.errors import BadInput, FpsError
from property_tests import laws
from property_tests.support.small_runs import SMALL, small

SOURCE = laws.COMMANDS
CORE = True

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.toml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.name)
def test_examples_are_valid(path):
    config.load(path)


@pytest.mark.parametrize("values", [{}, SMALL, DEMO])
def test_toml_round_trip(values, tmp_path):
    first = config.parse(values)
    path = tmp_path / "c.toml"
    path.write_text(first.to_toml())
    again = config.load(path)
    assert again == first and again.digest() == first.digest()


@given(st.floats(1e-6, 10), st.integers(1, 99), st.integers(0, 2**62))
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
    ("gamma", "--set: got"),
    ("=3", "--set: got"),
    ("local.gamma.x=3", "--set: got"),
]


@pytest.mark.parametrize("override,message", BAD)
def test_bad_values_get_one_clear_line(override, message):
    with pytest.raises(BadInput) as caught:
        small(override)
    assert str(caught.value).startswith(message)


@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
@example(b"\xff\xfe")
@example(b"seed = [1")
@example(b"[local]\ngamma = 1e999")
@example(b"local = [[1]]")
@example(b"seed = 1979-05-27")
@example(b"[a.b]\nc = 1\n[a]\n")
def test_any_bytes_as_config_succeed_or_get_one_line(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("config") / "c.toml"
    path.write_bytes(data)
    try:
        config.load(path)
    except FpsError as error:
        assert "\n" not in str(error)


def test_defaults_that_are_the_papers():
    """Σ_ii = i^-5 (Appendix D.1), ten devices, five local steps, γ = 0.01 (Section 6)."""
    default = config.RunConfig()
    assert default.problem.power_law == 5.0 and default.devices.M == 10
    assert (default.local.E, default.local.gamma) == (5, 0.01)


@pytest.mark.parametrize("field", ["problem.classes", "local.batch", "rounds", "local.gamma", "seed"])
def test_integers_that_no_machine_holds_are_refused(field):
    with pytest.raises(BadInput, match=f"^{field}: got 'an integer of 997 bits', expected one of at most 63"):
        small(f"{field}={10**300 + 7}")
    assert small("seed=9223372036854775807").seed == 2**63 - 1
