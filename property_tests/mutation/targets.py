"""Which modules are mutated, which tests must notice, and which mutants nobody can notice."""

from __future__ import annotations

import ast
from pathlib import Path

Tests = tuple[str, ...]

FOLDER = Path(__file__).parents[1]


def declared(path: Path) -> Tests:
    """The modules that a test file names in `KILLS`; read, not imported."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "KILLS":
            return tuple(ast.literal_eval(node.value))
    return ()


def targets(folder: Path = FOLDER) -> dict[str, Tests]:
    """Every module that some test file watches, with those test files, by their place in the folder."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("test_*.py")):
        for module in declared(path):
            found.setdefault(module, []).append(str(path.relative_to(folder)))
    return {module: tuple(tests) for module, tests in sorted(found.items())}


# Mutants that no test can tell apart, by `Mutant.key`: each with a reason that can be checked.
EQUIVALENT: dict[str, str] = {
    f"{path}: {change} in: {text}": reason
    for path, change, text, reason in (
        (
            "fpsverify/channel.py",
            "signal + noise → signal - noise",
            "return Received(signal + noise, noise_energy, snr_db, uses, active, max_power)",
            "n and −n have the same law, and nothing else is reported of n but ‖n‖²",
        ),
        (
            "fpsverify/sketching/compressor.py",
            "62 → 63",
            'spec = SketchSpec(config.rows, config.buckets, d, derive_seed(seed, "hash") % 2**62)',
            "another draw of the hash seed, as good as the first",
        ),
        (
            "fpsverify/algorithms/mission_steps.py",
            "isinstance(problem, DenseProblem) and isinstance(w_gb, Tens… → "
            "isinstance(problem, DenseProblem) or isinstance(w_gb, Tenso…",
            "assert isinstance(problem, DenseProblem) and isinstance(w_gb, Tensor)",
            "an assertion for the type checker; `check` has refused other problems before",
        ),
        (
            "fpsverify/kernels/torch_chunks.py",
            "49 → 50",
            "BITS_OF_2_MINUS_49 = 1 << FRACTION_BITS - 49",
            "any offset below the spacing of the words avoids ties",
        ),
        (
            "theory/provers/replay.py",
            "100 → 101",
            "size = Fraction(rng.choice((0, 1, 1, 2, 3, 7, 20)), rng.choice((1, 1, 2, 5, 12, 100)))",
            "one of the denominators of random test points: any would do",
        ),
    )
}
