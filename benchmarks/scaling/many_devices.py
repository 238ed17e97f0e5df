"""The cost of a round as the devices become many: `python -m benchmarks.scaling.many_devices`.

Softmax regression on 784 features (d = 7,850), 5 local steps of 32 rows, sketches of 5 x 400; all devices
take part, or every tenth. Time is that of whole recorded rounds on one thread; memory is the peak of a fresh
process that builds the problem and runs three rounds (`python -m benchmarks.scaling.many_devices M SHARE`).
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial

from benchmarks.interleave import Work
from benchmarks.scaling.growth import Growth, measure
from benchmarks.scaling.peak_memory import peak_bytes
from benchmarks.whole_round import our_rounds
from fpsverify.config import RunConfig

DEVICES = [10, 100, 1000]
SHARES = {"all devices": None, "a tenth of them": 0.1}
LIMIT = 1.05


def config(M: int, share: float | None) -> RunConfig:
    return RunConfig.model_validate(
        {
            "rounds": 10**6,
            "problem": {"features": 784, "samples": 20_000},
            "devices": {"M": M, **({} if share is None else {"participation": share})},
            "local": {"mu": 0.01},
            "record": {"evaluate_every": 10**6},
        }
    )


def rounds_of(share: float | None, M: int) -> Work:
    return partial(next, our_rounds(config(M, share)))


def device_growths() -> list[Growth]:
    return [
        measure(f"round, {who}", "M", partial(rounds_of, share), DEVICES, LIMIT)
        for who, share in SHARES.items()
    ]


def memory_of(M: int, share: float | None) -> int:
    """Peak bytes of three rounds in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.scaling.many_devices", str(M), json.dumps(share)]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def memories() -> dict[str, dict[str, int]]:
    """Bytes by who takes part and by M."""
    return {who: {str(M): memory_of(M, share) for M in DEVICES} for who, share in SHARES.items()}


def main(arguments: list[str]) -> None:
    if arguments:
        step = rounds_of(json.loads(arguments[1]), int(arguments[0]))
        for _ in range(3):
            step()
        print(peak_bytes())
        return
    for found in device_growths():
        print(f"{found.operation}: cost ~ M^{found.exponent:.2f} for M = {found.sizes}")
    for who, bytes_of in memories().items():
        print(f"{who}: " + ", ".join(f"M = {M} {n / 1e6:.0f} MB" for M, n in bytes_of.items()))


if __name__ == "__main__":
    import torch

    torch.set_num_threads(1)
    main(sys.argv[1:])
