"""The commands lr, bound and size: numbers agree with the functions, bad input is named in one line."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from fpsverify.cli.rates import add_commands, parse_interval, parse_number
from theory.bounds.sketch_size import Demand, smallest
from theory.errors import InvalidParameter
from theory.rates.parameters import Parameters
from theory.rates.ranges import FORMS, ranges

LR = "lr --L 4 --mu 0.1 --E 5 --B 1.3 --Pb 0.01 --Pn 0.2 --M 10"
BOUND = (
    "bound --L 4 --mu 0.1 --E 5 --B 1.3 --Pb 0.001 --Pn 0.2 --gamma 0.0005 --T 1000 --Delta 1 --b2 0.01 "
    "--sigma2 0.1"
)
SIZE = "size --k 10 --d 10000 --T 100 --delta 0.01"


def run(line: str) -> int:
    parser = argparse.ArgumentParser(prog="fpsverify")
    add_commands(parser.add_subparsers(required=True))
    args = parser.parse_args(line.split())
    return args.func(args)


def record(line: str, capsys: pytest.CaptureFixture[str]) -> dict:
    assert run(f"{line} --json") == 0
    return json.loads(capsys.readouterr().out)


def test_lr_prints_the_five_ranges(capsys: pytest.CaptureFixture[str]) -> None:
    found = record(LR, capsys)
    expected = ranges(Parameters(L=4, mu=0.1, E=5, B=1.3, P_b=0.01, P_n=0.2, M=10))
    assert tuple(found) == FORMS
    for form in FORMS:
        assert found[form]["empty"] == expected[form].empty
        if not expected[form].empty:
            assert found[form]["gamma_max"] == pytest.approx(expected[form].gamma_max, rel=1e-12)
    assert run(LR) == 0
    printed = capsys.readouterr().out
    assert "P_b B^2 must fall below 0.006666 (now 0.0169)" in printed
    assert max(map(len, printed.splitlines())) <= 110


def test_lr_takes_intervals_and_their_range_is_the_smallest(capsys: pytest.CaptureFixture[str]) -> None:
    box = record("lr --L 4 --E 2:3 --Pb 0.001:0.002", capsys)
    worst = record("lr --L 4 --E 3 --Pb 0.002", capsys)
    for form in FORMS:
        assert box[form]["gamma_max"] == pytest.approx(worst[form]["gamma_max"], rel=1e-12)


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
    assert run(BOUND) == 0
    printed = capsys.readouterr().out
    assert "sketch" not in printed.split("Theorem 1 as printed")[1].split("= bound")[0]
    assert "no sketch" in printed


def test_a_given_residual_wins_over_the_lemma(capsys: pytest.CaptureFixture[str]) -> None:
    assert record(f"{BOUND} --c 10 --k 100 --d 10000 --p 2 --W 1 --R2 0.25", capsys)["R2"] == 0.25


def test_bound_outside_every_range_still_answers(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("bound --L 4 --E 5 --gamma 1 --T 10 --Delta 1") == 0
    printed = capsys.readouterr().out
    assert printed.count("no bound") == 2


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
    assert run(f"{SIZE} --eps 0.1 --p 2 --sigma 0.01 --subcarriers 500") == 0
    printed = capsys.readouterr().out
    assert "500 subcarriers" in printed
    assert "Section 3.2 corrected" in printed
