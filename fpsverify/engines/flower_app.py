"""A run of `fpsverify run CONFIG` as a Flower app: one ServerApp, and a ClientApp per device.

    python -m fpsverify.engines.flower_app CONFIG --out FOLDER              in Flower's simulation
    python -m fpsverify.engines.flower_app CONFIG --out FOLDER --app APP    writes APP, to be started with
                                                                            `flwr run APP SUPERLINK`

Device m is the node with partition-id m. A node may have a config of its own (`fps-config` in its node
config); it is refused if that hashes by another seed. FOLDER receives rounds.parquet and model.safetensors.
Data sets are built from the config, so every node makes the whole of it and then uses device m's rows alone.
"""

# pragma: no cover file: needs Flower, which has an environment of its own: make test-engines
from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import tomli_w
import torch
from safetensors.torch import save_file

from fpsverify import config as configs
from fpsverify.algorithms import Setup
from fpsverify.config import RunConfig
from fpsverify.engines.flower_api import (
    ArrayRecord,
    ClientApp,
    Context,
    Grid,
    Message,
    MetricRecord,
    RecordDict,
    ServerApp,
)
from fpsverify.engines.flower_client import UPDATE, Mod, agreed, device_number, sketch_mod
from fpsverify.engines.flower_halves import check_served, one_device
from fpsverify.engines.flower_strategy import FpsStrategy
from fpsverify.engines.messages import pack_vector, unpack_vector
from fpsverify.errors import BadInput, FpsError
from fpsverify.files import make_folder, write_atomically, write_text
from fpsverify.local import local_updates
from fpsverify.runs import record
from fpsverify.runs.loop import prepare
from fpsverify.vectors import DenseUpdates, SparseVector, Vector

FindConfig = Callable[[Context], RunConfig]


@lru_cache(maxsize=2)
def ready(config: RunConfig) -> Setup:
    """The problem of a config; a process that serves many rounds or devices builds it once."""
    check_served(config.algorithm)
    if config.devices.participation is not None:
        right = "unset under Flower, whose strategy chooses (fraction_train, device_sketch = 'accum')"
        raise BadInput("devices.participation", config.devices.participation, right)
    return prepare(config)[1]


def named_config(context: Context) -> RunConfig:
    """The config of the node, if it has one, else that of the run."""
    path = context.node_config.get("fps-config") or context.run_config.get("fps-config")
    if not path:
        raise BadInput("fps-config", path, "the path of a config file in the run config or the node config")
    return configs.load(Path(str(path)))


# ---- client ---------------------------------------------------------------------------------------------


def make_client(find: FindConfig) -> ClientApp:
    app = ClientApp(mods=[_own_seed(find)])

    @app.train()
    def train(message: Message, context: Context) -> Message:
        torch.set_num_threads(1)  # many devices share a machine, and one thread has one order of summation
        setup, terms = ready(find(context)), agreed(message)
        device = one_device(setup.problem.M, device_number(context))
        (arrays,) = message.content.array_records.values()
        w = unpack_vector(arrays, setup.dtype)
        updates = local_updates(setup.problem, w, setup.config.local, terms.t, device)
        update = updates.values[0] if isinstance(updates, DenseUpdates) else updates.parts[0]
        metrics = MetricRecord(
            {"num-examples": 1}
        )  # (1/M) Σ_m: devices count alike, however many rows they have
        return Message(RecordDict({UPDATE: pack_vector(update), "metrics": metrics}), reply_to=message)

    return app


def _own_seed(find: FindConfig) -> Mod:
    def mod(message: Message, context: Context, call_next: Callable[[Message, Context], Message]) -> Message:
        return sketch_mod(find(context).seed)(message, context, call_next)

    return mod


# ---- server ---------------------------------------------------------------------------------------------


def make_server(find: FindConfig, out: Callable[[Context], Path]) -> ServerApp:
    app = ServerApp()

    @app.main()
    def main(grid: Grid, context: Context) -> None:
        serve(grid, find(context), out(context))

    return app


