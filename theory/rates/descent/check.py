"""The exact verifier of a certificate of descent: integers and fractions only, no solver, no floats.

It builds everything again from the definition, and shares no code with the search for certificates.

For one device write y_e for the displacement w^e − x: y_0 = 0, y_{e+1} = (1−γμ) y_e − γ (g_e + b_e + z_e).
Every vector is a combination of the letters g_e, b_e, z_e, g_E. "Mean" products use the devices' averages,
"spread" products the deviations from them; x_+ is common to all devices, so its deviation is 0.

A convex loss h = l + (θL/2)|·|² with curvature at most (1+θ)L satisfies, for any two points i and j,
  h_i − h_j − ⟨h'_j, x_i − x_j⟩ − |h'_i − h'_j|² / (2(1+θ)L) ≥ 0.
The certificate adds such inequalities, and those of A2 and A3, with its multipliers. If the values cancel but
for f(x) − f(x_+), and what is left, c|g_0|² + (ω/2)|y_E|² included, is a negative definite form in the means,
and with (v/2)|y_E|² another one in the deviations, then the descent is proved, with what a fresh sketch
costs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from theory.errors import InvalidParameter
from theory.rates.descent.certificate import Certificate

Vector = dict[str, Fraction]
ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)


def checked(certificate: Certificate) -> Certificate:
    """The certificate itself if it proves what it says; else one line that says why it does not."""
    why = objection(certificate)
    if why is not None:
        raise InvalidParameter("certificate", why, "one that proves descent")
    return certificate


def objection(given: Certificate) -> str | None:
    """None if the certificate proves descent, else what is wrong with it."""
    constants = _wrong_constant(given)
    if constants:
        return constants
    sums = Sums(_letters(given))
    for name, value in given.multipliers:
        wrong = _include(given, sums, name, value)
        if wrong:
            return wrong
    return _verdict(given, sums)


def false_words(given: Certificate, record: dict[str, object]) -> str | None:
    """None if a file's version and words are those that its numbers imply; JSON's true is no 1."""
    for name, value in given.as_json().items():
        said = record.get(name, value)
        if name in ("version", "statement", "smaller_gamma", "A3", "floor") and (type(said), said) != (
            type(value),
            value,
        ):
            implied = "" if name == "floor" else f" ({value!r})"
            return f"its {name} is not what the numbers imply{implied}"
    return None


def _wrong_constant(given: Certificate) -> str | None:
    names = [name for name, _ in given.multipliers]
    conditions = {
        "E is no positive integer": given.E >= 1,
        "L is not positive": given.L > 0,
        "B is below 1": given.B >= 1,
        "P_b or P_n is negative": min(given.P_b, given.P_n) >= 0,
        "mu is negative": given.mu >= 0,
        "nu is outside (0, 1]": 0 < given.nu <= 1,
        "theta is outside [0, 1]": 0 <= given.theta <= 1,
        "gamma is not positive": given.gamma > 0,
        "gamma mu is above 1": given.E == 1 or given.gamma * given.mu <= 1,
        "c is not positive": given.c > 0,
        "a multiplier occurs twice": len(set(names)) == len(names),
        "omega or v is negative": min(given.omega, given.v) >= 0,
        **_sketch_is_paid(given),
    }
    return next((text for text, holds in conditions.items() if not holds), None)


def _sketch_is_paid(given: Certificate) -> dict[str, bool]:
    """ω and v must be at least what the sketch named in the file costs."""
    if given.sketch is None:
        return {}
    omega, v = given.sketch.prices
    return {
        f"omega is too small for the sketch, which costs {float(omega):.6g}": given.omega >= omega,
        f"v is too small for the participants, who cost {float(v):.6g}": given.v >= v,
    }


def _letters(given: Certificate) -> list[str]:
    kinds = "g" + "b" * given.has("bias") + "z" * given.has("noise")
    return [f"{kind}{e}" for e in range(given.E) for kind in kinds] + [f"g{given.E}"]


@dataclass
class Sums:
    """What the multipliers add up to: weighted products of the means, of the deviations, and values."""

    letters: list[str]
    means: list[tuple[Fraction, Vector, Vector]] = field(default_factory=list)
    deviations: list[tuple[Fraction, Vector, Vector]] = field(default_factory=list)
    values: dict[int, Fraction] = field(default_factory=dict)

    def add_both(self, weight: Fraction, a: Vector, b: Vector) -> None:
        """weight·(mean over the devices of ⟨a, b⟩)."""
        self.means.append((weight, a, b))
        self.deviations.append((weight, a, b))

    def add_value(self, node: int, weight: Fraction) -> None:
        self.values[node] = self.values.get(node, ZERO) + weight


def _include(given: Certificate, sums: Sums, name: str, value: Fraction) -> str | None:
    """Add one inequality times its multiplier; the text of an objection if there is none of that name."""
    kind, *rest = name.split(" ")
    reader = READERS.get(kind)
    if reader is None or not reader(given, sums, rest, value):
        return f"there is no inequality named {name!r} in this setting"
    if kind in INEQUALITIES and value < 0:
        return f"the multiplier of {name!r} is negative"
    return None


def _node(text: str, largest: int) -> int | None:
    """A number written in the one usual way."""
    short = text.isdecimal() and len(text) <= len(str(largest))
    return int(text) if short and str(int(text)) == text and int(text) <= largest else None


def _displacement(given: Certificate, node: int) -> Vector:
    """The coefficients of y_node, by the recursion solved: γ-steps shrunk by (1−γμ) once a later step."""
    keep, point = ONE - given.gamma * given.mu, {}
    for letter in _letters(given):
        e = int(letter[1:])
        if e < node:
            point[letter] = -given.gamma * keep ** (node - 1 - e)
    return point


def _combine(a: Vector, factor: Fraction, b: Vector) -> Vector:
    """a + factor·b."""
    return {k: a.get(k, ZERO) + factor * b.get(k, ZERO) for k in a.keys() | b.keys()}


def _read_pair(given: Certificate, sums: Sums, rest: list[str], value: Fraction) -> bool:
    nodes = [_node(text, given.E) for text in rest]
    if len(nodes) != 2 or None in nodes or nodes[0] == nodes[1]:
        return False
    i, j = nodes[0] or 0, nodes[1] or 0
    sums.add_value(i, value)
    sums.add_value(j, -value)
    own = [_displacement(given, node) for node in (i, j)]
    common = [{} if node == given.E else point for node, point in zip((i, j), own, strict=True)]
    _add_pair(given, sums.means, (i, j), own, value)
    if given.E > 1:  # with one step all points are common, and the inequality is asked of f alone
        _add_pair(given, sums.deviations, (i, j), common, value)
    return True


def _add_pair(
    given: Certificate,
    products: list[tuple[Fraction, Vector, Vector]],
    nodes: tuple[int, int],
    points: list[Vector],
    value: Fraction,
) -> None:
    """The inequality of h: |x_i|² − |x_j|² − 2⟨x_j, dx⟩ = |dx|² is what the added square contributes."""
    curvature = given.theta * given.L
    dx = _combine(points[0], -ONE, points[1])
    g_i, g_j = ({f"g{node}": ONE} for node in nodes)
    slope = _combine(_combine(g_i, -ONE, g_j), curvature, dx)
    products.append((value * curvature * HALF, dx, dx))
    products.append((-value, g_j, dx))
    products.append((-value / (2 * (given.L + curvature)), slope, slope))


def _read_spread(given: Certificate, sums: Sums, rest: list[str], value: Fraction) -> bool:
    if rest not in (["0"], [str(given.E)]):
        return False
    g = {f"g{rest[0]}": ONE}
    sums.means.append((value * (given.B**2 - 1), g, g))
    sums.deviations.append((-value, g, g))
    return True


def _error_reader(letter: str, share: str) -> Callable[..., bool]:
    def read(given: Certificate, sums: Sums, rest: list[str], value: Fraction) -> bool:
        e = _node(rest[0], given.E - 1) if len(rest) == 1 else None
        if e is None or f"{letter}{e}" not in sums.letters:
            return False
        g, error = {f"g{e}": ONE}, {f"{letter}{e}": ONE}
        sums.add_both(value * getattr(given, share), g, g)
        sums.add_both(-value, error, error)
        return True

    return read


def _read_own(given: Certificate, sums: Sums, rest: list[str], value: Fraction) -> bool:
    """The noise of a step has no product with what its device knew before: letters left of it."""
    if len(rest) != 2 or rest[0][:1] != "z" or rest[0] not in sums.letters:
        return False
    if rest[1] not in sums.letters[: sums.letters.index(rest[0])]:
        return False
    sums.add_both(value, {rest[0]: ONE}, {rest[1]: ONE})
    return True


def _read_start(given: Certificate, sums: Sums, rest: list[str], value: Fraction) -> bool:
    """All devices' g_0 and b_0 are known when the round starts: no product with the mean noise."""
    if len(rest) != 2 or rest[0][:1] != "z" or rest[0] not in sums.letters:
        return False
    if rest[1] not in ("g0", "b0") or rest[1] not in sums.letters:
        return False
    sums.means.append((value, {rest[0]: ONE}, {rest[1]: ONE}))
    return True


