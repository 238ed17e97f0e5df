"""What a machine does not see: which letter of an earlier line is which letter of a later one.

A line holds for its letters. Read in other letters it holds where all that its proof uses is shown again of
them. Where that can not be shown, because the later line does not go into it (`apart` is the norm of the
vector whose square norm S.2 calls `apart2`), the reading is a statement in words. All such statements are in
this table, for each later line and each line that it reads. A reading that is neither shown nor here is
refused (`theory.moved_letters`).
"""

from __future__ import annotations

import sympy as sp

from theory.steps import at_points, pairs, roots

Pair = tuple[sp.Expr, sp.Expr]
ENERGY = "G*(2*x + 2*y + 1) + b2 + s2"
SERIES = f"D1: D, D: D_before, S*(1 + 1/(E - 1)) + 1: total, C: 6*E*gamma**2*({ENERGY})"
POWERS = "S*(1 + 1/(E - 1)) + 1: total, power*(1 + 1/(E - 1)): Q"
PHI = "z**4*(epoch + 1)**4/111 + z**3*(epoch + 1)**3/24 + z**2*(epoch + 1)**2/6 + z*(epoch + 1)/2 + 1"
GROWN = "gamma*w*(A*e_root**2 + N*e_root)"
STEP = (
    "after2: s**2, gamma**2*(H**2*P_n + s2) + (S*keep + gamma*(H + t_H))**2: S**2, "
    "s: s_0, S: S_0, h: h_0, H: H_0, t: t_0, t_H: t_H0"
)
DRIFTS = at_points("gamma**2*(H_{0}**2*P_n + s2) + (S_{0}*keep + gamma*(H_{0} + t_{0}))**2: S_{0}**2")
SAID: dict[str, dict[str, str]] = {
    "S.2": {
        "S.2a": "fy: fx + fxy, gxu: gyu - apart2/(2*L), u2: apart2/(4*L**2), fy: fx - fxy, gxh: -gyh, "
        "gyh: -gxh",
    },
    "S.7b": {"M.3a": "(S + a)**2: total**2, Q + a**2: squares"},
    "V.2": {"V.1": "u*v: inner, u**2: a**2, v**2: b**2"},
    "V.3": {"V.2": "inner: -inner"},
    "V.4": {"S.2": "apart2: apart**2, h2: dist**2/4"},
    "L1.3": {"CS.4": "err**2: head/k, eps**2: eps2"},
    "L2.5": {"S.2": "apart2: Rr, h2: D/4, L: Lam"},
    "L2.8": {"L2.8a": "(g0 + r)**2: Ge, g0**2: G, r**2: Rr", "S.2": "apart2: Rr, h2: D/4, L: Lam"},
    "L2.12": {
        "L2.8": "D*(6*E*Lam**2*gamma**2 + 1 + 1/(2*E - 1)) + 6*E*gamma**2*(G + Ge*(x + y) + b2 + s2): D1, "
        "6*E*gamma**2*(G*(2*x + 2*y + 1) + b2 + s2): C",
    },
    "L2.15d": {
        "L2.12": SERIES,
        "L2.13": POWERS,
    },
    "L2.16": {
        "L2.12": SERIES,
        "L2.13": POWERS,
    },
    "L2.17": {
        "L2.12": SERIES,
        "L2.13": POWERS,
    },
    "L2.18a": {"M.3": "E: 1, Sum: Ge"},
    "L2.18b": {"V.3": "n: slope, a: grad, b: move"},
    "L2.18r": {
        "L2.18a": "N: size**2, 2*Ge*(2*x + 2*y + 1) + 2*b2 + 2*s2: 2*inside",
        "L2.18b": "rest + root**2*slope**2: inside",
    },
    "L2.18c": {"V.3": "n: after, a: D, b: gamma*size", "V.4": "apart: move, dist: D, L: Lam"},
    "L2.18": {
        "L2.18d": f"after: D, D: D_before, {PHI}: value, epoch: m - 1",
    },
    "M.3": {"M.3a": "(S + a)**2: N, Q + a**2: Parts", "M.3b": "(bt + u)**2: Parts - Z, bt**2: Bt, u**2: Sum"},
    "M.6": {"L2.8a": "(g0 + r)**2: Sum, g0**2: E*G, r**2: T1/E"},
    "M.7": {"S.2": "apart2: S, h2: D/4, L: Lam"},
    "M.9": {"M.8": f"{ENERGY}: 1"},
    "M.11": {"M.3": "N: moment, b2: 1, s2: 0", "M.6": "G: 0"},
    "M.12": {"M.3": "N: moment, b2: 0, s2: 1", "M.6": "G: 0"},
    "M.13": {"M.3a": "(S + a)**2: S, Q + a**2: Bt"},
    "M.13z": {"M.3a": "(S + a)**2: S, Q + a**2: Z, num + 1: E"},
    "M.15": {"L2.8a": "(g0 + r)**2: Sum, g0**2: E*G, r**2: T1/E"},
    "M.17": {"M.13": "S: bias, b2: 1", "M.15": "G: 0"},
    "M.20": {"M.13z": "S: noise, s2: 0", "M.15": "G: 0"},
    "M.21": {"M.13z": "S: noise, s2: 1", "M.15": "G: 0"},
    "T1.12": {"V.4": "apart: r, dist: a, L: Lam", "V.2": "a: r, b: g"},
    "T1.13": {"V.2": "b: g, inner: along"},
    "T1.16": {"T1.10": "Lam*gamma**2*noise + bias*gamma/2: step"},
    "T1.17": {"T1.11": "E**2*gamma/(2*x + 2*y + 1)**2 + Lam*gamma**2*noise: step"},
    "T1.25w": {"V.2": "inner: ip, a: size, b: move"},
    "T1.28": {"T1.25": "Sum: X*(T + 1), f0: F0 + fs"},
    "T1.30": {"T1.16": "gamma**2*moment/2 + step: total"},
    "T1.31": {"T1.17": "gamma**2*moment/2 + step: total"},
    "RS.a0r": {"RS.a0": "out1**2 + out2: hat_C**2, in1**2 + in2: hat_Q**2"},
    "RS.a2": {"V.3": "n: v_C, a: d_C, b: hat_C, n: hat_Q, a: d_Q, b: v_Q"},
    "RS.a4r": {"RS.a4k": "err1**2 + total: norm**2"},
    "RS.a4": {"RS.a4k": "err1**2 + total: a", "RS.a4r": "norm: d_C, norm: d_Q"},
    "RS.c1": {"RS.c2": "(noise + tau2/K)/level**2 + s/K: q"},
    "RS.c2": {"RS.c2a": "chance: light, second: noise + tau2/K"},
    "RS.c5": {"RS.c5n": "above + n_up: n_up, n_over + over: n_over"},
    "RS.c6i": {"RS.c5m": "m: m_abs"},
    "RS.c6h": {"RS.c6n": "above + n_up: n_up, row**2 + squares: squares"},
    "RS.c6": {"RS.c6h": "m_abs**2: mean2, squares: expected"},
    "RS.c4m": {"RS.c4h": "chance*same + fewer*(1 - chance): fewer, chance*more + same*(1 - chance): same"},
    "RS.c4": {
        "RS.c5e": "beyond: rises, enough: tail, beyond: falls",
        "RS.c4m": "chance*same + fewer*(1 - chance): tail, more_q*q + same_q*(1 - q): tail_q",
    },
    "RS.d1i": {"RS.c5m": "m: m_abs", "RS.d1t": "signed + tail_row: tail_row, mass + size1: mass"},
    "RS.d1n": {"RS.d1i": "above*free: clean"},
    "RS.d1": {
        "RS.d1u": "above*free + n_clean: n_clean, above + n_up: n_up, bad + spoiled: spoiled",
        "RS.d1b": "hits + spoiled: spoiled, s + 1: s",
        "RS.d1n": "clean + n_clean: n_clean, mass + sums: sums",
        "RS.d1c": "hits*size1 + sums: sums, size1 + tail: tail",
    },
    "RD.P2": {"RD.P1": "S*(-gamma*mu + 1) + g: Q + Z"},
    "RD.D2s": {
        "RD.D2a": "r: drift, p_len: keep*s, q: gamma*push, r: push, p_len: h, q: beta",
        "RD.D1": "U**2 - 2*gamma*U*m1 + gamma**2*m2: after2, U**2: drift**2, gamma**2*m2: gamma**2*zeta2",
    },
    "RD.D2b": {"RD.D2a": "r: h, p_len: D, q: apart", "V.4": "dist: s"},
    "RD.D4c": {
        "RD.D4a": "after2: after**2, S: 0",
        "RD.D4b": "after2: after**2, "
        f"L*U*gamma*p_n + U + gamma*(A + L*U*(p_b + 1)): A*gamma + (kappa + 1)*{GROWN}, U: {GROWN}",
    },
    "RD.S2": {"RD.D3r": "n: r, r_n: p_root"},
    "RD.S2n": {"RD.S2": "r: t_D, p_root: p_b, r: n_D, p_root: p_n"},
    "RD.S2r": {
        "RD.D2a": "r: after, p_len: S, q: gamma*size, r: wide, p_len: psi, q: spread, r: spread, "
        "p_len: L*S*c_b, q: L*S*p_n",
        "RD.S2n": "n**2 + (H + t)**2: size**2, (L*S*p_n + n_D)**2 + (D + L*S*c_b + t_D)**2: wide**2",
        "RD.S1": "D**2*P_n + s2 + (D + r)**2: psi**2, D**2*P_n + 2*D**2 + 2*r**2 + s2: Q**2",
    },
    "RD.S3": {"RD.S2r": "Q*gamma: unit, S: 0"},
    "RA.C4h": {
        "RA.C4": "B2*(lambda*t1 + t2*(1 - lambda)) + G2: D_m**2, B2*t1 + G2: D_1**2, B2*t2 + G2: D_2**2",
        "RA.C3": roots("p: D_{0}, q: L*S_{0}"),
    },
    "RA.C4s": {
        "RA.C3": roots("p: H_{0}, q: t_{0}") + ", " + roots("p: S_{0}*keep, q: gamma*(H_{0} + t_{0})"),
    },
    "RA.C4f": {
        "RA.C4s": DRIFTS,
        "RA.C3": roots("p: L*S_{0}, q: t_{0}"),
    },
    "RA.C4n": {
        "RA.C4s": DRIFTS,
    },
    "RA.C6": {
        "RA.C4f": at_points("(F_{0} + w*(L*S_{0} + t_{0}))**2: f_{0}"),
        "RA.C4n": at_points("N_{0} + nu*w**2*(H_{0}**2*P_n + s2): n_{0}"),
    },
    "RA.T2": {"RA.T2s": "2*g - n*u + total: T*mean, start: f0, f0: f_before"},
    "RA.T4b": {"M.3a": "(S + a)**2: total**2, Q + a**2: squares"},
    "RA.T4r": {
        "RD.D2": STEP,
        "RD.D2a": "r: gap_dev, p_len: part, q: added, r: added, p_len: apart*w, q: beta*w",
        "V.4": "dist: s",
    },
    "RA.T3d": {"V.4": "apart: delta_len, dist: R_xi"},
    "RA.T4q": {
        "RA.T4r": "total + w*(L*S + t_H): F_t",
        "RA.T4b": "(total/count)**2: gap_aq**2, squares/count: gap_dev**2",
    },
    "RA.T4n": {
        "RD.D2": STEP,
    },
    "RA.T4": {
        "RA.T4q": "gap_aq**2: d2, F_t**2: mean_F",
        "RA.C6": "f_1*lambda + mean_F*(1 - lambda): mean_F, lambda*n_1 + mean_N*(1 - lambda): mean_N, "
        "f_m: F2, n_m: N",
        "RA.T4n": "w**2*zeta2 + z2: mean_z, own + w**2*(H**2*P_n + s2): mean_own",
    },
    "RA.T5a": {"RD.D2a": "r: n_len, p_len: q_len, q: z_len", "RA.T4": "N: r**2"},
    "RA.T5b": {
        "RD.D2a": "r: q_len, p_len: root_A, q: gap_rms, r: root_A, p_len: q_len",
        "RA.T4": "d2: gap_rms**2, F2: F**2",
    },
    "RA.T5": {
        "RA.T3": "a*q: aq, a**2: A, q**2: q_len**2, (a - q)**2: d2",
        "RA.T2": "mean: 2*aq + 2*dq - n*u + 2*zq, (2*f0 - 2*f_star)/(T*s): K",
        "RA.T2a": "U*m1: zq",
        "RA.T3d": "inner: dq",
        "RA.T4": "F2: F**2",
        "RA.T5a": "n_len**2: n",
    },
    "RA.T5e": {
        "RA.T3": "a*q: aq, a**2: A, q**2: q_len**2, (a - q)**2: d2",
        "RA.T2": "mean: 2*aq + 2*dq - n*u + 2*zq, (2*f0 - 2*f_star)/(T*s): K",
        "RA.T2a": "U*m1: zq",
        "RA.T3d": "inner: dq",
        "RA.T4": "F2: F**2",
        "RD.D1": "U**2 - 2*U*gamma*m1 + gamma**2*m2: n, U**2: q_len**2, gamma**2*m2: z2",
    },
    "RA.T6f": {
        "RA.C4f": at_points("F_{0} + w*(L*S_{0} + t_{0}): F_{0}"),
        "RA.C3": roots("p: a_{0}, q: F_{0}"),
    },
    "RA.T6a": {
        "RA.C4f": at_points("(F_{0} + w*(L*S_{0} + t_{0}))**2: f_{0}"),
        "RA.C4n": at_points("N_{0} + nu*w**2*(H_{0}**2*P_n + s2): r_{0}**2"),
    },
    "RA.T6m": {
        "RA.T6a": "A_m - f_m - 2*rho*s_m + s_m**2 - u*(r_m**2 + 2*r_m*s_m + s_m**2): mixed, "
        "A_1 - f_1 - 2*rho*s_1 + s_1**2 - u*(r_1**2 + 2*r_1*s_1 + s_1**2): m_high, "
        "A_2 - f_2 - 2*rho*s_2 + s_2**2 - u*(r_2**2 + 2*r_2*s_2 + s_2**2): m0, lambda: s",
    },
    "RA.T6": {"RA.T6b": "-F**2 - n*u: at_0"},
    "RA.R1": {"RA.T6b": "-F**2 - n*u: at_0"},
    "RC1.4": {"RA.T5e": "F**2: F2"},
    "RC2.5w": {"RC2.4": "bernoulli*(1 - t): bernoulli, n + 1: n"},
    "RC2.5": {"RC2.5w": "bernoulli + total: E_bar, n*t*(n + 1)/2: E*t*(E - 1)/2, n + 1: E"},
    "RC2.6": {
        "RC2.6a": "product*(1 - kappa**2): bernoulli*growth",
        "RC2.4": "bernoulli*(1 - t): bernoulli, n + 1: n, t: kappa",
    },
    "RC2.8": {"RD.S2": "r_H: t_H, r: t_D, p_root: p_b, H: D + L*S"},
    "RC2.7m": {"RC2.7s": "num*w + total: E_bar*mean_e, num: E - 1"},
    "RC2.7n": {"RC2.7q": "num**2*w + total: E_bar*mean_e2, num: E - 1"},
    "RC2.7r": {
        "RA.C5": "(lambda*p1 + p2*(1 - lambda))**2: r_mean**2, lambda*p1**2 + p2**2*(1 - lambda): mean_e",
    },
    "RC2.15r": {"RC2.7d": "num*w + total: mean_e, num**2*w + total2: mean_e2"},
    "RC2.10a": {
        "RD.D4c": "after: S, S: S_before, w*(kappa + 1): growth, e_root**2 + 1: e, f_root: r, A: D*c_b + b",
        "RC2.6": "n: e",
    },
    "RC2.10b": {"RC2.10w": "S*w + t_S: S_mean, e*w + t_e: mean_e, r*w + t_r: r_mean"},
    "RC2.9": {"RC2.8": "L*S + t_H: F, L*S*c_b: Y, t_D: X"},
    "RC2.15m": {
        "RC2.15s": "S**2: S_rms**2, e**2: mean_e2, e*r: mean_er, r**2: mean_e",
        "V.2": "inner: mean_er, a: q_e, b: q_r",
    },
    "RC2.15h": {"RD.D2a": "r: H_rms, p_len: D, q: L*S_rms"},
    "RC2.16b": {"RC2.16a": "H2*g*w**2: loud, H2*g*w: 2*g*nu*(H2*P_n + s2)", "RC2.15": "H_rms**2: H2"},
    "RC2.16f": {"RC2.9": "F**2: F2, X**2: P_b*(A*B**2 + G2) + b2"},
    "RC2.16c": {"RA.T5": "F**2: F2, r: root_N", "RC2.16b": "loud: 2*root_N**2*u"},
    "RF.2a": {"RF.1": "-g*gamma - g*keep*(1 - w)/L_mu: step, -g*(-keep*w + 1)/L_mu: -L*theta*(-star + w1)"},
    "RF.2": {"RF.2a": "step + v: vT, total + w1: T*mean"},
    "RF.5": {
        "RF.3": "(total + x1)**2: ones2, squares + x1**2: m2",
        "RF.4": "(x1/2 + x2/2)**2: mean1**2, x1**2/2 + x2**2/2: ones2",
        "RF.4t": "length + signed: one, sizes + size1: mean1",
    },
    "RF.6": {"RF.5": "L**2*(m2 - 2*cross + star2): A"},
    "RF.7t": {"RF.7b": "num + 1: d - k, out1**2 + out2: out2", "RF.7a": "in1**2 + in2: in2"},
    "RF.7": {
        "RF.7t": "k*whole/d: n**2*ratio, in2: top**2",
        "V.2": "inner: dot, a: n, b: star, inner: -cross, a: top",
    },
}


def said(user: str, line: str) -> tuple[Pair, ...]:
    """The readings that are said in words, in the order of the table."""
    return pairs(SAID.get(user, {}).get(line, ""))
