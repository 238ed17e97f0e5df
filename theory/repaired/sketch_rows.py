"""Lemma 1'(c) for the median of any number J of rows, h = ⌈J/2⌉: order statistics, and the binomial tail.

Of J numbers at least h are as large as the upper one of the two in the middle (one number for odd J).
This is what `ORDER` takes from the definition. All else is one row more, by induction.
"""

from __future__ import annotations

import sympy as sp

from theory.claim import Claim, Entry, support
from theory.provers import Cases, Contradiction, SumOfSquares, term
from theory.repaired import sketch_instances as si
from theory.repaired.lines import everywhere, line
from theory.second import hashes
from theory.symbols import real

PLACE = "Lemma 1'"
ROW, ROWS = si.RandomRow((3, 1, 1), 0, 2, 2), (1, -1, 2)
MOVED, SMALL_SKETCHES = si.Moved(ROWS), "every bucket and sign of small sketches"
GRID = "J ≤ 5 rows, errors from −2 to 2"
low, high, m, level, row, above, over, n_up, n_over, h = real("low high m level row above over n_up n_over h")
FAR = m > level


def entries() -> tuple[Entry, ...]:
    """RS.c5 and RS.c6 with their steps, then RS.c4."""
    return (*half_of_rows(), *second_moment(), *binomial_tail(), _median_tail())


def half_of_rows() -> tuple[Entry, ...]:
    ordered, middle = low <= high, sp.Eq(m, (low + high) / 2)
    up, none = above * (row - high) >= 0, (1 - over) * (row - level) <= 0
    unit = (above >= 0, above <= 1, over >= 0, over <= 1)
    wrong = above > over
    return (
        line(
            "RS.c5m",
            PLACE,
            "the median is at most the upper one of the two in the middle",
            r"\hat\Delta_i\le X_{(J-h+1)}",
            Claim((ordered, middle), m <= high),
            SumOfSquares((term(sp.Rational(1, 2), 1, ordered),), using=((-1, middle),)),
            because="low and high are the two in the middle of the J rows, one and the same for odd J.",
        ),
        line(
            "RS.c5i",
            PLACE,
            "a row that reaches the upper middle exceeds y",
            r"\hat\Delta_i>y\Rightarrow1[X_j\ge X_{(J-h+1)}]\le1[X_j>y]",
            Claim((*unit, up, none, m <= high, FAR), above <= over),
            Contradiction(
                (
                    term(1, 1, FAR, wrong, wrong),
                    term(over + 1 - above, 1, FAR, wrong),
                    term(over * (1 - above), 1, FAR),
                    term(1 - over, 1, up),
                    term(above, 1, none),
                    term(above * (1 - over), 1, m <= high),
                )
            ),
            because="above and over are the two indicators, y = level.",
            depends=("RS.c5m",),
            stated=(FAR,),
        ),
        line(
            "RS.c5n",
            PLACE,
            "the same for the number of such rows",
            r"\hat\Delta_i>y\Rightarrow\#\{j:X_j\ge X_{(J-h+1)}\}\le\#\{j:X_j>y\}",
            Claim((FAR, above <= over, n_up <= n_over), n_up + above <= n_over + over),
            SumOfSquares((term(1, 1, above <= over), term(1, 1, n_up <= n_over))),
            because="Induction on the rows; no row is the base.",
            depends=("RS.c5i",),
            stated=(FAR,),
        ),
        line(
            "RS.c5",
            PLACE,
            "a large median needs half of the rows",
            r"\hat\Delta_i>y\Rightarrow\#\{j:X_j>y\}\ge h",
            Claim((FAR, n_up >= h, n_up <= n_over), n_over >= h),
            SumOfSquares((term(1, 1, n_up >= h), term(1, 1, n_up <= n_over))),
            support(
                *everywhere(
                    si.HALF_OF_ROWS, lambda: si.row_errors(2), ROWS, GRID, MOVED, hashes.HALF_OF_ROWS
                ),
                "every pattern of J ≤ 5 rows",
            ),
            because="At least h of the J rows are as large as the upper middle: the definition.",
            depends=("RS.c5n",),
            stated=(FAR,),
        ),
        _as_events(),
    )


