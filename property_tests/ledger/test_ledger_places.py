"""Every displayed line of the paper has its entry, entries say what they are, and cards can be read."""

import re
from collections.abc import Sequence

import pytest

from theory.ledger import Kind, Severity, Verdict, cards, graph, report
from theory.ledger.judge import Judgement
from theory.ledger.printer import from_latex, in_signs, letter
from theory.papers.fps.paper import PAPER

# The displays of Section 5 and Appendices B and C, counted in the source: place and number of lines.
DISPLAYS = {
    "Section 5, eq. (8) and (9)": 1,
    "Section 5, eq. (10)": 1,
    "Section 5, eq. (11)": 1,
    "Section 5, eq. (12)": 1,
    "Appendix B, Theorem 2": 1,
    "Appendix C.1, eq. (13)": 1,
    "Appendix C.1, eq. (14)": 8,
    "Appendix C.2, eq. (15)": 1,
    "Appendix C.2, first display after eq. (15)": 8,
    "Appendix C.2, second display after eq. (15)": 3,
    "Appendix C.2, eq. (16)": 3,
    "Appendix C.2, eq. (17)": 1,
    "Appendix C.2, eq. (18)": 5,
    "Appendix C.2, eq. (19)": 1,
    "Appendix C.2, eq. (20)": 2,
    "Appendix C.2, eq. (21)": 1,
    "Appendix C.2, display before eq. (22)": 5,
    "Appendix C.2, eq. (22)": 1,
    "Appendix C.2, eq. (23)": 1,
    "Appendix C.3, sentence after eq. (24)": 1,
    "Appendix C.3, eq. (25)": 6,
    "Appendix C.3, eq. (26)": 3,
    "Appendix C.3, eq. (27)": 2,
    "Appendix C.3, display after eq. (27)": 1,
    "Appendix C.3, eq. (28)": 1,
    "Appendix C.3, first display after eq. (28)": 1,
    "Appendix C.3, eq. (29)": 2,
}


@pytest.mark.parametrize("display", DISPLAYS)
def test_every_line_of_a_display_has_an_entry(display: str) -> None:
    printed = [line.place for line in PAPER.entries if line.kind is Kind.PRINTED]
    own = [place.partition(display)[2] for place in printed if display in place]
    assert own
    count = DISPLAYS[display]
    if count > 1:
        numbered = {int(n) for rest in own for n in re.findall(r"^, line (\d+)", rest)}
        assert numbered == set(range(1, count + 1))


def test_printed_lines_show_what_is_printed_and_questions_say_that_they_are_ours() -> None:
    for line in PAPER.entries:
        if line.kind is Kind.PRINTED:
            assert line.printed and not line.place.startswith("not in the paper"), line.id
        if line.place.startswith("not in the paper"):
            assert line.kind is Kind.QUESTION


def test_counts_never_mix_kinds(judged: Sequence[Judgement]) -> None:
    found = report.counts(j.entry for j in judged)
    assert set(found) == set(Kind)
    assert {v: n for v, n in found[Kind.PRINTED].items() if n} == {
        Verdict.VALID: 73,
        Verdict.CONDITIONAL: 2,
        Verdict.ABSORBED: 10,
        Verdict.REFUTED: 14,
        Verdict.CITED: 1,
    }
    assert {v: n for v, n in found[Kind.SILENT].items() if n} == {
        Verdict.VALID: 14, Verdict.CONDITIONAL: 3, Verdict.REFUTED: 4,
    }  # fmt: skip
    lines = report.counts_text(judged)
    assert len(lines) == len(Kind) and lines[0].split()[:3] == ["100", "printed", "lines"]


def test_errors_are_graded() -> None:
    found = report.errors(PAPER.entries)
    assert {e.id for e in found[Severity.FATAL]} == {"L1.5", "L1.any", "L1", "T1"}
    nodes = graph.build(PAPER.entries)
    for entry in found[Severity.FATAL]:
        assert entry.id in nodes["T1"].faults
    absorbed = {e.id for e in PAPER.entries if e.verdict is Verdict.ABSORBED}
    assert absorbed <= {e.id for e in found[Severity.COSMETIC]}
    assert all(e.corrected.words for own in found.values() for e in own)


