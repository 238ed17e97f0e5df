"""Chapters 11 and 12 answer from the stored results: the right problems and cells, absent ones said to be."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from book.bookkit import held_out, results
from book.bookkit.experiments import local_work, sketch_sizes, tables
from book.bookkit.experiments.charts import shorter
from book.bookkit.experiments.chosen_claims import COMPARED, OUTCOMES, Chosen, compared
from fpsverify.reproduce.claims import Case, Verdict
from fpsverify.reproduce.section6 import CLAIMS
from fpsverify.reproduce.tables import Results
from property_tests import laws

SOURCE = laws.BOOK

OTHER = ((True, [0.5, 1.0, None]), (False, [0.9, 0.1]))  # ends of runs over their first loss


def run(label: str, sigma: float, trial: int, curve: list[float], reading: str = "", **more: Any) -> dict:
    """A stored run of Scenario 1; `curve` are its accuracies, `more` goes to its last evaluation."""
    points = [{"accuracy": a, "uses": 10.0 * i} for i, a in enumerate(curve)]
    points[-1] |= {k: v for k, v in more.items() if not k.startswith("accuracy_")}
    return {
        "dataset": "mnist", "scenario": 1, "sigma": sigma, "algorithm": label, "reading": reading,
        "trial": trial, "status": "done", "curve": points,
        **{k: v for k, v in more.items() if k.startswith("accuracy_")},
    }  # fmt: skip


def rows_of(html: str) -> list[list[str]]:
    return [re.findall("<td[^>]*>(.*?)</td>", row) for row in re.findall("<tr>(.*?)</tr>", html)][1:]


def test_questions_of_ours_are_not_counted_among_the_claims():
    judged = [(claim, Verdict("undecided", "")) for claim in CLAIMS if claim.dataset == "kdd12"]
    ours = sum("ties" in claim.text for claim, _ in judged)
    claims, _, apart = tables.tally(judged).partition("ours")
    assert ours == 1 and f"Of {len(judged) - ours} claims" in claims and f"<b>{ours}</b>" in apart
    assert tables.claims_list(judged).count("a question of ours") == ours


def test_comparisons_at_one_budget_are_shown_for_that_budget():
    claim = next(c for c in CLAIMS if c.name == "kdd12-best-in-noise")
    cases = tuple(Case(s, rival, "worse", "steps") for s in (1, 2) for rival in ("FetchSGD", "BLCD"))
    html = tables.claims_list([(claim, Verdict("not reproduced", "", cases))])
    assert [row[:2] for row in rows_of(html)] == [
        ["equal gradient steps", "FetchSGD"],
        ["equal gradient steps", "BLCD"],
    ]


def test_the_tally_counts_what_holds_by_some_reading_and_says_so_if_nothing_reproduced():
    yes, no = Verdict("reproduced", ""), Verdict("not reproduced", "")
    nested = Verdict("depends on the reading", "", (), {"steps": no, "uses": yes})
    turning = [Verdict("depends on the reading", "", (), {"a": no, "b": v}) for v in (nested, no)]
    told = tables.tally([*zip(CLAIMS, [no, *turning], strict=False)])
    assert "<b>0</b> reproduced, <b>1</b> did not" in told
    assert "Of the 2, 1 reproduced by one of the readings." in told


def test_statements_of_the_text_and_patterns_of_tables_are_counted_apart():
    """Two patterns, one of which failed, three statements, and a question of ours."""
    patterns = [c for c in CLAIMS if c.where.startswith("Table 2")][:2]
    text = [c for c in CLAIMS if c.where.startswith(("Section", "Appendix"))][:3]
    asked = [c for c in CLAIMS if c.ours]
    failed, unclear = Verdict("not reproduced", ""), Verdict("undecided", "")
    judged = [(c, failed if c in (patterns[0], *asked) else unclear) for c in (*patterns, *text, *asked)]
    found = Chosen.of(judged)
    assert (found.text, found.patterns, found.failed, found.failed_patterns, found.total) == (3, 2, 1, 1, 5)


def test_single_comparisons_have_a_line_for_each_claim_and_reading():
    """By the default readings, the first, unless a line names another."""
    cases = lambda *outcomes: tuple(Case(1, "BLCD", outcome, "steps") for outcome in outcomes)  # noqa: E731
    default = Verdict("undecided", "", cases("better", "worse", "worse"))
    other = Verdict("undecided", "", cases("better", "undecided"))
    nested = Verdict(
        "depends on the reading", "", (), {"default": default} | {r: other for _, _, r in COMPARED if r}
    )
    judged = [(c, nested) for c in CLAIMS if c.name in {name for _, name, _ in COMPARED}]
    lines = {words: counts for words, *counts in compared(judged)}
    assert len(lines) == len(COMPARED) and OUTCOMES == ("better", "undecided", "worse")
    for words, _, reading in COMPARED:
        assert lines[words] == (["1", "1", "0"] if reading else ["1", "0", "2"])


def test_both_rules_for_scores_of_zero_are_shown():
    found = Results.of(
        [run("FPS", 1.0, 0, [0.9], ties=0.8, majority=0.95, balanced_accuracy=0.5, auc=0.51,
             accuracy_ties_negative=0.94, accuracy_ties_positive=0.06)]
    )  # fmt: skip
    assert rows_of(tables.zero_scores(found, "mnist", 1.0, ("FPS", "BLCD"))) == [
        ["FPS", "S1", "80.0", "94.0", "6.0", "95.0", "50.0", "51.0"]
    ]


def test_each_place_of_the_noise_is_a_row_and_an_absent_one_says_so():
    found = Results.of(
        [
            run("FPS", 1.0, 0, [0.9], auc=0.6, balanced_accuracy=0.7, snr_db=3.0),
            run("FPS", 1.0, 0, [0.9], "noise-avg-scan-support", auc=0.8, balanced_accuracy=0.9, snr_db=-3.0),
            {**run("FPS", 1.0, 0, [0.9], "noise-grad"), "status": "diverged"},
        ]
    )
    rows = {(scan, noise): rest for scan, noise, *rest in rows_of(tables.survivable(found, "mnist", 1.0))}
    assert len(rows) == 10
    assert rows["all d coordinates", "on the sum"] == ["3.0", "60.0", "–", "–", "–"]
    assert rows["coordinates that occur", "on the average"] == ["−3.0", "80.0", "–", "–", "–"]
    assert rows["all d coordinates", "at gradient scale"] == ["–", "1 of 1 diverged", "–", "–", "–"]
    assert rows["nothing is compressed (FedProx)", "no noise"] == ["–"] * 5


def held_rows() -> list[dict[str, Any]]:
    found = results.load("advice")
    assert found is not None
    return [row for row in found["rows"] if row["held_out"]]


def regret(row: dict[str, Any]) -> float:
    loss, best = row["forms"]["recommended_300"]["loss_300"], row["best"]["300"]["loss"]
    return float((loss - best) / (row["f_0"] - best))


@given(st.integers(0, 100))
def test_an_auc_stands_in_per_cent_everywhere(share: int) -> None:
    reason = f"S1: ties 96%, AUC {share / 100:.2f}, 0.49 | S2"
    assert tables.in_per_cent(reason) == f"S1: ties 96%, AUC {share} %, 0.49 | S2"


@given(st.integers(1, 200), st.data())
def test_a_larger_share_of_failures_would_have_shown(given_: int, data: st.DataObject) -> None:
    """At the limit so few failures, or fewer, have a chance of 5 %. The root is found to 1e-8 or so."""
    safe = data.draw(st.integers(1, given_))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(held_out, "figures", lambda form, group: {"given": given_, "safe": safe})
        limit = held_out.failures_at_most("recommended")
    assert binom.cdf(given_ - safe, given_, limit) == pytest.approx(0.05, rel=1e-6)


def test_every_held_out_row_is_a_problem_that_is_described() -> None:
    there = held_rows()
    assert sorted(p.name for p in held_out.problems()) == sorted(row["problem"] for row in there)
    text = held_out.described()
    for words, count in (
        ("are least squares", sum(row["loss"] == "least_squares" for row in there)),
        ("have a sketch", sum(row["sketched"] for row in there)),
        ("channel noise", sum("-noise" in row["problem"] for row in there)),
        ("mini-batches", sum("-b0" not in row["problem"] for row in there)),
    ):
        assert re.search(rf"\b{count} {words}", text), words


def test_the_groups_by_size_add_up_and_the_last_stands_alone_too() -> None:
    pairs = [tuple(map(int, pair)) for pair in re.findall(r"in (\d+) of (\d+)", held_out.halved_by_size())]
    given = held_out.figures("recommended", "with a sketch")["given"]
    assert len(pairs) == 3 and sum(of for _, of in pairs) == given
    assert sum(n for n, _ in pairs) == held_out.ending_below(0.5, "recommended", "with a sketch")
    assert held_out.halved_with_fewer().startswith("{} of the {} that send at most".format(*pairs[-1]))
    more, same, fewer = ({round(s.sent, 2) for s in group} for group in held_out._by_numbers())
    assert min(more) > 1 and same == {1.0} and max(fewer) < 1


def test_the_worst_problem_is_the_one_with_the_largest_regret() -> None:
    text = held_out.worst()
    assert f"regret {held_out.figures('recommended')['regret']['max']:.2g}:" in text
    unsafe = [row["problem"] for row in held_rows() if not row["forms"]["recommended_300"]["safe_300"]]
    assert ("is the same run" in text) == (unsafe == [max(held_rows(), key=regret)["problem"]])
    first, best = re.search(r"only from ([\d.]+) to ([\d.]+):", text).groups()  # type: ignore[union-attr]
    assert float(best) > float(first) / 2  # "only"


def test_each_run_that_was_not_safe_is_told_with_its_end() -> None:
    unsafe = [row for row in held_rows() if not row["forms"]["recommended_300"]["safe_300"]]
    text = held_out.unsafe()
    ends = [f"{100 * row['forms']['recommended_300']['loss_300'] / row['f_0'] - 100:.2g} %" for row in unsafe]
    assert text.count("the best rate ends") == len(unsafe) and all(
        f"ended {end} above" in text for end in ends
    )
    given, safe = (held_out.figures("recommended")[name] for name in ("given", "safe"))
    assert given - safe == len(unsafe)


def test_the_pages_figures_are_those_of_the_result_file() -> None:
    found = results.load("advice")
    assert found is not None
    for group, forms in found["summary"]["held_out"].items():
        for form, horizons in forms.items():
            assert horizons == {str(T): held_out.figures(form, group, T) for T in (100, 300)}


def test_every_sketched_problem_has_one_size_and_networks_are_among_them() -> None:
    sizes, all_ = held_out.by_size(), held_out.figures("recommended", "with a sketch")
    assert sum(size.problems for size in sizes) == all_["problems"]
    assert max(size.regret["max"] for size in sizes) == all_["regret"]["max"]
    assert [size.left for size in sizes] == sorted(size.left for size in sizes)
    networks = [row for row in held_rows() if row["sketched"] and row["loss"] in held_out.NETWORKS]
    assert held_out.figures("recommended", "networks with a sketch")["problems"] == len(networks) > 0


def test_a_safe_run_may_hardly_train_and_no_rate_beats_the_best() -> None:
    """Counted again from the rows. An unsafe run of infinite loss ends below nothing."""
    there = [row for row in held_rows() if row["sketched"]]
    for form, name in (("recommended", "recommended_300"), ("certified", "certified")):
        ends = [row["forms"][name]["loss_300"] for row in there if row["forms"].get(name)]
        firsts = [row["f_0"] for row in there if row["forms"].get(name)]
        below = sum(2 * end < first for end, first in zip(ends, firsts, strict=True) if end is not None)
        assert held_out.ending_below(0.5, form, "with a sketch") == below
    shares = [held_out.ending_below(s, "recommended", "with a sketch") for s in (0.1, 0.5, 0.9)]
    assert shares == sorted(shares) and shares[-1] <= held_out.figures("recommended", "with a sketch")["safe"]
    assert held_out.ending_below(0.5, "recommended") <= held_out.best_ending_below(0.5)


def test_the_most_that_a_number_of_steps_is_behind() -> None:
    means = {1: 88.0, 5: 90.0, 20: 80.0}
    cells = {("mnist", E, share): [mean] for E, mean in means.items() for share in (0.0, 1.0)}
    best = {
        ("mnist", E, share): (0.1 * E, mean - share * E) for E, mean in means.items() for share in (0.0, 1.0)
    }
    work = local_work.Work(cells, dict.fromkeys(best, 0.1), {}, best)
    assert work.behind() == 2.0 and work.gains_of_mu() == [-5.0, -20.0]
    assert work.best_by_steps("mnist") == "88.0, 90.0 and 80.0 %" and work.room("mnist") == "1, 5 and 20"


@pytest.mark.parametrize("name", ["local_work", "sketch_sizes"])
def test_the_grid_of_rates_ends_inside(name: str) -> None:
    """The largest rate of a grid is not the best, so that the best is known to within a factor of two."""
    found = results.load(name)
    assert found is not None
    for row in found["rows"]:
        means = {at["gamma"]: sum(at["accuracy"]) for at in (row, *row["grid"])}
        alone = row["share"] > 0 and row["E"] == 1 if name == "local_work" else row["sent"] not in (None, 0.2)
        assert alone == (len(means) == 1)
        assert len(means) == 1 or max(means, key=means.__getitem__) != max(means)


def test_sizes_are_compared_at_the_best_rate_of_each() -> None:
    def row(gamma: float, accuracy: float, grid: list[tuple[float, float]]) -> dict[str, Any]:
        tried = [{"gamma": g, "accuracy": [a - 0.02, a + 0.02]} for g, a in [(gamma, accuracy), *grid]]
        return tried[0] | {"grid": tried[1:]}

    without = {k: row(0.1, 0.5, [(0.2, 0.6 + k / 10), (0.4, 0.3)]) for k in (0.1, 0.2, 0.3, 1.0)}
    fifth = {k: row(0.4, 0.7 - k / 10, [(0.2, 0.5)]) for k in without}
    sizes = sketch_sizes.Sizes(
        {("demo", s, k): r for s, by in ((None, without), (0.2, fifth)) for k, r in by.items()}, {}
    )
    assert sizes.best("demo", None, 0.2) == (0.2, pytest.approx(62.0))
    assert sizes.best_without("demo") == pytest.approx(70.0) and sizes.lost("demo") == pytest.approx(3.0)
    assert sizes.lost_in_words("demo") == "3.0" and sizes.apart() == pytest.approx(4.0)
    assert "<b>62.0</b><br><small>@ 0.2</small>" in sizes.html("demo")


def test_early_rounds_have_a_best_rate_of_their_own() -> None:
    rows = [
        {"case": case, "E": E, "share": 0.0, "gamma": 0.1, "accuracy": [0.9],
         "early": {"20": [0.3 + E / 100]},
         "grid": [{"gamma": 0.2, "accuracy": [0.8], "early": {"20": [0.5 - E / 100]}}]}
        for case in local_work.RUNS for E in local_work.STEPS
    ]  # fmt: skip
    best = {(row["case"], row["E"], share): (0.1, 90.0) for row in rows for share in (0.0, 1.0)}
    work = local_work.Work({key: [90.0] for key in best}, {}, {"rows": rows}, best)
    assert work.early("demo", 1, 20) == (0.2, pytest.approx(49.0))
    assert work.early("mnist", 20, 20) == (0.1, pytest.approx(50.0))
    assert work.behind() == 0.0 and work.behind(20) == pytest.approx(1.0)


def test_the_best_rate_is_of_the_advised_one_and_the_grid() -> None:
    row = {"gamma": 0.5, "accuracy": [0.8, 0.9], "grid": [{"gamma": 0.25, "accuracy": [0.85, 0.87]}]}
    assert local_work._best(row) == (0.25, pytest.approx(86.0))
    assert local_work._best(row | {"accuracy": [0.9, 0.9]}) == (0.5, pytest.approx(90.0))


def test_sizes_are_shown_from_the_smallest_sketch_to_none() -> None:
    def row(sent: float | None, kept: float) -> dict[str, Any]:
        about = {"case": "demo", "d": 50, "sent": sent, "kept": kept}
        return about | {"gamma": 0.1, "accuracy": [0.5, 0.7], "grid": []}

    rows = [row(sent, kept) for sent in (None, 0.5, 0.02) for kept in (1.0, 0.1)]
    rows[0]["gamma"] = None
    found = sketch_sizes.Sizes({(r["case"], r["sent"], r["kept"]): r for r in rows}, {})
    assert found.accuracy("demo", 0.5, 0.1) == pytest.approx(60.0) and found.d("demo") == 50
    shown = rows_of(found.html("demo"))
    assert [cells[0] for cells in shown] == ["2\xa0%", "50\xa0%", "no sketch"]
    assert shown[0][1].startswith("<b>60.0</b>") and shown[-1][2] == "refused"


@given(st.floats(0.001, 1.0), st.floats(0.0, 1.0), st.integers(1, 30))
def test_a_proximal_term_shortens_a_round_by_what_its_steps_lose(gamma: float, mu: float, E: int) -> None:
    """A device under a constant gradient of −1 ends at γĒ. Both are sums of E ≤ 30 terms of at most 1."""
    w = 0.0
    for _ in range(E):
        w -= gamma * (-1 + mu * w)
    assert shorter(gamma, mu, E) == pytest.approx(1 - w / (gamma * E), abs=1e-12)


def heads(reading: str) -> list[str]:
    """Of the columns that a table of two trials shows."""
    metrics = {"auc": 0.6, "balanced_accuracy": 0.7}
    trials = [{**run("FPS", 0.8, i, [0.5, 0.9], reading, **metrics), "mu": 0.0} for i in range(2)]
    return re.findall("<th>(.*?)</th>", tables.side_by_side(Results.of(trials), "mnist", bool(reading)))


def test_a_column_without_values_is_left_out():
    assert "paper" in heads("") and "paper" not in heads("noise-avg")
    assert "AUC" in heads("noise-avg") and "ties" not in heads("noise-avg")


def test_runs_with_other_draws_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"sketched": sketched, "fresh": {"100": [0.2], "300": ends}} for sketched, ends in OTHER]
    monkeypatch.setattr(held_out, "_rows", lambda: rows)
    assert held_out.other_draws() == (3, 5) and held_out.other_draws("with a sketch") == (1, 3)
    assert held_out.other_draws(rounds=100) == (2, 2)
    assert held_out.worst_of_other_draws() == "1 diverged"
    rows[0]["fresh"]["300"] = [1.25]
    assert held_out.worst_of_other_draws() == "none diverged, and the worst ended 25 % above its first loss"
