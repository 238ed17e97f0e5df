"""Certificates: their file, their exact verifier, and what the verifier must refuse.

As a Coq file: its numbers are the certificate's, and Coq's own checker accepts it.
"""

import ast
import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from theory.errors import InvalidParameter
from theory.proofs import build, sources
from theory.proofs.prove import INSTALL
from theory.rates.descent import certificate as files
from theory.rates.descent import check
from theory.rates.descent.certificate import Certificate, FreshRound
from theory.rates.descent.certified import certified_range, certify
from theory.rates.descent.check import checked, is_positive_definite, objection
from theory.rates.descent.coq_file import coq_file
from theory.rates.fresh_sketch import FreshSketch
from theory.rates.parameters import Parameters, Scalar

CASES: dict[str, tuple[Any, ...]] = {
    "plain": (Parameters(L=1, E=3, B=Fraction(3, 2)), "0.79", 1),
    "no spread": (Parameters(L=2, E=3), "0.89", 1),
    "one step": (Parameters(L=1, E=1, B=2, P_b=Fraction(1, 100)), "1.6", 1),
    "bias": (Parameters(L=1, E=2, B=2, P_b=Fraction(1, 50), mu=Fraction(1, 3)), "0.5", 1),
    "noise": (Parameters(L=1, E=3, B=2, P_n=Fraction(1, 2), M=4), "0.3", 1),
    "all errors": (Parameters(L=3, E=2, B=Fraction(5, 4), P_b=Fraction(1, 100), P_n=1, nu=1), "0.1", 1),
    "convex": (Parameters(L=1, E=4, B=2), "0.7", 0),
    "in between": (Parameters(L=1, E=4, B=2), "0.5", Fraction(1, 4)),
}


# A sketch with ω_L = 20 L or ω_L = L/25 (2 of 4 devices), A3 at the broadcasts only or at x + ȳ too.
NARROW = FreshRound(FreshSketch(1, 5, 96, ell=1), 10, 3)
TRACED = FreshRound(FreshSketch(2, 50, 1000, ell=1, trace=3), 4, 2)
CASES |= {
    "narrow": (Parameters(L=1, E=3, B=Fraction(3, 2)), "0.01", 1, NARROW, False),
    "narrow, one step": (Parameters(L=1, E=1, B=2), "0.01", 1, NARROW, False),
    "narrow, everywhere": (Parameters(L=1, E=3, B=2, P_n=Fraction(1, 2), M=10), "0.01", 1, NARROW, True),
    "traced": (Parameters(L=1, E=4), "0.15", 0, TRACED, False),
    "traced, biased": (
        Parameters(L=1, E=2, B=2, P_b=Fraction(1, 50), mu=Fraction(1, 3)),
        "0.2",
        1,
        TRACED,
        False,
    ),
}


def proven(
    q: Parameters, gamma: str, theta: Scalar = 1, fresh: FreshRound | None = None, everywhere: bool = True
) -> Certificate:
    found = certify(q, Fraction(gamma), theta, fresh, everywhere)
    assert found is not None
    return found


@cache
def made(name: str) -> Certificate:
    return proven(*CASES[name])


@pytest.mark.parametrize("name", CASES)
def test_what_is_made_passes_the_verifier_and_its_file_keeps_every_digit(name: str) -> None:
    q, gamma, *_ = CASES[name]
    proof = checked(made(name))
    assert (proof.gamma, proof.L, proof.mu) == (Fraction(gamma), q.L, q.mu)
    assert proof.c > 0 and proof.price("spread") >= 0
    assert min(proof.price("bias"), proof.price("noise")) > 0  # also where P_b or P_n is 0
    assert files.from_json(files.parsed(made(name).dumps())) == made(name)
    json.dumps(made(name).as_json(), allow_nan=False)


