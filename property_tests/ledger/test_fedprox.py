"""FedProx: its entries, its calculator, Theorem 4 and the repairs on random rounds, and runs."""

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from empirical.constants.inexactness import follow
from fpsverify.config import RunConfig
from fpsverify.errors import BadInput
from fpsverify.problems.problem import DenseProblem
from fpsverify.runs.loop import prepare
from property_tests.support import proximal
from property_tests.support.proximal import SMOOTH, Instances, rhos
from theory.errors import InvalidParameter
from theory.ledger import Kind, Verdict, cards, graph
from theory.ledger.judge import Judgement
from theory.ledger.paper import run
from theory.papers.fedprox.paper import PAPER
from theory.papers.fedprox.parameters import Setting, admissible


@pytest.fixture(scope="module")
def fedprox() -> Sequence[Judgement]:
    return run(PAPER, workers=1)


def test_every_line_is_judged_with_evidence_that_checks_out(fedprox: Sequence[Judgement]) -> None:
    assert {j.entry.id: j.faults for j in fedprox if not j.ok} == {}
    assert len(fedprox) >= 60
    wrong = {
        j.entry.id: str(j.entry.verdict) for j in fedprox if j.entry.kind is Kind.PRINTED and j.entry.severity
    }
    assert wrong == {
        "FP.D3f": "refuted", "FP.13a": "undefined", "FP.10": "conditional", "FP.R5s": "refuted",
        "FP.C7": "refuted", "FP.C7d": "underived", "FP.R8": "conditional", "FP.C9": "refuted",
        "FP.C9p": "refuted", "FP.29": "underived", "FP.30": "underived", "FP.33": "refuted",
    }  # fmt: skip


def test_theorem_4_stands_and_is_improved(fedprox: Sequence[Judgement]) -> None:
    nodes = graph.build(PAPER.entries)
    assert nodes["FP.R1"].status == "stands"
    assert PAPER.find("FP.T4").verdict is Verdict.VALID and PAPER.find(PAPER.better).id == "FP.R1"


def test_every_card_can_be_shown(fedprox: Sequence[Judgement]) -> None:
    """No LaTeX is left in its head, and the reading of what is not valid is there."""
    nodes = graph.build(PAPER.entries)
    for j in fedprox:
        head = cards.claim_text(PAPER, j, nodes[j.entry.id]).partition("evidence\n")[0]
        assert not re.search(r"\\|\*\*|[_^]\{", head), head
        assert not j.entry.severity or "fair reading" in head, j.entry.id


# ---------------------------------------------------------------- the calculator


@given(st.integers(1, 40), st.integers(1, 9), st.integers(0, 9), st.integers(2, 400))
def test_the_calculator_evaluates_the_formulas_of_the_entries(n: int, B: int, tenths: int, mu: int) -> None:
    """At K = 2n² the printed ρ is a fraction; 40 roundings of terms of size ≤ the largest one."""
    K, gamma, b = 2 * n * n, Fraction(tenths, 10), B * (1 + Fraction(tenths, 10))
    terms = [
        (1 - gamma * B) / mu, -b / (n * mu), -b / mu**2, -(b**2) / (2 * mu**2),
        -(b**2) * (4 * n + 2) / (K * mu**2),
    ]  # fmt: skip
    found = Setting(L=1.0, B=B, gamma=float(gamma), K=K).rho_printed(mu)
    scale = float(max(map(abs, terms)))
    assert_allclose(found, float(sum(terms)), rtol=0, atol=40 * np.finfo(float).eps * scale)


@given(st.floats(1, 20), st.floats(0, 0.9), st.integers(1, 1000), st.floats(0, 1))
def test_r1_beats_the_print_and_the_gain_from_k_beats_r1(B: float, c: float, K: int, L_minus: float) -> None:
    """What is printed is never above R1, and R_K never below it; γB < 1 is all that R1 needs."""
    setting = Setting(L=1.0, B=B, gamma=c / B, K=K, L_minus=L_minus)
    printed, r1, r_k = admissible(setting)
    assert r1.rho is not None and r_k.rho is not None and setting.possible
    slack = 1e-9 * r1.rho  # the searches end at a relative width of 1e-12; ρ is flat at its maximum
    assert r_k.rho >= r1.rho - slack and (printed.rho is None or printed.rho <= r1.rho + slack)
    b = B * (1 + setting.gamma)
    enough = L_minus + b * (2 + b) / (1 - setting.gamma * B)
    assert setting.rho_r1(enough) >= 4 / 9 * (1 - setting.gamma * B) / enough * (1 - 1e-9)  # FP.R5q


def test_no_proximal_parameter_helps_where_gamma_times_b_is_1() -> None:
    setting = Setting(L=1.0, B=2.0, gamma=0.5, K=10)
    assert not setting.possible and [each.best for each in admissible(setting)] == [None, None, None]
    assert all(each.best is None for each in admissible(Setting(1.0, 6.0, K=50))[:1])  # FP.R5s


def test_r_k_says_nothing_outside_its_conditions() -> None:
    """m = γB + LB(1+γ)/μ̄ ≤ 1, and μ ≥ L(1−κ): FP.RK."""
    assert Setting(1.0, 2.0, K=1).rho_k(1.9) == -np.inf < Setting(1.0, 2.0, K=1).rho_k(2.0)
    assert Setting(1.0, 1.0, 0.0, 40).rho_k(0.9) == -np.inf


