"""Pieces of the book that need no build: the palette, charts, words, cards, and the shape of the book."""

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.provenance import ROOT
from book._ext.keep_together import keep_together
from book._ext.label_cells import label_cells
from book.bookkit import api, cards, charts, palette, paper_view, proofs, show, words
from theory.counterexamples import runs
from theory.counterexamples.exact_runs import RUNS, ExactRun
from theory.ledger.entry import Kind
from theory.ledger.statements import Claim
from theory.papers.fps.paper import PAPER
from theory.proofs import manifest

BOOK = ROOT / "book"
PAGES = re.findall(r"file: ([\w/]+)|root: (\w+)", (BOOK / "_toc.yml").read_text(encoding="utf-8"))
NAMES = ["".join(found) for found in PAGES]
REAL = st.floats(min_value=-1e9, max_value=1e9)


@given(st.text(max_size=60))
def test_escaped_text_has_no_tags(text: str) -> None:
    assert not re.search(r"[<>]", words.escape(text))


@pytest.mark.parametrize("name", palette.SHADES)
def test_every_colour_can_be_read_in_both_modes(name: str) -> None:
    """4.5 to 1 against every background of the theme, as WCAG 2 asks of text."""
    for shade, backgrounds in zip(palette.SHADES[name], palette.BACKGROUND, strict=True):
        assert min(palette.contrast(shade, each) for each in backgrounds) >= 4.5


SPAN = '<span class="math notranslate nohighlight">\\(P_n = 0\\)</span>'


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        ("(", "), and", f'<span class="fps-together">({SPAN}),</span> and'),
        ("exactly ", ";", f'exactly <span class="fps-together">{SPAN};</span>'),
        ("a ", " b", f"a {SPAN} b"),
    ],
)
def test_a_formula_keeps_its_punctuation(before: str, after: str, kept: str) -> None:
    assert keep_together(before + SPAN + after) == kept


def test_two_formulas_are_kept_each_for_itself_and_displayed_ones_as_they_are() -> None:
    shown = '<div class="math notranslate nohighlight">\\[x\\]</div>.'
    assert keep_together(f"{SPAN}, {SPAN}").count("fps-together") == 1 and keep_together(shown) == shown


def test_colours_come_from_the_palette_alone() -> None:
    """So that one colour has one meaning on all pages, and a shade for each mode."""
    files = [*BOOK.glob("*.md"), *BOOK.glob("bookkit/**/*.py"), *BOOK.glob("calculators/*.js")]
    for path in files:
        if path.name != "palette.py":
            assert not re.findall(r"#[0-9a-fA-F]{6}\b", path.read_text(encoding="utf-8")), path.name
    roles = {role for role, *_ in (*palette.VERDICTS.values(), *palette.SEVERITIES.values())}
    series = set(palette.ALGORITHMS.values()) | set(palette.SERIES)
    assert roles | series <= set(palette.SHADES)
    assert roles & series <= {"neutral"}  # a verdict's colour never stands for a mere series
    of = lambda meanings: {role for role, *_ in meanings.values()}  # noqa: E731
    assert not of(palette.VERDICTS) & of(palette.SEVERITIES), "a verdict and a severity share a colour"
    apart = [set(palette.SERIES), set(palette.ALGORITHMS.values()), {"plus", "minus"}]
    assert len(set().union(*apart)) == sum(map(len, apart))


def bare(tex: str) -> str:
    """A formula without its words, spaces, sizes and number."""
    tex = re.sub(r"\\text\{.*?\}|\\qquad \(\d+\)", "", tex)
    tex = re.sub(r"\\(?:left|right|[bB]igg?|q?quad)(?![a-zA-Z])|\\[,;!\\ ]|&", "", tex)
    return re.sub(r"[\s{}]", "", tex.replace(r"\tfrac", r"\frac"))


def test_the_statements_in_full_are_those_of_the_ledger() -> None:
    """Each marked part is a part of what the ledger prints for that entry, or for Theorem 1 or Lemma 1.

    S.8 and S.9 are printed there with what the paper makes of them.
    """
    page = (BOOK / "why.md").read_text(encoding="utf-8")
    printed = {entry.id: bare(entry.printed) for entry in PAPER.entries if entry.printed}
    for identifier, part in paper_view.MARK.findall(page):
        wanted = [printed[name] for name in (identifier, "T1", "L1")]
        assert identifier in ("S.8", "S.9") or any(bare(part) in each for each in wanted), identifier
    whole = bare(paper_view.MARK.sub(r"\2", page))
    for identifier in ("T1.32", "T1.33", "T1.19", "L2", "T1.2", "S.6"):
        assert printed[identifier] in whole, identifier


