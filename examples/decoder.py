"""A decoder learns to count in rows of unlike lengths: the collate function pads them, -100 is ignored."""

from torch import arange, manual_seed, nn
from torch.utils.data import DataLoader

import fpsverify as fps


class Decoder(nn.TransformerEncoderLayer):
    def forward(self, words):
        return super().forward(words, nn.Transformer.generate_square_subsequent_mask(words.shape[1])).mT


def padded(rows, pad=nn.utils.rnn.pad_sequence):
    return pad([x[:-1] for x in rows], True), pad([x[1:] for x in rows], True, -100)


manual_seed(0)
rows = [arange(m, m + 5 + m % 7) % 11 for m in range(120)]
loaders = [DataLoader(rows[m::6], collate_fn=padded) for m in range(6)]
layers = nn.Embedding(11, 16), Decoder(16, 2, 32, 0.0, batch_first=True), nn.Conv1d(16, 11, 1)
devices = fps.Federation(nn.Sequential(*layers), nn.CrossEntropyLoss(), loaders)
print(fps.train(devices, rounds=100, gamma=0.3, algorithm="fresh", sketch=(1, 400)))
