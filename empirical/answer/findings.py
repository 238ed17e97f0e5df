"""What follows from the estimates: verdicts, rates, advice, the bound against the run; then plain values."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from empirical.advice.advice import UNTRIED, Advice, Pilot
from empirical.advice.from_run import as_pilot, from_run
from empirical.answer import assumptions, compare, details, plots
from empirical.answer.estimate import Estimates
from empirical.answer.outcome import implied_by_loss, of_run, why_empty
from empirical.answer.short_answer import short_answer, theorems_of_run
from empirical.answer.verdict import BOUND, PAPER, REPAIRED, Verdict, of_constant, of_theory
from empirical.constants.pairs import Scale
from empirical.observed.protocol import Evidence
from empirical.observed.run_models import DenseModel, SparseModel
from empirical.sketch_space import table_health
from empirical.sketch_space.edge import points_of
from empirical.sketch_space.theorem_b import theorem_b
from empirical.spelling import Spelling
from empirical.statistics.intervals import Interval
from fpsverify.algorithms.base import sampling_noise
from fpsverify.files import json_safe

CONSTANTS = ("P_b", "b2", "P_n", "sigma2", "B", "G2", "L", "R2")


@dataclass(frozen=True)
class Findings:
    """Everything that is said about a run; `as_json` only writes it down."""

    estimates: Estimates
    verdicts: tuple[Verdict, ...]
    rates: dict[str, Any]
    paper_rates: dict[str, Any]
    bound: dict[str, Any]
    advice: Advice | None
    answer: dict[str, Any]
    details: dict[str, Any]
    curves: dict[str, Any]


def judge(e: Estimates) -> Findings:
    lumped = {stage: details.lumped_constants(energies, e.scale) for stage, energies in e.lumped.items()}
    average = compare.average_gradient(e.evidence)
    D2 = e.dissimilarity.D2[:-1] if e.dissimilarity.every_round else None
    verdicts = tuple(assumptions.verdicts(e))
    drawn = compare.of_the_drawn(e.constants, e.scale, e.evidence.per_round)
    rates = marked(_rates(e, *drawn), verdicts)
    bound = compare.bound_against_run(*drawn, average, D2, rho2(e.evidence), e.spelling)
    bound |= of_theory(verdicts, REPAIRED, BOUND) | {"counted": compare.counted(*drawn)}
    paper = {stage: marked(found, verdicts) for stage, found in details.paper_rates(e, lumped).items()}
    given, run = advice_of(e), as_pilot(e.evidence)
    bound |= _emptiness(e, drawn, rates["repaired_sharp"], bound, run)
    edge = given.over_intervals.edge if given else None
    rulings = theorems_of_run(e, *drawn, verdicts)
    bound["theorem_b"] = theorem_b(e.evidence, e.scale.Delta, edge, _noise(e))
    return Findings(
        estimates=e,
        verdicts=verdicts,
        rates=rates,
        paper_rates=paper,
        bound=bound,
        advice=given,
        answer=short_answer(
            e, of_run(e.evidence, run), verdicts, rulings, rates["repaired_sharp"], bound, given
        ),
        details=details.of(e) | {"lumped": lumped, "table": _table(e.evidence)},
        curves=plots.thin_data(e),
    )


def _emptiness(
    e: Estimates,
    drawn: tuple[compare.Measured, Scale],
    rate: dict[str, Any],
    bound: dict[str, Any],
    run: Pilot,
) -> dict[str, Any]:
    """Why the bound says nothing of this run, and whether it would below its limit (None: not known)."""
    x, implied = e.dissimilarity, implied_by_loss(e.scale, run, e.evidence.loss_floor)
    why = lambda total: why_empty(total, float(x.x.max()), x.every_round, implied)  # noqa: E731
    total, limit = bound["theorem_a"], rate["gamma_max"]
    below = limit if limit and not rate["used_is_inside"] else None
    least = compare.least_below(*drawn, below, e.spelling) if below else None
    return {
        "says_nothing": "" if total is None else why(total),
        "smaller_says_nothing": None if least is None else bool(why(least)),
        "residual": drawn[0].R2 is None or drawn[0].R2.high > 0,
    }


def _rates(e: Estimates, drawn: compare.Measured, scale: Scale) -> dict[str, Any]:
    """The repaired forms count the draw of devices; the paper's know none."""
    found = compare.learning_rates(e.constants, e.scale, e.spelling)
    if scale is e.scale:
        return found
    repaired = compare.learning_rates(drawn, scale, e.spelling)
    return {form: repaired[form] if form.startswith("repaired") else rate for form, rate in found.items()}


