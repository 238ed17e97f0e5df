"""What is known of a run before any theorem is asked: from its config, its problem and what it has shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from empirical.observed.protocol import Evidence
from theory.facts import AT_POINTS, THROUGHOUT, Compression, Facts, Loss
from theory.rates.parameters import Box

AVERAGED = ("fps", "fedavg", "fedprox", "fresh")
CONVEX = ("least_squares", "logistic", "softmax", "sparse_logistic")


def of_config(
    config: Mapping[str, Any], *, d: int, E: int, everyone: bool = True, kinked: bool = False
) -> Facts:
    """The structure of a run, without constants; `config` as in a run folder, d as what is trained has it.

    >>> facts = of_config({"algorithm": {"name": "fedavg"}}, d=3, E=1)
    >>> facts.averaged, facts.compression
    (True, None)
    """
    options, local = config.get("algorithm", {}), config.get("local", {})
    channel = config.get("channel", {})
    name, fading = options.get("name"), channel.get("kind") == "rayleigh"
    one_by_one, resync = options.get("local_iterate") == "mission", options.get("device_sketch") == "resync"
    silent = fading and channel.get("gain_threshold", 0) > 0
    return Facts(
        E=1 if name == "mission" else E,
        mu=0.0 if name == "mission" else local.get("mu", 0.0),
        reach=AT_POINTS,
        loss=loss_of(config.get("problem", {}).get("objective"), kinked),
        averaged=name in AVERAGED and not (name == "fps" and (one_by_one or resync)),
        everyone=everyone and not silent,
        mu_follows=local.get("mu_step") is not None and E > 1,
        full_batch=local.get("batch", 0) == 0,
        quiet=channel.get("kind", "ideal") == "ideal" or channel.get("sigma", 0) == 0,
        fading=fading,
        table_kept=not (name == "fps" and (one_by_one or resync)),
        compression=compression(options, d),
        differences=False,
        residual=None,
    )


def of_run(
    evidence: Evidence, box: Box | None, residual: bool | None, shown: Mapping[str, bool | None]
) -> Facts:
    """This very run: constants and conditions were looked at along it. `box`: None without finite ends."""
    M, n = evidence.model.M, evidence.per_round
    everyone = n is None or n >= M
    known = of_config(evidence.config, d=evidence.d, E=evidence.E, everyone=everyone)
    return replace(
        knowing(known, box),
        participants=None if n is None or everyone else (n, M),
        reach=THROUGHOUT,
        differences=True,
        residual=residual,
        shown=dict(shown),
    )


def knowing(facts: Facts, box: Box | None) -> Facts:
    """The same with measured constants."""
    convex = facts.loss in ("quadratic", "convex")
    return replace(facts, box=box, how="measured", theta=0 if convex else 1)


def loss_of(objective: str | None, kinked: bool) -> Loss:
    """The class of a loss by its name; a user's own is smooth where no operation with a kink occurs."""
    if kinked:
        return "kinked"
    if objective == "least_squares":
        return "quadratic"
    return "convex" if objective in CONVEX else "smooth"


def fresh(options: Mapping[str, Any], d: int) -> Compression | None:
    """A hash for every round; all coordinates are read out by the mean of the rows."""
    kind, share = options.get("compressor", "fold"), options.get("memory_share", 0.0)
    if kind == "identity":
        return None
    rows, buckets = options.get("rows", 1), options.get("buckets")
    return Compression(k=d, d=d, rows=rows, buckets=buckets, kind=kind, hash="fresh", memory=share)


def compression(options: Mapping[str, Any], d: int) -> Compression | None:
    """None where every device's vector arrives whole and all of the mean is broadcast."""
    name, k = options.get("name"), options.get("k") or d
    if name in (None, "fedavg", "fedprox"):
        return None
    if name == "fresh":
        return fresh(options, d)
    if name == "fps" and options.get("compressor") == "identity":
        return None if k >= d else Compression(min(k, d), d)
    kept = name == "fps" and options.get("device_sketch", "persist") == "persist"
    return Compression(
        k=min(k, d),
        d=d,
        rows=options.get("rows"),
        buckets=options.get("buckets"),
        recovery=options.get("recovery", "mean"),
        hash="kept" if kept else "other",
    )
