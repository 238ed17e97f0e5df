"""Which earlier lines give the hypotheses of a line: Corollary 2 and Proposition F."""

from __future__ import annotations

from theory.entry import Step
from theory.steps import given

ONE_POWER = "w*(1 + kappa)"
CLOSED = f"after: S, S: S_before, {ONE_POWER}: growth, e_root**2 + 1: e, f_root: r, A: c_b*D + b"
JENSEN = "(lambda*p1 + (1 - lambda)*p2)**2", "lambda*p1**2 + (1 - lambda)*p2**2"

COROLLARY: dict[str, tuple[Step, ...]] = {
    "RC2.1": (given("RC2.1a"), given("WEIGHTS")),
    "RC2.1a": (given("K1"),),
    "RC2.5": (
        given("K3"),
        given("RC2.5w", "total + bernoulli: E_bar, t*n*(n + 1)/2: t*E*(E - 1)/2, n + 1: E"),
    ),
    "RC2.5w": (
        given(
            "RC2.5w",
            "total + bernoulli: total, t*n*(n + 1)/2: t*n*(n - 1)/2, n + 1: n",
            base="total + bernoulli: 0, t*n*(n + 1)/2: 0, n + 1: 0",
        ),
        given("RC2.4", "bernoulli*(1 - t): bernoulli, n + 1: n"),
    ),
    "RC2.11": (given("K1", "g*c_b*(E - 1): h"),),
    "RC2.14": (given("K1", "g*c_b*(E - 1): h"),),
    "RC2.16": (given("K2"),),
    "RC2.2": (given("RC2.1"),),
    "RC2.3": (given("RC2.1"),),
    "RC2.6a": (given("RC2.6a", "product*(1 - kappa**2): product", base="product*(1 - kappa**2): 1"),),
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
    "RC2.7b": (given("RC2.5"),),
    "RC2.9": (given("RC2.8", "L*S + t_H: F, L*S*c_b: Y, t_D: X", True),),
    "RC2.7a": (given("RC2.5"),),
    "RC2.8": (given("RD.S2", "r_H: t_H, r: t_D, p_root: p_b, H: D + L*S"),),
    "RC2.7s": (
        given(
            "RC2.7s",
            "total + w*num: total, num*(num + 1)/2: num*(num - 1)/2",
            base="total + w*num: 0, num*(num + 1)/2: 0",
        ),
    ),
    "RC2.7q": (
        given(
            "RC2.7q",
            "total + w*num**2: total, num*(num + 1)*(2*num + 1)/6: num*(num - 1)*(2*num - 1)/6",
            base="total + w*num**2: 0, num*(num + 1)*(2*num + 1)/6: 0",
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
        given("RC2.6", "n: e"),
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
    "RC2.15s": (given("RC2.10a"),),
    "RC2.15m": (
        given("RC2.1b"),
        given(
            "RC2.15s",
            "S**2: S_rms**2, e**2: mean_e2, e*r: mean_er, r**2: mean_e, c_b + p_n: c, kappa: g*c",
            True,
        ),
        given("V.2", "inner: mean_er, a: q_e, b: q_r"),
    ),
    "RC2.15h": (
        given("RC2.1b"),
        given("RD.D2a", "r: H_rms, p_len: D, q: L*S_rms"),
        given("RC2.15m"),
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
        given("RA.T5", "F**2: F2, r: root_N, s: gamma*E_bar"),
        given("RC2.3"),
        given("RC2.16f"),
        given("RC2.16b", "loud: 2*root_N**2*u"),
        given("RC2.16"),
    ),
    "RC2.17": (given("RC2.16c"),),
    "RC2.16b": (
        given("RC2.15", "H_rms**2: H2, D**2: D2, b**2: b2, s**2: s2"),
        given("RC2.16a", "g*w**2*H2: loud, g*w*H2: 2*g*nu*(P_n*H2 + s2)", True),
    ),
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
        given("RF.4", "(x1/2 + x2/2)**2: mean1**2, x1**2/2 + x2**2/2: ones2"),
        given("RF.4t", "length + signed: one, sizes + size1: mean1"),
    ),
    "RF.4t": (
        given("MAX", "part1: signed, most: size1"),
        given(
            "RF.4t",
            "length + signed: length, sizes + size1: sizes",
            base="length + signed: 0, sizes + size1: 0",
        ),
    ),
    "RF.6": (given("RF.5", "L**2*(m2 - 2*cross + star2): A"),),
}
