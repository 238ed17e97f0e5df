"""Which earlier lines give the hypotheses of a line: Lemma 1'."""

from __future__ import annotations

from theory.entry import Step
from theory.steps import given

COUNTED = "n_up + above: n_up, n_over + over: n_over"  # one row more
SQUARED = "n_up + above: n_up, squares + row**2: squares"
AT_LEAST = "chance*same + (1 - chance)*fewer"  # tails of one row more
ONE_LESS = "chance*more + (1 - chance)*same"
AT_LEAST_Q = "q*more_q + (1 - q)*same_q"
TAIL_SUM = "sums + hits*size1: sums, tail + size1: tail"
CLEAN = "n_clean + clean: n_clean, sums + mass: sums"
UNSPOILED = "n_clean + above*free: n_clean, n_up + above: n_up, spoiled + bad: spoiled"

SKETCH: dict[str, tuple[Step, ...]] = {
    "RS.a2": (
        given("V.3", "n: v_C, a: d_C, b: hat_C"),
        given("V.3", "n: hat_Q, a: d_Q, b: v_Q"),
        given("RS.a0r"),
    ),
    "RS.a0": (
        given("TOPK"),
        given(
            "RS.a0",
            "out2 + out1**2: out2, in2 + in1**2: in2",
            base="out2 + out1**2: 0, in2 + in1**2: 0",
        ),
    ),
    "RS.a0r": (given("RS.a0", "out2 + out1**2: hat_C**2, in2 + in1**2: hat_Q**2"),),
    "RS.a3": (given("RS.a1", "C2: (alpha + delta_CQ)**2, tau2: tau**2, Q2: alpha**2"),),
    "RS.a4k": (
        given("MAX", "part1: err1**2, most: eta**2"),
        given("RS.a4k", "total + err1**2: total, num + 1: num", base="total + err1**2: 0, num + 1: 0"),
    ),
    "RS.a4r": (given("RS.a4k", "total + err1**2: norm**2, num + 1: k_root**2"),),
    "RS.a4": (
        given("RS.a4k", "total + err1**2: a, num + 1: k_root**2"),
        given("RS.a4r", "norm: d_C"),
        given("RS.a4r", "norm: d_Q"),
    ),
    "RS.d1b": (
        given("MAX", "part1: hits, most: theta"),
        given("RS.d1b", "spoiled + hits: spoiled, s + 1: s", base="spoiled + hits: 0, s + 1: 0"),
    ),
    "RS.d1c": (
        given("MAX", "part1: hits, most: theta"),
        given("RS.d1c", TAIL_SUM, base="sums + hits*size1: 0, tail + size1: 0"),
    ),
    "RS.d1t": (
        given("MAX", "part1: signed, most: size1"),
        given(
            "RS.d1t",
            "tail_row + signed: tail_row, mass + size1: mass",
            base="tail_row + signed: 0, mass + size1: 0",
        ),
    ),
    "RS.d1i": (
        given("RS.c5m", "m: m_abs"),
        given("REACHES", "ind: above, amount: row - high"),
        given("RS.d1t", "tail_row + signed: tail_row, mass + size1: mass"),
        given("CLEAN"),
    ),
    "RS.d1n": (
        given("RS.d1i", "above*free: clean"),
        given("RS.d1n", CLEAN, base="n_clean + clean: 0, sums + mass: 0"),
    ),
    "RS.d1u": (
        given("IND", "ind: free, amount: 1 - bad"),
        given("RS.d1u", UNSPOILED, base="n_clean + above*free: 0, n_up + above: 0, spoiled + bad: 0"),
    ),
    "RS.d1": (
        given("ORDER"),
        given("RS.d1u", UNSPOILED),
        given("RS.d1b", "spoiled + hits: spoiled, s + 1: s"),
        given("RS.d1n", CLEAN),
        given("RS.d1c", TAIL_SUM),
    ),
    "RS.b3": (given("AW", "w2: v**2"),),
    "RS.c1": (given("RS.c2", "(noise + tau2/K)/level**2 + s/K: q"),),
    "RS.c2": (
        given("WITHIN", "inside: both, outside: outer"),
        given("RS.c2a", "chance: light, second: noise + tau2/K"),
    ),
    "RS.c3": (
        given("UNC"),
        given(
            "RS.c3",
            "moment + 2*cross + v1**2/K: moment, norm2 + v1**2: norm2",
            base="moment + 2*cross + v1**2/K: noise, norm2 + v1**2: 0",
        ),
    ),
    "RS.c5m": (given("ORDER"),),
    "RS.c5i": (
        given("REACHES", "ind: above, amount: row - high"),
        given("IND", "ind: over, amount: row - level"),
        given("RS.c5m"),
    ),
    "RS.c5n": (
        given("RS.c5i"),
        given("RS.c5n", COUNTED, base="n_up + above: 0, n_over + over: 0"),
    ),
    "RS.c5": (given("ORDER"), given("RS.c5n", COUNTED)),
    "RS.c5e": (
        given("IND", "ind: beyond, amount: m - level"),
        given("IND", "ind: enough, amount: n_over - h + 1"),
        given("RS.c5"),
    ),
    "RS.c6i": (given("REACHES", "ind: above, amount: row - high"), given("RS.c5m", "m: m_abs")),
    "RS.c6n": (
        given("RS.c6i"),
        given("RS.c6n", SQUARED, base="n_up + above: 0, squares + row**2: 0"),
    ),
    "RS.c6h": (given("ORDER"), given("RS.c6n", SQUARED)),
    "RS.c6": (given("RS.c6h", "m_abs**2: mean2, squares: expected", True),),
    "RS.c4h": (
        given("RS.c4h", f"{AT_LEAST}: same, {ONE_LESS}: more", base=f"{AT_LEAST}: 0, {ONE_LESS}: 1"),
        given("RS.c4h", f"{AT_LEAST}: fewer, {ONE_LESS}: same", base=f"{AT_LEAST}: 0, {ONE_LESS}: 0"),
    ),
    "RS.c4m": (
        given("RS.c4h", f"{AT_LEAST}: fewer, {ONE_LESS}: same"),
        given("RS.c4m", f"{AT_LEAST}: same, {AT_LEAST_Q}: more_q", base=f"{AT_LEAST}: 1, {AT_LEAST_Q}: 1"),
        given("RS.c4m", f"{AT_LEAST}: fewer, {AT_LEAST_Q}: same_q", base=f"{AT_LEAST}: 0, {AT_LEAST_Q}: 0"),
    ),
    "RS.c4": (
        given("RS.c1"),
        given("RS.c4m", f"{AT_LEAST}: tail, {AT_LEAST_Q}: tail_q, chance: either, q: q/2"),
        given("RS.c5e", "beyond: rises, enough: tail", True),
        given("RS.c5e", "beyond: falls, enough: tail", True),
    ),
    "RS.c7": (
        given("UNC"),
        given(
            "RS.c7",
            "moment + 2*cross + m1: moment, num + 1: num",
            base="moment + 2*cross + m1: 0, num + 1: 0",
        ),
    ),
}
