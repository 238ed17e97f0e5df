"""What all entries of the repaired theory share."""

import re

from theory.ledger import Entry, Kind, Stated, Verdict, proof
from theory.provers import KernelChecked

GLOSSARY = {
    "A1": "every device's loss is L-smooth, and f >= f*",
    "A2": "a local gradient errs by a bias beta and a noise zeta of mean zero; |beta|^2 <= P_b "
    "|grad|^2 + b^2, E|zeta|^2 <= P_n |grad|^2 + sigma^2",
    "A3": "the mean of the devices' squared gradients is at most G^2 + B^2 |grad f|^2 at the "
    "broadcast points",
    "A4": "gamma mu <= 1",
    "A": "mean over the rounds of E|grad f|^2 at the broadcast points",
    "Delta": "f at the start minus its lower bound f*",
    "Ebar": "sum over the local steps e of (1 - gamma mu)^(E-1-e); E if mu = 0",
    "gamma": "learning rate",
    "mu": "proximal parameter",
    "nu": "1, or 1/M if the noises of the devices are uncorrelated",
    "E": "local steps of a round",
    "T": "rounds",
    "L": "smoothness of the losses",
    "P_b": "relative bias",
    "P_n": "relative noise",
    "R": "root mean square of the residual, which is what the read-out of the sketch leaves behind",
    "J": "rows of the sketch",
    "K": "buckets of a row",
}


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
    depends: tuple[str, ...] = (),
    scope: str = "",
    note: str = "",
    glossary: dict[str, str] = GLOSSARY,
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
        evidence=(proof(KernelChecked(*names)),),
        depends=depends,
        letters=_letters(words, glossary),
        scope=scope,
        note=note,
    )


def _letters(words: str, glossary: dict[str, str]) -> dict[str, str]:
    """The letters of the glossary that the words use."""
    spelt = words.replace("A1-A4", "A1 A2 A3 A4")
    return {name: text for name, text in glossary.items() if re.search(rf"(?<!\w){name}(?!\w)", spelt)}
