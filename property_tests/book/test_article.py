"""Every number of the article and of the summary is that of its source, computed here a second time."""

from __future__ import annotations

import json
import math
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch
from scipy import stats

from book.article import build, rate_numbers, sketch_numbers
from fpsverify.rng import torch_generator
from fpsverify.sketching.hashing import SketchSpec
from fpsverify.sketching.sketch import CountSketch
from property_tests import laws
from property_tests.book.printed_numbers import RESULTS, ROOT, differences, digits, fraction, stored
from theory.counterexamples.exact_runs import RUNS
from theory.ledger import collection, graph
from theory.rates import theorem_a
from theory.rates.descent.certified import certify
from theory.rates.parameters import Parameters

SOURCE = laws.BOOK

FORMS = ("recommended_300", "certified", "theorem_a", "paper", "gamma_0.01")
VERDICTS = ("valid", "conditional", "absorbed", "refuted", "cited")


class Printed(dict[str, Any]):
    """What the templates print, each part computed when it is first asked for."""

    def __missing__(self, part: str) -> Any:
        self[part] = build.PARTS[part].numbers()
        return self[part]


@pytest.fixture(scope="module")
def printed() -> Printed:
    return Printed()


def same(found: Any, expected: Any) -> None:
    assert not differences(found, expected)


def test_the_ledger_is_counted(printed: dict[str, Any]) -> None:
    entries = collection.entries()
    verdict = {(e.id, str(e.kind)): str(e.verdict) for e in entries}
    kinds = list(dict.fromkeys(str(e.kind) for e in entries))
    order = ["printed line", "silent step", "question of ours", "exact run", "repaired result"]
    assert sorted(kinds) == sorted(order)

    def counts(kind: str) -> dict[str, int]:
        own = Counter(v for (_, k), v in verdict.items() if k == kind)
        return {"total": sum(own.values()), **{name: own[name] for name in VERDICTS}}

    severe = {
        s: [e for e in entries if e.severity and str(e.severity) == s]
        for s in ("fatal", "fixable", "cosmetic")
    }
    plural = {"question of ours": "questions of ours"}
    rows = [
        {"id": e.id, "severity": s, "place": e.place, "title": e.title, "right": e.corrected.words}
        for s, own in severe.items()
        for e in own
        if "." in e.id
    ]
    errors = {s: len(own) for s, own in severe.items()}
    same(
        printed["ledger"],
        {
            "entries": len(entries),
            "kinds": [{"kind": plural.get(kind, f"{kind}s"), **counts(kind)} for kind in order],
            "printed": counts("printed line"),
            "silent": counts("silent step"),
            "errors": {**errors, "all": sum(errors.values())},
            "fatal": [row for row in rows if row["severity"] == "fatal"],
            "list": rows,
            "status": {name: graph.build(collection.entries())[name].status for name in ("L1", "L2", "T1")},
        },
    )


def test_the_exact_runs_come_out_of_the_second_program(printed: dict[str, Any]) -> None:
    found = printed["runs"]
    sides = {run.story.name: run.second.opinion(None).sides for run in RUNS}
    assert {row["name"] for row in found["runs"]} == sides.keys()
    for row in found["runs"]:
        left, right, probability = sides[row["name"]]
        assert left > right and probability > case_of(row["name"])["delta"]
        ratio = digits(float(left / right)) if right > 0 else "−"
        wanted = (fraction(left), fraction(right), ratio, fraction(probability))
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
    same({k: v for k, v in run.items() if k in values}, {k: fraction(v) for k, v in values.items()})
    assert (run["rounds"], run["ratio"]) == (q["T"] + 1, digits(float(L**2 / (optimisation + sketch))))
    assert run.keys() - values.keys() == {"rounds", "ratio", "checks"} and run["checks"] >= 10
    bounds = {"gamma": Fraction(1, 12), "gamma_quarter": Fraction(1, 24)}  # from eq. (11), and 1/2 − 6γ > 1/4
    wanted = {name: fraction(value) for name, value in bounds.items()}
    wanted |= {name.replace("gamma", "L"): fraction(2 / value) for name, value in bounds.items()}
    same(printed["runs"]["range"], wanted)


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
    same({k: proofs[k] for k in wanted}, wanted)
    known = {r["name"] for r in results}
    repaired = [e for e in collection.entries() if str(e.kind) == "repaired result"]
    assert [row["title"] for row in proofs["repaired"]] == [e.title for e in repaired]
    assert all(row["theorem"] in known for row in proofs["repaired"])
    assert all(e.scope.startswith(row["scope"]) for row, e in zip(proofs["repaired"], repaired, strict=True))


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
            if q.E > 1 and q.B >= 2:
                assert abs(float(never / closed_root(q.E, Fraction(B))) - 1) <= 1e-3
            cells.append((q.E, float(proved), float(sure), float(never)))
    shares = [sure / never for *_, sure, never in cells]
    gains = [sure / proved for E, proved, sure, _ in cells if E > 1]
    assert table["cells"] == table["exact"] == len(cells)
    assert float(table["gap_most"]) == pytest.approx(100 * (1 - min(shares)), abs=0.2)
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


