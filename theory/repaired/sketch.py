"""Lemma 1': how far the broadcast is from the vector behind the sketch; Proposition F: a floor of top-k."""

from theory.repaired.results import result

PLACE = "repaired theory, Lemma 1'"


ENTRIES = (
    result(
        "Lemma1r.a",
        f"{PLACE} (a)",
        "The residual of top-k, whatever the errors of the estimates are",
        "Let eta be the largest error on the coordinates that are kept or should be. Then the squared "
        "residual is at most k eta^2 + (tail_k + 2 sqrt(k) eta)^2; with the L2 error U on these coordinates "
        "it is at most U^2 + (tail_k + sqrt(2) U)^2.",
        r"\|r\|^2\le k\eta^2+(\tau_k+2\sqrt k\,\eta)^2",
        ("Residual_By_Largest_Error", "Residual_By_L2_Error"),
        note="The paper's split over the first k coordinates (entry L1.2) has no term for a wrong "
        "selection: on (10, 9) read as (9, 10) with k = 1 the residual is 101, and k eta^2 + tail_k^2 is 82.",
    ),
    result(
        "Lemma1r.b",
        f"{PLACE} (b)",
        "The residual of a vector whose sorted entries fall like a power law",
        "If the i-th largest entry of v is at most i^{-p} |v| with p > 1/2, then tail_k^2 is at most |v|^2 "
        "times the integral of t^{-2p} from k to d, and that from k+1/2 to d+1/2. If besides eta <= "
        "|v|/sqrt(ck) and |v|^2 <= W, the squared residual is at most (1/c + (tail_k/|v| + 2/sqrt(c))^2) W.",
        r"\|r\|^2\le\big[\tfrac1c+(\tau_k/\|v\|+2/\sqrt c)^2\big]W,\quad"
        r"\tau_k^2\le\|v\|^2\frac{k^{1-2p}-d^{1-2p}}{2p-1}",
        ("Power_Law_Tail", "Power_Law_Tail_By_Midpoints", "Residual_Under_Power_Law"),
        depends=("Lemma1r.a",),
        note="The power law is assumed of the vector itself, not of the gradients.",
    ),
    result(
        "Lemma1r.c",
        f"{PLACE} (c)",
        "Errors of the estimates when the vector does not depend on the hash",
        "With J independent rows of K buckets the squared error of an estimate is at most (J/h)((|v|^2 - "
        "v_i^2)/K + sigma_c^2) in expectation for the median, h = ceil(J/2), and that times h/J^2 for the "
        "mean. With a 3-wise independent hash the median errs by more than y with probability at most "
        "P(Bin(J, q) >= h), where q = min(1, min_s [s/K + (tail_s^2/K + sigma_c^2)/y^2]). If all signs are "
        "independent, 2 P(Bin(J, q/2) >= h) holds too.",
        r"P(|\hat\Delta_i|>y)\le P(\mathrm{Bin}(J,q)\ge h)",
        (
            "Second_Moment_Of_A_Row",
            "Second_Moment_Of_The_Mean",
            "Second_Moment_Of_The_Median",
            "Three_Wise_Hash_Is_Random",
            "Failure_Of_The_Median_With_Any_Signs",
            "Failure_Of_The_Median",
            "Union_Over_Readouts",
        ),
        depends=("CS.5",),
        scope="The vector must not depend on the hash: true for a fresh hash, not for the iterates of FPS "
        "(entry L1.10).",
    ),
    result(
        "Lemma1r.d",
        f"{PLACE} (d)",
        "Errors of the median for every vector at once",
        "If any two coordinates collide in at most theta of the J rows, then for every vector, also one "
        "that was chosen after seeing the hash, the median errs by at most theta |v_tail(s)|_1/(h - theta "
        "s) for every s with theta s < h.",
        r"|\hat\Delta_i|\le\min_{s:\vartheta s<h}\frac{\vartheta\|v_{\mathrm{tail}(s)}\|_1}{h-\vartheta s}",
        ("Median_Of_Any_Vector",),
        scope="Without channel noise.",
    ),
    result(
        "PropositionF",
        "repaired theory, Proposition F",
        "A floor that no learning rate removes: k must reach the soft sparsity of the minimiser",
        "f = (L/2)|w - w*|^2, no bias and no noise, a k-sparse broadcast, and a vector v_T behind the "
        "sketch that grows more slowly than T. Then the limit inferior of the mean squared gradient is at "
        "least L^2 |w*|^2 (sp(w*)/k - 1), with the soft sparsity sp(x) = |x|_1^2/|x|_2^2.",
        r"\liminf A\ge L^2\|w^*\|^2\Big(\frac{\mathrm{sp}(w^*)}{k}-1\Big)",
        ("Floor_For_Every_T", "Floor_In_The_Limit"),
        scope="v_T = o(T) holds for exact top-k. It fails for compressing sketches: this is no floor of FPS "
        "with a small sketch.",
    ),
)
