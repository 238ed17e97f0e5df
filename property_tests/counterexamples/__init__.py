WATCHES = ("theory/counterexamples", "theory/formulas/all_corrected.py")
