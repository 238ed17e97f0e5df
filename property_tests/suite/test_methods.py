"""A method whose numbers change has its version raised: stored results and estimates rest on it."""

import json
from collections.abc import Mapping

import pytest

from benchmarks import provenance, results
from fpsverify.methods import METHODS, raised, versions_of
from property_tests.suite.numbers_of_methods import RECORD, SAMPLES

KEPT = json.loads(RECORD.read_text(encoding="utf-8"))
# float32 sums of up to 10^3 terms, in any order, differ by less; so do exp and log of other processors.
ALLOWED = 1e-4
HOW = "then: python -m property_tests.suite.numbers_of_methods"


@pytest.mark.parametrize("name", METHODS)
def test_a_method_with_other_numbers_has_another_version(name: str) -> None:
    kept, sample = KEPT[name], SAMPLES[name]
    assert kept["versions"] == versions_of(sample.rests_on), f"a version was raised; {HOW}"
    now = sample.numbers()
    same = now == pytest.approx(kept["numbers"], rel=ALLOWED, abs=1e-12, nan_ok=True)
    assert same, f"{name} gives other numbers: raise its version in fpsverify/methods.py; {HOW}"


def test_a_result_is_old_once_a_version_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    made = {"provenance": provenance.made("python -m x", 1.0, ["hash", "rates"])}
    assert provenance.why_old(made) == ""
    for name, old in (("rates", "rates"), ("advice", "")):
        monkeypatch.setattr("fpsverify.methods.METHODS", {**METHODS, name: METHODS[name] + 1})
        assert raised(made["provenance"]["methods"]) == ([old] if old else [])
        assert (old in provenance.why_old(made)) and bool(old) == bool(provenance.why_old(made))
    assert "does not name" in provenance.why_old({"provenance": {}})


def test_every_stored_result_says_how_it_was_made_and_by_which_methods() -> None:
    for name, found in results.stored().items():
        made: Mapping[str, object] = found["provenance"]
        assert made["command"] and set(made["methods"]) <= set(METHODS), name
    assert set(versions_of()) == set(SAMPLES)
