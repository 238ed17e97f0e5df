"""One colour per meaning, in a light and a dark shade; pages use them as `var(--fps-NAME)`.

A word or a sign always says the same, so that no statement rests on colour alone. Every shade has a contrast
of at least 4.5 to 1 against the page behind it; a test computes it.
"""

from __future__ import annotations

# Of the theme, light and dark; the last of each is the page under --fps-soft, 7 % of the colour of letters.
BACKGROUND = (("#ffffff", "#f3f4f5", "#f0f0f1"), ("#121212", "#222832", "#29313d", "#1f2020"))

LETTERS = ("#222832", "#ced6dd")  # of the theme, light and dark

SHADES = {
    "paper": ("#B84300", "#FF9A5C"),  # what the paper says and what is refuted
    "fatal": ("#B3002D", "#FF8FA0"),
    "fixable": ("#A0356B", "#F0A3C8"),
    "cosmetic": ("#75606C", "#CDB9C5"),
    "proved": ("#0062A3", "#6DB9F2"),  # theorems of the repaired theory
    "convex": ("#0B2E52", "#CBE6FB"),  # Theorem C, beside Theorem A
    "safe": ("#00714E", "#35D0A0"),  # valid lines, certified rates
    "condition": ("#8A5B00", "#F2BC45"),  # holds under a condition, or by measurement
    "absorbed": ("#4F62B0", "#A9B8FF"),
    "neutral": ("#5F6670", "#B4BCC6"),
    "fps": ("#6B3FA0", "#C9A5F7"),  # FPS and its runs, the exact ones too
    "fetchsgd": ("#006D78", "#4CCEDA"),
    "blcd": ("#8B4513", "#E0A878"),
    "topk": ("#4A5A2A", "#B5CC7A"),
    "fedprox": ("#A62A72", "#F49BCB"),
    "plus": ("#2F4B7C", "#A8C1EA"),  # the sign of a number
    "minus": ("#6F6300", "#D6C84E"),
    "series1": ("#15202B", "#F2F5F8"),  # lines that carry no verdict and are no algorithm
    "series2": ("#AD12A0", "#F29BF2"),
    "series3": ("#3F750A", "#9FE05A"),
    "series4": ("#4338CA", "#A39DFF"),
    "series5": ("#7D5A4F", "#D9B8AB"),
    "series6": ("#2F6F6F", "#8CD3D3"),
    "link": ("#1358BE", "#7FB0F2"),
    "quiet": ("#48566B", "#B9C1CC"),  # letters beside the text: captions, places
}

VERDICTS = {
    "valid": ("safe", "✓", "proved from the stated hypotheses"),
    "conditional": ("condition", "◐", "proved under a condition that the paper does not state"),
    "absorbed": ("absorbed", "≈", "not derived, but its corrected form gives a later line"),
    "refuted": ("paper", "✗", "false: an exact counterexample, or a proof of the opposite"),
    "underived": ("absorbed", "↝", "true, but not by the derivation that is given"),
    "undefined": ("neutral", "∅", "something that it speaks of is not defined"),
    "cited": ("neutral", "§", "a classical result, taken on trust"),
}
SEVERITIES = {
    "fatal": (
        "fatal",
        "the proof of the main result falls through it; it needs an assumption that the paper does not state",
    ),
    "fixable": ("fixable", "a corrected form keeps its use; what is printed may still be false"),
    "cosmetic": ("cosmetic", "nothing after it changes"),
}
# Beside their colours, which some readers cannot tell apart.
SIGNS_OF_SEVERITY = {"fatal": "‡", "fixable": "†", "cosmetic": "°"}
ALGORITHMS = {"FPS": "fps", "FetchSGD": "fetchsgd", "BLCD": "blcd", "Top-k": "topk", "FedProx": "fedprox"}
# Never a colour of a verdict or of an algorithm, so that orange always means the paper and purple FPS.
SERIES = ("series1", "series2", "series3", "series4", "series5", "series6")


def colour(name: str) -> str:
    """A colour as a style sheet writes it."""
    return f"var(--fps-{name})"


def style_sheet() -> str:
    """The variables of both modes."""
    light, dark = (
        "".join(f"--fps-{name}:{shades[mode]};" for name, shades in SHADES.items()) for mode in (0, 1)
    )
    return f":root{{{light}}}\nhtml[data-theme=dark]{{{dark}}}\n"


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2 between two colours #rrggbb."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(shade: str) -> float:
    parts = [int(shade[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
