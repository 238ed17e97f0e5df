WATCHES = ("fpsverify/sketching", "fpsverify/kernels", "fpsverify/vectors.py")
