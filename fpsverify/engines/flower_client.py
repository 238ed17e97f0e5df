"""The device half of FPS as a mod of a Flower ClientApp: the reply carries a sketch table, not weights.

    app = ClientApp(mods=[sketch_mod()])

    @app.train()
    def train(message, context):  # as under any other strategy: the reply's ArrayRecord is the trained model
        ...

The server's FpsStrategy says in the config record which table it wants. Whoever can compute the displacement
w^{m,E} − w̃_t itself replies with it in an ArrayRecord called `update` instead.
"""

# pragma: no cover file: needs Flower, which has an environment of its own: make test-engines
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from torch import Tensor

from fpsverify.config import AlgorithmConfig
from fpsverify.engines.flower_api import ArrayRecord, ConfigRecord, Context, Message, MessageType
from fpsverify.engines.flower_halves import Terms, device_table, hash_spec
from fpsverify.engines.messages import pack_table, unpack_table, unpack_vector
from fpsverify.errors import FpsError
from fpsverify.vectors import Vector, add

UPDATE = "update"
FPS = "fps"  # the record that names the terms of a table, in replies and in what a device keeps
SENT = "fps-table"
CallNext = Callable[[Message, Context], Message]
Mod = Callable[[Message, Context, CallNext], Message]


def sketch_mod(seed: int | None = None) -> Mod:
    """The mod. With `seed` the device hashes by this seed of a run, whatever the server says."""

    def mod(message: Message, context: Context, call_next: CallNext) -> Message:
        if message.metadata.message_type.partition(".")[0] != MessageType.TRAIN:
            return call_next(message, context)
        terms = agreed(message, seed)
        w = unpack_vector(_only_arrays(message), terms.dtype)
        held = _held(context, terms)
        reply = call_next(message, context)
        if reply.has_error():
            return reply
        table = device_table(terms, held, w, _update(reply, terms, w))
        _keep(context, terms, table)
        return _answer(reply, terms, table, context)

    return mod


def agreed(message: Message, seed: int | None = None) -> Terms:
    """The terms of the round; a seed of one's own replaces the server's, which will notice."""
    record: dict[str, Any] = {}
    for config in message.content.config_records.values():
        record.update(config)
    terms = Terms.from_record(record)
    if seed is None:
        return terms
    options = AlgorithmConfig(rows=terms.spec.rows, buckets=terms.spec.buckets)
    return replace(terms, spec=hash_spec(options, terms.spec.d, seed))


def device_number(context: Context) -> int:
    """The order in which the server adds up; without a partition-id, Flower's number of the node."""
    return int(context.node_config.get("partition-id", context.node_id))


def _only_arrays(message: Message) -> ArrayRecord:
    records = list(message.content.array_records.values())
    if len(records) != 1:
        raise FpsError(f"{len(records)} ArrayRecords in the message: FPS works on one model")
    return records[0]


def _update(reply: Message, terms: Terms, w: Vector) -> Vector:
    """Δ^m = w^{m,E} − w̃_t, as the device gives it or from the model it has trained."""
    found = unpack_vector(_only_arrays(reply), terms.dtype)
    return found if UPDATE in reply.content.array_records else add(found, w, -1.0)


def _held(context: Context, terms: Terms) -> Tensor | None:
    """The table of the last round (persist), which must be there: a sketch cannot be made up for."""
    if terms.device_sketch != "persist" or terms.t == 1:
        return None
    record = context.state.config_records.get(FPS)
    if record is None or Terms.from_record(record) != replace(terms, t=terms.t - 1):
        raise FpsError(
            f"device {device_number(context)} has no sketch of round {terms.t - 1}: it was away or has been "
            "started again; use device_sketch='accum', or start the run again"
        )
    return unpack_table(context.state.array_records[SENT], terms.spec, terms.dtype)


def _keep(context: Context, terms: Terms, table: Tensor) -> None:
    if terms.device_sketch == "persist":
        context.state[FPS] = ConfigRecord(terms.as_record())
        context.state[SENT] = pack_table(table)


def _answer(reply: Message, terms: Terms, table: Tensor, context: Context) -> Message:
    (name,) = reply.content.array_records
    del reply.content[name]
    reply.content[FPS] = ConfigRecord({**terms.as_record(), "fps-device": device_number(context)})
    reply.content[SENT] = pack_table(table)
    return reply
