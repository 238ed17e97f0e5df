WATCHES = ("fpsverify/grids",)