def _read_across(given: Certificate, sums: Sums, rest: list[str], value: Fraction) -> bool:
    """With ν < 1 the mean noises of two different steps have no product."""
    noises = [letter for letter in sums.letters if letter[0] == "z"]
    if given.nu == 1 or len(rest) != 2 or rest[0] == rest[1] or not set(rest) <= set(noises):
        return False
    sums.means.append((value, {rest[0]: ONE}, {rest[1]: ONE}))
    return True


def _read_share(given: Certificate, sums: Sums, rest: list[str], value: Fraction) -> bool:
    """With ν < 1 the mean noise of a step keeps at most the share ν of the noise."""
    e = _node(rest[0], given.E - 1) if len(rest) == 1 else None
    if given.nu == 1 or e is None or f"z{e}" not in sums.letters:
        return False
    z = {f"z{e}": ONE}
    sums.add_both(value * given.nu, z, z)
    sums.means.append((-value, z, z))
    return True


INEQUALITIES = ("pair", "spread", "bias", "noise", "share")
READERS: dict[str, Callable[..., bool]] = {
    "pair": _read_pair,
    "spread": _read_spread,
    "bias": _error_reader("b", "P_b"),
    "noise": _error_reader("z", "P_n"),
    "own": _read_own,
    "start": _read_start,
    "across": _read_across,
    "share": _read_share,
}


