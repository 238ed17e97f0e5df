"""FedProx as a paper of the ledger."""

from theory.ledger.paper import Paper, Source
from theory.papers.fedprox.letters import LETTERS

HERE = "theory.papers.fedprox"
PAPER = Paper(
    name="fedprox",
    source=Source(
        title="Federated Optimization in Heterogeneous Networks",
        identifier="arXiv:1812.06127",
        where="https://arxiv.org/abs/1812.06127",
        version="Proceedings of the 3rd MLSys Conference, 2020",
        read="a text version of 87,581 characters; Sections 3 to 4.2, 5.3.3 and Appendix A",
    ),
    letters=LETTERS,
    assumptions={
        "A1": "the devices' losses are L-smooth, with curvature at least -L_-, and mubar = mu - L_- > 0",
        "A2": "B-local dissimilarity at w: E_k|grad F_k(w)|^2 <= B^2 |grad f(w)|^2",
    },
    sections=(f"{HERE}.setup", f"{HERE}.decrease", f"{HERE}.results", f"{HERE}.repairs"),
    milestones=("FP.6d", "FP.8c", "FP.9c", "FP.14", "FP.T4", "FP.T6", "FP.C7", "FP.C9", "FP.T11", "FP.R1"),
    main=("FP.T4", "Theorem 4"),
    better="FP.R1",
    lemmas={
        "FP.T4": ("Theorem 4", "K independent draws"),
        "FP.T6": ("Theorem 6", "B(w) bounded at every iterate"),
        "FP.T11": ("Theorem 11",),
    },
    calculator="fpsverify fedprox --L L --B B (which mu)",
    origin=f"{HERE}.paper",
)
