"""Single changes to a syntax tree that alter what a program computes.

A line that nobody can tell from its mutants says so and why: `# pragma: no mutate: any draw would do`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeGuard

ARITHMETIC: dict[type, type] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
COMPARISONS: dict[type, type] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
EXCUSED = "# pragma: no mutate"


@dataclass(frozen=True)
class Mutant:
    """One change: where, what it was, what it becomes."""

    path: str
    line: int
    number: int
    before: str
    after: str

    @property
    def name(self) -> str:
        return f"{self.path}:{self.line} {self.before} → {self.after}"


Site = tuple[ast.AST, str, object]  # a node, one of its fields, another value for it


def candidates(source: str, path: str) -> list[Mutant]:
    """Every mutant of a module, numbered in a fixed order."""
    found, lines = [], source.splitlines()
    if any(line.startswith(f"{EXCUSED} file: ") for line in lines):
        return []
    for number, (node, field, value) in enumerate(list(_sites(ast.parse(source)))):
        before, plain = ast.unparse(node), getattr(node, field)
        setattr(node, field, value)
        after = ast.unparse(node)
        setattr(node, field, plain)
        line = getattr(node, "lineno", 0)
        if after != before and EXCUSED not in lines[line - 1]:  # 1e50 + 1 is 1e50
            found.append(Mutant(path, line, number, _short(before), _short(after)))
    return found


def apply(source: str, number: int) -> str:
    """The module with its mutant `number` in place."""
    tree = ast.parse(source)
    setattr(*list(_sites(tree))[number])
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:59] + "…"


def _sites(tree: ast.Module) -> Iterator[Site]:
    """Every possible change, skipping annotations, docstrings and messages."""
    for node in _walk(tree):
        joins_text = isinstance(node, ast.BinOp) and (_is_text(node.left) or _is_text(node.right))
        if isinstance(node, ast.BinOp | ast.AugAssign) and not joins_text and type(node.op) in ARITHMETIC:
            yield node, "op", ARITHMETIC[type(node.op)]()
        elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARISONS:
            yield node, "ops", [COMPARISONS[type(node.ops[0])]()]
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            yield node, "op", ast.UAdd()
        elif isinstance(node, ast.BoolOp):
            yield node, "op", ast.Or() if isinstance(node.op, ast.And) else ast.And()
        elif isinstance(node, ast.Constant) and _is_number(node.value) and node.value not in (0, 1):
            yield node, "value", node.value + 1 if node.value != -1 else 2


def _is_number(value: object) -> TypeGuard[int | float]:
    return type(value) in (int, float)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """Depth first in source order, without annotations, raised messages and formatted strings."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list") or isinstance(node, ast.Raise | ast.JoinedStr):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_type_union(child, name):
                yield from _walk(child)


def _is_type_union(node: ast.AST, field: str) -> bool:
    """`A | B` of names on the right of an assignment is a type alias, not arithmetic."""
    return field == "value" and isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr)
