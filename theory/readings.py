"""Which earlier lines give the hypotheses of a line, and how their letters read there.

`"M.3": given("M.3a", "(S+a)**2: N, Q+a**2: Parts, num+1: E")` says: line M.3 uses what M.3a states, with its
(S+a)² called N, its Q+a² called Parts, its num+1 called E. `theory.derivations` checks that this gives a
hypothesis of M.3, or at least an expression that M.3 speaks of. Reading G as 1 takes the coefficient of G.
"""

from __future__ import annotations

import re

import sympy as sp

from theory.entry import Step

LETTER = re.compile(r"[A-Za-z_]\w*")


def expression(text: str) -> sp.Expr:
    """An expression in real letters."""
    letters = {name: sp.Symbol(name, real=True) for name in LETTER.findall(text)}
    return sp.parse_expr(text, local_dict=letters)


def pairs(text: str) -> tuple[tuple[sp.Expr, sp.Expr], ...]:
    """`old: new, old: new` as expressions."""
    return tuple(
        (expression(old), expression(new))
        for old, new in (part.split(":") for part in text.split(",") if part.strip())
    )


def given(line: str, reads: str = "", summed: bool = False, base: str = "") -> Step:
    """An earlier line with its reading; `base` where the line is this one, at the step before."""
    return Step(line, pairs(reads), summed, pairs(base))


ENERGY = "G*(2*x + 2*y + 1) + b2 + s2"
GROWTH = "6*E*Lam**2*gamma**2*(2*x + 2*y + 1)"  # of the drift in one local step
BEFORE = "D*(6*E*Lam**2*gamma**2 + 1 + 1/(2*E - 1)) + 6*E*gamma**2*(G + Ge*(x + y) + b2 + s2)"
SMOOTH = "gxg: {0} + gyg, h2: {1}/4, L: Lam"  # S.2 in the letters of a line
SPLIT = "(g0 + r)**2: {0}, g0**2: {1}, r**2: {2}"  # L2.8a, summed
CAUCHY = "(S + a)**2: {0}, Q + a**2: {1}, num + 1: E"  # M.3a at the last of E steps
LOCAL_BIAS = given("A3", "beta2: Bt, G: Sum, b2: E*b2")
LOCAL_NOISE = given("A2", "zeta2: Z, G: Sum, s2: E*s2")

UNROLLED = (  # L2.12 with the sum of L2.13, Q for the power
    given("L2.12", f"D1: D, D: D_before, S*(1 + 1/(E - 1)) + 1: total, C: 6*E*gamma**2*({ENERGY})"),
    given("L2.13", "S*(1 + 1/(E - 1)) + 1: total, power*(1 + 1/(E - 1)): Q"),
)

