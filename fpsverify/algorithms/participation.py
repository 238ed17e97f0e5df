"""Who takes part in a round: n of the M devices, a new set in every round, each set equally likely.

`devices.participation` gives n. Those that do not take part compute nothing in the round. The law is the same
in every algorithm, A_t being the set of round t and Δ^m the update of device m:

    the exact model moves by (1/n) Σ_{m ∈ A_t} Δ^m

What this does to the theory (A_t is drawn apart from all else, so it is noise with mean zero):
    E over A_t   (1/n) Σ_{A_t} Δ^m has the mean (1/M) Σ_m Δ^m: no bias is added, for any E
    variance     φ · mean_m ‖Δ^m − mean Δ‖², φ = (M−n)/(n(M−1)), exactly (drawing without replacement)
    ν            1/n in place of 1/M: the gradient noise of n devices is averaged, not of M
    G and B      stay; at E = 1 without bias the variance above is at most γ²φ(G² + (B²−1)‖∇f‖²)
    the range    at E = 1: νP_nB² becomes P_nB²/n + φ(B²−1) and νσ² becomes σ²/n + φG², so γ must be smaller
                 the more devices differ; nothing changes if all devices have the same gradient. For E > 1
                 the drift of a device stays as it is, and the variance above is added. The ranges that
                 `lr` and `estimate` print are proved for n = M
"""

from __future__ import annotations

import numpy as np

from fpsverify.config import RunConfig
from fpsverify.rng import numpy_generator


def participants(config: RunConfig, t: int) -> tuple[int, ...] | None:
    """The devices of round t, increasing; None if all M take part."""
    M, n = config.devices.M, config.devices.per_round
    if n == M:
        return None
    drawn = numpy_generator(config.seed, "participation", t).choice(M, size=n, replace=False)
    return tuple(np.sort(drawn).tolist())


def sampling_noise(M: int, n: int) -> float:
    """φ: the variance of a mean over n of M, as a share of the variance over the M."""
    return (M - n) / (n * (M - 1)) if n < M else 0.0