def mutants(proof: Certificate) -> Iterator[tuple[str, Certificate]]:
    """Every number changed: multipliers out of balance, negative or far too large, constants made worse."""
    steeper = proof.L * 4 + 20 * proof.omega
    changes = {"gamma": proof.gamma * 4, "c": proof.c + 2 / proof.L, "L": steeper, "B": proof.B + 30}
    for name, value in changes.items():
        yield name, replace(proof, **{name: value})
    if proof.P_b:
        yield "P_b", replace(proof, P_b=Fraction(2))
    if proof.P_n:
        yield "P_n", replace(proof, P_n=Fraction(10**6))
    if proof.sketch is not None:
        yield "omega", replace(proof, sketch=None, omega=proof.omega * 3 + 6 * proof.L)
        yield "omega below the sketch's", replace(proof, omega=proof.omega * Fraction(99, 100))
        yield "v below the participants'", replace(proof, v=proof.v * Fraction(99, 100))
    free = {kind for kind, share in (("bias", proof.P_b), ("noise", proof.P_n)) if not share}
    free |= {"spread"} if proof.B == 1 else set()  # there a larger price is valid
    for name, value in proof.multipliers:
        yield f"{name} left out", _with(proof, name, None)
        yield f"{name} negative", _with(proof, name, -value - 10**6)
        if name.startswith("pair"):
            yield f"{name} plus a little", _with(proof, name, value + Fraction(1, 10**12))
        elif name.split()[0] not in free:
            yield f"{name} too large", _with(proof, name, value + 10**6)


def _with(proof: Certificate, name: str, value: Fraction | None) -> Certificate:
    changed = [(n, value if n == name else v) for n, v in proof.multipliers if n != name or value is not None]
    return replace(proof, multipliers=tuple(changed))  # type: ignore[arg-type]


# To leave these out (multiplier 0) may be harmless: the proof does not lean on each of them.
OPTIONAL = ("own", "start", "across", "share", "spread", "noise", "bias")


@pytest.mark.parametrize("name", CASES)
def test_mutants_are_refused(name: str) -> None:
    survivors = [
        text
        for text, mutant in mutants(made(name))
        if objection(mutant) is None and not (text.endswith("left out") and text.startswith(OPTIONAL))
    ]
    assert survivors == []


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("E", 0, "E is no positive integer"),
        ("L", Fraction(0), "L is not positive"),
        ("B", Fraction(1, 2), "B is below 1"),
        ("P_b", Fraction(-1), "P_b or P_n is negative"),
        ("mu", Fraction(-1), "mu is negative"),
        ("mu", Fraction(10), "gamma mu is above 1"),
        ("nu", Fraction(0), r"nu is outside \(0, 1\]"),
        ("theta", Fraction(101, 100), r"theta is outside \[0, 1\]"),
        ("theta", Fraction(-1, 100), r"theta is outside \[0, 1\]"),
        ("gamma", Fraction(0), "gamma is not positive"),
        ("c", Fraction(0), "c is not positive"),
    ],
)
def test_constants_outside_the_statement_are_refused(field: str, value: Fraction, why: str) -> None:
    """By their own line: a matrix that is not definite any more would hide that nobody looked at them."""
    with pytest.raises(InvalidParameter, match=f"^certificate: got {why}, expected one that proves descent$"):
        checked(replace(made("plain"), **{field: value}))


# Noise is orthogonal neither to itself nor to its own future, and shared noise has no share.
NO_SUCH = {
    "plain": "pair 0 0|pair 0 9|pair 0|pair 00 1|pair 0 -1|spread 1|bias 3|share 0|x|",
    "noise": "own z0 g1|own z0 z0|own z0 z1|start z0 g1|across z0 z0|start g0 g0|own g1 g0",
    "all errors": "share 0|across z1 z0|start z1 b1|start z1 g1|start z0 z1|own z0 b1",
}


