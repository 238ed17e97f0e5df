"""An own model under Flower with fresh hashes."""
