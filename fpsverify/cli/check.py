"""`fpsverify check FILE.json`: is this certificate a proof? Fractions alone decide, no solver is involved."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from fpsverify.cli import tell

if TYPE_CHECKING:
    from theory.rates.descent.certificate import Certificate

EXIT_PROVED, EXIT_REJECTED = 0, 1
MOST_BYTES = 50_000_000


def add_commands(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "check",
        help="check a certificate of a learning rate again",
        description="Check a certificate that `fpsverify lr --certificate` wrote, with fractions alone. Exit "
        "code 0: it proves what is printed. 1: it does not. 2: the file is no certificate.",
    )
    parser.add_argument("file", type=Path, metavar="FILE.json", help="the certificate")
    parser.set_defaults(func=run_check)


def run_check(args: argparse.Namespace) -> int:
    """One line: what is certified, or the fault."""
    from theory.rates.descent.certificate import from_json, parsed

    record = parsed(_text(args.file))
    certificate = from_json(record)
    fault = _fault(certificate, record)
    proved = None if fault else f"{statement(certificate)}{_unsigned(record)}"
    told = f"REJECTED: {fault}." if fault else f"PROVED: {proved}"
    tell(args, told, proved=not fault, statement=proved, fault=fault)
    return EXIT_REJECTED if fault else EXIT_PROVED


def _fault(certificate: Certificate, record: dict[str, object]) -> str | None:
    from theory.rates.descent.certificate import DIGEST, digest
    from theory.rates.descent.check import false_words, objection

    why = objection(certificate)
    if why is None and DIGEST in record and record[DIGEST] != digest(record):
        return "the file was changed after it was written (its sha256 does not fit its content)"
    return why or false_words(certificate, record)


def _unsigned(record: dict[str, object]) -> str:
    """The numbers above were checked; whether they are those that `lr` wrote, only its digest can say."""
    from theory.rates.descent.certificate import DIGEST

    return "" if DIGEST in record else f" The file has no {DIGEST}: lr may have written other numbers."


def _text(path: Path) -> str:
    from fpsverify.errors import BadInput

    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadInput("file", str(path), f"at most {MOST_BYTES} bytes")
        return path.read_text("utf-8")
    except OSError as error:
        raise BadInput("file", str(path), f"a file that can be read ({error.strerror})") from None
    except (UnicodeError, ValueError) as error:
        raise BadInput("file", str(path), f"a text file ({error})") from None


def statement(given: Certificate) -> str:
    """What the certificate proves, for which constants and which γ."""
    names = ("L", "mu", "B", "P_b", "P_n", "nu", "theta")
    constants = ", ".join(f"{name} = {_number(getattr(given, name))}" for name in names)
    scope = "and every smaller gamma" if given.covers_smaller else "this gamma only, no smaller one"
    how = "with exact averaging" if given.sketch is None else _through(given)
    return (
        f"gamma = {_number(given.gamma)} ({scope}) lowers the expected loss in every round of E = {given.E} "
        f"local steps {how}, up to the cost of absolute errors, for {constants}. {_promise(given)}"
    )


def _through(given: Certificate) -> str:
    """The sketch and who takes part."""
    assert given.sketch is not None
    sketch, share = given.sketch.sketch, ""
    if given.sketch.participants is not None:
        share = f" from {given.sketch.participants} of {given.sketch.devices} devices"
    noise = float(given.sketch.noise)
    power = (
        f" at full power over noise of {noise:.4g} times that power (Theorem N: on paper)" if noise else ""
    )
    trace = "" if sketch.trace is None else f" with trace at most {float(sketch.trace):.6g}"
    return (
        f"sent{share}{power} through a sketch of {sketch.rows}x{sketch.buckets} numbers for d = {sketch.d} "
        f"that is drawn anew in every round ({sketch.compressor}, omega_L at most {float(given.omega):.6g}), "
        f"if the mean loss has curvature at most {float(sketch.ell):.6g}{trace}"
    )


def _promise(given: Certificate) -> str:
    """The whole inequality after T rounds, and where A3 is asked."""
    from theory.rates.descent.certificate import A3
    from theory.rates.rounding import rounded_up

    names = {"Delta_over_T": "Delta/T", "G2": "G^2", "b2": "b^2", "sigma2": "sigma^2"}
    names |= {"channel": "sigma_c^2"}
    factors = given.floor.as_json()
    shown = {names[n]: factors[n] for n in names if factors.get(n) is not None}
    total = " + ".join(f"{rounded_up(float(value or 0), 4)} {name}" for name, value in shown.items())
    return f"Over T rounds the mean of E|grad f|^2 is at most {total} (A3 {A3[given.asks_A3_everywhere]})."


def _number(value: object) -> str:
    """The decimal where it is exact or where the value is a float (then it is that float), else the ratio."""
    from fractions import Fraction

    exact = Fraction(str(value))
    try:
        number = float(exact)
    except OverflowError:
        return str(exact)
    short = repr(number)
    return short.removesuffix(".0") if exact in (Fraction(short), Fraction(number)) else str(exact)
