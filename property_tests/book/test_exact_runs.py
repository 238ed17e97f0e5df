"""The page plays the runs that break Theorem 1 as Python does: the same fractions, digit for digit."""

from dataclasses import replace
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from book.bookkit import exact_runs, js_formulas
from property_tests.book import node
from property_tests.book.node import needs_node
from theory.counterexamples.assumption_checks import bounded_iterates
from theory.counterexamples.exact_runs import POWER_LAW_WITH_A_CONSTANT
from theory.counterexamples.exact_runs import RUNS as PLAYED
from theory.counterexamples.federated import Quadratic

ENGINE = js_formulas.source("exact.js", "exact_run.js")
TEXT = "r => { const x = reduced(r); return `${x.n}/${x.d}`; }"
RUNS = exact_runs.every()
HALVES = st.integers(-4, 4).map(lambda n: Fraction(n, 2))
NOT_ZERO = HALVES.filter(bool)


def played(runs: list[dict]) -> list[dict]:
    call = (
        f"run => {{ const text = {TEXT}, j = judge(run); return {{left: text(j.left), right: text(j.right),"
        " broken: j.broken, inRange: j.inRange, quarter: j.quarter, appendix: j.appendix, rho: text(j.rho),"
        " last: j.broadcast[run.T].map(text), all: j.broadcast.length, W: text(j.W),"
        " least: text(judge({...run, W: '0'}).W)}; }"
    )
    return node.evaluate(ENGINE, call, runs)


@needs_node
def test_every_refutation_is_played_with_the_same_fractions() -> None:
    """Kept sketches too, where a run is claimed for both."""
    everything = [run.refutation for named in PLAYED for run in named.readings]
    answers = played([exact_runs.as_run(found) for found in everything])
    assert [exact_runs.as_run(run.refutation) for run in PLAYED] == list(RUNS.values())
    for answer, found in zip(answers, everything, strict=True):
        assert Fraction(answer["left"]) == found.left, found.name
        assert Fraction(answer["right"]) == found.right.total, found.name
        assert [Fraction(x) for x in answer["last"]] == list(found.run.broadcast[-1]), found.name
        assert answer["all"] == len(found.run.broadcast) and answer["broken"] == found.violates
        assert answer["inRange"] and answer["quarter"]
        assert answer["appendix"] == found.meets_appendix_conditions, found.name
        energy = bounded_iterates([found.run], found.parameters).value
        assert Fraction(answer["least"]) == energy, "W is of every model, local ones too"
        assert Fraction(answer["W"]) == found.parameters.W, found.name


@needs_node
@settings(max_examples=5)
@given(st.tuples(NOT_ZERO, HALVES), NOT_ZERO, st.tuples(HALVES, HALVES), st.booleans())
def test_a_loss_that_is_curved_along_one_vector_is_played_alike(
    along: tuple, steep: Fraction, centre: tuple, kept: bool
) -> None:
    """Wherever it lies, and with any curvature: on the page that is 1, and the centre is 0."""
    device = Quadratic((abs(steep),), centre, along=along)
    q = replace(POWER_LAW_WITH_A_CONSTANT.parameters, T=3, W=Fraction(10**6))
    run = replace(POWER_LAW_WITH_A_CONSTANT, devices=(device,), parameters=q, persistent=kept)
    (answer,) = played([exact_runs.as_run(run.refutation)])
    assert Fraction(answer["left"]) == run.refutation.left
    assert Fraction(answer["right"]) == run.refutation.right.total
