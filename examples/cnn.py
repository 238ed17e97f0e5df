"""A CNN with BatchNorm, which mixes rows: one call puts GroupNorm in its place."""

from torch import arange, manual_seed, nn, randn

import fpsverify as fps

manual_seed(0)
labels, shapes = arange(600) % 5, randn(5, 1, 12, 12)
pictures = shapes[labels] + 0.7 * randn(600, 1, 12, 12)
layers = [nn.Conv2d(1, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(200, 5)]
model = fps.without_batch_norm(nn.Sequential(*layers))
train, test = (pictures[:500], labels[:500]), (pictures[500:], labels[500:])
parts = fps.dirichlet(labels[:500], 10, 0.3)
devices = fps.Federation(model, nn.CrossEntropyLoss(), train, test=test, parts=parts)
print(fps.train(devices, rounds=60, gamma=0.1, algorithm="fresh", sketch=(1, 200)))
