"""Derivations are decided from the lines before, never asserted: what cannot be traced is in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import hypothesis
import pytest
import sympy as sp
from hypothesis import strategies as st
from theory.naming import is_name, is_range
from theory.readings import READINGS, expression, given
from theory.stated import MEANING, STATED

from property_tests.planted_lines import entry, say, status
from theory import derivations, formulas
from theory.errors import EvidenceFailed
from theory.ledger import Claim, Derivation, Judgement, Step, graph, judge
from theory.ledger import collection as ledger
from theory.ledger import report as render
from theory.repaired.small_sketches import Selection
from theory.symbols import E, Lam, P_b, P_n, gamma, real

one, two, three = real("one two three")
DECIDED = (Derivation.RIGHT, Derivation.CONDITIONAL)


@pytest.fixture(scope="module")
def judged() -> Sequence[Judgement]:
    """Every entry that says it is derived."""
    return [judge(line) for line in ledger.entries() if line.derivation is Derivation.DERIVED]


# ------------------------------------------------------------------ the ledger as it stands


def test_every_decided_derivation_accounts_for_every_hypothesis(judged: Sequence[Judgement]) -> None:
    for j in judged:
        assert j.ok, (j.entry.id, j.faults)
        assert j.derivation in (*DECIDED, Derivation.WORDS)
        if j.derivation in DECIDED:
            assert len(j.basis.origins) == len(j.entry.claim.hypotheses)
            assert all(o.source for o in j.basis.origins) and not j.basis.why
            assert j.basis.used or not j.entry.depends
        else:
            assert j.basis.why  # it says what is missing


def test_how_many_are_decided(judged: Sequence[Judgement]) -> None:
    """The numbers of the README; a line that falls back to words is noticed."""
    found = render.derivations(judged)
    assert (found[Derivation.RIGHT], found[Derivation.CONDITIONAL], found[Derivation.WORDS]) == (240, 7, 2)


def test_no_entry_asserts_its_derivation() -> None:
    for line in ledger.entries():
        assert line.derivation in (Derivation.DERIVED, Derivation.WRONG, Derivation.NONE)
    for asserted in (*DECIDED, Derivation.WORDS):
        planted = judge(replace(entry("L2.13"), derivation=asserted))
        assert any("decided, not asserted" in fault for fault in planted.faults)
        assert planted.derivation is Derivation.WORDS


def test_every_reading_is_used() -> None:
    assert set(READINGS) <= {line.id for line in ledger.entries()}
    for name in READINGS:
        assert status(entry(name)).used, name


def test_an_instance_or_an_unproved_line_is_never_right() -> None:
    assert status(replace(entry("RS.c4"), scope="J = 3")).status is Derivation.WORDS
    line = entry("L2.6")
    assert status(line).status is Derivation.RIGHT
    assert derivations.decide(line, False, ledger.find).status is Derivation.WORDS
    assert status(replace(line, scope="one case")).status is Derivation.WORDS


# ------------------------------------------------------------------ planted gaps


@pytest.mark.parametrize("identifier", ["L2.5", "L2.6", "L2.8", "M.3", "M.3a", "T1.28", "RC2.8", "RA.T5a"])
def test_without_its_steps_a_line_is_in_words(identifier: str) -> None:
    line = entry(identifier)
    assert status(line).status is Derivation.RIGHT
    bare = status(replace(line, steps=()))
    assert bare.status is Derivation.WORDS and "not traced" in bare.why


@pytest.mark.parametrize(
    "smuggled", [one <= two, sp.Eq(one, 0), one <= 5, 6 * one * gamma <= 1, sp.Eq(gamma, two)]
)
def test_an_invented_hypothesis_is_a_gap(smuggled: sp.Basic) -> None:
    line = entry("L2.10")
    claim = replace(line.claim, hypotheses=(*line.claim.hypotheses, smuggled))
    assert status(line).status is Derivation.RIGHT
    assert status(replace(line, claim=claim)).status is Derivation.WORDS


@pytest.mark.parametrize(
    ("identifier", "reads"),
    [
        ("L2.5", "apart2: Rr, h2: D/2, L: Lam"),  # twice what smoothness gives
        ("L2.15", "(1 + 1/(E - 1))**E: Q - 2"),
        ("RC2.7a", "-E*t*(E - 1)/2 + E: E_bar + 1"),
        ("RA.T5a", "r: n_len, p_len: q_len, q: 2*z_len"),
        ("T1.28", "Sum: X*T, f0: F0 + fs"),
    ],
)
def test_a_wrong_reading_does_not_give_the_hypothesis(identifier: str, reads: str) -> None:
    line = entry(identifier)
    found = entry(identifier).steps[0]
    planted = replace(line, steps=(given(found.line, reads, found.summed), *line.steps[1:]))
    basis = judge(planted)
    assert basis.derivation is Derivation.WORDS


def test_a_line_that_speaks_of_something_else_is_not_tied() -> None:
    line = replace(entry("L2.10"), depends=("L1.1",))
    basis = status(line)
    assert basis.status is Derivation.WORDS and "not tied" in basis.why


def test_an_idle_step_is_a_fault() -> None:
    line = entry("L2.10")
    planted = judge(replace(line, depends=(*line.depends, "V.1"), steps=(given("L2.9"), given("V.1"))))
    assert any("is not used" in fault for fault in planted.faults)


def test_a_step_must_be_a_line_that_it_depends_on() -> None:
    line = replace(entry("L2.10"), depends=(), steps=(given("L2.9"),))
    with pytest.raises(EvidenceFailed, match="without depending"):
        ledger.check_references((line,))


def test_nothing_follows_from_a_refuted_line_or_an_instance(monkeypatch: pytest.MonkeyPatch) -> None:
    say(monkeypatch, "L2.10", "L1.5r", "(g1 + g2)**2: (a1 + a2)**2, a1 + a2: one")
    a1, a2 = real("a1 a2")
    claim = Claim((a1 >= 0, (a1 + a2) ** 2 <= one**2), (a1 + a2) ** 2 <= one**2 + a1)
    for source, reads in (("L1.5", "g1 + g2: one"), ("L1.5r", "(g1 + g2)**2: (a1 + a2)**2, a1 + a2: one")):
        planted = replace(entry("L2.10"), claim=claim, depends=(source,), steps=(given(source, reads),))
        with pytest.raises(EvidenceFailed, match="nothing follows|instance only"):
            status(planted)


def test_what_an_earlier_line_asks_for_must_hold() -> None:
    """Lemma 2 is used with its step-size condition, or not at all."""
    line = entry("M.8")
    kept = tuple(h for h in line.claim.hypotheses if not h.has(gamma) or h.has(real("D")[0]))
    with pytest.raises(EvidenceFailed, match="asks for"):
        status(replace(line, claim=replace(line.claim, hypotheses=kept)))


@pytest.mark.parametrize("identifier", ["L2.12", "L2.15d", "L2.16", "L2.17", "L2.18"])
def test_the_step_size_is_asked_for_though_the_letters_of_the_line_do_not_show_it(identifier: str) -> None:
    """f = −w²/2, γ = 10, E = 3: without γ ≤ 1/(4EΛA) no multiple of E²γ²(…) bounds the drift."""
    line = entry(identifier)
    kept = tuple(h for h in line.claim.hypotheses if not h.has(Lam) or h == (Lam > 0))
    assert len(kept) == len(line.claim.hypotheses) - 1
    with pytest.raises(EvidenceFailed, match=r"asks for .*gamma"):
        status(replace(line, claim=replace(line.claim, hypotheses=kept)))


def test_only_linear_relations_are_summed() -> None:
    line = entry("L2.8")
    product = replace(entry("L2.8a"), claim=Claim((), expression("(g0+r)**2") <= expression("g0**2*r**2")))
    find = {"L2.8a": product}.get
    with pytest.raises(EvidenceFailed, match="not linear"):
        derivations.decide(line, True, lambda name: find(name) or entry(name))


def test_an_induction_needs_its_start() -> None:
    line = entry("RC2.4")
    step = line.steps[0]
    for base in (
        (),
        ((expression("bernoulli*(1 - t)"), sp.Integer(-1)), (expression("n + 1"), sp.Integer(0))),
    ):
        planted = judge(replace(line, steps=(replace(step, base=base),)))
        assert any("start of the induction" in fault for fault in planted.faults)


def test_an_induction_does_not_use_its_own_conclusion() -> None:
    """one ≤ two is proved from two − one ≥ 0, which would follow from the conclusion itself."""
    claim = Claim((one + three <= two, three >= 0), one <= two)
    for reads in ((), ((three, three),), ((three, three + 1),)):
        circular = Step("L2.10", reads, base=((one, sp.Integer(0)), (two, sp.Integer(0))))
        planted = replace(entry("L2.10"), claim=claim, depends=(), steps=(circular,))
        with pytest.raises(EvidenceFailed, match="its own conclusion"):
            status(planted)


def test_several_lines_may_give_a_hypothesis_together() -> None:
    line = entry("L2.12")
    sources = {o.hypothesis: o.source for o in status(line).origins}
    assert all(name in sources["D1 <= C + D*(1 + 1/(E - 1))"] for name in ("L2.8", "L2.9", "L2.10", "L2.11"))
    for n in (1, 2, 3):  # L2.11 is about E alone: z3 knows it
        fewer = replace(line, steps=tuple(s for i, s in enumerate(line.steps) if i != n))
        assert judge(fewer).derivation is Derivation.WORDS


def test_only_an_implication_states_a_hypothesis() -> None:
    """h ≤ H is printed in RD.D2c; without the arrow, or where no hypothesis says so, it is no excuse."""
    line = entry("RD.D2c")
    assert status(line).status is Derivation.RIGHT and line.stated
    assert status(replace(line, stated=())).status is Derivation.WORDS
    for planted in (replace(line, printed=r"\sqrt{h}"), replace(line, stated=(one <= two,))):
        assert any("does not state" in fault for fault in judge(planted).faults)


def test_who_uses_an_implication_has_to_show_its_condition() -> None:
    line = entry("RD.D2")
    assert status(line).status is Derivation.RIGHT
    kept = tuple(h for h in line.claim.hypotheses if not isinstance(h, sp.Eq))  # without H = D + LS
    with pytest.raises(EvidenceFailed, match="RD.D2c asks for h <= H"):
        status(replace(line, claim=replace(line.claim, hypotheses=kept)))


def test_a_claim_about_integers_asks_for_them() -> None:
    """L2.14i holds from E = 2 on: a line about E ≥ 1 cannot use it."""
    line = entry("L2.15")
    early = replace(line.claim, hypotheses=(E >= 1, *line.claim.hypotheses[1:]))
    with pytest.raises(EvidenceFailed, match="L2.14i asks for E > 1"):
        status(replace(line, claim=early))


def test_what_is_not_derived_says_why() -> None:
    reasons = {line.id: status(line).why for line in ledger.entries() if line.derivation is Derivation.NONE}
    assert all(reasons.values())
    assert reasons["CS.4"] == "taken from the literature"
    assert reasons["U.3"].startswith("a question about L2") and reasons["S.3"].startswith("a starting point")


def test_a_line_that_rests_on_a_refuted_one_says_so() -> None:
    assert "L1 is refuted" in status(entry("T1.26")).why
    assert "decided in part" in status(replace(entry("RS.c4"), scope="J = 3")).why


# ------------------------------------------------------------------ ranges and names


def test_ranges() -> None:
    for good in (one >= 0, one > 0, one >= 2, one <= 1, E >= 2, P_b < sp.Rational(1, 24)):
        assert is_range(good), good
    for bad in (
        one <= 0,
        one < 0,
        one <= 5,
        one < sp.Rational(1, 2),
        one <= two,
        one + two >= 0,
        sp.Eq(one, 0),
        one >= -1,
    ):
        assert not is_range(bad), bad


def test_names() -> None:
    def named(equation: sp.Basic, *others: sp.Basic) -> bool:
        return is_name(equation, Claim((equation, *others), one <= two))

    assert named(sp.Eq(one, two + three))
    assert named(sp.Eq(one**2, two**2), one >= 0)
    assert not named(sp.Eq(one, 0))  # a value, not a name
    assert not named(sp.Eq(P_n, two))  # a constant of the theory keeps its meaning
    assert not named(sp.Eq(one, two + three), sp.Eq(one, two))  # defined twice
    assert not named(sp.Eq(one, two), sp.Eq(two, one + three))  # circular
    assert not named(sp.Eq(one, one * two, evaluate=False))
    assert not named(sp.Eq(one**2, two**2))  # which root?
    assert not named(sp.Eq(one**2, two), one >= 0)  # of a negative number?


def test_the_conditions_of_corollary_2_are_those_of_the_calculator() -> None:
    """K1 to K3 with g = Lγ, P = P_bB², t = γμ are γ ≤ upper/slope."""
    letters = {s.name: s for c in formulas.COROLLARY2_CONDITIONS for s in (c.upper + c.slope).free_symbols}
    written = {"g": "L*gamma", "P": "P_b*B**2", "t": "gamma*mu", "c_b": "1 + sqrt(P_b)"}
    written["c"] = "1 + sqrt(P_b) + sqrt(P_n)"
    values = {
        expression(old): sp.sympify(new, locals={**letters, "gamma": gamma}) for old, new in written.items()
    }
    values[expression("nu")] = formulas.nu
    for name, condition in zip(("K1", "K2", "K3"), formulas.COROLLARY2_CONDITIONS, strict=True):
        relation = STATED[name][0]
        slack = (relation.rhs - relation.lhs).subs(values, simultaneous=True)
        wanted = condition.upper - gamma * condition.slope
        plain = {s: sp.Symbol(s.name, positive=True) for e in (slack, wanted) for s in e.free_symbols}
        ratio = sp.simplify(slack.subs(plain) / wanted.subs(plain))
        assert ratio.is_number and ratio > 0, name


# ------------------------------------------------------------------ what a reader is shown


def test_the_basis_is_printed_and_in_the_document(judged: Sequence[Judgement]) -> None:
    nodes = graph.build(ledger.entries())
    by_id = {j.entry.id: j for j in judged}
    shown = render.claim_text(by_id["L2.8"], nodes["L2.8"])
    assert "derivation    right" in shown and "from L2.8a" in shown and "from S.2" in shown
    assert "in words: not traced" in render.claim_text(by_id["T1.25"], nodes["T1.25"])
    basis = render.entry_json(by_id["L2.8"])["derivation_basis"]
    assert {h["from"] for h in basis["hypotheses"]} >= {"S.2", "L2.8a", "range"}
    document = render.document(judged, {j.entry.id: nodes[j.entry.id] for j in judged})
    assert document["summary"]["derivations"]["in words"] == 2
    assert "247 decided by evidence (240 right, 7 conditional, 0 wrong), 2 in words" in render.summary(
        judged, {}
    )
    assert Step("S.2").reads == ()


def test_facts_that_no_line_proves_are_named(judged: Sequence[Judgement]) -> None:
    """Uncorrelatedness is declared and the entries say so; of top-k only the definition is taken."""
    found = {name: set[str]() for name in MEANING}
    nodes = graph.build(ledger.entries())
    for j in judged:
        told = render.entry_json(j)["derivation_basis"]["declared"]
        for name in told:
            found[name].add(j.entry.id)
            assert f"{name} is" in " ".join(render.claim_text(j, nodes[j.entry.id]).split())
    assert found == {
        "UNC": {"RS.c3", "RS.c7", "RA.T4a"},
        "NU": {"RA.T4"},
        "WEIGHTS": {"RC2.1"},
        "CLEAN": {"RS.d1i"},
        "WITHIN": {"RS.c2"},
        "TOPK": {"RS.a0", "RF.7a"},
        "MAX": {"RS.a4k", "RS.d1b", "RS.d1c", "RS.d1t", "RF.4t", "RF.7b"},
        "LEAST": {"RA.T6m", "RA.T6", "RA.R1"},
        "ORDER": {"RS.c5m", "RS.c5", "RS.c6h", "RS.d1"},
        "IND": {"RS.c5i", "RS.c5e", "RS.d1u"},
        "REACHES": {"RS.c5i", "RS.c6i", "RS.d1i"},
        "START": {"L2"},
    }
    assert "not proved" in MEANING["UNC"]


@hypothesis.given(
    st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=6), st.integers(1, 6)
)
def test_of_equally_many_coordinates_those_kept_have_the_larger_estimates(pairs: list, k: int) -> None:
    """RS.a0 on vectors: C and Q are what the top-k of the vector and of its estimate do not share."""
    sample = Selection(tuple(v for v, _ in pairs), tuple(e for _, e in pairs), k)
    out, inside = sample.best - sample.chosen, sample.chosen - sample.best
    assert len(out) == len(inside)
    assert sum(sample.estimate[i] ** 2 for i in out) <= sum(sample.estimate[i] ** 2 for i in inside)
