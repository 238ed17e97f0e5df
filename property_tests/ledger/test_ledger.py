"""The ledger: every entry's evidence checks out, and planted errors do not."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
import sympy as sp

from theory.errors import EvidenceFailed, InvalidParameter
from theory.formulas import corrected, paper
from theory.ledger import Claim, FiniteClaim, Kind, Test, Verdict, counterexample, proof
from theory.ledger.guards import show_satisfiable
from theory.ledger.judge import Judgement, judge, missing_evidence
from theory.ledger.paper import check_references
from theory.papers.fps.letters import LETTERS, QUANTITIES, E, b2, real, s2, x, y
from theory.papers.fps.paper import PAPER
from theory.papers.fps.theorem1 import final as theorem1_final
from theory.papers.fps.theorem1 import rate as theorem1_rate
from theory.provers import AtPoint, Positivity, Solver, smt

IMPOSSIBLE = real("impossible")[0]
entry = PAPER.find


def ours(judged: Sequence[Judgement]) -> list[Judgement]:
    """What this package decides by itself: all but the results that Coq proves."""
    return [j for j in judged if j.entry.kind is not Kind.REPAIRED]


# ------------------------------------------------------------------ the ledger as it stands


def test_every_entry_checks_out_and_shows_a_model_of_its_hypotheses(judged: Sequence[Judgement]) -> None:
    assert {j.entry.id: j.faults for j in judged if not j.ok} == {}
    assert [j.entry.id for j in ours(judged) if not j.model and j.entry.claim.hypotheses] == []


def test_the_truth_of_a_line_is_read_off_its_evidence(judged: Sequence[Judgement]) -> None:
    truths = {j.entry.id: j.truth for j in ours(judged)}
    assert truths["M.11"] == truths["M.12"] == "true"  # absorbed: derivation wrong, statement true
    assert truths["M.17"] == truths["M.21"] == "false"  # absorbed: the statement itself is false
    assert truths["S.8"] == truths["L1.2"] == "true under the condition"
    sharp = {name for name, truth in truths.items() if truth == "true exactly under the condition"}
    assert sharp == {"S.4", "T1.21c"}
    assert truths["CS.4"] == "taken on trust"
    valid = {j.entry.id for j in ours(judged) if j.entry.verdict is Verdict.VALID}
    scoped = {name for name in valid if truths[name] == "true (in the scope shown)"}
    assert scoped == {name for name in valid if entry(name).scope}
    assert {truths[name] for name in valid - scoped} == {"true"}
    assert {truths[j.entry.id] for j in ours(judged) if j.entry.verdict is Verdict.REFUTED} == {"false"}


def test_no_other_verdict_fits_the_same_evidence(judged: Sequence[Judgement]) -> None:
    for j in ours(judged):
        roles = {f.role for f in j.findings if f.outcome.ok}
        assert not missing_evidence(j.entry, roles)
        for other in set(Verdict) - {j.entry.verdict}:
            assert missing_evidence(replace(j.entry, verdict=other), roles), (j.entry.id, other)


def test_worker_processes_give_the_same_judgement(judged: Sequence[Judgement]) -> None:
    for j in judged[::29]:
        here = judge(j.entry, PAPER)
        assert (here.faults, here.model, here.truth) == (j.faults, j.model, j.truth)


# ------------------------------------------------------------------ planted errors

HALVED = ("S.3", "L2.4", "L2.10", "M.3b", "M.9", "T1.5", "T1.13", "T1.30", "T1.31", "T1.22c", "L2.15")
FLIPPED = (
    "S.3", "L2.3", "L2.5", "L2.6", "L2.8", "L2.9", "L2.12", "M.3a", "M.8", "M.15", "T1.5c", "T1.10", "T1.26",
    "L2.14", "L2.14t", "S.7", "CS.2", "L2",
)  # fmt: skip


def halved(relation: sp.Basic) -> sp.Basic:
    """The smaller side may be at most half of what it was, or the larger one at least twice."""
    upper = isinstance(relation, sp.Le | sp.Lt)
    return relation.func(relation.lhs, relation.rhs / 2 if upper else 2 * relation.rhs)


def flipped(relation: sp.Basic) -> sp.Basic:
    return relation.func(relation.rhs, relation.lhs)


@pytest.mark.parametrize(
    ("identifier", "spoilt"), [*((i, halved) for i in HALVED), *((i, flipped) for i in FLIPPED)]
)
def test_a_dropped_factor_two_or_a_flipped_inequality_is_rejected(
    identifier: str, spoilt: Callable[[sp.Basic], sp.Basic]
) -> None:
    """The same evidence for the spoilt statement."""
    line = entry(identifier)
    claim = replace(line.claim, statement=spoilt(line.claim.statement))
    assert not judge(replace(line, claim=claim), PAPER).ok


@pytest.mark.parametrize("identifier", ["L1.7c", "T1.21"])
def test_a_wrong_model_fails_its_replay(identifier: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """z3's point is not believed: every letter at 1/2 is outside the hypotheses."""
    line = entry(identifier)
    half = dict.fromkeys((symbol.name for symbol in line.claim.symbols), Fraction(1, 2))
    monkeypatch.setattr(smt, "model", lambda hypotheses: half)
    assert any("replay" in fault for fault in show_satisfiable(line)[1])


