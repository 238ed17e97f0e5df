"""What numbers are called wherever a reader meets them: in the terminal, in HTML, in `lr` and `bound`."""

from __future__ import annotations

from typing import Any

FORMS = {
    "repaired_sharp": "Theorem A",
    "repaired_closed": "Theorem A, closed form",
    "corrected": "paper, algebra corrected",
    "paper_with_conditions": "paper, with its conditions",
    "paper": "paper as printed (refuted)",
}
BINDING = {  # in place of names that only the theory explains
    "eq:gamma_range": "the paper's formula",
    "1/(4E(L+mu)A)": "the step size of Lemma 2",
    "1/(2(L+mu))": "the step size of Theorem 1's proof",
    "rho_corrected >= 1/4": "the progress the proof needs",
    "rho_1 > 0": "relative noise",
    "drift": "drift of the local steps",
    "noise": "relative noise",
    "proximal": "the proximal term",
    "Theorem A": "the inequality of Theorem A",
    "one-round descent": "descent in one round",
    "convexity": "holds only if every loss is convex",
}
MEANING = {
    "L": "how fast gradients change",
    "B": "devices differ, relative",
    "G2": "devices differ, absolute",
    "P_n": "noise, relative",
    "sigma2": "noise, absolute",
    "P_b": "bias, relative",
    "b2": "bias, absolute",
    "R2": "sketch residual",
    "W": "largest ‖w̃‖²",
    "p": "power law of gradients",
}
LETTERS = {"G2": "G²", "sigma2": "σ²", "b2": "b²", "R2": "R²"}
CERTIFIED = "certified without a sketch"
EDGE = "edge of stability"
BEYOND = "beyond it rounds overshoot"
CONDITION = (
    "Theorem A (the repaired theorem) holds with a sketch only if its residual, what reading the model "
    "out of the sketch misses, stays bounded"
)
JUDGED = "Asm.: assumption of the paper, by number; open: cannot tell"
EXPLAINED = (
    "Letters: L bounds how fast gradients change; σ² and P_n the noise of a device's gradient (absolute, "
    "and relative to it), b² and P_b its bias; G² and B how much devices differ; R² the mean squared sketch "
    f"residual over the rounds. {JUDGED}."
)
VECTORS = (
    "Vectors: w̃_t is the model broadcast in round t, v_t the exact one that the sketch holds, r_t = v_t "
    "− w̃_t the residual; f is the mean of the devices' losses l_m; g is a device's gradient, β its bias "
    "and ζ its noise. Averaged gradient: the mean over devices; received: what the server reads out of "
    "the sketch. Exact: measured in every round, or known beforehand. Chosen: of all pairs of a relative "
    "and an absolute part that cover what was seen, the one with the best bound."
)


def edge(advice: dict[str, Any], number: str) -> str:
    """The edge of an estimate as a number; it may be known from below only."""
    return f"≥ {number}" if advice["edge_from_below"] else number


def edge_from(advice: dict[str, Any]) -> str:
    """What that number is, and where it was measured."""
    rounds = ", ".join(map(str, advice["facts"].get("edge_at", ())))
    kind = "a lower limit" if advice["edge_from_below"] else advice["labels"]["edge"]
    return f"{kind}, at rounds {rounds}" if rounds else kind


def letter(name: str) -> str:
    return LETTERS.get(name, name)
