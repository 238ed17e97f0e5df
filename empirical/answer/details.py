"""The details of an estimate: frontiers, the paper's own constants, rank laws."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from empirical.answer import compare
from empirical.constants import dissimilarity, powerlaw, residual
from empirical.constants.pairs import Scale, bias_cloud, choose, noise_cloud, pair_intervals
from empirical.observed.protocol import Evidence
from empirical.observed.replicates import Energies
from empirical.statistics.frontier import Pair
from empirical.statistics.intervals import Interval

if TYPE_CHECKING:
    from empirical.answer.estimate import Estimates


def lumped_constants(energies: Energies, scale: Scale) -> dict[str, Any]:
    """(P_b, b²) and (P_n, σ²) of one stage of the received gradient, relative to ‖∇f‖²."""
    out: dict[str, Any] = {}
    flat = Pair(1.0, 0.0)
    for name, other, cloud in (("P_b", "b2", bias_cloud(energies)), ("P_n", "sigma2", noise_cloud(energies))):
        vertices = cloud.frontier()
        zero = [Pair(0.0, 0.0)]
        bias, noise = (vertices, zero) if name == "P_b" else (zero, vertices)
        choice = choose(bias, noise, [flat], replace(scale, R2=0.0))
        P, s2 = pair_intervals(cloud, choice.bias if name == "P_b" else choice.noise)
        out |= {name: P.as_json(), other: s2.as_json()}
        out[f"{name}_frontier"] = [[pair.P, pair.s2] for pair in vertices]
    positive = energies.x > 0
    out["bias_over_gradient"] = float(
        np.median(np.maximum(energies.bias, 0)[positive] / energies.x[positive])
    )
    return out


def paper_rates(e: Estimates, lumped: dict[str, Any]) -> dict[str, Any]:
    """The paper's range with its own constants: P_b, P_n of the received gradient, B on S_ε (G = 0)."""
    found = {}
    B = Interval.exact(max(1.0, e.dissimilarity.on_level(0.0)), "largest B(w)")
    for stage, constants in lumped.items():
        P_b, P_n = (Interval.from_json(constants[name]) for name in ("P_b", "P_n"))
        q = replace(e.constants, P_b=P_b, P_n=P_n, B=B)
        rates = compare.learning_rates(q, e.scale, e.spelling)
        found[stage] = {form: rates[form] for form in ("paper", "paper_with_conditions", "corrected")}
    return found


def of(e: Estimates) -> dict[str, Any]:
    d, spread = e.device, e.dissimilarity
    implied = residual.implied_constants(e.evidence)
    return {
        "noise_frontier": [[p.P, p.s2] for p in noise_cloud(d).frontier()],
        "bias_frontier": [[p.P, p.s2] for p in bias_cloud(d).frontier()],
        "bias_measured": {"P_b": e.bias_measured[0].as_json(), "b2": e.bias_measured[1].as_json()},
        "dissimilarity_frontier": [[p.P, p.s2] for p in spread.frontier()],
        "B_largest": spread.on_level(0.0),
        "B_weighted_by_rows": dissimilarity.weighted(e.evidence),
        "B_typical": spread.typical().as_json(),
        "epsilon": float(spread.x[spread.x > 0].min()),
        "L_plus_mu": e.constants.L.map(lambda L: L + e.scale.mu).as_json(),
        "L_by_round": [list(each) for each in e.smoothness.rounds],
        "L_from_pairs": e.smoothness.pairs,
        "L_pairs": e.smoothness.pair_count,
        "kink": asdict(e.smoothness.kink) if e.smoothness.kink else None,
        "residual_growth": e.residual.growth.as_json() if e.residual and e.residual.growth else None,
        "implied_c": [each.as_json() for each in implied],
        "smallest_c": {lemma: _smallest_c(e.evidence, lemma) for lemma in ("c_paper", "c_repaired")},
        "drift": d2.as_json() if (d2 := residual.drift(e.evidence)) else None,
        "power_law": power_law_facts(e),
    }


def _smallest_c(evidence: Evidence, lemma: str) -> dict[str, Any] | None:
    found = residual.smallest_c_of(evidence, lemma)
    return found.as_json() if found else None


def power_law_facts(e: Estimates) -> dict[str, Any]:
    g = e.gradients
    models = [it.w.double().cpu().numpy() for it in e.evidence.iterates]
    return {
        "gradient": tail_facts(e.rank_law.fit) if e.rank_law else None,
        "stored": {"p": e.stored.p.as_json(), **tail_facts(e.stored.fit)} if e.stored else None,
        "envelope_aggregated": [powerlaw.envelope(v) for v in g.aggregated],
        "envelope_local": [powerlaw.envelope(v) for v in g.local],
        "envelope_stored": [powerlaw.envelope(v) for v in g.stored],
        "sp_gradient": [powerlaw.soft_sparsity(v) for v in g.aggregated],
        "sp_model": [powerlaw.soft_sparsity(v) for v in models],
        "sp_stored": [powerlaw.soft_sparsity(v) for v in g.stored],
    }


def tail_facts(fit: powerlaw.TailFit) -> dict[str, Any]:
    return {
        "tail": {"p": fit.p, "k": fit.k, "of": fit.n, "distance": fit.distance},
        "goodness_of_fit": fit.goodness,
        "pareto_against": {name: {"z": z, "p_value": q} for name, (z, q) in fit.against.items()},
    }
