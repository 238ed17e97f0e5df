"""The commands lr, bound and size: numbers agree with the functions, bad input is named in one line."""

import json
import re
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fpsverify.cli.rates.letters import parse_interval, parse_number
from property_tests.rates.asked import first_lines, printed, record, refused
from theory.bounds.sketch_size import Demand, smallest
from theory.errors import InvalidParameter
from theory.rates.parameters import Parameters
from theory.rates.ranges import FORMS, ranges

LR = "lr --L 4 --mu 0.1 --E 5 --B 1.3 --Pb 0.01 --Pn 0.2 --M 10"
BOUND = (
    "bound --L 4 --mu 0.1 --E 5 --B 1.3 --Pb 0.001 --Pn 0.2 --gamma 0.0005 --T 1000 --Delta 1 --b2 0.01 "
    "--sigma2 0.1"
)
ONE_BOUND = "bound --L 1 --T 123456 --Delta 1"
SIZE = "size --k 10 --d 10000 --T 100 --delta 0.01"
QUESTIONS = (
    LR,
    "lr --L 1 --E 3 --B 1.5",
    "lr --L 1 --E 2 --B 2 --Pb 1",
    "lr --L 0",
    "lr --L 0 --mu 1 --E 3",
    "lr --L 1 --E 40 --Pn 0.1",
    "lr --L 1 --E 3 --theta 0",
    "lr --L 1 --E 3 --B 2 --theta -0.5",
    "lr --L 1 --E 3 --mu 0.1",
    "lr --L 1 --E 2:3 --mu 0.1",
    "lr --L 1 --E 1:2 --B 1:1.5",
    f"{BOUND} --R2 0.01",
    f"{BOUND} --gamma 20",
    "bound --L 0 --gamma 1 --T 10 --Delta 1",
    f"{ONE_BOUND} --gamma 0.0123456789 --E 2 --R2 1.5 --B 1.5",
    f"{ONE_BOUND} --gamma 0.0123456789 --E 50 --mu 0.1",
    f"{ONE_BOUND} --gamma 1.9 --E 1",
    f"{ONE_BOUND} --gamma 1.9 --Pb 1 --B 2",
)


@pytest.mark.parametrize("line", QUESTIONS)
def test_the_answer_comes_first_in_six_lines_of_80_columns(line: str) -> None:
    """The range of Theorem A never stands without its condition, the residual."""
    first = first_lines(line)
    assert 2 <= len(first) <= 6 and max(map(len, first)) <= 80
    assert max(map(len, printed(line).splitlines())) <= 100
    openings = (
        "Use gamma",
        "Certified: gamma",
        "Any learning rate",
        "No learning rate",
        "Mean ||grad f||^2 (gamma",
    )
    assert first[0].startswith(openings)
    if line.startswith("bound"):
        assert ("R2 = 0 (no" in printed(line)) == ("--R2" not in line)
    if line.startswith(ONE_BOUND):
        assert "residual stays bounded" in first[1] or "range is empty" in first[1]


def test_lr_prints_the_five_ranges() -> None:
    found = record(LR)
    expected = ranges(Parameters(L=4, mu=0.1, E=5, B=1.3, P_b=0.01, P_n=0.2, M=10))
    assert tuple(found) == (*FORMS, "certified", "convex", "best")
    for form in FORMS:
        assert found[form]["empty"] == expected[form].empty
        if not expected[form].empty:
            assert found[form]["gamma_max"] == pytest.approx(expected[form].gamma_max, rel=1e-12)
    detail = printed(f"{LR} --detail")
    assert "P_b B^2 must fall below 0.006666 (now 0.0169)" in detail
    assert max(map(len, detail.splitlines())) <= 110


def test_strongly_convex_losses_are_answered_as_convex_ones(tmp_path: Path) -> None:
    note, file = "Losses that are strongly convex are convex", tmp_path / "c.json"
    line = "lr --L 2 --E 3 --B 2"
    convex, strong = (record(f"{line} --theta {theta}")["certified"] for theta in ("0", "-0.5"))
    assert (strong["gamma_max"], strong["theta"]) == (convex["gamma_max"], 0)
    assert note in strong["why"] and note not in convex["why"]
    said = printed(f"{line} --theta -1 --certificate {file}")
    assert note in said and f"Next: fpsverify check {file} (the proof is in it)." in said
    assert json.loads(file.read_text())["parameters"]["theta"] == "0"