def test_a_code_in_words_is_a_link() -> None:
    known = {"T1.22c": {"id": "T1.22c", "kind": "question of ours"}}
    link = cards.link(known["T1.22c"])
    text = "<a href='x'>T1.22c</a> (T1.22c), <code>T1.22c</code>, `T1.22c`, T1.99"
    assert cards.coded(text, known) == text.replace("(T1.22c)", f"({link})")


def test_every_line_of_the_paper_has_a_formula() -> None:
    for entry in PAPER.entries:
        if entry.kind in (Kind.PRINTED, Kind.SILENT):
            assert entry.printed or isinstance(entry.claim, Claim) or entry.claim.tex, entry.id


@pytest.mark.parametrize(
    ("place", "shown"),
    [
        ("Appendix C.1, eq. (14), line 2", "C.1, eq. (14), line 2"),
        ("Appendix B, Theorem 2", "Appendix B, Theorem 2"),
        ("Section 5, eq. (12), against Appendix C.3", "Section 5, eq. (12), against C.3"),
    ],
)
def test_a_part_of_an_appendix_goes_by_its_number(place: str, shown: str) -> None:
    assert cards.place({"place": place}) == f'<span class="fps-place">{shown}</span>'


def test_entries_have_one_place_each() -> None:
    anchors = [cards.anchor(entry.id) for entry in PAPER.entries]
    assert len(set(anchors)) == len(anchors)
    pages = {cards.page_of({"id": e.id, "kind": str(e.kind)}).removesuffix(".html") for e in PAPER.entries}
    assert pages <= set(NAMES)


def test_a_table_knows_its_columns_on_a_narrow_screen() -> None:
    text = show.table(["a <i>b</i>", "c"], [["1", "2"]])
    assert re.findall('data-label="(.*?)"', text) == ["a b", "c"] and "fps-stackable" in text
    assert "fps-stackable" not in show.table(["a"], [["1"]], "fps-numbers")
    with pytest.raises(ValueError, match="zip"):
        show.table(["a", "b"], [["1"]])


@pytest.mark.parametrize("value", ["a\u00a0b", "a\\b", "a\nb", 'don\'t "quote"'])
def test_a_value_that_the_text_would_not_show_as_it_is_is_refused(value: str) -> None:
    pytest.importorskip("myst_nb", reason="comes with the book")
    with pytest.raises(ValueError, match="name"):
        show.put(name=value)


def test_only_axioms_of_the_library_are_called_so_and_all_are_described() -> None:
    """The manifest writes Coq.Reals.ClassicalDedekindReals.sig_forall_dec, with the path before the name."""
    results = manifest.load().results
    users = Counter(axiom for result in results for axiom in result.axioms)
    said = {axiom: proofs.in_words(axiom) for axiom in users}
    assert {"classical real numbers", "excluded middle"} < set(said.values())
    for axiom, count in users.items():
        assert ("mathcomp" in said[axiom]) == axiom.startswith("mathcomp."), axiom
        assert ("in one file" in said[axiom]) == (count == 1), axiom
    assert "functions" in next(said[a] for a in users if users[a] == len(results) and "Functional" in a)


def test_the_style_sheet_fades_no_text() -> None:
    """A colour behind an opacity is no longer the colour whose contrast was computed."""
    for path in (BOOK / "_static/fps.css", *BOOK.glob("calculators/*.js"), *BOOK.glob("bookkit/**/*.py")):
        assert not re.findall(r"(?<![\w-])opacity\s*[:=]", path.read_text(encoding="utf-8")), path.name


def test_every_severity_has_its_own_sign_in_formulas_badges_and_the_legend() -> None:
    """For a reader who cannot tell their colours apart."""
    signs = palette.SIGNS_OF_SEVERITY
    assert set(signs) == set(palette.SEVERITIES) and len(set(signs.values())) == len(signs)
    assert set(paper_view.RAISED) == set(signs.values()) and len(set(paper_view.RAISED.values())) == len(
        signs
    )
    known = {s: {"id": s, "kind": "printed line", "severity": s} for s in signs}
    formula = paper_view.marked("".join(rf"⟦{s}|x_{{{s}}}⟧ + " for s in signs), known)
    for severity, sign in signs.items():
        assert f"x_{{{severity}}}{paper_view.RAISED[sign]}}}}}" in formula
        assert f">{sign} {severity}<" in cards.severity_badge(severity)
        assert f">{sign} {severity}<" in paper_view.legend()


READINGS = [run for named in RUNS for run in named.readings]


