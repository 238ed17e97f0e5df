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
    letters = {f"{name}_": sp.Symbol(name, real=True) for name in LETTER.findall(text)}
    return sp.parse_expr(
        LETTER.sub(r"\g<0>_", text), local_dict=letters
    )  # lambda is a keyword, lambda_ is not


def pairs(text: str) -> tuple[tuple[sp.Expr, sp.Expr], ...]:
    """`old: new, old: new` as expressions."""
    return tuple(
        (expression(old), expression(new))
        for old, new in (part.split(":") for part in text.split(",") if part.strip())
    )


def given(line: str, reads: str = "", summed: bool = False, base: str = "") -> Step:
    """An earlier line with its reading; `base` where the line is this one, at the step before."""
    return Step(line, pairs(reads), summed, pairs(base))


def at_points(text: str) -> str:
    """The same at a mixed point and at the two that it lies between."""
    return ", ".join(text.format(point) for point in "m12")


def roots(text: str) -> str:
    """`p: …, q: …` for φ and χ of the concavity lines at all three points."""
    return ", ".join(
        part.format(point).replace(":", f"{point}:", 1) for point in "m12" for part in text.split(", ")
    )


ENERGY = "G*(2*x + 2*y + 1) + b2 + s2"
GROWTH = "6*E*Lam**2*gamma**2*(2*x + 2*y + 1)"  # of the drift in one local step
BEFORE = "D*(6*E*Lam**2*gamma**2 + 1 + 1/(2*E - 1)) + 6*E*gamma**2*(G + Ge*(x + y) + b2 + s2)"
SMOOTH = "apart2: {0}, h2: {1}/4, L: Lam"  # S.2 in the letters of a line
SIDEWAYS = "apart2/(4*L**2)"  # |u|² in S.2
SPLIT = "(g0 + r)**2: {0}, g0**2: {1}, r**2: {2}"  # L2.8a, summed
CAUCHY = "(S + a)**2: {0}, Q + a**2: {1}, num + 1: E"  # M.3a at the last of E steps
LOCAL_BIAS = given("A3", "beta2: Bt, G: Sum, b2: E*b2")
LOCAL_NOISE = given("A2", "zeta2: Z, G: Sum, s2: E*s2")

COUNTED = "n_up + above: n_up, n_over + over: n_over"  # one row more
SQUARED = "n_up + above: n_up, squares + row**2: squares"
AT_LEAST, ONE_LESS = "p*same + (1 - p)*fewer", "p*more + (1 - p)*same"  # tails of one row more
AT_LEAST_Q = "q*more_q + (1 - q)*same_q"

TAIL_SUM = "sums + hits*size1: sums, tail + size1: tail"
CLEAN = "n_clean + clean: n_clean, sums + mass: sums"
UNSPOILED = "n_clean + above*free: n_clean, n_up + above - spoiled - bad: n_up - spoiled"

