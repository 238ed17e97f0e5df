"""The bound on A = (1/T)Σ_{t<T} E|∇f(x_t)|² by one semidefinite program, sketch residual included.

The virtual sequence is V_t = x_t + r_t, V_{t+1} = V_t + (mean local displacement), and x_t is the broadcast.
Nodes of one round: the local points, V, V_+ = V + d and x_+ = V_+ − r_+. A combination of the inequalities of
`descent_sdp` at these nodes gives, with weight w on f,
  |∇f(x)|² ≤ w·(f(V) − f(V_+)) + η·G² + τ·b² + ϑ·σ² + ρ₁|r|² + ρ₂|r_+|²,
and the sum over the rounds is A ≤ w·Δ/T + η·G² + τ·b² + ϑ·σ² + (ρ₁+ρ₂)·R². The program chooses the
multipliers that make the right side smallest. Here R² must bound the mean of |r_t|² over t < T and over
1 ≤ t ≤ T, and Δ = f(V_0) − f*. The number comes from a solver in floats: its label is "numerical".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite

import numpy as np

from theory.errors import InvalidParameter
from theory.rates.descent.descent_sdp import product
from theory.rates.descent.letters import Array
from theory.rates.descent.setting import Setting, unit_setting
from theory.rates.descent.solve import NoSolution, Program, run_clarabel, upper_triangles
from theory.rates.parameters import Parameters, Scalar, checked_integer, checked_size
from theory.rates.theorem_a import Sources

MOST_LETTERS = 31


@dataclass(frozen=True)
class SdpBound:
    """The bound on A (None: none was found), its label and, if there is none, the reason."""

    value: float | None
    label: str
    why_not: str = ""


@dataclass(frozen=True)
class Node:
    """A point: its mean and its deviation as combinations of the letters, and the letter of its gradient."""

    mean: Array
    deviation: Array
    gradient: Array


@dataclass(frozen=True)
class Priced:
    """An inequality of the program, and what its absolute term costs."""

    mean: Array
    spread: Array
    price: float = 0.0
    equality: bool = False
    nodes: tuple[int, int] | None = None


def sdp_bound(q: Parameters, gamma: Scalar, T: int, sources: Sources, theta: Scalar = 1) -> SdpBound:
    """The smallest bound on A that one-round inequalities give at this γ."""
    setting = unit_setting(q, theta)
    step = float(checked_size("gamma", gamma, "a finite number above 0", open_low=True)) * float(q.L)
    if q.E > 1 and step * float(setting.mu) > 1:
        raise InvalidParameter("gamma mu", step * float(setting.mu), "at most 1")
    for name in ("rho2", "D2"):
        if getattr(sources, name) is not None:
            raise InvalidParameter(name, getattr(sources, name), "left out here (use R2 and G2)")
    model = Model(setting, step, _in_unit_gradients(q, T, sources))
    if model.size > MOST_LETTERS:
        why = f"one round has {model.size} vectors, and the program stops at {MOST_LETTERS}"
        return SdpBound(None, "none", f"no bound: {why}")
    return _solved(model, float(q.L) ** 2)


def _in_unit_gradients(q: Parameters, T: int, sources: Sources) -> dict[str, float]:
    """Gradients divided by L: then Δ/(TL), R², and the squared errors divided by L²."""
    square = float(q.L) ** 2
    return {
        "Delta": float(sources.Delta) / float(q.L) / checked_integer("T", T),
        "R2": float(sources.R2),
        "G2": float(sources.G2) / square,
        "b2": float(sources.b2) / square,
        "sigma2": float(sources.sigma2) / square,
    }


def _solved(model: Model, unit: float) -> SdpBound:
    try:
        cost = _minimise(model)
    except NoSolution as error:
        return SdpBound(None, "none", f"no bound: {error} (gamma may be outside the range)")
    value = cost * unit
    if not isfinite(value) or value < 0:
        return SdpBound(None, "none", "no bound: the solver's answer is no number")
    return SdpBound(value, "numerical")


class Model:
    """Letters and nodes of one round; bias, noise and residual only where they exist."""

    def __init__(self, setting: Setting, step: float, sizes: dict[str, float]) -> None:
        self.setting, self.step, self.sizes = setting, step, sizes
        self.has = {
            "b": bool(setting.P_b) or sizes["b2"] > 0,
            "z": bool(setting.P_n) or sizes["sigma2"] > 0,
            "r": sizes["R2"] > 0,
        }
        kinds = ["g"] + [kind for kind in "bz" if self.has[kind]]
        self.letters = [f"{kind}{e}" for e in range(setting.E) for kind in kinds]
        self.letters += ["gV", "gW", "gx", "r", "s"] if self.has["r"] else ["gx"]
        self.index = {name: k for k, name in enumerate(self.letters)}
        self.size = len(self.letters)
        self.nodes = self._nodes()

    def unit(self, name: str) -> Array:
        vector = np.zeros(self.size)
        if name in self.index:
            vector[self.index[name]] = 1.0
        return vector

    def _nodes(self) -> list[Node]:
        """Local points, then V, V_+ and x_+ (x_+ alone without a residual)."""
        keep = 1 - self.step * float(self.setting.mu)
        y, none, nodes = np.zeros(self.size), np.zeros(self.size), []
        for e in range(self.setting.E):
            nodes.append(Node(y, y, self.unit(f"g{e}")))
            y = keep * y - self.step * (self.unit(f"g{e}") + self.unit(f"b{e}") + self.unit(f"z{e}"))
        if not self.has["r"]:
            return [*nodes, Node(y, none, self.unit("gx"))]
        r, s = self.unit("r"), self.unit("s")
        places = {"gV": r, "gW": r + y, "gx": r + y - s}
        return nodes + [Node(place, none, self.unit(name)) for name, place in places.items()]

    @property
    def ends(self) -> tuple[int, int]:
        """The nodes of V and V_+."""
        E = self.setting.E
        return (E, E + 1) if self.has["r"] else (0, E)

    def conditions(self) -> Iterator[Priced]:
        """All inequalities with their prices."""
        yield from self._pairs()
        yield from self._spreads()
        yield from self._errors()
        yield from self._noise_products()
        for name in ("r", "s") if self.has["r"] else ():
            square = product(self.unit(name), self.unit(name))
            yield Priced(-square, 0 * square, self.sizes["R2"])

    def _pairs(self) -> Iterator[Priced]:
        """At E = 1 the losses' inequalities are asked of f alone, as in `descent_sdp`."""
        theta, E, last = float(self.setting.theta), self.setting.E, len(self.nodes) - 1
        for i in range(last + 1):
            for j in range(last + 1):
                if i != j and (abs(i - j) == 1 or min(i, j) == 0 or max(i, j) >= E):
                    a, b = self.nodes[i], self.nodes[j]
                    mean = _pair(a.mean, b.mean, a.gradient, b.gradient, theta)
                    spread = _pair(a.deviation, b.deviation, a.gradient, b.gradient, theta)
                    yield Priced(mean, spread if E > 1 else 0 * spread, nodes=(i, j))

    def _spreads(self) -> Iterator[Priced]:
        excess = float(self.setting.B**2 - 1)
        for name in ("g0", "gx"):
            square = product(self.unit(name), self.unit(name))
            yield Priced(excess * square, -square, self.sizes["G2"])

    def _errors(self) -> Iterator[Priced]:
        for kind, share, price in (("b", self.setting.P_b, "b2"), ("z", self.setting.P_n, "sigma2")):
            for e in range(self.setting.E) if self.has[kind] else ():
                g, error = self.unit(f"g{e}"), self.unit(f"{kind}{e}")
                form = float(share) * product(g, g) - product(error, error)
                yield Priced(form, form, self.sizes[price])

    def _noise_products(self) -> Iterator[Priced]:
        nu, none = float(self.setting.nu), np.zeros((self.size, self.size))
        for e in range(self.setting.E) if self.has["z"] else ():
            z = self.unit(f"z{e}")
            if nu < 1:
                yield Priced((nu - 1) * product(z, z), nu * product(z, z))
            for name in self.letters[: self.index[f"z{e}"]]:
                form = product(z, self.unit(name))
                yield Priced(form, form, equality=True)
                if name in ("g0", "b0") or (name[0] == "z" and nu < 1):
                    yield Priced(form, none, equality=True)
            for name in ("gV", "r") if self.has["r"] else ():  # known when the round starts
                form = product(z, self.unit(name))
                yield Priced(form, form, equality=True)
                yield Priced(form, none, equality=True)


