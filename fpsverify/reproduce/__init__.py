"""Every cell of the paper's tables as a frozen run: grid → cells → stored results → tables → verdicts."""
