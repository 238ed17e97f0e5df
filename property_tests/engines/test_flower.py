"""Fresh hashes under Flower give the bits of our own loop, send a table of fixed size, refuse in one line.

Opt-in (`make test-engines` installs the extra). Most laws call the apps directly, message by message; the
last one is `flwr run examples/flower`.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("flwr", reason="needs Flower: make test-engines, or pip install 'fpsverify[flower]'")

from flwr.app import Array, ArrayRecord, ConfigRecord, Context, Message, MetricRecord, RecordDict
from flwr.clientapp import ClientApp
from flwr.supercore.task_identity import TaskIdentity

from fpsverify.algorithms.compressor import Compressor
from fpsverify.config import RunConfig
from fpsverify.distributed.ranks import ALONE, Job, Ordered
from fpsverify.engines import flower
from fpsverify.engines.flower import FreshStrategy, Terms, moved, sketch_mod, vector
from fpsverify.local import local_updates
from fpsverify.runs.loop import prepare, run_in_memory
from fpsverify.vectors import DenseUpdates
from property_tests.engines.processes import PATIENCE, answers, free_ports, wait_until
from property_tests.support.small_runs import small

ROOT = Path(__file__).parents[2]


class Direct:
    """A grid whose nodes are called one after the other, the last one first; `spoil(node, reply)` may change
    a reply on its way."""

    def __init__(self, app: ClientApp, nodes: int, spoil: Any = None) -> None:
        for name in ("run_id", "task_id", "node_id"):  # a message names its sender
            setattr(TaskIdentity, name, 1)
        self.app, self.nodes, self.spoil, self.replies = app, nodes, spoil, []

    def get_node_ids(self) -> list[int]:
        return list(range(100, 100 + self.nodes))

    def send_and_receive(self, messages: Iterable[Message], timeout: float) -> list[Message]:
        replies = [self._asked(message) for message in reversed(list(messages))]
        self.replies.append(replies)
        return replies

    def _asked(self, message: Message) -> Message:
        node = message.metadata.dst_node_id
        content = {name: type(part)(dict(part)) for name, part in message.content.items()}
        copy = Message(RecordDict(content), dst_node_id=node, message_type=message.metadata.message_type)
        place = {"partition-id": node - 100}
        reply = self.app(
            copy, Context(run_id=1, node_id=node, node_config=place, state=RecordDict(), run_config={})
        )
        return self.spoil(node - 100, reply) if self.spoil else reply


# ---- equal to our loop ----------------------------------------------------------------------------------

READINGS = [
    (),
    ("dtype=float32",),
    ("algorithm.rows=3",),
    ("algorithm.compressor=count_sketch",),
    ("algorithm.compressor=balanced", "problem.objective=mlp"),
    ("algorithm.compressor=identity",),
    ("local.unit=epochs", "local.E=2", "local.mu=0.3"),
    ("channel.kind=rayleigh", "channel.gain_threshold=1.5", "rounds=12"),  # all silent in some rounds
]


def served(config: RunConfig) -> torch.Tensor:
    """The model after the run of a config whose devices are Flower's clients."""
    setup = prepare(config)[1]
    app = ClientApp(mods=[sketch_mod()])

    @app.train()
    def train(message: Message, context: Context) -> Message:
        terms = Terms.from_record(message.content["config"])
        w = vector(message.content["arrays"], terms.dtype)
        device = OneDevice(ALONE, setup.problem.M, m=int(context.node_config["partition-id"]))
        update = local_updates(setup.problem, w, config.local, terms.t, device)
        assert isinstance(update, DenseUpdates)
        return Message(RecordDict({flower.UPDATE: packed(update.values[0])}), reply_to=message)

    options = config.algorithm
    strategy = FreshStrategy(
        options.buckets,
        config.seed,
        rows=options.rows,
        compressor=options.compressor,
        channel=config.channel,
        gamma=config.local.gamma,
        fraction_evaluate=0.0,
    )
    result = strategy.start(
        Direct(app, setup.problem.M), packed(setup.problem.start), num_rounds=config.rounds
    )
    return vector(result.arrays, config.dtype)


class OneDevice(Ordered):
    """Device m of M, alone in its process."""

    def __init__(self, wire: Any, M: int, m: int) -> None:
        super().__init__(wire, M)
        object.__setattr__(self, "m", m)

    @property
    def mine(self) -> range:
        return range(self.m, self.m + 1)


