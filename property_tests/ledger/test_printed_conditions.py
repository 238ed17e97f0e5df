"""A counterexample that names the learning rate takes one that the paper allows.

A condition of the paper may fail at the point only if the line would follow from it.
"""

from dataclasses import replace
from fractions import Fraction

import pytest
import sympy as sp

from theory.errors import EvidenceFailed
from theory.ledger import Claim, Entry, Verdict
from theory.papers.fps.letters import A, B, E, Lam, P_b, P_n, gamma, mu, x, y
from theory.papers.fps.paper import PAPER
from theory.provers import AtPoint, Solver

# Typed from the paper: eq. (11), rho > 1/4 with eq. (10), step (b), Lemma 2, Assumption 3, Definition 2.
RHO = (1 - y * (1 + 2 / A) * E**2) / 2 - gamma * (2 + 2 * y + (2 * Lam + 1) * x) * (1 + 2 / A) * E**2
CONDITIONS = {
    "eq. (11)": gamma <= (1 - 6 * y * E**2) / (12 * (1 + y + (Lam + 1) * x) * E**2),
    "rho > 1/4": RHO > sp.Rational(1, 4),
    "step (b)": gamma <= 1 / (2 * Lam),
    "Lemma 2": gamma <= 1 / (4 * E * Lam * A),
    "P_b > 0": y > 0,
    "B >= 1": B >= 1,
}
# Letters that a line does not name may take any value.
FREE = {"E": 1, "B": 1, "P_n": 0, "P_b": Fraction(1, 1000), "L": Fraction(1, 2), "mu": Fraction(1, 2)}


def named() -> list[Entry]:
    wrong = (Verdict.REFUTED, Verdict.ABSORBED)
    found = [e for e in PAPER.entries if e.verdict in wrong and isinstance(e.claim, Claim)]
    return [e for e in found if gamma in e.claim.symbols and any(points(e))]


def points(entry: Entry) -> list[dict[str, Fraction]]:
    methods = [item.method for item in entry.evidence if isinstance(item.method, AtPoint)]
    return [{s.name: sp.Rational(v) for s, v in method.point.items()} for method in methods]


def completed(point: dict[str, Fraction]) -> dict[str, Fraction]:
    """With x = P_n B², y = P_b B² and Λ = L + μ, each as the point has it or from its parts."""
    known = {**{name: sp.Rational(value) for name, value in FREE.items()}, **point}
    parts = {
        "x": known["P_n"] * known["B"] ** 2,
        "y": known["P_b"] * known["B"] ** 2,
        "Lam": known["L"] + known["mu"],
    }
    return {**parts, **known}


def failing(point: dict[str, Fraction]) -> list[str]:
    known = completed(point)
    values = {s: known[s.name] for s in (B, E, Lam, P_b, P_n, gamma, mu, x, y)}
    return [name for name, condition in CONDITIONS.items() if condition.subs(values) != sp.true]


def follows(entry: Entry, condition: str) -> bool:
    try:
        claim = entry.claim
        return Solver().decide(replace(claim, hypotheses=(*claim.hypotheses, CONDITIONS[condition]))).ok
    except EvidenceFailed:
        return False


@pytest.mark.parametrize("entry", named(), ids=lambda entry: entry.id)
def test_the_rate_of_a_counterexample_is_one_that_the_paper_allows(entry: Entry) -> None:
    for point in points(entry):
        assert completed(point)["E"].is_integer
        assert all(follows(entry, name) for name in failing(point)), failing(point)
