"""Every assumption of Theorem 1 as a function of a run that can say no.

`required` marks what the theorem states. The two step-size conditions that only the appendix mentions are
shown too, so that a reader sees which refutations meet them as well.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from theory.counterexamples.exact_sketch import ExactSketch, Vector, squared_norm
from theory.counterexamples.federated import NoiseLaw, Problem, Run, average
from theory.counterexamples.printed import PrintedParameters, at, gamma_range, rho
from theory.errors import InvalidParameter
from theory.formulas.corrected import RANGE_CORRECTED, RHO_CORRECTED

ENVELOPE = "Assumption 4 in corrected form; as printed void for d ≥ 2"
WITH_A_CONSTANT = "Assumption 4 with the constant of the law; as printed void for d ≥ 2"


@dataclass(frozen=True)
class AssumptionCheck:
    """Does it hold, and by which numbers: the largest `value` against `limit`."""

    name: str
    statement: str
    holds: bool
    value: Fraction
    limit: Fraction
    required: bool = True


def _at_most(
    name: str, statement: str, value: Fraction, limit: Fraction, required: bool = True
) -> AssumptionCheck:
    return AssumptionCheck(name, statement, value <= limit, value, limit, required)


def smoothness(problem: Problem, q: PrintedParameters) -> AssumptionCheck:
    """|l(y) − l(x) − ⟨∇l(x), y−x⟩| = ½ Σ a_i (y_i−x_i)² ≤ (L/2)‖y−x‖² for all x, y iff every |a_i| ≤ L.

    Along a vector a there is one curvature, and the sum is its multiple of ⟨a, y−x⟩²/‖a‖² ≤ ‖y−x‖².
    """
    largest = max(abs(a) for device in problem.devices for a in device.curvature)
    return _at_most("Assumption 1", "every device's loss is L-smooth", largest, q.L)


def noise(law: NoiseLaw, q: PrintedParameters) -> list[AssumptionCheck]:
    """Eζ = 0 and E‖ζ‖² ≤ σ² (the law does not depend on the past, so P_n‖∇f‖² only helps)."""
    mean = tuple(sum((p * v[i] for p, v in law), Fraction(0)) for i in range(len(law[0][1])))
    second = sum((p * squared_norm(v) for p, v in law), Fraction(0))
    total = sum((p for p, _ in law), Fraction(0))
    return [
        AssumptionCheck("noise law", "probabilities add up to 1", total == 1, total, Fraction(1)),
        _at_most("Assumption 2 (zero mean)", "‖Eζ‖² = 0", squared_norm(mean), Fraction(0)),
        _at_most("Assumption 2 (bounded noise)", "E‖ζ‖² ≤ P_n‖∇f‖² + σ²", second, q.sigma2),
    ]


def bias_per_device(runs: Iterable[Run], q: PrintedParameters) -> list[AssumptionCheck]:
    """‖β‖² ≤ P_b‖∇f_m(w)‖² + b² at every local step of every device, and P_b ∈ (0, 1)."""
    excess = max(squared_norm(s.beta) - q.P_b * squared_norm(s.gradient) for run in runs for s in run.steps)
    inside = 0 < q.P_b < 1
    return [
        AssumptionCheck("Assumption 3 (constant)", "P_b ∈ (0, 1)", inside, q.P_b, Fraction(1)),
        _at_most(
            "Assumption 3, device reading: β = E g_m − ∇f_m",
            "‖β‖² − P_b‖∇f_m‖² ≤ b² at every local step",
            excess,
            q.b2,
        ),
    ]


def bias_of_aggregate(problem: Problem, runs: Iterable[Run], q: PrintedParameters) -> AssumptionCheck:
    """Definition 1 as printed: β_t = E g_t − ∇f(w_t), g_t the mean of the devices' gradients at w_t."""
    excess = []
    for run in runs:
        for t in range(q.T):
            steps = [s for s in run.steps if s.round == t and s.step == 0]
            expected = average([tuple(g + b for g, b in zip(s.gradient, s.beta, strict=True)) for s in steps])
            true = problem.gradient(run.broadcast[t])
            beta = tuple(a - b for a, b in zip(expected, true, strict=True))
            excess.append(squared_norm(beta) - q.P_b * squared_norm(true))
    return _at_most("Assumption 3 (aggregate)", "‖β_t‖² − P_b‖∇f(w_t)‖² ≤ b²", max(excess), q.b2)


