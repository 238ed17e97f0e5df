"""What Theorem 1 with every fixable error corrected says, and the runs that break it."""

from dataclasses import replace
from fractions import Fraction as F
from math import sqrt

import pytest
import sympy as sp
from hypothesis import assume, given
from hypothesis import strategies as st

from theory.counterexamples import assumption_checks as check
from theory.counterexamples import corrections, exact_runs
from theory.counterexamples.exact_runs import KEPT_FROM_ZERO, RUNS, TOP_K_FLOOR, TOP_K_FREEZING, ExactRun
from theory.counterexamples.exact_sketch import squared_norm
from theory.counterexamples.federated import LocalStep, Problem, Quadratic, Run, average
from theory.counterexamples.printed import PrintedParameters, at, rho
from theory.counterexamples.refutation import failed
from theory.counterexamples.second import algorithm1, theorem1
from theory.errors import InvalidParameter
from theory.formulas import corrected as formulas
from theory.formulas.sketch import LEMMA1_REPAIRED, TAIL_INTEGRAL
from theory.papers.fps.letters import W, c, d, k, p, tau
from theory.papers.fps.paper import PAPER


def test_each_of_four_fixable_errors_breaks_the_printed_statement_by_itself() -> None:
    """Each corrected alone saves a run that meets every assumption as printed (chapter 3 names the four)."""
    saved = set()
    for found in (run.refutation for run in RUNS if run.refutation.as_printed):
        q, right = found.parameters, found.right
        tail = replace(right, sketch=(1 / q.c + at(TAIL_INTEGRAL, q)) * q.Lam**2 * q.W)
        bounds = {"T1.34": right.total / rho(q), "L1.7": tail.total}
        saved |= {name for name, bound in bounds.items() if found.chance_above(bound) <= q.delta}
        saved |= {"T1.23"} if 2 * q.gamma * q.Lam > 1 else set()
        saved |= {"T1.27"} if sum(left * p for left, p in found.lefts) <= right.total else set()
    assert saved == {"T1.23", "T1.27", "T1.34", "L1.7"}


SIZE = "sketch size for every vector"
POSITIVE = st.integers(1, 9).map(lambda n: F(n, 3))
SHARES = st.integers(1, 40).map(lambda n: F(1, 10 * n))


@st.composite
def constants(draw: st.DrawFn) -> PrintedParameters:
    size = draw(st.integers(2, 5))
    return PrintedParameters(
        L=draw(POSITIVE), mu=draw(POSITIVE), gamma=draw(SHARES), T=draw(st.integers(0, 9)), W=draw(POSITIVE),
        c=1 + draw(POSITIVE), P_b=draw(SHARES), P_n=draw(SHARES), B=1 + draw(POSITIVE), b2=draw(POSITIVE),
        sigma2=draw(POSITIVE), d=size, k=draw(st.integers(1, size - 1)), p=draw(st.integers(1, 4)),
    )  # fmt: skip


@given(constants())
def test_the_rational_bound_of_the_residual_is_at_least_that_of_lemma_1_repaired(
    q: PrintedParameters,
) -> None:
    tail = at(TAIL_INTEGRAL, q)
    values = {c: sp.Rational(q.c), W: sp.Rational(q.W), d: q.d, k: q.k, p: q.p}
    exactly = float(LEMMA1_REPAIRED.subs(values))
    assert exactly == pytest.approx(float(q.W) * (1 / float(q.c) + (sqrt(tail) + 2 / sqrt(q.c)) ** 2))
    young = at(formulas.RESIDUAL_WITH_SELECTION.subs(tau, sp.Rational(tail)), q)
    assert float(young * q.W) >= exactly * (1 - 1e-12)


def case(q: PrintedParameters) -> theorem1.Case:
    setting = algorithm1.Setting((), (), q.gamma, q.mu, q.T, q.E, q.k, 5, 200)
    return theorem1.Case(setting, vars(q), right=theorem1.CORRECTED, stated=theorem1.STATED_CORRECTED)


@given(constants(), POSITIVE)
def test_the_corrected_bound_is_the_same_twice(q: PrintedParameters, gap: F) -> None:
    """And so are the conditions on the constants."""
    assert theorem1.right_at(case(q), gap) == at(formulas.THEOREM1_CORRECTED, q, gap)
    met = [item.holds for item in check.corrected(q, exact_runs.RANGE_WITHOUT_L.sketch) if item.name != SIZE]
    own = [bool(part.subs(case(q).values)) for part in theorem1.STATED_CORRECTED[len(theorem1.STATED) :]]
    assert met == [*own[:3], own[5], own[3], own[4]]


# ------------------------------------------------------------------ all at once


def test_with_every_correction_and_compressible_models_renewed_sketches_still_break_it() -> None:
    """(12·49/50)² in the limit, against 71.2: the broadcast stays, and its gradient is (12, 0)."""
    run, q = TOP_K_FREEZING, TOP_K_FREEZING.parameters
    assert not failed(corrections.all_checks(run, models_too=True))
    assert check.compressible_models([run.refutation.run], q).holds and not run.persistent
    right = corrections.all_corrected(run)
    assert F(71) < right < F(72) and run.refutation.left > 138 and corrections.breaks_all(run)
    assert set(run.refutation.run.broadcast) == {(F(0), F(1))}
    assert any(run.start) and not corrections.breaks_all(replace(run, start=(F(0), F(0))))  # T1.38's note
    assert PAPER.find("T1.38").verdict == PAPER.find("T1.39").verdict == "refuted"


