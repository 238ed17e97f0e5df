"""What only a GPU, or the code that is emitted for one, can show."""
