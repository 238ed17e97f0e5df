"""Fresh hashes under Flower: a mod for the ClientApp and a strategy for the ServerApp; all else stays.

    app = ClientApp(mods=[sketch_mod()])                        # replies carry a table in place of weights
    strategy = FreshStrategy(buckets=256, seed=1, fraction_evaluate=0.0)

A client trains as under any other strategy and replies with its weights. The mod sketches their displacement
with the draw S_t of the round; the strategy averages the tables, adds the channel's noise, and moves the
model by the decoded mean (`algorithms.fresh` with ρ = 0). Devices keep nothing, so they may come and go. What
both must agree on travels in the config record; a reply of other terms is refused in one line, and the round
goes on without it. A floating array of the model is a part of w; all others stay what they were.
"""

# pragma: no cover file: needs Flower, which has an environment of its own: make test-engines
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from logging import WARNING, getLogger
from typing import Any

import numpy as np
import torch
from torch import Tensor

from fpsverify.algorithms.compressor import Compressor, Draw
from fpsverify.channel import superpose
from fpsverify.config import ChannelConfig
from fpsverify.errors import BadInput, FpsError
from fpsverify.vectors import DenseUpdates

try:
    from flwr.app import Array, ArrayRecord, ConfigRecord, Context, Message, MessageType, MetricRecord
    from flwr.serverapp import Grid
    from flwr.serverapp.strategy import FedAvg
except ImportError as missing:
    raise FpsError(f"Flower is needed ({missing}): pip install 'fpsverify[flower]'") from None

UPDATE, TERMS, TABLE, RAW = "update", "fps", "fps-table", "fpsverify.raw"
DTYPES = {"float32": torch.float32, "float64": torch.float64}
CallNext = Callable[[Message, Context], Message]


@dataclass(frozen=True)
class Terms:
    """What the server and a device must agree on in round t: the compressor, its draw, and the numbers."""

    kind: str
    rows: int
    buckets: int
    d: int
    seed: int
    dtype: str
    t: int

    def as_record(self) -> dict[str, int | str]:
        return {f"fps-{name}": value for name, value in asdict(self).items()}

    @staticmethod
    def from_record(record: Mapping[str, Any]) -> Terms:
        try:
            return Terms(**{name: record[f"fps-{name}"] for name in Terms.__dataclass_fields__})
        except KeyError as error:
            raise FpsError(f"no {error} in the record: one side does not use fpsverify") from None

    def draw(self) -> Draw:
        shape = self.kind, self.rows, self.buckets, self.d, self.seed
        return Compressor(*shape, dtype=DTYPES[self.dtype]).draw(self.t)


def sketch_mod() -> Callable[[Message, Context, CallNext], Message]:
    """The mod. Whoever can compute the displacement itself replies with it in an ArrayRecord `update`."""

    def mod(message: Message, context: Context, call_next: CallNext) -> Message:
        if message.metadata.message_type.partition(".")[0] != MessageType.TRAIN:
            return call_next(message, context)
        terms = Terms.from_record(
            {k: v for part in message.content.config_records.values() for k, v in part.items()}
        )
        _, before = _model(message)
        w = vector(before, terms.dtype)
        reply = call_next(message, context)
        if reply.has_error():
            return reply
        name, after = _model(reply)
        change = vector(after, terms.dtype) - (0 if name == UPDATE else w)
        table = terms.draw().encode(DenseUpdates(change[None]))[0].numpy()
        del reply.content[name]
        device = int(context.node_config.get("partition-id", context.node_id))
        reply.content[TERMS] = ConfigRecord({**terms.as_record(), "fps-device": device})
        reply.content[TABLE] = ArrayRecord(
            {TABLE: Array(table.dtype.name, table.shape, RAW, table.tobytes())}
        )
        return reply

    return mod