@pytest.mark.parametrize(("case", "name"), [(case, n) for case, ns in NO_SUCH.items() for n in ns.split("|")])
def test_inequalities_that_do_not_exist_are_refused(case: str, name: str) -> None:
    proof = made(case)
    extra = replace(proof, multipliers=(*proof.multipliers, (name, Fraction(1, 10**9))))
    assert "no inequality named" in (objection(extra) or "")


@pytest.mark.parametrize("kind", check.INEQUALITIES)
def test_a_negative_multiplier_of_an_inequality_is_refused(kind: str) -> None:
    """However small: an inequality may only be added with a sign that keeps it."""
    q = Parameters(L=1, E=2, B=2, P_b=Fraction(1, 50), P_n=Fraction(1, 2), M=4)
    proof = certify(q, Fraction(1, 10))
    assert proof is not None
    for name, _ in proof.multipliers:
        if name.startswith(kind):
            tiny = _with(proof, name, Fraction(-1, 10**30))
            assert objection(tiny) == f"the multiplier of {name!r} is negative"


def test_a_multiplier_that_occurs_twice_and_devices_that_differ_more_are_refused() -> None:
    """E = 3: 0.79 is just below the limit of B = 1.5, which is 0.7964. One step does not use μ at all."""
    proof = made("plain")
    assert objection(replace(proof, multipliers=proof.multipliers * 2)) == "a multiplier occurs twice"
    assert objection(replace(proof, mu=Fraction(1001, 1000) / proof.gamma)) == "gamma mu is above 1"
    assert objection(replace(proof, B=Fraction(8, 5))) is not None
    one = made("one step")
    assert objection(replace(one, mu=2 / one.gamma)) is None


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"format": "another"}, "certificate"),
        ({"version": 2}, "version"),
        ({"gamma": 0.79}, "gamma"),
        ({"gamma": "NaN"}, "gamma"),
        ({"gamma": "1e9"}, "gamma"),
        ({"gamma": "1/0"}, "gamma"),
        ({"c": "9" * 5000}, "c"),
        ({"extra": 1}, "certificate"),
        ({"multipliers": [1]}, "multipliers"),
        ({"parameters": {"E": 3}}, "parameters"),
        ({"multipliers": {"pair 0 " + "1" * 5000: "1"}}, "multipliers"),
        ({"sketch": 3}, "sketch"),
        ({"sketch": {"rows": 1}}, "sketch"),
        ({"sketch": NARROW.as_json() | {"participants": 11}}, "participants"),
        ({"sketch": NARROW.as_json() | {"trace": "1/2"}}, "trace"),
        ({"sketch": NARROW.as_json() | {"compressor": "svd"}}, "compressor"),
    ],
)
def test_a_damaged_file_is_refused_in_one_line(change: dict[str, object], field: str) -> None:
    text = json.dumps(made("plain").as_json() | change)
    with pytest.raises(InvalidParameter) as error:
        files.from_json(files.parsed(text))
    assert error.value.field == field and "\n" not in str(error.value) and len(str(error.value)) < 250


def imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    froms = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return froms | {a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names}


def test_the_verifier_shares_no_code_with_the_search() -> None:
    """It may import the file format and the error, and no numerics."""
    folder = Path(check.__file__).parent
    allowed = {"theory.rates.descent.certificate", "theory.errors"}
    allowed |= {"theory.rates.fresh_sketch"}
    for name in ("check", "certificate", "../fresh_sketch"):
        used = imports(folder / f"{name}.py")
        assert {module for module in used if module.startswith("theory")} <= allowed
        assert not used & {"numpy", "scipy", "clarabel", "cvxpy"}


def squares(n: int) -> st.SearchStrategy[list[list[int]]]:
    return st.lists(st.lists(st.integers(-5, 5), min_size=n, max_size=n), min_size=n, max_size=n)


