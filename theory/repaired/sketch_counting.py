"""Lemma 1'(d), a vector that may know the hash: counting rows that no large coordinate spoils.

ϑ is the largest number of rows in which two coordinates share a bucket. Of the h rows that reach the median
at most ϑs meet one of the s largest coordinates; in the others only the tail adds to the error.
"""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theory.claim import Claim, Entry, support
from theory.provers import Cases, SumOfSquares, term
from theory.repaired import sketch_instances as si
from theory.repaired.lines import everywhere, line, nonnegative
from theory.symbols import real

PLACE = "Lemma 1'"
theta, s, tail, hits, spoiled, sums, size1 = real("theta s tail hits spoiled sums size1")
m, h, high, row, mass, signed, n_up, n_clean = real("m_abs h high row mass signed n_up n_clean")
above, free, clean, bad = real("above free clean bad")
EXAMPLE = si.FixedSketch(((0, 1, 1), (0, 0, 1), (0, 1, 0)), ((1, 1, 1),) * 3, (2, 1, 1))


def entries() -> tuple[Entry, ...]:
    """RS.d1 and what is counted for it."""
    return (*collisions(), *one_row(), *rows(), _conclusion())


def collisions() -> tuple[Entry, ...]:
    """Each coordinate meets i in at most ϑ rows."""
    few, before, within = hits <= theta, spoiled <= theta * s, sums <= theta * tail
    return (
        line(
            "RS.d1b",
            PLACE,
            "the s largest coordinates meet i in at most ϑs rows",
            r"\sum_{l\le s}\#\{j:l\text{ meets }i\}\le\vartheta s",
            Claim((few, before), spoiled + hits <= theta * (s + 1)),
            SumOfSquares((term(1, 1, few), term(1, 1, before))),
            because="Induction on the coordinates: spoiled counts those before, hits is the number of rows "
            "in which the next one meets i. No coordinate is the base.",
        ),
        line(
            "RS.d1c",
            PLACE,
            "over all rows the tail adds at most ϑ times its size",
            r"\sum_j\sum_{l>s}|v_l|1[l\text{ meets }i]\le\vartheta\|v_{\mathrm{tail}(s)}\|_1",
            Claim((size1 >= 0, few, within), sums + hits * size1 <= theta * (tail + size1)),
            SumOfSquares((term(size1, 1, few), term(1, 1, within))),
            because="Induction on the coordinates of the tail without i, size1 is the size of the next one.",
        ),
    )


def one_row() -> tuple[Entry, ...]:
    tail_row = real("tail_row")[0]
    smaller, before, clean = signed <= size1, tail_row <= mass, sp.Eq(free * (row - tail_row), 0)
    reaches, unit = above * (row - high) >= 0, (above <= 1, free <= 1)
    return (
        line(
            "RS.d1t",
            PLACE,
            "what the tail adds to a row",
            r"\sum_{l>s}s_is_lv_l1[l\text{ meets }i]\le\sum_{l>s}|v_l|1[l\text{ meets }i]",
            Claim((smaller, before), tail_row + signed <= mass + size1),
            SumOfSquares((term(1, 1, smaller), term(1, 1, before))),
            because="Induction on the coordinates of the tail that meet i, tail_row is what they add: signed "
            "is ±v_l and size1 its size, the larger one of v_l and −v_l.",
        ),
        line(
            "RS.d1i",
            PLACE,
            "an unspoiled row beyond the median",
            r"1[j\text{ clean}]\,|\hat\Delta_i|\le\sum_{l>s}|v_l|1[l\text{ meets }i]",
            Claim(
                (*nonnegative(above, free, m, mass), *unit, m <= high, reaches, before, clean),
                above * free * m <= mass,
            ),
            SumOfSquares(
                (
                    term(above * free, 1, before),
                    term(free, 1, reaches),
                    term(above * free, 1, m <= high),
                    term(mass * free, 1, unit[0]),
                    term(mass, 1, unit[1]),
                ),
                using=((-above, clean),),
            ),
            because="above is the indicator of a row that reaches the upper middle (high), free of one that "
            "meets none of the s largest; clean is both. Where free is 1 the row's error is what the tail "
            "adds. Where the median is negative all rows change their sign, m_abs is its size.",
            depends=("RS.c5m", "RS.d1t"),
        ),
    )


def rows() -> tuple[Entry, ...]:
    one, all_rows, left = clean * m <= mass, n_clean * m <= sums, n_clean >= n_up - spoiled
    unspoiled = sp.Or(sp.Eq(free, 1), 1 - bad <= 0)
    parts = (above >= 0, above <= 1, free >= 0, free <= 1, bad >= 0)
    return (
        line(
            "RS.d1n",
            PLACE,
            "all unspoiled rows beyond the median",
            r"\#\{\text{clean}\}\,|\hat\Delta_i|\le\sum_j\sum_{l>s}|v_l|1[l\text{ meets }i]",
            Claim((one, all_rows), (n_clean + clean) * m <= sums + mass),
            SumOfSquares((term(1, 1, one), term(1, 1, all_rows))),
            because="Induction on the rows; no row is the base.",
            depends=("RS.d1i",),
        ),
        line(
            "RS.d1u",
            PLACE,
            "how many rows beyond the median are unspoiled",
            r"\#\{\text{clean}\}\ge\#\{j:X_j\ge X_{(J-h+1)}\}-\sum_{l\le s}\#\{j:l\text{ meets }i\}",
            Claim((*parts, unspoiled, left), n_clean + above * free >= n_up + above - (spoiled + bad)),
            Cases(
                (
                    SumOfSquares(
                        (term(1, 1, left), term(above * free), term(1, 1, 1 - bad <= 0), term(1 - above))
                    ),
                    SumOfSquares((term(1, 1, left), term(bad)), using=((above, sp.Eq(free, 1)),)),
                )
            ),
            because="Induction on the rows: bad is the number of the s largest that meet i in the row, free "
            "the indicator that none does, above that the row reaches the upper middle; clean is both.",
        ),
    )


def _conclusion() -> Entry:
    room = theta * s < h
    known = (
        n_up >= h,
        n_clean >= n_up - spoiled,
        spoiled <= theta * s,
        n_clean * m <= sums,
        sums <= theta * tail,
    )
    over = 1 / (h - theta * s)
    factors = (m, m, m, 1, 1)
    return line(
        "RS.d1",
        PLACE,
        "(d): counting rows that no large coordinate spoils",
        r"\vartheta s<h\Rightarrow(h-\vartheta s)|\hat\Delta_i|\le\vartheta\|v_{\mathrm{tail}(s)}\|_1",
        Claim((m >= 0, room, *known), m <= theta * tail / (h - theta * s)),
        SumOfSquares(tuple(term(f, over, room, fact) for f, fact in zip(factors, known, strict=True))),
        support(
            *everywhere(
                si.ADAPTIVE,
                si.adaptive_sketches,
                EXAMPLE,
                "three rows, two columns, every hash and sign",
                replace(EXAMPLE, claimed=0),
            ),
            "the whole of (d) on a finite domain",
        ),
        because="At least h rows reach the median; spoiled counts in how many the s largest meet i, "
        "sums what the tail adds in clean rows: both are added up over rows or over coordinates.",
        depends=("RS.d1b", "RS.d1c", "RS.d1n", "RS.d1u"),
        stated=(room,),
    )
