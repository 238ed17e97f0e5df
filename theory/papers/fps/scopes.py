"""The paper's displays, line by line: one entry for each, with its place, its claim and its evidence."""

COORDINATE = "Coordinate by coordinate: both sides are sums over coordinates of the scalar expressions."
EMPTY_SKETCHES = (
    "w_0 = 0: sketches start empty, as Section 4 says of steps 1 and 2 of Algorithm 1. Step 2 itself "
    "sketches any w_0."
)
NORMS = "One letter per squared norm; expectation is linear."
