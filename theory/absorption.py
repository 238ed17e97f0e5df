"""An error is absorbed by a line only if the cover proves a bound of that very line."""

from __future__ import annotations

from collections.abc import Sequence

from theory.claim import Claim, Entry, Evidence, Role, Verdict
from theory.errors import EvidenceFailed
from theory.statements import bounds


def check(entries: Sequence[Entry]) -> None:
    """Every absorbing line stands, and every cover ends at one of its bounds."""
    known = {entry.id: entry for entry in entries}
    for entry in entries:
        if entry.absorbed_at:
            demand_absorbs(entry, known[entry.absorbed_at])


def demand_absorbs(entry: Entry, absorber: Entry) -> None:
    """Raise unless the absorber is not refuted and shares a bound with each cover of the entry."""
    if absorber.verdict is Verdict.REFUTED:
        raise EvidenceFailed(f"{entry.id} is absorbed at {absorber.id}, which is refuted itself")
    for item in entry.evidence:
        if item.role is Role.COVER and not _reaches(item, absorber):
            raise EvidenceFailed(f"{entry.id}: the cover shares no bound with {absorber.id}")


def _reaches(item: Evidence, absorber: Entry) -> bool:
    if not isinstance(item.claim, Claim) or not isinstance(absorber.claim, Claim):
        return False
    return bool(bounds(item.claim.statement) & bounds(absorber.claim.statement))
