"""The second judges: what they find elsewhere than at the stored instances, and that they share no code."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction as F
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from theory.counterexamples import assumption_checks, exact_runs, federated, printed
from theory.counterexamples.exact_runs import ExactRun
from theory.counterexamples.exact_sketch import spread_out, squared_norm
from theory.counterexamples.second import algorithm1, theorem1
from theory.errors import EvidenceFailed
from theory.ledger import Role, Verdict, cards, graph
from theory.ledger import report as render
from theory.ledger.guards import engines_that_decided
from theory.ledger.judge import Judgement
from theory.ledger.statements import Claim
from theory.papers.fps.letters import real
from theory.papers.fps.paper import PAPER
from theory.provers.replay import OnInstance, Opinion, Second, agreeing

SMALL = st.integers(-4, 4).map(lambda n: F(n, 2))
HALF = (F(1, 2),)
x, y = real("x y")


# ------------------------------------------------------------------ two engines for every entry


def test_every_entry_has_two_engines_or_says_why(judged: Sequence[Judgement]) -> None:
    """Step by step: two engines decide each piece of evidence about the entry; cited lines say why not."""
    nodes = graph.build(PAPER.entries)
    for j in (j for j in judged if "Coq's kernel" not in j.findings[0].outcome.engines):
        own = [f for f in j.findings if f.role.about_the_entry and f.role is not Role.CITATION]
        twice = all(len(engines_that_decided(f)) >= 2 for f in own) and j.entry.verdict is not Verdict.CITED
        reason = render.entry_json(PAPER, j)["why_one_engine"]
        assert twice == (reason is None), j.entry.id
        if reason:
            assert " ".join(reason.split()[:6]) in cards.claim_text(PAPER, j, nodes[j.entry.id])


@pytest.mark.parametrize(
    ("opinion", "fault"),
    [
        (Opinion(False, False, HALF), "hypotheses fail"),
        (Opinion(True, True, HALF), "statement holds"),
        (Opinion(True, False, (F(1, 3),)), "other sides"),
    ],
)
def test_a_second_judge_that_finds_something_else_is_a_disagreement(opinion: Opinion, fault: str) -> None:
    assert agreeing(Second("planted", lambda _: Opinion(True, False, HALF)), None, HALF) == ("planted",)
    with pytest.raises(EvidenceFailed, match=f"engines disagree: planted finds .*{fault}"):
        agreeing(Second("planted", lambda _: opinion), None, HALF)


def test_z3_decides_an_instance() -> None:
    claim = Claim((x > 0, y * x >= 1), y >= x)
    assert theorem1.by_z3(claim, {x: 2, y: 1}) == Opinion(True, False)
    assert theorem1.by_z3(claim, {x: 2, y: 3}) == Opinion(True, True)
    assert not theorem1.by_z3(claim, {x: 2, y: 0}).admissible
    with pytest.raises(EvidenceFailed, match="open"):
        theorem1.by_z3(claim, {x: 2})


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
    noise = [(t * zeta, t * zeta) for t in range(3)]
    first = federated.simulate(problem, q, start, spread_out(3, 12, 2), bias, never_reset, noise)
    losses = tuple(algorithm1.Loss((a, b), (z, y)) for a, b, z, y in devices)
    setting = algorithm1.Setting(losses, start, q.gamma, q.mu, 3, epochs, kept, 3, 12, bias, never_reset)
    path = algorithm1.play(setting, (F(0), zeta, 2 * zeta))
    assert tuple(map(tuple, path.broadcast)) == first.broadcast
    assert tuple(map(tuple, path.exact)) == first.before_top_k
    ends = [step.after(q.gamma) for step in first.steps if step.step == epochs - 1]
    assert sorted(map(tuple, path.met)) == sorted([*(step.iterate for step in first.steps), *ends])
    assert algorithm1.left_side(setting, path.exact) == federated.mean_squared_gradient(
        problem, first.before_top_k
    )


DIRECTION = st.tuples(SMALL, SMALL).filter(any)


@given(DIRECTION, SMALL, *[st.tuples(SMALL, SMALL)] * 3)
def test_a_loss_along_a_vector_has_that_slope_and_that_smoothness(
    direction: tuple, steep: F, lowest: tuple, x: tuple, y: tuple
) -> None:
    """l(y) − l(x) − ⟨∇l(x), y−x⟩ is at most ½|curvature|‖y−x‖², and just that along the vector."""
    loss = federated.Quadratic((steep,), lowest, along=direction)
    for end, exact in ((y, False), (federated.combine(F(2), direction, x), True)):
        apart = federated.combine(F(-1), x, end)
        rest = loss.value(end) - loss.value(x) - federated.inner(loss.gradient(x), apart)
        most = steep / 2 * squared_norm(apart)
        assert rest == most if exact else abs(rest) <= abs(most)
    assert loss.value(lowest) == 0 and not any(loss.gradient(lowest))


def opinion(run: ExactRun, **changes: Any) -> Opinion:
    """What the second judge thinks of a run that claims other constants."""
    return theorem1.SECOND.opinion(replace(run, parameters=replace(run.parameters, **changes)))


@given(SMALL.map(abs), SMALL.map(abs), SMALL.map(abs), SMALL.map(abs), st.integers(1, 4), SMALL.map(abs))
def test_the_printed_formulas_are_the_same_twice(
    mu: F, P_n: F, b2: F, sigma2: F, epochs: int, gap: F
) -> None:
    q = printed.PrintedParameters(
        L=F(3), mu=mu, gamma=F(1, 7), T=4, W=F(2), c=F(5), P_b=F(1, 9), P_n=P_n, B=F(3, 2), E=epochs, b2=b2,
        sigma2=sigma2, d=5, k=2,
    )  # fmt: skip
    setting = algorithm1.Setting((), (), q.gamma, mu, 4, epochs, 2, 5, 200)
    case = theorem1.Case(setting, vars(q), right=theorem1.AS_PRINTED)
    assert theorem1.right_at(case, gap) == printed.right_side(q, gap, favour_paper=False).total
    assert F(str(theorem1.RHO.subs(case.values))) == printed.rho(q)
    assert bool(theorem1.RANGE.subs(case.values)) == (q.gamma <= printed.gamma_range(q))


DENSE = federated.Quadratic((F(1), F(1)), (F(1), F(1)))


@pytest.mark.parametrize(
    ("run", "changes"),
    [
        (exact_runs.LOCAL_STEPS, {"B": F(1)}),  # z3 on Assumption 5
        (exact_runs.MISSING_RHO, {"P_b": F(1, 17)}),  # the bias is larger
        (exact_runs.RANGE_WITHOUT_L, {"L": F(71)}),
        (exact_runs.EXPECTATION_DROPPED, {"sigma2": F(1, 1000)}),
        (exact_runs.TOP_K_FREEZING, {"W": F(1)}),
        (exact_runs.TOP_K_FREEZING, {"c": F(1_200_000)}),  # the sketch is too small
        (replace(exact_runs.TOP_K_FLOOR, devices=(DENSE,)), {"p": 3}),  # Assumption 4
        (exact_runs.POWER_LAW_WITH_A_CONSTANT, {"p": 1}),  # with its constant; with ≤ it would hold
        (exact_runs.HETEROGENEITY_DRIFT, {"W": F(1, 10**4)}),  # the models at the end of a round
        (exact_runs.RANGE_WITHOUT_L, {"gamma": F(1, 10)}),
    ],
)
def test_the_second_run_checks_assumptions(run: ExactRun, changes: dict) -> None:
    assert not opinion(run, **changes).admissible


EVERY_READING = [
    pytest.param(run, i, id=f"{run.story.name} {i}")
    for run in exact_runs.RUNS
    for i in range(len(run.readings))
]


@pytest.mark.parametrize(("named", "which"), EVERY_READING)
def test_both_judges_find_the_same_sides_and_allow_a_certain_failure(named: ExactRun, which: int) -> None:
    """δ = 1 makes Theorem 1 true of every run."""
    run, evidence = named.readings[which], PAPER.find(f"R.{named.story.name}").evidence
    methods = [item.method for item in evidence if isinstance(item.method, OnInstance)]
    found, method = opinion(run), methods[which]
    assert [each.data for each in methods] == list(named.readings)
    assert found.sides == method.numbers(method.data) != ()
    assert (found.admissible, found.holds) == (True, False)
    assert opinion(run, delta=F(1)).holds
    assert not replace(run, parameters=replace(run.parameters, delta=F(1))).refutation.violates


@given(st.lists(SMALL, min_size=1, max_size=3), st.integers(1, 3))
def test_the_power_law_is_the_same_twice(g: list, p: int) -> None:
    ordered = tuple(sorted(map(abs, g), reverse=True))
    assert theorem1._power_law(g, p) == (assumption_checks._power_law_excess(ordered, p) <= 0)


@given(SMALL, st.lists(SMALL, max_size=2), st.lists(st.booleans(), min_size=3, max_size=3), st.integers(1, 3))
def test_the_power_law_with_a_constant_is_the_same_twice(first: F, others: list, signs: list, p: int) -> None:
    """For any gradient, and for one that follows the law: the first entry says all but the signs."""
    d = len(others) + 1
    q = printed.PrintedParameters(L=F(1), gamma=F(1), T=1, W=F(1), c=F(2), P_b=F(1, 2), d=d, p=p)
    lawful = [first / i**p * (1 if plus else -1) for i, plus in zip(range(1, d + 1), signs, strict=False)]
    for g in ([first, *others], lawful):
        found = assumption_checks._law_with_a_constant([tuple(g)], q).holds
        assert theorem1._proportional(g, p) == found
        assert found or g != lawful
