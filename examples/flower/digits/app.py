"""Clients train as always; two lines differ from any other Flower app (marked FPS).

The pictures are generated, so that nothing is fetched. For real ones take flwr-datasets' `FederatedDataset`:
FederatedDataset(dataset="ylecun/mnist", partitioners={"train": partitioner}).
"""

import json
from functools import lru_cache

import torch
from datasets import Dataset
from flwr.app import ArrayRecord, Context, Message, MetricRecord, RecordDict
from flwr.clientapp import ClientApp
from flwr.serverapp import Grid, ServerApp
from flwr_datasets.partitioner import DirichletPartitioner
from torch import nn

from fpsverify.engines.flower import FreshStrategy, sketch_mod

CLIENTS, CLASSES, SIDE = 10, 10, 8


def new_model() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(SIDE * SIDE, 32), nn.ReLU(), nn.Linear(32, CLASSES))


def pictures(rows: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    shapes = torch.randn(CLASSES, SIDE * SIDE, generator=torch.Generator().manual_seed(0))
    generator = torch.Generator().manual_seed(seed)
    y = torch.randint(CLASSES, (rows,), generator=generator)
    return shapes[y] + torch.randn(rows, SIDE * SIDE, generator=generator), y


@lru_cache(maxsize=1)
def partitions() -> DirichletPartitioner:
    X, y = pictures(2000, 1)
    partitioner = DirichletPartitioner(CLIENTS, partition_by="label", alpha=0.5, seed=1)
    partitioner.dataset = Dataset.from_dict({"image": X.numpy(), "label": y.numpy()}).with_format("torch")
    return partitioner


client = ClientApp(mods=[sketch_mod()])  # FPS


@client.train()
def train(message: Message, context: Context) -> Message:
    model = new_model()
    model.load_state_dict(message.content["arrays"].to_torch_state_dict())
    rows = partitions().load_partition(int(context.node_config["partition-id"]))[:]
    optimiser = torch.optim.SGD(model.parameters(), lr=float(context.run_config["learning-rate"]))
    for _ in range(5):
        optimiser.zero_grad()
        nn.functional.cross_entropy(model(rows["image"]), rows["label"]).backward()
        optimiser.step()
    metrics = MetricRecord({"num-examples": len(rows["label"])})
    content = RecordDict({"arrays": ArrayRecord(model.state_dict()), "metrics": metrics})
    return Message(content, reply_to=message)


server = ServerApp()


@server.main()
def main(grid: Grid, context: Context) -> None:
    settings = context.run_config
    strategy = FreshStrategy(int(settings["buckets"]), seed=1, fraction_evaluate=0.0)  # FPS
    start, rounds = ArrayRecord(new_model().state_dict()), int(settings["num-server-rounds"])
    result = strategy.start(grid, start, num_rounds=rounds, evaluate_fn=accuracy)
    if settings["out"]:
        with open(str(settings["out"]), "w", encoding="utf-8") as file:
            json.dump({t: m["accuracy"] for t, m in result.evaluate_metrics_serverapp.items()}, file)


def accuracy(t: int, arrays: ArrayRecord) -> MetricRecord:
    model = new_model()
    model.load_state_dict(arrays.to_torch_state_dict())
    X, y = pictures(1000, 2)
    return MetricRecord({"accuracy": float((model(X).argmax(dim=1) == y).float().mean())})
