"""The built wheel as a stranger meets it: `python -m benchmarks.wheel DIST`, run by `make dist`.

The wheel is installed without any extra in a new environment, in a folder that holds nothing else, and a run,
a rate, an estimate and the command that needs an extra are tried there. Printed: sizes and times.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

SCRIPT = """
import torch, fpsverify as fps
from torch import nn
X, y = torch.randn(60, 4), torch.arange(60) % 3
devices = fps.Federation(nn.Linear(4, 3), nn.CrossEntropyLoss(), (X, y), parts=[range(20), range(20, 60)])
done = fps.train(devices, rounds=20, gamma=0.1, out="run", verify=True, set=["record.checkpoint_every=2"])
print(fps.estimate(done, replicates=8).values["constants"]["L"]["estimate"] > 0)
try:
    done.plot()
except fps.FpsError as error:
    print(error)
"""
SIZES = """
import importlib.metadata as found, json
print(json.dumps({d.name: sum(f.locate().stat().st_size for f in d.files or [] if f.locate().is_file())
                  for d in found.distributions()}))
"""


def tried(wheel: Path, index: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        venv.create(folder / "env", with_pip=True)
        python = folder / "env" / "bin" / "python"
        began = time.monotonic()
        _said(python, folder, "-m", "pip", "install", "--quiet", *index, str(wheel.resolve()))
        sizes = json.loads(_said(python, folder, "-c", SIZES))
        mine = sum(size for package, size in sizes.items() if package not in ("pip", "setuptools"))
        print(f"installed in {time.monotonic() - began:.0f} s: {mine / 1e6:.0f} MB in {len(sizes)} packages")
        print(f"  torch {sizes['torch'] / 1e6:.0f} MB, fpsverify {sizes['fpsverify'] / 1e6:.1f} MB")
        began = time.monotonic()
        _said(python, folder, "-c", "import fpsverify")
        print(f"import fpsverify: {time.monotonic() - began:.2f} s")
        assert "[fast]" not in _said(python, folder, "-m", "fpsverify", "run", "--demo")
        assert json.loads(_said(python, folder, "-m", "fpsverify", "lr", "--L", "4", "--E", "2", "--json"))
        lines = _said(python, folder, "-c", SCRIPT).splitlines()
        assert lines == ["True", "matplotlib is missing: pip install 'fpsverify[plot]' installs it"], lines
        refused = _run(python, folder, "-m", "fpsverify", "verify")
        assert refused.returncode == 2 and "fpsverify[theory]" in refused.stderr, refused.stderr
        print("run, lr, estimate: done; verify and plots name their extra")


def _run(python: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return subprocess.run([python, *words], cwd=folder, env=clean, capture_output=True, text=True)


def _said(python: Path, folder: Path, *words: str) -> str:
    done = _run(python, folder, *words)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)[:60]}: {done.stderr[-2000:]}")
    return done.stdout


if __name__ == "__main__":
    (built,) = Path(sys.argv[1]).glob("*.whl")
    tried(built, sys.argv[2:])
