WATCHES = ("fpsverify/data",)