@pytest.mark.parametrize("run", READINGS, ids=[run.story.name for run in READINGS])
def test_what_an_exact_run_found_is_told_in_the_papers_letters(run: ExactRun) -> None:
    """Equations by number, no name of the code, no full stop twice, and the checks one link away."""
    entry = {"id": f"R.{run.story.name}", "scope": run.story.qualification}
    parts = cards._found(f"{run.story.name}: {runs._sides(run)}", entry)
    text = " ".join(parts)
    assert not re.search(r"eq:|mu\b|\.\.|\[|Checks:|Qualification:", text)
    assert max(len(re.sub("<[^>]*>", "", part).split()) for part in parts) < 80
    assert ".." not in " ".join(cards._found(f"NAME: {runs._sides(run)}", entry | {"scope": None}))
    assert f"{len(run.refutation.checks)} checks" in parts[-1]
    assert f"why.html#{cards.anchor(entry['id'])}" in parts[-1]
    assert "Falls with:</span>" in text and "Reading:</span>" in text


def test_a_table_of_markdown_has_its_labels_from_its_head() -> None:
    head = '<thead><tr class="row-odd"><th class="head"><p>a "b"</p></th>\n<th><p>c</p></th></tr></thead>'
    rows = '<tr class="row-even"><td><p>1</p></td><td>2</td></tr>' * 2
    text = f'<table class="fps-lead fps-stackable docutils">{head}<tbody>{rows}</tbody></table>'
    labels = re.findall('<td data-label="(.*?)">', label_cells(text))
    assert labels == ["a &quot;b&quot;", "c"] * 2 and label_cells(label_cells(text)) == label_cells(text)
    for other in (text.replace(head, ""), text.replace("fps-stackable", "fps-stackable-not")):
        assert label_cells(other) == other
    assert label_cells(ours := show.table(["a"], [["1"]])) == ours


def test_no_plain_text_mathematics_is_left() -> None:
    """Every script of the ledger's and the proofs' words becomes a real one; code is marked as code."""
    said = [text for e in PAPER.entries for text in (e.title, e.note) if text]
    for text in [*said, *(result.words for result in manifest.load().results)]:
        shown = re.sub(r"<code>.*?</code>|\w+(_\w+){2,}", "", words.html(text))  # long names are of Coq
        assert not re.search(r"\w_\w|\^|`|\d x \d|(?<=[ (])-\d", shown), text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("`a_b` and c_max", "<code>a_b</code> and c<sub>max</sub>"),
        ("φ^|i−j|, i^(-p), 3e-05", "φ<sup>|i−j|</sup>, i<sup>−p</sup>, 3·10<sup>−5</sup>"),
        ("missing-1-over-rho drops rho, 1-rho", "missing-1-over-rho drops ρ, 1-ρ"),
        ("moves by -γ g, -w and -(a), --L_f", "moves by −γ g, −w and −(a), --L<sub>f</sub>"),
        ("‖g_i‖_A at -1, 784-128-10", "‖g<sub>i</sub>‖<sub>A</sub> at −1, 784-128-10"),
    ],
)
def test_words_as_on_paper(text: str, shown: str) -> None:
    assert words.html(text) == shown


def test_a_long_formula_is_broken_between_its_sides() -> None:
    for entry in PAPER.entries:
        for tex in filter(None, (entry.printed, getattr(entry.claim, "tex", None))):
            lines = cards.broken(" ".join(tex.split())).removeprefix("&").split(r" \\ &")
            assert all(line.count("{") == line.count("}") for line in lines), entry.id
    sides = r"a + b \leq c \wedge d \leq " + "e + " * 90 + "f"
    assert cards.broken(sides).count(r"\\ &") == 3 and cards.broken("a = b") == "a = b"


def test_the_reference_names_no_place_in_memory() -> None:
    text = api.reference()
    assert not re.search(r'0x[0-9a-f]{4}|"Literal', text)
    assert "<code></code>" not in api.config_table() and "`" not in api.config_table()


@given(st.lists(st.one_of(st.none(), REAL, st.just(float("nan"))), min_size=2, max_size=12), st.booleans())
@settings(max_examples=5)
def test_a_chart_survives_any_values_and_has_the_colours_of_the_page(
    values: list[float | None], log: bool
) -> None:
    series = [charts.Series("s", range(len(values)), values), charts.Series("t", [0, 1], [1, 2], "fps")]
    text = charts.line_chart(series, charts.Axis("x"), charts.Axis("y", log=log), "c")
    assert "var(--fps-fps)" in text and "currentColor" in text and charts.shade("fps") not in text
