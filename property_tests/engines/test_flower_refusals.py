"""What the server of FPS cannot add to its sketch is refused in one line that says what to do."""

import copy
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import torch

pytest.importorskip("flwr", reason="needs Flower: make test-engines, or pip install 'fpsverify[flower]'")

from flwr.app import Array, ArrayRecord, Context, Message, RecordDict
from flwr.clientapp import ClientApp

from fpsverify.engines import flower_app
from fpsverify.engines.flower_halves import hash_spec
from fpsverify.engines.flower_strategy import FpsStrategy
from fpsverify.errors import BadInput, FpsError, RunFailed
from property_tests import laws
from property_tests.engines.flower_harness import (
    OPTIONS,
    ROOT,
    Direct,
    context_of,
    own_model,
    served,
    trainer,
)
from property_tests.support.small_runs import small

SOURCE = laws.ENGINES


def one_line(error: pytest.ExceptionInfo[FpsError]) -> str:
    text = str(error.value)
    assert "\n" not in text
    return text


def test_a_client_with_another_seed_ends_the_run_in_one_line(tmp_path):
    config = small()
    with pytest.raises(RunFailed) as error:
        served(config, tmp_path, other=small("seed=4"), device=2)
    line = one_line(error)
    assert line.startswith("round 1: node 102 (device 2) refused: fps-hash-seed: got ")
    assert (
        str(hash_spec(config.algorithm, 1, 4).seed) in line
        and str(hash_spec(config.algorithm, 1, 3).seed) in line
    )
    assert not (tmp_path / "model.safetensors").exists()


def test_under_accum_the_others_go_on_without_it(caplog):
    options = OPTIONS.model_copy(update={"device_sketch": "accum"})
    start = ArrayRecord({"w": torch.zeros(12, dtype=torch.float64)})

    def final(app: ClientApp, parts: list[int]) -> np.ndarray:
        strategy = FpsStrategy(
            options, seed=1, fraction_evaluate=0.0, min_train_nodes=1, min_available_nodes=1
        )
        return strategy.start(Direct(app, len(parts), parts), start, num_rounds=2).arrays["w"].numpy()

    right, wrong = trainer(), trainer(seed=99)

    def mixed(message: Message, context: Context) -> Message:
        return (wrong if context.node_config["partition-id"] == 1 else right)(message, context)

    assert np.array_equal(final(mixed, [0, 1, 2]), final(right, [0, 2]))
    assert sum("refused: fps-hash-seed" in line for line in caplog.messages) == 2


def _spoiled(change: Any) -> Any:
    def spoil(node: int, reply: Message) -> Message:
        if node == 1:
            change(reply.content)
        return reply

    return spoil


def _set_table(content: RecordDict, **fields: Any) -> None:
    record = content["fps-table"]
    old = record["table"]
    now = {"dtype": old.dtype, "shape": old.shape, "stype": old.stype, "data": old.data, **fields}
    record["table"] = Array(now["dtype"], now["shape"], now["stype"], now["data"])


SPOILS = {
    "no table": (lambda c: c.pop("fps-table"), "no sketch table"),
    "no terms": (lambda c: c.pop("fps"), "no sketch table"),
    "half a table": (lambda c: _set_table(c, data=b"12345678"), "table: got '8 bytes'"),
    "another shape": (lambda c: _set_table(c, shape=(16, 3)), "table: got ('float64', (16, 3))"),
    "another dtype": (lambda c: _set_table(c, dtype="float32"), "table: got ('float32', (3, 16))"),
    "not a number": (
        lambda c: _set_table(c, data=np.full(48, np.nan).tobytes()),
        "table: got 'NaN or infinity'",
    ),
    "another round": (
        lambda c: c["fps"].update({"fps-round": 7}),
        "fps-round: got 7, expected the server's, 1",
    ),
    "another d": (lambda c: c["fps"].update({"fps-d": 7}), "fps-d: got 7, expected the server's, 21"),
    "another b": (
        lambda c: c["fps"].update({"fps-buckets": 17}),
        "fps-buckets: got 17, expected the server's, 16",
    ),
    "no number": (lambda c: c["fps"].pop("fps-device"), "fps-device: got None"),
    "twice": (lambda c: c["fps"].update({"fps-device": 3}), "device 3 answered twice"),
}


