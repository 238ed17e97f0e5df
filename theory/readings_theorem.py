"""Which earlier lines give the hypotheses of a line: Lemma 2', Theorem A and Corollary 1."""

from __future__ import annotations

from theory.entry import Step
from theory.steps import at_points, given, roots

NEXT = "(keep*S_{0} + gamma*(H_{0} + t_{0}))**2 + gamma**2*(P_n*H_{0}**2 + s2)"  # S_{e+1}²
LONGER = "F_{0} + w*(L*S_{0} + t_{0})"
NOISES = "N_{0} + nu*w**2*(P_n*H_{0}**2 + s2)"
ADDED, NOISE = "total + w*(L*S + t_H)", "own + w**2*(P_n*H**2 + s2)"
DRIFT = "after2: s**2, gamma**2*(H**2*P_n + s2) + (S*keep + gamma*(H + t_H))**2: S**2"
REACHED = f"{DRIFT}, s: s_0, S: S_0, h: h_0, H: H_0, t: t_0, t_H: t_H0"  # after the step before
AFFINE = given(
    "RA.C4", "G2 + B2*(lambda*t1 + (1 - lambda)*t2): D_m**2, G2 + B2*t1: D_1**2, G2 + B2*t2: D_2**2"
)
PSI_H, PSI_D = "(H + t)**2 + n**2", "(D + r)**2 + P_n*D**2 + s2"
PSI_WIDE = "(D + t_D + c_b*L*S)**2 + (n_D + p_n*L*S)**2"
ONE_POWER = "w*(1 + kappa)"
U_E = "gamma*w*(e_root**2*A + e_root*N)"
THROUGH = "U + gamma*((1 + p_b)*L*U + A) + gamma*p_n*L*U"
FIRST = f"after: after, {ONE_POWER}: 1, e_root**2 + 1: 1, f_root: 1"
MEANS = "lambda*f_1 + (1 - lambda)*mean_F: mean_F, lambda*n_1 + (1 - lambda)*mean_N: mean_N"
EARLIER = "f_m: f_2, n_m: n_2, f_1: f_3, f_2: f_4, n_1: n_3, n_2: n_4"
ONE_POINT = "lambda*f_1 + (1 - lambda)*mean_F: f_1, lambda*n_1 + (1 - lambda)*mean_N: n_1"
SLACK = "A_{0} - f_{0} - 2*rho*s_{0} + s_{0}**2 - u*(s_{0}**2 + 2*s_{0}*r_{0} + r_{0}**2)"
JOINT = f"{SLACK.format('m')}: mixed, {SLACK.format('1')}: m_high, {SLACK.format('2')}: m0, lambda: s"
STAR = (
    given("RA.T2", "mean: 2*(aq + dq + zq) - u*n, 2*(f0 - f_star)/(s*T): K"),
    given("RA.T2a", "U*m1: zq"),
    given("RA.T3", "a*q: aq, a**2: A, q**2: q_len**2, (a - q)**2: d2", True),
    given("RA.T3d", "inner: dq"),
    given("RA.T4", "F2: F**2, noise2: z2"),
)

