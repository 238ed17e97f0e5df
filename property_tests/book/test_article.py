"""Every number of the article and of the summary is that of its source, computed here a second time; the
templates hold none of their own, and values come out of them unharmed."""

import json
import math
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.provenance import ROOT
from book.article import rate_numbers, shown, sketch_numbers
from book.article.shown import exact, significant
from book.bookkit.palette import SHADES
from fpsverify.rng import torch_generator
from fpsverify.sketching.hashing import SketchSpec
from fpsverify.sketching.sketch import CountSketch
from property_tests import laws
from theory.counterexamples.exact_runs import RUNS
from theory.counterexamples.second.theorem1 import SECOND
from theory.ledger import graph
from theory.papers.fps.paper import PAPER
from theory.rates import theorem_a
from theory.rates.descent.certified import certify
from theory.rates.parameters import Parameters

SOURCE = laws.BOOK

VERDICTS = ("valid", "conditional", "absorbed", "refuted", "cited")


def test_the_ledger_is_counted(printed: dict[str, Any]) -> None:
    entries, found = PAPER.entries, printed["ledger"]
    assert found["entries"] == len(entries) == sum(row["total"] for row in found["kinds"])
    for name, kind in (("printed", "printed line"), ("silent", "silent step")):
        own = Counter(str(e.verdict) for e in entries if str(e.kind) == kind)
        assert found[name] == {"total": own.total(), **{verdict: own[verdict] for verdict in VERDICTS}}
        assert {"kind": f"{kind}s", **found[name]} in found["kinds"]
    own = [e.verdict for e in entries if str(e.kind) == "printed line" and e.place[:10] == "Appendix C"]
    assert found["proofs"] == {"total": len(own), "valid": [str(v) for v in own].count("valid")}
    severe = Counter(str(e.severity) for e in entries if e.severity)
    assert found["errors"] == {**severe, "all": severe.total()}
    rows = [
        {"id": e.id, "severity": s, "place": e.place, "title": e.title, "right": e.corrected.words}
        for s in ("fatal", "fixable", "cosmetic")
        for e in entries
        if e.severity and str(e.severity) == s and "." in e.id
    ]
    assert (found["list"], found["fatal"]) == (rows, [row for row in rows if row["severity"] == "fatal"])
    nodes = graph.build(entries)
    assert found["status"] == {name: nodes[name].status for name in ("L1", "L2", "T1")}


def test_the_exact_runs_come_out_of_the_second_program(printed: dict[str, Any]) -> None:
    found = printed["runs"]
    sides = {run.story.name: SECOND.opinion(run).sides for run in RUNS}
    assert {row["name"] for row in found["runs"]} == sides.keys()
    for row in found["runs"]:
        left, right, probability = sides[row["name"]]
        assert left > right and probability > case_of(row["name"])["delta"]
        ratio = significant(float(left / right)) if right > 0 else "−"
        wanted = (exact(left), exact(right), ratio, exact(probability))
        assert (row["left"], row["right"], row["ratio"], row["probability"]) == wanted
        q = case_of(row["name"])
        steep, spread = q["L"] + q["mu"], 1 + 2 * q["B"] ** 2 * (q["P_b"] + q["P_n"])
        limits = (1 / (2 * steep), 1 / (4 * q["E"] * steep * spread))
        assert row["steps"] == all(q["gamma"] <= limit for limit in limits)
    plain = [row for row in found["runs"] if row["as_printed"]]
    assert (found["plain"], found["qualified"]) == (len(plain), len(sides) - len(plain))
    assert found["plain_with_steps"] == sum(row["steps"] for row in plain)
    assert all(p >= Fraction(found["surely"]) for *_, p in sides.values() if p > Fraction(1, 2))
    assert found["dropped"] == next(row for row in found["runs"] if row["name"] == "expectation-dropped")


def case_of(name: str) -> dict[str, Any]:
    return next(vars(run.parameters) for run in RUNS if run.story.name == name)


