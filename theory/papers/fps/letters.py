"""The letters of FPS, once: sympy symbol, LaTeX, code name, sign, and weights."""

from theory.letters import Letters, Quantity
from theory.letters import real as real  # with the letters, for coordinates of vectors

QUANTITIES: tuple[Quantity, ...] = (
    Quantity("L", "L", "smoothness of the application loss", ">= 0", 1, -2),
    Quantity("mu", r"\mu", "proximal parameter", ">= 0", 1, -2),
    Quantity("Lam", r"\Lambda", "L + mu, smoothness of the restructured loss", "> 0", 1, -2),
    Quantity("gamma", r"\gamma", "learning rate", "> 0", -1, 2),
    Quantity("E", "E", "local epochs", ">= 1"),
    Quantity("B", "B", "dissimilarity bound", ">= 1"),
    Quantity("P_b", "P_b", "relative bias"),
    Quantity("P_n", "P_n", "relative noise"),
    Quantity("x", "x", "P_n B^2"),
    Quantity("y", "y", "P_b B^2"),
    Quantity("b2", "b^2", "absolute bias, squared", ">= 0", 2, -2),
    Quantity("s2", r"\sigma^2", "absolute noise variance", ">= 0", 2, -2),
    Quantity("G", r"\|\nabla f(w_t)\|^2", "squared gradient norm", ">= 0", 2, -2),
    Quantity("W", "W", "bound on the squared norm of the iterates", ">= 0", 0, 2),
    Quantity("F0", r"|f(w_0)-f(w^*)|", "initial gap", ">= 0", 1, 0),
    Quantity("c", "c", "sketch size factor", ">= 1"),
    Quantity("k", "k", "coordinates kept", ">= 1"),
    Quantity("d", "d", "dimension", ">= 1"),
    Quantity("p", "p", "power-law exponent", ">= 1"),
    Quantity("T", "T", "rounds", ">= 1"),
    Quantity("delta", r"\delta", "failure probability", "> 0"),
    Quantity("tau", r"\tau", "the tail factor ((k+1)^{1-2p} - d^{1-2p})/(2p-1)", ">= 0"),
    Quantity("R2", r"\|w_t-\tilde w_t\|^2", "squared sketch residual", ">= 0", 0, 2),
)

L, mu, Lam, gamma, E, B, P_b, P_n, x, y, b2, s2, G, W, F0, c, k, d, p, T, delta, tau, R2 = (
    q.symbol for q in QUANTITIES
)

A = 1 + 2 * x + 2 * y  # 1 + 2B²(P_b + P_n)
H = 1 / A
q = 2 + 2 * y + x  # 2 + 2P_bB² + P_nB²

LETTERS = Letters(QUANTITIES, ((x, P_n * B**2), (y, P_b * B**2), (Lam, L + mu)))
