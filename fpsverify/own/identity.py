"""Which federation a run belongs to: five digests, so that a refusal can say what has changed.

    module   its layers, their plain attributes, and the compiled code of classes that are not torch's own
    loss     the same of the loss
    start    the parameters and buffers, bit for bit
    data     the rows and who holds which, bit for bit
    test     the test rows

Compiled code differs between versions of Python, so a run with a module of one's own is resumed on the
version that started it.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable
from types import CodeType, FunctionType, MethodType
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

PLAIN = (bool, int, float, complex, str, bytes, type(None))


def identity(**parts: Iterable[Any]) -> str:
    """Named digests on one line: `module=… loss=…`."""
    return " ".join(f"{name}={digest(values)}" for name, values in parts.items())


def changed(before: str, now: str) -> list[str]:
    """The names of the parts in which two identities differ."""
    old, new = (dict(part.split("=", 1) for part in text.split() if "=" in part) for text in (before, now))
    return [name for name in new if old.get(name) != new[name]]


def digest(values: Iterable[Any]) -> str:
    h = hashlib.sha256()
    for value in values:
        _feed(h, value)
    return h.hexdigest()[:12]


def _feed(h: Any, value: Any) -> None:
    h.update(f"{type(value).__name__}:".encode())
    if isinstance(value, Tensor):
        value = value.detach().cpu().contiguous()
        h.update(f"{value.dtype} {tuple(value.shape)}".encode())
        h.update(value.reshape(-1).view(torch.uint8).numpy().data if value.numel() else b"")
    elif isinstance(value, np.ndarray):
        h.update(f"{value.dtype} {value.shape}".encode() + np.ascontiguousarray(value).tobytes())
    else:
        h.update(str(value).encode())


def of_module(module: nn.Module) -> list[str]:
    """What a module is, apart from the values of its parameters."""
    out = []
    for name, part in module.named_modules():
        plain = {k: v for k, v in sorted(vars(part).items()) if _is_plain(v) and not k.startswith("_")}
        out.append(f"{name}: {type(part).__qualname__} {plain} {of_class(type(part))}")
    shapes = [(name, tuple(p.shape), p.requires_grad) for name, p in module.named_parameters()]
    return [*out, str(shapes)]


def of_callable(f: Any) -> list[str]:
    """What a loss is: a function with what it closes over, a partial, a module, or an object to call."""
    if isinstance(f, nn.Module):
        return [*of_module(f), *(digest([b]) for b in f.state_dict().values())]
    if isinstance(f, functools.partial):
        bound = [str(x) if _is_plain(x) else digest([x]) for x in (*f.args, *f.keywords.values())]
        return [*of_callable(f.func), *bound, str(sorted(f.keywords))]
    if isinstance(f, MethodType):
        f = f.__func__
    if isinstance(f, FunctionType):
        cells = [cell.cell_contents for cell in f.__closure__ or ()]
        fixed = [*cells, *(f.__defaults__ or ()), *(f.__kwdefaults__ or {}).values()]
        return [of_code(f.__code__), *(_of_value(x) for x in fixed)]
    return [f"{type(f).__module__}.{getattr(f, '__qualname__', type(f).__qualname__)}", of_class(type(f))]


def _of_value(x: Any) -> str:
    if isinstance(x, (Tensor, np.ndarray)):
        return digest([x])
    return str(x) if _is_plain(x) else digest(of_callable(x))


def of_class(kind: type) -> str:
    """The code of a class and of the classes it is made from, as far as they are not torch's or Python's."""
    own = [c for c in kind.__mro__ if c.__module__.split(".")[0] not in ("torch", "builtins")]
    functions = [f for c in own for _, f in sorted(vars(c).items()) if isinstance(f, FunctionType)]
    return " ".join(of_code(f.__code__) for f in functions)


def of_code(code: CodeType) -> str:
    inner = [of_code(c) if isinstance(c, CodeType) else _constant(c) for c in code.co_consts]
    return digest([code.co_code.hex(), *inner, *code.co_names, *code.co_varnames])


def _constant(value: Any) -> str:
    return str(sorted(map(str, value))) if isinstance(value, frozenset) else repr(value)


def _is_plain(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return all(_is_plain(v) for v in value)
    return isinstance(value, PLAIN)
