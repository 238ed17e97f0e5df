WATCHES = ("theory/ledger", "theory/provers", "theory/counterexamples", "theory/formulas")