def bias_of_sum(problem: Problem, runs: Iterable[Run], q: PrintedParameters) -> AssumptionCheck:
    """The same with g_t the sum of the local gradients (Appendix C.2), for runs without noise."""
    excess = []
    for run in runs:
        for t in range(q.T):
            true = problem.gradient(run.broadcast[t])
            moved = zip(run.broadcast[t], run.before_top_k[t + 1], true, strict=True)
            beta = tuple((a - b) / q.gamma - g for a, b, g in moved)
            excess.append(squared_norm(beta) - q.P_b * squared_norm(true))
    return _at_most(
        "appendix: Assumption 3 for the sum",
        "not in the main text, g_t = Σ_e g^e: ‖β_t‖² − P_b‖∇f(w_t)‖² ≤ b²",
        max(excess),
        q.b2,
        False,
    )


def power_law(runs: Iterable[Run], q: PrintedParameters, with_constant: bool = False) -> AssumptionCheck:
    """|g(i)| = i^(−p)‖g‖ as printed for d = 1, with ≤ for d ≥ 2, in the printed order or else sorted.

    As printed the assumption is void for d ≥ 2 (i = 1 makes every other entry 0, i = 2 then makes g = 0).
    `with_constant` asks for = with the constant of the law.
    """
    gradients = [s.stochastic_gradient for run in runs for s in run.steps]
    if with_constant:
        return _law_with_a_constant(gradients, q)
    if q.d == 1:
        worst = max(abs(g[0] ** 2 - squared_norm(g)) for g in gradients)
        return _at_most("Assumption 4 (printed)", "| |g(1)|² − ‖g‖² | = 0", worst, Fraction(0))
    in_order = max(_power_law_excess(g, q.p) for g in gradients)
    if in_order <= 0:
        return _at_most(ENVELOPE, "|g(i)|² − i^{−2p}‖g‖² ≤ 0, in the printed order", in_order, Fraction(0))
    worst = max(_power_law_excess(_sorted(g), q.p) for g in gradients)
    return _at_most(ENVELOPE, "|g|_(i)² − i^{−2p}‖g‖² ≤ 0, sorted", worst, Fraction(0))


def _law_with_a_constant(gradients: list[Vector], q: PrintedParameters) -> AssumptionCheck:
    """|g(i)| = C i^(−p)‖g‖ in squares. Summed over i it gives C² Σ_j j^(−2p) = 1, unless g = 0."""
    shares = [Fraction(1, i ** (2 * q.p)) for i in range(1, q.d + 1)]
    worst = max(
        abs(x * x - share / sum(shares) * squared_norm(g))
        for g in gradients
        for x, share in zip(g, shares, strict=True)
    )
    statement = "| |g(i)|² − C²i^{−2p}‖g‖² | = 0 with C² = 1/Σ_j j^{−2p}, in the printed order"
    return _at_most(WITH_A_CONSTANT, statement, worst, Fraction(0))


def _sorted(v: Vector) -> Vector:
    return tuple(sorted(map(abs, v), reverse=True))


def _power_law_excess(g: Vector, p: int) -> Fraction:
    return max(x * x - squared_norm(g) * Fraction(1, (i + 1) ** (2 * p)) for i, x in enumerate(g))


