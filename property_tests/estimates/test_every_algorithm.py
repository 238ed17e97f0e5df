"""A run of any algorithm is estimated; without a table that lasts there is no edge, and it says so."""

import pytest

from empirical.answer import text
from empirical.answer.estimate import estimate
from empirical.answer.findings import values
from empirical.observed.recorded import evidence_in_memory
from fpsverify.algorithms import ALGORITHMS
from fpsverify.runs.loop import prepare
from property_tests.support.quadratics import EXACT
from property_tests.support.small_runs import small

WITH_A_TABLE = ("fps", "fedavg", "fedprox")


@pytest.mark.parametrize("name", sorted(ALGORITHMS))
def test_a_run_of_any_algorithm_is_estimated(name: str) -> None:
    alone = ("devices.M=1", "devices.scenario=1") if name == "mission" else ()
    exact = [each for each in EXACT if name != "fresh" or not each.startswith("algorithm.k")]
    config = small(*exact, f"algorithm.name={name}", "local.gamma=0.01", "rounds=12", *alone)
    found = values(estimate(evidence_in_memory(*prepare(config)[:2], most_iterates=4), 8))
    advice, said = found["advice"], text.render(found)
    assert (advice["edge"] is not None) == (name in WITH_A_TABLE)
    assert name in WITH_A_TABLE or "a fresh hash has none" in said or f"not known for {name}" in said
    assert "what fails: ." not in said
    if name == "fresh":
        assert found["answer"]["covered"] is not False and advice["guaranteed"] > 0
        # The range beside it is that without a sketch: only what has priced the sketch is called so.
        assert "with fresh hashes gamma" not in " ".join(advice["reasons"])
