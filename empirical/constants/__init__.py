"""One estimator per file: L (smoothness, by lanczos; kinks), B and G (dissimilarity), the power law, the
sketch residual; pairs chooses among pairs of constants.
"""
