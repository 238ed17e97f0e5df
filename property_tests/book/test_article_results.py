"""What the article says of stored results, and that both documents compile."""

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from scipy import stats

from benchmarks.provenance import ROOT
from book.article import build, claim_numbers
from book.article.shown import significant
from book.bookkit.experiments import tables
from property_tests import laws

SOURCE = laws.BOOK
RESULTS = ROOT / "book" / "results"
FORMS = ("recommended_300", "certified", "theorem_a", "paper", "gamma_0.01")


def stored(name: str) -> Any:
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


def test_the_stored_results_are_read_right(printed: dict[str, Any]) -> None:
    results, found = printed["results"], stored("validation")
    tried = list(found["violations"].values())
    (overall,) = [row for row in found["ratios"] if row["read"] == "all"]
    blind = [row["constants_median"] for row in found["ratios"]
             if row["read"] == "compressed" and "no noise" in row["expectation"]]  # fmt: skip
    scope = found["scope"]["dense"]
    wanted = {
        "configurations": f"{found['configurations']:,}",
        "comparisons": f"{sum(v['comparisons'] for v in tried):,}",
        "violations": sum(v["violations"] for v in tried),
        "smallest": significant(overall["measured_min"]),
        "median": significant(overall["measured_median"], 2),
        "constants": f"{overall['constants_median']:.1f}",
        "compressing_least": f"{min(blind):.0f}", "compressing_most": f"{max(blind):.0f}",
        "exponent": significant(found["scope"]["dense_exponent"]),
        "rounds": f"{scope[-1]['T']:,}", "rounds_first": f"{scope[0]['T']:,}",
        "A": significant(scope[-1]["A"], 2), "bound_first": significant(scope[0]["bound"], 2),
        "bound": f"{int(significant(scope[-1]['bound'], 2)):,}",
    }  # fmt: skip
    assert {k: v for k, v in results["validation"].items() if k != "setting"} == wanted
    assert found["scope"]["setting"].startswith(results["validation"]["setting"])
    rows = stored("worst_case")["rows"]
    ratios = sorted(row["bound"] / row["worst_case"] for row in rows)
    wanted = {"cases": len(rows), "smallest": significant(ratios[0]), "largest": significant(ratios[-1])}
    wanted |= {"respected": sum(row["respected"] for row in rows), "rounds": max(row["T"] for row in rows)}
    assert results["worst_case"] == wanted
    assert all(row["scope"].startswith("one device, no noise, no sketch") for row in rows)
    pairs = [(r["mean_wins"], r["equal"], r["of"]) for r in stored("readout")["rows"]]
    wins, equal, of = (sum(each) for each in zip(*pairs, strict=True))
    assert results["readout"] == {"wins": wins, "equal": equal, "pairs": of, "cases": len(pairs)}
    met = [row["met"] for row in stored("bench")["ratios"]]
    assert results["bench"] == {"ratios": len(met), "met": met.count(True)}


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
            name: significant(ratio) if ratio < math.inf else "∞" for name, ratio in places.items()
        }


def test_the_assumptions_are_those_of_the_run(printed: dict[str, Any]) -> None:
    found, run = printed["results"]["estimate"], stored("estimate_mnist")
    rows = [a for a in run["estimate"]["assumptions"] if a["name"][0].isdigit()]
    assert found["rows"] == [{k: a[k] for k in ("name", "measured", "verdict")} for a in rows]
    assert found["fails"] == [a["verdict"] for a in rows].count("fails")
    assert found["d"] == f"{run['summary']['d']:,}"


def test_the_claims_are_counted_and_the_accuracies_are_means(printed: dict[str, Any]) -> None:
    found = printed["claims"]
    theirs = [row for row in found["claims"] if "ties" not in row["text"]]
    assert found["ours"] == len(found["claims"]) - len(theirs) == sum(row["ours"] for row in found["claims"])
    counts = Counter(row["status"] for row in theirs)
    assert sum(counts.values()) == found["total"] == found["real"] + found["generated"]
    assert {row["status"]: row["count"] for row in found["statuses"]} == {"reproduced": 0, **counts}
    assert {k: v for k, v in found["count"].items() if v} == {
        k.replace(" ", "_"): v for k, v in counts.items()
    }
    read_off = {row["text"]: row["status"] for row in theirs if "Table" in row["where"]}
    assert (found["text"], found["patterns"]) == (len(theirs) - len(read_off), len(read_off))
    assert {
        k: v + list(read_off.values()).count(k.replace("_", " ")) for k, v in found["of_text"].items()
    } == found["count"]
    assert found["failed_patterns"] == list(read_off.values()).count("not reproduced")
    assert found["real"] == sum(row["data"] == "MNIST" for row in theirs)
    assert found["turn_true"] == sum(row["turns_true"] for row in theirs) <= counts["depends on the reading"]
    assert [row["status"] for row in found["claims"]] == [v.status for _, v in tables.judged_claims()]
    files = {p.parent.name: p for p in sorted((RESULTS / "reproduced").glob("*-full/results.parquet"))}
    grids = ("mnist", "synthetic", "kdd12", "kdd10", "readings", "ablations")
    assert found["runs"] == f"{sum(pq.read_metadata(files[f'{grid}-full']).num_rows for grid in grids):,}"
    accuracies = last_evaluations(files["mnist-full"], 0.8, "accuracy")
    paper = json.loads((ROOT / "fpsverify/reproduce/paper_tables.json").read_text(encoding="utf-8"))["tables"]
    for row in found["mnist"]:
        own = accuracies[row["scenario"], row["label"]]
        (cell,) = [c for c in paper["mnist"] if (c["scenario"], c["sigma"]) == (row["scenario"], 0.8)]
        assert row["ours"] == significant(100 * sum(own) / len(own))
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
        assert found[name] == {"pairs": len(pairs), "better": sure.count(1), "worse": sure.count(-1)}
    assert found["places"] == {
        "algorithm": by_noise("noise-avg")[0], "equations": by_noise("noise-grad")[0],
        "added_up": by_noise("noise-grad-accum")[0], "rivals": by_noise("noise-avg")[1],
    }  # fmt: skip
    ties = last_evaluations(files / "kdd12-full/results.parquet", 1.0, "ties")
    shares = sorted(100 * sum(v) / len(v) for (_, label), v in ties.items() if label == "FPS")
    assert found["ties"] == {"least": significant(shares[0], 2), "most": significant(shares[-1], 2)}


def by_noise(reading: str) -> tuple[str, str]:
    """Accuracies of FPS in Scenarios 1 and 2 by the reading, and the range of the others by it."""
    cells = last_evaluations(RESULTS / "reproduced/readings-full/results.parquet", 0.8, "accuracy", reading)
    means = {key: 100 * sum(own) / len(own) for key, own in cells.items()}
    others = [mean for (_, label), mean in means.items() if label != "FPS"]
    ends = f"{min(others):.0f}–{max(others):.0f}" if others else ""
    return f"{means[1, 'FPS']:.0f} and {means[2, 'FPS']:.0f}", ends


def test_the_words_on_the_noise_fail_where_the_runs_say_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, other in (("equations", "noise-grad-accum"), ("added_up", "noise-grad")):
        with monkeypatch.context() as changed:
            changed.setitem(claim_numbers.PLACES, name, other)
            with pytest.raises(ValueError, match="the article says otherwise"):
                claim_numbers.places()


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