@pytest.mark.parametrize("name", SPOILS)
def test_what_cannot_be_added_is_refused_in_one_line(name, tmp_path):
    change, expected = SPOILS[name]
    with pytest.raises(RunFailed) as error:
        served(small(), tmp_path, spoil=_spoiled(change))
    assert expected in one_line(error) and "round 1: node " in one_line(error)


@pytest.mark.parametrize("keeps", [0, 1])
def test_a_device_that_lost_its_sketch_is_noticed(keeps, tmp_path):
    """After round 1 + keeps, device 1 is back where it was after round `keeps`."""
    grid = Direct(flower_app.make_client(lambda context: small()), 4)
    states = [context_of(101, 1)]

    def goes_back(node: int, reply: Message) -> Message:
        if node == 1:
            states.append(copy.deepcopy(grid.contexts[101]))
            if len(states) == keeps + 2:
                grid.contexts[101] = states[keeps]
        return reply

    grid.spoil = goes_back
    with pytest.raises(FpsError, match=f"device 1 has no sketch of round {keeps + 1}.*accum"):
        flower_app.serve(grid, small(), tmp_path)


@pytest.mark.parametrize(("M", "absent_in", "said"), [(3, 1, "expected 3"), (None, 2, "expected [0, 1, 2]")])
def test_an_absent_device_is_noticed_under_persist(M, absent_in, said):
    grid = Direct(trainer(), 3)
    everyone = grid.send_and_receive

    def without_2(messages: Any, timeout: float) -> list[Message]:
        replies = everyone(messages, timeout)
        late = len(grid.replies) >= 2 * absent_in - 1  # an empty round of evaluation follows every round
        return [r for r in replies if not (late and r.content["fps"]["fps-device"] == 2)]

    grid.send_and_receive = without_2
    strategy = FpsStrategy(OPTIONS, seed=1, M=M, fraction_evaluate=0.0)
    with pytest.raises(RunFailed) as error:
        strategy.start(grid, ArrayRecord({"w": torch.zeros(12)}), num_rounds=2)
    assert f"round {absent_in}: devices [0, 1] answered, {said}" in one_line(error)


@pytest.mark.parametrize(
    "override",
    [
        "algorithm.compressor=identity",
        "algorithm.device_sketch=resync",
        "algorithm.local_iterate=mission",
        "algorithm.simulate=averaged",
        "algorithm.name=fedavg",
        "devices.participation=0.5",  # who takes part is Flower's to choose
    ],
)
def test_readings_that_need_more_than_a_table_are_refused(override, tmp_path):
    with pytest.raises(BadInput, match=f"^{override.split('=')[0]}: got .*under Flower") as error:
        served(small(override), tmp_path)
    one_line(error)


def test_bad_arguments_are_refused_in_one_line(tmp_path):
    with pytest.raises(BadInput, match="fraction_train: got 0.5"):
        FpsStrategy(OPTIONS, seed=1, fraction_train=0.5)
    with pytest.raises(BadInput, match="partition-id: got 9, expected a device number from 0 to 3"):
        served(small(), tmp_path, parts=[0, 1, 2, 9])
    (tmp_path / "model.safetensors").touch()
    with pytest.raises(BadInput, match="fps-out: got .* without the model of an earlier run"):
        served(small(), tmp_path)
    with pytest.raises(BadInput, match="fps-config: got"):
        flower_app.named_config(context_of(1))
    bare = Message(RecordDict({"arrays": ArrayRecord(own_model())}), dst_node_id=1, message_type="train")
    with pytest.raises(FpsError, match="no terms of FPS"):
        trainer()(bare, context_of(1))


def test_without_the_extra_one_line_says_how_to_get_it():
    code = (
        "import sys; sys.modules['flwr'] = None\n"
        "from fpsverify.errors import FpsError\n"
        "for name in ('flower_strategy', 'flower_client', 'flower_app', 'messages'):\n"
        "    try:\n"
        "        __import__('fpsverify.engines.' + name)\n"
        "    except FpsError as error:\n"
        "        print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) == 4 and all(line.endswith("pip install 'fpsverify[flower]'") for line in lines)
