"""Plain-text mathematics of the ledger as Markdown: w̃_{t+1} gets a real subscript, x^2 a real exponent."""

from __future__ import annotations

import re

GREEK = {
    "gamma": "γ", "mu": "μ", "rho": "ρ", "sigma": "σ", "beta": "β", "zeta": "ζ", "delta": "δ", "tau": "τ",
    "eps": "ε", "epsilon": "ε", "nu": "ν", "alpha": "α", "Lam": "Λ", "Lambda": "Λ", "kappa": "κ",
}  # fmt: skip
SIGNS = (("<=", "≤"), (">=", "≥"), ("->", "→"), ("||", "‖"), (" grad ", " ∇"), ("**", "^"))
SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|$~])")
LABEL = re.compile(r"\beq[:.]\s?\w+")
PARTS = re.compile(r"(<sub>.*?</sub>|<sup>.*?</sup>|<code>.*?</code>)")


def markdown(text: str) -> str:
    """Text of an entry as Markdown that shows it as written on paper."""
    marked = PARTS.split(tagged(text))
    return "".join(part if PARTS.fullmatch(part) else literal(part) for part in marked)


def html(text: str) -> str:
    """The same as HTML."""
    marked = PARTS.split(tagged(text))
    return "".join(part if PARTS.fullmatch(part) else escape(part) for part in marked)


def literal(text: str) -> str:
    """Text that Markdown must leave as it is."""
    return SPECIAL.sub(r"\\\1", text)


def escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def tagged(text: str) -> str:
    """Subscripts and exponents as tags; names of the paper's equations as code, unchanged."""
    pieces, last = [], 0
    for match in LABEL.finditer(text):
        pieces += [_scripts(text[last : match.start()]), f"<code>{match.group()}</code>"]
        last = match.end()
    return "".join([*pieces, _scripts(text[last:])])


def _scripts(text: str) -> str:
    for name, letter in GREEK.items():
        text = re.sub(rf"(?<![A-Za-z]){name}(?![A-Za-z])", letter, text)
    for sign, better in SIGNS:
        text = text.replace(sign, better)
    text = re.sub(r"_\{([^{}]*)\}", r"<sub>\1</sub>", text)
    text = re.sub(r"\^\{([^{}]*)\}", r"<sup>\1</sup>", text)
    text = re.sub(
        r"(?<![A-Za-z])([^\W\d_][\u0300-\u036f]?|[)\]‖|])_(\w)(?![A-Za-z]{2})", r"\1<sub>\2</sub>", text
    )
    return re.sub(r"\^(-?\w+)", r"<sup>\1</sup>", text)
