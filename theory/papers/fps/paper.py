"""FPS as a paper of the ledger."""

from theory.ledger.paper import Paper, Source
from theory.papers.fps.assumptions import NAMES
from theory.papers.fps.letters import LETTERS

HERE = "theory.papers.fps"
PAPER = Paper(
    name="fps",
    source=Source(
        title="Communication-Efficient Federated Learning over Wireless Channels via Gradient Sketching",
        identifier="arXiv:2410.23424",
        where="https://arxiv.org/abs/2410.23424",
        version="2024",
        read="fps_paper.tex",
        sha256="705b3c3ced1f45cea8639757e091445bbe4af2b3905b76481c69a2e2f2d03e70",
    ),
    letters=LETTERS,
    assumptions=NAMES,
    sections=(
        f"{HERE}.setup.assumptions",
        f"{HERE}.setup.devices",
        f"{HERE}.setup.count_sketch",
        f"{HERE}.lemma1.premises",
        f"{HERE}.lemma1.proof",
        f"{HERE}.lemma1.tail",
        f"{HERE}.lemma2.one_step",
        f"{HERE}.lemma2.recursion",
        f"{HERE}.lemma2.statement",
        f"{HERE}.moments.gradient",
        f"{HERE}.moments.coefficients",
        f"{HERE}.moments.bias_and_noise",
        f"{HERE}.theorem1.descent",
        f"{HERE}.theorem1.moments",
        f"{HERE}.theorem1.rate",
        f"{HERE}.theorem1.average",
        f"{HERE}.theorem1.final",
        f"{HERE}.theorem1.remarks",
        f"{HERE}.theorem1.out_of_reach",
        "theory.counterexamples.runs",
        "theory.repaired.sketch",
        "theory.repaired.convergence",
        "theory.repaired.sketch_space",
        "theory.repaired.fresh",
    ),
    milestones=("L1", "L2", "M.10", "T1.6", "T1.15", "T1.21", "T1.25", "T1.32", "T1.33", "T1"),
    main=("T1", "Theorem 1"),
    # Lemma 2 is false for a device's own gradient (L2.24); at E = 1 its proof divides by 0.
    lemmas={"L1": ("Lemma 1",), "L2": ("Lemma 2", "one model", "E > 1")},
    calculator="fpsverify lr (certified rates)",
    origin=f"{HERE}.paper",
)