def contradictory(claim: Claim) -> Claim:
    return replace(claim, hypotheses=(*claim.hypotheses, IMPOSSIBLE > 1, IMPOSSIBLE < 0))


@pytest.mark.parametrize("identifier", ["L2.8", "M.17", "T1.8", "T1.21", "L2.11", "S.7", "S.8", "T1.12"])
def test_contradictory_hypotheses_are_rejected(identifier: str) -> None:
    """Those of the claim, and those of each claim that the evidence brings."""
    line = entry(identifier)
    planted = [replace(line, claim=contradictory(line.claim))]
    for n, item in enumerate(line.evidence):
        if isinstance(item.claim, Claim):
            spoilt = replace(item, claim=contradictory(item.claim))
            planted.append(replace(line, evidence=(*line.evidence[:n], spoilt, *line.evidence[n + 1 :])))
    assert all(show_satisfiable(each)[1] for each in planted)


def test_the_judge_says_that_hypotheses_contradict_each_other() -> None:
    line = entry("S.8")
    found = judge(replace(line, claim=contradictory(line.claim)), PAPER)
    assert "hypotheses: no point satisfies them" in found.faults


def test_a_counterexample_inside_the_condition_is_rejected() -> None:
    line, (met12, met13, met23) = entry("L1.10"), real("met12 met13 met23")
    items = (line.evidence[0], counterexample(AtPoint({met12: 1, met13: 0, met23: 0})))
    assert not judge(replace(line, evidence=items), PAPER).ok
    weaker = (replace(line.evidence[0], condition=met12 >= 0), *line.evidence[1:])
    assert any(
        "satisfies the condition" in fault for fault in judge(replace(line, evidence=weaker), PAPER).faults
    )


def test_a_true_line_cannot_be_refuted_nor_a_false_or_cited_one_proved() -> None:
    true, false = entry("L2.10"), entry("L1.5")
    point = AtPoint({E: 1, x: 0, y: 0})
    assert not judge(replace(true, verdict=Verdict.REFUTED, evidence=(counterexample(point),)), PAPER).ok
    for method in (Solver(), Positivity()):
        assert not judge(replace(false, verdict=Verdict.VALID, evidence=(proof(method),)), PAPER).ok
    assert not judge(replace(entry("CS.4"), verdict=Verdict.VALID), PAPER).ok


def test_a_finite_claim_without_an_admissible_instance_is_rejected() -> None:
    line = entry("R.range-without-L")
    assert isinstance(line.claim, FiniteClaim)
    never = Test("never", lambda data: False)
    assert not judge(replace(line, claim=replace(line.claim, hypotheses=(never,))), PAPER).ok


def test_references_must_exist_and_ids_be_unique() -> None:
    line = entry("L2.10")
    with pytest.raises(EvidenceFailed, match="unknown ids"):
        check_references((replace(line, depends=("nowhere",)),), PAPER.assumptions)
    with pytest.raises(EvidenceFailed, match="used twice"):
        check_references((replace(line, depends=()), replace(line, depends=("A1",))), PAPER.assumptions)


def test_an_unknown_id_names_close_ones() -> None:
    with pytest.raises(InvalidParameter, match=r"T1\.29"):
        PAPER.find("t1.292")
    with pytest.raises(InvalidParameter, match="they begin with S, CS"):
        PAPER.find("nonsense")
    with pytest.raises(InvalidParameter, match="only"):
        PAPER.select("no such prefix")
    assert PAPER.find("theorema").id == "TheoremA"


# ------------------------------------------------------------------ letters and formulas


def test_the_ledger_and_the_calculators_use_the_same_formulas() -> None:
    pairs = [
        (theorem1_rate.RHO, paper.RHO_PAPER),
        (theorem1_rate.RHO_CORRECTED, corrected.RHO_CORRECTED),
        (theorem1_rate.GAMMA_MAX, paper.GAMMA_RANGE.upper / paper.GAMMA_RANGE.slope),
        (theorem1_final.FINAL_B2, paper.THEOREM1_TERMS["bias b²"] / b2),
        (theorem1_final.FINAL_S2, paper.THEOREM1_TERMS["noise σ²"] / s2),
    ]
    for own, theirs in pairs:
        assert sp.simplify(LETTERS.written_out(own) - theirs) == 0


def test_symbols_carry_no_sign() -> None:
    """A sign that a claim does not state must not be used: the symbols are real and nothing more."""
    for quantity in QUANTITIES:
        assert quantity.symbol.is_real and quantity.symbol.is_nonnegative is None
