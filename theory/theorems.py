"""Which theorem covers a run, and what it promises: decided here and nowhere else.

`facts.Facts` is all that is known of a problem and a setting, whoever asks: from letters on a command line,
from a config, a federation or a recorded run. `THEOREMS` says which of the conditions on it each theorem
asks, which learning rates it allows and what it promises there. `decide` judges every theorem: it applies, or
all that is missing is named. Words are made elsewhere, from the names of the conditions.

    >>> facts = of_letters(Box.point(Parameters(L=4, E=1)))
    >>> verdict = decide(facts, only=("descent",))[0]
    >>> verdict.applies, round(verdict.allowed.gamma_max, 3)
    (True, 0.5)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from theory.facts import Compression, Facts, Loss, lacking
from theory.formulas import convex as fc
from theory.formulas.evaluated import compiled
from theory.papers.fps.letters import L, P_n, gamma
from theory.rates.answer import certified_in, convex_in
from theory.rates.descent.certified import CertifiedRange, certify
from theory.rates.fresh import FAILURE, FreshRange, HashRange, Sketch, fresh_range, range_for_a_random_hash
from theory.rates.fresh_sketch import FreshSketch
from theory.rates.parameters import Box, Parameters, Scalar
from theory.rates.ranges import Range, learning_rate_range
from theory.rates.theorem_c import ConvexRange


@dataclass(frozen=True)
class Allowed:
    """0 < γ ≤ gamma_max (< if strict), None: every γ. Without `all_smaller` only gamma_max itself, what is
    `below` another limit, and the γ in `also` are covered."""

    gamma_max: float | None
    strict: bool = False
    all_smaller: bool = True
    below: float = 0.0
    also: tuple[float, ...] = ()

    def contains(self, rate: float) -> bool:
        """Is γ covered?"""
        if not rate > 0:
            return False
        if self.gamma_max is None:
            return True
        if not self.all_smaller:
            return rate == self.gamma_max or rate < self.below or rate in self.also
        return rate < self.gamma_max if self.strict else rate <= self.gamma_max


@dataclass(frozen=True)
class Promise:
    """At γ the mean of |grad f|^2 over T rounds is at most the sum of these multiples of Delta/T (or of
    |x_0 - x*|^2/T), G^2 (for Theorem C mean |grad l_m(x*)|^2), b^2, sigma^2 and the channel's variance. None:
    no number is known."""

    gamma: float
    Delta_over_T: float | None = None
    distance_over_T: float | None = None
    G2: float | None = 0.0
    b2: float | None = 0.0
    sigma2: float | None = 0.0
    channel: float | None = None


@dataclass(frozen=True)
class Verdict:
    """One theorem on one set of facts. `missing` conditions fail and `open` ones cannot be told; `allowed` is
    what the theorem would allow if they held. `proof` is the range that it comes from."""

    theorem: str
    missing: tuple[str, ...]
    open: tuple[str, ...]
    allowed: Allowed | None
    promise: Promise | None = None
    proof: CertifiedRange | ConvexRange | Range | HashRange | None = None

    @property
    def applies(self) -> bool | None:
        """None: cannot tell."""
        if self.missing:
            return False
        return None if self.open else self.allowed is not None

    def covers(self, rate: float) -> bool | None:
        """Does the theorem hold for a run at γ?"""
        return self.applies if self.allowed is None or self.allowed.contains(rate) else False


class _Ranges:
    """The ranges at these facts, each computed when it is first asked for."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    @cached_property
    def certified(self) -> CertifiedRange | None:
        f = self.facts
        return None if f.box is None else certified_in(f.box, f.theta, f.L_f)

    @cached_property
    def convex(self) -> ConvexRange | None:
        return None if self.facts.box is None else convex_in(self.facts.box, self.facts.L_f)

    @cached_property
    def sharp(self) -> Range | None:
        return None if self.facts.box is None else learning_rate_range("repaired_sharp", self.facts.box)

    @cached_property
    def fresh(self) -> FreshRange | None:
        """The range of a fresh sketch, A3 at the broadcasts; its price from the trace where that is known."""
        f, c = self.facts, self.facts.compression
        if f.box is None or c is None or c.rows is None or c.buckets is None or c.hash != "fresh":
            return None
        q, (n, M) = worst(f.box), f.participants or (None, None)
        trace = None if f.trace is None else max(Fraction(f.trace.high), Fraction(q.L))
        sketch = FreshSketch(c.rows, c.buckets, c.d, Fraction(q.L), trace, c.kind)
        return fresh_range(q, sketch, M, n, f.theta)

    @cached_property
    def any_hash(self) -> HashRange | None:
        f, c = self.facts, self.facts.compression
        if f.box is None or c is None or c.rows is None or c.buckets is None:
            return None
        return range_for_a_random_hash(f.box.high, Sketch(c.rows, c.buckets, c.k, c.d, c.recovery))


