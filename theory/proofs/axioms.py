"""Which axioms a proof may use, and what each says."""

from __future__ import annotations

from collections.abc import Iterable

CLASSICAL = {
    "ClassicalDedekindReals.sig_forall_dec": "a property holds for every n, or some n breaks it",
    "ClassicalDedekindReals.sig_not_dec": "a statement is false, or it is not",
    "FunctionalExtensionality.functional_extensionality_dep": "functions with equal values are equal",
    "Classical_Prop.classic": "a statement is true or false",
}
MATHCOMP = {  # the Lebesgue instance alone may use what mathcomp-analysis builds its reals on
    "Epsilon.epsilon_statement": "what exists can be named",
    "boolp.functional_extensionality_dep": "functions with equal values are equal",
    "boolp.propositional_extensionality": "equivalent statements are equal",
    "boolp.constructive_indefinite_description": "what exists can be named",
}


def in_words(names: Iterable[str]) -> list[str]:
    """What the axioms of these names say, each once; a name that is not allowed stays as it is."""
    words = {_short(name): text for name, text in {**CLASSICAL, **MATHCOMP}.items()}
    return list(dict.fromkeys(words.get(_short(name), name) for name in names))


def outside(names: Iterable[str], lebesgue: bool) -> list[str]:
    """Those of the names that are not allowed."""
    allowed = {_short(name) for name in (*CLASSICAL, *(MATHCOMP if lebesgue else ()))}
    return sorted(name for name in names if _short(name) not in allowed)


def _short(axiom: str) -> str:
    """The last two parts of a qualified name; Coq prints fewer or more of them as the context needs."""
    return ".".join(axiom.split(".")[-2:])