def dissimilarity(
    problem: Problem, q: PrintedParameters, variance: Fraction = Fraction(0)
) -> list[AssumptionCheck]:
    """Assumption 5 on all of S_ε, for the mean over devices and for each device, and B ≥ 1.

    d = 1 with slope ā = mean a_m > 0: ∇f_m/∇f = (a_m/ā)(1 + (w*−z_m)/s) with s = w − w*, and S_ε is
    |s| > √ε/ā. The square is convex in 1/s, so over |1/s| < ā/√ε it stays below the larger end.
    Where d ≥ 2 devices share their minimum; then B(w)² is at most the largest ratio of a coordinate, and
    reaches it. Equal devices give B(w) = 1. B(w) contains the mini-batch noise: `variance` adds variance/ε.
    """
    worst_mean, worst_single = _dissimilarity_suprema(problem, q.epsilon)
    return [
        _at_most("B", "B ≥ 1", Fraction(1), q.B),
        _at_most("Assumption 5", "sup over S_ε of B(w)²", worst_mean + variance / q.epsilon, q.B**2),
        _at_most("Definition 2", "sup over S_ε of ‖∇f_m‖²/‖∇f‖², each device", worst_single, q.B**2),
    ]


def _dissimilarity_suprema(problem: Problem, epsilon: Fraction) -> tuple[Fraction, Fraction]:
    if all(device == problem.devices[0] for device in problem.devices):
        return Fraction(1), Fraction(1)
    if len(problem.minimiser()) > 1:
        return _suprema_at_a_common_minimum(problem)
    star, root = problem.minimiser()[0], _rational_root(epsilon)
    slope = sum((device.curvature[0] for device in problem.devices), Fraction(0)) / len(problem.devices)
    ends = []
    for s in (root / slope, -root / slope):
        ends.append([(d.curvature[0] / slope * (1 + (star - d.centre[0]) / s)) ** 2 for d in problem.devices])
    return max(sum(end, Fraction(0)) / len(end) for end in ends), max(max(end) for end in ends)


def _suprema_at_a_common_minimum(problem: Problem) -> tuple[Fraction, Fraction]:
    """∇_i l_m = a_mi s_i and ∇_i f = ā_i s_i with s = w − w*."""
    if any(any(device.gradient(problem.minimiser())) for device in problem.devices):
        raise InvalidParameter("devices", problem.devices, "a common minimum, where d >= 2")
    means = average([device.curvature for device in problem.devices])
    ratios = [
        [(a / mean) ** 2 for a, mean in zip(device.curvature, means, strict=True)]
        for device in problem.devices
    ]
    return max(average([tuple(row) for row in ratios])), max(map(max, ratios))


def _rational_root(value: Fraction) -> Fraction:
    root = Fraction(isqrt(value.numerator), isqrt(value.denominator))
    if root * root != value:
        raise InvalidParameter("epsilon", value, "the square of a rational")
    return root


def stays_in_S_epsilon(problem: Problem, runs: Iterable[Run], q: PrintedParameters) -> AssumptionCheck:
    """The run lies where Assumption 5 speaks, local iterates included (asked where devices differ)."""
    points = [w for run in runs for w in (*run.broadcast, *(s.iterate for s in run.steps))]
    least = min(squared_norm(problem.gradient(w)) for w in points)
    return AssumptionCheck("S_ε", "every iterate has ‖∇f(w)‖² > ε", least > q.epsilon, least, q.epsilon)


def bounded_iterates(runs: Iterable[Run], q: PrintedParameters) -> AssumptionCheck:
    """‖w‖² ≤ W for every model: broadcast, before top-k, and local, before and after every step."""
    largest = max(squared_norm(w) for w in models(runs, q))
    return _at_most("‖w‖² ≤ W", "every model, local ones to the end of the round included", largest, q.W)


def models(runs: Iterable[Run], q: PrintedParameters) -> Iterator[Vector]:
    """Broadcast, before top-k, and local: where each step starts and where it ends."""
    for run in runs:
        yield from (*run.broadcast, *run.before_top_k)
        for step in run.steps:
            yield from (step.iterate, step.after(q.gamma))


def compressible_models(runs: Iterable[Run], q: PrintedParameters) -> AssumptionCheck:
    """|w|_(i) ≤ i^(−p)‖w‖ for every model: what Lemma 1 needs, and what no assumption of the paper says."""
    worst = max(_power_law_excess(_sorted(w), q.p) for w in models(runs, q))
    return _at_most(
        "models compressible", "|w|_(i)² − i^{−2p}‖w‖² ≤ 0, sorted, every model", worst, Fraction(0)
    )


