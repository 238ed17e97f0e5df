"""One colour and one sign per verdict and per learning-rate form.

The colours are of Okabe and Ito's set, which people with any common colour blindness can tell apart; a word
or a sign always says the same, so that no statement rests on colour alone.
"""

from __future__ import annotations

VERDICT_COLOUR = {
    "valid": "#009E73",
    "conditional": "#E69F00",
    "absorbed": "#56B4E9",
    "refuted": "#D55E00",
    "cited": "#8A8A8A",
}
VERDICT_SIGN = {"valid": "✓", "conditional": "◐", "absorbed": "≈", "refuted": "✗", "cited": "§"}
VERDICT_MEANING = {
    "valid": "proved from the stated hypotheses",
    "conditional": "proved under a condition that the paper does not state, and false without it",
    "absorbed": "the line is wrong, but slack in a later line covers the error",
    "refuted": "false: there is an exact counterexample, or a proof of the opposite",
    "cited": "a classical result, taken on trust and not proved here",
}

FORM_COLOUR = {
    "paper": "#D55E00",
    "paper_with_conditions": "#E69F00",
    "corrected": "#CC79A7",
    "repaired_closed": "#0072B2",
    "repaired_sharp": "#009E73",
}
FORM_NAME = {
    "paper": "the paper's range, as printed",
    "paper_with_conditions": "the paper's range with the step sizes its proof needs",
    "corrected": "the paper's chain with its algebra corrected",
    "repaired_closed": "repaired theory, closed form (Corollaries 1 and 2)",
    "repaired_sharp": "repaired theory, sharp (Theorem A)",
}
