"""The command check: certificates that lr wrote are proofs, and changed or broken files are told apart."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fpsverify.cli import main
from property_tests import laws
from theory.rates.descent.certificate import digest

SOURCE = laws.RATE

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
        assert (
            main(["lr", *line.split(), "--certificate", str(path), "--coq", str(path.with_suffix(".v"))]) == 0
        )
        assert sorted(each.name for each in path.parent.iterdir()) == ["c.json", "c.v"]
        assert "Theorem descent" in path.with_suffix(".v").read_text()
        texts[name] = path.read_text()
    return texts


def check(text: str | bytes, folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    path = folder / "given.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    code = main(["check", str(path)])
    out, err = capsys.readouterr()
    assert len((out + err).splitlines()) == 1
    return code, out, err


def test_a_certificate_proves_its_learning_rate_in_one_line(
    written: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    for name, scope in {"plain": "and every smaller gamma", "all errors": "this gamma only"}.items():
        code, out, _ = check(written[name], tmp_path, capsys)
        assert code == 0 and out.startswith("PROVED: gamma = ") and scope in out
    assert "E = 2" in out and "P_b = 0.01" in out and "nu = 0.1" in out


def test_lr_prints_the_learning_rate_that_its_certificate_proves(
    written: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["lr", *CONSTANTS["all errors"].split()]) == 0
    shown = re.search(r"gamma = (\S+)", capsys.readouterr().out.splitlines()[0])
    proved = re.search(r"gamma = (\S+)", check(written["all errors"], tmp_path, capsys)[1])
    assert shown is not None and proved is not None
    assert float(Fraction(proved[1])) == float(shown[1])


@given(st.data())
def test_a_changed_digit_is_rejected(written: dict[str, str], data: st.DataObject) -> None:
    """Where the proof survives the change, the digest does not."""
    text = written[data.draw(st.sampled_from(sorted(written)))]
    place = data.draw(st.sampled_from([m.start() for m in re.finditer(r"[0-9]", text)]))
    digit = data.draw(st.sampled_from([d for d in "0123456789" if d != text[place]]))
    assert exit_code(text[:place] + digit + text[place + 1 :]) in (1, 2)


def exit_code(text: str) -> int:
    """Of check, on a file of its own, without printing."""
    import contextlib
    import io
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "c.json"
        path.write_text(text)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return main(["check", str(path)])


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
    change: dict[str, object],
    fault: str,
    written: dict[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    capsys.readouterr()
    code, out, _ = check(json.dumps(json.loads(written["plain"]) | change), tmp_path, capsys)
    assert code == 1 and out.startswith("REJECTED: ") and fault in out


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
    name: str,
    false: object,
    digested: bool,
    written: dict[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Also with a digest that fits them."""
    capsys.readouterr()
    record = json.loads(written["all errors"]) | {name: false}
    del record["sha256"]
    signed = record | ({"sha256": digest(record)} if digested else {})
    code, out, _ = check(json.dumps(signed), tmp_path, capsys)
    assert code == 1 and out.startswith(f"REJECTED: its {name} is not what the numbers imply")


def test_a_proof_without_its_digest_is_told_apart(
    written: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What it says is proved; who wrote it is not known."""
    capsys.readouterr()
    record = json.loads(written["plain"])
    assert "sha256" not in check(written["plain"], tmp_path, capsys)[1]
    del record["sha256"]
    code, out, _ = check(json.dumps(record), tmp_path, capsys)
    assert code == 0 and out.startswith("PROVED: ") and "The file has no sha256" in out


@pytest.mark.parametrize(
    "broken",
    [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"format": 1}', b"[" * 100000, b'{"a":1,"a":2}', b"NaN"],
)
def test_a_broken_file_is_one_line(broken: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = check(broken, tmp_path, capsys)
    assert code == 2 and not out and err.startswith("fpsverify: ")


def test_a_missing_file_or_a_folder_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (tmp_path / "nothing.json", tmp_path):
        assert main(["check", str(path)]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_checking_needs_no_solver_no_torch_and_no_algebra(written: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text(written["plain"])
    command = [sys.executable, "-X", "importtime", "-m", "fpsverify", "check", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = {line.split("|")[-1].strip().split(".")[0] for line in done.stderr.splitlines()}
    assert "theory" in loaded
    assert not loaded & {"clarabel", "cvxpy", "torch", "sympy", "numpy", "scipy"}
