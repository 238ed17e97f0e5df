"""What the chapters share: the judged ledger, cards and graphs made from it, charts, and the calculators."""
