"""Where every displayed (in)equality of Section 5 and Appendices B and C is decided, line by line.

One tuple of ids per relation sign of a display, in the order of the paper. A line that bounds several
coefficients has an entry for each. `ASIDE` holds the entries about what the text says between the displays,
what it uses without writing it, and corrected or sharper forms.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Display:
    """A display by its label, or by what it shows, and the entries of each of its lines."""

    section: str
    name: str
    lines: tuple[tuple[str, ...], ...]


DISPLAYS: tuple[Display, ...] = (
    Display("Section 5", "Definition 1, structure of the gradient", (("S.10", "M.1"),)),
    Display("Section 5", "Definition 1, bias and noise", (("S.10",), ("S.10",))),
    Display("Section 5", "eq:rho", (("T1.19",),)),
    Display("Section 5", "eq:gamma_range", (("T1.21", "T1.22", "T1.23", "T1.24", "S.4n"),)),
    Display("Section 5", "eq:main_thm", (("T1", "T1.28", "T1.29", "T1.32", "T1.33", "T1.34"),)),
    Display("Appendix B", "Theorem 2", (("CS.1c", "CS.4"),)),
    Display("Appendix C.1", "Lemma 1", (("L1",),)),
    Display(
        "Appendix C.1",
        "eq:w_1",
        (("L1.1",), ("L1.2",), ("L1.3",), ("L1.4",), ("L1.5",), ("L1.6",), ("L1.7c", "L1.7"), ("L1.8",)),
    ),
    Display("Appendix C.2", "Lemma 2", (("L2",),)),
    Display(
        "Appendix C.2",
        "one local step",
        (
            *(("L2.1",), ("L2.2",), ("L2.3", "L2.3v"), ("L2.4",), ("L2.5",)),
            *(("L2.6a", "L2.6"), ("L2.7",), ("L2.8a", "L2.8")),
        ),
    ),
    Display("Appendix C.2", "the step size inserted", (("L2.9",), ("L2.10",), ("L2.11",))),
    Display("Appendix C.2", "eq:epoch_recursive", (("L2.12",), ("L2.13",), ("L2.14", "L2.15"))),
    Display("Appendix C.2", "the gradient of a round", (("M.1",),)),
    Display(
        "Appendix C.2",
        "eq:grad_penal",
        (("M.2",), ("M.3a", "M.3b", "M.3"), ("M.4",), ("M.5",), ("M.6",)),
    ),
    Display("Appendix C.2", "eq:grad_epoch", (("M.7",),)),
    Display("Appendix C.2", "eq:grad_epoch_all", (("M.8",), ("M.9",))),
    Display("Appendix C.2", "eq:sec_grad", (("M.10", "M.11", "M.12"),)),
    Display(
        "Appendix C.2",
        "the bias of a round",
        (("M.13a",), ("M.13",), ("M.14",), ("M.15a",), ("M.15",)),
    ),
    Display("Appendix C.2", "eq:beta", (("M.16", "M.17", "M.18"),)),
    Display("Appendix C.2", "eq:sec_zeta", (("M.19", "M.20", "M.21"),)),
    Display("Appendix C.3", "the restructured loss", (("S.1",),)),
    Display(
        "Appendix C.3",
        "eq:step1_fps",
        (("T1.1",), ("T1.2",), ("T1.3",), ("T1.4",), ("T1.5",), ("T1.6",)),
    ),
    Display(
        "Appendix C.3",
        "eq:step2_fps",
        (("T1.8", "T1.9", "T1.10", "T1.11", "T1.12"), ("T1.13",), ("T1.15", "T1.16", "T1.17")),
    ),
    Display("Appendix C.3", "definition of rho", (("T1.18",), ("T1.19",))),
    Display("Appendix C.3", "the bound on gamma", (("T1.20",),)),
    Display("Appendix C.3", "the bound on gamma after H <= 1", (("T1.21",),)),
    Display("Appendix C.3", "averaging over the rounds", (("T1.25", "T1.25w", "T1.26", "T1.27"),)),
    Display(
        "Appendix C.3",
        "dividing by gamma",
        (("T1.28", "T1.29", "T1.30", "T1.31"), ("T1.32", "T1.33")),
    ),
)

ASIDE: dict[str, tuple[str, ...]] = {
    "assumptions and definitions in the text": (
        "S.2",
        "S.2a",
        "S.3",
        "S.4",
        "S.6",
        "S.7",
        "S.7b",
        "S.8",
        "S.9",
    ),
    "Sections 3.2 and 4": ("CS.1", "CS.2", "CS.3", "CS.5", "CS.6"),
    "sentences around the lemmas": ("L1.0", "L1.any", "L1.9", "L1.10", "T1.5c", "L2.24", "T1.44"),
    "used without being written": ("L1.4w", "M.13z", "T1.1c"),
    "where no run can break the theorem": ("T1.36", "T1.37"),
    "corrected or sharper": (
        *("L1.5r", "L1.7r", "L1.7m", "L2.14i", "L2.14t", "L2.16", "L2.17", "L2.18", "L2.19"),
        *("L2.15d", "L2.17e", "L2.18a", "L2.18b", "L2.18r", "L2.18c", "L2.18d", "L2.18e", "L2.18h"),
        *("T1.21c", "T1.22c", "T1.22d", "T1.35"),
    ),
}


def decided() -> set[str]:
    """The ids of all entries about displays."""
    return {name for display in DISPLAYS for line in display.lines for name in line}