def packed(w: torch.Tensor) -> ArrayRecord:
    return ArrayRecord({"w": Array(w.numpy())})


@pytest.mark.parametrize("overrides", READINGS, ids=" ".join)
def test_every_compressor_gives_the_bits_of_our_loop(overrides):
    """Same operations in the same order on both sides, so the tolerance is zero, in either dtype."""
    config = small("algorithm.name=fresh", *overrides)
    job = Job(reduction="ordered")
    algorithm, setup, _ = prepare(config, job)
    w = algorithm.model(setup, run_in_memory(config, job=job).state)
    assert torch.equal(served(config), w)


# ---- a model of one's own -------------------------------------------------------------------------------


def own_model() -> dict[str, torch.Tensor]:
    g = torch.Generator().manual_seed(5)
    weight, bias, one = (torch.randn(shape, generator=g) for shape in ((4, 6), (4,), ()))
    return {"a.weight": weight, "count": torch.tensor(3), "a.bias": bias.half(), "b": one}


def trainer() -> ClientApp:
    """Client m adds (m + 1)/8 to every number, counters too."""
    app = ClientApp(mods=[sketch_mod()])

    @app.train()
    def train(message: Message, context: Context) -> Message:
        step = (context.node_config["partition-id"] + 1) / 8
        state = message.content["arrays"].to_torch_state_dict(keep_input=False)
        trained = {name: (v + step).to(v.dtype) for name, v in state.items()}
        content = {"arrays": ArrayRecord(trained), "metrics": MetricRecord({"num-examples": 2, "step": step})}
        return Message(RecordDict(content), reply_to=message)

    return app


def started(M: int, spoil: Any = None, rounds: int = 1) -> Any:
    strategy = FreshStrategy(8, seed=4, fraction_evaluate=0.0)
    return strategy.start(Direct(trainer(), M, spoil), ArrayRecord(own_model()), num_rounds=rounds)


def flat(state: dict[str, torch.Tensor]) -> torch.Tensor:
    return torch.cat([v.float().flatten() for v in state.values() if v.is_floating_point()])


def test_a_state_dict_moves_by_the_decoded_mean():
    """Against the definition: S of the mean displacement, decoded, beside it the reported metrics."""
    result = started(3)
    start = flat(own_model())
    trained = [flat({n: (v + (m + 1) / 8).to(v.dtype) for n, v in own_model().items()}) for m in range(3)]
    mean = sum(w - start for w in trained) / 3
    draw = Compressor("fold", 1, 8, len(start), 4).draw(1)
    expected = start + draw.decode(draw.encode(DenseUpdates(mean[None])))[0]
    found = result.arrays.to_torch_state_dict()
    assert found["count"] == 3 and found["a.bias"].dtype == torch.float16
    # Sums of at most four numbers below 4 in float32, and float16 once: u = 2^-24 and 2^-11.
    torch.testing.assert_close(flat(found), expected, rtol=2**-11, atol=4 * 8 * 2**-24 + 2**-10)
    assert result.train_metrics_clientapp[1]["step"] == pytest.approx(0.25)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_client_sends_rows_times_buckets_numbers_whatever_d_is(dtype):
    sizes = set()
    for d in (100, 1000, 50_000):
        grid = Direct(trainer(), 2)
        strategy = FreshStrategy(64, seed=1, rows=2, fraction_evaluate=0.0)
        result = strategy.start(grid, ArrayRecord({"w": torch.zeros(d, dtype=dtype)}), num_rounds=2)
        for reply in (reply for replies in grid.replies for reply in replies):
            (arrays,) = reply.content.array_records.values()
            sizes.add(sum(len(array.data) for array in arrays.values()))
        assert result.train_metrics_clientapp[2]["table_bytes"] == 2 * 64 * dtype.itemsize
    assert sizes == {2 * 64 * dtype.itemsize}


@given(st.lists(st.lists(st.integers(0, 3), max_size=3), min_size=1, max_size=4), st.integers(0, 99))
def test_a_model_survives_the_way(shapes, seed):
    g = torch.Generator().manual_seed(seed)
    state = {f"p{i}": torch.randn(shape, generator=g) for i, shape in enumerate(shapes)}
    arrays = ArrayRecord({**state, "steps": torch.tensor([1, 2])})
    w = vector(arrays, "float32")
    assert len(w) == sum(v.numel() for v in state.values())
    back = moved(2 * w, arrays).to_torch_state_dict()
    assert all(torch.equal(back[name], 2 * v) for name, v in state.items())
    assert torch.equal(back["steps"], torch.tensor([1, 2]))