def closed_root(E: int, B: Fraction) -> Fraction:
    """The least γ > 0 at which the two opposite curvatures stand still, by bisection, from above."""
    low, high = Fraction(0), Fraction(2)
    still = lambda g: (1 + 1 / B) * (1 - g) ** E / 2 + (1 - 1 / B) * (1 + g) ** E / 2 >= 1  # noqa: E731
    low = next(Fraction(i, 4000) for i in range(1, 8001) if still(Fraction(i, 4000))) - Fraction(1, 4000)
    high = low + Fraction(1, 4000)
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (low, middle) if still(middle) else (middle, high)
    return low


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
    assert found["L_A"] == digits(values[-1])
    for name, factor in (("inside", sketch_numbers.INSIDE), ("outside", sketch_numbers.OUTSIDE)):
        moved = (1 - factor * edge * values) ** found["rounds"] * start
        assert found[name] == digits(factor * edge)
        assert found[f"{name}_end"] == digits(float(moved @ moved / (start @ start)), 2)
    assert 0 < float(found["loss_end"]) < 100
    assert sketch_numbers.D - np.linalg.matrix_rank(S) >= 0.85 * sketch_numbers.D


def test_the_stored_results_are_read_right(printed: dict[str, Any]) -> None:
    results, found = printed["results"], stored("validation")
    tried = list(found["violations"].values())
    (overall,) = [row for row in found["ratios"] if row["read"] == "all"]
    scope = found["scope"]["dense"]
    wanted = {
        "configurations": f"{found['configurations']:,}",
        "comparisons": f"{sum(v['comparisons'] for v in tried):,}",
        "violations": sum(v["violations"] for v in tried),
        "smallest": digits(overall["measured_min"]), "median": digits(overall["measured_median"]),
        "exponent": digits(found["scope"]["dense_exponent"]),
        "rounds": f"{scope[-1]['T']:,}", "rounds_first": f"{scope[0]['T']:,}",
        "A": digits(scope[-1]["A"], 2), "bound_first": digits(scope[0]["bound"], 2),
        "bound": f"{int(digits(scope[-1]['bound'], 2)):,}",
    }  # fmt: skip
    same({k: v for k, v in results["validation"].items() if k != "setting"}, wanted)
    assert found["scope"]["setting"].startswith(results["validation"]["setting"])
    rows = stored("worst_case")["rows"]
    ratios = sorted(row["bound"] / row["worst_case"] for row in rows)
    wanted = {"cases": len(rows), "smallest": digits(ratios[0]), "largest": digits(ratios[-1])}
    same(results["worst_case"], wanted | {"respected": sum(row["respected"] for row in rows)})
    pairs = [(r["mean_wins"], r["equal"], r["of"]) for r in stored("readout")["rows"]]
    wins, equal, of = (sum(each) for each in zip(*pairs, strict=True))
    same(results["readout"], {"wins": wins, "equal": equal, "pairs": of, "cases": len(pairs)})
    met = [row["met"] for row in stored("bench")["ratios"]]
    same(results["bench"], {"ratios": len(met), "met": met.count(True)})


def test_the_advice_is_safe_as_often_as_its_problems_say(printed: dict[str, Any]) -> None:
    found = printed["results"]["advice"]
    rows = [row for row in stored("advice")["rows"] if row["held_out"]]
    groups = [[r for r in rows if r["sketched"] == has] for has in (False, True)]
    cells = [[(r["limit"], r["forms"].get(form)) for r in own] for own in groups for form in FORMS]
    chosen = [[(limit, f["gamma"], f["safe_300"]) for limit, f in own if f] for own in cells]
    assert found["problems"] == len(rows)
    given = [[each for each in own if each[1]] for own in chosen]
    counts = [(len(own), sum(safe for *_, safe in own)) for own in given if own]
    assert counts == [(row["given"], row["safe"]) for row in found["rows"]]
    for own, row in zip(filter(None, given), found["rows"], strict=True):
        ratios = sorted(float(limit) / gamma for limit, gamma, _ in own if limit is not None)
        places = {
            name: ratios[math.ceil((len(ratios) - 1) * q)] for name, q in (("median", 0.5), ("ninety", 0.9))
        }
        assert {name: row[name] for name in places} == {
            name: digits(ratio) if ratio < math.inf else "∞" for name, ratio in places.items()
        }


