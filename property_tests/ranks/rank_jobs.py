"""A program for torchrun: calls the command line once per job and notes what came of it, on each rank.

`torchrun … -m property_tests.ranks.rank_jobs JOBS.json`: a list of argument lists, one per job; an argument
that is a list itself has one value per rank. JOBS.RANK.json then holds, for every job, the exit code, what
was printed, and the sizes of all tensors that were handed to torch's collectives, in bytes.
"""

import contextlib
import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist

from fpsverify.cli import main


def counted(handed: dict[str, list[int]]) -> None:
    """From now on, note the bytes that this process hands to all_reduce and all_gather."""
    plain_reduce, plain_gather = dist.all_reduce, dist.all_gather

    def all_reduce(tensor: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        handed["all_reduce"].append(tensor.numel() * tensor.element_size())
        return plain_reduce(tensor, *args, **kwargs)

    def all_gather(parts: list[torch.Tensor], tensor: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        handed["all_gather"].append(tensor.numel() * tensor.element_size())
        return plain_gather(parts, tensor, *args, **kwargs)

    dist.all_reduce, dist.all_gather = all_reduce, all_gather


def call(argv: list[str], handed: dict[str, list[int]]) -> dict[str, Any]:
    out, err = io.StringIO(), io.StringIO()
    for sizes in handed.values():
        sizes.clear()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(argv)
    return {
        "code": code,
        "out": out.getvalue(),
        "err": err.getvalue(),
        **{k: list(v) for k, v in handed.items()},
    }


def run_jobs(path: Path, rank: int) -> None:
    handed: dict[str, list[int]] = {"all_reduce": [], "all_gather": []}
    counted(handed)
    jobs = json.loads(path.read_text())
    mine = [[arg[rank] if isinstance(arg, list) else arg for arg in argv] for argv in jobs]
    found = [call(argv, handed) for argv in mine]
    path.with_suffix(f".{rank}.json").write_text(json.dumps(found))


if __name__ == "__main__":
    run_jobs(Path(sys.argv[1]), int(os.environ["RANK"]))
