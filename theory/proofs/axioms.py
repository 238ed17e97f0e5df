"""Which axioms a proof may use, and what each says. Names are complete, and none is of our own library."""

from collections.abc import Iterable

CLASSICAL = {
    "Coq.Reals.ClassicalDedekindReals.sig_forall_dec": "a property holds for every n, or some n breaks it",
    "Coq.Reals.ClassicalDedekindReals.sig_not_dec": "a statement is false, or it is not",
    "Coq.Logic.FunctionalExtensionality.functional_extensionality_dep": "functions of equal values are equal",
    "Coq.Logic.Classical_Prop.classic": "a statement is true or false",
}
MATHCOMP = {  # the Lebesgue instance alone may use what mathcomp-analysis builds its reals on
    "Coq.Logic.Epsilon.epsilon_statement": "what exists can be named",
    "mathcomp.classical.boolp.functional_extensionality_dep": "functions of equal values are equal",
    "mathcomp.classical.boolp.propositional_extensionality": "equivalent statements are equal",
    "mathcomp.classical.boolp.constructive_indefinite_description": "what exists can be named",
}


def in_words(names: Iterable[str]) -> list[str]:
    """What the axioms of these names say, each once; a name that is not allowed stays as it is."""
    words = CLASSICAL | MATHCOMP
    return list(dict.fromkeys(words.get(name, name) for name in names))


def outside(names: Iterable[str], lebesgue: bool) -> list[str]:
    """Those of the names that are not allowed."""
    return sorted(set(names) - CLASSICAL.keys() - (MATHCOMP.keys() if lebesgue else set()))
