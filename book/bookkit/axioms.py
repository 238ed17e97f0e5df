"""The axioms under the Coq proofs, in words; the manifest names them with the library that they come from."""

from __future__ import annotations

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
