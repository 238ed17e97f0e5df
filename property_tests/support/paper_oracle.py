"""A second implementation of the paper's ρ(γ), range and bound, written from its text alone, with Fractions.

It shares no code with `theory` (and must not import it). P_b, P_n, B, L, μ, E as in Section 5 of the paper.
"""

from dataclasses import dataclass
from fractions import Fraction

ONE = Fraction(1)


@dataclass(frozen=True)
class Constants:
    """The constants of Assumptions 1-5 and of the theorem."""

    smoothness: Fraction
    proximal: Fraction
    epochs: int
    dissimilarity: Fraction
    relative_bias: Fraction
    relative_noise: Fraction


def h_of(z: Constants) -> Fraction:
    """'Let us denote H = 1/(1 + 2B²(P_b + P_n))'."""
    return ONE / (1 + 2 * z.dissimilarity**2 * (z.relative_bias + z.relative_noise))


def rho_main_text(z: Constants, gamma: Fraction) -> Fraction:
    """eq:rho, Section 5."""
    three_ish = 1 + 2 * h_of(z)
    b_squared, e_squared = z.dissimilarity**2, z.epochs**2
    first = (1 - z.relative_bias * three_ish * e_squared * b_squared) / 2
    inside = 2 + 2 * z.relative_bias * b_squared
    inside += (2 * (z.smoothness + z.proximal) + 1) * z.relative_noise * b_squared
    return first - gamma * inside * three_ish * e_squared


def largest_gamma(z: Constants) -> Fraction:
    """eq:gamma_range; not positive when no γ is allowed."""
    b_squared, e_squared = z.dissimilarity**2, Fraction(z.epochs) ** 2
    top = 1 - 6 * z.relative_bias * e_squared * b_squared
    bottom = 1 + z.relative_bias * b_squared
    bottom += (z.smoothness + z.proximal + 1) * z.relative_noise * b_squared
    return top / (12 * bottom * e_squared)


def lemma2_step(z: Constants) -> Fraction | None:
    """γ ≤ 1/(4E(L+μ)(1 + 2B²(P_b+P_n))); None when L + μ = 0."""
    total = z.smoothness + z.proximal
    return ONE / (4 * z.epochs * total) * h_of(z) if total else None


def main_theorem(
    z: Constants,
    gamma: Fraction,
    last_round: int,
    gap: Fraction,
    sketch: tuple[Fraction, int, int, int, Fraction],
    bias2: Fraction,
    noise2: Fraction,
) -> Fraction:
    """The right side of eq:main_thm; sketch = (c, k, d, p, W), p an integer: rational powers."""
    c, k, d, p, w = sketch
    total, b_squared = z.smoothness + z.proximal, z.dissimilarity**2
    exponent = 1 - 2 * p
    tail = (Fraction(k + 1) ** exponent - Fraction(d) ** exponent) / (2 * p - 1)
    relative = 2 * z.relative_bias * b_squared + 2 * z.relative_noise * b_squared
    on_bias = 1 + 2 * z.relative_bias * b_squared + gamma * (3 + total + relative)
    on_noise = 1 + gamma * (total + 1) * (3 + relative)
    return (
        abs(gap) / (gamma * (last_round + 1))
        + (1 / c + tail) * total**2 * w
        + 2 * z.epochs**2 * on_bias * bias2
        + 2 * z.epochs**2 * on_noise * noise2
    )
