"""The second judges: what they find elsewhere than at the stored instances, and that they share no code."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from fractions import Fraction as F
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
import z3
from hypothesis import given
from hypothesis import strategies as st

from property_tests import laws
from theory.counterexamples import assumption_checks, federated, printed, second
from theory.counterexamples import runs as as_entry
from theory.counterexamples.exact_sketch import spread_out
from theory.counterexamples.second import algorithm1, cases, drifts, hashes, selections, theorem1
from theory.errors import EvidenceFailed
from theory.ledger import collection as ledger
from theory.ledger.statements import FiniteClaim
from theory.paper.setup import count_sketch
from theory.provers.replay import Exhaustive, OnInstance
from theory.provers.second_opinion import Opinion, Second
from theory.repaired.small_sketches import Selection

SOURCE = laws.PROOFS
KILLS = (
    "theory/provers/second_opinion.py",
    "theory/counterexamples/second/selections.py",
    "theory/counterexamples/second/drifts.py",
    "theory/counterexamples/second/hashes.py",
    "theory/counterexamples/second/algorithm1.py",
    "theory/counterexamples/second/theorem1.py",
    "theory/counterexamples/second/cases.py",
)

SMALL = st.integers(-4, 4).map(lambda n: F(n, 2))


STEEP = {"L": F(72), "P_b": F(1, 20), "gamma": F(1, 36), "w0": F(1), "W": F(1), "c": F(100), "T": 99}
LINEAR = {"gradients": (F(11), F(-9)), "E": 2, "Lam": F(1, 1000), "P_b": F(1, 10**5), "B2": F(101)}
PROXIMAL = {"mu": (F(1, 10), F(10)), "L": F(78), "P_b": F(1, 12), "T": 6, "W": F(100)}
BELOW = {"E": 6000, "P_b": F(1, 10**9), "constant": F(258, 100)}
MEDIAN = {"rows": 3, "buckets": 2, "delta": F(1, 10), "vector": (F(1), F(1))}
UNIT = ((F(1), F(0)), (F(0), F(1)))
TRUE: list[tuple[Second, Any]] = [
    (selections.ANY_VECTOR, {"w": (1, 0), "k": 1, "c": 3}),
    (selections.ANY_VECTOR, {"w": (1, F(1, 2)), "k": 1, "c": 5}),  # 1/4 = (5/4)/5
    (selections.COMPRESSIBLE, {"w": (1, F(1, 4)), "k": 1, "c": 17, "p": 2}),
    (selections.CROSSED_GRADIENTS, {"gradients": (UNIT[0], UNIT[0]), "gamma": F(1), "p": 2}),
    (selections.UPDATE, {"broadcast": (1, 0), "step": (2, 0), "k": 1}),
    (selections.WITHOUT_SELECTION, Selection((10, 9), (10, 9), 1)),
    (drifts.PER_DEVICE, LINEAR | {"gradients": (F(10), F(-8))}),
    (drifts.BELOW, BELOW | {"E": 3}),
    (drifts.PROXIMAL, PROXIMAL | {"T": 3}),
    (drifts.FIVE, F(2)),
    (cases.STEEP, STEEP | {"L": F(12)}),
    (hashes.MEDIAN_FAILS, MEDIAN | {"delta": F(5, 16)}),
]
FALSE: list[tuple[Second, Any]] = [
    (selections.ANY_VECTOR, {"w": (1, F(1, 2)), "k": 1, "c": F(51, 10)}),
    (selections.COMPRESSIBLE, {"w": (1, F(1, 4)), "k": 1, "c": F(171, 10), "p": 2}),
    (selections.CROSSED_GRADIENTS, {"gradients": UNIT, "gamma": F(1), "p": 2}),
    (selections.UPDATE, {"broadcast": (3, 0), "step": (0, 2), "k": 1}),
    (selections.WITHOUT_SELECTION, Selection((10, 9), (9, 10), 1)),
    (drifts.PER_DEVICE, LINEAR),
    (drifts.BELOW, BELOW),
    (drifts.PROXIMAL, PROXIMAL),
    (drifts.FIVE, F(3, 2)),
    (drifts.INTEGRAL, {"k": 3, "d": 4, "n": 4, "low": 4}),
    (cases.STEEP, STEEP),
    (hashes.MEDIAN_FAILS, MEDIAN),
]
INADMISSIBLE: list[tuple[Second, Any]] = [
    (selections.ANY_VECTOR, {"w": (1, 1), "k": 1, "c": 1}),
    (selections.COMPRESSIBLE, {"w": (1, F(1, 2)), "k": 1, "c": 100, "p": 2}),
    (selections.CROSSED_GRADIENTS, {"gradients": ((F(3, 5), F(4, 5)), UNIT[1]), "gamma": F(1), "p": 2}),
    (selections.UPDATE, {"broadcast": (1, 1), "step": (0, 2), "k": 1}),
    (drifts.PER_DEVICE, LINEAR | {"B2": F(100)}),
    (drifts.BELOW, BELOW | {"P_b": F(1)}),
    (drifts.PROXIMAL, PROXIMAL | {"mu": (F(0), F(10))}),  # without a proximal term nothing is claimed
    (drifts.FIVE, F(1, 2)),
    (drifts.INTEGRAL, {"k": 0, "d": 1, "n": 4, "low": 1}),
    (cases.STEEP, STEEP | {"W": F(1, 2)}),  # the iterates leave the ball
    (cases.STEEP, STEEP | {"gamma": F(1, 12), "L": F(24)}),  # above the range
    (hashes.MEDIAN_FAILS, MEDIAN | {"delta": F(1)}),
]


@dataclass(frozen=True)
class Judged:
    """An entry's claim beside the evidence that a second judge decides too."""

    id: str
    claim: FiniteClaim
    method: OnInstance | Exhaustive

    def says(self, data: Any) -> tuple[bool, bool]:
        """Do the entry's own hypotheses hold, and its own statement?"""
        admissible = all(test.holds(data) for test in self.claim.hypotheses)
        return admissible, admissible and bool(self.claim.statement.holds(data))


