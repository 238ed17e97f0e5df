"""The ledger: every entry's evidence checks out, and planted errors do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
import sympy as sp
from theory.integers import for_integers
from theory.scrutiny import without_certificate, without_z3

from property_tests.planted_lines import entry
from theory import formulas
from theory.assumptions import ASSUMPTIONS
from theory.errors import EvidenceFailed, InvalidParameter
from theory.ledger import (
    Claim,
    Derivation,
    Entry,
    FiniteClaim,
    Judgement,
    Role,
    Test,
    Verdict,
    counterexample,
    equal,
    graph,
    judge,
    missing_evidence,
    proof,
    proof_if,
    show_satisfiable,
)
from theory.ledger import collection as ledger
from theory.ledger import report as render
from theory.paper.theorem1 import final as theorem1_final
from theory.paper.theorem1 import rate as theorem1_rate
from theory.provers import AtPoint, OnInstance, Positivity, Solver
from theory.provers.coordinates import power_sums
from theory.symbols import QUANTITIES, E, Lam, gamma, in_paper_letters, real, x, y

PAPER = ("S.", "CS.", "L1", "L2", "M.", "T1", "U.")
IMPOSSIBLE = real("impossible")[0]


def paper_entries() -> tuple[Entry, ...]:
    return tuple(entry for entry in ledger.entries() if entry.id.startswith(PAPER))


# ------------------------------------------------------------------ the ledger as it stands


def test_every_entry_checks_out(judged: Sequence[Judgement]) -> None:
    assert {j.entry.id: j.faults for j in judged if not j.ok} == {}


def test_every_entry_shows_a_model_of_its_hypotheses(judged: Sequence[Judgement]) -> None:
    assert [j.entry.id for j in judged if not j.model] == []


def test_every_row_of_the_audit_is_decided(judged: Sequence[Judgement]) -> None:
    assert {row for j in judged for row in j.entry.audit_rows} == set(range(1, 45))


def test_the_truth_of_a_line_is_read_off_its_evidence(judged: Sequence[Judgement]) -> None:
    truths = {j.entry.id: j.truth for j in judged}
    assert truths["M.11"] == truths["M.12"] == "true"  # absorbed: derivation wrong, statement true
    assert truths["M.17"] == truths["M.21"] == "false"  # absorbed: the statement itself is false
    assert truths["S.7"] == truths["L1.2"] == "true under the condition"
    assert truths["L2.11"] == truths["M.18"] == "true exactly under the condition"
    assert truths["CS.4"] == "taken on trust"
    valid = {j.entry.id for j in judged if j.entry.verdict is Verdict.VALID}
    instances = {name for name in valid if truths[name] == "true (instance; general step in words)"}
    assert instances == {name for name in valid if entry(name).scope}
    assert {truths[name] for name in valid - instances} == {"true"}
    assert {truths[j.entry.id] for j in judged if j.entry.verdict is Verdict.REFUTED} == {"false"}


def test_no_other_verdict_fits_the_same_evidence(judged: Sequence[Judgement]) -> None:
    for j in judged:
        roles = {f.role for f in j.findings if f.outcome.ok}
        assert not missing_evidence(j.entry, roles)
        for other in set(Verdict) - {j.entry.verdict}:
            assert missing_evidence(replace(j.entry, verdict=other), roles), (j.entry.id, other)


def test_no_role_that_a_verdict_demands_can_be_left_out(judged: Sequence[Judgement]) -> None:
    """Without any evidence nothing stands; without its proofs nothing is valid."""
    for j in judged:
        assert missing_evidence(j.entry, set())
        roles = {f.role for f in j.findings} - {Role.PROOF, Role.PROOF_IF, Role.COVER, Role.CITATION}
        if j.entry.verdict is not Verdict.REFUTED:
            assert missing_evidence(j.entry, roles), j.entry.id


def test_worker_processes_give_the_same_judgement(judged: Sequence[Judgement]) -> None:
    for j in judged[::29]:
        here = judge(j.entry)
        assert (here.faults, here.model, here.truth) == (j.faults, j.model, j.truth)


# ------------------------------------------------------------------ two engines, sharp conditions

Z3_ALONE = {"L2.11"}  # at E = 1 the line is undefined: no certificate of polynomials
Z3_SILENT = {  # products of many letters: sympy and own arithmetic agree, z3 gives no answer with this effort
    *("RD.D4a", "RD.D4b", "RD.D4c", "RA.C1r", "RA.C3", "RA.C4s", "RA.C4f", "RA.T6a", "RC2.16c"),
}


def test_every_inequality_is_decided_by_a_certificate_and_by_z3(judged: Sequence[Judgement]) -> None:
    """No step rests on z3 alone unless its entry says why; the steps that z3 leaves open are named here."""
    assert {j.entry.id for j in judged if without_certificate(j.findings)} == Z3_ALONE
    silent = [j for j in judged if without_z3(j.findings)]
    assert {j.entry.id for j in silent} == Z3_SILENT
    assert all({"sympy", "fractions"} <= set(j.findings[0].outcome.engines) for j in silent)
    assert {j.entry.id for j in judged if j.entry.alone} == Z3_ALONE


def test_identities_and_points_are_decided_twice(judged: Sequence[Judgement]) -> None:
    for j in judged:
        for found in j.findings:
            if found.outcome.kind.startswith("identity") or "at " in found.outcome.detail[:3]:
                assert {"sympy", "fractions"} <= set(found.outcome.engines), j.entry.id


def test_sharp_conditions_are_labelled(judged: Sequence[Judgement]) -> None:
    sharp = {j.entry.id for j in judged if j.sharp}
    assert sharp == {"S.4", "L1.4w", "L2.11", "M.18", "T1.21", "T1.21c", "RA.R3"}
    nodes = graph.build(ledger.entries())
    for j in judged:
        text, document = render.claim_text(j, nodes[j.entry.id]), render.entry_json(j)
        assert ("necessary and sufficient" in text) == document["condition_is_necessary"] == j.sharp


def test_no_statement_is_shown_as_true(judged: Sequence[Judgement]) -> None:
    assert [j.entry.id for j in judged if j.entry.claim.text in ("True", "False")] == []


# ------------------------------------------------------------------ planted errors

HALVED = ("S.3", "L2.4", "L2.10", "M.3b", "M.9", "T1.5", "T1.13", "T1.30", "T1.31", "T1.22c", "L2.15")


@pytest.mark.parametrize("identifier", HALVED)
def test_a_dropped_factor_two_is_rejected(identifier: str) -> None:
    line = entry(identifier)
    relation = line.claim.statement
    side = {sp.Le: 1, sp.Lt: 1, sp.Ge: 0, sp.Gt: 0}[relation.func]
    halved = [part / 2 if n == side else part for n, part in enumerate(relation.args)]
    if relation.func is sp.Ge:
        halved = [relation.lhs, 2 * relation.rhs]
    wrong = replace(line, claim=replace(line.claim, statement=relation.func(*halved)))
    assert judge(line).ok
    assert not judge(wrong).ok


FLIPPED = (
    "S.3",
    "L2.3",
    "L2.5",
    "L2.6",
    "L2.8",
    "L2.9",
    "L2.12",
    "M.3a",
    "M.8",
    "M.15",
    "T1.5c",
    "T1.10",
    "T1.26",
)


@pytest.mark.parametrize("identifier", FLIPPED)
def test_a_flipped_inequality_is_rejected(identifier: str) -> None:
    line = entry(identifier)
    relation = line.claim.statement
    wrong = replace(line, claim=replace(line.claim, statement=relation.func(relation.rhs, relation.lhs)))
    assert not judge(wrong).ok


@pytest.mark.parametrize("identifier", ["L2.8", "M.17", "T1.8", "T1.21", "L2.11", "S.7"])
def test_contradictory_hypotheses_are_rejected(identifier: str) -> None:
    line = entry(identifier)
    claim = replace(line.claim, hypotheses=(*line.claim.hypotheses, IMPOSSIBLE > 1, IMPOSSIBLE < 0))
    _, faults = show_satisfiable(replace(line, claim=claim))
    assert faults
    assert not judge(replace(line, claim=claim)).ok


def test_contradictory_hypotheses_of_a_cover_are_rejected() -> None:
    line = entry("T1.12")
    items = tuple(
        replace(
            item,
            claim=replace(item.claim, hypotheses=(*item.claim.hypotheses, IMPOSSIBLE > 1, IMPOSSIBLE < 0)),
        )
        if item.role is Role.COVER
        else item
        for item in line.evidence
    )
    assert not judge(replace(line, evidence=items)).ok


def test_an_unrelated_link_breaks_a_chain_of_the_ledger() -> None:
    """Each link is true by itself; the chain must still end where the claim does."""
    line = entry("L2.14t")
    chain = line.evidence[0].method
    (first, second), other = chain.links, entry("L2.14i")  # type: ignore[attr-defined]
    unrelated = (other.claim, other.evidence[0].method)
    short, long = ((first,), (second,), (first, unrelated)), (first, second, unrelated)
    for links in (*short, long, long[::-1]):
        planted = replace(line, evidence=(proof(replace(chain, links=links)),))
        assert any("not tied" in fault for fault in judge(planted).faults), len(links)


def test_a_wrong_claim_about_all_integers_is_rejected() -> None:
    line = entry("L2.14i")
    power = line.claim.form.relation.lhs
    assert judge(line).ok
    for wrong in (power <= 3, power / 2 <= 1, power >= 4, power <= 4 - 1 / E):
        claim = for_integers(E, 2, wrong)
        assert not judge(replace(line, claim=claim)).ok, wrong


@pytest.mark.parametrize("identifier", ["L1.7r", "L1.7m"])
def test_a_wrong_bound_of_a_sum_is_rejected(identifier: str) -> None:
    line = entry(identifier)
    form = line.claim.form
    for factor, above in ((sp.Rational(1, 2), False), (1, True)):
        bounds = {n: factor * bound for n, bound in form.bounds.items()}
        claim = power_sums("planted", replace(form, bounds=bounds, above=above), "2p from 3 to 12")
        assert not judge(replace(line, claim=claim)).ok


def test_a_sum_needs_its_condition_on_each_coordinate() -> None:
    line = entry("L1.2")
    free = replace(line.condition, each=None)  # the test still says so, but no coordinate may use it
    assert not judge(replace(line, condition=free)).ok


def test_a_counterexample_outside_the_hypotheses_is_rejected() -> None:
    line = entry("T1.23")
    outside = AtPoint({x: 0, y: sp.Rational(1, 20), E: 1, Lam: 36, gamma: 1})  # above the range
    assert not judge(replace(line, evidence=(counterexample(outside),))).ok


def test_a_counterexample_inside_the_condition_is_rejected() -> None:
    line = entry("L2.11")
    items = (line.evidence[0], counterexample(AtPoint({E: 2})))
    assert not judge(replace(line, evidence=items)).ok
    weaker = judge(replace(line, condition=E >= 1))
    assert any("satisfies the condition" in fault for fault in weaker.faults)
    finite = entry("L1.2")
    harmless = OnInstance(finite.evidence[0].method.data, "")  # type: ignore[attr-defined]
    assert not judge(replace(finite, evidence=(finite.evidence[0], counterexample(harmless)))).ok


def test_a_model_of_a_conditional_proof_satisfies_the_condition() -> None:
    finite = entry("L1.2")
    swapped = finite.evidence[1].method.data  # type: ignore[attr-defined]
    chain = replace(finite.evidence[0], method=replace(finite.evidence[0].method, data=swapped))
    assert show_satisfiable(replace(finite, evidence=(chain, finite.evidence[1])))[1]


def test_a_true_line_cannot_be_refuted_nor_a_false_one_proved() -> None:
    true, false = entry("L2.10"), entry("L1.5")
    point = AtPoint({E: 1, x: 0, y: 0})
    assert not judge(replace(true, verdict=Verdict.REFUTED, evidence=(counterexample(point),))).ok
    for method in (Solver(), Positivity()):
        assert not judge(replace(false, verdict=Verdict.VALID, evidence=(proof(method),))).ok


@pytest.mark.parametrize("factor", [1, 3])
def test_a_condition_that_restates_the_claim_is_rejected(factor: int) -> None:
    one, two = real("one two")
    line = replace(
        entry("S.7"),
        claim=Claim((), one <= two),
        condition=factor * one <= factor * two,
        alone="a test",
        evidence=(proof_if(Solver()), counterexample(AtPoint({one: 1, two: 0}))),
    )
    assert any("restates" in fault for fault in judge(line).faults)
    for again in (sp.Eq(one, two), sp.And(one <= two, one >= 0)):
        assert any("restates" in fault for fault in judge(replace(line, condition=again)).faults)
    honest = replace(line, condition=sp.And(one <= 0, two >= 0))
    assert judge(honest).ok
    finite = entry("L1.2")
    assert any("restates" in f for f in judge(replace(finite, condition=finite.claim.statement)).faults)


def _with(line: Entry, role: Role, claim: Claim) -> Entry:
    """The same entry, with another claim (and z3) for one role."""
    items = tuple(replace(i, claim=claim, method=Solver()) if i.role is role else i for i in line.evidence)
    return replace(line, evidence=items)


def test_a_cover_about_something_else_is_rejected() -> None:
    line, other = entry("M.17"), real("other")[0]
    trivial = Claim((), equal(other, other))
    for role in (Role.COVER, Role.DERIVATION):
        assert any("no letter" in fault for fault in judge(_with(line, role, trivial)).faults)


def test_theorem_1_is_refuted_where_rho_exceeds_a_quarter() -> None:
    line = entry("T1")
    assert any("1/4" in test.text for test in line.claim.hypotheses)
    steep = line.evidence[0].method.data  # type: ignore[attr-defined]
    small_rho = OnInstance({**steep, "gamma": Fraction(1, 18), "L": Fraction(36)}, "")
    assert not judge(replace(line, evidence=(counterexample(small_rho),))).ok


def test_what_is_decided_is_shown_where_it_is_less_than_printed() -> None:
    nodes = graph.build(ledger.entries())
    for name in ("RS.b2", "CS.3", "CS.5", "L1.5r"):
        done = judge(entry(name))
        assert done.entry.scope and done.entry.scope[:20] in render.claim_text(done, nodes[name])
        assert render.entry_json(done)["scope"] == done.entry.scope
        assert done.truth != "true"


def test_a_wrong_derivation_needs_evidence() -> None:
    line = replace(entry("L2.10"), derivation=Derivation.WRONG)
    assert any("derivation is wrong" in fault for fault in judge(line).faults)


def test_a_verdict_without_its_condition_or_absorbing_line_is_rejected() -> None:
    assert not judge(replace(entry("S.7"), condition=None)).ok
    assert not judge(replace(entry("T1.12"), absorbed_at=None)).ok
    assert not judge(replace(entry("T1.13"), absorbed_at="T1")).ok


def test_a_citation_is_never_a_proof() -> None:
    cited = entry("CS.4")
    assert not judge(replace(cited, verdict=Verdict.VALID)).ok


def test_a_finite_claim_without_an_admissible_instance_is_rejected() -> None:
    line = entry("T1.2")
    assert isinstance(line.claim, FiniteClaim)
    never = Test("never", lambda data: False)
    assert not judge(replace(line, claim=replace(line.claim, hypotheses=(never,)))).ok


def test_references_must_exist_and_ids_be_unique() -> None:
    line = entry("L2.10")
    with pytest.raises(EvidenceFailed, match="unknown ids"):
        ledger.check_references((replace(line, depends=("nowhere",)),))
    with pytest.raises(EvidenceFailed, match="used twice"):
        ledger.check_references((replace(line, depends=()), replace(line, depends=())))


# ------------------------------------------------------------------ letters, formulas, documents


def test_the_ledger_and_the_calculators_use_the_same_formulas() -> None:
    limit = formulas.GAMMA_RANGE.upper / formulas.GAMMA_RANGE.slope
    corrected = formulas.RHO_CORRECTED
    bias = formulas.THEOREM1_TERMS["bias b²"] / formulas.b2
    noise = formulas.THEOREM1_TERMS["noise σ²"] / formulas.s2
    pairs = [
        (theorem1_rate.RHO, formulas.RHO_PAPER),
        (theorem1_rate.RHO_CORRECTED, corrected),
        (theorem1_rate.GAMMA_MAX, limit),
        (theorem1_final.FINAL_B2, bias),
        (theorem1_final.FINAL_S2, noise),
    ]
    for own, theirs in pairs:
        assert sp.simplify(in_paper_letters(own) - theirs) == 0


def test_symbols_carry_no_sign() -> None:
    """A sign that a claim does not state must not be used: the symbols are real and nothing more."""
    for quantity in QUANTITIES:
        assert quantity.symbol.is_real and quantity.symbol.is_nonnegative is None


def test_assumptions_are_named_with_both_forms() -> None:
    assert [item.id for item in ASSUMPTIONS] == ["A1", "A2", "A3", "A4", "A5", "D1", "D2", "AW"]
    known = {item.id for item in ASSUMPTIONS}
    for item in ASSUMPTIONS:
        assert item.printed_tex and item.needed_tex and item.why
    for line in paper_entries():
        assert set(line.assumes) <= known


def test_the_document_has_the_promised_keys(judged: Sequence[Judgement]) -> None:
    nodes = graph.build(ledger.entries())
    document = render.document(judged, {j.entry.id: nodes[j.entry.id] for j in judged})
    wanted = {
        "id",
        "place",
        "verdict",
        "derivation",
        "statement",
        "absorbed_at",
        "evidence",
        "engines",
        "seconds",
    }
    for item in document["entries"]:
        assert wanted <= set(item)
        assert item["verdict"] in {"valid", "conditional", "absorbed", "refuted", "cited"}
    assert document["summary"]["ok"] and sum(document["summary"]["counts"].values()) == len(judged)
    assert len(document["summary"]["most_consequential"]) == 5
    certificates = [
        e["certificate"] for item in document["entries"] for e in item["evidence"] if e["certificate"]
    ]
    assert len(certificates) > 50


def test_every_entry_renders(judged: Sequence[Judgement]) -> None:
    nodes = graph.build(ledger.entries())
    for j in judged:
        text = render.claim_text(j, nodes[j.entry.id])
        assert j.entry.title in text and str(j.entry.verdict) in text
    lines = render.table(judged).splitlines()
    assert len(lines) == len(judged) + 2 and max(map(len, lines)) <= 150


def test_an_unknown_id_names_close_ones() -> None:
    with pytest.raises(InvalidParameter, match=r"T1\.29"):
        ledger.find("t1.292")
    with pytest.raises(InvalidParameter, match="only"):
        ledger.select("no such prefix")


def test_claims_name_their_symbols() -> None:
    claim = Claim((x >= 0,), gamma <= E)
    assert [s.name for s in claim.symbols] == ["E", "gamma", "x"]
