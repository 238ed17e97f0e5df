"""Learning rates that no proof can allow: problems whose rounds return to where they began."""
