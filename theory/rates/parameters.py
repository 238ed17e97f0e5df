"""The constants a bound is stated in, checked once; boxes of them; and evaluation of a formula at them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from itertools import product
from numbers import Integral, Real

import sympy as sp

from theory.errors import InvalidParameter
from theory.formulas import letters
from theory.papers.fps import letters as symbols

Scalar = float | Fraction

# Within these sizes no product in Theorem A's recursion leaves the floats unnoticed: the smallest that
# matters, L γ ν P_n G² with G² ≥ 1e-100, is above 1e-301, and an overflow only makes a bound infinite.
SMALLEST, LARGEST, LARGEST_INTEGER = 1e-50, 1e50, 10**18


def checked_real(
    field: str, value: object, expected: str, low: float = 0.0, open_low: bool = False
) -> Scalar:
    """A finite real number ≥ low (> low if open_low); one of another library becomes a plain one."""
    if isinstance(value, Real) and hasattr(value, "item"):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, Real) or not _is_finite(value):
        raise InvalidParameter(field, value, expected)
    if value < low or (open_low and value == low):
        raise InvalidParameter(field, decimal(value), expected)
    return value  # type: ignore[return-value]  # any real number type will do


def checked_size(
    field: str, value: object, expected: str, low: float = 0.0, open_low: bool = False
) -> Scalar:
    """A real number ≥ low (> low if open_low) that is 0 or of a size that floats can square safely."""
    number = checked_real(field, value, expected, low, open_low)
    if number > LARGEST or 0 < number < SMALLEST:
        sizes = f"between {SMALLEST:g} and {LARGEST:g}" + ("" if open_low or low > 0 else ", or 0")
        raise InvalidParameter(field, decimal(number), f"{expected}, {sizes}")
    return number


def not_too_small(share: Scalar) -> Scalar:
    """A positive share below the safe sizes becomes the smallest of them: to the safe side of every bound."""
    positive = isinstance(share, Real) and not isinstance(share, bool) and 0 < share < SMALLEST
    return SMALLEST if positive else share


def checked_exponent(field: str, value: object) -> Scalar:
    """A power-law exponent p > 1/2 for which (n^{1−2p} − m^{1−2p})/(2p−1) keeps its digits."""
    expected = "a number above 1/2, from 0.5 + 1e-9 to 100"
    number = checked_real(field, value, expected, low=0.5, open_low=True)
    if not 1e-9 <= number - Fraction(1, 2) <= 99.5:
        raise InvalidParameter(field, decimal(number), expected)
    return number


def _is_finite(value: Real) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer or fraction beyond every float
        return False


def decimal(value: object) -> object:
    """A fraction as a decimal, for messages."""
    return f"{float(value):g}" if isinstance(value, Fraction) else value


def checked_integer(field: str, value: object, low: int = 1) -> int:
    """An integer ≥ low; 5.0 counts as 5, 2.5 does not."""
    expected = f"an integer of at least {low}"
    number = checked_real(field, value, expected, low)
    if not isinstance(number, Integral) and number != int(number):
        raise InvalidParameter(field, decimal(value), expected)
    if number > LARGEST_INTEGER:
        raise InvalidParameter(field, f"{float(number):g}", f"{expected} and at most {LARGEST_INTEGER:g}")
    return int(number)


@dataclass(frozen=True)
class Parameters:
    """L smoothness, μ proximal weight, E local steps, B dissimilarity, (P_b, P_n) relative bias and noise.

    M devices whose noise is uncorrelated give ν = 1/M (assumption A2 of the repaired theory); pass nu=1 if
    it may be correlated. M enters through ν alone: it may be the number of devices in a round, and what is
    said holds for any number of devices with this ν and B. For a single device A3 holds with B = 1.
    """

    L: Scalar
    mu: Scalar = 0
    E: int = 1
    B: Scalar = 1
    P_b: Scalar = 0
    P_n: Scalar = 0
    M: int = 1
    nu: Scalar | None = None

    def __post_init__(self) -> None:
        for name in ("P_b", "P_n"):
            object.__setattr__(self, name, not_too_small(getattr(self, name)))
        for name in ("L", "mu", "P_b", "P_n"):
            found = checked_size(name, getattr(self, name), "a finite number of at least 0")
            object.__setattr__(self, name, found)
        object.__setattr__(self, "B", checked_size("B", self.B, "a finite number of at least 1", low=1.0))
        object.__setattr__(self, "E", checked_integer("E", self.E))
        object.__setattr__(self, "M", checked_integer("M", self.M))
        if self.nu is not None:
            nu = checked_size("nu", self.nu, "a number in (0, 1]", open_low=True)
            if nu > 1:
                raise InvalidParameter("nu", decimal(nu), "a number in (0, 1]")
            object.__setattr__(self, "nu", nu)

    @property
    def noise_share(self) -> Fraction:
        """ν: what averaging over devices leaves of the noise."""
        return Fraction(1, self.M) if self.nu is None else Fraction(self.nu)

    def substitution(self) -> dict[sp.Symbol, sp.Rational]:
        """The symbols of `formulas` and their values, as exact rationals."""
        names = ("L", "mu", "E", "B", "P_b", "P_n")
        values = {getattr(symbols, name): rational(getattr(self, name)) for name in names}
        return values | {letters.nu: rational(self.noise_share)}


def rational(value: Scalar) -> sp.Rational:
    """The exact rational value; a float stands for the binary fraction it is."""
    exact = Fraction(value)
    return sp.Rational(exact.numerator, exact.denominator)


def many_digits(value: Scalar) -> sp.Float:
    """The value to 60 digits, for powers n^{1−2p}: sympy would factor the integers of an exact one first."""
    return sp.Float(rational(value), 60)


def evaluate(expression: sp.Expr, values: Mapping[sp.Symbol, sp.Expr]) -> sp.Expr:
    """The expression at rational values: exact when it is rational, symbolic in square roots otherwise.

    Below a root, sympy factors integers, and fails on squares of some large composites: then 60 digits serve.
    """
    formula = sp.sympify(expression)
    try:
        result = formula.xreplace(dict(values))
    except ValueError:
        result = formula.xreplace({symbol: value.evalf(60) for symbol, value in values.items()})
    if result.free_symbols:
        raise InvalidParameter(str(sorted(map(str, result.free_symbols))), "nothing", "a value")
    return result


def as_float(value: sp.Expr, name: str = "result") -> float:
    """Correctly rounded from 40 digits, so that a difference of near-equal square roots keeps its sign."""
    try:
        if value.is_Rational:
            return float(Fraction(value.p, value.q))
        number = float(value.evalf(40, maxn=1000))
    except OverflowError:  # pragma: no cover: beyond the largest float
        number = math.inf
    if not math.isfinite(number):
        raise InvalidParameter(name, "more than 1.7e308", "constants that give a smaller one")
    return number


@dataclass(frozen=True)
class Box:
    """Every parameter between two values; the range asked for must be safe in the whole box."""

    low: Parameters
    high: Parameters

    def __post_init__(self) -> None:
        for field in fields(Parameters):
            low, high = getattr(self.low, field.name), getattr(self.high, field.name)
            if (low is None) != (high is None) or (low is not None and low > high):
                raise InvalidParameter(field.name, f"{low}:{high}", "an interval LOW:HIGH with LOW ≤ HIGH")

    @staticmethod
    def point(q: Parameters) -> Box:
        """The box that is one point."""
        return Box(q, q)

    def corners(self) -> Iterator[Parameters]:
        """Every combination of end points."""
        ends = {f.name: {getattr(self.low, f.name), getattr(self.high, f.name)} for f in fields(Parameters)}
        for values in product(*ends.values()):
            yield Parameters(**dict(zip(ends, values, strict=True)))
