"""The grids: the paper's tables, the other readings of its text, and the ablations that it leaves open."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from fpsverify.errors import BadInput
from fpsverify.reproduce.benches import BENCHES
from fpsverify.reproduce.cell import E_FPS, EVALUATIONS, Cell, make_cell


def table_cells(dataset: str, profile: str) -> Iterator[Cell]:
    """The cells of a data set's table in the paper's order."""
    bench = BENCHES[dataset]
    for scenario in (1, 2, 3, 4):
        for sigma in bench.sigmas:
            for label in bench.labels:
                yield make_cell(dataset, profile, scenario, sigma, label)
    if "kdd" in dataset:
        yield from _click_readings(dataset, profile)


def _click_readings(dataset: str, profile: str) -> Iterator[Cell]:
    """The server that knows which coordinates occur, everywhere; where noise enters, in Scenarios 1 and 2.

    In Scenario 1 even uncompressed FedProx without noise learns next to nothing here, in Scenario 2 it does.
    """
    support, sigmas = "algorithm.scan=support", BENCHES[dataset].sigmas
    for scenario in (1, 2, 3, 4):
        for sigma in sigmas:
            for label in ("FPS", "FetchSGD"):
                yield make_cell(dataset, profile, scenario, sigma, label, "scan-support", support)
    for scenario, place in product((1, 2), ("avg", "grad")):
        for scan, extra in (("", ()), ("-scan-support", (support,))):
            options = ("local.mu=0.0", f"channel.noise_on={place}", *extra)
            yield make_cell(dataset, profile, scenario, max(sigmas), "FPS", f"noise-{place}{scan}", *options)


# Each reading changes one option of the table's cell; μ is fixed so that only that option differs.
READINGS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("FPS", "default", ()),
    ("FPS", "noise-avg", ("channel.noise_on=avg",)),
    ("FPS", "noise-grad", ("channel.noise_on=grad",)),
    ("FPS", "noise-grad-accum", ("channel.noise_on=grad", "algorithm.device_sketch=accum")),
    ("FPS", "accum", ("algorithm.device_sketch=accum",)),
    ("FPS", "resync", ("algorithm.device_sketch=resync", "algorithm.simulate=batched")),
    ("FPS", "initial-sketch", ("algorithm.initial_model=sketch",)),
    ("FPS", "initial-zero", ("algorithm.initial_model=zero",)),
    ("FetchSGD", "default", ()),
    ("FetchSGD", "noise-avg", ("channel.noise_on=avg",)),
    ("FetchSGD", "send-update", ("algorithm.transmit=update",)),
    ("FetchSGD", "subtract", ("algorithm.error_feedback=subtract",)),
    ("FetchSGD", "no-momentum", ("algorithm.momentum=0.0",)),
    ("FetchSGD", "momentum-not-masked", ("algorithm.momentum_masking=false",)),
    ("BLCD", "default", ()),
    ("BLCD", "noise-avg", ("channel.noise_on=avg",)),
    ("BLCD", "send-update", ("algorithm.transmit=update",)),
    ("BLCD", "no-memory", ("algorithm.memory=false",)),
    ("Top-k", "default", ()),
    ("Top-k", "noise-avg", ("channel.noise_on=avg",)),
    ("Top-k", "send-update", ("algorithm.transmit=update",)),
    ("Top-k", "no-memory", ("algorithm.memory=false",)),
    ("FedProx", "default", ()),
    ("FedProx", "noise-avg", ("channel.noise_on=avg",)),
    ("FedProx", "send-update", ("algorithm.transmit=update",)),
)


def reading_cells(profile: str) -> Iterator[Cell]:
    """The readings of the paper on noisy MNIST in the mildest and the hardest scenario; in the other two what
    decides who is best, rivals that send updates."""
    for scenario in (1, 2, 3, 4):
        for label, reading, overrides in READINGS:
            if scenario > 2 and reading != "send-update" and (label, reading) != ("FPS", "default"):
                continue
            if "accum" in reading:
                overrides = (*overrides, "algorithm.simulate=batched")
            yield make_cell("mnist", profile, scenario, 0.8, label, reading, "local.mu=0.0", *overrides)


def ablation_cells(profile: str) -> Iterator[Cell]:
    """What the paper leaves open, on noisy MNIST in Scenario 2: E (at equal gradient steps), μ, fixed and
    adaptive, k and K, and sketches that persist, accumulate or are re-synchronised."""
    size = BENCHES["mnist"].sizes[profile]

    def cell(reading: str, *overrides: str) -> Cell:
        base = () if reading.startswith("mu") else ("local.mu=0.0",)
        return make_cell("mnist", profile, 2, 0.8, "FPS", reading, *base, *overrides)

    for E in (1, 2, 5, 10, 20):
        rounds = size.rounds * E_FPS // E
        every = max(1, rounds // EVALUATIONS)
        yield cell(f"E{E}", f"local.E={E}", f"rounds={rounds}", f"record.evaluate_every={every}")
    for mu in BENCHES["mnist"].mus:
        yield cell(f"mu{mu:g}", f"local.mu={mu}")
    for mu in (0.0, 1.0):
        yield cell(f"mu-adaptive-from-{mu:g}", f"local.mu={mu}", "local.mu_step=0.1")
    for k in (2000, 5000, 10_000):
        for K in (5000, 10_000, 20_000):
            yield cell(f"k{k}-K{K}", f"algorithm.k={k}", f"algorithm.buckets={K // 5}")
    for k in (100, 10_000):
        for held in ("persist", "accum", "resync"):
            batched = f"algorithm.simulate={'averaged' if held == 'persist' else 'batched'}"
            yield cell(f"{held}-k{k}", f"algorithm.k={k}", f"algorithm.device_sketch={held}", batched)


GRIDS = (*BENCHES, "readings", "ablations")
PROFILES = ("quick", "full")


def cells(grid: str, profile: str) -> list[Cell]:
    """All cells of a grid."""
    if grid not in GRIDS:
        raise BadInput("grid", grid, "one of " + ", ".join(GRIDS))
    if profile not in PROFILES:
        raise BadInput("--profile", profile, " or ".join(PROFILES))
    if grid in BENCHES:
        return list(table_cells(grid, profile))
    return list(reading_cells(profile) if grid == "readings" else ablation_cells(profile))
