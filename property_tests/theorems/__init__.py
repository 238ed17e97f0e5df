WATCHES = ("theory/bounds", "theory/formulas")