def test_every_certified_rate_says_what_it_promises() -> None:
    """The recommended one first, then the largest; for μ > 0 and E ≥ 2 that is one γ."""
    found = record("lr --L 4 --E 5 --B 1.3")
    best, certified = found["best"], found["certified"]
    assert tuple(certified["floor"]) == tuple(best["floor"]) == ("G2", "b2", "sigma2", "Delta_over_T")
    assert all(value > 0 for value in (*best["floor"].values(), *certified["floor"].values()))
    at = lambda x: x["G2"] / 100 + x["Delta_over_T"] / (4 * best["T"])  # noqa: E731  # G² = LΔ/100
    assert best["gamma"] < certified["gamma_max"] and at(best["floor"]) < at(certified["floor"])
    longer = record("lr --L 4 --E 5 --B 1.3 --T 100000")["best"]
    assert longer["gamma"] < best["gamma"] and longer["floor"]["G2"] < best["floor"]["G2"]
    proximal = first_lines("lr --L 1 --E 3 --mu 0.1")
    assert " alone, gamma < " in proximal[2]
    whole = record("lr --L 1 --E 3 --mu 0.1")["certified"]["gamma_max"]
    assert f"gamma = {whole!r}" in printed("lr --L 1 --E 3 --mu 0.1 --detail")


def test_the_certificate_of_the_recommended_rate_can_be_kept(tmp_path: Path) -> None:
    file, line = tmp_path / "c.json", "lr --L 4 --E 5 --B 1.3 --of best"
    printed(f"{line} --certificate {file}")
    assert float(Fraction(json.loads(file.read_text())["gamma"])) == pytest.approx(
        record(line)["best"]["gamma"], rel=1e-9
    )
    assert printed(f"check {file}").startswith("PROVED: ")


FRESH = "lr --L 1 --E 3 --B 1.3 --sketch 1x1000 --d 100000"


def test_a_fresh_sketch_has_a_range_of_its_own(tmp_path: Path) -> None:
    """ω_L = p(ℓ + tr); no trace is the worst case; fewer participants and wider buckets never allow more."""
    found = record(f"{FRESH} --trace 40")
    fresh = found["fresh"]
    assert fresh["omega"] == pytest.approx(41 / 1000, rel=1e-9) and fresh["kappa"] == 0
    assert fresh["gamma_max"] <= fresh["gamma_max_everywhere"] <= found["certified"]["gamma_max"]
    assert found["best"]["gamma"] < fresh["gamma_max"] and fresh["certificate"] == "exact"
    fewer, worst = record(f"{FRESH} --trace 40 --M 10 --participants 3")["fresh"], record(FRESH)["fresh"]
    assert fewer["kappa"] == pytest.approx(7 / 27) and fewer["gamma_max"] < fresh["gamma_max"]
    assert worst["omega"] == pytest.approx(99.999) and worst["gamma_max"] < fewer["gamma_max"]
    file = tmp_path / "c.json"
    printed(f"{FRESH} --trace 40 --certificate {file}")
    assert "1x1000 numbers for d = 100000" in printed(f"check {file}")
    first = first_lines(f"{FRESH} --trace 40")
    assert len(first) <= 6 and max(map(len, first)) <= 80 and first[0].startswith("Use gamma")


@given(st.floats(-20, 40), st.integers(1, 50))
@settings(max_examples=6)
def test_full_power_costs_the_price_of_theorem_n(decibels: float, devices: int) -> None:
    """E = 1: γ ends at 2/(1 + ω_L + ν'), ν' = ν_c(tr + 2pℓ)/(ms), and `check` accepts the certificate."""
    line = f"lr --L 1 --sketch 1x1000 --d 100000 --trace 40 --M {devices} --snr={decibels!r}"
    found = record(line)["fresh"]
    power = 10 ** (-decibels / 10) * (40 + 2 / 1000) / (1000 * devices)
    assert found["power"] == pytest.approx(power, rel=1e-6) and found["certificate"] == "exact"
    assert found["gamma_max"] == pytest.approx(2 / (1 + found["omega"] + power), rel=2e-4)
    with tempfile.TemporaryDirectory() as folder:
        printed(f"{line} --certificate {folder}/c.json")
        said = printed(f"check {folder}/c.json")
    assert said.startswith("PROVED: ") and "at full power" in said


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ("--snr 10", "trace"), ("--trace 40 --snr 400", "snr"), ("--trace 40 --snr loud", "snr"),
        ("--trace 0.5", "trace"), ("--trace 1e9", "trace"), ("--trace -1", "trace"), ("--trace nan", "trace"),
        ("--k 10", "--k"), ("--participants 3", "M"), ("--M 3 --participants 4", "participants"),
        ("--compressor zip", "compressor"), ("--compressor identity", "compressor"),
        ("--sketch 1000", "sketch"),
        ("--sketch 0x10", "rows"), ("--sketch 1x2.5", "buckets"),
    ],
)  # fmt: skip
def test_a_fresh_sketch_that_cannot_be_is_refused(more: str, field: str) -> None:
    assert refused(f"{FRESH} {more}").startswith(f"{field}: got")
    assert refused("lr --L 1 --trace 3").startswith("--trace: got")
    assert "sends more than no sketch" in printed(f"{FRESH} --sketch 1x200000")


