WATCHES = ("theory/rates", "theory/bounds", "theory/formulas")
