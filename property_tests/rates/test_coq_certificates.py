"""A certificate as a Coq file: its numbers are the certificate's, and Coq's own checker accepts it."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from property_tests import laws
from theory.errors import InvalidParameter
from theory.proofs import build, sources
from theory.proofs.prove import INSTALL
from theory.rates.descent.certificate import Certificate
from theory.rates.descent.certified import certified_range, certify
from theory.rates.descent.coq_file import coq_file
from theory.rates.parameters import Parameters

SOURCE = laws.RATE


def made(q: Parameters, gamma: str) -> Certificate:
    found = certify(q, Fraction(gamma))
    assert found is not None
    return found


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
    proof = made(PLAIN, "0.39")
    text, values = coq_file(proof), dict(proof.multipliers)
    assert numbers(text, "gamma") == [Fraction("0.78")] and numbers(text, "c") == [2 * proof.c]
    assert numbers(text, "eta_0") == [2 * values["spread 0"]]
    pairs = re.findall(r"on (\d+) (\d+) \(([^)]*)\)", text)
    assert {f"pair {i} {j}": Fraction(v.replace(" # ", "/")) for i, j, v in pairs} == {
        name: value for name, value in values.items() if name.startswith("pair")
    }


def test_only_a_certificate_that_holds_is_written() -> None:
    with pytest.raises(InvalidParameter, match="^certificate: "):
        coq_file(replace(made(PLAIN, "0.39"), c=Fraction(1)))
    odd = made(replace(NOISY, nu=Fraction(2, 5)), "0.2")
    with pytest.raises(InvalidParameter, match="^nu: "):
        coq_file(odd)


def compile_checker(folder: Path) -> None:
    """Coq's checker of certificates, with all that its proof needs."""
    build.copy_sources(folder, sources.with_imports([Path("rates/CheckerProof.v")]))
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
