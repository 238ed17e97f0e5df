"""Tests of engines that others have built. None may report to its makers; read at their import."""

import os

os.environ["FLWR_TELEMETRY_ENABLED"] = "0"
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
