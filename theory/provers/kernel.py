"""Theorems that Coq's kernel has checked, looked up in the committed manifest of `theory/coq`."""

from dataclasses import dataclass

from theory.errors import EvidenceFailed
from theory.ledger.evidence import Outcome
from theory.ledger.statements import AnyClaim
from theory.proofs import axioms, manifest

KERNEL = "Coq's kernel"


@dataclass(frozen=True, init=False)
class KernelChecked:
    """The results of these names are in the manifest, and no file has changed since it was written."""

    names: tuple[str, ...]

    def __init__(self, *names: str) -> None:
        object.__setattr__(self, "names", names)

    def decide(self, claim: AnyClaim) -> Outcome:
        if not self.names:
            raise EvidenceFailed("no result is named")
        found = manifest.load()
        stale = found.stale_files()
        if stale:
            raise EvidenceFailed(f"changed since the proofs were checked: {', '.join(stale)}")
        results = [found.result(name) for name in self.names]
        detail = "\n".join(f"{r.theorem} in {r.file}: {r.words}" for r in results)
        used = sorted({axiom for r in results for axiom in r.axioms})
        shown = f"axioms: {'; '.join(axioms.in_words(used)) or 'none'}"
        return Outcome(True, (KERNEL,), f"kernel-checked on {found.date}", detail, certificate=shown)
