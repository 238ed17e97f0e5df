"""Does a bound depend on the unit of the loss, or of the parameters? A question of ours, for every bound."""
