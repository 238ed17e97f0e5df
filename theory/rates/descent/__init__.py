"""The one-round descent program: certified learning rates, and certificates that anybody can check."""
