"""`theory` and `empirical` are installed beside `fpsverify`. A user's file of the same name may hide them."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from fpsverify.errors import FpsError

HOME = Path(__file__).resolve().parent.parent


def demand(package: str) -> None:
    """Refuse a foreign module of that name, in one line."""
    try:
        spec = find_spec(package)
    except ValueError:  # a module without a spec, put there by hand
        spec = None
    origin = spec.origin if spec is not None else None
    if origin is None:
        raise FpsError(f"{package}: not found beside fpsverify; install fpsverify again")
    if Path(origin).resolve() != HOME / package / "__init__.py":
        raise FpsError(f"{origin}: hides the package {package} of fpsverify; rename it or start elsewhere")


def demand_all() -> None:
    for package in ("theory", "empirical"):
        demand(package)


def load(module: str) -> ModuleType:
    """A module of this distribution, whichever package it is in. `empirical` needs `theory` as well."""
    if not module.startswith("fpsverify"):
        demand_all()
    return import_module(module)
