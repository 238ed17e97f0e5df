WATCHES = ("fpsverify/data", "fpsverify/problems/build.py")