def test_the_run_in_full_adds_up(printed: dict[str, Any]) -> None:
    run, q = printed["runs"]["shown"], case_of("range-without-L")
    L, gamma = q["L"], q["gamma"]
    optimisation, sketch = (L / 2) / (gamma * (q["T"] + 1)), L**2 * q["W"] / q["c"]
    H = 1 / (1 + 2 * q["P_b"])
    rho = (1 - q["P_b"] * (1 + 2 * H)) / 2 - gamma * (2 + 2 * q["P_b"]) * (1 + 2 * H)
    limit = (1 - 6 * q["P_b"]) / (12 * (1 + q["P_b"]))
    values = {
        "L": L, "gamma": gamma, "P_b": q["P_b"], "c": q["c"], "W": q["W"], "range": limit, "rho": rho,
        "left": L**2, "optimisation": optimisation, "sketch": sketch, "right": optimisation + sketch,
    }  # fmt: skip
    assert gamma <= limit and rho > Fraction(1, 4) and gamma * L == 2
    assert {k: v for k, v in run.items() if k in values} == {k: exact(v) for k, v in values.items()}
    assert (run["rounds"], run["ratio"]) == (q["T"] + 1, significant(float(L**2 / (optimisation + sketch))))
    assert run.keys() - values.keys() == {"rounds", "ratio", "checks"} and run["checks"] >= 10
    bounds = {"gamma": Fraction(1, 12), "gamma_quarter": Fraction(1, 24)}  # from eq. (11), and 1/2 − 6γ > 1/4
    wanted = {name: exact(value) for name, value in bounds.items()}
    wanted |= {name.replace("gamma", "L"): exact(2 / value) for name, value in bounds.items()}
    assert printed["runs"]["range"] == wanted


def test_the_record_of_coq_is_read_right(printed: dict[str, Any]) -> None:
    found, proofs = (
        json.loads((ROOT / "theory/coq/manifest.json").read_text(encoding="utf-8")),
        printed["proofs"],
    )
    results = found["results"]
    core = {a for r in results if not r["file"].startswith("lebesgue/") for a in r["axioms"]}
    folders = Counter(r["file"].partition("/")[0] for r in results)
    wanted = {
        "results": len(results), "date": found["date"], "coq": found["coq"], "files": len(found["files"]),
        "axioms": [a.rpartition(".")[2] for a in sorted(core)], "axiom_count": len(core),
        "outside": sum(not set(r["axioms"]) <= core for r in results),
        "folders": [{"name": n, "results": folders[n]} for n in sorted(folders)],
    }  # fmt: skip
    assert {k: proofs[k] for k in wanted} == wanted
    known = {r["name"] for r in results}
    repaired = [e for e in PAPER.entries if str(e.kind) == "repaired result"]
    assert [row["title"] for row in proofs["repaired"]] == [e.title for e in repaired]
    assert all(row["theorem"] in known for row in proofs["repaired"])
    assert all(e.scope.startswith(row["scope"]) for row, e in zip(proofs["repaired"], repaired, strict=True))


def test_beyond_the_table_the_shares_are_those_of_the_stored_grid() -> None:
    rows = {1: [0.5, 1.0], 10: [0.1, 0.2], 12: [0.04, 0.1], 30: [0.01, 0.04]}
    grid = {
        "E": list(rows), "B": [2.0, 1.0],
        "step": [[["9", "9"], [sure]] for sure, _ in rows.values()],
        "impossible": [[9.0, never] for _, never in rows.values()],
    }  # fmt: skip
    assert rate_numbers.beyond(grid) == {"steps": "12 and 30", "least": "25", "most": "40"}


def test_the_rates_in_the_table_are_certified_as_printed(printed: dict[str, Any]) -> None:
    """At each printed rate a certificate exists, and none at the rate that is called impossible."""
    table, cells = printed["rates"], []
    for row in table["rows"]:
        for B, cell in zip(table["spreads"], row["cells"], strict=True):
            q = Parameters(L=1, E=row["E"], B=float(B))
            proved, sure, never = (Fraction(cell[name]) for name in ("theorem_a", "certified", "impossible"))
            assert certify(q, sure) is not None and certify(q, never) is None
            assert theorem_a.admits(q, float(proved) * (1 - 1e-9)) and not theorem_a.admits(
                q, float(proved) * 1.01
            )
            cells.append((q.E, float(proved), float(sure), float(never)))
    shares = [sure / never for *_, sure, never in cells]
    gains = [sure / proved for E, proved, sure, _ in cells if E > 1]
    assert table["cells"] == table["exact"] == len(cells)
    assert float(table["gap_most"]) == pytest.approx(100 * (1 - min(shares)), abs=0.2)
    assert table["steps_most"] == max(E for E, *_ in cells)
    assert abs(table["tight"] - sum(share > 0.99 for share in shares)) <= 1
    assert float(table["gain_least"]) == pytest.approx(min(gains), rel=0.01)
    assert float(table["gain_most"]) == pytest.approx(max(gains), rel=0.01)
    x = table["example"]
    q = Parameters(**{n: float(x[n]) for n in ("L", "mu", "B", "P_b", "P_n")}, E=int(x["E"]), M=int(x["M"]))
    assert q == rate_numbers.EXAMPLE and certify(q, Fraction(x["certified"])) is not None
    assert x["paper_empty"] == (6 * q.P_b * q.E**2 * q.B**2 >= 1)
    assert theorem_a.admits(q, float(x["theorem_a"])) and not theorem_a.admits(
        q, 1.01 * float(x["theorem_a"])
    )


