"""Printed denominators are positive under the hypotheses of the claim.

sympy cancels x/x before the ledger sees a statement, and with it the need for x ≠ 0. So the denominators are
read from the printed LaTeX (every second argument of a fraction, and what follows a slash), not from the
claim. A letter that the claim has must get its sign from the hypotheses; a letter that the reduction replaced
by another has the sign of its declaration, in `theory.symbols` or in `DECLARED`. A norm is read as the letter
inside it. Of a finite claim, the hypotheses that are relations count; besides, it is evaluated in exact
arithmetic, where a zero denominator is an error.
"""

from __future__ import annotations

import re

import sympy as sp

from theory import smt
from theory.decided import shown_without_z3
from theory.entry import Entry
from theory.errors import EvidenceFailed
from theory.integers import IntegerForm
from theory.statements import AnyClaim, Claim
from theory.symbols import QUANTITIES, H, in_paper_letters

CODES = {q.latex: q.code for q in QUANTITIES} | {
    r"\varepsilon": "eps",
    "g(k)": "gk",
    r"\bar E": "E_bar",
    r"\theta": "theta",
    r"\kappa": "kappa",
}
ALSO = {
    "Lam": "L_mu",
    "y": "level",
    "M": "count",
    "tau": "share",
}  # the same letter of the print in other claims
DECLARED = dict.fromkeys(("eps", "gk", "E_bar", "L"), sp.Gt) | {"P": sp.Ge}  # L = 0 reads as no limit
COUNTS = "MbKJh"  # devices, buckets, rows: at least 1
GROUP = r"\([^()]*\)"
NORM, LETTER = r"\\\|[a-zA-Z]\\\|", r"[a-zA-Z](?:_[a-zA-Z])?"
TOKEN = re.compile(rf"{NORM}|\\bar E|g\(k\)|\\sqrt|\\[a-zA-Z]+|\d+|{LETTER}|[-+/^(){{}}]")
SLASH = re.compile(rf"/(?P<under>(?:\d+|{NORM}|\\bar [A-Z]|{GROUP}|\\[a-zA-Z]+|{LETTER})(?:\^\w)?)")
SPACING = re.compile(r"\\(left|right|big|Big)|\\[,;!]")


def undefined(entry: Entry) -> list[str]:
    """The printed denominators that are not shown to be positive."""
    condition = (entry.condition,) if isinstance(entry.condition, sp.Basic) else ()
    known = tuple(in_paper_letters(h) for h in (*relations(entry.claim), *condition))
    own = entry.claim.symbols if isinstance(entry.claim, Claim) else ()
    names = {s.name for s in (*own, *_letters(known))}
    try:
        unclear = [tex for tex in denominators(entry.printed) if not _is_positive(tex, known, names)]
    except EvidenceFailed as error:
        return [str(error)]
    return [f"the printed denominator {tex} is not shown to be positive" for tex in unclear]


def relations(claim: AnyClaim) -> tuple[sp.Basic, ...]:
    """The hypotheses that are relations: of a claim about integers, and of tests that evaluate one."""
    if isinstance(claim, Claim):
        return claim.hypotheses
    if isinstance(claim.form, IntegerForm):
        return claim.form.known
    found = (getattr(test.holds, "relation", None) for test in claim.hypotheses)
    return tuple(relation for relation in found if relation is not None)


def _letters(known: tuple[sp.Basic, ...]) -> set[sp.Symbol]:
    return set().union(*(h.free_symbols for h in known))


def denominators(tex: str) -> tuple[str, ...]:
    """The second arguments of all fractions, and what follows a slash, without plain numbers."""
    slashed = [match["under"] for match in SLASH.finditer(tex)]
    if len(slashed) != tex.count("/"):
        raise EvidenceFailed(f"what follows a slash in {tex} is not understood")
    found = [denominator for denominator in slashed if not denominator.isdigit()]
    for match in re.finditer(r"\\[td]?frac", tex):
        _, start = _argument(tex, match.end())
        denominator, _ = _argument(tex, start)
        if not denominator.isdigit():
            found.append(denominator)
    return tuple(dict.fromkeys(found))


