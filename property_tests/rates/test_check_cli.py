"""The command check: certificates that lr wrote are proofs, and changed or broken files are told apart."""

import json
import re
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from property_tests.rates.asked import answer, printed, refused
from theory.rates.descent.certificate import digest

CONSTANTS = {
    "plain": "--L 1 --E 3 --B 1.5",
    "all errors": "--L 4 --mu 0.1 --E 2 --B 1.3 --Pb 0.01 --Pn 0.2 --M 10",
}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The certificates' texts."""
    texts = {}
    for name, line in CONSTANTS.items():
        path = tmp_path_factory.mktemp("certificates") / "c.json"
        printed(f"lr {line} --certificate {path} --coq {path.with_suffix('.v')}")
        assert sorted(each.name for each in path.parent.iterdir()) == ["c.json", "c.v"]
        assert "Theorem descent" in path.with_suffix(".v").read_text()
        texts[name] = path.read_text()
    return texts


def check(text: str | bytes) -> tuple[int, str]:
    """The exit code of check on a file of its own, and the one line that it says."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "given.json"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        code, out, err = answer(["check", str(path)])
    assert (out + err).count("\n") == 1 and bool(err) == (code == 2)
    return code, out + err


def test_a_certificate_proves_its_learning_rate_in_one_line(written: dict[str, str]) -> None:
    """It is the one that lr prints; without a digest the line says so."""
    for name, scope in {"plain": "and every smaller gamma", "all errors": "this gamma only"}.items():
        code, line = check(written[name])
        assert code == 0 and line.startswith("PROVED: gamma = ") and scope in line and "sha256" not in line
    assert "E = 2" in line and "P_b = 0.01" in line and "nu = 0.1" in line
    shown = re.search(r"all digits +gamma = (\S+)", printed(f"lr {CONSTANTS['all errors']} --detail"))
    proved = re.search(r"gamma = (\S+)", line)
    assert shown is not None and proved is not None and float(Fraction(proved[1])) == float(shown[1])
    unsigned = {key: value for key, value in json.loads(written["plain"]).items() if key != "sha256"}
    code, line = check(json.dumps(unsigned))
    assert code == 0 and line.startswith("PROVED: ") and "The file has no sha256" in line


@given(st.data())
def test_a_changed_digit_is_rejected(written: dict[str, str], data: st.DataObject) -> None:
    """Where the proof survives the change, the digest does not."""
    text = written[data.draw(st.sampled_from(sorted(written)))]
    place = data.draw(st.sampled_from([m.start() for m in re.finditer(r"[0-9]", text)]))
    digit = data.draw(st.sampled_from([d for d in "0123456789" if d != text[place]]))
    assert check(text[:place] + digit + text[place + 1 :])[0] in (1, 2)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"gamma": "2"}, "not positive definite"),
        ({"gamma": "-1"}, "gamma is not positive"),
        ({"c": "0"}, "c is not positive"),
        ({"multipliers": {}}, "do not cancel"),
        ({"sha256": "0"}, "changed after it was written"),
        ({"smaller_gamma": "not covered"}, "changed after it was written"),
    ],
)
def test_a_file_that_proves_nothing_is_rejected_with_its_fault(
    change: dict[str, object], fault: str, written: dict[str, str]
) -> None:
    code, line = check(json.dumps(json.loads(written["plain"]) | change))
    assert code == 1 and line.startswith("REJECTED: ") and fault in line


@pytest.mark.parametrize("digested", [True, False])
@pytest.mark.parametrize(
    ("name", "false"),
    [
        ("version", True),
        ("version", 1.0),
        ("smaller_gamma", "covered"),
        ("statement", "all converges"),
    ],
)
def test_words_that_the_numbers_do_not_imply_are_rejected(
    name: str, false: object, digested: bool, written: dict[str, str]
) -> None:
    """Also with a digest that fits them."""
    record = json.loads(written["all errors"]) | {name: false}
    del record["sha256"]
    code, line = check(json.dumps(record | ({"sha256": digest(record)} if digested else {})))
    assert code == 1 and line.startswith(f"REJECTED: its {name} is not what the numbers imply")


@pytest.mark.parametrize(
    "broken",
    [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"format": 1}', b"[" * 100000, b'{"a":1,"a":2}', b"NaN"],
)
def test_a_broken_or_missing_file_or_a_folder_is_one_line(broken: bytes, tmp_path: Path) -> None:
    code, line = check(broken)
    assert code == 2 and line.startswith("fpsverify: ")
    for path in (tmp_path / "nothing.json", tmp_path):
        assert refused(f"check {path}")


def test_checking_needs_no_solver_no_torch_and_no_algebra(written: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text(written["plain"])
    command = [sys.executable, "-X", "importtime", "-m", "fpsverify", "check", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = {line.split("|")[-1].strip().split(".")[0] for line in done.stderr.splitlines()}
    assert "theory" in loaded
    assert not loaded & {"clarabel", "cvxpy", "torch", "sympy", "numpy", "scipy"}
