"""A bag of 20,000 words as a sparse matrix of scipy: memory follows the words that occur."""

import numpy as np
from scipy import sparse
from torch import from_numpy, manual_seed, nn

import fpsverify as fps

manual_seed(0)
rng = np.random.default_rng(0)
words = np.minimum(rng.zipf(1.3, (1000, 30)), 20_000) - 1
bags = sparse.csr_matrix((np.ones(30_000, "float32"), (np.repeat(np.arange(1000), 30), words.ravel())))
bags.resize(1000, 20_000)
told = np.isin(words, rng.choice(300, 40)).sum(1)
topic = from_numpy((told > np.median(told)).astype("int64"))
parts = fps.dirichlet(topic, 10, 0.5)
devices = fps.Federation(nn.Linear(20_000, 2), nn.CrossEntropyLoss(), (bags, topic), parts=parts)
print(fps.train(devices, rounds=60, gamma=0.05, algorithm="fresh", sketch=(1, 2000)))
