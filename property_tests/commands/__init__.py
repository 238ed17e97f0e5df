WATCHES = ("fpsverify/config.py", "fpsverify/config_keys.py")
