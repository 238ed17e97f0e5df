"""What Coq has proved, and from which axioms, in words: the manifest as tables."""

from __future__ import annotations

from collections.abc import Iterable

from theory.proofs.manifest import Result

from .show import table
from .words import escape, html

MEANING = {
    "ClassicalDedekindReals.sig_forall_dec": "classical real numbers",
    "ClassicalDedekindReals.sig_not_dec": "classical real numbers",
    "FunctionalExtensionality.functional_extensionality_dep": "functions that agree everywhere are equal",
    "Classical_Prop.classic": "excluded middle",
    "Epsilon.epsilon_statement": "a choice of what exists, in one file",
}
LIBRARY = "mathcomp."


def in_words(axiom: str) -> str:
    """What an axiom of the manifest says; one that nobody has described stops the page."""
    if axiom.startswith(LIBRARY):
        return "of the library mathcomp-analysis, in one file"
    return next(words for name, words in MEANING.items() if axiom.endswith(f".{name}"))


def listed(results: Iterable[Result]) -> str:
    """A folded table for each folder of proofs."""
    folders: dict[str, list[list[str]]] = {}
    for r in results:
        folder, _, file = r.file.partition("/")
        row = [f"<code>{escape(r.name)}</code>", html(r.words), f"<code>{escape(file)}</code>"]
        folders.setdefault(folder, []).append(row)
    return "".join(
        f"<details><summary><code>{folder}/</code>: {len(rows)} {'result' if len(rows) == 1 else 'results'}"
        f"</summary>{table(['result', 'in words', 'file'], rows)}</details>"
        for folder, rows in folders.items()
    )
