"""An MLP for regression with weight decay and a metric of one's own, on devices with unlike inputs."""

from torch import manual_seed, nn, randn

import fpsverify as fps

manual_seed(0)
shift = [m + randn(60, 4) for m in (-1, 0, 1, 2)]
data = [(x, (x[:, :1] * x[:, 1:2]).sin() + 0.1 * randn(60, 1)) for x in shift]
model = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 1))
largest = {"largest_error": lambda outputs, targets: (outputs - targets).abs().max()}
devices = fps.Federation(model, nn.MSELoss(), data, metrics=largest, weight_decay=1e-3)
trained = fps.train(devices, rounds=100, gamma=0.1, algorithm="fresh", sketch=(1, 50))
print(trained.to_markdown())
