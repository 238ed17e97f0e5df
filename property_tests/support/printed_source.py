"""Which printed formulas of the ledger stand in the LaTeX source of the paper, sign by sign.

`python -m property_tests.support.printed_source PAPER.tex` makes `printed_digests.json` anew: for each
printed line all of whose sides stand in the source, a digest of the formula. The source itself is not stored.
What is compared has no white space, no brackets and none of the commands that only place or size signs.
"""

import json
import re
import sys
from hashlib import sha256
from pathlib import Path

from theory.ledger import Kind
from theory.papers.fps.paper import PAPER

STORED = Path(__file__).with_name("printed_digests.json")
SHORT = 8  # a side of fewer signs stands everywhere: an entry needs a longer one
MEANINGLESS = (
    (r"(?<!\\)%.*", ""),
    (r"\\(label|tag|hspace|vspace|stackrel|begin|end)\{[^{}]*\}", ""),
    (r"\\\\|&|\\[,;:! ()]|\$", ""),
    (r"\\mid(?![a-zA-Z])", "|"),
    (r"\\(nonumber|notag|q?quad|textstyle|[bB]igg?[lr]?|left|right|spl|underbrace|cdot)(?![a-zA-Z])", ""),
    (r"\\[td]frac", r"\\frac"),
    (r"\\(le|ge)q?(?![a-zA-Z])", r"\\\1"),
    (r"\|\s*\|", r"\\|"),
    (r"\\varepsilon", r"\\epsilon"),
    (r"\\(mathbb|mathbf|mathcal|mathrm|text)(?![a-zA-Z])", ""),
    (r"\\(?:([ER])b|b([wg])|cal(U))(?![a-zA-Z])", r"\1\2\3 "),  # the paper's own short commands
    (r"[{}\s()\[\]]", ""),
    (r"_([a-z])\^(e-1|e|m)", r"^\2_\1"),  # which comes first is the writer's habit
)
BETWEEN = re.compile(r"\\(?:leq?|geq?|Rightarrow|dots|triangleq|forall|quad)(?![a-zA-Z])|[<>=]")


def normalised(tex: str) -> str:
    for pattern, kept in MEANINGLESS:
        tex = re.sub(pattern, kept, tex)
    return tex.strip("+.,;")


def sides(tex: str) -> list[str]:
    """What stands between the relations; the range of a sum is no relation."""
    whole = re.sub(r"_\{(\w)=", r"_{\1@", tex)
    found = (normalised(part.replace("@", "=")) for part in BETWEEN.split(whole))
    return [side for side in found if side]


def digest(tex: str) -> str:
    """Of the formula with its brackets: only white space is free to change."""
    return sha256(re.sub(r"\s", "", tex).encode()).hexdigest()[:16]


def stands_in(source: str, tex: str) -> bool:
    """Do all sides stand in the normalised source?"""
    own = sides(tex)
    return max(map(len, own)) >= SHORT and all(side in source for side in own)


def digests(paper: str) -> dict[str, str]:
    """Entry and digest of each printed line that stands in the paper."""
    source = normalised(paper)
    printed = [e for e in PAPER.entries if e.kind is Kind.PRINTED]
    return {e.id: digest(e.printed) for e in printed if stands_in(source, e.printed)}


if __name__ == "__main__":
    found = digests(Path(sys.argv[1]).read_text(encoding="utf-8"))
    STORED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
