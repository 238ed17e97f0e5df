"""A GRU that tells whether a series has risen, on eight unlike devices."""

from torch import manual_seed, nn, randn

import fpsverify as fps


class Rising(nn.GRU):
    def forward(self, series):
        return super().forward(series)[0][:, -1]


manual_seed(0)
series = randn(800, 12, 1).cumsum(1)
risen = (series[:, -1, 0] > series[:, 0, 0]).long()
parts, test = fps.dirichlet(risen[:600], 8, 0.5), (series[600:], risen[600:])
model, loss = nn.Sequential(Rising(1, 16, batch_first=True), nn.Linear(16, 2)), nn.CrossEntropyLoss()
devices = fps.Federation(model, loss, (series[:600], risen[:600]), test=test, parts=parts)
print(fps.train(devices, rounds=100, gamma=0.3, algorithm="fresh", sketch=(1, 200)))
