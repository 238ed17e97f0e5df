"""Reading the Coq files: which results they state, in which words, and which theorem proves each.

A statement file writes a result as `(** words *) Definition Name : result := statement.`; a file of the same
folder whose name ends in `Proof` proves it as `Theorem name : Name.`, in lower case.
"""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from theory.errors import EvidenceFailed

COQ = Path(__file__).parent.parent / "coq"
ROOT = "FPS"
FORBIDDEN = re.compile(
    r"\b(Admitted|admit|Axioms?|Parameters?|Conjectures?|Unset\s+\w+\s+Checking|bypass_check|Abort)\b"
)
STRING_OR_SIGN = re.compile(r'("(?:[^"]|"")*"|\(\*|\*\))')
REQUIRE = re.compile(
    rf"^From\s+{ROOT}\.([\w.]+)\s+Require\s+(?:Import\s|Export\s)?([\w\s]+?)\.(?=\s)", re.MULTILINE
)
RESULT = re.compile(r"^Definition\s+(\w+)\s*:\s*result\s*:=(.*?)\.(?=\s|\Z)", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Result:
    """A stated result: its name, its file, its words for a reader, and the statement in Coq."""

    name: str
    file: str
    words: str
    statement: str


def files(folder: Path = COQ) -> tuple[Path, ...]:
    """Every Coq file, relative to the folder, in a fixed order."""
    return tuple(sorted(path.relative_to(folder) for path in folder.rglob("*.v")))


def module(path: str | Path) -> str:
    """The logical name of a file: FPS.repaired.TheoremA."""
    return ".".join((ROOT, *Path(path).with_suffix("").parts))


def without_comments(text: str) -> str:
    """The text with (nested) comments blank. As in Coq, a string hides their signs, in a comment too."""
    kept, depth = [], 0
    for piece in STRING_OR_SIGN.split(text):
        depth += piece == "(*"
        kept.append(re.sub(r"\S", " ", piece) if depth else piece)
        depth -= piece == "*)" and depth > 0
    return "".join(kept)


def imports(text: str) -> list[Path]:
    """The files of this project that a file requires."""
    found = REQUIRE.findall(without_comments(text))
    return [Path(*folder.split("."), f"{name}.v") for folder, names in found for name in names.split()]


def specification(folder: Path = COQ) -> tuple[Path, ...]:
    """What must be believed: the files that state results, and all that these import. The rest is proof."""
    return with_imports([path for path in files(folder) if _results_of(folder, path)], folder)


def with_imports(paths: Iterable[Path], folder: Path = COQ) -> tuple[Path, ...]:
    """These files and all that they import."""
    waiting, found = list(paths), set[Path]()
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += imports((folder / path).read_text(encoding="utf-8"))
    return tuple(sorted(found))


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def specification_digest(text: str) -> str:
    """A digest that comments and line breaks do not change."""
    return digest(" ".join(without_comments(text).split()))


def results(folder: Path = COQ) -> tuple[Result, ...]:
    """Every result stated in the folder; names are unique."""
    found = [result for path in files(folder) for result in _results_of(folder, path)]
    names = [result.name for result in found]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise EvidenceFailed(f"results stated twice: {', '.join(repeated)}")
    return tuple(found)


def _results_of(folder: Path, path: Path) -> list[Result]:
    text = (folder / path).read_text(encoding="utf-8")
    return [
        Result(
            match[1],
            path.as_posix(),
            _words_before(text[: match.start()], match[1]),
            _one_line(text[slice(*match.span(2))]),
        )
        for match in RESULT.finditer(without_comments(text))
    ]


def _words_before(text: str, name: str) -> str:
    """The comment that ends where the definition begins."""
    before = text.rstrip()
    start = before.rfind("(**")
    if not before.endswith("*)") or start < 0:
        raise EvidenceFailed(f"{name} has no words: a comment (** … *) must stand directly before it")
    return _one_line(before[start + 3 : -2])


def _one_line(text: str) -> str:
    return " ".join(text.split())


@dataclass(frozen=True)
class Proof:
    """The theorem that claims to prove a result, and its file."""

    theorem: str
    file: str


def proof_of(result: Result, folder: Path = COQ) -> Proof:
    """The one theorem of the result's folder that has its name in lower case, and its statement."""
    theorem = re.compile(
        rf"^Theorem\s+({result.name.lower()})\s*:\s*(?:\w+\.)*{result.name}\s*\.(?=\s)", re.MULTILINE
    )
    beside = sorted((folder / result.file).parent.glob("*.v"))
    found = [
        Proof(match[1], path.relative_to(folder).as_posix())
        for path in beside
        for match in theorem.finditer(without_comments(path.read_text(encoding="utf-8")))
    ]
    if len(found) != 1:
        raise EvidenceFailed(f"{result.name}: {len(found)} theorems of its folder claim to prove it, not one")
    return found[0]


def forbidden_words(folder: Path = COQ) -> tuple[str, ...]:
    """Where a file leaves something unproved: 'repaired/X.v: Admitted'."""
    texts = ((path, without_comments((folder / path).read_text(encoding="utf-8"))) for path in files(folder))
    return tuple(f"{path.as_posix()}: {word}" for path, text in texts for word in FORBIDDEN.findall(text))
