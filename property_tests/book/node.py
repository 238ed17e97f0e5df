"""Run a calculator's engine outside a browser, where Node is installed."""

import json
import shutil
import subprocess
from typing import Any

import pytest

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")


def evaluate(engine: str, call: str, inputs: list[Any]) -> list[Any]:
    """[call(input) for input in inputs] in JavaScript; numbers cross as JSON, infinity as null."""
    program = (
        f"{engine}\nconst inputs = JSON.parse(require('fs').readFileSync(0, 'utf8'));\n"
        f"process.stdout.write(JSON.stringify(inputs.map({call})));"
    )
    done = subprocess.run(
        ["node", "-e", program],
        input=json.dumps(inputs),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    results: list[Any] = json.loads(done.stdout)
    return results