# ------------------------------------------------------------------ cards, search, formulas as text


def test_every_card_is_readable(judged: Sequence[Judgement]) -> None:
    """No LaTeX, no Python operators, every letter defined, and a sentence for each piece of evidence."""
    nodes = graph.build(PAPER.entries)
    for j in judged:
        text = cards.claim_text(PAPER, j, nodes[j.entry.id])
        head = text.partition("evidence\n")[0]
        assert in_signs(j.entry.title) in text and str(j.entry.verdict) in text
        assert not re.search(r"\\|\*\*|[_^]\{", head), j.entry.id
        assert bool(j.entry.letters) <= len(re.findall(r"^  where ", head, re.M)) <= 1, j.entry.id
        for name in j.entry.letters:
            assert in_signs(f"{letter(name, j.entry.paper_letters)} = ") in text, (j.entry.id, name)
        assert all(cards.meaning_of(f).split(".")[0] in text for f in j.findings)
    lines = report.table(judged).splitlines()
    assert len(lines) >= len(judged) + 2 and max(map(len, lines)) <= 400


def test_search_finds_by_place_title_and_formula() -> None:
    assert PAPER.search("step (b)")[0].id == "T1.5"
    assert "T1.23" in {e.id for e in PAPER.search("step (b)")}
    assert [e.id for e in PAPER.search("eq. (17)")] == ["M.0", "M.1"]
    assert "L1.5" in {e.id for e in PAPER.search("sum of the norms")}
    assert "L2.10" in {e.id for e in PAPER.search("6/(16")}
    assert PAPER.search("residual bounded")  # words apart
    assert PAPER.search("no such words anywhere") == ()


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"\frac{6}{16(1+2B^2(P_b+P_n))E}\le\frac{1}{2E}", "6/(16(1+2B²(P_b+P_n))E) ≤ 1/(2E)"),
        (r"\tilde w_{t+1}-\tilde w_t=-\gamma g_t", "w\u0303_(t+1)-w\u0303_t = -γg_t"),
        (r"\left\|\sum_e a_e\right\|^2\le E\sum_e\|a_e\|^2", "‖Σ_e a_e‖² ≤ EΣ_e‖a_e‖²"),
        (r"\mathbb{E}\,\hat g(i)=g(i)", "E g\u0302(i) = g(i)"),
        (r"\max\{2\rho x-x^2\}", "max{2ρx-x²}"),
        (r"\varepsilon^2k=\frac1c", "ε²k = 1/c"),
        (r"(k+1)^{1-2p}+x^{12}+y^{-1}", "(k+1)^(1-2p)+x¹²+y⁻¹"),
        (r"\sum_{i=1}^di^{-2p}x^{a_{t+1}}", "Σ_(i = 1)^d i^(-2p)x^(a_(t+1))"),
        (r"\frac\gamma2\sqrt{\frac{d^{2e}}{k}}", "γ/2√((d^(2e))/k)"),
        (r"\le\mathbb{E}x\ \text{ at }\gamma", "≤ Ex at γ"),
    ],
)
def test_latex_becomes_text(tex: str, text: str) -> None:
    assert from_latex(tex) == text


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("gamma <= 1/L^2", "γ ≤ 1/L²"),
        ("|grad f|^2/A^2 + sigma_c^2", "|∇f|²/A² + σ_c²"),
        ("x^1/2 stays, i^{-p} has no braces", "x^1/2 stays, i^(-p) has no braces"),
        ("((k+1)^{1-2p} - i^{-2})/gamma^2", "((k+1)^(1-2p) - i⁻²)/γ²"),
        ("entry Lemma2r, delta_1 and (*)", "entry Lemma2r, δ_1 and (★)"),
        ("a mule, 2*h*Mg, sqrt(N), Ebar", "a mule, 2·h·Mg, √(N), Ē"),
    ],
)
def test_typed_formulas_are_shown_with_their_signs(typed: str, shown: str) -> None:
    assert in_signs(typed) == shown