def recovery(runs: Iterable[Run], sketch: ExactSketch, q: PrintedParameters) -> list[AssumptionCheck]:
    """Lemma 1's hypothesis ε = 1/√(ck) at every round: ck·max_i|ŵ(i) − w(i)|² ≤ ‖w‖²."""
    worst = Fraction(0)
    for run in runs:
        for w in run.before_top_k:
            estimate = sketch.estimate(sketch.add({}, w))
            error = max((a - b) ** 2 for a, b in zip(estimate, w, strict=True))
            worst = max(worst, q.c * q.k * error - squared_norm(w))
    constants = q.c > 1 and 1 <= q.k <= q.d and q.p > 1
    return [
        _at_most("count sketch recovery", "ck·|ŵ(i) − w(i)|² − ‖w‖² ≤ 0, every i and t", worst, Fraction(0)),
        AssumptionCheck("sketch constants", "c > 1, 1 ≤ k ≤ d, p > 1", constants, q.c, Fraction(1)),
        _sketch_size(sketch, q),
    ]


def _sketch_size(sketch: ExactSketch, q: PrintedParameters) -> AssumptionCheck:
    """rows·columns ≥ ck·n, n the least integer with 2.718^n ≥ dT/δ: since 2.718 < e, n ≥ ln(dT/δ)."""
    n, power, target = 0, Fraction(1), q.d * max(q.T, 1) / q.delta
    while power < target:
        n, power = n + 1, power * Fraction(2718, 1000)
    return _at_most("sketch size", "ck·⌈ln(dT/δ)⌉ ≤ rows × columns", q.c * q.k * n, Fraction(sketch.size))


def step_size(q: PrintedParameters) -> list[AssumptionCheck]:
    """The range, ρ > 1/4 (main text), and the two conditions of the appendix."""
    value = rho(q)
    return [
        _at_most("eq:gamma_range", "γ at most the printed range", q.gamma, gamma_range(q)),
        AssumptionCheck("rho > 1/4", "ρ(γ) > 1/4 as printed", value > Fraction(1, 4), value, Fraction(1, 4)),
        _at_most(
            "appendix: gamma <= 1/(2(L+mu))",
            "not in the theorem: 2γ(L+μ) ≤ 1",
            2 * q.gamma * q.Lam,
            Fraction(1),
            False,
        ),
        _at_most(
            "appendix: gamma <= 1/(4E(L+mu)A)",
            "not in the theorem: 4γE(L+μ)(1+2B²(P_b+P_n)) ≤ 1",
            4 * q.gamma * q.E * q.Lam * q.amplification,
            Fraction(1),
            False,
        ),
    ]


def corrected(q: PrintedParameters, sketch: ExactSketch) -> list[AssumptionCheck]:
    """What the fixable errors ask of the constants at E = 1, once they are corrected."""
    value, limit = at(RHO_CORRECTED, q), at(RANGE_CORRECTED.upper, q) / at(RANGE_CORRECTED.slope, q)
    pairs = q.d * (q.d - 1) // 2
    return [
        AssumptionCheck("one local step", "E = 1", q.E == 1, Fraction(q.E), Fraction(1)),
        AssumptionCheck("something is compressed", "k < d", q.k < q.d, Fraction(q.k), Fraction(q.d)),
        AssumptionCheck("corrected rho > 1/4", "ρ as in T1.8", value > Fraction(1, 4), value, Fraction(1, 4)),
        _at_most("corrected range", "γ at most the range of T1.22d", q.gamma, limit),
        _at_most("T1.23", "2γ(L+μ) ≤ 1", 2 * q.gamma * q.Lam, Fraction(1)),
        _at_most("T1.24", "4γ(L+μ)(1+2B²(P_b+P_n)) ≤ 1", 4 * q.gamma * q.Lam * q.amplification, Fraction(1)),
        # Then no two coordinates meet with probability 1 − δ, and the median reads every vector exactly.
        _at_most(
            "sketch size for every vector",
            "rows·d(d−1)/2 ≤ δ·columns",
            Fraction(sketch.rows * pairs),
            q.delta * sketch.columns,
        ),
    ]