PAPER: dict[str, tuple[Step, ...]] = {
    "V.2": (given("V.1", "u*v: inner, u**2: a**2, v**2: b**2", True),),
    "V.3": (given("V.2"), given("V.2", "inner: -inner")),
    "V.4": (given("S.2", "gxg: apart**2 + gyg, h2: dist**2/4"),),
    "S.1": (given("A1", "Lam: ll"),),
    "L1.8": (given("AW", "w2: norm2"),),
    "L2.3": (given("L2.2", "n + r + v: v, wp: a + w0"),),
    "S.7b": (given("M.3a", "(S + a)**2: total**2, Q + a**2: squares, num + 1: count"),),
    "L1.6": (given("L1.3"),),
    "L1.7c": (given("L1.6", "norm2: 1"),),
    "L2.4": (given("L2.3v"),),
    "L2.5": (given("S.2", SMOOTH.format("Rr", "D")),),
    "L2.6a": (given("A2", "zeta_mean: m"),),
    "L2.6": (given("A3", "beta2: Bt, G: Ge"), given("A2", "zeta2: Z, G: Ge")),
    "L2.7": (given("L2.6", "Ge: u**2"),),
    "L2.8a": (given("L2.7", "v: g0"),),
    "L2.8": (given("S.2", SMOOTH.format("Rr", "D")), given("L2.8a", SPLIT.format("Ge", "G", "Rr"), True)),
    "L2.9": (given("L2.8", "D: 1"),),
    "L2.12": (
        given("L2.12", "D1: D, S*(1 + 1/(E - 1)) + 1: S", base="D1: 0, S*(1 + 1/(E - 1)) + 1: 0"),
        given("L2.8", f"{BEFORE}: D1, 6*E*gamma**2*({ENERGY}): C, {GROWTH}: z1"),
        given("L2.9", f"{GROWTH}: z1, 3/(8*E*(2*x + 2*y + 1)): z2"),
        given("L2.10", "3/(8*E*(2*x + 2*y + 1)): z2"),
        given("L2.11"),
    ),
    "L2.13": (
        given(
            "L2.13",
            "S*(1 + 1/(E - 1)) + 1: S, power*(1 + 1/(E - 1)): power",
            base="S*(1 + 1/(E - 1)) + 1: 0, power*(1 + 1/(E - 1)): 1",
        ),
        given("L2.12", "C: 1"),
    ),
    "L2.16": (*UNROLLED, given("L2.14t", "(1 + 1/(E - 1))**(E - 1): Q")),
    "L2.15": (given("L2.14i", "(1 + 1/(E - 1))**E: Q"),),
    "M.3a": (
        given(
            "M.3a",
            "(S + a)**2: S**2, Q + a**2: Q, num + 1: num",
            base="(S + a)**2: a**2, Q + a**2: a**2, num + 1: 1",
        ),
    ),
    "M.3": (
        given("M.3a", CAUCHY.format("N", "Parts"), True),
        given("M.3b", "(bt + u)**2: Parts - Z, bt**2: Bt, u**2: Sum", True),
        LOCAL_BIAS,
        LOCAL_NOISE,
    ),
    "M.5": (given("M.4", "Sum: u**2"),),
    "M.6": (given("L2.8a", SPLIT.format("Sum", "E*G", "T1/E"), True),),
    "M.7": (given("S.2", SMOOTH.format("S", "D")),),
    "M.8": (given("L2"),),
    "M.9": (given("M.8", f"{ENERGY}: 1"),),
    "M.10": (given("M.6", "G: 1"),),
    "M.13": (given("M.3a", CAUCHY.format("S", "Bt"), True), LOCAL_BIAS),
    "M.15": (given("L2.8a", SPLIT.format("Sum", "E*G", "T1/E"), True),),
    "M.16": (given("M.15", "G: 1"),),
    "M.19": (given("M.15", "y: x, G: 1"),),
    "T1.1": (given("A1"),),
    "T1.3": (given("T1.1", "ip: -gamma*g*ut"),),
    "T1.4": (given("L2.6a", "Bt**2: Mg"),),
    "T1.6": (given("T1.5", "Mg: (bt + u)**2"),),
    "T1.10": (given("M.17"), given("M.20")),
    "T1.11": (given("M.21"),),
    "T1.13": (given("T1.12"), given("V.2", "b: g, inner: along")),
    "T1.16": (given("T1.10", "gamma*bias/2 + gamma**2*Lam*noise: step"), given("M.11")),
    "T1.17": (
        given("T1.11", "gamma*E**2/(2*x + 2*y + 1)**2 + gamma**2*Lam*noise: step"),
        given("M.12"),
    ),
    "T1.30": (given("T1.16", "step + gamma**2*moment/2: total"),),
    "T1.31": (given("T1.17", "step + gamma**2*moment/2: total"),),
    "T1.28": (given("T1.25", "Sum: X*(T + 1), f0: F0 + fs"),),
}