def test_kept_sketches_break_it_only_where_models_are_not_compressible() -> None:
    run = TOP_K_FLOOR
    assert not failed(corrections.all_checks(run, models_too=False))
    missed = failed(corrections.all_checks(run, models_too=True))
    assert run.persistent and missed == ["models compressible"] and corrections.breaks_all(run)
    assert run.refutation.left > F(96, 100) > F(79, 100) > corrections.all_corrected(run)
    visited = {tuple(bool(part) for part in w) for w in run.refutation.run.broadcast}
    assert visited == {(True, False), (False, True)}
    assert not corrections.breaks_all(replace(run, start=(F(0), F(0))))  # T1.39's note
    assert PAPER.find("T1.40").verdict == "valid"


def test_kept_sketches_break_it_from_zero_though_every_gradient_of_a_device_is_compressible() -> None:
    """T1.39's note; both judges find the same numbers."""
    run = KEPT_FROM_ZERO
    assert not any(run.start) and run.persistent and run not in RUNS
    assert failed(corrections.all_checks(run, models_too=True)) == ["models compressible"]
    assert not failed(corrections.all_checks(run, models_too=False)) and corrections.breaks_all(run)
    found = theorem1.BUT_FOR_THE_MODELS.opinion(run)
    assert found.admissible and not found.holds and found.sides[0] == run.refutation.left > F(32, 100)
    assert found.sides[1] == corrections.all_corrected(run) < F(20, 100)
    one, two = (step.gradient for step in run.refutation.run.steps[:2])
    mean, behind = average([one, two]), run.refutation.run.before_top_k[-1]
    lawful = [power_law_of(g, run.parameters) for g in (one, two, mean, behind)]
    assert lawful == [True, True, False, False]
    assert [item.method.data for item in PAPER.find("T1.39").evidence] == [run, TOP_K_FLOOR]


def test_steps_that_meet_assumption_4_add_up_to_the_vector_of_l1_any() -> None:
    """Sorted, with ≤, at every p: (1, 0) and (0, 1) have one non-zero coordinate, (1, 1) has two alike."""
    point = PAPER.find("L1.any").evidence[0].method.point
    assert [value for letter, value in point.items() if letter.name in ("w1", "w2")] == [1, 1]
    steps = ((F(1), F(0)), (F(0), F(1)))
    for power in (1, 2, 400):
        q = replace(KEPT_FROM_ZERO.parameters, p=power)
        both = tuple(map(sum, zip(*steps, strict=True)))
        assert [power_law_of(v, q) for v in (*steps, both)] == [True, True, False]


def power_law_of(g: tuple[F, ...], q: PrintedParameters) -> bool:
    step = LocalStep(0, 0, 0, g, g, (F(0),) * len(g), (F(0),) * len(g))
    return check.power_law([Run((), (), (step,))], q).holds


@pytest.mark.parametrize("B", [F(7, 5), F(1)])
def test_both_judges_ask_for_assumption_5_where_devices_share_their_minimum(B: F) -> None:
    run = replace(KEPT_FROM_ZERO, parameters=replace(KEPT_FROM_ZERO.parameters, B=B, T=3))
    assert "Assumption 5" in failed(corrections.all_checks(run, models_too=False))
    assert not theorem1.BUT_FOR_THE_MODELS.opinion(run).admissible
    met = replace(run, parameters=replace(run.parameters, B=F(2)))
    assert theorem1.BUT_FOR_THE_MODELS.opinion(met).admissible


CURVED = st.tuples(st.integers(0, 5), st.integers(0, 5)).map(lambda pair: tuple(map(F, pair)))


@given(st.lists(CURVED, min_size=2, max_size=4), st.tuples(SHARES, SHARES))
def test_dissimilarity_at_a_common_minimum_is_that_of_the_worst_point(
    curved: list[tuple[F, F]], away: tuple[F, F]
) -> None:
    """No point has more, and a point on an axis has as much."""
    assume(all(sum(column) for column in zip(*curved, strict=True)) and len(set(curved)) > 1)
    problem = Problem(tuple(Quadratic(a, (F(1), F(2))) for a in curved))
    ratios = []
    for s in ((F(1), F(0)), (F(0), F(1)), away):
        w = (1 + s[0], 2 + s[1])
        own = [squared_norm(device.gradient(w)) for device in problem.devices]
        whole = squared_norm(problem.gradient(w))
        ratios.append((sum(own) / len(own) / whole, max(own) / whole))
    found = [item.value for item in check.dissimilarity(problem, KEPT_FROM_ZERO.parameters)[1:]]
    assert found == [max(column) for column in zip(*ratios[:2], strict=True)]
    assert all(value >= other for value, other in zip(found, ratios[2], strict=True))
    apart = Problem((*problem.devices, Quadratic((F(1), F(1)), (F(0), F(2)))))
    with pytest.raises(InvalidParameter, match="common minimum"):
        check.dissimilarity(apart, KEPT_FROM_ZERO.parameters)


@pytest.mark.parametrize(
    ("run", "changes"),
    [
        (TOP_K_FREEZING, {"p": 3}),  # then (12/50, 1) is not compressible
        (TOP_K_FREEZING, {"L": F(13)}),
        (TOP_K_FREEZING, {"P_b": F(1, 12)}),
        (replace(TOP_K_FREEZING, columns=499), {"c": F(2)}),  # two coordinates meet too often
        (TOP_K_FLOOR, {}),
    ],
)
def test_both_judges_refuse_what_the_corrections_exclude(run: ExactRun, changes: dict) -> None:
    other = replace(run, parameters=replace(run.parameters, **changes))
    assert failed(corrections.all_checks(other, models_too=True))
    assert not theorem1.WITH_CORRECTIONS.opinion(other).admissible
