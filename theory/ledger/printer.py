"""Formulas as text that a terminal shows: sympy relations, and the LaTeX of the paper."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import sympy as sp
from sympy.printing.str import StrPrinter

from theory.letters import Letters

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "Delta": "Δ", "epsilon": "ε", "varepsilon": "ε",
    "zeta": "ζ", "eta": "η", "theta": "θ", "Theta": "Θ", "vartheta": "ϑ", "kappa": "κ", "Lambda": "Λ",
    "mu": "μ", "nu": "ν", "xi": "ξ", "rho": "ρ", "sigma": "σ", "Sigma": "Σ", "tau": "τ", "varpi": "ϖ",
    "omega": "ω", "ell": "ℓ", "lambda": "λ",
}  # fmt: skip
OPEN, CLOSE = "\ue000", "\ue001"  # braces that the formula shows
SIGNS = {
    "le": "≤", "ge": "≥", "ne": "≠", "nabla": "∇", "sum": "Σ", "cdot": "·", "dots": "…", "infty": "∞",
    "langle": "⟨", "rangle": "⟩", "in": "∈", "forall": "for all", "Rightarrow": "⇒", "to": "→", "log": "log ",
    "triangleq": "=", "neg": "not", "max": "max", "min": "min", "liminf": "lim inf", "{": OPEN, "}": CLOSE,
    "approx": "≈", "lesssim": "≲",
    "|": "‖", "mid": "|", "quad": "  ", "textstyle": "", "bar": "mean ",
}  # fmt: skip
DROPPED = re.compile(r"\\(?:(?:left|right|[bB]ig[lrg]*)(?![a-zA-Z])|[,;! ])")
RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"
SUPERSCRIPT = str.maketrans("0123456789+-", RAISED)
ACCENTS = {"tilde": "\u0303", "hat": "\u0302", "bar": "\u0304"}


# ---------------------------------------------------------------- LaTeX


def from_latex(tex: str) -> str:
    """The formula in one line: fractions with a slash, Greek letters, superscripts where they are numbers."""
    text = re.sub(r"\\([a-zA-Z]+)", lambda m: f" {GREEK[m[1]]} " if m[1] in GREEK else m[0], tex)
    text = DROPPED.sub(" ", text)
    for accent, mark in ACCENTS.items():
        text = re.sub(rf"\\{accent}\s*\{{\s*(\w)\s*\}}|\\{accent}\s*(\w)", rf" \1\2{mark}", text)
    text = re.sub(r"\\([a-zA-Z]+|[{}|])", lambda m: SIGNS.get(m[1], m[0]), text)
    text = re.sub(r"\\(mathbb|mathcal|mathrm|text|rm)\s*\{([^{}]*)\}", r"\2", text)
    text = _arguments(text)
    text = re.sub(r"\\stackrel\{([^{}]*)\}\{([^{}]*)\}", r"\2 [\1]", text)
    text = text.replace(r"\underbrace", "").replace("{", "").replace("}", "")
    return _spaced(text.replace(OPEN, "{").replace(CLOSE, "}"))


def _spaced(text: str) -> str:
    """Spaces around relations and between words, and no others."""
    text = re.sub(r"(\S) (?=‖²)|(?<=‖) (?=Σ)", r"\1", text)
    text = re.sub(rf" (?=[_^{RAISED}])|(?<=[(\[⟨√‖+-]) | (?=[)\],⟩])", "", text)
    text = re.sub(rf"(?<![a-z]{{2}}) *([{''.join(GREEK.values())}∇]) *", r"\1", text)
    return re.sub(r"\s+", " ", re.sub(r"\s*([≤≥≠⇒=])\s*", r" \1 ", text)).strip()


TAKES = re.compile(r"\\[td]?frac(?![a-zA-Z])|\\sqrt(?![a-zA-Z])|[\^_]")  # what has arguments


def _arguments(text: str) -> str:
    """Every fraction, root, exponent and subscript with its arguments in brackets."""
    found = TAKES.search(text)
    if not found:
        return text
    first, rest = _argument(text[found.end() :])
    second, rest = _argument(rest) if found[0].endswith("frac") else ("", rest)
    placed = _placed(found[0], _arguments(first).strip(), _arguments(second).strip())
    apart = " " if re.fullmatch(r"\^\w", placed) and re.match(r"\w", rest) else ""  # a^b c, not a^bc
    return text[: found.start()] + placed + apart + _arguments(rest)


def _argument(text: str) -> tuple[str, str]:
    """The next argument, a group in braces or a single sign, and what follows it."""
    text, depth = text.lstrip(), 0
    for n, sign in enumerate(text):
        depth += (sign == "{") - (sign == "}")
        if depth == 0:
            return (text[1:n] if n else sign), text[n + 1 :]
    raise ValueError(f"an argument without an end: {text}")


def _placed(command: str, first: str, second: str) -> str:
    if command == "^" and re.fullmatch(r"-?\d+", first):
        return first.translate(SUPERSCRIPT)
    if command in "^_":
        return command + (first if re.fullmatch(r".|\([^()]*\)", first) else f"({first})")
    return f"√{_bracketed(first)}" if command == r"\sqrt" else f"{_bracketed(first)}/{_bracketed(second)}"


def _bracketed(part: str) -> str:
    return part if re.fullmatch(r"\d+|[^\W\d]", part) else f"({part})"


# ---------------------------------------------------------------- words

SPOKEN = {
    **{rf"(?<![\w.]){name}(?![a-zA-Z])": sign for name, sign in GREEK.items()},
    r"\bEbar\b": "Ē", r"\bgrad ": "∇", r"\bsqrt(?=\()": "√", r"<=": "≤", r">=": "≥", r"(?<=\w)\*(?=\w)": "·",
    r"\((?=\*\))\*\)": "(★)",
}  # fmt: skip


def in_signs(words: str) -> str:
    """A sentence whose formulas are typed (gamma <= 1/L^2), with the signs that a reader expects."""
    for typed, sign in SPOKEN.items():
        words = re.sub(typed, sign, words)
    words = re.sub(r"([_^])\{([^{}]+)\}", lambda m: _placed(m[1], m[2], ""), words)
    return re.sub(r"\^(-?\d+)(?!\w|/\d)", lambda m: m[1].translate(SUPERSCRIPT), words)


# ---------------------------------------------------------------- sympy

PLAIN = Letters()


@cache
def short_names(letters: Letters) -> Mapping[str, str]:
    """Names that a formula can hold, as σ² for s2; a longer one stays a code name."""
    names = {each.code: from_latex(each.latex) for each in letters.quantities}
    return {code: name for code, name in names.items() if len(name) <= 3}


class Readable(StrPrinter):
    """sympy's text with γ for gamma, ² for **2, ≤ for <= and a dot for a product."""

    def __init__(self, letters: Letters) -> None:
        super().__init__()
        self.letters = letters

    def _print_Symbol(self, expr: sp.Symbol) -> str:
        return letter(expr.name, self.letters)

    def _print_Pow(self, expr: sp.Pow, rational: bool = False) -> str:
        if isinstance(expr.exp, sp.Integer) and expr.exp > 1:
            base = self._print(expr.base)
            simple = expr.base.is_Symbol or (expr.base.is_Integer and expr.base >= 0)
            return (base if simple else f"({base})") + str(expr.exp).translate(SUPERSCRIPT)
        return str(super()._print_Pow(expr, rational)).replace("**", "^")

    def _print_Mul(self, expr: sp.Mul) -> str:
        return str(super()._print_Mul(expr)).replace("*", "·")

    def _print_Relational(self, expr: Any) -> str:
        sign = {"<=": "≤", ">=": "≥", "==": "=", "!=": "≠"}.get(expr.rel_op, expr.rel_op)
        return f"{self._print(expr.lhs)} {sign} {self._print(expr.rhs)}"

    def _print_And(self, expr: sp.And) -> str:
        return " and ".join(self._print(part) for part in sorted(expr.args, key=str))

    def _print_Or(self, expr: sp.Or) -> str:
        return " or ".join(f"({self._print(part)})" for part in sorted(expr.args, key=str))

    def _print_Not(self, expr: sp.Not) -> str:
        return f"not ({self._print(expr.args[0])})"


def letter(name: str, letters: Letters = PLAIN) -> str:
    """A letter as the formulas of its paper show it.

    >>> letter("gamma")
    'γ'
    """
    return short_names(letters).get(name, GREEK.get(name, name))


def readable(expression: sp.Basic, letters: Letters = PLAIN) -> str:
    """A relation or an expression as text, in the letters of its paper.

    >>> readable(sp.Symbol("mu") ** 2 <= 4)
    'μ² ≤ 4'
    """
    return str(Readable(letters).doprint(expression))
