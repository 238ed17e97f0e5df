"""Methods that decide a claim, with two engines or more where two can decide; disagreement raises.

| method          | decides                                             | engines                          |
| --------------- | --------------------------------------------------- | -------------------------------- |
| `Identity`      | l = r as rational functions                         | sympy; own arithmetic            |
| `SumOfSquares`  | l ≤ r, by r − l = Σ multiplier·slack·square         | sympy; own arithmetic; z3        |
| `Contradiction` | l ≤ r, l < r or a disjunction of such, by 0 = a     | sympy; own arithmetic; z3        |
| `Positivity`    | l ≤ r or l < r, by nonnegative coefficients         | sympy; own arithmetic; z3        |
| `Cases`         | a claim with a disjunction among its hypotheses     | those of its cases               |
| `Parts`         | a conjunction                                       | those of its parts               |
| `Solver`        | any polynomial claim, by z3 unsat of the negation   | z3                               |
| `AtPoint`       | refutes: an exact point                             | own arithmetic; sympy            |
| `OnInstance`    | refutes a FiniteClaim: an exact instance            | exact replay; a second judge     |
| `KernelChecked` | a theorem in words, by its proof in `theory/coq`    | Coq's kernel                     |

Second judges are in `theory.counterexamples.second`. z3 is limited by work, not by time, so that a busy
machine gives the same answer; its `unknown` never counts for or against a claim.
"""

from theory.provers.combined import Cases, Parts, Solver
from theory.provers.decided import cross_check, gap
from theory.provers.identity import Identity
from theory.provers.kernel import KernelChecked
from theory.provers.positivity import Positivity
from theory.provers.replay import AtPoint, OnInstance
from theory.provers.sums_of_squares import Contradiction, SumOfSquares, Term, term

__all__ = [
    "AtPoint", "Cases", "Contradiction", "Identity", "KernelChecked", "OnInstance",
    "Parts", "Positivity", "Solver", "SumOfSquares", "Term", "cross_check", "gap", "term",
]  # fmt: skip
