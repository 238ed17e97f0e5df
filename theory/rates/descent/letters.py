"""The vectors of one round of one device, and the points of the round as combinations of them.

Letters: g_e = ∇l(w^e) for e < E, the bias b_e if P_b > 0, the noise z_e if P_n > 0, and g_E = ∇l(x_+).
Points, relative to the broadcast x: y_0 = 0, y_{e+1} = (1 − hμ) y_e − h (g_e + b_e + z_e), and w^e = x + y_e.
The next broadcast is x_+ = x + mean over the devices of y_E. Node E is x_+; node e < E is w^e.

Symmetry. For vectors p, q of each device write S[p,q] = ⟨mean p, mean q⟩ and D[p,q] = the mean over the
devices of ⟨p − mean p, q − mean q⟩. Then mean ⟨p,q⟩ = S[p,q] + D[p,q], and S and D are positive semidefinite.
So every averaged inequality is linear in the Gram matrices S and D; the number of devices does not appear.
A point that all devices share, like x_+, has no deviation: its coefficients in D are 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from theory.rates.descent.setting import Setting

Array = NDArray[np.float64]
Letter = tuple[str, int]


@dataclass(frozen=True)
class Round:
    """The letters and points of one round with step h, in floats."""

    setting: Setting
    step: float

    @property
    def last(self) -> int:
        """The node of the next broadcast."""
        return self.setting.E

    @cached_property
    def letters(self) -> tuple[Letter, ...]:
        """g_0, b_0, z_0, g_1, …, g_E: bias and noise only where they exist."""
        errors = ("b",) * bool(self.setting.P_b) + ("z",) * bool(self.setting.P_n)
        steps = [(kind, e) for e in range(self.setting.E) for kind in ("g", *errors)]
        return (*steps, ("g", self.setting.E))

    @cached_property
    def index(self) -> dict[Letter, int]:
        return {letter: place for place, letter in enumerate(self.letters)}

    @property
    def size(self) -> int:
        return len(self.letters)

    def unit(self, kind: str, e: int) -> Array:
        """The letter itself as coefficients."""
        vector = np.zeros(self.size)
        vector[self.index[kind, e]] = 1.0
        return vector

    @cached_property
    def own_points(self) -> Array:
        """Row e holds the coefficients of y_e, e ≤ E, for one device."""
        keep = 1 - self.step * float(self.setting.mu)
        rows = [np.zeros(self.size)]
        for e in range(self.setting.E):
            moved = sum(self.unit(kind, e) for kind in "gbz" if (kind, e) in self.index)
            rows.append(keep * rows[-1] - self.step * moved)
        return np.array(rows)

    @cached_property
    def deviations(self) -> Array:
        """The same for the deviations: x_+ is the same for all devices."""
        rows = self.own_points.copy()
        rows[-1] = 0.0
        return rows

    @cached_property
    def gradients(self) -> Array:
        """Row e holds the letter g_e."""
        return np.array([self.unit("g", e) for e in range(self.setting.E + 1)])