# ---- what is refused ------------------------------------------------------------------------------------


def changed(name: str, value: Any) -> Any:
    def spoil(reply: Message) -> None:
        reply.content["fps"] = ConfigRecord({**reply.content["fps"], name: value})

    return spoil


def with_data(data: bytes) -> Any:
    def spoil(reply: Message) -> None:
        reply.content["fps-table"] = ArrayRecord(
            {"fps-table": Array("float32", (1, 8), "fpsverify.raw", data)}
        )

    return spoil


SPOILED = {
    "fps-seed: got 5, expected the server's, 4": changed("fps-seed", 5),
    "fps-buckets: got 9, expected the server's, 8": changed("fps-buckets", 9),
    "fps-t: got 7, expected the server's, 1": changed("fps-t", 7),
    "device 0 answered twice": changed("fps-device", 0),
    "table: got '3 bytes', expected 1 x 8 of float32": with_data(b"abc"),
    "table: got 'NaN or infinity'": with_data(torch.full((8,), torch.nan).numpy().tobytes()),
    "no sketch table in the reply": lambda reply: reply.content.pop("fps-table"),
}


@pytest.mark.parametrize("words", SPOILED)
def test_what_cannot_be_added_is_one_line_and_the_round_goes_on(words, caplog):
    """Node 1 answers something else; nodes 0 and 2 move the model."""

    def spoil(node: int, reply: Message) -> Message:
        if node == 1:
            SPOILED[words](reply)
        return reply

    result = started(3, spoil)
    lines = [r.getMessage() for r in caplog.records if "refused" in r.getMessage()]
    assert len(lines) == 1 and words in lines[0] and "\n" not in lines[0]
    start, end = flat(own_model()), flat(result.arrays.to_torch_state_dict())
    mean = torch.full_like(start, 0.25)  # of 1/8 and 3/8
    draw = Compressor("fold", 1, 8, len(start), 4).draw(1)
    expected = start + draw.decode(draw.encode(DenseUpdates(mean[None])))[0]
    torch.testing.assert_close(end, expected, rtol=2**-10, atol=2**-9)


def test_without_the_extra_one_line_says_how_to_get_it():
    code = "import sys; sys.modules['flwr'] = None; import fpsverify.engines.flower"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert "pip install 'fpsverify[flower]'" in done.stderr.splitlines()[-1]


# ---- the example ----------------------------------------------------------------------------------------


@pytest.fixture
def superlink(tmp_path):
    """A SuperLink of this test's own, whose simulation has two nodes; `flwr run APP here` finds it."""
    (control,) = free_ports(1)
    env = {**os.environ, "FLWR_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    (tmp_path / "home").mkdir()
    link = f'address = "127.0.0.1:{control}"\ninsecure = true\n'
    (tmp_path / "home" / "config.toml").write_text(f'[superlink]\ndefault = "here"\n[superlink.here]\n{link}')
    own = ["--insecure", "--simulation", "--disable-runtime-dependency-installation"]
    ports = ["--port", str(control)]
    with (tmp_path / "superlink.log").open("w") as log:
        command = ["flower-superlink", *own, *ports]
        process = subprocess.Popen(command, env=env, stdout=log, stderr=log, start_new_session=True)
    try:
        wait_until(lambda: answers(control), (tmp_path / "superlink.log").read_text)
        yield env
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)


def test_flwr_run_starts_the_example_and_it_learns(superlink, tmp_path):
    pytest.importorskip("flwr_datasets", reason="needs flwr-datasets: make test-engines")
    app, out = shutil.copytree(ROOT / "examples" / "flower", tmp_path / "flower"), tmp_path / "accuracy.json"
    settings = f"out='{out}' num-server-rounds=15"
    command = ["flwr", "run", str(app), "here", "--stream", "--run-config", settings]
    done = subprocess.run(
        command, env=superlink, cwd=tmp_path, capture_output=True, text=True, timeout=2 * PATIENCE
    )
    assert out.exists(), done.stdout[-3000:] + done.stderr[-3000:]
    found = json.loads(out.read_text())
    assert len(found) == 16 and found["15"] > 0.8 > 0.3 > found["0"]  # ten classes
    said = re.search(r"in place of ([\d,]+)", (app / "pyproject.toml").read_text(encoding="utf-8"))
    assert int(said[1].replace(",", "")) == 64 * 32 + 32 + 32 * 10 + 10
