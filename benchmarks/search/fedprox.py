"""FedProx's Theorem 4 and its repairs on very many random rounds, and a search for the worst ones.

    python -m benchmarks.search.fedprox [--instances 300000] [--steps 400] [--out FILE]

A law of the suite does the same on a few thousand. Here a margin is (gain − ρ)·μ, which no round may make
negative; `lost` is the share of ρ's deduction from (1−γB)/μ that the worst round found really loses.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from fpsverify.files import write_json
from property_tests.support import proximal
from property_tests.support.proximal import SMOOTH, Array, Instances, rhos

BLOCK = 20_000


def random_margins(instances: int, seed: int) -> dict[str, dict[str, float]]:
    """By rule: the least margin, how many rounds violate it, and how often ρ is positive."""
    least: dict[str, float] = {}
    violated: dict[str, int] = {}
    positive: dict[str, int] = {}
    done = 0
    for block in range(-(-instances // BLOCK)):
        x = proximal.draw(np.random.default_rng((seed, block)), min(BLOCK, instances - done))
        done += len(x.mu)
        gain = x.gain(1 / x.K)
        for name, rho in rhos(x).items():
            margin = (gain - rho) * x.mu
            least[name] = min(least.get(name, np.inf), float(margin.min()))
            violated[name] = violated.get(name, 0) + int((margin < -1e-9 * (1 + x.mu * abs(rho))).sum())
            positive[name] = positive.get(name, 0) + int((rho > 0).sum())
    return {
        name: {"least": least[name], "violated": violated[name], "positive": positive[name] / done}
        for name in least
    }


def worst_case(mu: float, gamma: float, K: int, steps: int, seed: int) -> dict[str, float]:
    """Rounds made worse by random changes that are kept where they help, at L = 1 and L₋ = 0."""
    rng, n = np.random.default_rng(seed), 64
    fixed = {
        "mu": np.full(n, mu),
        "gamma": np.full(n, gamma),
        "K": np.full(n, float(K)),
        "L_minus": np.zeros(n),
    }
    x = _remade(replace(proximal.draw(rng, n), **fixed), 1.0, rng)
    worst = _lost(x)["R1"]
    for step in range(steps):
        tried = _remade(x, 0.5 * 0.98**step, rng)
        lost = _lost(tried)["R1"]
        better = lost > worst
        x = _chosen(better, tried, x)
        worst = np.where(better, lost, worst)
    return {name: float(lost[np.argmax(worst)]) for name, lost in _lost(x).items()}


def _remade(x: Instances, size: float, rng: np.random.Generator) -> Instances:
    """New curvatures in [0, 1], gradients and residuals of full size near the old ones."""
    noise = rng.normal(size=x.H.shape)
    values, vectors = np.linalg.eigh(x.H + size * (noise + np.swapaxes(noise, -1, -2)))
    H = np.einsum("nkij,nkj,nklj->nkil", vectors, np.clip(values, 0.0, SMOOTH), vectors)
    g = x.g + size * rng.normal(size=x.g.shape) * np.linalg.norm(x.g, axis=2, keepdims=True)
    residual = x.gamma[:, None, None] * g  # the steps are shortened
    return replace(x, H=H, g=g, D=proximal.solved(H, g, residual, x.mu), L_minus=np.zeros_like(x.mu))


def _chosen(better: np.ndarray, tried: Instances, x: Instances) -> Instances:
    pick = {name: getattr(tried, name) for name in ("H", "g", "D")}
    kept = {
        name: np.where(better.reshape(-1, *[1] * (new.ndim - 1)), new, getattr(x, name))
        for name, new in pick.items()
    }
    return replace(x, **kept)


def _lost(x: Instances) -> dict[str, Array]:
    top = (1 - x.gamma * x.B) / x.mu
    return {name: (top - x.gain(1 / x.K)) / (top - rho) for name, rho in rhos(x).items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--instances", type=int, default=300_000)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    found: dict[str, Any] = {"instances": args.instances, "random": random_margins(args.instances, 1)}
    for name, row in found["random"].items():
        print(
            f"{name:<8} least margin {row['least']:.3g}, violated {row['violated']}, "
            f"rho > 0 {row['positive']:.0%}"
        )
    found["adversarial"] = []
    for mu, gamma, K in ((10.0, 0.0, 1), (100.0, 0.0, 1), (100.0, 0.1, 1), (100.0, 0.0, 40)):
        lost = worst_case(mu, gamma, K, args.steps, 2)
        found["adversarial"].append({"mu": mu, "gamma": gamma, "K": K, "lost": lost})
        shown = ", ".join(f"{rule} {share:.2f}" for rule, share in lost.items())
        print(f"mu = {mu:g}, gamma = {gamma:g}, K = {K}: share of the deduction lost: {shown}")
    if args.out:
        write_json(args.out, found)
    return int(any(row["violated"] for row in found["random"].values()))


if __name__ == "__main__":
    sys.exit(main())
