"""Hypothesis profiles, and what the whole suite shares.

`dev`: few examples. `default`: what `make test` runs. `thorough`: many examples. `mutants`: dev without
shrinking. `fuzz`: `make fuzz`. Choose with `FPSVERIFY_PROFILE=thorough pytest property_tests`.
"""

import os
from collections.abc import Sequence
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, Phase, settings

_COMMON = {"deadline": None, "print_blob": True, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("dev", max_examples=10, derandomize=True, **_COMMON)
settings.register_profile("default", max_examples=50, derandomize=True, **_COMMON)
settings.register_profile("thorough", max_examples=2000, **_COMMON)
settings.register_profile("fuzz", **_COMMON)
# That a mutant fails is enough: nobody reads its shrunk input.
settings.register_profile(
    "mutants",
    settings.get_profile("dev"),
    phases=(Phase.explicit, Phase.generate),
    report_multiple_bugs=False,
)
settings.load_profile(os.environ.get("FPSVERIFY_PROFILE", "default"))

# Two workers share two cores: one torch thread each, or they fight. FPSVERIFY_THREADS asks for more.
torch.set_num_threads(int(os.environ.get("FPSVERIFY_THREADS", "1")))


@pytest.fixture(scope="session")
def judged() -> Sequence[Any]:
    """The judgements of the whole ledger, once for all tests of a process."""
    from theory.ledger.paper import run
    from theory.papers.fps.paper import PAPER

    return run(PAPER)
