"""The reference of all config keys, made from the fields themselves; what to write instead of a wrong one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from types import NoneType, UnionType
from typing import Any, Literal, TypeGuard, Union, get_args, get_origin

from annotated_types import Ge, Gt, Lt
from pydantic import BaseModel
from pydantic.fields import FieldInfo

WORDS = {int: "whole number", float: "number", bool: "true or false", str: "text"}


@dataclass(frozen=True)
class Key:
    """`values` says what may be written; `default` is as TOML has it, "" for an option that is off."""

    name: str
    values: str
    default: str
    meaning: str

    @property
    def section(self) -> str:
        return self.name.rpartition(".")[0]


def keys(model: type[BaseModel], prefix: str = "") -> Iterator[Key]:
    """All keys of a config, top level first, then section by section."""
    sections = {name: f.annotation for name, f in model.model_fields.items() if is_section(f.annotation)}
    for name, field in model.model_fields.items():
        if name not in sections:
            yield Key(prefix + name, allowed(field), _toml(field.default), field.description or "")
    for name, section in sections.items():
        yield from keys(section, f"{prefix}{name}.")


def is_section(annotation: Any) -> TypeGuard[type[BaseModel]]:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def flat(config: dict[str, Any]) -> dict[str, Any]:
    """Values by their full key."""
    found: dict[str, Any] = {}
    for key, value in config.items():
        inner = value.items() if isinstance(value, dict) else ()
        found |= {f"{key}.{name}": v for name, v in inner} if inner else {key: value}
    return found


def allowed(field: FieldInfo) -> str:
    kinds = [kind for kind in _alternatives(field.annotation) if kind is not NoneType]
    words = " or ".join(_word(kind) for kind in kinds)
    for bound in field.metadata:
        for kind, sign in ((Ge, "≥"), (Gt, ">"), (Lt, "<")):
            if isinstance(bound, kind):
                words += f" {sign} {getattr(bound, kind.__name__.lower()):g}"
    return words


def _alternatives(annotation: Any) -> tuple[Any, ...]:
    return get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)


def _word(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return ", ".join(map(str, get_args(kind)))
    return WORDS.get(kind) or str(kind)


def _toml(value: Any) -> str:
    return "" if value is None else json.dumps(value)


def instead_of(model: type[BaseModel], path: Sequence[str]) -> str:
    """What to write in place of an unknown key: the same name elsewhere, or one that is spelt alike."""
    name, field = path[-1], model.model_fields.get(path[0])
    everywhere = {key.name: key.name.rpartition(".")[2] for key in keys(model)}
    if elsewhere := [key for key, last in everywhere.items() if last == name]:
        return f"the key {' or '.join(elsewhere)}"
    if field is not None and is_section(field.annotation):
        model = field.annotation
    if near := get_close_matches(name, model.model_fields, n=1):
        return f"the key {near[0]}, or another of {', '.join(model.model_fields)}"
    if near := get_close_matches(name, everywhere.values(), n=1, cutoff=0.75):
        return f"the key {' or '.join(key for key, last in everywhere.items() if last == near[0])}"
    return f"one of {', '.join(model.model_fields)} (fpsverify config explains them)"