NEXT = "(keep*S_{0} + gamma*(H_{0} + t_{0}))**2 + gamma**2*(P_n*H_{0}**2 + s2)"  # S_{e+1}²
LONGER = "F_{0} + w*(L*S_{0} + t_{0})"
NOISES = "N_{0} + nu*w**2*(P_n*H_{0}**2 + s2)"
ADDED, NOISE = "total + w*(L*S + t_H)", "own + w**2*(P_n*H**2 + s2)"
DRIFT = (
    "gamma**2*(P_n*h**2 + s2) + (gamma*(h + t) + keep*s)**2: s**2, "
    "gamma**2*(H**2*P_n + s2) + (S*keep + gamma*(H + t_H))**2: S**2"
)
AFFINE = given(
    "RA.C4", "G2 + B2*(lambda*t1 + (1 - lambda)*t2): D_m**2, G2 + B2*t1: D_1**2, G2 + B2*t2: D_2**2"
)
PSI_H, PSI_D = "(H + t)**2 + n**2", "(D + r)**2 + P_n*D**2 + s2"
PSI_WIDE = "(D + t_D + c_b*L*S)**2 + (n_D + p_n*L*S)**2"
ONE_POWER = "w*(1 + kappa)"
PHI = "1 + {0}/2 + ({0})**2/6 + ({0})**3/24 + ({0})**4/111"
U_E = "gamma*w*(e_root**2*A + e_root*N)"
THROUGH = "U + gamma*((1 + p_b)*L*U + A) + gamma*p_n*L*U"
FIRST = f"after: gamma*(A + N), {ONE_POWER}: 1, e_root**2 + 1: 1, f_root: 1"
CLOSED = f"after: S, {ONE_POWER}: growth, e_root**2 + 1: e, f_root: r, A: c_b*D + b"
DRIFTED = "8*gamma*(e*(D*(c_b + p_n) + b) + r*s)/7"
JENSEN = "(lambda*p1 + (1 - lambda)*p2)**2", "lambda*p1**2 + (1 - lambda)*p2**2"
SLACK = "A_{0} - f_{0} - 2*rho*s_{0} + s_{0}**2 - u*(s_{0}**2 + 2*s_{0}*r_{0} + r_{0}**2)"
JOINT = f"{SLACK.format('m')}: mixed, {SLACK.format('1')}: m_high, {SLACK.format('2')}: m0, lambda: s"
STAR = (
    given("RA.T2", "mean: 2*(aq + dq + zq) - u*n, 2*(f0 - f_star)/(s*T): K"),
    given("RA.T2a", "U*m1: zq"),
    given("RA.T3", "a*q: aq, a**2: A, q**2: q_len**2, (a - q)**2: d2", True),
    given("RA.T3c", "inner: dq"),
    given("RA.T4", "F2: F**2, noise2: z2"),
)


UNROLLED = (  # L2.12 with the sum of L2.13, Q for the power
    given("L2.12", f"D1: D, D: D_before, S*(1 + 1/(E - 1)) + 1: total, C: 6*E*gamma**2*({ENERGY})"),
    given("L2.13", "S*(1 + 1/(E - 1)) + 1: total, power*(1 + 1/(E - 1)): Q"),
)

