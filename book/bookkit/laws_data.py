"""The list of laws, collected from the tests themselves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from .ledger_data import BOOK


def collected() -> list[dict[str, Any]]:
    """Every law of `property_tests/` with its sentence, its test and its source; nothing is run."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "laws.json"
        command = [sys.executable, "-m", "pytest", "property_tests", "--laws", str(out), "-q", "-n", "0"]
        done = subprocess.run(
            [*command, "-p", "no:cacheprovider"], cwd=BOOK.parent, env=dict(os.environ), capture_output=True
        )
        if not out.exists():
            raise RuntimeError(done.stdout.decode()[-2000:] + done.stderr.decode()[-2000:])
        found = json.loads(out.read_text(encoding="utf-8"))
    return list(found["laws"] if isinstance(found, dict) else found)
