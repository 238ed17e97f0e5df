WATCHES = ("fpsverify/distributed",)
