"""Local objectives f_m: dense ones, batched over M devices, and the sparse logistic loss of click data."""

from fpsverify.objectives.base import DenseObjective
from fpsverify.objectives.linear import LeastSquares, Logistic, Softmax
from fpsverify.objectives.mlp import TwoLayerMLP
from fpsverify.objectives.sparse_logistic import SparseLogistic

__all__ = [
    "DenseObjective",
    "LeastSquares",
    "Logistic",
    "Softmax",
    "SparseLogistic",
    "TwoLayerMLP",
]
