"""Where each law comes from: the place in the paper and its lines in `fps_paper.tex`, or the design.

SOURCE = laws.MAC                       a test file says the place in the paper, one of those below
"""

from dataclasses import dataclass


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


MODEL = Source("Section 3.1, the loss and the update of the server", 147, 170)
MAC = Source("Section 3.1, the received gradient with channel noise", 160, 171)
SKETCH = Source("Section 3.2, count sketch", 172, 181)
GUARANTEE = Source("Section 3.2, eq. cs_guarantee, and Theorem 2", 177, 180)
ALGORITHM = Source("Section 4, Algorithm 1", 206, 222)
LINEARITY = Source("Section 4, sketching by linearity", 187, 192)
PROXIMAL = Source("Section 4, the loss with the proximal term", 198, 204)
ASSUMPTION_4 = Source("Assumption 4, power law of gradients", 254, 257)
ASSUMPTIONS = Source("Section 5, Assumptions 1-5 and Definitions 1-2", 224, 270)
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
ADVICE = Source("design: an advised learning rate trains, and says what it rests on")
