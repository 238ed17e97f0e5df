"""`import fpsverify as fps`: instant, complete, short in print; a foreign module in the way is one line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import fpsverify as fps
from fpsverify.config import RunConfig

ROOT = Path(__file__).resolve().parents[2]


def python(code: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_the_import_is_instant_and_every_public_name_is_there(tmp_path):
    done = python(
        "import sys, fpsverify; print(sorted(m for m in ('torch', 'numpy') if m in sys.modules))", tmp_path
    )
    assert done.stdout.strip() == "[]", done.stderr
    assert set(fps.__all__) <= set(dir(fps)) and all(getattr(fps, name) for name in fps.__all__)
    assert all(name in fps.__doc__ for name in fps.__all__ if not name.startswith("__"))
    assert fps.RunConfig is RunConfig and callable(fps.run) and fps.__version__[0].isdigit()
    with pytest.raises(AttributeError):
        fps.nothing_of_the_kind  # noqa: B018


@pytest.mark.parametrize(
    ("package", "name"), [("theory", "ranges"), ("theory", "estimate"), ("empirical", "estimate")]
)
def test_a_foreign_module_in_the_way_is_one_line(package, name, tmp_path):
    """From Python, as `python -m fpsverify` with the file in the working folder, and as a function."""
    (tmp_path / f"{package}.py").write_text("x = 1\n", encoding="utf-8")
    code = f"import fpsverify as fps\ntry: fps.{name}\nexcept fps.FpsError as e: print(e)"
    done = python(code, tmp_path)
    assert f"{package}.py: hides the package {package} of fpsverify; rename it" in done.stdout, done.stderr
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "fpsverify", "lr", "--L", "1"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1, done.stderr
    assert "hides the package" in done.stderr


@pytest.mark.parametrize(
    "words,unwanted",
    [
        (["--help"], ("torch", "numpy", "sympy", "pydantic", "tqdm")),
        (["config"], ("torch", "numpy", "sympy", "pandas")),
        (["lr", "--L", "4", "--E", "2"], ("torch", "pandas", "matplotlib", "statsmodels", "numba", "z3")),
        (["size", "--k=9", "--d=99", "--T=9", "--delta=.1", "--eps=.1"], ("torch", "pandas", "matplotlib")),
        (["claim", "T1.29"], ("torch", "pandas", "matplotlib", "numba")),
    ],
)
def test_a_command_loads_only_what_it_needs(words, unwanted, tmp_path):
    """What a command imports is most of the time until it answers."""
    code = f"""import sys
from fpsverify.cli import main
try: main({words!r})
except SystemExit: pass
print(sorted(set({unwanted!r}) & set(sys.modules)), file=sys.stderr)"""
    assert python(code, tmp_path).stderr.strip() == "[]"
