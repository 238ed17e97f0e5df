"""The commands lr, bound and size: numbers agree with the functions, bad input is named in one line."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fpsverify.cli import size
from fpsverify.cli.rates import commands as rates
from fpsverify.cli.rates.commands import parse_interval, parse_number
from property_tests import laws
from theory.bounds.sketch_size import Demand, smallest
from theory.errors import InvalidParameter
from theory.rates.parameters import Parameters
from theory.rates.ranges import FORMS, ranges

SOURCE = laws.COMMANDS

LR = "lr --L 4 --mu 0.1 --E 5 --B 1.3 --Pb 0.01 --Pn 0.2 --M 10"
BOUND = (
    "bound --L 4 --mu 0.1 --E 5 --B 1.3 --Pb 0.001 --Pn 0.2 --gamma 0.0005 --T 1000 --Delta 1 --b2 0.01 "
    "--sigma2 0.1"
)
SIZE = "size --k 10 --d 10000 --T 100 --delta 0.01"


def run(line: str) -> int:
    parser = argparse.ArgumentParser(prog="fpsverify")
    commands = parser.add_subparsers(required=True)
    rates.add_commands(commands)
    size.add_commands(commands)
    args = parser.parse_args(line.split())
    return args.func(args)


def record(line: str, capsys: pytest.CaptureFixture[str]) -> dict:
    assert run(f"{line} --json") == 0
    return json.loads(capsys.readouterr().out)


def test_lr_prints_the_five_ranges(capsys: pytest.CaptureFixture[str]) -> None:
    found = record(LR, capsys)
    expected = ranges(Parameters(L=4, mu=0.1, E=5, B=1.3, P_b=0.01, P_n=0.2, M=10))
    assert tuple(found) == (*FORMS, "certified", "convex")
    for form in FORMS:
        assert found[form]["empty"] == expected[form].empty
        if not expected[form].empty:
            assert found[form]["gamma_max"] == pytest.approx(expected[form].gamma_max, rel=1e-12)
    assert run(f"{LR} --detail") == 0
    printed = capsys.readouterr().out
    assert "P_b B^2 must fall below 0.006666 (now 0.0169)" in printed
    assert max(map(len, printed.splitlines())) <= 110


UNEXPLAINED = (
    "sdp",
    "sharp",
    "forgotten",
    "eq:gamma_range",
    "c c_b",
    "sqrt(alpha)",
    "A1-A4",
    "A4",
    "★",
    "rho",
)
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
    BOUND,
    f"{BOUND} --R2 0.01",
    f"{BOUND} --gamma 20",
    "bound --L 0 --gamma 1 --T 10 --Delta 1",
)


@pytest.mark.parametrize("line", QUESTIONS)
def test_the_answer_comes_first_in_six_lines_without_unexplained_words(
    line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(line) == 0
    printed = capsys.readouterr().out
    first = printed.split("\n\n")[0].splitlines()
    assert 2 <= len(first) <= 6
    openings = ("Certified: gamma", "Any learning rate", "No learning rate", "Mean ||grad f||^2 (gamma")
    assert first[0].startswith(openings)
    assert not [word for word in UNEXPLAINED if word in printed]
    assert max(map(len, first)) <= 80 and max(map(len, printed.splitlines())) <= 100


def test_strongly_convex_losses_are_answered_as_convex_ones(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    note, file = "Losses that are strongly convex are convex", tmp_path / "c.json"
    line = "lr --L 2 --E 3 --B 2"
    convex, strong = (record(f"{line} --theta {theta}", capsys)["certified"] for theta in ("0", "-0.5"))
    assert (strong["gamma_max"], strong["theta"]) == (convex["gamma_max"], 0)
    assert note in strong["why"] and note not in convex["why"]
    assert run(f"{line} --theta -1 --certificate {file}") == 0
    assert note in capsys.readouterr().out
    assert json.loads(file.read_text())["parameters"]["theta"] == "0"


def test_descent_in_each_round_is_said_only_of_what_a_certificate_covers(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """For μ > 0 and E ≥ 2 that is one γ; Theorem A, which covers those below it, speaks of a mean."""
    lines = {}
    for mu in ("0", "0.1"):
        assert run(f"lr --L 1 --E 3 --mu {mu}") == 0
        lines[mu] = capsys.readouterr().out.split("\n\n")[0].splitlines()
    assert "each round lowers the expected loss" in lines["0"][1]
    assert "(exact) and gamma < " in lines["0.1"][0]
    assert lines["0.1"][1].startswith("  First: each round lowers the expected loss")
    assert lines["0.1"][2].startswith("  Second: the mean squared gradient is bounded")


def test_an_empty_range_says_what_to_change(capsys: pytest.CaptureFixture[str]) -> None:
    line = "lr --L 1 --E 2 --B 2 --Pb 1"
    own = record(line, capsys)["certified"]
    assert own["empty"] and own["gamma_max"] is None and own["certificate"] == "none"
    assert run(line) == 0
    assert "P_b below 0.25" in capsys.readouterr().out.split("\n\n")[0]


def test_what_was_assumed_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("lr --L 1 --E 2 --B 1.5") == 0
    assert "Not given, so assumed: mu = 0, P_b = 0, P_n = 0, M = 1." in capsys.readouterr().out
    assert record("lr --L 1 --mu 0 --E 1 --B 1 --Pb 0 --Pn 0 --M 1", capsys)["certified"]["assumed"] == []


def test_a_box_is_certified_at_its_worst_corner(capsys: pytest.CaptureFixture[str]) -> None:
    box = record("lr --L 2:4 --E 1:3 --B 1:1.5 --Pb 0:0.01", capsys)["certified"]
    corner = record("lr --L 4 --E 3 --B 1.5 --Pb 0.01", capsys)["certified"]
    assert box["certificate"] == "exact" and box["gamma_max"] == corner["gamma_max"]


@pytest.mark.parametrize("line", ["--E 2 --mu 0:0.1", "--E 2:3 --mu 0.1", "--E 1:30"])
def test_a_box_that_no_certificate_covers_gets_theorem_a(
    line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = record(f"lr --L 4 {line}", capsys)
    assert found["certified"]["certificate"] == "none"
    assert found["certified"]["gamma_max"] == pytest.approx(found["repaired_sharp"]["gamma_max"])


def test_without_a_solver_theorem_a_answers_and_says_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "clarabel", None)
    found = record("lr --L 3 --E 2 --B 1.4", capsys)
    assert found["certified"]["certificate"] == "none"
    assert "clarabel is not installed" in found["certified"]["why"]
    assert found["certified"]["gamma_max"] == pytest.approx(found["repaired_sharp"]["gamma_max"])
    with pytest.raises(InvalidParameter, match="^certificate: got .*clarabel is not installed"):
        run(f"lr --L 3 --E 2 --B 1.4 --certificate {tmp_path / 'c.json'}")
    assert list(tmp_path.iterdir()) == []
    assert record(BOUND, capsys)["sdp"]["total"] is None


def test_both_files_are_written_or_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Coq's statement knows ν = 1/M only; an old certificate stays as it was."""
    target = tmp_path / "c.json"
    target.write_text("old")
    files = f"--certificate {target} --coq {tmp_path / 'c.v'}"
    with pytest.raises(InvalidParameter, match="^nu"):
        run(f"lr --L 1 --E 2 --Pn 0.1 --nu 0.3 {files}")
    assert [each.name for each in tmp_path.iterdir()] == ["c.json"] and target.read_text() == "old"
    assert run(f"lr --L 1 --E 2 --Pn 0.1 --M 3 {files}") == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == ["c.json", "c.v"]
    assert target.read_text().startswith("{")