@given(st.integers(1, 5).flatmap(squares))
def test_definiteness_agrees_with_eigenvalues(rows: list[list[int]]) -> None:
    """AAᵀ + k·I for an integer matrix A: definite exactly if the smallest eigenvalue is positive."""
    A = np.array(rows)
    for shift in (-3, 0, 1):
        matrix = A @ A.T + shift * np.eye(len(A), dtype=int)
        smallest = np.linalg.eigvalsh(matrix)[0]
        exact = is_positive_definite([[Fraction(int(v), 7) for v in row] for row in matrix])
        if abs(smallest) > 1e-9:  # else floats cannot tell: an integer determinant decides
            assert exact == (smallest > 0)
        else:
            assert exact == (round(np.linalg.det(matrix)) > 0 and smallest > 0)


PLAIN = Parameters(L=2, E=3, B=Fraction(3, 2))
NOISY = Parameters(L=1, E=2, B=2, P_b=Fraction(1, 100), P_n=Fraction(1, 2), M=4, mu=Fraction(1, 3))


def numbers(text: str, field: str) -> list[Fraction]:
    """The rational numbers of one field."""
    body = re.search(rf"q_{field} := (.*?)(;\n  q_| \|}})", text, re.DOTALL)
    assert body is not None
    return [
        Fraction(n.replace(" # ", "/")) for n in re.findall(r"\(?(-?\d+(?: # \d+)?)\)?(?=[;\]]|$)", body[1])
    ]


def test_the_numbers_are_the_certificates_in_units_with_L_1() -> None:
    proof = proven(PLAIN, "0.39")
    text, values = coq_file(proof), dict(proof.multipliers)
    assert numbers(text, "gamma") == [Fraction("0.78")] and numbers(text, "c") == [2 * proof.c]
    assert numbers(text, "eta_0") == [2 * values["spread 0"]]
    pairs = re.findall(r"on (\d+) (\d+) \(([^)]*)\)", text)
    assert {f"pair {i} {j}": Fraction(v.replace(" # ", "/")) for i, j, v in pairs} == {
        name: value for name, value in values.items() if name.startswith("pair")
    }


def test_only_a_certificate_that_holds_is_written() -> None:
    with pytest.raises(InvalidParameter, match="^certificate: "):
        coq_file(replace(proven(PLAIN, "0.39"), c=Fraction(1)))
    odd = proven(replace(NOISY, nu=Fraction(2, 5)), "0.2")
    with pytest.raises(InvalidParameter, match="^nu: "):
        coq_file(odd)


def compile_checker(folder: Path) -> None:
    """Coq's checker of certificates, with all that its proof needs."""
    build.copy_sources(folder, sources.with_imports([Path("fresh/PricedCheckerProof.v")]))
    build.compile_all(folder, 2, lambda file, seconds: None)


def coq_accepts(text: str, folder: Path) -> bool:
    (folder / "Numbers.v").write_text(text, encoding="utf-8")
    command = ["coqc", "-Q", ".", sources.ROOT, "Numbers.v"]
    return subprocess.run(command, cwd=folder, capture_output=True, timeout=120).returncode == 0


@pytest.mark.skipif(build.coq_version() is None, reason=INSTALL)
def test_coq_proves_the_descent(tmp_path: Path) -> None:
    """The file is a proof as it stands, at the end of the range; with γ a tenth larger it is none."""
    compile_checker(tmp_path)
    for q in (PLAIN, NOISY):
        proof = certified_range(q).proof
        assert proof is not None
        text = coq_file(proof)
        assert coq_accepts(text, tmp_path)
        step = numbers(text, "gamma")[0] * Fraction(11, 10)
        wrong = re.sub(r"q_gamma := [^;]*", f"q_gamma := {step.numerator} # {step.denominator}", text)
        assert not coq_accepts(wrong, tmp_path)
    proof = proven(PLAIN, "0.1", fresh=TRACED)
    text = coq_file(proof)
    assert coq_accepts(text, tmp_path)
    assert not coq_accepts(re.sub(r"q_omega := [^;]*", "q_omega := 9", text), tmp_path)