@dataclass(frozen=True)
class Theorem:
    """What a theorem needs, which γ it allows, and what it promises at the largest of them."""

    name: str
    needs: tuple[str, ...]
    allows: Callable[[_Ranges], tuple[Allowed | None, object]]
    promises: Callable[[_Ranges, float], Promise | None] = lambda found, rate: None


def _certificate(found: _Ranges) -> tuple[Allowed | None, object]:
    """The certified range; below the edge, where that is known."""
    given = found.certified
    if given is None or given.empty:
        return None, given
    if given.gamma_max is None:
        return Allowed(None), given
    capped = _capped(found, given.gamma_max)
    return Allowed(capped, all_smaller=given.all_smaller, below=given.theorem_a), given


def _capped(found: _Ranges, rate: float) -> float:
    edge = found.facts.edge
    return rate if edge is None or not math.isfinite(edge.low) else min(rate, edge.low)


def _convex(found: _Ranges) -> tuple[Allowed | None, object]:
    """Theorem C. Where curvature was seen at points alone, no more than what the certificate allows too."""
    given, proof = found.convex, found.certified
    if given is None or not given.applies:
        return None, given
    if given.gamma_max is None:
        return Allowed(None, strict=True), given
    if found.facts.known_throughout or proof is None:
        return Allowed(given.gamma_max, strict=True), given
    if proof.gamma_max is None:
        return None, proof
    return Allowed(min(proof.gamma_max, given.gamma_max)), proof


def _below_the_edge(found: _Ranges) -> tuple[Allowed | None, object]:
    allowed, proof = _certificate(found)
    return (None if found.facts.edge is None else allowed), proof


def _sharp(found: _Ranges) -> tuple[Allowed | None, object]:
    given = found.sharp
    if given is None or given.empty:
        return None, given
    return Allowed(given.gamma_max, given.strict), given


def _fresh(found: _Ranges) -> tuple[Allowed | None, object]:
    given = found.fresh
    if given is None or given.gamma_max is None:
        return None, given
    proof = given.broadcasts
    return Allowed(given.gamma_max, all_smaller=proof.all_smaller, below=proof.theorem_a), proof


def _edge_itself(found: _Ranges) -> tuple[Allowed | None, object]:
    edge = found.facts.edge
    return (None if edge is None else Allowed(edge.low, strict=True)), None


def _any_hash(found: _Ranges) -> tuple[Allowed | None, object]:
    given = found.any_hash
    if given is None or given.gamma_max is None:
        return None, given
    return Allowed(given.gamma_max, strict=True), given


def _price_of_descent(found: _Ranges, rate: float) -> Promise | None:
    return None if found.certified is None else _of_floor(found.certified, rate)


def _of_floor(given: CertifiedRange, rate: float) -> Promise | None:
    """c A <= Delta/T + the prices, divided by c; a smaller γ scales c and all prices but the channel's."""
    floor = given.floor
    if floor is None or given.proof is None:
        return None
    s = float(Fraction(rate) / given.proof.gamma)
    as_float = lambda x: None if x is None else float(x)  # noqa: E731
    channel = None if floor.channel is None else float(floor.channel) / s
    return Promise(
        rate,
        float(floor.Delta_over_T) / s,
        G2=float(floor.G2),
        b2=as_float(floor.b2),
        sigma2=as_float(floor.sigma2),
        channel=channel,
    )


