"""A CNN on MNIST, 8 devices with unlike digits: a learning rate, a noisy run, a page: own_model.py FOLDER"""

import sys

from torch import manual_seed, nn

import fpsverify as fps

manual_seed(0)
train, test = fps.images("mnist", 2000, 500)  # the files: fpsverify data fetch mnist
cnn = nn.Sequential(nn.Conv2d(1, 8, 5, 2), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(288, 10))
devices = fps.Federation(cnn, nn.CrossEntropyLoss(), train, test=test, parts=fps.dirichlet(train[1], 8, 0.3))
setting = {"rounds": 100, "sketch": (5, 300, 1000), "channel": 0.05}
gamma = fps.advise(devices, **setting).gamma
trained = fps.train(devices, gamma=gamma, out=sys.argv[1], overwrite=True, **setting)
print(trained.summary(), f"Page: {trained.report()}", sep="\n\n")
