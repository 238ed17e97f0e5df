"""FPS in Flower's own engines: its simulation with ten clients, and a SuperLink with two SuperNodes."""

import os
import subprocess
import sys

import pytest
from safetensors.torch import load_file

pytest.importorskip("flwr", reason="needs Flower: make test-engines, or pip install 'fpsverify[flower]'")

from fpsverify.engines import flower_app
from property_tests import laws
from property_tests.engines.flower_harness import ROOT, Loopback, own_loop, same_bits
from property_tests.engines.processes import PATIENCE, answers, wait_until
from property_tests.support.small_runs import small

SOURCE = laws.ENGINES


def test_ten_clients_in_the_simulation(tmp_path):
    config = small("devices.M=10", "devices.scenario=1", "rounds=4")
    (tmp_path / "run.toml").write_text(config.to_toml())
    command = [sys.executable, "-m", "fpsverify.engines.flower_app", "run.toml", "--out", "out"]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert same_bits(load_file(tmp_path / "out" / "model.safetensors"), own_loop(config))


@pytest.fixture
def loopback(tmp_path):
    link = Loopback(tmp_path)
    try:
        own = ("--insecure", "--port", str(link.port), "--disable-runtime-dependency-installation")
        link.start("superlink.log", "flower-superlink", *own)
        wait_until(lambda: link.alive() and answers(link.port), link.logs)
        for m, port in enumerate(link.node_ports):
            own = f'partition-id={m} fps-config="{tmp_path / f"node{m}.toml"}"'
            link.start(
                f"node{m}.log",
                *("flower-supernode", "--insecure", "--superlink", f"127.0.0.1:{link.port}"),
                *("--port", str(port), "--node-config", own),
            )
        yield link
    finally:
        link.close()


def test_two_supernodes_on_loopback_and_one_with_another_seed(loopback, tmp_path):
    """Every node reads a config of its own; in the second run that of node 1 has another seed."""
    config = small("devices.M=2", "devices.scenario=1", "rounds=2")
    for name in ("run", "node0", "node1"):
        (tmp_path / f"{name}.toml").write_text(config.to_toml())
    model = tmp_path / "out" / "model.safetensors"
    flower_app.write_app(tmp_path / "app", tmp_path / "run.toml", tmp_path / "out")
    status, _ = loopback.run(tmp_path / "app")
    assert status == "finished:completed", loopback.logs()
    assert same_bits(load_file(model), own_loop(config))

    (tmp_path / "node1.toml").write_text(config.model_copy(update={"seed": 8}).to_toml())
    model.unlink()
    status, why = loopback.run(tmp_path / "app")
    assert status == "finished:failed" and "(device 1) refused: fps-hash-seed: got" in why
    assert "\n" not in why and not model.exists()