@pytest.mark.parametrize(
    "wrong",
    [{"L": 0.0}, {"B": 0.5}, {"gamma": -1.0}, {"K": 0}, {"L_minus": 2.0}, {"K": 3, "N": 2}, {"L": np.nan}],
)
def test_constants_outside_the_theorem_are_refused(wrong: dict) -> None:
    with pytest.raises(InvalidParameter):
        Setting(**{"L": 1.0, "B": 1.0, **wrong})


# ---------------------------------------------------------------- random rounds


def margins(x: Instances) -> dict[str, float]:
    """The least of (gain − ρ)·μ, by rule: Theorem 4 and its repairs say that none is negative."""
    gain = x.gain(1 / x.K)
    return {name: float(((gain - rho) * x.mu).min()) for name, rho in rhos(x).items()}


def rounding(x: Instances) -> float:
    """1000 roundings of the largest term of ρ·μ, or of gain·μ, which has the same terms."""
    step = x.B * (1 + x.gamma) / (x.mu - x.L_minus)
    return float(
        1e3 * np.finfo(float).eps * (x.mu * (1 / x.mu + SMOOTH * step + step + SMOOTH * step**2)).max()
    )


@pytest.mark.parametrize("seed", [1, 2])
def test_random_rounds_gain_what_theorem_4_and_the_repairs_say(seed: int) -> None:
    x = proximal.draw(np.random.default_rng(seed), 1500)
    least = margins(x)
    assert min(least.values()) >= -rounding(x)
    assert least["printed"] > 0.1 > least["R1"]  # the print is far from tight, R1 is not


def test_without_an_assumption_random_rounds_break_the_repair() -> None:
    """Negative controls: residuals twice as large, L or B taken too small, or a subset with a plain mean."""
    rng = np.random.default_rng(5)
    x = proximal.draw(rng, 4000)
    assert margins(x)["R1"] >= -rounding(x)
    larger = replace(
        x, D=proximal.solved(x.H, x.g, np.sign(rng.normal()) * 2 * x.gamma[:, None, None] * x.g, x.mu)
    )
    steep = replace(x, H=3 * x.H, D=proximal.solved(3 * x.H, x.g, 0 * x.g, x.mu), L_minus=3 * x.L_minus)
    plain = np.full_like(x.p, 1 / x.p.shape[1])
    gain = replace(x, p=plain).gain(1 / x.K)
    subset = (gain * replace(x, p=plain).squared / x.squared - rhos(x)["R1"]) * x.mu
    assert margins(larger)["R1"] < -0.1
    assert margins(replace(steep, L_minus=x.L_minus))["R1"] < -0.01
    assert subset.min() < -0.1


# ---------------------------------------------------------------- runs

CONFIG = {
    "seed": 3, "rounds": 6, "dtype": "float64",
    "problem": {"data": "synthetic", "objective": "least_squares", "features": 6, "samples": 120},
    "devices": {"M": 4},
    "local": {"E": 20, "batch": 0, "gamma": 0.05, "mu": 12.0},
    "algorithm": {"name": "fedprox"},
    "channel": {"kind": "ideal"},
}  # fmt: skip


def smoothness(config: RunConfig) -> float:
    """The largest curvature of a device: gradients of least squares are affine."""
    _, setup, _ = prepare(config)
    problem, d = setup.problem, setup.problem.d
    assert isinstance(problem, DenseProblem)
    eye, zero = torch.eye(d, dtype=torch.float64), torch.zeros(d, dtype=torch.float64)
    largest = 0.0
    for m in range(problem.M):
        at_zero = problem.device_gradient(zero, m)[1]
        columns = [problem.device_gradient(eye[i], m)[1] - at_zero for i in range(d)]
        largest = max(largest, float(torch.linalg.eigvalsh(torch.stack(columns)).max()))
    return largest


@pytest.mark.parametrize("E", [1, 5, 40])
def test_a_run_gains_at_least_what_r1_says_at_its_own_inexactness(E: int) -> None:
    """All devices take part, so w⁺ is their mean, and (8) speaks of it. L is exact, γ and B are measured."""
    config = RunConfig.model_validate({**CONFIG, "local": {**CONFIG["local"], "E": E}})
    L = smoothness(config)
    config = config.model_copy(
        update={"local": config.local.model_copy(update={"mu": 12 * L, "gamma": 0.5 / (13 * L)})}
    )
    rounds = list(follow(config))
    assert len(rounds) == config.rounds
    for each in rounds:
        rho = Setting(L, max(each.B, 1.0), each.gamma).rho_r1(config.local.mu)
        assert each.gain >= rho - 1e-9 / L
        assert rho > 0 or E < 40  # it says something
    assert max(each.gamma for each in rounds) < (0.99 if E == 1 else 0.9 if E == 5 else 0.1)


def test_more_local_work_is_more_exact() -> None:
    """γ falls with every local step: by 1 − step·(least curvature + μ) at least."""
    worst = []
    for E in (1, 4, 16):
        config = RunConfig.model_validate({**CONFIG, "rounds": 1, "local": {**CONFIG["local"], "E": E}})
        (only,) = follow(config)
        worst.append(only.gamma)
        assert only.gamma <= (1 - config.local.gamma * config.local.mu) ** E + 1e-9
    assert worst == sorted(worst, reverse=True)


def test_only_a_fedprox_run_with_a_proximal_term_is_followed() -> None:
    for changed in ({"algorithm": {"name": "fedavg"}}, {"local": {**CONFIG["local"], "mu": 0.0}}):
        with pytest.raises(BadInput, match="fedprox"):
            next(follow(RunConfig.model_validate({**CONFIG, **changed})))
