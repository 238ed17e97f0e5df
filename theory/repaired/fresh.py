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
        "FreshHash.fold",
        f"{PLACE}, Lemma 1 for the fold",
        "The fold: fixed classes of coordinates and fresh signs are enough",
        "The coordinates are put into classes once, and every round draws the signs only. Then E C = 1 for "
        "the decoder C, and E C H C - H is H + tr(H) 1 - 2 diag H of every class by itself. So the price "
        "omega is at most the largest trace of a class plus the largest eigenvalue inside a class, less "
        "twice the smallest diagonal entry.",
        r"\omega\le\max_c\mathrm{tr}(H_c)+\max_c\lambda_{\max}(H_c)-2\min_iH_{ii}",
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
            "A_Fresh_Round_Exists",
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
        ),
        depends=("Descent", "FreshHash.round"),
        scope=f"{EVERY_RUN} A3 is asked at the broadcasts; at xhat only if eta_+ is not 0.",
        note="Besides the curvature H of f, the certificate asks two-sided curvature of every device's loss. "
        "The bound has no residual: nothing is kept between rounds but the model.",
    ),
)