def serve(grid: Grid, config: RunConfig, out: Path) -> None:
    """All rounds, then the record of them and the model."""
    setup, model = ready(config), out / "model.safetensors"
    make_folder(out, "fps-out")
    if model.exists():
        raise BadInput("fps-out", str(out), "a folder without the model of an earlier run")
    start = setup.problem.zero() if config.algorithm.initial_model == "zero" else setup.problem.start
    result = _strategy(setup).start(
        grid,
        pack_vector(start),
        num_rounds=config.rounds,
        evaluate_fn=lambda t, arrays: _evaluate(setup, t, arrays),
    )
    trained, tested = result.train_metrics_clientapp, result.evaluate_metrics_serverapp
    rows = [
        {"round": t, **_floats(trained.get(t, {})), **_floats(tested.get(t, {}))}
        for t in range(config.rounds + 1)
    ]
    record.write_rows(out, rows, {"config": config.digest(), "seed": str(config.seed)})
    save_model(model, unpack_vector(result.arrays, setup.dtype))


def _strategy(setup: Setup) -> FpsStrategy:
    config = setup.config
    return FpsStrategy(
        config.algorithm,
        config.seed,
        M=setup.problem.M,
        channel=config.channel,
        gamma=config.local.gamma,
        support=setup.problem.support if config.algorithm.scan == "support" else None,
        fraction_evaluate=0.0,
    )


def _evaluate(setup: Setup, t: int, arrays: ArrayRecord) -> MetricRecord | None:
    plan = setup.config.record
    if t % plan.evaluate_every and t != setup.config.rounds:
        return None
    return MetricRecord(setup.problem.evaluate(unpack_vector(arrays, setup.dtype), plan.tie_rule))


def _floats(metrics: Any) -> dict[str, float]:
    return {name: float(value) for name, value in metrics.items() if name != "num-examples"}


def save_model(path: Path, w: Vector) -> None:
    tensors = {"indices": w.indices, "values": w.values} if isinstance(w, SparseVector) else {"w": w}
    write_atomically(path, lambda temporary: save_file(tensors, temporary))


# ---- ways to start --------------------------------------------------------------------------------------


def _named_out(context: Context) -> Path:
    return Path(str(context.run_config.get("fps-out") or "fps-out"))


server = make_server(named_config, _named_out)  # what the app folder points at
client = make_client(named_config)


def simulate(find: FindConfig, M: int, out: Path) -> None:
    """All M devices in Flower's simulation on this machine."""
    from flwr.simulation import run_simulation

    run_simulation(make_server(find, lambda context: out), make_client(find), M)


def write_app(folder: Path, config: Path, out: Path) -> None:
    """The folder that `flwr run` wants: it names the two apps above and the files of this run."""
    components = {
        name: f"fpsverify.engines.flower_app:{name.removesuffix('app')}"
        for name in ("serverapp", "clientapp")
    }
    app = {
        "publisher": "fpsverify",
        "components": components,
        "config": {"fps-config": str(config.resolve()), "fps-out": str(out.resolve())},
    }
    project = {"name": "fps", "version": "1.0.0", "dependencies": ["fpsverify[flower]"]}
    make_folder(folder, "--app")
    write_text(folder / "pyproject.toml", tomli_w.dumps({"project": project, "tool": {"flwr": {"app": app}}}))


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m fpsverify.engines.flower_app", description="FPS under Flower"
    )
    parser.add_argument("config", type=Path)
    parser.add_argument(
        "--out", type=Path, required=True, help="folder for rounds.parquet and model.safetensors"
    )
    parser.add_argument("--app", type=Path, help="write a folder for `flwr run` instead of a simulation")
    chosen = parser.parse_args(words)
    try:
        config = configs.load(chosen.config)
        check_served(config.algorithm)
        if chosen.app:
            write_app(chosen.app, chosen.config, chosen.out)
        else:
            simulate(lambda context: config, config.devices.M, chosen.out)
    except FpsError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    from fpsverify.engines.flower_app import main as imported  # workers find functions by the module's name

    sys.exit(imported())
