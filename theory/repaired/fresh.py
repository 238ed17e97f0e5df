"""Fresh hashes: Lemma 1 and Lemma 2 of a sketch that is drawn anew in every round, and Theorem S.

The ladder of what is true, from the paper's theorem to one without its gaps:

1. As printed, Theorem 1 is false (entry Refutation).
2. With every fixable error corrected it is still false (T1.38, T1.39).
3. With compressible models and sketches that are kept it is true at one local step (T1.40).
4. With a fresh hash in every round a theorem of its kind is true for all E, T and sketches (TheoremS).
"""

from functools import partial

from theory.repaired.results import GLOSSARY, result

PLACE = "repaired theory, fresh hashes"
EVERY_RUN = (
    "In expectation over the hashes, the participants and the noise. The mean read-out of all coordinates; "
    "the model is dense and every device knows it."
)

LETTERS = GLOSSARY | {
    "E": "the mean over all that is random",
    "C": "the decoder as a matrix: what it reads of v is C v",
    "H": "a symmetric matrix; in Lemma 2 and Theorem S it bounds the curvature of f from above",
    "ell": "an upper bound of the eigenvalues of H",
    "omega": "price of compression: the largest eigenvalue of E (C-1) H (C-1)",
    "kappa": "price of partial participation; 0 if all devices take part",
    "p_1": "probability that two coordinates share a bucket of a row; 1/K for independent buckets",
    "omega_1": "price of lengths: E|C v|^2 is (1 + omega_1)|v|^2; d/m - 1 for equal classes of the fold",
    "rho": "how much of its memory a device keeps",
    "sigma_c": "standard deviation of the channel noise of a bucket",
}
of_fresh = partial(result, glossary=LETTERS)

