"""Which earlier lines give the hypotheses of a line: the paper's proofs."""

from __future__ import annotations

from theory.entry import Step
from theory.steps import given

ENERGY = "G*(2*x + 2*y + 1) + b2 + s2"
GROWTH = "6*E*Lam**2*gamma**2*(2*x + 2*y + 1)"  # of the drift in one local step
BEFORE = "D*(6*E*Lam**2*gamma**2 + 1 + 1/(2*E - 1)) + 6*E*gamma**2*(G + Ge*(x + y) + b2 + s2)"
SMOOTH = "apart2: {0}, h2: {1}/4, L: Lam"  # S.2 in the letters of a line
SIDEWAYS = "apart2/(4*L**2)"  # |u|² in S.2
SPLIT = "(g0 + r)**2: {0}, g0**2: {1}, r**2: {2}"  # L2.8a, summed
CAUCHY = "(S + a)**2: {0}, Q + a**2: {1}, num + 1: E"  # M.3a at the last of E steps
LOCAL_BIAS = given("A3", "beta2: Bt, G: Sum, b2: E*b2")
LOCAL_NOISE = given("A2", "zeta2: Z, G: Sum, s2: E*s2")
PHI = "1 + {0}/2 + ({0})**2/6 + ({0})**3/24 + ({0})**4/111"
UNROLLED = (  # L2.12 with the sum of L2.13, Q for the power
    given("L2.12", f"D1: D, D: D_before, S*(1 + 1/(E - 1)) + 1: total, C: 6*E*gamma**2*({ENERGY})"),
    given("L2.13", "S*(1 + 1/(E - 1)) + 1: total, power*(1 + 1/(E - 1)): Q"),
)

PAPER: dict[str, tuple[Step, ...]] = {
    "V.2": tuple(
        given("V.1", f"u*v: inner, u**2: a**2, v**2: b**2, s: {s}, t: {t}", True)
        for s, t in (("inner", "b**2"), ("a**2", "inner"), ("1", "1"))
    ),
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
    "L2.18b": (
        given("V.3", "n: slope, a: grad, b: move"),
        given("RD.D3r", "n: norm, r_n: root, D: grad, b**2: rest"),
    ),
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
        given("L2.18d", f"after: D, D: D_before, {PHI.format('(epoch + 1)*z')}: value, epoch: m - 1"),
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
    "M.13z": (given("M.3a", CAUCHY.format("S", "Z"), True), LOCAL_NOISE),
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
