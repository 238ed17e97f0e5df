"""The repaired theory in the ledger: planted errors are rejected. `test_ledger.py` judges the lines."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as Fr

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from theory.counterexamples.dropped.exact_star import ClaimedConstants, right_side_up, root_down, root_up
from theory.errors import InvalidParameter
from theory.ledger import Claim, Entry, Verdict, graph, judge
from theory.ledger import collection as ledger
from theory.provers import AtPoint
from theory.rates.parameters import Parameters
from theory.rates.theorem_a import Sources, star
from theory.repaired import conditions, entries
from theory.repaired import sketch_instances as si
from theory.symbols import ABBREVIATIONS

ALL = {entry.id: entry for entry in entries()}
SCALAR_LINES = [e for e in ALL.values() if isinstance(e.claim, Claim) and e.verdict is Verdict.VALID]
INEQUALITIES = [e for e in SCALAR_LINES if isinstance(e.claim.statement, sp.Le | sp.Lt | sp.Ge | sp.Gt)]
EQUATIONS = [e for e in SCALAR_LINES if isinstance(e.claim.statement, sp.Eq)]
FLIPPED = {sp.Le: sp.Ge, sp.Lt: sp.Gt, sp.Ge: sp.Le, sp.Gt: sp.Lt}
WANTED = {
    "RD": "P1 P2 P3 D1 D2 D3 D4 D5 S1 S2 S3 S4 S5 S6",
    "RA": "C1 C2 C3 C4 T1 T2 T3 T4 T5 T6 R1 R2 R3 R4",
    "RC1": "1 2 3 4",
    "RC2": "1 2 3 4 5 6 8 9 10 11 12 13 14 15 16 17",
    "RS": "a1 a2 a3 a4 a5 b1 b2 b3 c1 c2 c3 c4 c5 c6 c7 d1",
    "RF": "1 2 3 4 5 6 7 8",
    "RU": "1 2 3 4 5 6 7",
    "RX": "beta-depends-on-noise without-replacement replayed-noise",
}


def with_statement(entry: Entry, statement: sp.Basic) -> Entry:
    """The same evidence for another statement."""
    return replace(entry, claim=replace(entry.claim, statement=statement), evidence=entry.evidence[:1])


def test_every_line_of_the_proofs_has_an_entry() -> None:
    wanted = {f"{prefix}.{name}" for prefix, names in WANTED.items() for name in names.split()}
    assert wanted <= set(ALL)
    assert len(ALL) == len(entries())
    shared = {"M.3a", "V.2", "V.3", "V.4"}  # facts about norms that both proofs use
    assert all(set(entry.depends) <= {*ALL, *shared} for entry in ALL.values())
    nodes = graph.build(ledger.entries())
    assert all(nodes[name].status == "stands" for name in shared)


def test_no_local_letter_is_an_abbreviation_of_the_paper() -> None:
    """x, y and Λ are written out as P_nB², P_bB² and L + μ when a formula is shown."""
    for entry in ALL.values():
        claims = [entry.claim, *(item.claim for item in entry.evidence if item.claim is not None)]
        used = {symbol for claim in claims if isinstance(claim, Claim) for symbol in claim.symbols}
        assert not used & set(ABBREVIATIONS), entry.id
        assert all(claim.text == str(claim.statement) for claim in claims if isinstance(claim, Claim))


def test_cited_lines_are_the_classical_ones_only() -> None:
    cited = {entry.id for entry in ALL.values() if entry.verdict is Verdict.CITED}
    assert cited == {"RD.D2a", "RA.C5", "RA.T3c", "RS.b2", "RS.c2a", "RF.4"}


@pytest.mark.parametrize("entry", INEQUALITIES, ids=lambda e: e.id)
def test_a_reversed_inequality_is_rejected(entry: Entry) -> None:
    statement = entry.claim.statement
    reversed_ = FLIPPED[statement.func](statement.lhs, statement.rhs)
    assert not judge(with_statement(entry, reversed_)).ok


@pytest.mark.parametrize("entry", EQUATIONS, ids=lambda e: e.id)
def test_a_shifted_equation_is_rejected(entry: Entry) -> None:
    statement = entry.claim.statement
    assert not judge(with_statement(entry, sp.Eq(statement.lhs, statement.rhs + 1, evaluate=False))).ok


# Nothing is lost in these lines, so 1 % less must fail.
TIGHT = ("RD.S1", "RD.D3x", "RC2.3", "RC2.5", "RC2.10", "RA.C1", "RS.a3", "RS.a5", "RF.3")


@pytest.mark.parametrize("name", TIGHT)
def test_one_percent_less_is_rejected(name: str) -> None:
    entry = ALL[name]
    statement = entry.claim.statement
    sides = (statement.lhs, statement.rhs)
    small, large = sides if isinstance(statement, sp.Le) else sides[::-1]
    assert not judge(with_statement(entry, small <= sp.Rational(99, 100) * large)).ok


@pytest.mark.parametrize("name", ["RD.D4", "RA.T6", "RC2.16", "RF.8", "RC1.4"])
def test_contradictory_hypotheses_are_rejected(name: str) -> None:
    entry = ALL[name]
    symbol = entry.claim.symbols[0]
    contradictory = replace(entry.claim, hypotheses=(*entry.claim.hypotheses, symbol > 1, symbol < 0))
    assert not judge(replace(entry, claim=contradictory)).ok


@pytest.mark.parametrize("name", ["RD.D3x", "RC2.5", "RA.T5", "RC2.16", "RF.7"])
def test_a_dropped_hypothesis_is_noticed(name: str) -> None:
    """Every hypothesis that the evidence names is needed by it."""
    entry = ALL[name]
    fewer = replace(entry.claim, hypotheses=entry.claim.hypotheses[:-1])
    assert not judge(replace(entry, claim=fewer)).ok


def test_seven_halves_is_not_the_best_constant_but_two_is() -> None:
    """D5 holds with 7/2 and fails with 3; S4 shows that nothing below 2 can hold."""
    s, D, b, N = (next(x for x in ALL["RD.D5"].claim.symbols if x.name == n) for n in ("s", "D", "b", "N"))
    weaker = ((1 + s) * D + b + N) ** 2 <= 3 * ((1 + 2 * s**2) * D**2 + b**2 + N**2)
    point = {s: sp.Rational(1, 2), D: 1, b: 1, N: 1}
    assert AtPoint(point).decide(Claim((), weaker)).ok


# ---------------------------------------------------------------- assumptions that bite


@pytest.mark.parametrize(("name", "build"), [(name, build) for name, build, _ in conditions.RUNS])
def test_dropping_an_assumption_violates_the_bound(name: str, build) -> None:  # type: ignore[no-untyped-def]
    run = build()
    assert run.A > run.allowed
    assert all(holds for _, holds in run.kept)
    assert not run.dropped_holds


@pytest.mark.parametrize(("name", "build"), [(name, build) for name, build, _ in conditions.RUNS])
def test_honest_constants_restore_the_bound(name: str, build) -> None:  # type: ignore[no-untyped-def]
    run = build()
    assert run.A <= right_side_up(replace(run.claimed, **conditions.HONEST[name]), run.A)


def test_the_law_of_a_run_keeps_its_mass() -> None:
    """A fair random walk: E w_t² = t."""
    squares = conditions.expected_squares(
        Fr(0), lambda w: [(p, w + z) for p, z in conditions.SIGN], lambda w: w, 6
    )
    assert squares == [Fr(t) for t in range(6)]


# ---------------------------------------------------------------- (★) in rationals, against the calculator

unit = st.fractions(0, 1, max_denominator=40)
steps = st.fractions(Fr(1, 50), Fr(1, 5), max_denominator=50)


@given(st.tuples(unit, unit, unit, unit, unit), unit, st.integers(1, 4), steps)
def test_exact_star_is_never_below_the_calculator(errors: tuple[Fr, ...], A: Fr, E: int, gamma: Fr) -> None:
    G2, P_b, b2, P_n, s2 = errors
    q = ClaimedConstants(Fr(1), gamma, E, Fr(4), *errors, Fr(1, 3), Fr(1), 50)
    sources = Sources(Delta=1, G2=G2, b2=b2, sigma2=s2)
    value = star(Parameters(1, 0, E, 2, P_b, P_n, nu=Fr(1, 3)), gamma, 50, sources).at(float(A)).bound
    assert value <= float(right_side_up(q, A)) * (1 + 1e-12) + 1e-12  # rounding of some float operations


@given(st.fractions(0, 1000))
def test_roots_enclose(value: Fr) -> None:
    assert root_down(value) ** 2 <= value <= root_up(value) ** 2


def test_exact_star_refuses_large_steps() -> None:
    with pytest.raises(InvalidParameter, match="u"):
        right_side_up(ClaimedConstants(Fr(1), Fr(1), E=2), Fr(1))


# ---------------------------------------------------------------- instances behind Lemma 1'


def test_selection_instances_can_fail() -> None:
    """The finite checks are not vacuous: without the selection term, or with half of it, they fail
    somewhere.
    """
    bad = si.Selection((10, 9), (9, 10), 1)
    assert si.within_max_form(bad)
    assert si.residual2(bad) == 101
    assert si.tail2(bad) == 81
    without = [s for s in si.selections(2, 2) if si.residual2(s) > s.k * _eta(s) ** 2 + si.tail2(s)]
    assert without


def _eta(s: si.Selection) -> int:
    return max(abs(s.estimate[i] - s.v[i]) for i in s.chosen | s.best)


@given(st.integers(-50, 50), st.integers(0, 9), st.integers(0, 9), st.integers(-50, 50))
def test_comparison_with_a_root_is_exact(plain: int, factor: int, radicand: int, value: int) -> None:
    exact = sp.Integer(value) <= plain + factor * sp.sqrt(radicand)
    assert si.at_most_with_root(value, plain, factor, radicand) == bool(exact)


def test_row_law_is_a_law() -> None:
    for row in (si.RandomRow((3, 1, 1), 0, 2, 1), si.RandomRow((4, 2, 1, 1), 2, 3, 2)):
        assert sum(row.law().values()) == 1