def test_the_edge_in_sketch_space_follows_from_the_eigenvalues(printed: dict[str, Any]) -> None:
    """Along each eigenvector of SSᵀ/J the sketched gradient is multiplied by 1 − γλ."""
    found = printed["sketch"]
    spec = SketchSpec(rows=found["rows"], buckets=found["buckets"], d=found["d"], seed=found["seed"])
    columns = [
        CountSketch.zeros(spec, dtype=torch.float64).add(e).table.flatten()
        for e in torch.eye(spec.d).double()
    ]
    S = torch.stack(columns, 1).numpy()
    values, vectors = np.linalg.eigh(S @ S.T / spec.rows)
    draw = torch_generator(found["seed"], "article minimiser")
    start = vectors.T @ (S @ torch.randn(spec.d, generator=draw, dtype=torch.float64).numpy())
    edge = 2 / values[-1]
    assert float(found["edge"]) <= edge < float(found["edge"]) * 1.01
    assert found["L_A"] == significant(values[-1])
    for name, factor in (("inside", sketch_numbers.INSIDE), ("outside", sketch_numbers.OUTSIDE)):
        moved = (1 - factor * edge * values) ** found["rounds"] * start
        assert found[name] == significant(factor * edge)
        assert found[f"{name}_end"] == significant(float(moved @ moved / (start @ start)), 2)
    assert 0 < float(found["loss_end"]) < 100
    assert sketch_numbers.D - np.linalg.matrix_rank(S) >= 0.85 * sketch_numbers.D


TEMPLATES = ROOT / "book" / "article" / "templates"
PROSE = re.compile(
    r"<%.*?%>|<<.*?>>|\*References\.\*.*?\n\]|\$[^$]*\$|#raw\(\"[^\"]*\"\)|\"#[0-9A-F]{6}\"|arXiv:[\d.]+"
    r"|\b(?:19|20)\d\d\b|\(1\d\)|eq\. \d+|[\d.]+(?:pt|em|cm|fr|%)|(?:Appendix|Section) [\w.]+|//.*",
    re.DOTALL,
)
NUMBER = re.compile(r"(?<![\w./])(?:\d{2,}|\d+\.\d+)(?![\w])")


@pytest.mark.parametrize("path", sorted(TEMPLATES.iterdir()), ids=lambda path: path.name)
def test_no_number_is_typed_by_hand(path: Path) -> None:
    """In prose only one digit, a year or a place; in formulas no decimals. All else is computed."""
    text = re.sub(r"^//.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert path.name == "layout.typ" or not NUMBER.findall(PROSE.sub(" ", text))
    formulas = [re.sub(r"<<.*?>>", "", formula) for formula in re.findall(r"\$([^$]*)\$", text)]
    assert not [f for f in formulas if re.search(r"\d\.\d|\d{3}", f)]


def test_colours_mean_the_same_as_in_the_book() -> None:
    used = set(re.findall(r"#[0-9A-F]{6}", (TEMPLATES / "layout.typ").read_text(encoding="utf-8")))
    assert used and used <= {light for light, _ in SHADES.values()}


@given(st.text(max_size=40))
def test_escaped_text_has_no_markup(text: str) -> None:
    assert not re.search(r"(?<!\\)(?:\\\\)*[#$*_`@<>\[\]]", shown.literal(text))


@given(st.floats(1e-30, 1e30), st.integers(1, 6))
def test_a_number_is_shown_to_half_a_unit_of_its_last_digit(value: float, digits: int) -> None:
    text = float(shown.significant(value, digits).replace("·10^", "e"))
    assert abs(text - value) <= 0.5000001 * 10.0 ** (math.floor(math.log10(value)) + 1 - digits)


@given(st.fractions())
def test_a_fraction_of_at_most_twelve_characters_is_shown_as_it_is(value: Fraction) -> None:
    text = shown.exact(value).replace("−", "-")
    assert text == (str(value) if len(str(value)) <= 12 else shown.significant(float(value)))
