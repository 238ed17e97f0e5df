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

ASSUMED: tuple[Step, ...] = (
    given("A1"),
    given("A1", "Lam: ll"),  # of one device
    given("A1", "rem: fm - fx - gxh - gxu, dist2: h2 + 2*hu + u2, Lam: L"),
    given("A1", "rem: fm - fy + gyh - gyu, dist2: h2 - 2*hu + u2, Lam: L"),
    given("A1", "rem: f1 - f0 - ip"),
    given("A1", "rem: f1 - f0 + g*s, Lam: L, dist2: n*s**2"),
    given("A2", "zeta_mean: m"),
    given("A2", "zeta_mean: m1"),
    given("A2", "zeta2: Z, G: Ge"),
    given("A2", "zeta2: Z, G: Sum, s2: E*s2"),  # summed over the local steps
    given("A2", "G: h**2"),
    given("A3", "beta2: Bt, G: Ge"),
    given("A3", "beta2: Bt, G: Sum, b2: E*b2"),
    given("AW", "w2: norm2"),
    given("AW", "w2: v**2"),
    given("K1"),
    given("K1", "c_b*g*(E - 1): h"),
    given("K2"),
    given("K3"),
    given("UNC"),
)


def demand_assumed(step: Step) -> None:
    """An assumption is read as declared."""
    if (step.line, step.reads) not in [(known.line, known.reads) for known in ASSUMED]:
        said = ", ".join(str(form.subs(dict(step.reads), simultaneous=True)) for form in STATED[step.line])
        raise EvidenceFailed(f"{step.line} is not declared to say {said}")
