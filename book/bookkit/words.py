"""Plain-text mathematics of the ledger as Markdown: w̃_{t+1} gets a real subscript, x^2 a real exponent."""

from __future__ import annotations

import re
from collections.abc import Callable

GREEK = {
    "gamma": "γ", "theta": "θ", "mu": "μ", "rho": "ρ", "sigma": "σ", "beta": "β", "zeta": "ζ", "delta": "δ",
    "tau": "τ", "eps": "ε", "epsilon": "ε", "nu": "ν", "alpha": "α", "Lam": "Λ", "Lambda": "Λ", "kappa": "κ",
    "omega": "ω",
}  # fmt: skip
SIGNS = (
    (r"<=", "≤"),
    (r"\bmax_(\w)\b", r"max<sub>\1</sub>"),
    (r">=", "≥"),
    (r"->", "→"),
    (r"\|\|", "‖"),
    (r"\bgrad (?=[a-z])", "∇"),
    (r"\*\*", "^"),
    (r"\beta\b", "η"),
    (r"\bsqrt\(", "√("),
    (r"w~", "w̃"),
    (r"\(\*\)", "(★)"),
    (r"_(\(\w\))", r"_{\1}"),
    (r"(?<![\w.])(\d+(?:\.\d+)?)e\+?(-?)0*(\d+)\b", r"\1·10^\2\3"),
    (r"(?<![\w)\]-])-(?=[\d(γμ∇βζ]|[a-z]\b)", "−"),
    (r"(?<=[\w)\]²³‖]) - (?=[\w(‖√∇])", " − "),
    (r"(?<=Lemma [12])'", "′"),
    (r"(?<=\d) x (?=\d)", " × "),
    (r"\b([A-Za-z])_star\b", r"\1_{∗}"),
    (r"\^\(([^()]*)\)", r"^{\1}"),
    (r"\^(\|[^|]*\|)", r"^{\1}"),
    (r"_(max|min|ij|ii)\b", r"_{\1}"),
    (r"\b(mean|sup|tail|Top)_(\w)\b", r"\1_{\2}"),
    (r"\bwstar_(\d)", r"w*_\1"),
    (r"\bE_bar\b", "Ē"),
    (r"_\+(?!\w)", r"_{+}"),
)
SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|$~])")
LABEL = re.compile(r"\beq(?:\.|:) ?([A-Za-z]\w+)")
PARTS = re.compile(r"(<sub>.*?</sub>|<sup>.*?</sup>)")
CODE = re.compile(r"`([^`]+)`")
# The numbers that the paper's labels have in its PDF.
EQUATIONS = {
    "FL_minimization": 2, "sgd": 4, "cs_guarantee": 5, "rho": 10, "gamma_range": 11, "main_thm": 12,
    "w_1": 14, "epoch_recursive": 16, "grad_penal": 18, "grad_epoch": 19, "grad_epoch_all": 20,
    "sec_grad": 21, "beta": 22, "sec_zeta": 23, "step1_fps": 25, "step2_fps": 26,
}  # fmt: skip


def markdown(text: str) -> str:
    """Text of an entry as Markdown that shows it as written on paper."""
    return _mapped(text, literal, "`{}`".format)


def html(text: str) -> str:
    """The same as HTML."""
    return _mapped(text, escape, lambda code: f"<code>{escape(code)}</code>")


def _mapped(text: str, plain: Callable[[str], str], code: Callable[[str], str]) -> str:
    """What stands between backticks is code; the rest gets its scripts, and `plain` keeps its letters."""
    found = [code(part) if i % 2 else _plain(part, plain) for i, part in enumerate(CODE.split(text))]
    return "".join(found)


def _plain(text: str, plain: Callable[[str], str]) -> str:
    return "".join(part if PARTS.fullmatch(part) else plain(part) for part in PARTS.split(tagged(text)))


def literal(text: str) -> str:
    """Text that Markdown must leave as it is."""
    return SPECIAL.sub(r"\\\1", text)


def escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def tagged(text: str) -> str:
    """Subscripts and exponents as tags; equations of the paper by their numbers."""
    return _scripts(numbered(text))


def numbered(text: str) -> str:
    """Equations of the paper by the numbers of its PDF."""
    return LABEL.sub(_equation, text)


def _equation(label: re.Match[str]) -> str:
    number = EQUATIONS.get(label[1])
    return label[0] if number is None else f"eq. ({number})"


def _scripts(text: str) -> str:
    for name, letter in GREEK.items():
        text = re.sub(rf"(?<![A-Za-z])(?<![a-z]-){name}(?![A-Za-z])", letter, text)
    for sign, better in SIGNS:
        text = re.sub(sign, better, text)
    text = re.sub(r"_\{([^{}]*)\}", r"<sub>\1</sub>", text)
    text = re.sub(r"\^\{([^{}]*)\}", _exponent, text)
    text = re.sub(
        r"((?<![A-Za-z])A?[^\W\d_][\u0300-\u036f]?|[)\]‖|⟩*])_(\w)(?![A-Za-z]{2})", r"\1<sub>\2</sub>", text
    )
    return re.sub(r"\^([-−]?\w+|⊥)", _exponent, text)


def _exponent(power: re.Match[str]) -> str:
    """With a minus sign, after which no line may break; it may after a hyphen."""
    return f"<sup>{power[1].replace('-', '−')}</sup>"
