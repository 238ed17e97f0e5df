"""The server half of FPS as a strategy of a Flower ServerApp.

    strategy = FpsStrategy(AlgorithmConfig(rows=5, buckets=2000, k=1000), seed=1)
    result = strategy.start(grid, ArrayRecord(model.state_dict()), num_rounds=50)

Clients need fpsverify's `sketch_mod`. Sampling, timeouts and evaluation are those of FedAvg, whose arguments
are taken, too. Tables are averaged with equal weights (Algorithm 1, step 8), in the order of the devices.

A reply that cannot be added is refused in one line. Under `persist` the run then ends, because a sketch that
is averaged must contain every update of its device; under `accum` the round goes on without that device.
"""

# pragma: no cover file: needs Flower, which has an environment of its own: make test-engines
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from logging import WARNING, getLogger
from typing import Any

import torch
from torch import Tensor

from fpsverify.channel import Received
from fpsverify.config import AlgorithmConfig, ChannelConfig
from fpsverify.engines import flower_halves as halves
from fpsverify.engines.flower_api import ArrayRecord, ConfigRecord, FedAvg, Grid, Message, MetricRecord
from fpsverify.engines.flower_client import FPS, SENT
from fpsverify.engines.flower_halves import Server, ServerState, Terms
from fpsverify.engines.messages import dimension, repack_vector, table_dtype, unpack_table, unpack_vector
from fpsverify.errors import BadInput, FpsError, RunFailed
from fpsverify.vectors import is_finite

IDEAL = ChannelConfig(kind="ideal")


@dataclass(frozen=True)
class Answer:
    """One device's table of a round."""

    device: int
    table: Tensor
    reply: Message


class FpsStrategy(FedAvg):
    """FPS with the readings of `options`, on `M` devices (default: as many as are there in round 1).

    `channel`, `gamma` (noise_on = "grad" only) and `support` are those of a run of `fpsverify run`.
    """

    def __init__(
        self,
        options: AlgorithmConfig,
        seed: int,
        *,
        M: int | None = None,
        channel: ChannelConfig = IDEAL,
        gamma: float = 1.0,
        support: Tensor | None = None,
        **fedavg: Any,
    ) -> None:
        halves.check_served(options)
        if M is not None:
            fedavg = {"min_train_nodes": M, "min_available_nodes": M, **fedavg}
        super().__init__(**fedavg)
        if options.device_sketch == "persist" and self.fraction_train != 1.0:
            raise BadInput(
                "fraction_train", self.fraction_train, "1.0 under device_sketch='persist', or use 'accum'"
            )
        self.server = Server(options, channel, gamma, seed, support)
        self.state: ServerState | None = None
        self.M = M
        self.devices: list[int] = []
        self.like = ArrayRecord()

    def summary(self) -> None:
        options = self.server.options
        getLogger("flwr").info(
            "\t├──> FPS: %d x %d table, k = %d, %s",
            options.rows,
            options.buckets,
            options.k,
            options.device_sketch,
        )
        super().summary()

    def configure_train(
        self, server_round: int, arrays: ArrayRecord, config: ConfigRecord, grid: Grid
    ) -> Iterable[Message]:
        """FedAvg's messages, with the hash and the shape of the table in the config record."""
        if self.state is None:
            dtype, self.like = table_dtype(arrays), ArrayRecord(dict(arrays))
            w = unpack_vector(arrays, dtype)
            self.state = halves.begin(self.server, w, dimension(arrays), dtype)
        terms = self.server.terms(self.state, server_round)
        agreed = ConfigRecord({**config, **terms.as_record()})
        messages: Iterable[Message] = super().configure_train(server_round, arrays, agreed, grid)
        return messages

    def aggregate_train(
        self, server_round: int, replies: Iterable[Message]
    ) -> tuple[ArrayRecord | None, MetricRecord | None]:
        """Average, add the channel's noise, read out the k largest coordinates, move the model."""
        assert self.state is not None
        answers = self._accepted(replies, self.server.terms(self.state, server_round))
        if not answers:
            return None, None
        tables = torch.stack([answer.table for answer in answers])
        self.state, received = halves.receive(self.server, self.state, tables, server_round)
        return repack_vector(self.state.model, self.like), self._metrics(answers, received)

    def _accepted(self, replies: Iterable[Message], terms: Terms) -> list[Answer]:
        """Answers in the order of the devices."""
        answers: dict[int, Answer] = {}
        for reply in replies:
            try:
                answer = read_reply(reply, terms)
                if answer.device in answers:
                    raise FpsError(
                        f"device {answer.device} answered twice: give each node its own partition-id"
                    )
                answers[answer.device] = answer
            except FpsError as error:
                self._refuse(f"round {terms.t}: {_sender(reply)} refused: {error}")
        self._require_all(sorted(answers), terms)
        return [answers[m] for m in sorted(answers)]

    def _refuse(self, line: str) -> None:
        getLogger("flwr").log(WARNING, line)
        if self.server.options.device_sketch == "persist":
            raise RunFailed(line) from None

    def _require_all(self, there: list[int], terms: Terms) -> None:
        if terms.device_sketch != "persist":
            return
        self.devices = self.devices or there
        if there != self.devices or len(there) != (self.M or len(there)):
            raise RunFailed(
                f"round {terms.t}: devices {there} answered, expected {self.M or self.devices}; "
                "if devices may be absent use device_sketch='accum'"
            )

    def _metrics(self, answers: list[Answer], received: Received) -> MetricRecord:
        """The average of what clients report (if they report FedAvg's weight), and the channel's figures."""
        contents = [answer.reply.content for answer in answers]
        weighed = all(
            any(self.weighted_by_key in record for record in content.metric_records.values())
            for content in contents
        )
        reported = self.train_metrics_aggr_fn(contents, self.weighted_by_key) if weighed else {}
        table_bytes = answers[0].table.numel() * answers[0].table.element_size()
        return MetricRecord({**reported, **received.as_row(), "table_bytes": table_bytes})


def _sender(reply: Message) -> str:
    record = {} if reply.has_error() else reply.content.config_records.get(FPS, {})
    device = f" (device {record['fps-device']})" if "fps-device" in record else ""
    return f"node {reply.metadata.src_node_id}{device}"


def read_reply(reply: Message, terms: Terms) -> Answer:
    """The table of a reply, refused if it cannot be added to tables of these terms."""
    if reply.has_error():
        raise FpsError(" ".join(str(reply.error.reason).split()))
    record = reply.content.config_records.get(FPS)
    if record is None:
        raise FpsError("no sketch table in the reply: add fpsverify's sketch_mod to the ClientApp")
    for name, expected in terms.as_record().items():
        if record.get(name) != expected:
            raise BadInput(name, record.get(name), f"the server's, {expected}")
    device = record.get("fps-device")
    if not isinstance(device, int):
        raise BadInput("fps-device", device, "the number of the device")
    table = unpack_table(reply.content.array_records.get(SENT, ArrayRecord()), terms.spec, terms.dtype)
    if not is_finite(table):
        raise BadInput("table", "NaN or infinity", "finite values; use a smaller learning rate")
    return Answer(device, table, reply)
