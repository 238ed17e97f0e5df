"""A federation from a file: `my_file.py:make_federation`, for the command line and for runs that go on.

The file is run by itself, with its folder first on the search path, and the function is called without
arguments. torch, numpy and random are seeded before, so that a function that draws its data or its first
parameters makes the same federation every time. The run keeps the file's path and digest; a file that is
gone or changed is refused in one line, and so is a federation that differs from that of the run.

Whoever wrote a config chose its `problem.source`, so that file is run only with the user's consent: by
`given`, from `--problem` or `--trust`. What runs is the content whose digest was checked, never a compiled
file beside it; what it imports from its folder is trusted with it.
"""

from __future__ import annotations

import contextlib
import hashlib
import random
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import torch

from fpsverify.config import RunConfig
from fpsverify.config import parse as parse_config
from fpsverify.errors import BadInput, FpsError
from fpsverify.own.federation import Federation
from fpsverify.problems.build import untrusted

FIELD = "--problem"


def with_problem(config: RunConfig, reference: str) -> RunConfig:
    """The config with this federation as its problem: [problem] and devices.M are replaced."""
    path, function = _split(reference)
    content = path.read_bytes()
    federation = load(path, function, content)
    values = config.model_dump(exclude_none=True)
    values["problem"] = {
        "data": "own",
        "objective": "own",
        "federation": federation.identity,
        "source": f"{path}:{function}",
        "source_digest": digest(content),
    }
    share = config.devices.participation
    values["devices"] = {"M": federation.M, **({} if share is None else {"participation": share})}
    values["dtype"] = str(federation.dtype).removeprefix("torch.")
    values["device"] = str(federation.device)
    return parse_config(values)


def given(config: RunConfig, reference: str | None, trust: bool) -> Federation | None:
    """The federation that the user consents to run for this config; None where it names no file.

    `reference` is the user's own FILE.py:FUNCTION; `trust` allows the file that the config names.
    """
    if reference is not None:
        return load(*_split(reference))
    if config.problem.source is None:
        return None
    if not trust:
        raise untrusted(config)
    return federation_of(config)


def federation_of(config: RunConfig) -> Federation:
    """The federation that a stored config names, from its file. This runs the file."""
    problem = config.problem
    assert problem.source is not None
    path, function = _split(problem.source, "problem.source")
    content = path.read_bytes()
    if digest(content) != problem.source_digest:
        right = f"{path} as it was when the run began (digest {problem.source_digest})"
        raise BadInput("problem.source", f"a changed {path.name}", right)
    return load(path, function, content)


def _split(reference: str, field: str = FIELD) -> tuple[Path, str]:
    name, _, function = reference.rpartition(":")
    if not name or not function.isidentifier():
        raise BadInput(field, reference, "FILE.py:FUNCTION, for example my_file.py:make_federation")
    path = Path(name).absolute()
    if not path.is_file():
        raise BadInput(field, f"no file {path.name}", f"a file that is there: {path} is not")
    return path, function


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]


def load(path: Path, function: str, content: bytes | None = None) -> Federation:
    """What the function in the file returns, which must be a federation."""
    code = path.read_bytes() if content is None else content
    with _seeded(), _folder_first(path.parent):
        made = _called(path, _called(path, lambda: _function(path, code, function), "while importing "))
    if not isinstance(made, Federation):
        raise BadInput(f"{path.name}:{function}", type(made).__name__, "a fps.Federation as what it returns")
    return made


def _function(path: Path, content: bytes, name: str) -> Callable[[], Any]:
    if path.suffix != ".py":
        raise BadInput(FIELD, str(path), "a Python file (.py)")
    module = ModuleType(f"problem_{path.stem}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # dataclasses and pickle look their classes up there
    exec(compile(content, str(path), "exec"), vars(module))  # the user asked for it
    found = getattr(module, name, None)
    if not callable(found):
        own = module.__name__
        there = [n for n, x in vars(module).items() if callable(x) and getattr(x, "__module__", "") == own]
        raise BadInput(FIELD, f"{path.name}:{name}", "one of its functions: " + (", ".join(there) or "none"))
    made: Callable[[], Any] = found
    return made


def _called(path: Path, call: Callable[[], Any], doing: str = "") -> Any:
    try:
        return call()
    except FpsError:
        raise
    except Exception as error:  # whatever a user's file raises
        lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == str(path)]
        line = getattr(error, "lineno", None) if isinstance(error, SyntaxError) else (lines or [None])[-1]
        where = f"{path.name}, line {line}" if line else path.name
        if doing and not isinstance(error, SyntaxError):
            where = f"{doing}{where} (its top level runs)"
        words = (str(error).strip().splitlines() or [""])[0]
        raise BadInput(where, f"{type(error).__name__}: {words}", "a file that runs") from None


@contextlib.contextmanager
def _seeded() -> Iterator[None]:
    """Global generators as at the start of a program, and afterwards as they were."""
    others = random.getstate(), np.random.get_state()  # noqa: NPY002
    with torch.random.fork_rng():
        torch.manual_seed(0)
        random.seed(0)
        np.random.seed(0)  # noqa: NPY002
        try:
            yield
        finally:
            random.setstate(others[0])
            np.random.set_state(others[1])  # noqa: NPY002


@contextlib.contextmanager
def _folder_first(folder: Path) -> Iterator[None]:
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