REPAIRED: dict[str, tuple[Step, ...]] = {
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
    "RS.b3": (given("AW", "w2: v**2"),),
    "RS.c1": (given("RS.c2", "either: down + up, (noise + tau2/K)/level**2 + s/K: q"),),
    "RS.c2": (given("RS.c2a", "p: light, m: noise + tau2/K"),),
    "RS.c3": (
        given("UNC"),
        given(
            "RS.c3",
            "moment + 2*cross + v1**2/K: moment, norm2 + v1**2: norm2",
            base="moment + 2*cross + v1**2/K: noise, norm2 + v1**2: 0",
        ),
    ),
    "RS.c7": (
        given("UNC"),
        given(
            "RS.c7",
            "moment + 2*cross + m1: moment, num + 1: num",
            base="moment + 2*cross + m1: 0, num + 1: 0",
        ),
    ),
    "RD.P2": (given("RD.P1", "S*(1 - gamma*mu) + g: Q + Z"),),
    "RD.D1": (given("A2", "zeta_mean: m1"),),
    "RD.D2b": (given("RD.D2a", "r: h, p: D, q: apart"), given("V.4", "dist: s")),
    "RD.D2": (
        given(
            "RD.D2",
            "gamma**2*(P_n*h**2 + s2) + (gamma*(h + t) + keep*s)**2: s**2, "
            "gamma**2*(H**2*P_n + s2) + (S*keep + gamma*(H + t_H))**2: S**2",
            base="gamma**2*(P_n*h**2 + s2) + (gamma*(h + t) + keep*s)**2: 0, "
            "gamma**2*(H**2*P_n + s2) + (S*keep + gamma*(H + t_H))**2: 0",
        ),
        given("RD.D2b"),
        given("RD.D2c"),
    ),
    "RD.D3n": (given("RD.D3r"),),
    "RD.D3x": (given("RD.D3y", "varpi*(A*e_root**2 + N*e_root): X"),),
    "RD.D4": (given("RD.D4f"),),
    "RD.S2": (given("RD.D3r", "n: r, r_n: p"),),
    "RA.T1": (given("A1", "rem: f1 - f0 + g*s, Lam: L, dist2: n*s**2"),),
    "RA.T2a": (given("A2", "zeta_mean: m1"),),
    "RA.T2": (given("MIN"),),
    "RA.T4a": (
        given("UNC"),
        given(
            "RA.T4a",
            "z2 + 2*cross + one2: z2, own + one2: own",
            base="z2 + 2*cross + one2: 0, own + one2: 0",
        ),
    ),
    "RA.T4b": (given("M.3a", "(S + a)**2: total**2, Q + a**2: squares, num + 1: count"),),
    "RA.T5a": (given("RD.D2a", "r: n, p: q_len, q: r"),),
    "RC2.1": (given("RC2.1a"),),
    "RC2.1a": (given("K1"),),
    "RC2.5": (given("K3"),),
    "RC2.11": (given("K1", "g*c_b*(E - 1): h"),),
    "RC2.14": (given("K1", "g*c_b*(E - 1): h"),),
    "RC2.16": (given("K2"),),
    "RC2.2": (given("RC2.1", "E*g: u"),),
    "RC2.3": (given("RC2.1", "E*g: u"),),
    "RC2.4": (
        given(
            "RC2.4",
            "bernoulli*(1 - t): bernoulli, n + 1: n",
            base="bernoulli*(1 - t): 1, n + 1: 0",
        ),
    ),
    "RC2.6": (
        given("RC2.4", "bernoulli*(1 - t): bernoulli, n + 1: n, t: kappa"),
        given("RC2.6a", "product*(1 - kappa**2): bernoulli*growth"),
    ),
    "RC2.7b": (given("RC2.5", "-E*t*(E - 1)/2 + E: E_bar"),),
    "RC2.9": (given("RC2.8", "L*S + t: F, L*S*c_b: Y, t_D: X"),),
    "RC2.7a": (given("RC2.5", "-E*t*(E - 1)/2 + E: E_bar"),),
    "RC2.8": (given("RD.S2", "r_H: t, r: t_D, p: p_b, H: D + L*S"),),
    "RC2.16b": (given("RC2.15", "(86*D/77 + 9*b/(77*c) + 9*s/(77*c))**2: H2, D**2: D2, b**2: b2, s**2: s2"),),
    "RF.3": (
        given(
            "RF.3",
            "(total + x1)**2: total**2, squares + x1**2: squares, k + 1: k",
            base="(total + x1)**2: x1**2, squares + x1**2: x1**2, k + 1: 1",
        ),
    ),
    "RF.5": (
        given("RF.3", "(total + x1)**2: ones2, squares + x1**2: m2, k + 1: k"),
        given("RF.4", "(x1/2 + x2/2)**2: one**2, x1**2/2 + x2**2/2: ones2"),
    ),
    "RF.6": (given("RF.5", "cross: star2"),),
}

READINGS = PAPER | REPAIRED