def _verdict(given: Certificate, sums: Sums) -> str | None:
    wanted = dict.fromkeys(range(given.E + 1), ZERO) | {0: ONE, given.E: -ONE}
    if any(sums.values.get(node, ZERO) != value for node, value in wanted.items()):
        return "the values of the losses do not cancel"
    start, moved = {"g0": ONE}, _displacement(given, given.E)
    means = [*sums.means, (given.c, start, start), (given.omega * HALF, moved, moved)]
    if not is_positive_definite(_negative_sum(sums.letters, means)):
        return "the matrix of the means is not positive definite"
    deviations = [*sums.deviations, (given.v * HALF, moved, moved)]
    if not is_positive_definite(_negative_sum(_occurring(sums.letters, deviations), deviations)):
        return "the matrix of the deviations is not positive definite"
    return None


def _occurring(letters: list[str], products: list[tuple[Fraction, Vector, Vector]]) -> list[str]:
    """A letter that stands in no product has nothing to prove (the gradient at x_+ if E = 1)."""
    used = {
        name for weight, a, b in products if weight for vector in (a, b) for name, v in vector.items() if v
    }
    return [letter for letter in letters if letter in used]


def _negative_sum(letters: list[str], products: list[tuple[Fraction, Vector, Vector]]) -> list[list[int]]:
    """A positive multiple of −Σ weight·(a bᵀ + b aᵀ), as integers."""
    place = {letter: k for k, letter in enumerate(letters)}
    scale = lcm(1, *(v.denominator for _, a, b in products for vector in (a, b) for v in vector.values()))
    common = lcm(1, *(weight.denominator for weight, _, _ in products))
    matrix = [[0] * len(letters) for _ in letters]
    for weight, a, b in products:
        if not weight:
            continue
        whole = int(weight * common)
        left = [(place[k], int(v * scale)) for k, v in a.items() if v]
        right = [(place[k], int(v * scale)) for k, v in b.items() if v]
        for i, u in left:
            for j, v in right:
                term = whole * u * v
                matrix[i][j] -= term
                matrix[j][i] -= term
    return matrix


def is_positive_definite(matrix: Sequence[Sequence[Fraction | int]]) -> bool:
    """Of a symmetric matrix, without rounding: exactly if all leading minors are positive.

    The pivots of this elimination (Bareiss), which keeps integers, are those minors.
    """
    size = len(matrix)
    if any(matrix[i][j] != matrix[j][i] for i in range(size) for j in range(i)):
        raise ValueError("the matrix is not symmetric")
    rows = _integers(matrix)
    previous = 1
    for k in range(size):
        pivot = rows[k][k]
        if pivot <= 0:
            return False
        for i in range(k + 1, size):
            for j in range(i, size):
                rows[i][j] = (pivot * rows[i][j] - rows[k][i] * rows[k][j]) // previous
        previous = pivot
    return True


def _integers(matrix: Sequence[Sequence[Fraction | int]]) -> list[list[int]]:
    """A positive multiple of the matrix with integer entries."""
    common = lcm(1, *(Fraction(entry).denominator for row in matrix for entry in row))
    return [[int(entry * common) for entry in row] for row in matrix]
