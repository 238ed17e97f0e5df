WATCHES = ("empirical/advice", "empirical/sketch_space")
