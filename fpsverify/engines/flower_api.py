"""The names that this package uses of Flower, or one line that says how to get them."""

# pragma: no cover file: needs Flower, which has an environment of its own: make test-engines
from __future__ import annotations

from fpsverify.errors import FpsError

try:
    from flwr.app import (
        Array,
        ArrayRecord,
        ConfigRecord,
        Context,
        Message,
        MessageType,
        MetricRecord,
        RecordDict,
    )
    from flwr.clientapp import ClientApp
    from flwr.serverapp import Grid, ServerApp
    from flwr.serverapp.strategy import FedAvg
except ImportError as error:
    raise FpsError(f"Flower is needed ({error}): pip install 'fpsverify[flower]'") from None

__all__ = [
    "Array",
    "ArrayRecord",
    "ClientApp",
    "ConfigRecord",
    "Context",
    "FedAvg",
    "Grid",
    "Message",
    "MessageType",
    "MetricRecord",
    "RecordDict",
    "ServerApp",
]