def marked(rates: dict[str, Any], verdicts: tuple[Verdict, ...]) -> dict[str, Any]:
    """Each form with the assumptions that it rests on and that fail or are undecided."""
    return {
        form: rate | of_theory(verdicts, REPAIRED if form.startswith("repaired") else PAPER)
        for form, rate in rates.items()
    }


def advice_of(e: Estimates) -> Advice | None:
    """None for a model of one's own that no run directory describes."""
    if not isinstance(e.evidence.model, (DenseModel, SparseModel)):
        return None
    found = from_run(e.constants, e.evidence)
    found = replace(found, facts={**found.facts, "edge_at": [it.t for it in points_of(e.evidence)]})
    if found.labels["recommended"] != UNTRIED:
        return found
    known = f"as used; larger not tried: {e.spelling.advise} tries them"
    return replace(found, labels={**found.labels, "recommended": known})


def _table(evidence: Evidence) -> dict[str, Any] | None:
    """How well the table still represents what the devices send; None where the run keeps none."""
    if not table_health.keeps_a_table(evidence):
        return None
    seen = table_health.health(evidence)
    return asdict(seen) | {"words": seen.words}


def _noise(e: Estimates) -> float:
    """ν(P_n D² + σ²) at the upper ends, and what drawing n of M devices adds: all noise of the mean.

    The devices' gradients spread by at most D² around their mean, a share φ of which n of M leave.
    """
    c, D2, M = e.constants, float(e.dissimilarity.D2.mean()), e.scale.M
    n = e.evidence.per_round or M
    return (c.P_n.high * D2 + c.sigma2.high) / n + sampling_noise(M, n) * D2


def rho2(evidence: Evidence) -> float | None:
    """Mean over sampled rounds of ‖∇f(v_t) − ∇f(w̃_t)‖², which may replace L²R² in Theorem A."""
    found = []
    for iterate in evidence.iterates:
        if iterate.exact is None:
            return None
        both = [
            evidence.model.full_gradients(point.expand(evidence.model.M, -1)).double().mean(0)
            for point in (iterate.exact, iterate.w)
        ]
        found.append(float((both[0] - both[1]).square().sum()))
    return float(np.mean(found))


def as_json(f: Findings) -> dict[str, Any]:
    """The same as plain values."""
    e = f.estimates
    intervals = {n: getattr(e.constants, n) for n in CONSTANTS} | {"W": e.W}
    intervals |= {"p": e.rank_law.p} if e.rank_law else {}
    return {
        "answer": f.answer,
        "advice": f.advice.as_json() if f.advice else None,
        "run": _run_facts(e),
        "constants": {n: _interval(x, e.spelling) | of_constant(f.verdicts, n) for n, x in intervals.items()},
        "assumptions": [v.as_json() for v in f.verdicts],
        "learning_rate": f.rates,
        "learning_rate_paper_constants": f.paper_rates,
        "bound": f.bound,
        "details": f.details,
        "curves": f.curves,
    }


def values(e: Estimates) -> dict[str, Any]:
    """What `fpsverify estimate --json` prints."""
    plain: dict[str, Any] = json_safe(as_json(judge(e)))
    return plain


def _interval(interval: Interval | None, call: Spelling) -> dict[str, Any]:
    if interval is None:
        why = f"the run kept no exact v_t: {call.verify}, or {call.replay}"
        return {"estimate": None, "low": None, "high": None, "method": why}
    return interval.as_json()


def _run_facts(e: Estimates) -> dict[str, Any]:
    q = e.evidence
    return {
        "d": q.d,
        "M": q.model.M,
        "E": q.E,
        "T": q.T,
        "gamma": q.gamma,
        "mu": q.mu,
        "seed": q.seed,
        "sampled_rounds": [it.t for it in q.iterates],
        "replicates": e.device.n,
        "notes": list(q.notes),
        "left_out": [flaw.as_json() for flaw in q.left_out],
        "config": q.config,
    }
