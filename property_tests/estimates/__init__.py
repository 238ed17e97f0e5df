WATCHES = (
    "empirical/constants",
    "empirical/statistics",
    "empirical/observed",
    "empirical/sketch_space",
    "empirical/answer/assumptions.py",
    "empirical/answer/bias_and_noise.py",
    "empirical/answer/compare.py",
    "empirical/answer/stored.py",
)
