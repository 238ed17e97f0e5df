"""A few columns of text as a table of Markdown or LaTeX."""

from __future__ import annotations

import re
from collections.abc import Sequence

Line = Sequence[str]
LATEX = {
    **{one: f"\\{one}" for one in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "²": "$^2$",
    "‖": r"$\|$",
    "∇": r"$\nabla$",
    "w̄": r"$\bar w$",
    "w̃": r"$\tilde w$",
    "−": "$-$",
    "γ": r"$\gamma$",
    "μ": r"$\mu$",
    "σ": r"$\sigma$",
    "→": r"$\to$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
}
SPECIAL = re.compile("|".join(map(re.escape, sorted(LATEX, key=len, reverse=True))))


def markdown(head: Line, rows: Sequence[Line]) -> str:
    """
    >>> print(markdown(("measure", "fps"), [("accuracy", "90 %")]))
    | measure | fps |
    |---|---|
    | accuracy | 90 % |
    """
    lines = [[part.strip().replace("|", r"\|") for part in row] for row in [head, *rows]]
    first, *others = (f"| {' | '.join(line)} |" for line in lines)
    return "\n".join([first, "|---" * len(head) + "|", *others])


def latex(head: Line, rows: Sequence[Line]) -> str:
    r"""
    >>> print(latex(("measure", "fps"), [("accuracy", "90 %")]))
    \begin{tabular}{lr}
    \hline
    measure & fps \\
    \hline
    accuracy & 90 \% \\
    \hline
    \end{tabular}
    """
    escaped = [[SPECIAL.sub(lambda m: LATEX[m[0]], part.strip()) for part in row] for row in [head, *rows]]
    first, *others = (" & ".join(line) + r" \\" for line in escaped)
    columns, rule = "l" + "r" * (len(head) - 1), r"\hline"
    return "\n".join([rf"\begin{{tabular}}{{{columns}}}", rule, first, rule, *others, rule, r"\end{tabular}"])