def test_the_assumptions_are_those_of_the_run(printed: dict[str, Any]) -> None:
    found, run = printed["results"]["estimate"], stored("estimate_mnist")
    rows = [a for a in run["estimate"]["assumptions"] if a["name"][0].isdigit()]
    same(found["rows"], [{k: a[k] for k in ("name", "measured", "verdict")} for a in rows])
    assert found["fails"] == [a["verdict"] for a in rows].count("fails")
    assert found["d"] == f"{run['summary']['d']:,}"


def test_the_claims_are_counted_and_the_accuracies_are_means(printed: dict[str, Any]) -> None:
    found = printed["claims"]
    counts = Counter(row["status"] for row in found["claims"])
    assert sum(counts.values()) == found["total"] == found["real"] + found["generated"]
    assert {row["status"]: row["count"] for row in found["statuses"]} == dict(counts)
    assert {k: v for k, v in found["count"].items() if v} == {
        k.replace(" ", "_"): v for k, v in counts.items()
    }
    assert found["real"] == sum(row["data"] == "MNIST" for row in found["claims"])
    files = {p.parent.name: p for p in sorted((RESULTS / "reproduced").glob("*-full/results.parquet"))}
    grids = ("mnist", "synthetic", "kdd12", "kdd10", "readings", "ablations")
    assert found["runs"] == f"{sum(pq.read_metadata(files[f'{grid}-full']).num_rows for grid in grids):,}"
    accuracies = last_evaluations(files["mnist-full"], 0.8, "accuracy")
    paper = json.loads((ROOT / "fpsverify/reproduce/paper_tables.json").read_text(encoding="utf-8"))["tables"]
    for row in found["mnist"]:
        own = accuracies[row["scenario"], row["label"]]
        (cell,) = [c for c in paper["mnist"] if (c["scenario"], c["sigma"]) == (row["scenario"], 0.8)]
        assert row["ours"] == digits(100 * sum(own) / len(own))
        assert row["paper"] == f"{cell[row['label']]['mean']:.1f}"
    per_cell = {len(own) for own in accuracies.values()}
    assert found["trials_least"] <= min(per_cell) <= max(per_cell) <= found["trials_most"]


def test_who_is_ahead_and_how_many_rows_tie(printed: dict[str, Any]) -> None:
    found, files = printed["claims"], RESULTS / "reproduced"
    table, readings = (files / f"{grid}-full/results.parquet" for grid in ("mnist", "readings"))
    own = last_evaluations(table, 0.8, "accuracy")
    sent = last_evaluations(readings, 0.8, "accuracy", "send-update")
    for name, rivals in (("gradients", own), ("updates", sent)):
        pairs = [(own[s, "FPS"], theirs) for (s, label), theirs in rivals.items() if label != "FPS"]
        tests = [stats.ttest_rel(fps, theirs) for fps, theirs in pairs]
        sure = [np.sign(test.statistic) for test in tests if test.pvalue < 0.05]
        same(found[name], {"pairs": len(pairs), "better": sure.count(1), "worse": sure.count(-1)})
    ties = last_evaluations(files / "kdd12-full/results.parquet", 1.0, "ties")
    shares = sorted(100 * sum(v) / len(v) for (_, label), v in ties.items() if label == "FPS")
    same(found["ties"], {"least": digits(shares[0], 2), "most": digits(shares[-1], 2)})


def last_evaluations(
    path: Path, sigma: float, metric: str, reading: str = ""
) -> dict[tuple[int, str], list[float]]:
    """The last evaluation of every trial, trials in order, straight from the two files of a grid."""
    runs = pq.read_table(path).to_pandas()
    curves = pq.read_table(path.with_name("curves.parquet")).to_pandas()
    last = curves.sort_values("round").groupby("task")[metric].last()
    chosen = (runs["kind"] == "trial") & (runs["sigma"] == sigma) & (runs["reading"] == reading)
    noisy = runs[chosen].sort_values("trial")
    found: dict[tuple[int, str], list[float]] = {}
    for run in noisy.itertuples():
        found.setdefault((int(run.scenario), run.algorithm), []).append(float(last[run.task]))
    return found


def test_both_documents_compile_with_the_right_number_of_pages(
    printed: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("typst")
    monkeypatch.setattr(build, "numbers", lambda: {part: printed[part] for part in build.PARTS})
    made = build.build(tmp_path / "out")
    assert [path.name for path in made] == ["article.pdf", "summary.pdf", "summary.md"]
    assert all(path.read_bytes().startswith(b"%PDF") for path in made[:2])
    assert f"{printed['claims']['total']} claims" in made[2].read_text(encoding="utf-8")
    monkeypatch.setitem(build.PAGES, "summary", range(2, 3))
    with pytest.raises(ValueError, match="summary has 1 pages"):
        build.build(tmp_path / "none")
    assert not (tmp_path / "none").exists()
