"""The vectors of one round of one device, and the points of the round as combinations of them.

Letters: g_e = ∇l(w^e) for e < E, the bias b_e and the noise z_e where there are such errors, and the gradient
g_E at x_+. Points, relative to the broadcast x: y_0 = 0, y_{e+1} = (1 − hμ) y_e − h (g_e + b_e + z_e), and
w^e = x + y_e. The next broadcast is x_+ = x + mean over the devices of y_E. Nodes: w^0, …, w^{E−1}, x_+.

With a sketch residual the virtual sequence is V = x + r, V_+ = V + mean y_E, and x_+ = V_+ − s. The letters
r, s and the gradients gV, gW at V, V_+ are added, and the nodes V, V_+ stand before x_+.

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


@dataclass(frozen=True)
class Node:
    """A point: its mean and its deviation as combinations of the letters, and the letter of its gradient."""

    mean: Array
    deviation: Array
    gradient: Array


@dataclass(frozen=True)
class Round:
    """The letters and points of one round with step h; `absolute`: errors that exist even with share 0."""

    setting: Setting
    step: float
    absolute: str = ""

    @cached_property
    def kinds(self) -> str:
        """Which kinds of errors exist."""
        relative = "b" * bool(self.setting.P_b) + "z" * bool(self.setting.P_n)
        return "".join(kind for kind in "bzr" if kind in relative + self.absolute)

    @cached_property
    def letters(self) -> list[str]:
        """g0, b0, z0, g1, …, gE."""
        steps = [f"{kind}{e}" for e in range(self.setting.E) for kind in "g" + self.kinds.rstrip("r")]
        last = f"g{self.setting.E}"
        return [*steps, "gV", "gW", last, "r", "s"] if "r" in self.kinds else [*steps, last]

    @cached_property
    def index(self) -> dict[str, int]:
        return {letter: place for place, letter in enumerate(self.letters)}

    @property
    def size(self) -> int:
        return len(self.letters)

    def unit(self, letter: str) -> Array:
        """The letter itself as coefficients; 0 if the round has no such letter."""
        vector = np.zeros(self.size)
        if letter in self.index:
            vector[self.index[letter]] = 1.0
        return vector

    @cached_property
    def nodes(self) -> list[Node]:
        """Local points, then (V and V_+ and) x_+."""
        keep = 1 - self.step * float(self.setting.mu)
        y, none, nodes = np.zeros(self.size), np.zeros(self.size), []
        for e in range(self.setting.E):
            nodes.append(Node(y, y, self.unit(f"g{e}")))
            y = keep * y - self.step * (self.unit(f"g{e}") + self.unit(f"b{e}") + self.unit(f"z{e}"))
        places = {"gV": self.unit("r"), "gW": self.unit("r") + y} if "r" in self.kinds else {}
        places[f"g{self.setting.E}"] = self.unit("r") + y - self.unit("s")
        return nodes + [Node(place, none, self.unit(letter)) for letter, place in places.items()]

    @property
    def ends(self) -> tuple[int, int]:
        """The nodes whose values the round compares: x and x_+, or V and V_+."""
        E = self.setting.E
        return (E, E + 1) if "r" in self.kinds else (0, E)
