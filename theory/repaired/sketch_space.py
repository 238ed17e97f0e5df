"""Theorem B and what belongs to it: FPS seen through the table of its sketch."""

from theory.repaired.results import result

PLACE = "repaired theory, sketch space"


ENTRIES = (
    result(
        "TheoremB",
        f"{PLACE}, Theorem B",
        "Theorem B: (*) for the gradient as the sketch sees it, whatever the read-out is",
        "For any symmetric positive semidefinite C put M = S^T C S and x_t = S^T C s_t. The mean squared "
        "gradient A_M in the seminorm of M satisfies (*) with u = gamma Ebar L_M, rho the distance between "
        "the gradients at x_t - xi and at the broadcast point, and the noise stored in the table as a "
        "further term. Mean, median, top-k and channel noise on the read-out are all allowed.",
        r"A_M\le\frac{2\Delta}{\gamma\bar ET}+\Theta+F^2+\max\{2\rho x-x^2+u(x+\sqrt N)^2\}",
        ("Theorem_B", "Theorem_B_One_Step", "Range_Of_Theorem_B", "Assumptions_B_Can_Be_Met"),
        depends=("Lemma2r",),
        scope="A bound on the gradient in the seminorm of M; it says nothing about the null space of S.",
    ),
    result(
        "CorollaryB1",
        f"{PLACE}, Corollary B1",
        "Corollary B1: one local step without bias",
        "For u < 2 the root of A_M is at most [rho + sqrt(rho^2 + (2-u)(c + uN))]/(2-u); for u < 1, A_M "
        "is at most c + rho^2/(1-u) + uN, where c = 2 Delta/(gamma T) + Theta.",
        r"\sqrt{A_M}\le\frac{\rho+\sqrt{\rho^2+(2-u)(c+uN)}}{2-u}",
        ("Corollary_B1",),
        depends=("TheoremB",),
    ),
    result(
        "CorollaryB2",
        f"{PLACE}, Corollary B2",
        "Corollary B2: with the mean read-out and k = d every gamma below 2/L_A converges, and no other",
        "Mean read-out, k = d, one local step, no noise: the mean of |grad f|_A^2 is at most 2 (f(x_0) "
        "- f*)/((2-u) gamma T) for every gamma < 2/L_A. For quadratics the iteration diverges beyond.",
        r"\frac1T\sum_t\|\nabla f(\tilde w_t)\|_A^2\le\frac{2(f(x_0)-f^*)}{(2-u)\gamma T},\quad"
        r"\gamma<\frac{2}{L_A}",
        ("Corollary_B2", "Growth_Along_An_Eigenvector"),
        depends=("TheoremB",),
        scope="For the mean read-out. The median can diverge inside this range (Proposition M).",
    ),
    result(
        "CorollaryB3",
        f"{PLACE}, Corollary B3",
        "Corollary B3: several local steps, closed form",
        "With C scaled so that the largest eigenvalue of M is at most 1, Corollary 2 holds with A_M in "
        "place of A, B^2/kappa in place of B^2, and the stored noise as a further term.",
        r"A_M\le\frac{2}{1-P/\kappa}\{\dots\}+\Theta",
        ("Corollary_B3",),
        depends=("TheoremB", "Corollary2"),
    ),
    result(
        "IdentityI1",
        f"{PLACE}, identity I1",
        "The mean sketched gradient is the movement of the table",
        "One local step, no noise, any read-out: the mean over the rounds of S grad f(w~_t) equals (s_0 "
        "- s_T)/(gamma T).",
        r"\frac1T\sum_tSa_t=\frac{s_0-s_T}{\gamma T}",
        ("Identity_I1",),
    ),
    result(
        "IdentityI2",
        f"{PLACE}, identity I2",
        "The growth of the table is a mean inner product",
        "One local step, no noise, any read-out: the mean of <x_t, grad f(w~_t)> equals (|s_0|^2 - "
        "|s_T|^2)/(2 gamma J T) + (gamma/2) A_A.",
        r"\frac1T\sum_t\langle x_t,a_t\rangle=\frac{\|s_0\|^2-\|s_T\|^2}{2\gamma JT}+\frac\gamma2A_A",
        ("Identity_I2",),
    ),
    result(
        "PropositionE",
        f"{PLACE}, Proposition E",
        "If the table grows more slowly than T, what is left of the gradient is its chatter",
        "For every fixed g, A_M is at most the mean of |a_t - g|_M^2 plus 2 |g|_M |C^{1/2}(s_0 - "
        "s_T)|/(gamma T).",
        r"A_M\le\frac1T\sum_t\|a_t-g\|_M^2+\frac{2\|g\|_M\|C^{1/2}(s_0-s_T)\|}{\gamma T}",
        ("Proposition_E", "Averaged_Broadcast"),
        depends=("IdentityI1",),
    ),
    result(
        "LemmaB1",
        f"{PLACE}, Lemma B1",
        "With the mean read-out the residual cannot grow unless the broadcast does",
        "What top-k leaves out of x + n is at most sqrt(d/k - 1) times the broadcast. So the residual in "
        "sketch space is at most sqrt(d/k - 1) W + sigma_c sqrt(d/J).",
        r"R\le\sqrt{d/k-1}\,W+\sigma_c\sqrt{d/J}",
        ("Lemma_B1", "Lemma_B1_On_Average"),
    ),
    result(
        "TheoremD",
        f"{PLACE}, Theorem D",
        "Theorem D: bounded for every T (mean read-out, separable quadratics)",
        "f a quadratic with a diagonal Hessian, mean read-out, any k, any hash, one local step, eta = gamma "
        "L_A/2 < 1: the mean squared broadcast and the table are bounded for every T, and the gradient at "
        "the averaged broadcast falls like 1/T.",
        r"Q\le\frac{K+2\eta g+\sqrt{(K+2\eta g)^2+4(1-\eta)(\eta g^2+e_0)}}{2(1-\eta)}",
        ("Theorem_D", "Theorem_D_Supremum", "Averaged_Broadcast_Converges"),
        depends=("IdentityI2", "LemmaB1"),
        scope="Separable quadratics and the mean read-out only; Proposition G says why.",
    ),
    result(
        "PropositionG",
        f"{PLACE}, Proposition G",
        "A strongly convex quadratic on which FPS diverges for every learning rate",
        "d = 7, three rows of five buckets, k = 1: the broadcast is (1 + gamma)^t times a unit vector "
        "for every gamma > 0, with the mean and with the median.",
        r"\tilde w_t=(1+\gamma)^te_0\quad\text{for every }\gamma>0",
        ("Problem_G_Is_Strongly_Convex", "Proposition_G", "Proposition_G_From_Empty"),
        note="The quadratic was built for this hash.",
    ),
    result(
        "PropositionM",
        f"{PLACE}, Proposition M",
        "With the median the table can grow without bound although nothing is compressed",
        "d = 2, three rows of one bucket, k = d, f = |w - w*|^2/2: with the median one bucket grows "
        "linearly for every gamma, and the broadcast diverges for gamma > 1, where the mean converges "
        "up to 3/2.",
        r"s_2(t)=\gamma t(w_1^*-w_2^*)",
        ("Median_Table_Grows", "Median_Limit", "Median_Diverges", "Mean_Converges"),
    ),
)
