"""Where each law comes from: the place in the paper and its lines in `fps_paper.tex`, or the design.

    pytest property_tests --laws FILE.json        writes the list and runs nothing

A law's sentence is its test's name, then the first paragraph of its docstring. `SOURCES` names a source for
every test file; `PARTS` refines it for tests whose name contains a word.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

LAST_LINE = 967  # of the paper's source


@dataclass(frozen=True)
class Source:
    """A place of the paper with its first and last line; no lines for what only the design demands."""

    place: str
    first: int | None = None
    last: int | None = None

    @property
    def lines(self) -> str:
        if self.first is None:
            return ""
        return str(self.first) if self.last in (None, self.first) else f"{self.first}-{self.last}"


@dataclass(frozen=True)
class Law:
    """A sentence, what its file is about, where it is tested, and where it comes from."""

    sentence: str
    about: str
    test: str
    source: str
    lines: str


MODEL = Source("Section 3.1, the loss and the update of the server", 147, 170)
MAC = Source("Section 3.1, the received gradient with channel noise", 160, 171)
SKETCH = Source("Section 3.2, count sketch", 172, 181)
GUARANTEE = Source("Section 3.2, eq. cs_guarantee, and Theorem 2", 177, 180)
ALGORITHM = Source("Section 4, Algorithm 1", 206, 222)
LINEARITY = Source("Section 4, sketching by linearity", 187, 192)
PROXIMAL = Source("Section 4, the loss with the proximal term", 198, 204)
ASSUMPTION_4 = Source("Assumption 4, power law of gradients", 254, 257)
ASSUMPTIONS = Source("Section 5, Assumptions 1-5 and Definitions 1-2", 224, 270)
DISSIMILARITY = Source("Assumption 5, dissimilarity", 261, 270)
SMOOTHNESS = Source("Assumption 1, smoothness", 227, 229)
RATE = Source("Section 5, rho and eq. gamma_range", 272, 281)
THEOREM_1 = Source("Theorem 1, eq. main_thm", 285, 297)
SIZE = Source("Section 5, size of the sketch; Theorem 2", 282, 282)
SCENARIOS = Source("Section 6, the four scenarios", 311, 314)
EXPERIMENTS = Source("Section 6 and Appendix D, experiments", 307, 451)
BASELINES = Source("Section 6, FetchSGD, BLCD, Top-k and federated baselines", 307, 309)
MNIST = Source("Section 6, MNIST", 381, 385)
CLICKS = Source("Section 6 and Appendix D, KDD12 and KDD10", 318, 321)
MISSION = Source("Appendix A, MISSION", 474, 489)
LEMMA_1 = Source("Appendix C.1, Lemma 1", 498, 522)
LEMMA_2 = Source("Appendix C.2, Lemma 2", 523, 618)
PROOFS = Source("Section 5 and Appendix C, every displayed line", 224, 689)
SYNTHETIC = Source("Appendix D.1, synthetic data", 695, 699)

COMMANDS = Source("design: commands answer in one line or succeed")
FILES = Source("design: files are whole or absent, runs resume bit for bit")
TOOLS = Source("design: the suite's own helpers and provers")
BOOK = Source("design: the book and the README show what the code computes")
RANKS = Source("design: devices may be shared out over processes")
ENGINES = Source("design: the same run under other engines")
OWN = Source("design: modules, losses and data of one's own are problems like the paper's")
COST = Source("design: what a round costs in time")

# Files that take a second or two each: what `dev` runs.
# fmt: off
CORE = frozenset(
    (
        "test_hashing", "test_sketch_laws", "test_topk", "test_channel", "test_local",
        "test_partition", "test_objectives", "test_sparse_logistic", "test_metrics",
        "test_synthetic", "test_clicks", "test_config", "test_idx", "test_libsvm", "test_blcd",
        "test_fetchsgd", "test_baseline_oracles", "test_adaptive_mu", "test_sizing",
        "test_drift", "test_theorem_a", "test_learning_rate", "test_bounds", "test_provers",
        "test_ledger_finite_tests", "test_empirical_energies",
        "test_empirical_shapes",
    )
)
# fmt: on

SOURCES: dict[str, Source] = {
    "test_algorithm_conformance": ALGORITHM,
    "test_assertions": TOOLS,
    "test_baseline_oracles": BASELINES,
    "test_blcd": BASELINES,
    "test_book_browser": BOOK,
    "test_book_pages": BOOK,
    "test_book_ablations": BOOK,
    "test_book_contests": BOOK,
    "test_book_questions": BOOK,
    "test_book_rates": RATE,
    "test_book_sizes": SIZE,
    "test_bounds": THEOREM_1,
    "test_certificates": RATE,
    "test_certified_descent": RATE,
    "test_certified_range": RATE,
    "test_channel": MAC,
    "test_check_cli": RATE,
    "test_checkpoint_survey": FILES,
    "test_cli_run": COMMANDS,
    "test_clicks": CLICKS,
    "test_config": COMMANDS,
    "test_counterexamples": THEOREM_1,
    "test_dask": ENGINES,
    "test_distributed": RANKS,
    "test_drift": LEMMA_2,
    "test_empirical_distorted": ASSUMPTIONS,
    "test_empirical_unseen": ASSUMPTIONS,
    "test_empirical_open_ends": ASSUMPTIONS,
    "test_empirical_outcomes": ASSUMPTIONS,
    "test_empirical_residual": LEMMA_1,
    "test_empirical_verdicts": ASSUMPTIONS,
    "test_empirical_choice": ASSUMPTIONS,
    "test_empirical_energies": ASSUMPTIONS,
    "test_empirical_estimate": ASSUMPTIONS,
    "test_empirical_intervals": ASSUMPTIONS,
    "test_empirical_refusals": ASSUMPTIONS,
    "test_empirical_shapes": ASSUMPTION_4,
    "test_examples": COMMANDS,
    "test_federation": OWN,
    "test_fetch": FILES,
    "test_fetchsgd": BASELINES,
    "test_files": FILES,
    "test_flower": ENGINES,
    "test_flower_processes": ENGINES,
    "test_flower_refusals": ENGINES,
    "test_hashing": SKETCH,
    "test_idx": MNIST,
    "test_laws": TOOLS,
    "test_learning_rate": RATE,
    "test_kernels_exact": LINEARITY,
    "test_kernels_first_use": COST,
    "test_kernels_triton": LINEARITY,
    "test_ledger": PROOFS,
    "test_ledger_cli": COMMANDS,
    "test_ledger_engines": PROOFS,
    "test_ledger_graph": PROOFS,
    "test_ledger_guards": PROOFS,
    "test_ledger_places": PROOFS,
    "test_data_sources": FILES,
    "test_last_words": COMMANDS,
    "test_ledger_finite_tests": LEMMA_1,
    "test_ledger_second": PROOFS,
    "test_libsvm": CLICKS,
    "test_adaptive_mu": PROXIMAL,
    "test_granularity": EXPERIMENTS,
    "test_local": PROXIMAL,
    "test_metrics": EXPERIMENTS,
    "test_mutation_check": TOOLS,
    "test_negative_controls": PROOFS,
    "test_negative_controls_dropped": PROOFS,
    "test_objectives": MODEL,
    "test_partition": SCENARIOS,
    "test_pep": THEOREM_1,
    "test_pepit_devices": RATE,
    "test_rates_refusals": COMMANDS,
    "test_root": RATE,
    "test_sdp_bound": THEOREM_1,
    "test_coq_certificates": RATE,
    "test_theorem_c": RATE,
    "test_portable": TOOLS,
    "test_proofs": PROOFS,
    "test_provers": TOOLS,
    "test_ranks": RANKS,
    "test_rates_cli": COMMANDS,
    "test_rates_extremes": RATE,
    "test_readme": BOOK,
    "test_reductions": ALGORITHM,
    "test_repaired_entries": PROOFS,
    "test_reproduce": EXPERIMENTS,
    "test_robustness": COMMANDS,
    "test_round_cost": COST,
    "test_run_files": FILES,
    "test_run_resume": FILES,
    "test_same_everywhere": LINEARITY,
    "test_sizing": SIZE,
    "test_sketch_device": LINEARITY,
    "test_sketch_edge": RATE,
    "test_sketch_laws": LINEARITY,
    "test_sketch_recovery": GUARANTEE,
    "test_sketch_space": LINEARITY,
    "test_sketch_state_machine": LINEARITY,
    "test_sparse_logistic": CLICKS,
    "test_synthetic": SYNTHETIC,
    "test_theorem_a": THEOREM_1,
    "test_topk": BASELINES,
    "test_unreached": TOOLS,
    "test_validation": PROOFS,
}

PARTS: dict[str, dict[str, Source]] = {
    "test_bounds": {"rho": RATE, "lemma_1": LEMMA_1, "sketch": LEMMA_1},
    "test_counterexamples": {"lemma_1": LEMMA_1, "sketch": SKETCH, "collision": SKETCH},
    "test_empirical_shapes": {"lanczos": SMOOTHNESS, "products": SMOOTHNESS},
    "test_reductions": {"mission": MISSION, "mu": PROXIMAL, "residual": LEMMA_1},
    "test_sizing": {"section_3_2": SKETCH, "tail": LEMMA_1},
    "test_sketch_laws": {"file": FILES, "save": FILES, "refused": COMMANDS, "damaged": FILES},
    "test_validation": {
        "sketch": SKETCH,
        "residual": LEMMA_1,
        "dissimilarity": DISSIMILARITY,
        "drift": LEMMA_2,
        "smoothness": SMOOTHNESS,
    },
}


def source(module: str, name: str) -> Source:
    """The source of one law; a test file that is not listed is an error."""
    parts = PARTS.get(module, {})
    return next((found for word, found in parts.items() if word in name), SOURCES[module])


def first_paragraph(documented: Any) -> str:
    """A docstring's first paragraph on one line; "" without one."""
    text = inspect.getdoc(documented) if documented is not None else None
    return " ".join((text or "").partition("\n\n")[0].split())


