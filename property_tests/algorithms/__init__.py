WATCHES = (
    "fpsverify/algorithms",
    "fpsverify/objectives",
    "fpsverify/problems",
    "fpsverify/channel.py",
    "fpsverify/local.py",
)