def _price_of_fresh(found: _Ranges, rate: float) -> Promise | None:
    return None if found.fresh is None else _of_floor(found.fresh.broadcasts, rate)


def _price_of_convexity(found: _Ranges, rate: float) -> Promise | None:
    """A <= (2/kappa){|x_0 - x*|^2/T + C G*^2 + gamma^2 E sigma^2}."""
    box = found.facts.box
    if box is None or box.high.L == 0:
        return None
    q, step = box.high, Fraction(rate)
    kappa = Fraction(compiled(fc.KAPPA, (L, P_n, gamma))(Fraction(q.L), Fraction(q.P_n), step))
    if kappa <= 0:
        return None
    letters = (fc.kappa, fc.share, P_n, gamma)
    shares = [Fraction(q.P_n) + q.E - e for e in range(q.E)]
    summand = compiled(fc.CONVEX_SUMMAND, letters)
    C = sum((summand(kappa, share, Fraction(q.P_n), step) for share in shares), Fraction(0))
    return Promise(
        rate,
        distance_over_T=float(2 / kappa),
        G2=float(2 * C / kappa),
        b2=None,
        sigma2=float(2 * step**2 * q.E / kappa),
    )


def _price_below_the_edge(found: _Ranges, rate: float) -> Promise | None:
    """Corollary B2: 2 Delta/((2 - u) gamma T), u = 2 gamma/edge, in the norm of the table."""
    edge = found.facts.edge
    if edge is None or not rate < edge.low:
        return None
    return Promise(rate, 1 / (rate * (1 - rate / edge.low)))


CONSTANTS_HOLD = ("finite constants", "curvature everywhere", "noise everywhere", "no fading", "all rows")
SEEN = ("everyone", "smooth", "noise", "bias", "proximal step")
ROUND = ("mean", *SEEN, "fixed mu")
FRESH = ("fresh hash", "no memory", "k = d", "mean read-out", "differences")
ONE_HASH = ("k = d", "mean read-out", "one hash")
THEOREMS = (
    Theorem(
        "descent",
        (*ROUND, *CONSTANTS_HOLD, "nothing compressed", "differences"),
        _certificate,
        _price_of_descent,
    ),
    Theorem(
        "Theorem C",
        (*ROUND, *CONSTANTS_HOLD, "nothing compressed", "convex", "minimum", "no mu", "no bias"),
        _convex,
        _price_of_convexity,
    ),
    Theorem(
        "Corollary B2",
        (*ROUND, "all rows", "one step", "quadratic", *ONE_HASH, "noiseless", "exact edge"),
        _below_the_edge,
        _price_below_the_edge,
    ),
    Theorem(
        "Corollary B2, any hash",
        (*ROUND, "one step", *ONE_HASH, "noiseless", "no bias"),
        _any_hash,
    ),
    Theorem(
        "Theorem A",
        (
            "finite constants",
            "everyone",
            "smooth",
            "noise",
            "bias",
            "proximal step",
            "differences",
            "residual",
        ),
        _sharp,
    ),
    Theorem(
        "Theorem S",
        ("mean", "smooth", "noise", "bias", "proximal step", "fixed mu", *CONSTANTS_HOLD, *FRESH),
        _fresh,
        _price_of_fresh,
    ),
    Theorem(
        "Corollary B1",
        ("one step", "kept sketch", "kept table", "vectors kept", "dense data", "finite noise", "edge"),
        _edge_itself,
    ),
)
EXACT_EDGE = ("quadratic", "mean read-out", "k = d", "kept table")


def decide(facts: Facts, rate: float | None = None, only: Iterable[str] | None = None) -> tuple[Verdict, ...]:
    """Every theorem on these facts. At a γ that a certificate for one γ leaves out, one for it is tried."""
    found = _Ranges(facts)
    chosen = [t for t in THEOREMS if only is None or t.name in only]
    return tuple(_judged(theorem, found, rate) for theorem in chosen)


