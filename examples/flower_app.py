"""FPS under Flower with a torch model of one's own: two lines differ from any other Flower app (marked FPS).

    pip install 'fpsverify[flower]'
    python examples/flower_app.py            # ten clients in Flower's simulation

Clients train as always and reply with their weights; the mod turns these into a sketch table of 3 x 256
numbers (the model has 1,529), and the strategy reads the next model out of the average of the tables.
"""

import torch
from flwr.app import ArrayRecord, Context, Message, MetricRecord, RecordDict
from flwr.clientapp import ClientApp
from flwr.serverapp import Grid, ServerApp
from torch import nn

from fpsverify.config import AlgorithmConfig
from fpsverify.engines.flower_client import sketch_mod
from fpsverify.engines.flower_strategy import FpsStrategy

FEATURES, CLASSES, CLIENTS, ROUNDS = 20, 4, 10, 20


def new_model() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(FEATURES, 61), nn.ReLU(), nn.Linear(61, CLASSES))


def rows(part: int, n: int = 200) -> tuple[torch.Tensor, torch.Tensor]:
    """Rows of client `part`: four Gaussian classes, whose centres all clients share."""
    centres = torch.randn(CLASSES, FEATURES, generator=torch.Generator().manual_seed(0))
    generator = torch.Generator().manual_seed(1 + part)
    y = torch.randint(CLASSES, (n,), generator=generator)
    return centres[y] + torch.randn(n, FEATURES, generator=generator), y


client = ClientApp(mods=[sketch_mod()])  # FPS


@client.train()
def train(message: Message, context: Context) -> Message:
    model = new_model()
    model.load_state_dict(message.content["arrays"].to_torch_state_dict())
    X, y = rows(int(context.node_config["partition-id"]))
    optimiser = torch.optim.SGD(model.parameters(), lr=0.05)
    for _ in range(5):
        optimiser.zero_grad()
        nn.functional.cross_entropy(model(X), y).backward()
        optimiser.step()
    content = {"arrays": ArrayRecord(model.state_dict()), "metrics": MetricRecord({"num-examples": len(y)})}
    return Message(RecordDict(content), reply_to=message)


server = ServerApp()


@server.main()
def main(grid: Grid, context: Context) -> None:
    strategy = FpsStrategy(  # FPS
        AlgorithmConfig(rows=3, buckets=256, k=300), seed=1, M=CLIENTS, fraction_evaluate=0.0
    )
    start = ArrayRecord(new_model().state_dict())
    strategy.start(grid, start, num_rounds=ROUNDS, evaluate_fn=accuracy)


def accuracy(t: int, arrays: ArrayRecord) -> MetricRecord:
    model = new_model()
    model.load_state_dict(arrays.to_torch_state_dict())
    X, y = rows(CLIENTS, 2000)
    return MetricRecord({"accuracy": float((model(X).argmax(dim=1) == y).float().mean())})


if __name__ == "__main__":
    from flwr.simulation import run_simulation

    run_simulation(server, client, CLIENTS)
