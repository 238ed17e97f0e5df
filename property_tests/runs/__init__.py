WATCHES = ("fpsverify/runs", "fpsverify/rng.py")
