"""Every number of the article and of the summary is that of its source, computed here a second time."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch

from benchmarks.provenance import ROOT
from book.article import rate_numbers, sketch_numbers
from book.article.shown import exact, significant
from fpsverify.rng import torch_generator
from fpsverify.sketching.hashing import SketchSpec
from fpsverify.sketching.sketch import CountSketch
from property_tests import laws
from theory.counterexamples.exact_runs import RUNS
from theory.counterexamples.second.theorem1 import SECOND
from theory.ledger import collection, graph
from theory.rates import theorem_a
from theory.rates.descent.certified import certify
from theory.rates.parameters import Parameters

SOURCE = laws.BOOK

VERDICTS = ("valid", "conditional", "absorbed", "refuted", "cited")


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
    assert printed["ledger"] == {
        "entries": len(entries),
        "kinds": [{"kind": plural.get(kind, f"{kind}s"), **counts(kind)} for kind in order],
        "printed": counts("printed line"),
        "silent": counts("silent step"),
        "errors": {**errors, "all": sum(errors.values())},
        "fatal": [row for row in rows if row["severity"] == "fatal"],
        "list": rows,
        "status": {name: graph.build(collection.entries())[name].status for name in ("L1", "L2", "T1")},
    }


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
    repaired = [e for e in collection.entries() if str(e.kind) == "repaired result"]
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
            if q.E > 1 and q.B >= 2:
                assert abs(float(never / closed_root(q.E, Fraction(B))) - 1) <= 1e-3
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
    assert found["L_A"] == significant(values[-1])
    for name, factor in (("inside", sketch_numbers.INSIDE), ("outside", sketch_numbers.OUTSIDE)):
        moved = (1 - factor * edge * values) ** found["rounds"] * start
        assert found[name] == significant(factor * edge)
        assert found[f"{name}_end"] == significant(float(moved @ moved / (start @ start)), 2)
    assert 0 < float(found["loss_end"]) < 100
    assert sketch_numbers.D - np.linalg.matrix_rank(S) >= 0.85 * sketch_numbers.D