PAPER: dict[str, tuple[Step, ...]] = {
    "V.2": (given("V.1", "u*v: inner, u**2: a**2, v**2: b**2", True),),
    "V.3": (given("V.2"), given("V.2", "inner: -inner")),
    "V.4": (given("S.2", "apart2: apart**2, h2: dist**2/4"),),
    "S.1": (given("A1", "Lam: ll"),),
    "S.2a": (
        given("A1", "rem: fm - fx - gxh - gxu, dist2: h2 + 2*hu + u2, Lam: L"),
        given("A1", "rem: fm - fy + gyh - gyu, dist2: h2 - 2*hu + u2, Lam: L"),
    ),
    "S.2": (
        given("S.2a", f"fy: fxy + fx, gxu: gyu - apart2/(2*L), u2: {SIDEWAYS}"),
        given("S.2a", f"fy: fx - fxy, gxh: -gyh, gyh: -gxh, gxu: gyu - apart2/(2*L), u2: {SIDEWAYS}"),
    ),
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
    "L2.15d": (*UNROLLED, given("L2.14i", "(1 + 1/(E - 1))**E: Q")),
    "L2": (given("START", "drift: D"), given("L2.15d")),
    "L2.17": (*UNROLLED, given("L2.17e", "(1 + 1/(E - 1))**(2*E - 2): Q**2")),
    "L2.15": (given("L2.14i", "(1 + 1/(E - 1))**E: Q"),),
    "L2.18a": (given("M.3", "E: 1, Sum: Ge"),),
    "L2.18b": (given("V.3", "n: slope, a: grad, b: move"), given("RD.D3r", "n: norm, r_n: root, D: grad")),
    "L2.18r": (
        given("L2.18a", "N: size**2, 2*Ge*(2*x + 2*y + 1) + 2*b2 + 2*s2: 2*inside"),
        given("L2.18b", "root**2*slope**2 + rest: inside"),
    ),
    "L2.18c": (
        given("V.3", "n: after, a: D, b: gamma*size"),
        given("V.4", "apart: move, dist: D, L: Lam"),
        given("L2.18r"),
    ),
    "L2.18d": (
        given("L2.18c"),
        given("L2.18d", "after: D, epoch + 1: epoch", base="after: 0, epoch + 1: 0"),
    ),
    "L2.18": (
        given("L2.18d", f"after: D, {PHI.format('(epoch + 1)*z')}: value, epoch: m - 1"),
        given("L2.18e"),
        given("L2.18h", f"{PHI.format('t')}: value, t: m*z"),
    ),
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
    "T1.25": (given("MIN", "f1: fT, f_star: fs"),),
    "T1.25w": (
        given("A1", "rem: f1 - f0 - ip"),
        given("V.2", "inner: ip, a: size, b: move"),
    ),
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
        given("RS.d1t", "row + signed: row, mass + size1: mass", base="row + signed: 0, mass + size1: 0"),
    ),
    "RS.d1i": (
        given("RS.c5m"),
        given("IND", "ind: clean, amount: row - high"),
        given("RS.d1t", "row + signed: row, mass + size1: mass"),
    ),
    "RS.d1n": (given("RS.d1i"), given("RS.d1n", CLEAN, base="n_clean + clean: 0, sums + mass: 0")),
    "RS.d1u": (
        given("IND", "ind: free, amount: 1 - bad"),
        given("RS.d1u", UNSPOILED, base="n_clean + above*free: 0, n_up + above - spoiled - bad: 0"),
    ),
    "RS.d1": (
        given("ORDER"),
        given("RS.d1u", UNSPOILED),
        given("RS.d1b", "spoiled + hits: spoiled, s + 1: s"),
        given("RS.d1n", CLEAN),
        given("RS.d1c", TAIL_SUM),
    ),
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
    "RS.c5m": (given("ORDER"),),
    "RS.c5i": (
        given("IND", "ind: above, amount: row - high"),
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
    "RS.c6i": (given("IND", "ind: above, amount: row - high"), given("RS.c5m")),
    "RS.c6n": (
        given("RS.c6i"),
        given("RS.c6n", SQUARED, base="n_up + above: 0, squares + row**2: 0"),
    ),
    "RS.c6h": (given("ORDER"), given("RS.c6n", SQUARED)),
    "RS.c6": (given("RS.c6h", "m**2: mean2, squares: squares", True),),
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
        given("RS.c4m", f"{AT_LEAST}: tail, {AT_LEAST_Q}: tail_q, p: either, q: q/2"),
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
    "RD.D4a": (
        given("RD.D3", "r_b: p_b, H: D + L*S"),
        given("RD.D3n", "r_n**2*(D + L*S)**2 + n**2 - r_n**2*D**2: noise2, n: N, r_n: p_n"),
    ),
    "RD.D4b": (
        given("RD.D4a"),
        given("RD.D3x", "X: U + gamma*(L*U*(p_b + 1) + A), h: gamma*p_n*L*U, N: gamma*N"),
    ),
    "RD.D4c": (
        given("RD.D4c", f"after: S, {ONE_POWER}: w, e_root**2 + 1: e_root**2, f_root: e_root", base=FIRST),
        given("RD.D4b", f"after2: after**2, {THROUGH}: (1 + kappa)*{U_E} + gamma*A, U: {U_E}"),
        given("RD.D4", f"varpi: {ONE_POWER}"),
        given("RD.D4x", "q: e_root**2 + 1"),
    ),
    "RD.S2n": (
        given("RD.S2", "r_H: t, r: t_D, p: p_b"),
        given("RD.S2", "r_H: n, r: n_D, p: p_n"),
    ),
    "RD.S2r": (
        given("RD.D2a", "r: after, p: S, q: gamma*size"),
        given("RD.S2n", f"{PSI_H}: size**2, {PSI_WIDE}: wide**2"),
        given("RD.D2a", "r: wide, p: psi, q: spread"),
        given("RD.D2a", "r: spread, p: c_b*L*S, q: p_n*L*S"),
        given("RD.S1", f"{PSI_D}: psi**2, 2*D**2 + 2*r**2 + P_n*D**2 + s2: Q**2"),
    ),
    "RD.S3": (
        given("RD.S3", f"after: S, e + 1: e, {ONE_POWER}: w", base=f"after: unit, e + 1: 1, {ONE_POWER}: 1"),
        given("RD.S2r", "gamma*Q: unit"),
    ),
    "RD.S2": (given("RD.D3r", "n: r, r_n: p"),),
    "RD.P3": (given("RD.P2", "gamma: -1, Z: 0, z: 0, Q: S_w + S_b"),),
    "RA.C1r": (given("RA.C1"),),
    "RA.C3": (given("RA.C2", "A1: 1, A2: 1, P: pm**2, Q: qm**2"), given("RA.C1r")),
    "RA.C4h": (
        AFFINE,
        given("RA.C3", roots("p: D_{0}, q: L*S_{0}")),
    ),
    "RA.C4t": (given("RA.C2", "P: H_m**2, p1: H_1, p2: H_2, A1: P_b, A2: b2, Q: 1, q1: 1, q2: 1"),),
    "RA.C4s": (
        given("RA.C4s", at_points(f"{NEXT}: S_{{0}}**2"), base=at_points(f"{NEXT}: 0")),
        AFFINE,
        given("RA.C4h"),
        given("RA.C4t"),
        given("RA.C3", roots("p: H_{0}, q: t_{0}")),
        given("RA.C3", roots("p: keep*S_{0}, q: gamma*(H_{0} + t_{0})")),
    ),
    "RA.C4f": (
        given("RA.C4f", at_points("F_{0} + w*(L*S_{0} + t_{0}): F_{0}"), base=at_points(f"{LONGER}: 0")),
        given("RA.C4s", at_points(f"{NEXT}: S_{{0}}**2")),
        given("RA.C4h"),
        given("RA.C4t"),
        given("RA.C3", roots("p: L*S_{0}, q: t_{0}")),
        given("RA.C1r", roots("p: F_{0}, q: L*S_{0} + t_{0}")),
    ),
    "RA.C4n": (
        given("RA.C4n", at_points(f"{NOISES}: N_{{0}}"), base=at_points(f"{NOISES}: 0")),
        given("RA.C4s", at_points(f"{NEXT}: S_{{0}}**2")),
        given("RA.C4h"),
    ),
    "RA.T1": (given("A1", "rem: f1 - f0 + g*s, Lam: L, dist2: n*s**2"),),
    "RA.T2a": (given("A2", "zeta_mean: m1"),),
    "RA.T2s": (
        given("RA.T1"),
        given(
            "RA.T2s",
            "total + 2*g - n*u: total, f1: f0",
            base="total + 2*g - n*u: 0, f1: start",
        ),
    ),
    "RA.T2": (given("MIN"), given("RA.T2s", "total + 2*g - n*u: T*mean, start: f0")),
    "RA.T4r": (
        given("RA.T4r", f"gap_aq: part, {ADDED}: total", base=f"gap_aq: 0, {ADDED}: 0"),
        given("RD.D2a", "r: gap_aq, p: part, q: added"),
        given("RD.D2a", "r: added, p: w*apart, q: w*t"),
        given("RD.D2", DRIFT),
        given("RD.D2b"),
        given("RD.D2c"),
        given("V.4", "dist: s"),
    ),
    "RA.T4q": (given("RA.T4r", f"{ADDED}: F_t"),),
    "RA.T4n": (
        given("RA.T4n", f"z2 + w**2*zeta2: z2, {NOISE}: own", base=f"z2 + w**2*zeta2: 0, {NOISE}: 0"),
        given("A2", "G: h**2"),
        given("RD.D2", DRIFT),
        given("RD.D2b"),
    ),
    "RA.T4": (
        given("RA.T4q", "gap_aq**2: d2, F_t**2: mean_F", True),
        given("RA.C5", f"{JENSEN[0]}: mean_F, {JENSEN[1]}: F2"),
        given("RA.C5", f"{JENSEN[0]}: mean_N, {JENSEN[1]}: N"),
        given("RA.T4b", "(total/count)**2: noise2, squares/count: nu*mean_z"),
        given("RA.T4a", "z2 + 2*cross + one2: noise2, own + one2: nu*mean_z"),
        given("RA.T4n", f"z2 + w**2*zeta2: nu*mean_z, {NOISE}: mean_N"),
    ),
    "RA.T5b": (
        given("RD.D2a", "r: q_len, p: root_A, q: gap_aq"),
        given("RD.D2a", "r: root_A, p: q_len, q: gap_aq"),
        given("RA.T4", "d2: gap_aq**2, F2: F**2"),
    ),
    "RA.T5": (*STAR, given("RA.T5a", "n**2: n")),
    "RA.T5e": (
        *STAR,
        given("RD.D1", "U**2 - 2*gamma*U*m1 + gamma**2*m2: n, U**2: q_len**2, gamma**2*m2: z2"),
    ),
    "RA.T6f": (
        given("RA.C4f", at_points(f"{LONGER}: F_{{0}}")),
        given("RA.C3", roots("p: a_{0}, q: F_{0}")),
    ),
    "RA.T6a": (
        given("RA.C4f", at_points(f"({LONGER})**2: f_{{0}}")),
        given("RA.C4n", at_points(f"{NOISES}: r_{{0}}**2")),
        given("RA.C1r", "pm: s_m, p1: s_1, p2: s_2, qm: 1, q1: 1, q2: 1"),
        given("RA.C1r", roots("p: s_{0}, q: r_{0}")),
    ),
    "RA.T6m": (given("LEAST", "part1: mixed, least: m_low"), given("RA.T6a", JOINT)),
    "RA.T6": (
        given("LEAST", "part1: at_0, least: m0"),
        given("RA.T6b", "-F**2 - n*u: at_0"),
        given("RA.T6m"),
    ),
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
    "RA.R1": (
        given("RA.T6m", "m_low: m_far, m_high: m_big"),
        given("LEAST", "part1: at_0, least: m0"),
        given("RA.T6b", "-F**2 - n*u: at_0"),
    ),
    "RA.R1a": (given("RA.T6a", "A_m: a**2, f_m: alpha*a**2, s_m: q_len*a, r_m: r*a"),),
    "RA.R2": (given("RA.R1a", "a: 1, rho: 0, alpha: s**2, q_len: 1 + s, r: 0"),),
    "RA.R4": (given("RA.R1a", "a: 1, rho: 0, alpha: s**2, q_len: 1 + s, r: 0, u: 4*s"),),
    "RC1.3": (
        given("RA.T4r", "w: 1, S: 0, total: 0"),
        given("RA.T4b", "(total/count)**2: noise2, squares/count: nu*z2"),
        given("RA.T4a", "z2 + 2*cross + one2: noise2, own + one2: nu*z2"),
        given("RA.T4n", "z2 + w**2*zeta2: z2, own: 0, w: 1, H**2: A*B2 + G2"),
    ),
    "RC1.4": (
        given("RA.T5e", "F**2: F2"),
        given("RC1.2", "rho**2/(1 - u): R"),
        given("RC1.3", "gap_aq**2: F2, noise2: N"),
    ),
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
    "RC2.7s": (
        given(
            "RC2.7s",
            "total + w*num: total, num*(num + 1)/2: num*(num - 1)/2",
            base="total + w*num: 0, num + 1: 0",
        ),
    ),
    "RC2.7q": (
        given(
            "RC2.7q",
            "total + w*num**2: total, num*(num + 1)*(2*num + 1)/6: num*(num - 1)*(2*num - 1)/6",
            base="total + w*num**2: 0, num + 1: 0",
        ),
    ),
    "RC2.7d": (
        given("RC2.7c", "r: num, e: num**2"),
        given(
            "RC2.7d",
            "total + w*num: total, total2 + w*num**2: total2",
            base="total + w*num: 0, total2 + w*num**2: 0",
        ),
    ),
    "RC2.7m": (given("RC2.7s", "total + w*num: E_bar*mean_e, num: E - 1"), given("RC2.7a")),
    "RC2.7n": (given("RC2.7q", "total + w*num**2: E_bar*mean_e2, num: E - 1"), given("RC2.7b")),
    "RC2.7r": (given("RA.C5", f"{JENSEN[0]}: r_mean**2, {JENSEN[1]}: mean_e"), given("RC2.7m")),
    "RC2.15q": (given("RC2.7n"),),
    "RC2.15r": (given("RC2.7d", "total + w*num: mean_e, total2 + w*num**2: mean_e2"),),
    "RC2.1b": (given("K1"),),
    "RC2.10a": (
        given("RD.D4c", CLOSED),
        given("RD.D3", "t: N, r_b: p_n, H: D, b: s"),
        given("RC2.6", "n: E - 1"),
        given("RC2.7c"),
    ),
    "RC2.10w": (
        given("RC2.10a"),
        given(
            "RC2.10w",
            "t_S + w*S: t_S, t_e + w*e: t_e, t_r + w*r: t_r",
            base="t_S + w*S: 0, t_e + w*e: 0, t_r + w*r: 0",
        ),
    ),
    "RC2.10b": (
        given("RC2.10w", "t_S + w*S: S_mean, t_e + w*e: mean_e, t_r + w*r: r_mean"),
        given("RC2.7m"),
        given("RC2.7r"),
    ),
    "RC2.10": (given("RC2.1b"), given("RC2.10b", "kappa: g*c")),
    "RC2.15s": (given("RC2.10a", f"{DRIFTED}: X"),),
    "RC2.15h": (
        given("RC2.1b"),
        given("RD.D2a", "r: H_rms, p: D, q: L*S_rms"),
        given("RC2.15s", "S**2: S_rms**2, X**2: X_rms**2, kappa: g*c", True),
        given("RD.D2a", "r: X_rms, p: e_part, q: r_part"),
        given("RC2.15q"),
        given("RC2.15r"),
    ),
    "RC2.15": (given("RC2.15h"),),
    "RC2.16f": (
        given("K1", "g*c_b*(E - 1): h"),
        given("RC2.9", "tau: share, F**2: F2, X**2: P_b*(A*B**2 + G2) + b2, Y**2: Y2"),
        given("RC2.9a"),
        given("RC2.10", "Y**2: Y2, r_1**2: q_1, r_2**2: q_2, r_3**2: q_3"),
        given("RC2.11"),
        given("RC2.14"),
    ),
    "RC2.16c": (
        given("K1", "g*c_b*(E - 1): h"),
        given("K2"),
        given("RA.T5", "F**2: F2, r: root_N"),
        given("RC2.3"),
        given("RC2.16f"),
        given("RC2.16b", "2*g*nu*(P_n*H2 + s2): 2*root_N**2*u"),
        given("RC2.16"),
    ),
    "RC2.17": (given("RC2.16c"),),
    "RC2.16b": (given("RC2.15", "H_rms**2: H2, D**2: D2, b**2: b2, s**2: s2"),),
    "RF.2a": (
        given("RF.1", "-g*gamma - g*keep*(1 - w)/L_mu: step, -g*(1 - keep*w)/L_mu: -theta*L*(w1 - star)"),
        given(
            "RF.2a",
            "v + step: v, total + w1: total, num + 1: num",
            base="v + step: v0, total + w1: 0, num + 1: 0",
        ),
    ),
    "RF.2": (given("RF.2a", "v + step: vT, total + w1: T*mean, num + 1: T"),),
    "RF.7a": (
        given("TOPK", "out1**2: level"),
        given("RF.7a", "num + 1: num, in2 + in1**2: in2", base="num + 1: 0, in2 + in1**2: 0"),
    ),
    "RF.7b": (
        given("MAX", "part1: out1**2, most: level"),
        given("RF.7b", "num + 1: num, out2 + out1**2: out2", base="num + 1: 0, out2 + out1**2: 0"),
    ),
    "RF.7t": (
        given("RF.7a", "num + 1: k, in2 + in1**2: in2"),
        given("RF.7b", "num + 1: d - k, out2 + out1**2: out2"),
    ),
    "RF.7": (
        given("V.2", "inner: dot, a: n, b: star"),
        given("V.2", "inner: -cross, a: top, b: star"),
        given("RF.7s"),
        given("RF.7t", "k*whole/d: ratio*n**2, in2: top**2"),
    ),
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
