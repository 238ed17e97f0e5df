"""Flower for tests: a grid in this process, real processes on loopback, and what to compare them with."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

pytest.importorskip("flwr", reason="needs Flower: make test-engines, or pip install 'fpsverify[flower]'")

from flwr.app import ArrayRecord, Context, Message, MetricRecord, RecordDict
from flwr.clientapp import ClientApp
from flwr.supercore.task_identity import TaskIdentity

from fpsverify.config import AlgorithmConfig, RunConfig
from fpsverify.distributed.ranks import Job
from fpsverify.engines import flower_app
from fpsverify.engines.flower_client import sketch_mod
from fpsverify.runs.loop import prepare, run_in_memory
from fpsverify.vectors import SparseVector
from property_tests.engines.processes import PATIENCE, free_ports, wait_until

ROOT = Path(__file__).parents[2]
OPTIONS = AlgorithmConfig(rows=3, buckets=64, k=10)


# ---- a grid in this process -----------------------------------------------------------------------------


class Direct:
    """A grid whose nodes are called one after the other, the last one first; each keeps its context.

    `spoil(node, reply)` may change a reply on its way.
    """

    def __init__(self, app: ClientApp, nodes: int, parts: list[int] | None = None, spoil: Any = None) -> None:
        for name in ("run_id", "task_id", "node_id"):  # a message names its sender
            setattr(TaskIdentity, name, 1)
        self.app, self.spoil, self.replies = app, spoil, []
        self.contexts = {100 + i: context_of(100 + i, i if parts is None else parts[i]) for i in range(nodes)}

    def get_node_ids(self) -> list[int]:
        return list(self.contexts)

    def send_and_receive(self, messages: Iterable[Message], timeout: float) -> list[Message]:
        replies = [self._asked(message) for message in reversed(list(messages))]
        self.replies.append(replies)
        return replies

    def _asked(self, message: Message) -> Message:
        node = message.metadata.dst_node_id
        content = {name: type(part)(dict(part)) for name, part in message.content.items()}
        copy = Message(RecordDict(content), dst_node_id=node, message_type=message.metadata.message_type)
        reply = self.app(copy, self.contexts[node])
        return self.spoil(node - 100, reply) if self.spoil else reply


def context_of(node: int, part: int | None = None) -> Context:
    config = {} if part is None else {"partition-id": part}
    return Context(run_id=1, node_id=node, node_config=config, state=RecordDict(), run_config={})


def served(
    config: RunConfig, out: Path, other: RunConfig | None = None, device: int = 1, **direct: Any
) -> Any:
    """The model after a run in which one device has the config `other`."""

    def find(context: Context) -> RunConfig:
        mine = context.node_config.get("partition-id") == device
        return other if other is not None and mine else config

    app = flower_app.make_client(find)
    flower_app.serve(Direct(app, config.devices.M, **direct), config, out)
    return load_file(out / "model.safetensors")


def own_loop(config: RunConfig) -> dict[str, torch.Tensor]:
    """The model of `fpsverify run CONFIG` with the ordered reduction, in the form of save_model."""
    job = Job(reduction="ordered")
    algorithm, setup, _ = prepare(config, job)
    w = algorithm.model(setup, run_in_memory(config, job=job).state)
    return {"indices": w.indices, "values": w.values} if isinstance(w, SparseVector) else {"w": w}


def same_bits(a: dict[str, torch.Tensor], b: dict[str, torch.Tensor]) -> bool:
    return a.keys() == b.keys() and all(torch.equal(a[name], b[name]) for name in a)


# ---- a model of one's own -------------------------------------------------------------------------------


def own_model() -> dict[str, torch.Tensor]:
    g = torch.Generator().manual_seed(5)
    weight, bias = torch.randn(4, 6, generator=g), torch.randn(4, generator=g)
    return {
        "a.weight": weight,
        "count": torch.tensor(3),
        "a.bias": bias.half(),
        "b": torch.randn((), generator=g),
    }


def trainer(**mod: Any) -> ClientApp:
    """Client m adds (m + 1)/8 to every number, counters too."""
    app = ClientApp(mods=[sketch_mod(**mod)])

    @app.train()
    def train(message: Message, context: Context) -> Message:
        step = (context.node_config.get("partition-id", 0) + 1) / 8
        state = message.content["arrays"].to_torch_state_dict(keep_input=False)
        trained = {name: (v + step).to(v.dtype) for name, v in state.items()}
        content = {"arrays": ArrayRecord(trained), "metrics": MetricRecord({"num-examples": 2, "step": step})}
        return Message(RecordDict(content), reply_to=message)

    return app


def flat(state: dict[str, torch.Tensor]) -> torch.Tensor:
    return torch.cat([v.float().flatten() for v in state.values() if v.is_floating_point()])


# ---- processes ------------------------------------------------------------------------------------------


class Loopback:
    """A SuperLink and two SuperNodes as processes; whatever they have started ends with them."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.processes = folder, []
        self.port, *self.node_ports = free_ports(3)
        self.env = {
            **os.environ,
            "FLWR_HOME": str(folder / "home"),
            "OMP_NUM_THREADS": "1",
            "PYTHONPATH": str(ROOT),
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        }
        (folder / "home").mkdir()
        connection = f'address = "127.0.0.1:{self.port}"\ninsecure = true\n'
        (folder / "home" / "config.toml").write_text(
            f'[superlink]\ndefault = "here"\n[superlink.here]\n{connection}'
        )

    def start(self, log: str, *words: str) -> None:
        with (self.folder / log).open("w") as output:
            self.processes.append(
                subprocess.Popen(
                    words,
                    env=self.env,
                    cwd=self.folder,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            )

    def run(self, app: Path) -> tuple[str, str]:
        """Submit the app and wait; how the run ended, and why."""
        number = self._flwr("run", str(app), "here")["run-id"]
        runs: list[dict[str, str]] = []

        def finished() -> bool:
            runs[:] = self._flwr("ls", "here", "--run-id", number)["runs"]
            return runs[0]["status"].startswith("finished")

        wait_until(finished, self.logs)
        return runs[0]["status"], runs[0]["status-details"]

    def _flwr(self, *words: str) -> dict[str, Any]:
        command = ["flwr", *words, "--format", "json"]
        done = subprocess.run(
            command, env=self.env, cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE
        )
        answer: dict[str, Any] = json.loads(done.stdout)
        assert answer["success"], done.stdout + done.stderr + self.logs()
        return answer

    def logs(self) -> str:
        return "".join(path.read_text() for path in sorted(self.folder.glob("*.log")))

    def alive(self) -> bool:
        assert all(process.poll() is None for process in self.processes), self.logs()
        return True

    def close(self) -> None:
        for process in self.processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(PATIENCE)
