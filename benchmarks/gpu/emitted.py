# mypy: disable-error-code="import-not-found"
"""The code that the Triton kernels become, without a GPU: `python -m benchmarks.gpu.emitted [--out FILE]`.

Every kernel is compiled for NVIDIA's sm_80 and sm_90 and AMD's gfx942, for both dtypes. The report says how
many registers a thread takes, whether any are spilled, and which atomics the code has. It ends with an error
if an update adds anything but 64-bit integers in global memory, or if a kernel has no code.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from fpsverify.kernels import triton_kernels as kernels
from fpsverify.kernels.torch_fixed_point import BITS_OF_SHIFTER, SHIFTER

TARGETS = {
    "sm_80": GPUTarget("cuda", 80, 32),
    "sm_90": GPUTarget("cuda", 90, 32),
    "gfx942": GPUTarget("hip", "gfx942", 64),
}
DTYPES = ("fp32", "fp64")
WORDS = dict.fromkeys(("T0", "T1", "T2"), "*i32") | dict.fromkeys(("n0", "n1", "n2", "shift"), "i32")
# An atomic instruction with its type, in PTX and in the assembler of AMD.
ATOMIC = re.compile(r"\b((?:atom|red)\.[\w.]+|(?:global|flat|ds|buffer)_atomic_\w+)")
WHOLE = re.compile(r"(atom|red)\.global\.[\w.]*add\.u64|global_atomic_add_x2|flat_atomic_add_x2")


@dataclass(frozen=True)
class Emitted:
    """What one kernel became."""

    kernel: str
    target: str
    dtype: str
    registers: int | None
    spilled: int | None
    atomics: dict[str, int]
    instructions: int


def sources(dtype: str) -> dict[str, ASTSource]:
    """Every kernel and every branch of it that is chosen when it is compiled."""
    rows: dict[str, Any] = {"W": 5, "PLACES": 8, "LOWER": 2, "UPPER": 2, "BLOCK": kernels.QUERY_BLOCK}
    scatter: dict[str, Any] = {"BLOCK": kernels.BLOCK, "SHIFTER": SHIFTER, "BITS": BITS_OF_SHIFTER}
    update = {"sums": "*i64", "x": f"*{dtype}", "one": "*fp64", "other": "*fp64", **WORDS}
    update |= dict.fromkeys(("n", "w", "b", "private"), "i32")
    query = {"table": f"*{dtype}", **WORDS, "b": "i32"}
    point = {"out": f"*{dtype}", "keys": "*i64", "n": "i32", **query}
    scan = {"indices": "*i64", "values": f"*{dtype}", "count": "*i64", "threshold": f"*{dtype}", **query}
    scan |= {"start": "i32", "stop": "i32"}
    found = {
        "dense update": (kernels.scatter_kernel, {**update, "keys": f"*{dtype}"}, {**scatter, "DENSE": True}),
        "sparse update": (kernels.scatter_kernel, {**update, "keys": "*i64"}, {**scatter, "DENSE": False}),
    }
    for rule in ("median", "mean"):
        chosen = {**rows, "MEAN": rule == "mean"}
        found[f"estimate, {rule}"] = (kernels.estimate_kernel, point, chosen)
        found[f"scan, {rule}"] = (kernels.scan_kernel, scan, chosen)
    return {name: source(*parts) for name, parts in found.items()}


def source(kernel: Any, types: dict[str, str], constants: dict[str, Any]) -> ASTSource:
    """The arguments in the order of the kernel."""
    signature = {name: types.get(name, "constexpr") for name in kernel.arg_names}
    return ASTSource(kernel, signature, constants)


def emit(name: str, src: ASTSource, target: str, dtype: str) -> Emitted:
    made = triton.compile(src, target=TARGETS[target], options=kernels.OPTIONS)
    text = made.asm["ptx" if target.startswith("sm") else "amdgcn"]
    atomics: dict[str, int] = {}
    for found in ATOMIC.findall(text):
        atomics[found] = atomics.get(found, 0) + 1
    registers, spilled = resources(made, target, text)
    lines = [line for line in text.splitlines() if line.startswith("\t") and not line.startswith("\t.")]
    return Emitted(name, target, dtype, registers, spilled, atomics, len(lines))


def resources(made: Any, target: str, text: str) -> tuple[int | None, int | None]:
    """(registers, bytes on the stack or registers spilled) of a thread: what the machine code notes."""
    if not target.startswith("sm"):
        found = [re.search(rf"\.{key}:\s+(\d+)", text) for key in ("vgpr_count", "vgpr_spill_count")]
        return tuple(int(m.group(1)) if m else None for m in found)  # type: ignore[return-value]
    tool = Path(triton.__file__).parent / "backends" / "nvidia" / "bin" / "cuobjdump"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernel.cubin"
        path.write_bytes(made.asm["cubin"])
        command = [str(tool), "--dump-resource-usage", str(path)]
        said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout
    found = [re.search(rf"\b{key}:(\d+)", said) for key in ("REG", "STACK")]
    return tuple(int(m.group(1)) if m else None for m in found)  # type: ignore[return-value]


def wrong(e: Emitted) -> str | None:
    """Why a kernel is not as it should be."""
    if not e.instructions:
        return "no code"
    others = [name for name in e.atomics if not WHOLE.fullmatch(name)]
    if others:
        return f"adds something else than 64-bit integers: {', '.join(others)}"
    if e.kernel.endswith("update") and not e.atomics:
        return "an update without atomics"
    return "atomics in a query of given points" if e.kernel.startswith("estimate") and e.atomics else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, metavar="FILE", help="also write the report as JSON")
    parser.add_argument("--targets", default=",".join(TARGETS), metavar="LIST")
    options = parser.parse_args()
    report, faults = [], []
    for target in options.targets.split(","):
        for dtype in DTYPES:
            for name, src in sources(dtype).items():
                e = emit(name, src, target, dtype)
                report.append(e)
                shown = ", ".join(f"{n}x {a}" for a, n in e.atomics.items()) or "no atomics"
                used = f"{e.registers} registers, {e.spilled} spilled"
                print(f"{target:<7} {dtype} {name:<17} {used}, {shown}", flush=True)
                if fault := wrong(e):
                    faults.append(f"{target} {dtype} {name}: {fault}")
    if options.out:
        options.out.write_text(json.dumps([asdict(e) for e in report], indent=1) + "\n")
    if faults:
        raise SystemExit("\n".join(faults))


if __name__ == "__main__":
    main()
