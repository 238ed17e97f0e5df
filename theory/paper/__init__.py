"""The paper's displays, line by line: one entry for each, with its place, its claim and its evidence."""

COORDINATE = "Coordinate by coordinate: both sides are sums over coordinates of the scalar expressions."
NORMS = "One letter per squared norm; expectation is linear."
