"""In which letters the lines read assumptions and declared facts, in one place.

That a remainder is at most Λ/2 times a squared distance is an assumption on the loss, not on any two numbers;
that a mean of noise is 0 says nothing of other letters. So `ASSUMED` says once which letters may be read so,
as `theory.defined_letters` does for definitions.
"""

from __future__ import annotations

from theory.entry import Step
from theory.errors import EvidenceFailed
from theory.stated import STATED
from theory.steps import given

ASSUMED: tuple[tuple[str, Step], ...] = (  # the lines, and how they read it
    ("T1.1", given("A1")),
    ("S.1", given("A1", "Lam: ll")),  # of one device
    ("S.2a", given("A1", "rem: fm - fx - gxh - gxu, dist2: h2 + 2*hu + u2, Lam: L")),
    ("S.2a", given("A1", "rem: fm - fy + gyh - gyu, dist2: h2 - 2*hu + u2, Lam: L")),
    ("T1.25w", given("A1", "rem: f1 - f0 - ip")),
    ("RA.T1", given("A1", "rem: f1 - f0 + g*s, Lam: L, dist2: n*s**2")),
    ("L2.6a", given("A2", "zeta_mean: m")),
    ("RD.D1 RA.T2a", given("A2", "zeta_mean: m1")),
    ("L2.6", given("A2", "zeta2: Z, G: Ge")),
    ("M.3 M.13z", given("A2", "zeta2: Z, G: Sum, s2: E*s2")),  # summed over the local steps
    ("RD.D2s RA.T4n", given("A2", "G: h**2")),
    ("RD.D2t", given("A3", "beta2: beta**2, G: h**2")),
    ("L2.6", given("A3", "beta2: Bt, G: Ge")),
    ("M.3 M.13", given("A3", "beta2: Bt, G: Sum, b2: E*b2")),
    ("L1.8", given("AW", "w2: norm2")),
    ("RS.b3", given("AW", "w2: v**2")),
    ("RC2.1a RC2.1b", given("K1")),
    ("RC2.11 RC2.14 RC2.16f RC2.16c", given("K1", "c_b*g*(E - 1): h")),
    ("RC2.16 RC2.16c", given("K2")),
    ("RC2.5", given("K3")),
    ("RS.c3 RS.c7 RA.T4a", given("UNC")),
)


def demand_assumed(step: Step, identifier: str) -> None:
    """An assumption is read as declared, by the lines whose letters have that meaning."""
    readers = [lines for lines, known in ASSUMED if (known.line, known.reads) == (step.line, step.reads)]
    if not any(identifier in lines.split() for lines in readers):
        said = ", ".join(str(form.subs(dict(step.reads), simultaneous=True)) for form in STATED[step.line])
        raise EvidenceFailed(f"{step.line} is not declared to say {said} in {identifier}")
