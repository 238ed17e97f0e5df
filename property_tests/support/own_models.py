"""Small modules and federations of one's own, for tests."""

from typing import Any

import torch
from torch import Tensor, nn

from fpsverify.own.federation import Federation

SIZES = (9, 14, 11)


class Attention(nn.Module):
    """Words, one transformer block, the mean over places, classes."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(7, 8)
        self.block = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
        self.out = nn.Linear(8, 3)

    def forward(self, x: Tensor) -> Tensor:
        return self.out(self.block(self.words(x)).mean(1))


class Branching(nn.Module):
    """Looks at values to decide what to do, which `vmap` refuses."""

    def __init__(self) -> None:
        super().__init__()
        self.line = nn.Linear(5, 3)

    def forward(self, x: Tensor) -> Tensor:
        return self.line(x) if bool(x.abs().max() > 0) else self.line(-x)


def made(name: str) -> tuple[nn.Module, Tensor]:
    """A module and inputs for it, float64 so that gradients can be compared closely."""
    torch.manual_seed(5)
    rows = sum(SIZES)
    pictures, columns = torch.randn(rows, 1, 6, 6).double(), torch.randn(rows, 5).double()
    mlp = lambda act: nn.Sequential(nn.Linear(5, 7), act, nn.Linear(7, 3))  # noqa: E731
    modules = {
        "cnn": lambda: (
            nn.Sequential(nn.Conv2d(1, 3, 3), nn.ReLU(), nn.Flatten(), nn.Linear(48, 3)),
            pictures,
        ),
        "tanh": lambda: (mlp(nn.Tanh()), columns),
        "relu": lambda: (mlp(nn.ReLU()), columns),
        "attention": lambda: (Attention(), torch.randint(0, 7, (rows, 4))),
        "branching": lambda: (Branching(), columns),
    }
    module, inputs = modules[name]()
    return module.double(), inputs


def per_device(inputs: Tensor, targets: Tensor) -> list[Any]:
    return [
        torch.utils.data.TensorDataset(x, y)
        for x, y in zip(inputs.split(SIZES), targets.split(SIZES), strict=True)
    ]


def federation(name: str = "tanh", **changes: Any) -> Federation:
    """Three devices of unequal size, three classes, test rows."""
    module, inputs = made(name)
    targets = torch.arange(len(inputs)) % 3
    given: dict[str, Any] = {
        "module": module,
        "loss": nn.functional.cross_entropy,
        "datasets": per_device(inputs, targets),
        "test": (inputs[:10], targets[:10]),
        **changes,
    }
    return Federation(**given)