ENTRIES = (
    of_fresh(
        "FreshHash.moments",
        f"{PLACE}, Lemma 1",
        "Lemma 1 (fresh hash): the decoder is unbiased, and its second moment is exact",
        "J rows that put any two coordinates into one bucket with probability p_1 decode by the matrix C = "
        "S^T S/J, and p = p_1/J. Then E C = 1, and E C H C = H + p [H + tr(H) 1 - 2 diag H] for every "
        "symmetric H. So the price omega of compression, the largest eigenvalue of E (C-1) H (C-1), is at "
        "most p (ell + tr H - 2 min H_ii) if ell bounds H from above; for H = 1 it is p (d-1).",
        r"\mathbb{E}\,CHC=H+p\,[H+\mathrm{tr}(H)I-2\,\mathrm{diag}\,H],\quad p=p_1/J",
        (
            "The_Decoder_Is_A_Matrix",
            "Moments_Of_A_Row",
            "Moments_Of_Rows",
            "Second_Moment",
            "Spread_With_Equal_Collisions",
            "Isotropic_Spread",
            "Second_Moment_Of_A_Vector",
            "Fresh_Hashes_Exist",
        ),
        note="Signs whose pairs and fours have mean product 0 are enough; collisions may depend on the pair "
        "(Second_Moment_With_Unequal_Collisions).",
    ),
    of_fresh(
        "FreshHash.map",
        f"{PLACE}, the hash of the program",
        "One word gives a sign and a bucket, exactly fair for every number of buckets",
        "A word below 2 n is split into its last bit, the sign, and the rest u, which goes to bucket u K "
        "div n. Every bucket gets n div K values of u or one more, for both signs alike. Independent words "
        "make rows as Lemma 1 wants them, with p_1 = 1/K + r (K - r)/(K n^2), where r = n mod K.",
        r"p_1=\frac1K+\frac{r(K-r)}{Kn^2},\quad r=n\text{ mod }K",
        (
            "Loads_Are_Even",
            "Collision_Of_The_Map",
            "Signs_Are_Fair_In_Every_Bucket",
            "Words_Make_A_Row",
        ),
        depends=("FreshHash.moments",),
        scope="The words are independent and uniform. The program's are 5-wise independent, which is tested "
        "in Python; Lemma 1 uses no more than four of them at once.",
        note="The program has n = 2^30; for K a power of two p_1 = 1/K.",
    ),
    of_fresh(
        "FreshHash.fold",
        f"{PLACE}, Lemma 1 for the fold",
        "The fold: fixed classes of coordinates and fresh signs are enough",
        "The coordinates are put into classes once, and every round draws the signs only. Then E C = 1 for "
        "the decoder C, and E C H C - H is H + tr(H) 1 - 2 diag H of every class by itself. So the price "
        "omega is at most the largest trace of a class plus the largest eigenvalue inside a class, less "
        "twice the smallest diagonal entry.",
        r"\omega\le\max_c\,[\mathrm{tr}(H_c)+\lambda_{\max}(H_c)]-2\min_iH_{ii}",
        (
            "Fixed_Classes_Are_A_Row",
            "Second_Moment_Of_The_Fold",
            "Spread_Of_The_Fold",
            "Fold_Channel",
            "A_Fold_Exists",
        ),
        depends=("FreshHash.moments",),
    ),
    of_fresh(
        "FreshHash.round",
        f"{PLACE}, Lemma 2",
        "Lemma 2 (fresh hash): what a round over a fresh sketch costs beside exact averaging",
        "Local steps move device m by y^m, ybar is their mean and xhat = x + ybar; some devices take part, "
        "their mean is sketched by a hash drawn after all this, the table has noise, and every device adds "
        "what it decodes. If f(y) is at most f(x) + <grad f(x), y-x> + <y-x, H(y-x)>/2, then E f(x_+) is at "
        "most E f(xhat) + (omega/2) E|ybar|^2 + (kappa (ell + omega)/2) E mean|y^m - ybar|^2 + sigma_c^2 "
        "tr(H)/(2J). For s of M devices kappa is E (M-s)/(s(M-1)).",
        r"\mathbb{E}f(x_+)\le\mathbb{E}f(\hat x)+\tfrac\omega2\mathbb{E}\|\bar y\|^2"
        r"+\tfrac{\kappa(\ell+\omega)}2\mathbb{E}\,\mathrm{mean}_m\|y^m-\bar y\|^2"
        r"+\frac{\sigma_c^2\mathrm{tr}H}{2J}",
        (
            "Transfer",
            "Transfer_Of_All",
            "Transfer_From_The_Start",
            "Hash_Channel",
            "Count_Sketch_Channel",
            "Spread_Is_Exact",
            "Noise_Mean_Zero",
            "Noise_Floor",
            "Weights_Are_A_Fair_Pick",
            "Kappa_Of_A_Subset",
            "Sketched_Round_Fits",
        ),
        depends=("FreshHash.moments",),
        note="Channel noise of the table has covariance sigma_c^2 times the identity, given all before it.",
    ),
    of_fresh(
        "TheoremS.one",
        f"{PLACE}, Theorem S at one local step",
        "Theorem S at one local step: compression adds its price to the curvature",
        "One local step, participants with kappa, gamma < 2/((ell + omega)(1 + kappa (B^2 - 1))) and c = "
        "gamma (1 - gamma (ell + omega)(1 + kappa (B^2 - 1))/2). For every T the mean squared gradient is "
        "at most 1/c times Delta/T + (gamma^2 (ell + omega)/2)((1 - kappa) nu sigma^2 + kappa (G^2 + "
        "sigma^2)) + sigma_c^2 tr(H)/(2J).",
        r"\gamma<\frac{2}{(\ell+\omega)(1+\kappa(B^2-1))}",
        (
            "Descent_Of_A_Fresh_Round",
            "Descent_Of_All_Devices",
            "Average_Of_Fresh_Rounds",
            "Fresh_Runs_Exist",
        ),
        depends=("FreshHash.round",),
        scope=EVERY_RUN,
    ),
    of_fresh(
        "TheoremS",
        f"{PLACE}, Theorem S",
        "Theorem S: with fresh hashes a certified learning rate trains, for every E, T and sketch",
        "A descent certificate that also pays (omega/2)|y_E|^2 in its first form and (kappa (ell + "
        "omega)/2)|y_E|^2 in its second bounds the mean squared gradient for every T: it is at most 1/c "
        "times Delta/T + the prices of G^2, b^2 and sigma^2 + sigma_c^2 tr(H)/(2J). Certificates of exact "
        "averaging are those for omega = 0 and kappa = 0, and a certificate covers every smaller price.",
        r"A\le\frac1c\Big\{\frac{\Delta}{T}+(\eta_0+\eta_+)G^2+\Sigma\tau b^2+\Sigma\vartheta\sigma^2"
        r"+\frac{\sigma_c^2\mathrm{tr}H}{2J}\Big\}",
        (
            "Prices_Are_Monotone",
            "No_Price",
            "Descent_With_Prices",
            "Theorem_S_One_Round",
            "Theorem_S",
            "Theorem_S_For_Sketches",
            "Sketched_Runs_Exist",
        ),
        depends=("Descent", "FreshHash.round"),
        scope=f"{EVERY_RUN} A3 is asked at the broadcasts; at xhat only if eta_+ is not 0.",
        note="Besides the curvature H of f, the certificate asks two-sided curvature of every device's loss. "
        "The bound has no residual: nothing is kept between rounds but the model.",
    ),
    of_fresh(
        "TheoremS.certificate",
        f"{PLACE}, certificates in fractions",
        "A file of fractions that the checker accepts is such a certificate, at every smaller rate too",
        "If the program accepts a certificate with the fields omega and v, then its multipliers pay for "
        "both. In units with L = 1 one file serves every L > 0, every smaller omega and v, and without a "
        "proximal term every learning rate s gamma with 0 < s <= 1: c and the prices of G^2, b^2 and "
        "sigma^2 fall with s, the price of the channel noise does not.",
        r"\text{accepted }(\gamma,\omega,v)\text{: Theorem S at }s\gamma,\ 0<s\le1",
        (
            "Priced_Check_Gives_Certificate",
            "Priced_Certificate_Scales",
            "Smaller_Rates_Are_Covered",
            "Priced_Check_Sound",
            "Sketch_Sample_Accepted",
            "Sketch_Sample_In_Words",
        ),
        depends=("TheoremS",),
        note="A sample: three local steps, B = 3/2, 3 of 10 devices, omega = L/2, gamma = 0.28/L.",
    ),
    of_fresh(
        "TheoremS.probability",
        f"{PLACE}, Theorem S with a probability",
        "Theorem S with a probability: 1/delta times the bound, and without noise for all T at once",
        "With probability at least 1 - delta the mean of |grad f|^2 over the rounds of a run is at most "
        "1/delta times the bound of Theorem S. With G = b = sigma = sigma_c = 0 one event of that "
        "probability serves all T up to any n: there the mean is at most Delta/(c delta T) for all of them.",
        r"\frac1T\sum_t\|\nabla f(x_t)\|^2\le\frac{\Delta}{c\delta T}\text{ for all }T\le n",
        ("Theorem_S_With_Probability", "All_Rounds_At_Once"),
        depends=("TheoremS",),
        scope="Markov's inequality. A factor log(1/delta) in place of 1/delta is not proved.",
    ),
    of_fresh(
        "TheoremN",
        f"{PLACE}, Theorem N",
        "Theorem N: with full power in every round the channel noise is one more price, and leaves no floor",
        "The energy of a table is J <v, C v>, and E [<y, C y> sum H_kl C_kl] is at most (tr H + 2 p ell) "
        "E|y|^2 for every y known before the hash, if p is the probability of a common bucket over J and "
        "H_ii >= 0. If the noise costs at most nu_N E mean|y^m|^2, a certificate for omega + nu_N and kappa "
        "(ell + omega) + nu_N pays for it: the round descends without a floor.",
        r"\nu_N=\frac{\nu_c\,(\mathrm{tr}H+2p\ell)}{m\,s}",
        ("Energy_Of_A_Table", "Power_Moment", "Power_Price", "Relative_Noise", "Theorem_N_One_Round"),
        depends=("TheoremS",),
        scope="That noise of variance level^2 costs E [level^2 sum H_kl C_kl]/J is on paper.",
    ),
    of_fresh(
        "TheoremS.limit",
        f"{PLACE}, how far a proof can go",
        "No bound Delta/(c T) holds from gamma L = 1 - (1 - 2/(1 + omega_1))^(1/steps) on",
        "f = (lambda/2)|x|^2 for all devices, lambda <= L, omega_1 = p (d-1). Then E|x_+|^2 is (1 - 2 r + "
        "(1 + omega_1) r^2) E|x|^2 with r = 1 - (1 - gamma lambda)^steps. Where (1 + omega_1) r = 2, "
        "nothing moves in the mean square, and every bound Delta/(c T) is broken by some T.",
        r"\gamma\lambda=1-(1-\tfrac{2}{1+\omega_1})^{1/E}",
        ("Isotropic_Round", "No_Bound_At_The_Limit", "Isotropic_Limit_Agrees"),
        depends=("FreshHash.moments",),
        scope="For a larger gamma take a smaller lambda: the loss is L-smooth too.",
    ),
    of_fresh(
        "TheoremL",
        f"{PLACE}, Theorem L",
        "Theorem L: a device may remember what the sketch has left out, and let it leak",
        "A device sends p = e + y and keeps rho (p - c C p), c = 1/(1 + omega_1); all add k (C pbar + n), k "
        "= 1 - rho (1 - c). For every rho in [0, 1], with s = rho sqrt(1 - c), a = s/(1 - s) and b = (1 - "
        "rho)/(1 - s), the mean squared gradient times 1 - gamma (ell/2 + ell a + omega b^2/2) is at most "
        "Delta/(gamma T) + k^2 sigma_c^2 tr(H)/(2 J gamma). rho = 0 is Theorem S at one local step, rho = 1 "
        "is error feedback.",
        r"A\,\big(1-\gamma(\tfrac\ell2+\ell a+\tfrac\omega2b^2)\big)\le\frac{\Delta}{\gamma T}"
        r"+\frac{k^2\sigma_c^2\mathrm{tr}H}{2J\gamma}",
        ("Leaky_Round", "Theorem_L", "Channel_For_Lengths", "Leaky_Memory_Agrees"),
        depends=("FreshHash.round",),
        scope="One local step, exact gradients, all devices take part; e, y and p are means over the "
        "devices, which is enough because the sketch is linear.",
        note="Pessimistic for rho > 0: on quadratics the measured edge is 1.1 to 8 times further.",
    ),
)