def _as_events() -> Entry:
    """1[Δ̂_i > y] ≤ 1[#{j : X_j > y} ≥ h], which expectation turns into probabilities."""
    beyond, enough = real("beyond enough")
    large = sp.Or(sp.Eq(beyond, 0), m - level > 0)
    counted = sp.Or(sp.Eq(beyond, 0), n_over >= h)
    few = sp.Or(sp.Eq(enough, 1), n_over - h + 1 <= 0)  # counts are integers
    never = SumOfSquares((term(1, 1, enough >= 0),), using=((-1, sp.Eq(beyond, 0)),))
    one = SumOfSquares((term(1, 1, beyond <= 1),), using=((1, sp.Eq(enough, 1)),))
    both = Contradiction((term(1), term(1, 1, n_over - h + 1 <= 0), term(1, 1, n_over >= h)))
    return line(
        "RS.c5e",
        PLACE,
        "as events: a large median is one of the cases with h large rows",
        r"1[\hat\Delta_i>y]\le1[\#\{j:X_j>y\}\ge h]",
        Claim((beyond >= 0, beyond <= 1, enough >= 0, enough <= 1, large, counted, few), beyond <= enough),
        Cases((Cases((Cases((never, both), on=counted), one), on=few), never), on=large),
        because="beyond and enough are the two indicators; beyond is 0 unless the median exceeds y, enough "
        "is 1 unless fewer than h rows do.",
        depends=("RS.c5",),
    )


def second_moment() -> tuple[Entry, ...]:
    m, squares, mean2, row2, J, expected = real("m_abs squares mean2 row2 J expected")
    up = above * (row - high) >= 0
    enough, one, all_rows = h * m**2 <= squares, above * m**2 <= row**2, n_up * m**2 <= squares
    most, counted = h * mean2 <= expected, sp.Eq(expected, J * row2)
    return (
        line(
            "RS.c6i",
            PLACE,
            "a row beyond the median has the larger square",
            r"1[X_j\ge X_{(J-h+1)}]\,\hat\Delta_i^2\le X_j^2\quad(\hat\Delta_i\ge0)",
            Claim((above >= 0, above <= 1, m >= 0, m <= high, up), one),
            SumOfSquares(
                (
                    term(1, row - above * m),
                    term(2 * m, 1, up),
                    term(2 * above * m, 1, m <= high),
                    term(above * m**2, 1, above <= 1),
                )
            ),
            because="m_abs is the size of the median. Where the median is negative all rows change their "
            "sign: high and n_up are the upper middle, and the number that reaches it, after that.",
            depends=("RS.c5m",),
        ),
        line(
            "RS.c6n",
            PLACE,
            "the same for the sum of the squares",
            r"\#\{j:X_j\ge X_{(J-h+1)}\}\,\hat\Delta_i^2\le\sum_jX_j^2",
            Claim((one, all_rows), (n_up + above) * m**2 <= squares + row**2),
            SumOfSquares((term(1, 1, one), term(1, 1, all_rows))),
            because="Induction on the rows; no row is the base.",
            depends=("RS.c6i",),
        ),
        line(
            "RS.c6h",
            PLACE,
            "h rows are beyond the median",
            r"h\hat\Delta_i^2\le\sum_jX_j^2",
            Claim((n_up >= h, all_rows), enough),
            SumOfSquares((term(1, m, n_up >= h), term(1, 1, all_rows))),
            support(
                *everywhere(si.SECOND_MOMENT, lambda: si.row_errors(2), ROWS, GRID, MOVED),
                "h·median² ≤ Σ X_j²",
            ),
            because="At least h of the J rows are as large as the upper middle: the definition.",
            depends=("RS.c6n",),
        ),
        line(
            "RS.c6",
            PLACE,
            "second moment of the median",
            r"\mathbb E\hat\Delta_i^2\le\tfrac Jh\,\mathbb EX^2",
            Claim((h >= 1, J >= 1, row2 >= 0, most, counted), mean2 <= J / h * row2),
            SumOfSquares((term(1 / h, 1, most),), using=((-1 / h, counted),)),
            because="RS.c6h in expectation: mean2 and row2 are the second moments of the median and of one "
            "row, expected is the mean of the sum over the J rows, which have one law.",
            depends=("RS.c3", "RS.c6h"),
        ),
    )