def promised(facts: Facts, theorem: str, rate: float) -> Promise | None:
    """What a theorem promises at γ, if its conditions are met; None where it names no number."""
    return next(t for t in THEOREMS if t.name == theorem).promises(_Ranges(facts), rate)


def _judged(theorem: Theorem, found: _Ranges, rate: float | None) -> Verdict:
    missing, undecided = lacking(found.facts, theorem.needs)
    allowed, proof = theorem.allows(found)
    if allowed is not None and rate is not None:
        allowed = _with_own_certificate(found, allowed, rate)
    promise = None
    if allowed is not None and not missing and allowed.gamma_max is not None:
        promise = theorem.promises(found, allowed.gamma_max * (1 - 1e-9 * allowed.strict))
    return Verdict(theorem.name, missing, undecided, allowed, promise, proof)  # type: ignore[arg-type]


def _with_own_certificate(found: _Ranges, allowed: Allowed, rate: float) -> Allowed:
    """For mu > 0 and E >= 2 a certificate speaks of one γ: this very γ may have one as well."""
    box = found.facts.box
    if allowed.all_smaller or allowed.contains(rate) or box is None or allowed.gamma_max is None:
        return allowed
    if rate > allowed.gamma_max or certify(worst(box), rate, found.facts.theta) is None:
        return allowed
    return replace(allowed, also=(rate,))


def worst(box: Box) -> Parameters:
    """The corner of a box at which a certificate covers all of it."""
    return replace(box.high, M=box.low.M)


def of_letters(
    box: Box,
    theta: Scalar = 1,
    L_f: Scalar | None = None,
    *,
    noise: bool = True,
    sketch: Compression | None = None,
    loss: Loss | None = None,
) -> Facts:
    """Facts from constants given by hand: they are taken to hold throughout. `noise`: there may be some."""
    given: Loss = loss or ("convex" if theta <= 0 else "smooth")
    return Facts(
        E=box.high.E,
        mu=float(box.high.mu),
        box=box,
        loss=given,
        theta=theta,
        L_f=L_f,
        compression=sketch,
        full_batch=not noise,
        residual=True if sketch is None else None,
    )


def with_any_hash(q: Parameters, sketch: Sketch) -> HashRange:
    """What is proved with a sketch of this size before its hash is known; `why` names what is missing."""
    size = Compression(sketch.k, sketch.d, sketch.rows, sketch.buckets, sketch.recovery, hash_known=False)
    facts = of_letters(Box.point(q), noise=q.P_n > 0, sketch=size)
    (verdict,) = decide(facts, only=("Corollary B2, any hash",))
    if verdict.missing:
        lacks = ", ".join(verdict.missing)
        return HashRange(None, None, float(FAILURE), f"it would need: {lacks}")
    return range_for_a_random_hash(q, sketch)


def guaranteed(verdicts: Iterable[Verdict]) -> Verdict | None:
    """Of the theorems that apply, the one that allows the largest γ."""
    sure = [(v.allowed, v) for v in verdicts if v.applies and v.allowed is not None]
    best, found = 0.0, None
    for allowed, verdict in sure:
        size = math.inf if allowed.gamma_max is None else allowed.gamma_max
        if size > best:
            best, found = size, verdict
    return found


def nearest(verdicts: Iterable[Verdict]) -> Verdict:
    """The theorem that lacks least."""
    return min(verdicts, key=lambda v: len(v.missing) + len(v.open))


def could_hold(facts: Facts, only: Iterable[str]) -> bool:
    """Are the conditions of one of these theorems met, whatever the constants and learning rates?"""
    needs = [[n for n in t.needs if n != "finite constants"] for t in THEOREMS if t.name in only]
    return any(not any(lacking(facts, each)) for each in needs)


def is_certified(verdicts: Iterable[Verdict], rate: float) -> bool:
    """Does some theorem cover a run at γ? A certificate that speaks of one γ covers no other."""
    return any(v.covers(rate) for v in verdicts)


def named(verdicts: Iterable[Verdict], theorem: str) -> Verdict:
    """The verdict on one theorem."""
    return next(v for v in verdicts if v.theorem == theorem)