def test_bound_knows_the_fresh_sketch_and_the_certificate_of_its_rate() -> None:
    line = "bound --L 4 --E 5 --B 1.3 --gamma 0.03 --T 1000 --Delta 1 --G2 1"
    plain, fresh = record(line), record(f"{line} --sketch 1x1000 --d 100000 --trace 160")
    assert plain["sdp"]["total"] <= plain["certificate"]["total"] <= plain["repaired_sharp"]["total"]
    assert plain["repaired_sharp"]["total"] <= fresh["repaired_sharp"]["total"]
    assert plain["certificate"]["total"] <= fresh["certificate"]["total"]
    best = record("lr --L 4 --E 5 --B 1.3")["best"]
    at_best = record(f"bound --L 4 --E 5 --B 1.3 --gamma {best['gamma']!r} --T 1000 --Delta 0.25 --G2 0.01")
    said = best["floor"]["G2"] * 0.01 + best["floor"]["Delta_over_T"] * 0.25 / 1000
    assert at_best["certificate"]["total"] == pytest.approx(said, rel=2e-3)  # a margin of the solver each


def test_an_empty_range_says_what_to_change() -> None:
    line = "lr --L 1 --E 2 --B 2 --Pb 1"
    own = record(line)["certified"]
    assert own["empty"] and own["gamma_max"] is None and own["certificate"] == "none"
    assert "P_b below 0.25" in " ".join(first_lines(line))


def test_what_was_assumed_is_said() -> None:
    any_number = "any number of devices (nu = 1)"
    plain = printed("lr --L 1 --E 2 --B 1.5")
    assert f"Not given, so assumed: mu = 0, P_b = 0, P_n = 0, {any_number}." in plain
    assert record("lr --L 1 --mu 0 --E 1 --B 1 --Pb 0 --Pn 0 --M 1")["certified"]["assumed"] == []


def test_a_box_is_certified_at_its_worst_corner_or_gets_theorem_a() -> None:
    box = record("lr --L 2:4 --E 1:3 --B 1:1.5 --Pb 0:0.01")["certified"]
    corner = record("lr --L 4 --E 3 --B 1.5 --Pb 0.01")["certified"]
    assert box["certificate"] == "exact" and box["gamma_max"] == corner["gamma_max"]
    for line in ("--E 2 --mu 0:0.1", "--E 2:3 --mu 0.1", "--E 1:30"):
        found = record(f"lr --L 4 {line}")
        assert found["certified"]["certificate"] == "none"
        assert found["certified"]["gamma_max"] == pytest.approx(found["repaired_sharp"]["gamma_max"])


def test_without_a_solver_theorem_a_answers_and_says_why(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "clarabel", None)
    found = record("lr --L 3 --E 2 --B 1.4")
    assert found["certified"]["certificate"] == "none"
    assert "clarabel is not installed" in found["certified"]["why"]
    assert found["certified"]["gamma_max"] == pytest.approx(found["repaired_sharp"]["gamma_max"])
    why = refused(f"lr --L 3 --E 2 --B 1.4 --certificate {tmp_path / 'c.json'}")
    assert why.startswith("certificate: got ") and "clarabel is not installed" in why
    assert list(tmp_path.iterdir()) == []
    assert record(BOUND)["sdp"]["total"] is None


def test_both_files_are_written_or_none(tmp_path: Path) -> None:
    """Coq's statement knows ν = 1/M only; an old certificate stays as it was."""
    target = tmp_path / "c.json"
    target.write_text("old")
    files = f"--certificate {target} --coq {tmp_path / 'c.v'}"
    assert refused(f"lr --L 1 --E 2 --Pn 0.1 --nu 0.3 {files}").startswith("nu: ")
    assert [each.name for each in tmp_path.iterdir()] == ["c.json"] and target.read_text() == "old"
    printed(f"lr --L 1 --E 2 --Pn 0.1 --M 3 {files}")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["c.json", "c.v"]
    assert target.read_text().startswith("{")


