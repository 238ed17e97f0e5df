"""Which modules are mutated, which tests must notice, and which mutants change nothing."""

from __future__ import annotations

RUNS = ("test_reductions.py", "test_algorithm_conformance.py", "test_run_resume.py")

TARGETS: dict[str, tuple[str, ...]] = {
    "fpsverify/channel.py": ("test_channel.py",),
    "fpsverify/local.py": ("test_local.py",),
    "fpsverify/problem.py": ("test_local.py", *RUNS),
    "fpsverify/vectors.py": ("test_local.py", *RUNS),
    "fpsverify/compressor.py": RUNS,
    "fpsverify/algorithms/fps.py": RUNS,
    "fpsverify/algorithms/mission.py": RUNS,
    "fpsverify/algorithms/mission_steps.py": RUNS,
    "fpsverify/algorithms/fedavg.py": RUNS,
    "fpsverify/run.py": RUNS,
    "fpsverify/record.py": RUNS,
    "fpsverify/checkpoint.py": RUNS,
    "fpsverify/config.py": ("test_config.py", "test_algorithm_conformance.py"),
}

# Mutants that compute the same: each with the reason why no test can tell them apart.
EQUIVALENT: dict[str, str] = {
    "fpsverify/channel.py:91 signal + noise → signal - noise": "n and −n have the same law",
}
