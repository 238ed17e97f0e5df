"""Hypothesis profiles. `dev`: seconds. `default`: what `make test` runs. `thorough`: many examples.

Choose with `FPSVERIFY_PROFILE=thorough pytest property_tests`.
"""

from __future__ import annotations

import os

import torch
from hypothesis import HealthCheck, settings

_COMMON = {"deadline": None, "print_blob": True, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("dev", max_examples=10, derandomize=True, **_COMMON)
settings.register_profile("default", max_examples=50, derandomize=True, **_COMMON)
settings.register_profile("thorough", max_examples=2000, **_COMMON)
settings.load_profile(os.environ.get("FPSVERIFY_PROFILE", "default"))

# Two workers share two cores: one torch thread each, or they fight.
torch.set_num_threads(1)