def binomial_tail() -> tuple[Entry, ...]:
    """One more row: P(at least h of J+1) = p P(at least h−1 of J) + (1−p) P(at least h of J)."""
    p, q, one, two, three, two_q, three_q = real("chance q more same fewer more_q same_q")
    chance = (p >= 0, p <= 1)
    falls = (two <= one, three <= two)
    grows, larger = (two <= two_q, three <= three_q), p <= q
    return (
        line(
            "RS.c4h",
            PLACE,
            "more rows beyond y are less likely, for every J",
            r"\Pr(N_J\ge h+1)\le\Pr(N_J\ge h)",
            Claim((*chance, *falls), p * two + (1 - p) * three <= p * one + (1 - p) * two),
            SumOfSquares((term(p, 1, falls[0]), term(1 - p, 1, falls[1]))),
            because="N_J is the number of J independent rows beyond y, each with probability p (chance). "
            "Induction on J, for all h at once: more, same and fewer are the probabilities of at least "
            "h − 1, h and h + 1 of J rows. Of no row the probability is 1 up to h = 0 and 0 from 1 on.",
        ),
        line(
            "RS.c4m",
            PLACE,
            "a binomial tail grows with its probability, for every J",
            r"p\le q\Rightarrow\Pr(\mathrm{Bin}(J,p)\ge h)\le\Pr(\mathrm{Bin}(J,q)\ge h)",
            Claim(
                (*chance, q >= 0, q <= 1, larger, three <= two, *grows),
                p * two + (1 - p) * three <= q * two_q + (1 - q) * three_q,
            ),
            SumOfSquares((term(q, 1, grows[0]), term(1 - q, 1, grows[1]), term(1, 1, larger, three <= two))),
            because="Induction on J, for all h at once: same and fewer are the tails from h − 1 and from h "
            "on for J rows and p, here called more_q and same_q for q. Of no row both are 1, or both are 0.",
            depends=("RS.c4h",),
            stated=(larger,),
        ),
    )


def _median_tail() -> Entry:
    either, q, up, down, tail, tail_q = real("either q rises falls tail tail_q")
    inside, beneath, grows, row_tail = up <= tail, down <= tail, tail <= tail_q, either <= q / 2
    chances = tuple(limit for chance in (either, up, down, tail) for limit in (chance >= 0, chance <= 1))
    return line(
        "RS.c4",
        PLACE,
        "tail of the median",
        r"q\le2\Rightarrow\Pr(|\hat\Delta_i|>y)\le2\Pr(\mathrm{Bin}(J,q/2)\ge h)",
        Claim(
            (*chances, q >= 0, q <= 2, row_tail, inside, beneath, grows),
            up + down <= 2 * tail_q,
        ),
        SumOfSquares((term(1, 1, inside), term(1, 1, beneath), term(2, 1, grows))),
        support(
            *everywhere(si.MEDIAN_TAIL, si.rows_to_check, ROW, SMALL_SKETCHES, si.ONE_SIGN),
            "J = 3, from the exact law of one row",
        ),
        because="rises and falls are the probabilities of a median above y and below −y, RS.c5e in "
        "expectation; rows are independent with one law, which is symmetric, so tail = P(Bin(J, either) ≥ "
        "h) bounds both; either = P(X > y) ≤ q/2 is RS.c1. A union over d·T follows.",
        depends=("RS.c1", "RS.c4m", "RS.c5e"),
        stated=(q <= 2,),
    )