def _pair(xi: Array, xj: Array, gi: Array, gj: Array, theta: float) -> Array:
    dx, dg = xi - xj, gi - gj
    curved = product(dg, dg) - theta * product(dx, dx) + 2 * theta * product(dg, dx)
    return -product(gj, dx) - curved / (2 * (1 + theta))


def _minimise(model: Model) -> float:
    """Unknown: the multipliers and w. Minimise the sum of the prices."""
    used = list(model.conditions())
    width = len(used) + 1
    cost = np.array([each.price for each in used] + [model.sizes["Delta"]])
    scale = float(cost.max()) or 1.0
    program = Program(cost / scale, [], [], [])
    balance = np.zeros((len(model.nodes), width))
    for k, each in enumerate(used):
        if each.nodes is not None:
            balance[each.nodes[0], k] += 1.0
            balance[each.nodes[1], k] -= 1.0
    balance[model.ends[0], -1] -= 1.0
    balance[model.ends[1], -1] += 1.0
    _put(program, "zero", balance[1:], np.zeros(len(balance) - 1))
    bounded = [k for k, each in enumerate(used) if not each.equality] + [width - 1]
    signs = np.zeros((len(bounded), width))
    signs[np.arange(len(bounded)), bounded] = -1.0
    _put(program, "nonnegative", signs, np.zeros(len(bounded)))
    start = product(model.unit("g0"), model.unit("g0"))
    common = [k for k, name in enumerate(model.letters) if name not in ("r", "s")]
    _put_matrix(program, [each.mean for each in used], start, list(range(model.size)))
    _put_matrix(program, [each.spread for each in used], 0 * start, common)
    return float(cost @ run_clarabel(program))


def _put(program: Program, cone: str, rows: Array, right: Array) -> None:
    program.rows.append(rows)
    program.right.append(right)
    program.cones.append((cone, len(right)))


def _put_matrix(program: Program, forms: list[Array], start: Array, kept: list[int]) -> None:
    """−start − Σ λ·form ⪰ 0 on the kept letters (w has no quadratic part)."""
    stack = np.array([*forms, 0 * start, -start])[:, kept][:, :, kept]
    vectors = upper_triangles(stack)
    program.rows.append(vectors[:-1].T)
    program.right.append(vectors[-1])
    program.cones.append(("semidefinite", len(kept)))