def test_noise_that_may_be_correlated_shrinks_the_range(capsys: pytest.CaptureFixture[str]) -> None:
    base = "lr --L 4 --Pn 3 --M 10"
    averaged, correlated, given = (
        record(line, capsys)["repaired_sharp"]["gamma_max"]
        for line in (base, f"{base} --no-independent-noise", f"{base} --nu 1")
    )
    assert averaged > correlated == given


def test_lr_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, line in {
        "sweep.png": "lr --L 4 --E 2 --sweep Pb 0 0.3",
        "interval.svg": "lr --L 4 --Pn 0:2",
        "default.pdf": "lr --L 4",
    }.items():
        assert run(f"{line} --plot {tmp_path / name}") == 0
        assert (tmp_path / name).stat().st_size > 1000
    with pytest.raises(InvalidParameter, match="^plot"):
        run(f"lr --L 4 --plot {tmp_path / 'figure.txt'}")
    with pytest.raises(InvalidParameter, match="^plot"):
        run(f"lr --L 4 --plot {tmp_path / 'nowhere' / 'figure.png'}")
    with pytest.raises(InvalidParameter, match="^sweep"):
        run(f"lr --L 4 --sweep Q 0 1 --plot {tmp_path / 'figure.png'}")
    with pytest.raises(InvalidParameter, match="^sweep"):
        run("lr --L 4 --sweep E 1 5")


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("--L -1", "L"), ("--L nan", "L"), ("--L inf", "L"), ("--L abc", "L"), ("--L 1/0", "L"),
        ("--L 1/2/3", "L"), ("--L 1e999", "L"), ("--L 4 --mu -1", "mu"), ("--L 4 --E 0", "E"),
        ("--L 4 --E 2.5", "E"),
        ("--L 4 --E two", "E"), ("--L 4 --B 0.5", "B"), ("--L 4 --Pb -0.1", "P_b"), ("--L 4 --Pb inf", "P_b"),
        ("--L 4 --Pn nan", "P_n"), ("--L 4 --Pb 0.2:0.1", "P_b"), ("--L 4 --Pb 0.1:", "P_b"),
        ("--L 4 --theta 1.5", "theta"), ("--L 4 --theta -1.1", "theta"), ("--L 4 --theta nan", "theta"),
        ("--L 4 --L_f 5", "L_f"), ("--L 4 --L_f 2 --E 2", "L_f"), ("--L 4 --L_f 0", "L_f"),
        ("--L 4 --certificate nowhere/c.json", "certificate"), ("--L 4 --coq nowhere/c.v", "coq"),
        ("--L 4 --Pb 1 --certificate c.json", "certificate"), ("--L 0 --coq c.v", "coq"),
        ("--L 4 --M 0", "M"), ("--L 4 --nu 2", "nu"), ("--L 4 --E 2:900", "E"), ("--L 4 --E 1000000", "E"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_that_names_the_field(line: str, field: str) -> None:
    with pytest.raises(InvalidParameter) as caught:
        run(f"lr {line}")
    assert str(caught.value).startswith(f"{field}: got")
    assert "\n" not in str(caught.value)


def test_numbers_are_read_exactly() -> None:
    assert parse_number("L", "0.1") * 10 == 1
    assert parse_number("L", "1/3") * 3 == 1
    assert parse_number("L", "1e-999999999") == 0
    assert parse_interval("L", "0.1:0.1") == parse_interval("L", "0.1")
    with pytest.raises(InvalidParameter, match="^L: got 2:1, expected an interval"):
        parse_interval("L", "2:1")


def test_bound_prints_every_term(capsys: pytest.CaptureFixture[str]) -> None:
    found = record(f"{BOUND} --c 10 --k 100 --d 10000 --p 2 --W 1", capsys)
    for form in ("paper", "repaired_closed", "repaired_sharp"):
        assert sum(found[form]["terms"].values()) == pytest.approx(found[form]["total"], rel=1e-9)
    assert all(found["in_range"].values())
    assert found["repaired_sharp"]["total"] < found["repaired_closed"]["total"]
    assert found["R2"] == pytest.approx(0.1 + (((100**-3 - 10000**-3) / 3) ** 0.5 + 2 / 10**0.5) ** 2)
    assert run(f"{BOUND} --detail") == 0
    printed = capsys.readouterr().out
    assert "sketch" not in printed.split("Theorem 1 as printed (")[1].split("= bound")[0]
    assert "no sketch" in printed


@pytest.mark.parametrize("more", ["--E 1", "--E 2 --R2 1.5 --B 1.5", "--E 50 --mu 0.1", "--Pb 1 --B 2"])
@pytest.mark.parametrize("gamma", ["0.0123456789", "1.9"])
def test_the_answer_of_bound_is_short_and_names_theorem_as_condition(
    gamma: str, more: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """At most six lines of 80 columns; the range never stands without the residual."""
    assert run(f"bound --L 1 --gamma {gamma} --T 123456 --Delta 1 {more}") == 0
    answer = capsys.readouterr().out.split("\n\n")[0].splitlines()
    assert len(answer) <= 6 and max(map(len, answer)) <= 80
    assert "residual stays bounded" in answer[1] or "range is empty" in answer[1]


def test_a_given_residual_wins_over_the_lemma(capsys: pytest.CaptureFixture[str]) -> None:
    assert record(f"{BOUND} --c 10 --k 100 --d 10000 --p 2 --W 1 --R2 0.25", capsys)["R2"] == 0.25


@pytest.mark.parametrize(
    ("line", "field"),
    [
        (f"{BOUND} --c 10", "k"), (f"{BOUND} --b2 -1", "b2"), (f"{BOUND} --gamma 0", "gamma"),
        (f"{BOUND} --T 0", "T"), (f"{BOUND} --T 1.5", "T"), (f"{BOUND} --Delta -1", "Delta"),
        (f"{BOUND} --Pb 0.1:0.2", "P_b"),
        (f"{SIZE} --eps 0", "epsilon"), (f"{SIZE} --c -1", "c"), (f"{SIZE} --eps 0.1 --p 0.5", "p"),
        (f"{SIZE} --eps 0.1 --sigma -1", "sigma"), (f"{SIZE} --eps 0.1 --rows 0", "rows"),
        (f"{SIZE} --eps 0.1 --subcarriers 0", "subcarriers"), (f"{SIZE} --eps 0.1 --delta 1", "delta"),
        (f"{SIZE} --eps 0.1 --k 20000", "k"),
    ],
)  # fmt: skip
def test_bound_and_size_name_bad_input(line: str, field: str) -> None:
    with pytest.raises(InvalidParameter, match=f"^{field}: got"):
        run(line)


def test_size_agrees_with_the_calculator(capsys: pytest.CaptureFixture[str]) -> None:
    found = record(f"{SIZE} --c 10", capsys)
    best = smallest(Demand(10, 10000, 100, 0.01, 0.1))
    assert (found["rows"], found["columns"]) == (best.rows, best.columns)
    assert found["failure"] <= found["allowed_failure"] == pytest.approx(1e-8)
    assert run(f"{SIZE} --eps 0.1 --p 2 --sigma 0.01 --subcarriers 500 --detail") == 0
    printed = capsys.readouterr().out
    assert "500 subcarriers" in printed
    assert "Section 3.2 corrected" in printed


def sized(line: str) -> dict:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert run(f"{line} --json") == 0
    return json.loads(out.getvalue())


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
    found = sized(line)
    answer = found["answer"]
    assert len(answer) <= 6 and max(map(len, answer)) <= 80
    if found["buckets"] is None:
        assert answer[0].startswith("No sketch")
    else:
        larger, shape = found["buckets"] > d, f"{found['rows']} rows of {found['columns']:,} buckets"
        first = "No such sketch is smaller than the model (" if larger else f"Use {shape}: "
        assert answer[0].startswith(first) and (f"It has {shape}; " in answer[3]) == larger
        hint = re.search(r"--eps (\S+) needs ([\d,]+)\.", answer[3])
        if hint is not None:
            at = lambda error: sized(f"{line} --eps {error} --rows {found['rows']}")["buckets"]  # noqa: E731
            assert at(hint[1]) == int(hint[2].replace(",", "")) < d
            before = 0.495 * float(hint[1])  # the error tried before it, and its rounding to 3 digits
            assert before <= eps or (at(before) or d) >= d
        assert hint is not None or found["buckets"] <= d or "every --eps up to 1 exceeds" in answer[3]
        assert (T == 1) == answer[1].endswith("at the one")