def _argument(tex: str, start: int) -> tuple[str, int]:
    """One argument of a macro, and where it ends: a group, a macro, or one character."""
    start += len(tex[start:]) - len(tex[start:].lstrip())
    if tex[start] != "{":
        whole = re.match(r"\\[a-zA-Z]+|.", tex[start:])
        end = start + len(whole[0] if whole else "")
        return tex[start:end], end
    depth = 0
    for end in range(start, len(tex)):
        depth += {"{": 1, "}": -1}.get(tex[end], 0)
        if depth == 0:
            return tex[start + 1 : end], end + 1
    raise EvidenceFailed(f"unbalanced braces in {tex}")


def _is_positive(tex: str, known: tuple[sp.Basic, ...], names: set[str]) -> bool:
    reader = Reader(tex, names)
    expression = reader.read()
    assumed = (*known, *reader.assumed)
    if shown_without_z3(expression, assumed, strictly=True):
        return True
    return smt.prove(assumed, expression > 0).answer is smt.Answer.PROVED


class Reader:
    """A denominator as an expression: sums, products, integer powers and roots of the paper's letters."""

    def __init__(self, tex: str, names: set[str]) -> None:
        self.tokens = [*TOKEN.findall(SPACING.sub("", tex)), "end"]
        self.names, self.tex = names, tex
        self.assumed: list[sp.Basic] = []

    def read(self) -> sp.Expr:
        expression = self._sum()
        if self.tokens != ["end"]:
            raise EvidenceFailed(f"the printed denominator {self.tex} is not understood")
        return expression

    def _sum(self) -> sp.Expr:
        total = self._product()
        while self.tokens[0] in ("+", "-"):
            sign = 1 if self.tokens.pop(0) == "+" else -1
            total += sign * self._product()
        return total

    def _product(self) -> sp.Expr:
        result = self._power()
        while self.tokens[0] not in ("+", "-", ")", "}", "end"):
            inverse = self.tokens[0] == "/" and bool(self.tokens.pop(0))
            result = result / self._power() if inverse else result * self._power()
        return result

    def _power(self) -> sp.Expr:
        base = self._atom()
        if self.tokens[0] != "^":
            return base
        self.tokens.pop(0)
        return base ** self._atom()

    def _atom(self) -> sp.Expr:
        token = self.tokens.pop(0)
        if token in ("(", "{"):
            inside = self._sum()
            if self.tokens.pop(0) not in (")", "}"):
                raise EvidenceFailed(f"the printed denominator {self.tex} is not understood")
            return inside
        if token == r"\sqrt":
            return self._root(self._atom())
        return sp.Integer(token) if token.isdigit() else self._letter(token)

    def _root(self, radicand: sp.Expr) -> sp.Expr:
        root = sp.Symbol(f"root_{len(self.assumed)}", real=True)
        self.assumed += [root >= 0, sp.Eq(root**2, radicand)]
        return root

    def _letter(self, token: str) -> sp.Expr:
        if token == "H":
            return in_paper_letters(H)
        if token.startswith(r"\|"):
            token = token[2]
        code = CODES.get(token, token)
        names = (code, ALSO.get(code, code))
        for name in names:
            if name in self.names:
                return sp.Symbol(name, real=True)
        self.assumed.append(self._declared(code))
        return sp.Symbol(code, real=True)

    def _declared(self, code: str) -> sp.Basic:
        symbol = sp.Symbol(code, real=True)
        if code in DECLARED:
            return DECLARED[code](symbol, 0)
        if code in COUNTS:
            return symbol >= 1
        signs = {q.code: q.nonnegative for q in QUANTITIES}
        if code not in signs:
            raise EvidenceFailed(f"the letter {code} of the printed denominator {self.tex} is not declared")
        return signs[code]
