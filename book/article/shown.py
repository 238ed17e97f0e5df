"""Numbers and words as a reader sees them; the words of the ledger as Typst markup."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from book.bookkit import words

SPECIAL = re.compile(r"([\\`*_{}\[\]<>#$~@/=+-])")
TAGGED = re.compile(r"<(sub|sup|code)>(.*?)</\1>")
LONGEST = 12  # characters of a fraction that is printed as it is
SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
SCRIPTS = {"sub": "#sub[{}];", "sup": "#super[{}];", "code": "{}"}


def significant(value: float, digits: int = 3) -> str:
    """So many digits: 12.1, 0.0345, 7710, 3.6·10^23."""
    text = f"{value:.{digits}g}"
    if "e" not in text:
        return text
    head, _, power = text.partition("e")
    return f"{float(text):.0f}" if 0 < int(power) < 6 else f"{head}·10^{int(power)}"


def exact(value: Fraction) -> str:
    """A fraction as it is, or three digits of it where it is long."""
    text = str(value).replace("-", "−")
    return text if len(text) <= LONGEST else significant(float(value))


def counted(number: int) -> str:
    """Thousands apart: 56,700."""
    return f"{number:,}"


class Markup(str):
    """Text that is markup already."""


@dataclass(frozen=True)
class Language:
    """How one language writes code, bold text, the title of a part, and plain values."""

    code: str
    strong: str
    part: str
    text: Callable[[Any], str]

    def marks(self) -> dict[str, Callable[[str], Markup]]:
        """As functions of the words."""
        forms = {"code": self.code, "strong": self.strong, "part": self.part}
        return {name: lambda words, form=form: Markup(form.format(words)) for name, form in forms.items()}


def spelled(number: int) -> str:
    """Small numbers as words."""
    return SMALL[number] if 0 <= number < len(SMALL) else counted(number)


def typst(value: Any) -> str:
    """Plain text, with the scripts and Greek letters of the ledger, as Typst markup."""
    if isinstance(value, Markup):
        return value
    pieces, last, tagged = [], 0, words.tagged(str(value))
    for match in TAGGED.finditer(tagged):
        pieces += [literal(tagged[last : match.start()]), SCRIPTS[match[1]].format(literal(match[2]))]
        last = match.end()
    return "".join([*pieces, literal(tagged[last:])])


def markdown(value: Any) -> str:
    """The same as Markdown."""
    if isinstance(value, Markup):
        return value
    return words.markdown(str(value))


TYPST = Language('#raw("{}")', "*{}*", "= {}", typst)
MARKDOWN = Language("`{}`", "**{}**", "## {}", markdown)


def literal(text: str) -> str:
    """Text that Typst must leave as it is."""
    return SPECIAL.sub(r"\\\1", text).replace(" %", "\u00a0%")