def test_noise_that_may_be_correlated_shrinks_the_range() -> None:
    base = "lr --L 4 --Pn 3 --M 10"
    averaged, correlated, given = (
        record(f"{base}{more}")["repaired_sharp"]["gamma_max"]
        for more in ("", " --no-independent-noise", " --nu 1")
    )
    assert averaged > correlated == given


def test_lr_draws(tmp_path: Path) -> None:
    for name, line in {
        "sweep.png": "lr --L 4 --E 2 --sweep Pb 0 0.3",
        "interval.svg": "lr --L 4 --Pn 0:2",
        "default.pdf": "lr --L 4",
    }.items():
        printed(f"{line} --plot {tmp_path / name}")
        assert (tmp_path / name).stat().st_size > 1000
    assert refused(f"lr --L 4 --plot {tmp_path / 'figure.txt'}").startswith("plot")
    assert refused(f"lr --L 4 --plot {tmp_path / 'nowhere' / 'figure.png'}").startswith("plot")
    assert refused(f"lr --L 4 --sweep Q 0 1 --plot {tmp_path / 'figure.png'}").startswith("sweep")
    assert refused("lr --L 4 --sweep E 1 5").startswith("sweep")


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("lr --L abc", "L"), ("lr --L 1/0", "L"), ("lr --L 1/2/3", "L"), ("lr --L 1e999", "L"),
        ("lr --L -1", "L"), ("lr --L nan", "L"), ("lr --L inf", "L"), ("lr --L 4 --mu -1", "mu"),
        ("lr --L 4 --E 2.5", "E"), ("lr --L 4 --E two", "E"), ("lr --L 4 --E 2:900", "E"),
        ("lr --L 4 --E 1000000", "E"), ("lr --L 4 --Pb 0.2:0.1", "P_b"), ("lr --L 4 --Pb 0.1:", "P_b"),
        ("lr --L 4 --theta 1.5", "theta"), ("lr --L 4 --theta -1.1", "theta"),
        ("lr --L 4 --theta nan", "theta"), ("lr --L 4 --L_f 5", "L_f"),
        ("lr --L 4 --L_f 2 --E 2", "L_f"), ("lr --L 4 --L_f 0", "L_f"),
        ("lr --L 4 --certificate nowhere/c.json", "certificate"), ("lr --L 4 --coq nowhere/c.v", "coq"),
        ("lr --L 4 --Pb 1 --certificate c.json", "certificate"), ("lr --L 0 --coq c.v", "coq"),
        ("lr --L 4 --M 0", "M"), ("lr --L 4 --nu 2", "nu"),
        (f"{BOUND} --c 10", "k"), (f"{BOUND} --b2 -1", "b2"), (f"{BOUND} --gamma 0", "gamma"),
        (f"{BOUND} --T 0", "T"), (f"{BOUND} --T 1.5", "T"), (f"{BOUND} --Delta -1", "Delta"),
        (f"{BOUND} --Pb 0.1:0.2", "P_b"),
        (f"{SIZE} --eps 0.1 --delta 0", "delta"), (f"{SIZE} --eps 0.1 --delta 1", "delta"),
        (f"{SIZE} --eps 0.1 --T 1.5", "T"), ("lr --L 1 --B 0.5 --M 1", "B"),
        (f"{SIZE} --eps 0", "epsilon"), (f"{SIZE} --c -1", "c"), (f"{SIZE} --eps 0.1 --p 0.5", "p"),
        (f"{SIZE} --eps 0.1 --sigma -1", "sigma"), (f"{SIZE} --eps 0.1 --rows 0", "rows"),
        (f"{SIZE} --eps 0.1 --subcarriers 0", "subcarriers"), (f"{SIZE} --eps 0.1 --k 20000", "k"),
        ("lr --L 1 --rows 5", "--buckets"), ("lr --L 1 --rows 5 --buckets 8 --k 500 --d 400", "k"),
        ("lr --L 1 --rows 0 --buckets 8 --k 4 --d 400", "rows"),
        ("lr --L 1 --rows 2.5 --buckets 8 --k 4 --d 400", "rows"),
        ("lr --L 1 --rows 5 --buckets nan --k 4 --d 400", "buckets"),
        ("lr --L 1 --rows 5 --buckets 8 --k 4 --d 40 --recovery mode", "recovery"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_that_names_the_field(line: str, field: str) -> None:
    assert refused(line).startswith(f"{field}: got")


def test_numbers_are_read_exactly() -> None:
    assert parse_number("L", "0.1") * 10 == 1
    assert parse_number("L", "1/3") * 3 == 1
    assert parse_number("L", "1e-999999999") == 0
    assert parse_interval("L", "0.1:0.1") == parse_interval("L", "0.1")
    with pytest.raises(InvalidParameter, match="^L: got 2:1, expected an interval"):
        parse_interval("L", "2:1")


def test_bound_prints_every_term() -> None:
    sketch = "--c 10 --k 100 --d 10000 --p 2 --W 1"
    found = record(f"{BOUND} {sketch}")
    for form in ("paper", "repaired_closed", "repaired_sharp"):
        assert sum(found[form]["terms"].values()) == pytest.approx(found[form]["total"], rel=1e-9)
    assert all(found["in_range"].values())
    assert found["repaired_sharp"]["total"] < found["repaired_closed"]["total"]
    assert found["R2"] == pytest.approx(0.1 + (((100**-3 - 10000**-3) / 3) ** 0.5 + 2 / 10**0.5) ** 2)
    assert record(f"{BOUND} {sketch} --R2 0.25")["R2"] == 0.25  # what is given wins over the lemma
    detail = printed(f"{BOUND} --detail")
    assert "sketch" not in detail.split("Theorem 1 as printed (")[1].split("= bound")[0]
    assert "no sketch" in detail


def test_size_agrees_with_the_calculator() -> None:
    found = record(f"{SIZE} --c 10")
    best = smallest(Demand(10, 10000, 100, 0.01, 0.1))
    assert (found["rows"], found["columns"]) == (best.rows, best.columns)
    assert found["failure"] <= found["allowed_failure"] == pytest.approx(1e-8)
    detail = printed(f"{SIZE} --eps 0.1 --p 2 --sigma 0.01 --subcarriers 500 --detail")
    assert "500 subcarriers" in detail and "Section 3.2 corrected" in detail


def test_size_of_a_fresh_sketch_is_the_trace_rule() -> None:
    """m ≥ trace/L + 1 keeps half of 2/L: lr certifies half at that size, and less at half of it."""
    line = "size --d 100000 --trace 40 --L 2"
    sizes = record(line)["sizes"]
    assert sizes == {"1/2": 21, "9/10": 189} and record(f"{line} --share 3/4")["sizes"] == {"3/4": 63}
    at = lambda m: record(f"lr --L 2 --sketch 1x{m} --d 100000 --trace 40")["fresh"]["gamma_max"]  # noqa: E731
    assert at(21) >= 0.499 > at(10)
    assert "log(dT/delta)" in printed(f"{line} --k 100")
    for bad, field in (("--share 1", "share"), ("--trace 1", "trace"), ("--L 0", "L")):
        assert refused(f"{line} {bad}").startswith(f"{field}: got")
    assert refused("size --d 100 --trace 3").startswith("--L: got nothing")
    assert refused("size --d 100").startswith("--k: got nothing")


@given(
    d=st.integers(1, 10**7),
    T=st.integers(1, 10**6),
    eps=st.floats(0.01, 1),
    sigma=st.sampled_from([0, 0.01, 0.4]),
    subcarriers=st.none() | st.integers(1, 10**6),
    rows=st.none() | st.integers(1, 30),
)
@settings(max_examples=12)
def test_size_answers_in_at_most_six_short_lines_that_agree_with_the_table(
    d, T, eps, sigma, subcarriers, rows
) -> None:
    fixed = "".join(f" --{n} {v}" for n, v in (("subcarriers", subcarriers), ("rows", rows)) if v)
    line = f"size --k 1 --d {d} --T {T} --delta 0.01 --eps {eps} --sigma {sigma}{fixed}"
    found = record(line)
    answer = found["answer"]
    assert len(answer) <= 6 and max(map(len, answer)) <= 80
    if found["buckets"] is None:
        assert answer[0].startswith("No sketch")
    else:
        larger, shape = found["buckets"] > d, f"{found['rows']} rows of {found['columns']:,} buckets"
        use = f"Use {shape}, read out by the median: "
        first = "No such sketch is smaller than the model (" if larger else use
        assert answer[0].startswith(first) and (f"It has {shape}; " in answer[3]) == larger
        hint = re.search(r"--eps (\S+) needs ([\d,]+)\.", answer[3])
        if hint is not None:
            at = lambda error: record(f"{line} --eps {error} --rows {found['rows']}")["buckets"]  # noqa: E731
            assert at(hint[1]) == int(hint[2].replace(",", "")) < d
            before = 0.495 * float(hint[1])  # the error tried before it, and its rounding to 3 digits
            assert before <= eps or (at(before) or d) >= d
        assert hint is not None or found["buckets"] <= d or "every --eps up to 1 exceeds" in answer[3]
        assert (T == 1) == answer[1].endswith("at the one")
