"""Short constructors for the lines of the repaired theory's proofs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import sympy as sp

from theory.claim import (
    Claim,
    Derivation,
    Entry,
    Evidence,
    FiniteClaim,
    Method,
    Point,
    Test,
    Verdict,
    cited,
    counterexample,
    one_of,
    proof,
    support,
)
from theory.provers import Exhaustive
from theory.second.judge import Second

SCOPE = (
    "Scope: true for every finite run. With a persistent sketch of fewer buckets than coordinates the "
    "residual R grows with T when the minimiser is dense, so Theorem A is no statement about T → ∞ there; it "
    "stayed bounded where the minimiser was exactly sparse and top-k found it (theory.validation.scope)."
)


SMALLEST = "the smallest case, which the formula shows; in general the line is cited"


def nonnegative(*symbols: sp.Symbol) -> tuple[sp.Basic, ...]:
    """s ≥ 0 for each symbol."""
    return tuple(s >= 0 for s in symbols)


def line(
    identifier: str,
    place: str,
    title: str,
    tex: str,
    claim: Claim | FiniteClaim,
    method: Method,
    *more: Evidence,
    because: str = "",
    depends: tuple[str, ...] = (),
    note: str = "",
    scope: str = "",
    alone: str = "",
    derivation: Derivation = Derivation.DERIVED,
    stated: tuple[sp.Basic, ...] = (),
    model: Point | None = None,
) -> Entry:
    """A line that is proved; `because` says how the scalar claim gives the line about vectors."""
    return Entry(
        id=identifier,
        place=f"Repaired theory, {place}",
        title=title,
        printed=tex,
        claim=claim,
        verdict=Verdict.VALID,
        evidence=(proof(method), *more),
        reduction=because,
        depends=depends,
        stated=stated,
        model=model or {},
        note=note,
        scope=scope,
        alone=alone,
        derivation=derivation,
    )


def classical(
    identifier: str,
    place: str,
    title: str,
    tex: str,
    claim: Claim,
    reference: str,
    shown: Method,
    note: str = "",
    scope: str = "",
) -> Entry:
    """A line taken on trust from the literature; the claim shows its smallest case, which `shown` decides."""
    return Entry(
        id=identifier,
        place=f"Repaired theory, {place}",
        title=title,
        printed=tex,
        claim=claim,
        verdict=Verdict.CITED,
        evidence=(cited(reference), support(claim, shown, SMALLEST)),
        derivation=Derivation.NONE,
        note=note,
        scope=scope,
    )


def false(
    identifier: str,
    place: str,
    title: str,
    tex: str,
    claim: Claim | FiniteClaim,
    method: Method,
    depends: tuple[str, ...] = (),
    note: str = "",
) -> Entry:
    """A tempting statement that does not hold, with the instance that breaks it."""
    return Entry(
        id=identifier,
        place=f"Repaired theory, {place}",
        title=title,
        printed=tex,
        claim=claim,
        verdict=Verdict.REFUTED,
        evidence=(counterexample(method),),
        derivation=Derivation.NONE,
        depends=depends,
        note=note,
    )


def everywhere(
    test: Test,
    instances: Callable[[], Iterable[Any]],
    data: Any,
    text: str,
    unlike: Any,
    second: Second | None = None,
) -> tuple[FiniteClaim, Exhaustive]:
    """A test on a listed domain, with the enumeration that decides it; it is false of `unlike`."""
    return FiniteClaim((one_of(text, instances),), test), Exhaustive(data, second, unlike)