JUDGED = [
    Judged(entry.id, item.claim or entry.claim, item.method)
    for entry in ledger.entries()
    for item in entry.evidence
    if isinstance(item.method, OnInstance | Exhaustive) and item.method.second is not None
]
TWO_SIDED = {  # by a law of its own below
    "CS.3": "lost signs", "CS.5": "lost signs",
    **{j.id: "a certain failure is allowed" for j in JUDGED if j.id.startswith("R.")},
}  # fmt: skip
ONE_SIDED = {"L1.7": "false for every d > k, as its support proves"}


def of_judge(judge: Second) -> Judged:
    """The one entry that this judge decides."""
    (found,) = (judged for judged in JUDGED if judged.method.second == judge)
    return found


@pytest.mark.parametrize(("judge", "data"), TRUE)
def test_entry_and_second_judge_find_a_true_instance_true(judge: Second, data: Any) -> None:
    found = judge.opinion(data)
    assert (found.admissible, found.holds) == of_judge(judge).says(data) == (True, True)


@pytest.mark.parametrize(("judge", "data"), FALSE)
def test_entry_and_second_judge_find_a_false_instance_false(judge: Second, data: Any) -> None:
    found = judge.opinion(data)
    assert (found.admissible, found.holds) == of_judge(judge).says(data) == (True, False)


@pytest.mark.parametrize(("judge", "data"), INADMISSIBLE)
def test_entry_and_second_judge_notice_a_failing_hypothesis(judge: Second, data: Any) -> None:
    assert not judge.opinion(data).admissible
    assert not of_judge(judge).says(data)[0]


