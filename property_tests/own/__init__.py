WATCHES = ("fpsverify/own",)