def sentence(item: Any) -> str:
    """The law of one of pytest's items. A state machine has no name of its own: its file speaks for it."""
    name = name_of(item)
    if name == "runTest":
        return first_paragraph(item.module)
    words = name.removeprefix("test_").replace("_", " ")
    return f"{words[:1].upper()}{words[1:]}. {first_paragraph(getattr(item, 'function', None))}".rstrip()


def name_of(item: Any) -> str:
    """The test function, without its parameters."""
    return str(getattr(item, "originalname", None) or item.name)


def law_of(item: Any) -> Law:
    found = source(Path(item.path).stem, name_of(item))
    test = item.nodeid.partition("[")[0]
    return Law(sentence(item), first_paragraph(item.module), test, found.place, found.lines)


def listed(items: Iterable[Any]) -> list[Law]:
    """One law for each test function among pytest's items, whatever its parameters."""
    laws: dict[str, Law] = {}
    for item in items:
        law = law_of(item)
        laws.setdefault(law.test, law)
    return list(laws.values())


def write(path: Path, items: Iterable[Any]) -> int:
    """Write the list as JSON; how many laws there are."""
    from fpsverify.files import write_text

    found = listed(items)
    text = json.dumps({"laws": [asdict(law) for law in found]}, indent=1, ensure_ascii=False)
    write_text(path, text + "\n")
    return len(found)
