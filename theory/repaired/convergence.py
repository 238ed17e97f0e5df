"""Lemma 2', Theorem A with its range, Corollaries 1 and 2, Theorem C, and certified descent."""

from theory.repaired.results import BOUNDED, result

PLACE = "repaired theory"


ENTRIES = (
    result(
        "Refutation",
        "Section 5, eq. (12), Theorem 1, negated",
        "Theorem 1 is false as printed, and also under every step-size condition of the paper",
        "The printed theorem, for all numbers of devices, local epochs and sketches, implies a "
        "contradiction. So does the theorem with the two step-size conditions of the appendix and rho > "
        "1/4 added.",
        r"\neg\,\text{Theorem 1}",
        (
            "Theorem_1_is_false",
            "Theorem_1_is_false_under_every_condition",
            "Negative_sketch_term_in_many_dimensions",
        ),
        note="Most of the refuting runs have one coordinate. For every d >= 2 a run with k = d and f = 0 "
        "meets Assumption 4 as printed, and the printed right side is negative if c is large.",
    ),
    result(
        "Lemma2r",
        f"{PLACE}, Lemma 2'",
        "Lemma 2': the drift of the local iterates, averaged over the devices",
        "Let D^2 be the mean of the squared device gradients at the broadcast point and S_0 = 0. With H_e = "
        "D + L S_e and S_{e+1}^2 = [(1 - gamma mu) S_e + gamma (H_e + sqrt(P_b H_e^2 + b^2))]^2 + gamma^2 "
        "(P_n H_e^2 + sigma^2), the mean squared drift after e local steps is at most S_e^2. Closed forms "
        "follow; the recursion is attained.",
        r"\mathrm{mean}_m\mathbb{E}\|w^{m,e}-x\|^2\le S_e^2\le2(1+\kappa)^{2e}\gamma^2e^2"
        r"[(1+P_b+\tfrac{P_n}{2})D^2+b^2+\tfrac{\sigma^2}{2}]",
        ("Drift_Of_A_Round", "Drift_Closed_Form", "Drift_Square_Form", "Drift_Two_Is_Best", "Drift_Attained"),
        note="No condition on the step but gamma mu <= 1; kappa = gamma L (1 + sqrt(P_b) + sqrt(P_n)).",
    ),
    result(
        "TheoremA",
        f"{PLACE}, Theorem A",
        "Theorem A: a bound on the mean squared gradient of FPS at the broadcast points",
        "Under A1-A4 the mean squared gradient A satisfies (*): A is at most 2 Delta/(gamma Ebar T) + F^2 + "
        "the maximum of 2 rho x - x^2 + u (x + sqrt(N))^2 over x >= 0 with |x - sqrt(A)| <= F. Here u = L "
        "gamma Ebar, rho = L R with R^2 the mean squared residual, and F and N come from the recursion of "
        "Lemma 2' at D^2 = G^2 + B^2 A. At E = 1 it is u (x^2 + N).",
        r"A\le\frac{2\Delta}{\gamma\bar ET}+F^2+\max\{2\rho x-x^2+u(x+\sqrt N)^2:x\ge0,|x-\sqrt A|\le F\}",
        ("Theorem_A", "Theorem_A_One_Step", "Theorem_A_Measured", "Assumptions_Can_Be_Met"),
        depends=("Lemma2r",),
        scope=BOUNDED,
        note="Each of A1-A4 is needed: entry TheoremA.needed.",
    ),
    result(
        "TheoremA.needed",
        f"{PLACE}, Theorem A, its assumptions",
        "Without any one of its assumptions Theorem A is false",
        "For each assumption (smooth losses, f >= f*, bounded bias, bias known from the past, centred "
        "noise, bounded noise, uncorrelated devices where nu = 1/M, similar devices, gamma mu <= 1) there "
        "is a run that meets all the others and breaks (*). Devices that are uncorrelated at equal steps "
        "only are not enough.",
        r"\forall a:\ \neg\,(\text{Theorem A without the assumption }a)",
        (
            "Assumptions_By_Name",
            "Smoothness_Is_Needed",
            "Lower_Bound_Is_Needed",
            "Bias_Bound_Is_Needed",
            "Bias_Known_Is_Needed",
            "Centred_Noise_Is_Needed",
            "Noise_Bound_Is_Needed",
            "Uncorrelated_Devices_Are_Needed",
            "Equal_Steps_Are_Not_Enough",
            "Similar_Devices_Are_Needed",
            "Small_Proximal_Step_Is_Needed",
        ),
        depends=("TheoremA",),
        note="The runs are quadratics on the line with at most three rounds.",
    ),
    result(
        "TheoremA.range",
        f"{PLACE}, Theorem A, its learning rates",
        "The learning rates for which Theorem A gives a finite bound",
        "The set of values A that (*) excludes is upward closed. With alpha and n the limits of F^2/t and "
        "N/t, (*) gives a finite bound exactly if alpha < 1 and 1 - alpha exceeds the maximum of -x^2 + u "
        "(x + sqrt(n))^2 over |x - 1| <= sqrt(alpha); for E = 1 of -x^2 + u (x^2 + n). At E = 1 and P_n = 0 "
        "this is gamma < 2/(L (1 + sqrt(P))) with P = P_b B^2 < 1.",
        r"\gamma<\frac{2}{L(1+\sqrt P)}\quad(E=1,\ P_n=0)",
        ("Excluded_Is_Upward_Closed", "Range_Of_Theorem_A", "Range_Of_One_Step_Without_Relative_Noise"),
        depends=("TheoremA",),
        scope="A range for the bound, if the residual stays bounded. With a compressing sketch a learning "
        "rate inside it can diverge: see Theorem B.",
    ),
    result(
        "Corollary1",
        f"{PLACE}, Corollary 1",
        "Corollary 1: one local step",
        "If L gamma < 1 and rho_1 = 1 - P - L gamma nu P_n B^2 > 0, then A is at most 1/rho_1 times 2 "
        "Delta/(gamma T) + L^2 R^2/(1 - L gamma) + b^2 + P_b G^2 + L gamma nu (sigma^2 + P_n G^2).",
        r"A\le\rho_1^{-1}\Big\{\frac{2\Delta}{\gamma T}+\frac{L^2R^2}{1-L\gamma}+b^2+P_bG^2"
        r"+L\gamma\nu(\sigma^2+P_nG^2)\Big\}",
        ("Corollary_1",),
        depends=("TheoremA",),
        scope=BOUNDED,
    ),
    result(
        "Corollary2",
        f"{PLACE}, Corollary 2",
        "Corollary 2: several local steps",
        "If P < 1 and gamma is at most (1-P)/(8L(E-1)c c_b B), (1-P)/(16 L nu P_n B^2) and 1/(2 mu (E-1)), "
        "then A is at most 2/(1-P) times 2 Delta/(gamma Ebar T) + 2 L^2 R^2 + (36/25) b^2 + [(6/5) P_b + 8 "
        "c^2 c_b^2 gamma^2 L^2 (E-1)^2/(1-P)] G^2 + 24 c_b^2 gamma^2 L^2 (E-1) sigma^2/(1-P) + gamma L nu "
        "[(21/8) sigma^2 + (5/8) b^2 + (45/16) P_n G^2]; c_b = 1 + sqrt(P_b), c = c_b + sqrt(P_n).",
        r"A\le\frac{2}{1-P}\Big\{\frac{2\Delta}{\gamma\bar ET}+2L^2R^2+\tfrac{36}{25}b^2+\dots\Big\}",
        ("Corollary_2",),
        depends=("TheoremA",),
        scope=BOUNDED,
    ),
    result(
        "TheoremC",
        f"{PLACE}, Theorem C",
        "Theorem C: convex losses, with no assumption on how different the devices are",
        "Convex device losses with a common minimiser x* of f, no bias and no proximal term. With kappa = 2 "
        "gamma/L - gamma^2 (1 + P_n) > 0, the mean squared gradient is at most (2/kappa) times |x_0 - "
        "x*|^2/T + C G*^2 + gamma^2 E sigma^2, where G*^2 is the mean squared device gradient at x*.",
        r"A\le\frac2\kappa\Big\{\frac{\|x_0-x^*\|^2}{T}+CG_*^2+\gamma^2E\sigma^2\Big\}",
        ("Theorem_C", "Theorem_C_With_Residual"),
        scope="A minimiser must exist: separable logistic loss has none.",
    ),
    result(
        "Descent",
        f"{PLACE}, certified learning rates",
        "Multipliers that satisfy (i)-(iii) give descent in every round",
        "Nonnegative multipliers whose function values cancel (i) and whose two matrices are positive "
        "semidefinite (ii, iii) prove that E f(x_+) - f(x) is at most -c |grad f(x)|^2 plus prices times "
        "G^2, b^2 and sigma^2. So a rational certificate is a proof for its learning rate.",
        r"\mathbb{E}f(x_+)-f(x)\le-c\|\nabla f(x)\|^2+(\eta_0+\eta_+)G^2+\Sigma\tau b^2"
        r"+\Sigma\vartheta\sigma^2",
        ("Interpolation", "Descent", "Descent_Without_Noise", "Smaller_Rates_Descend", "Check_Sound"),
    ),
)
