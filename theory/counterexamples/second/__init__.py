"""Second judges: what another engine replayed or enumerated is decided once more.

Each is written from the paper's text and shares no code with the replay that it judges. It reads the same
instance (numbers), says whether the hypotheses and the statement hold, and a difference is an error.

| file            | decides again                                             | by                         |
|-----------------|-----------------------------------------------------------|----------------------------|
| `hashes`        | all hashes and signs of a small sketch, medians           | z3, or the whole sketch    |
| `algorithm1`    | runs of Algorithm 1 and both sides of Theorem 1           | a second run, then z3      |
"""