def test_every_entry_with_a_second_judge_is_tried_on_both_sides() -> None:
    """A statement that is always true, or never, differs from its second judge on one of the instances."""
    sides: dict[str, set[bool]] = {judged.id: set() for judged in JUDGED}
    for judged in JUDGED:
        sides[judged.id].add(isinstance(judged.method, Exhaustive))  # what the evidence itself decides
    for table, side in ((TRUE, True), (FALSE, False)):
        for judge, _ in table:
            sides[of_judge(judge).id].add(side)
    lacking = {name for name, seen in sides.items() if len(seen) < 2}
    assert lacking == set(TWO_SIDED) | set(ONE_SIDED)


def evidence_of(name: str) -> Judged:
    return next(judged for judged in JUDGED if judged.id == name)


@pytest.mark.parametrize(
    ("name", "module", "function", "changed"),
    [
        ("CS.3", count_sketch, "tables", lambda d, b: ((h, (1,) * d) for h in product(range(b), repeat=d))),
        ("CS.5", count_sketch, "tables", lambda d, b: ((h, (1,) * d) for h in product(range(b), repeat=d))),
    ],
)
def test_an_enumerated_statement_is_false_in_another_world(
    name: str, module: Any, function: str, changed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sketches without signs, a median that is moved: the laws below change the second judge alike."""
    judged = evidence_of(name)
    assert judged.says(judged.method.data) == (True, True)
    monkeypatch.setattr(module, function, changed)
    with pytest.raises(EvidenceFailed, match="false on"):
        judged.method.decide(judged.claim)


@pytest.mark.parametrize("name", sorted(cases.CASES))
def test_entry_and_second_judge_allow_a_certain_failure(name: str) -> None:
    """δ = 1 makes Theorem 1 true of every run; a failing assumption makes it silent."""
    judged, case = evidence_of(f"R.{name}"), cases.CASES[name]()
    found = judged.method.data.refutation
    assert judged.says(judged.method.data) == (True, False)
    lenient = replace(found, parameters=replace(found.parameters, delta=F(1)))
    assert judged.says(as_entry.Played(lambda: lenient)) == (True, True)
    assert theorem1.opinion(replace(case, constants=case.constants | {"delta": F(1)})).holds
    planted = replace(found, checks=(*found.checks, replace(found.checks[0], holds=False)))
    assert not judged.says(as_entry.Played(lambda: planted))[0]


@pytest.mark.parametrize(
    ("judge", "data"),
    [
        (selections.ANY_VECTOR, {"w": (1, 1, 1), "k": 2, "c": 3}),
        (selections.COMPRESSIBLE, {"w": (1, 1), "k": 1, "c": 3, "p": 3}),
        (drifts.PER_DEVICE, LINEAR | {"E": 3}),
        (drifts.FIVE, F(4, 3)),
        (drifts.INTEGRAL, {"k": 1, "d": 2, "n": 6}),
        (drifts.INTEGRAL, {"k": 3, "d": 5, "n": 4}),
        (drifts.PROXIMAL, PROXIMAL | {"P_b": F(1, 6)}),  # no step is left
        (drifts.BELOW, {"E": 6000, "P_b": F(1, 10**9), "constant": F(26, 10)}),  # only a lower bound: open
    ],
)
def test_what_a_second_judge_does_not_read_is_an_error(judge: Second, data: Any) -> None:
    with pytest.raises(EvidenceFailed):
        judge.opinion(data)


# ------------------------------------------------------------------ hashes and medians


def test_hashes_are_counted() -> None:
    one, two, three = hashes.IN_SECOND
    assert [hashes._count(f) for f in (one == two, z3.And(one == two, two == three), z3.BoolVal(True))] == [
        4, 2, 8,
    ]  # fmt: skip


@pytest.mark.parametrize("judge", [hashes.UNBIASED, hashes.SECOND_MOMENT])
def test_a_sketch_with_lost_signs_is_biased(judge: Second, monkeypatch: pytest.MonkeyPatch) -> None:
    assert judge.opinion(None).holds
    honest = hashes._grams
    monkeypatch.setattr(hashes, "_grams", lambda b: ([[abs(x) for x in row] for row in m] for m in honest(b)))
    assert not judge.opinion(None).holds


def test_the_median_of_whole_sketches() -> None:
    assert hashes.MEDIAN_FAILS.opinion(MEDIAN).sides == (F(5, 16), F(1, 10))
    assert hashes.VECTOR_THAT_KNOWS.opinion(None) == Opinion(True, False)
    assert hashes.FIXED_VECTOR.opinion(None) == Opinion(True, True)


# ------------------------------------------------------------------ Algorithm 1 and Theorem 1


@given(
    st.lists(st.tuples(SMALL, SMALL, SMALL, SMALL), min_size=1, max_size=2),
    st.tuples(SMALL, SMALL), st.integers(1, 3), st.integers(1, 2), SMALL, st.booleans(), SMALL,
)  # fmt: skip
def test_the_second_run_goes_where_the_first_goes(
    devices: list, start: tuple, epochs: int, kept: int, bias: F, never_reset: bool, zeta: F
) -> None:
    """Broadcast points and the vectors behind the sketch, whatever the hash, the bias and the noise."""
    problem = federated.Problem(tuple(federated.Quadratic((a, b), (z, y)) for a, b, z, y in devices))
    q = printed.PrintedParameters(
        L=F(1), gamma=F(1, 4), T=3, W=F(1), c=F(2), P_b=F(1, 2), mu=F(1, 3), E=epochs, d=2, k=kept
    )

    def perturb(t: int, gradient: tuple) -> tuple:
        return tuple(bias * g for g in gradient), tuple(t * zeta for _ in gradient)

    first = federated.simulate(problem, q, start, spread_out(3, 12, 2), perturb, never_reset)
    losses = tuple(algorithm1.Loss((a, b), (z, y)) for a, b, z, y in devices)
    setting = algorithm1.Setting(losses, start, q.gamma, q.mu, 3, epochs, kept, 3, 12, bias, never_reset)
    path = algorithm1.play(setting, (F(0), zeta, 2 * zeta))
    assert tuple(map(tuple, path.broadcast)) == first.broadcast
    assert tuple(map(tuple, path.exact)) == first.before_top_k
    assert sorted(map(tuple, path.met)) == sorted(step.iterate for step in first.steps)
    assert algorithm1.left_side(setting, path.exact) == federated.mean_squared_gradient(
        problem, first.before_top_k
    )


@given(SMALL.map(abs), SMALL.map(abs), SMALL.map(abs), SMALL.map(abs), st.integers(1, 4), SMALL.map(abs))
def test_the_printed_formulas_are_the_same_twice(
    mu: F, P_n: F, b2: F, sigma2: F, epochs: int, gap: F
) -> None:
    constants = {
        "L": F(3), "mu": mu, "gamma": F(1, 7), "T": 4, "W": F(2), "c": F(5), "P_b": F(1, 9), "P_n": P_n,
        "B": F(3, 2), "E": epochs, "b2": b2, "sigma2": sigma2, "d": 5, "k": 2,
    }  # fmt: skip
    q = printed.PrintedParameters(**constants)
    case = theorem1.Case(cases._range_without_L().setting, constants, right=theorem1.AS_PRINTED)
    assert theorem1.right_at(case, gap) == printed.right_side(q, gap, favour_paper=False).total
    assert F(str(theorem1.RHO.subs(case.values))) == printed.rho(q)
    assert bool(theorem1.RANGE.subs(case.values)) == (q.gamma <= printed.gamma_range(q))


def test_other_constants_are_a_disagreement() -> None:
    class Played:
        class refutation:
            parameters = printed.PrintedParameters(
                L=F(72), gamma=F(1, 36), T=98, W=F(1), c=F(100), P_b=F(1, 20)
            )

    run = cases.second_run("range-without-L")
    assert run is not None and cases.second_run("another") is None
    with pytest.raises(EvidenceFailed, match="other constants"):
        run.opinion(Played())


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("local-steps-any-reading", {"B": F(1)}),  # z3 on Assumption 5
        ("missing-1-over-rho", {"P_b": F(1, 17)}),  # the bias is larger
        ("range-without-L", {"L": F(71)}),
        ("expectation-dropped", {"sigma2": F(1, 1000)}),
        ("top-k-freezing", {"W": F(1)}),
        ("top-k-freezing", {"c": F(1120)}),  # the sketch is too small
        ("top-k-floor", {"p": 3}),  # Assumption 4
        ("range-without-L", {"gamma": F(1, 10)}),
    ],
)
def test_the_second_run_checks_assumptions(name: str, changes: dict) -> None:
    case = cases.CASES[name]()
    assert not theorem1.opinion(replace(case, constants=case.constants | changes)).admissible


def test_the_second_run_checks_the_power_law_of_each_gradient() -> None:
    """Frozen with a step along both coordinates: |g|_(2) = |g|_(1)."""
    case = cases.CASES["top-k-freezing"]()
    moved = replace(case.setting, losses=(algorithm1.Loss((F(1), F(1)), (F(1, 2), F(1, 2))),))
    assert theorem1.opinion(case).admissible
    assert not theorem1.opinion(replace(case, setting=moved)).admissible


@given(st.lists(SMALL, min_size=1, max_size=3), st.integers(1, 3))
def test_the_power_law_is_the_same_twice(g: list, p: int) -> None:
    ordered = tuple(sorted(map(abs, g), reverse=True))
    assert theorem1._power_law(g, p) == (assumption_checks._power_law_excess(ordered, p) <= 0)


def test_a_rare_violation_is_none() -> None:
    """With δ above the chance of a kick the bound holds often enough."""
    case = cases.CASES["expectation-dropped"]()
    assert not theorem1.opinion(case).holds
    assert theorem1.opinion(replace(case, constants=case.constants | {"delta": F(1, 100)})).holds


def test_recovery_fails_with_the_chance_of_a_collision() -> None:
    setting = replace(cases.CASES["top-k-freezing"]().setting, rows=3, columns=2)
    assert theorem1._exact_recovery(setting) == F(1, 2)


# ------------------------------------------------------------------ independence


def test_second_judges_import_nothing_of_what_they_judge() -> None:
    """Of the package they use the solver, the statements, and what a letter is."""
    allowed = {"theory.errors", "theory.provers", "theory.ledger.statements", "theory.symbols"}
    allowed |= {"theory.provers.second_opinion"}
    for path in Path(second.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("theory"):
                own = node.module.startswith("theory.counterexamples.second")
                assert node.module in allowed or own, path.name
                if node.module == "theory.provers":
                    assert {alias.name for alias in node.names} == {"smt"}
            if isinstance(node, ast.Import):
                assert not any(alias.name.split(".")[0] == "theory" for alias in node.names), path.name


@given(st.tuples(*[st.fractions(-9, 9, max_denominator=20)] * 4), st.integers(1, 5), st.integers(1, 9))
def test_the_letters_of_two_coordinates_mean_what_they_say(values, k, d) -> None:
    """‖a − u‖², ‖a‖² and the printed tail factor, against plain arithmetic."""
    x1, x2, y1, y2 = values
    at = dict(zip((selections.a1, selections.a2, selections.u1, selections.u2), values, strict=True))
    read = {letter: sp.Rational(value.numerator, value.denominator) for letter, value in at.items()}
    assert F(str(selections.LEFT_OUT.subs(read))) == (x1 - y1) ** 2 + (x2 - y2) ** 2
    assert F(str(selections.SIZE.subs(read))) == x1 * x1 + x2 * x2
    tail = selections.TAIL.subs({selections.k: k, selections.d: d})
    assert F(str(tail)) == (F(k + 1) ** -3 - F(d) ** -3) / 3
