"""What all entries of the repaired theory share."""

from __future__ import annotations

from theory.ledger import Entry, Evidence, Kind, Stated, Verdict, proof
from theory.provers import KernelChecked

BOUNDED = (
    "True for every finite run. The bound contains the mean squared residual R of that run: it says "
    "something about a long run only if the residual stays bounded. With a compressing sketch R may grow "
    "with T."
)


def result(
    identifier: str,
    place: str,
    title: str,
    words: str,
    tex: str,
    names: tuple[str, ...],
    *beside: Evidence,
    depends: tuple[str, ...] = (),
    scope: str = "",
    note: str = "",
) -> Entry:
    """A theorem in words and as a formula, with the names of its statements in `theory/coq`."""
    return Entry(
        id=identifier,
        kind=Kind.REPAIRED,
        place=place,
        title=title,
        printed=tex,
        claim=Stated(words, tex),
        verdict=Verdict.VALID,
        evidence=(proof(KernelChecked(*names)), *beside),
        depends=depends,
        scope=scope,
        note=note,
    )
