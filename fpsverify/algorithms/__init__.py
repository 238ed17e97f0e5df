"""The registry of algorithms. To add one: write `init` and `step` in a file of its own and list it here."""

from __future__ import annotations

from fpsverify.algorithms import fedavg, fetchsgd, fps, fresh, mission, scaffold, sparsified
from fpsverify.algorithms.base import Algorithm, RoundInfo, Setup
from fpsverify.errors import BadInput

ALGORITHMS: dict[str, Algorithm] = {
    algorithm.name: algorithm
    for algorithm in (
        fps.FPS,
        fresh.FRESH,
        mission.MISSION,
        fedavg.FEDAVG,
        fedavg.FEDPROX,
        fetchsgd.FETCHSGD,
        sparsified.BLCD,
        sparsified.TOPK,
        scaffold.SCAFFOLD,
    )
}


def find(name: str) -> Algorithm:
    if name not in ALGORITHMS:
        raise BadInput("algorithm.name", name, "one of " + ", ".join(ALGORITHMS))
    return ALGORITHMS[name]


__all__ = ["ALGORITHMS", "Algorithm", "RoundInfo", "Setup", "find"]