THEOREM: dict[str, tuple[Step, ...]] = {
    "RD.P2": (given("RD.P1", "S*(1 - gamma*mu) + g: Q + Z"),),
    "RD.D1": (given("A2", "zeta_mean: m1"),),
    "RD.D2t": (given("A3", "beta2: beta**2, G: h**2"),),
    "RD.D2s": (
        given("RD.D2a", "r: drift, p_len: keep*s, q: gamma*push"),
        given("RD.D2a", "r: push, p_len: h, q: beta"),
        given("RD.D2t"),
        given("A2", "G: h**2"),
        given(
            "RD.D1",
            "U**2 - 2*gamma*U*m1 + gamma**2*m2: after2, U**2: drift**2, gamma**2*m2: gamma**2*zeta2",
            True,
        ),
    ),
    "RD.D2b": (given("RD.D2a", "r: h, p_len: D, q: apart"), given("V.4", "dist: s")),
    "RD.D2": (
        given(
            "RD.D2",
            DRIFT,
            base="after2: 0, gamma**2*(H**2*P_n + s2) + (S*keep + gamma*(H + t_H))**2: 0",
        ),
        given("RD.D2s"),
        given("RD.D2b"),
        given("RD.D2c"),
    ),
    "RD.D3n": (given("RD.D3r"),),
    "RD.D4": (given("RD.D4f"),),
    "RD.D4a": (
        given("RD.D3", "r_b: p_b, H: D + L*S"),
        given("RD.D3n", "r_n**2*(D + L*S)**2 + n**2 - r_n**2*D**2: noise2, n: N, r_n: p_n, b: s"),
    ),
    "RD.D4b": (
        given("RD.D4a"),
        given("RD.D3x", "X: U + gamma*(L*U*(p_b + 1) + A), h: gamma*p_n*L*U, N: gamma*N"),
    ),
    "RD.D4c": (
        given("RD.D4c", f"after: S, {ONE_POWER}: w, e_root**2 + 1: e_root**2, f_root: e_root", base=FIRST),
        given("RD.D4a", "after2: after**2, S: 0", start=True),
        given("RD.D4b", f"after2: after**2, {THROUGH}: (1 + kappa)*{U_E} + gamma*A, U: {U_E}"),
        given("RD.D4", f"varpi: {ONE_POWER}"),
        given("RD.D4x", "q: e_root**2 + 1"),
    ),
    "RD.S2n": (
        given("RD.S2", "r_H: t, r: t_D, p_root: p_b"),
        given("RD.S2", "r_H: n, r: n_D, p_root: p_n"),
    ),
    "RD.S2r": (
        given("RD.D2a", "r: after, p_len: S, q: gamma*size"),
        given("RD.S2n", f"{PSI_H}: size**2, {PSI_WIDE}: wide**2"),
        given("RD.D2a", "r: wide, p_len: psi, q: spread"),
        given("RD.D2a", "r: spread, p_len: c_b*L*S, q: p_n*L*S"),
        given("RD.S1", f"{PSI_D}: psi**2, 2*D**2 + 2*r**2 + P_n*D**2 + s2: Q**2"),
    ),
    "RD.S3": (
        given("RD.S3", f"after: S, e + 1: e, {ONE_POWER}: w", base=f"after: after, e + 1: 1, {ONE_POWER}: 1"),
        given("RD.S2r", "gamma*Q: unit, S: 0", start=True),
        given("RD.S2r", "gamma*Q: unit"),
    ),
    "RD.S2": (given("RD.D3r", "n: r, r_n: p_root"),),
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
    "RA.C6": (
        given("RA.C6", f"{MEANS}, {EARLIER}", base=f"{ONE_POINT}, f_m: f_1, n_m: n_1"),
        given("RA.C4f", at_points(f"({LONGER})**2: f_{{0}}")),
        given("RA.C4n", at_points(f"{NOISES}: n_{{0}}")),
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
    "RA.T2": (given("MIN"), given("RA.T2s", "total + 2*g - n*u: T*mean, start: f0, f0: f_before")),
    "RA.T3d": (given("RA.T3c"), given("V.4", "apart: delta_len, dist: R_xi")),
    "RA.T4r": (
        given("RA.T4r", f"gap_dev: part, {ADDED}: total", base=f"gap_dev: 0, {ADDED}: 0"),
        given("RD.D2a", "r: gap_dev, p_len: part, q: added"),
        given("RD.D2a", "r: added, p_len: w*apart, q: w*beta"),
        given("RD.D2t"),
        given("RD.D2", REACHED),
        given("RD.D2b"),
        given("RD.D2c"),
        given("V.4", "dist: s"),
    ),
    "RA.T4q": (
        given("RA.T4r", f"{ADDED}: F_t"),
        given("RA.T4b", "(total/count)**2: gap_aq**2, squares/count: gap_dev**2", True),
    ),
    "RA.T4n": (
        given("RA.T4n", f"z2 + w**2*zeta2: z2, {NOISE}: own", base=f"z2 + w**2*zeta2: 0, {NOISE}: 0"),
        given("A2", "G: h**2"),
        given("RD.D2", REACHED),
        given("RD.D2b"),
    ),
    "RA.T4": (
        given("RA.T4q", "gap_aq**2: d2, F_t**2: mean_F", True),
        given("RA.C6", f"{MEANS}, f_m: F2, n_m: N"),
        given("NU"),
        given("RA.T4n", f"z2 + w**2*zeta2: mean_z, {NOISE}: mean_own"),
    ),
    "RA.T5b": (
        given("RD.D2a", "r: q_len, p_len: root_A, q: gap_rms"),
        given("RD.D2a", "r: root_A, p_len: q_len, q: gap_rms"),
        given("RA.T4", "d2: gap_rms**2, F2: F**2"),
    ),
    "RA.T5": (*STAR, given("RA.T5a", "n_len**2: n")),
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
    "RA.T5a": (
        given("RD.D2a", "r: n_len, p_len: q_len, q: z_len"),
        given("RA.T4", "noise2: z_len**2, N: r**2"),
    ),
    "RA.R1": (
        given("RA.T6m"),
        given("LEAST", "part1: at_0, least: m0"),
        given("RA.T6b", "-F**2 - n*u: at_0"),
    ),
    "RA.R1a": (given("RA.T6a", "A_m: a**2, f_m: alpha*a**2, s_m: q_len*a, r_m: r*a"),),
    "RA.R2": (given("RA.R1a", "a: 1, rho: 0, alpha: s**2, q_len: 1 + s, r: 0"),),
    "RA.R4": (given("RA.R1a", "a: 1, rho: 0, alpha: s**2, q_len: 1 + s, r: 0, u: 4*s"),),
    "RC1.4": (
        given("RA.T5e", "F**2: F2, s: gamma"),
        given("RC1.2", "rho**2/(1 - u): R"),
        given("RC1.3"),
    ),
}
