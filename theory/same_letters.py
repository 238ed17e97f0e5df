"""Letters that are the same in a line and in one that it uses, although it does not go into what they are.

What the earlier line was given of such a letter the later one need not show again: it says that the letter
stands for the same thing. Like `said_in_words`, this is for a reader to check.
"""

from __future__ import annotations

import sympy as sp

SAME: dict[str, dict[str, str]] = {
    "S.2": {"S.2a": "gxh gyh h2"},
    "V.3": {"V.2": "a b inner"},
    "L1.3": {"CS.4": "norm2"},
    "L2": {"L2.15d": "D G"},
    "L2.18a": {"M.3": "N"},
    "L2.18r": {"L2.18b": "move"},
    "L2.18c": {"L2.18r": "move norm root size"},
    "L2.18d": {"L2.18c": "D after"},
    "L2.18": {"L2.18d": "pull"},
    "M.8": {"L2": "D G"},
    "T1.12": {"V.2": "inner"},
    "T1.13": {"V.2": "a"},
    "T1.28": {"T1.25": "rest rho"},
    "RS.a2": {"RS.a0r": "hat_C hat_Q"},
    "RS.a4r": {"RS.a4k": "eta"},
    "RS.a4": {"RS.a4k": "eta", "RS.a4r": "eta k_root"},
    "RS.c2": {"RS.c2a": "level"},
    "RS.c5n": {"RS.c5i": "m"},
    "RS.c5e": {"RS.c5": "n_over"},
    "RS.c6i": {"RS.c5m": "high"},
    "RS.c6n": {"RS.c6i": "m_abs"},
    "RS.c6h": {"RS.c6n": "m_abs"},
    "RS.c6": {"RS.c6h": "h"},
    "RS.c4": {"RS.c1": "q"},
    "RS.d1i": {"RS.c5m": "high"},
    "RS.d1n": {"RS.d1i": "m_abs mass"},
    "RS.d1": {"RS.d1b": "theta", "RS.d1n": "m_abs", "RS.d1c": "theta"},
    "RD.D2b": {"V.4": "apart"},
    "RD.D2s": {"RD.D2t": "beta h"},
    "RD.D2": {"RD.D2b": "D h s", "RD.D2s": "after2 h keep s t"},
    "RD.D4c": {"RD.D4a": "N", "RD.D4b": "N S"},
    "RD.S2": {"RD.D3r": "D"},
    "RD.S2n": {"RD.S2": "D"},
    "RD.S3": {"RD.S2r": "S after"},
    "RA.C4h": {"RA.C3": "lambda"},
    "RA.C4s": {"RA.C4h": "S_1 S_2 S_m lambda", "RA.C3": "lambda"},
    "RA.C4f": {"RA.C4s": "lambda", "RA.C4h": "S_1 S_2 S_m lambda", "RA.C3": "lambda"},
    "RA.C4n": {"RA.C4s": "lambda", "RA.C4h": "S_1 S_2 S_m lambda"},
    "RA.C6": {"RA.C4f": "lambda", "RA.C4n": "lambda"},
    "RA.T2s": {"RA.T1": "f0 f1 g n s"},
    "RA.T2": {"RA.T2s": "f1 s"},
    "RA.T3d": {"RA.T3c": "delta_len inner q_len"},
    "RA.T4r": {"RD.D2": "D", "RD.D2t": "beta h", "RD.D2b": "D apart h s", "V.4": "apart"},
    "RA.T4q": {"RA.T4r": "gap_dev"},
    "RA.T4n": {"RD.D2": "D", "RD.D2b": "D h s"},
    "RA.T5": {"RA.T3d": "q_len", "RA.T4": "d2", "RA.T5a": "q_len r"},
    "RA.T5e": {"RA.T3d": "q_len", "RA.T4": "N d2"},
    "RA.T6f": {"RA.C4f": "lambda", "RA.C3": "lambda"},
    "RA.T6a": {"RA.C4f": "lambda", "RA.C4n": "lambda"},
    "RA.T6": {"RA.T6m": "m0 m_high s"},
    "RA.R1": {"RA.T6m": "m0 m_high s"},
    "RC1.4": {"RA.T5e": "A K N q_len rho u"},
    "RC2.1": {"RC2.1a": "g"},
    "RC2.7a": {"RC2.5": "E_bar"},
    "RC2.7b": {"RC2.5": "E_bar"},
    "RC2.7m": {"RC2.7a": "E_bar"},
    "RC2.7n": {"RC2.7b": "E_bar"},
    "RC2.7r": {"RC2.7m": "mean_e"},
    "RC2.15q": {"RC2.7n": "mean_e2"},
    "RC2.10a": {"RD.D4c": "N", "RC2.6": "growth kappa"},
    "RC2.10w": {"RC2.10a": "D S b c_b e r"},
    "RC2.10b": {"RC2.10w": "D b c_b p_n s", "RC2.7m": "mean_e", "RC2.7r": "mean_e r_mean"},
    "RC2.10": {"RC2.1b": "g"},
    "RC2.15s": {"RC2.10a": "D S b c_b e r"},
    "RC2.15m": {"RC2.1b": "g"},
    "RC2.15h": {"RC2.1b": "g", "RC2.15m": "D S_rms b q_e q_r s"},
    "RC2.15": {"RC2.15h": "D H_rms b s"},
    "RC2.16c": {
        "RA.T5": "A K q_len rho u",
        "RC2.3": "u",
        "RC2.16f": "A F2 G2",
        "RC2.16b": "D2 g nu",
    },
    "RC2.17": {"RC2.16c": "A P"},
    "RF.2": {"RF.2a": "star theta v0"},
    "RF.6": {"RF.5": "one"},
    "RF.7t": {"RF.7b": "level", "RF.7a": "level"},
}


def same(user: str, line: str) -> frozenset[sp.Symbol]:
    """The letters that stay the same."""
    return frozenset(sp.Symbol(name, real=True) for name in SAME.get(user, {}).get(line, "").split())
