"""Federated learning with count sketches over noisy channels: train, then see whether the theory holds.

    import fpsverify as fps

    devices = fps.Federation(module, loss, [data_0, data_1, ...], test=held_out)
    advice = fps.advise(devices, rounds=100, sketch=(5, 400, 200), channel=0.1)
    trained = fps.train(devices, rounds=100, sketch=(5, 400, 200), channel=0.1, gamma=advice.gamma, out="run")
    model = trained.module()                  # an nn.Module with the trained parameters
    print(fps.estimate(trained))              # does the theory hold for this run? which rates are safe?

Your own problem
    Federation      any nn.Module, any loss, a data set for each device
    train           a run of it; with out= a run folder that can be resumed bit for bit
    images          MNIST or Fashion-MNIST as tensors
    dirichlet       row numbers for devices that differ: dirichlet(labels, devices, alpha)
    without_batch_norm   a module with GroupNorm in place of BatchNorm

A problem of the paper
    RunConfig       the frozen description of a run; `fpsverify config` lists its keys
    load_config     reads one from a TOML file (see examples/)
    run             run(config, folder): the same as `fpsverify run`

Answers
    advise          which learning rate to use for a Federation or a RunConfig; needs no run
    certify         a learning rate that is proved from the data alone, for a linear model
    estimate        which assumptions a run meets, and which learning rates they allow
    sweep           one problem over several values and seeds: which is best, and is that chance?
    compare         the same for runs that are there already
    Parameters      the constants of a problem, given by hand
    ranges          the learning rates that the paper and the repaired theory allow for them

Pieces
    CountSketch, SketchSpec     the sketch itself
    FpsError, BadInput          what goes wrong, in one line

On the command line: `fpsverify --help`. Names are loaded on first use, so that this import is instant.
"""

from __future__ import annotations

from typing import Any

_HOME = {
    "BadInput": "fpsverify.errors",
    "CountSketch": "fpsverify.sketch.sketch",
    "Federation": "fpsverify.own.federation",
    "FpsError": "fpsverify.errors",
    "Parameters": "theory.rates.parameters",
    "RunConfig": "fpsverify.config",
    "SketchSpec": "fpsverify.sketch.sketch",
    "advise": "empirical.advice.advise",
    "certify": "empirical.certify",
    "compare": "fpsverify.grids.compared",
    "dirichlet": "fpsverify.own.parts",
    "estimate": "empirical.answer.result",
    "images": "fpsverify.own.images",
    "load_config": "fpsverify.config:load",
    "ranges": "theory.rates.ranges",
    "run": "fpsverify.runs.loop",
    "sweep": "fpsverify.grids.compared",
    "train": "fpsverify.own.training",
    "without_batch_norm": "fpsverify.own.layers",
}
__all__ = ["__version__", *_HOME]


def __getattr__(name: str) -> Any:
    """A public name, from the module that defines it."""
    if name == "__version__":
        from importlib.metadata import version

        return version("fpsverify")
    if name not in _HOME:
        raise AttributeError(f"module 'fpsverify' has no attribute '{name}'")
    from fpsverify.neighbours import load

    module, _, original = _HOME[name].partition(":")
    return getattr(load(module), original or name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
