"""Two towers over dictionaries: columns go to `forward` by name, and the column `label` is the target."""

from torch import manual_seed, nn, randint, randn

import fpsverify as fps


class Towers(nn.Module):
    def __init__(self):
        super().__init__()
        self.user, self.film = nn.Embedding(50, 8), nn.Linear(5, 8)

    def forward(self, user, film):
        return (self.user(user) * self.film(film)).sum(1)


manual_seed(0)
user, film, taste = randint(0, 50, (900,)), randn(900, 5), randn(50, 5)
data = {"user": user, "film": film, "label": ((taste[user] * film).sum(1) > 0).float()}
devices = fps.Federation(Towers(), nn.BCEWithLogitsLoss(), data, parts=[range(m, 900, 6) for m in range(6)])
print(fps.train(devices, rounds=100, gamma=0.5, algorithm="fresh", sketch=(1, 100)))
