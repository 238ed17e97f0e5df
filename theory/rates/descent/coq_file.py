"""A certificate as a Coq file: the numbers, and a theorem that Coq's own checker proves from them.

The file needs the project's Coq library under the name FPS (`coqc -Q theory/coq FPS FILE.v`). Numbers are in
units with L = 1, as the library wants them: Lγ, μ/L, and all but the multipliers of pairs times L. Letters
are numbered: g_e is e, the gradient at x_+ is E, b_e is E+1+e, z_e is 2E+1+e.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from theory.errors import InvalidParameter
from theory.rates.descent.certificate import Certificate
from theory.rates.descent.check import checked

HEAD = """(** {words} *)
From Coq Require Import Reals QArith Qreals List.
From FPS.rates Require Import Certificate Checker CheckerProof.
{sketch}Import ListNotations.
Open Scope Q_scope.

Definition numbers : rational_certificate := {{|
{fields} |}}.

"""
DESCENT = """(** Every round that fits these numbers descends. *)
Theorem descent : certified numbers.
Proof. apply check_sound. vm_compute. reflexivity. Qed.
"""
MODULES = "From FPS.fresh Require Import Prices PricedChecker PricedCheckerProof.\n"
PRICED = """(** The multipliers pay for the sketch too: Theorem S holds for these numbers. *)
Definition with_sketch : sketch_certificate := {{|
  without_sketch := numbers; q_omega := {omega}; q_v := {v} |}}.
Theorem descent : (0 < Forms.c (multipliers_of numbers))%R /\\
  priced_certificate (numbers_of numbers) (multipliers_of numbers)
    (Q2R (q_omega with_sketch)) (Q2R (q_v with_sketch)).
Proof. apply (priced_check_gives_certificate with_sketch). vm_compute. reflexivity. Qed.
"""


def coq_file(certificate: Certificate) -> str:
    """The text of a Coq file that proves the descent for these numbers."""
    checked(certificate)
    if (1 / certificate.nu).denominator != 1:
        raise InvalidParameter("nu", certificate.nu, "1 or 1/M for Coq's statement")
    fields = ";\n".join(f"  q_{name} := {value}" for name, value in _fields(certificate))
    priced = bool(certificate.omega or certificate.v)
    head = HEAD.format(words=_words(certificate), fields=fields, sketch=MODULES if priced else "")
    prices = {n: _number(v / certificate.L) for n, v in (("omega", certificate.omega), ("v", certificate.v))}
    return head + (PRICED.format(**prices) if priced else DESCENT)


def _words(given: Certificate) -> str:
    numbers = {"B": given.B, "P_b": given.P_b, "P_n": given.P_n, "mu/L": given.mu / given.L}
    shown = ", ".join(f"{name} = {float(value):g}" for name, value in numbers.items())
    step = float(given.gamma * given.L)
    return f"One round of E = {given.E} local steps with L gamma = {step:.7g}, {shown}."


def _fields(given: Certificate) -> list[tuple[str, str]]:
    values = {n: v if n.startswith("pair") else v * given.L for n, v in given.multipliers}
    uncorrelated = given.has("noise") and given.nu < 1
    flags = {
        "biased": given.has("bias"),
        "noisy": given.has("noise"),
        "one_device": False,
        "uncorrelated": uncorrelated,
        "independent": False,
    }
    return [
        ("Es", str(given.E)),
        ("gamma", _number(given.gamma * given.L)),
        ("mu", _number(given.mu / given.L)),
        ("theta", _number(given.theta)),
        ("B", _number(given.B)),
        ("P_b", _number(given.P_b)),
        ("P_n", _number(given.P_n)),
        ("nu", _number(given.nu)),
        *((name, "true" if on else "false") for name, on in flags.items()),
        ("c", _number(given.c * given.L)),
        ("lam", _table(_pairs(values))),
        ("eta_0", _number(values.get("spread 0", Fraction(0)))),
        ("eta_plus", _number(values.get(f"spread {given.E}", Fraction(0)))),
        ("tau", _list(values, "bias", given.E if given.has("bias") else 0)),
        ("vt", _list(values, "noise", given.E if given.has("noise") else 0)),
        ("own", _table(_own(given.E, values))),
        ("cross", _table(_cross(given.E, values))),
    ]


def _number(value: Fraction) -> str:
    text = str(value.numerator) if value.denominator == 1 else f"{value.numerator} # {value.denominator}"
    return f"({text})" if value < 0 else text


def _table(entries: Iterable[tuple[int, int, Fraction]]) -> str:
    return "[" + ";\n    ".join(f"on {i} {j} ({_number(v).strip('()')})" for i, j, v in entries) + "]"


def _list(values: dict[str, Fraction], kind: str, length: int) -> str:
    return "[" + "; ".join(_number(values.get(f"{kind} {e}", Fraction(0))) for e in range(length)) + "]"


def _letter(name: str, E: int) -> int:
    return {"g": 0, "b": E + 1, "z": 2 * E + 1}[name[0]] + int(name[1:])


def _pairs(values: dict[str, Fraction]) -> list[tuple[int, int, Fraction]]:
    names = [(name.split(), value) for name, value in values.items() if name.startswith("pair")]
    return [(int(i), int(j), value) for (_, i, j), value in names]


def _own(E: int, values: dict[str, Fraction]) -> list[tuple[int, int, Fraction]]:
    names = [(name.split(), value) for name, value in values.items() if name.startswith("own")]
    return [(int(z[1:]), _letter(p, E), value) for (_, z, p), value in names]


def _cross(E: int, values: dict[str, Fraction]) -> list[tuple[int, int, Fraction]]:
    """Products of mean noises: of a step with the start or an earlier step, and (share) with itself.

    Coq states S[z,z] = ν(S+D)[z,z], whose multiplier is minus that of ν(S+D)[z,z] − S[z,z] ≥ 0.
    """
    entries = []
    for name, value in values.items():
        kind, *rest = name.split()
        if kind in ("start", "across"):
            first, second = sorted(rest, key=lambda letter: _letter(letter, E), reverse=True)
            entries.append((int(first[1:]), _letter(second, E), value))
        elif kind == "share":
            entries.append((int(rest[0]), 2 * E + 1 + int(rest[0]), -value))
    return entries
