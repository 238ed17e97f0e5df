"""Facts about norms and inner products that the proofs use without writing them, from squares alone."""

from __future__ import annotations

import sympy as sp

from theory.ledger import Claim, Entry
from theory.ledger.lines import defined, silent_step
from theory.provers import Contradiction, SumOfSquares, term
from theory.symbols import real

a, b, inner, n, u, v, apart, dist, L = real("a b inner n u v apart dist L")


LETTERS = {
    "u": "a coordinate of the vector u",
    "v": "a coordinate of the vector v",
    "s": "any weight",
    "t": "any weight",
    "a": "|u|",
    "b": "|v|",
    "inner": "<u, v>",
    "n": "|u + v|",
    "apart": "|grad f(v) - grad f(w)|",
    "dist": "|v - w|",
}


def entries() -> tuple[Entry, ...]:
    """Young, Cauchy-Schwarz, the triangle inequality, and smoothness for norms."""
    return defined(LETTERS, (_young(), _cauchy_schwarz(), _triangle(), _lipschitz()))


def _young() -> Entry:
    s, t = real("s t")
    return silent_step(
        id="V.1",
        place="used throughout the proofs",
        title="Twice a product is at most the sum of the squares",
        printed=r"2st\,u_iv_i\le t^2u_i^2+s^2v_i^2",
        claim=Claim((), 2 * s * t * u * v <= t**2 * u**2 + s**2 * v**2),
        method=SumOfSquares((term(1, t * u - s * v),)),
    )


def _cauchy_schwarz() -> Entry:
    by_v = 2 * inner**2 * b**2 <= b**4 * a**2 + inner**2 * b**2
    by_u = 2 * inner**2 * a**2 <= a**4 * b**2 + inner**2 * a**2
    young, larger = 2 * inner <= a**2 + b**2, inner > a * b
    return silent_step(
        id="V.2",
        place="used throughout the proofs",
        title="Cauchy-Schwarz",
        printed=r"\langle u,v\rangle\le\|u\|\,\|v\|",
        claim=Claim((a >= 0, b >= 0, by_v, by_u, young), inner <= a * b),
        method=Contradiction(
            (
                *(term(2, 1, *[larger] * 3), term(6 * a * b, 1, *[larger] * 2)),
                *(term(4 * a**2 * b**2, 1, larger), term(1, 1, by_v), term(1, 1, by_u)),
                *(term(1, 1, young, larger, larger), term(2 * a * b, 1, young, larger)),
            )
        ),
        depends=("V.1",),
        note="a and b are the norms of u and v, inner is their inner product: V.1 summed over the "
        "coordinates, with the weights (inner, b²), (a², inner) and (1, 1). The last one is for two zero "
        "vectors, where the others say nothing. Sums with weights (probabilities, devices, ω_e/Ē) are sums "
        "too.",
    )


def _triangle() -> Entry:
    square, above, below = sp.Eq(n**2, a**2 + 2 * inner + b**2), inner <= a * b, -inner <= a * b
    longer = n > a + b
    return silent_step(
        id="V.3",
        place="used throughout the proofs",
        title="The triangle inequality for norms",
        printed=r"\|u+v\|\le\|u\|+\|v\|",
        claim=Claim((a >= 0, b >= 0, n >= 0, above, below, square), n <= a + b),
        method=Contradiction(
            (term(1, 1, longer, longer), term(2 * (a + b), 1, longer), term(2, 1, above)),
            using=((-1, square),),
        ),
        depends=("V.2",),
    )


def _lipschitz() -> Entry:
    squares, further = apart**2 <= L**2 * dist**2, apart > L * dist
    return silent_step(
        id="V.4",
        place="used throughout the proofs",
        title="The gradient is Lipschitz, for norms in place of squared norms",
        printed=r"\|\nabla f(v)-\nabla f(w)\|\le L\|v-w\|",
        claim=Claim((apart >= 0, dist >= 0, L > 0, squares), apart <= L * dist),
        method=Contradiction(
            (term(1, 1, further, further), term(2 * L * dist, 1, further), term(1, 1, squares))
        ),
        depends=("S.2",),
    )