class FreshStrategy(FedAvg):
    """Fresh sketches of `rows` x `buckets` numbers; `compressor`: fold, balanced, count_sketch or identity.

    `channel` and `gamma` (its noise in units of a step) are those of a run; all other options are FedAvg's.
    """

    def __init__(
        self,
        buckets: int,
        seed: int,
        *,
        rows: int = 1,
        compressor: str = "fold",
        channel: ChannelConfig | None = None,
        gamma: float = 1.0,
        **fedavg: Any,
    ) -> None:
        super().__init__(**fedavg)
        self.shape, self.seed, self.gamma = (compressor, rows, buckets), seed, gamma
        self.channel = channel or ChannelConfig(kind="ideal")
        self.like, self.terms = ArrayRecord(), Terms(*self.shape, d=0, seed=seed, dtype="float32", t=0)

    def configure_train(
        self, server_round: int, arrays: ArrayRecord, config: ConfigRecord, grid: Grid
    ) -> Iterable[Message]:
        """FedAvg's messages, with the terms of the round."""
        parts = [arrays[name] for name in floating(arrays)]
        d, wide = sum(int(np.prod(x.shape)) for x in parts), any(x.dtype == "float64" for x in parts)
        self.like = ArrayRecord(dict(arrays))
        self.terms = Terms(*self.shape, d, self.seed, "float64" if wide else "float32", server_round)
        agreed = ConfigRecord({**config, **self.terms.as_record()})
        messages: Iterable[Message] = super().configure_train(server_round, arrays, agreed, grid)
        return messages

    def aggregate_train(
        self, server_round: int, replies: Iterable[Message]
    ) -> tuple[ArrayRecord | None, MetricRecord | None]:
        """x + Sᵀ(mean of the tables + noise)/J, with the devices in order."""
        found = self._accepted(list(replies))
        if not found:
            return None, None
        tables = torch.stack([found[m][0] for m in sorted(found)])
        received = superpose(self.channel, tables, gamma=self.gamma, seed=self.seed, t=server_round)
        w = vector(self.like, self.terms.dtype)
        if received.active:  # else an outage: nothing arrived
            w = w + self.terms.draw().decode(received.table)
        contents = [found[m][1].content for m in sorted(found)]
        key = self.weighted_by_key
        weighed = all(any(key in record for record in c.metric_records.values()) for c in contents)
        told = self.train_metrics_aggr_fn(contents, key) if weighed else {}
        size = tables[0].numel() * tables.element_size()
        return moved(w, self.like), MetricRecord({**told, **received.as_row(), "table_bytes": size})

    def _accepted(self, replies: list[Message]) -> dict[int, tuple[Tensor, Message]]:
        found: dict[int, tuple[Tensor, Message]] = {}
        for reply in replies:
            try:
                device, table = read_reply(reply, self.terms)
                if device in found:
                    raise FpsError(f"device {device} answered twice: give each node its own partition-id")
                found[device] = table, reply
            except FpsError as error:
                node = reply.metadata.src_node_id
                getLogger("flwr").log(WARNING, f"round {self.terms.t}: node {node} refused: {error}")
        return found


def read_reply(reply: Message, terms: Terms) -> tuple[int, Tensor]:
    """The device and its table, refused if it cannot be added to tables of these terms."""
    if reply.has_error():
        raise FpsError(" ".join(str(reply.error.reason).split()))
    record = reply.content.config_records.get(TERMS)
    array = reply.content.array_records.get(TABLE, {}).get(TABLE)
    if record is None or array is None or array.stype != RAW:
        raise FpsError("no sketch table in the reply: add fpsverify's sketch_mod to the ClientApp")
    for name, expected in terms.as_record().items():
        if record.get(name) != expected:
            raise BadInput(name, record.get(name), f"the server's, {expected}")
    device = record.get("fps-device")
    if not isinstance(device, int):
        raise BadInput("fps-device", device, "the number of the device")
    shape = (1, terms.d) if terms.kind == "identity" else (terms.rows, terms.buckets)
    kind = np.dtype(terms.dtype).newbyteorder("<")
    if len(array.data) != kind.itemsize * shape[0] * shape[1]:
        raise BadInput("table", f"{len(array.data)} bytes", f"{shape[0]} x {shape[1]} of {terms.dtype}")
    table = np.frombuffer(array.data, kind).reshape(shape).astype(terms.dtype)
    if not np.isfinite(table).all():
        raise BadInput("table", "NaN or infinity", "finite values; use a smaller learning rate")
    return device, torch.from_numpy(table)


def floating(arrays: ArrayRecord) -> list[str]:
    return [name for name, array in arrays.items() if np.issubdtype(np.dtype(array.dtype), np.floating)]


def vector(arrays: ArrayRecord, dtype: str) -> Tensor:
    """The vector of R^d that a model is."""
    parts = [torch.from_numpy(arrays[name].numpy()).flatten().to(DTYPES[dtype]) for name in floating(arrays)]
    if not parts:
        raise BadInput("arrays", list(arrays), "a model with at least one floating array")
    return torch.cat(parts)


def moved(w: Tensor, like: ArrayRecord) -> ArrayRecord:
    """The model `like` with the coordinates of w."""
    out, first = dict(like), 0
    for name in floating(like):
        shape = tuple(like[name].shape)
        part = w[first : first + int(np.prod(shape))].reshape(shape)
        out[name] = Array(part.numpy().astype(like[name].dtype))
        first += part.numel()
    return ArrayRecord(out)


def _model(message: Message) -> tuple[str, ArrayRecord]:
    records = list(message.content.array_records.items())
    if len(records) != 1:
        raise FpsError(f"{len(records)} ArrayRecords in the message: a sketch is of one model")
    return records[0]
