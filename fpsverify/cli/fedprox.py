"""`fpsverify fedprox`: which proximal parameters Theorem 4 of FedProx allows, and what a run does."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from theory.papers.fedprox.parameters import Setting


def add_commands(subparsers: argparse._SubParsersAction) -> None:
    """Add `fedprox`."""
    command = subparsers.add_parser(
        "fedprox",
        help="proximal parameters that FedProx's theory allows",
        description="Theorem 4 of FedProx as printed, without its terms in K (R1), and with the true gain "
        "from K devices (R_K): which mu have a positive rho, the best one, and its rho. With --run, a "
        "fedprox run is followed round by round, and gamma and B are measured.",
    )
    command.add_argument("--L", type=float, required=True, help="smoothness of the devices' losses")
    command.add_argument("--B", type=float, default=1.0, help="dissimilarity bound (default 1)")
    command.add_argument("--gamma", type=float, default=0.0, help="inexactness of a device (default 0)")
    command.add_argument("--K", type=int, default=1, help="devices in a round (default 1)")
    command.add_argument("--N", type=int, help="devices in all, if K are drawn without replacement")
    command.add_argument("--L-minus", type=float, default=0.0, help="least curvature is -L_minus (default 0)")
    command.add_argument("--mu", type=float, help="rho of this proximal parameter too")
    command.add_argument("--run", type=Path, metavar="CONFIG", help="follow a fedprox run")
    command.set_defaults(func=fedprox_command)


def fedprox_command(args: argparse.Namespace) -> int:
    """Print the table; with --run also one line per round."""
    from theory.papers.fedprox.parameters import Setting, admissible

    setting = Setting(args.L, args.B, args.gamma, args.K, args.L_minus, args.N)
    if not setting.possible:
        print(f"impossible: gamma B = {args.gamma * args.B:g} >= 1; some losses rise for every mu (FP.R5n)")
    print(f"{'rule':<9}{'mu above':>12}{'best mu':>12}{'rho':>14}{'rho at --mu' if args.mu else '':>14}")
    rules = {"printed": setting.rho_printed, "R1": setting.rho_r1, "R_K": setting.rho_k}
    for found in admissible(setting):
        own = f"{rules[found.name](_mu(args)):>14.6g}" if args.mu else ""
        if found.best is None:
            print(f"{found.name:<9}{'none':>12}{'none':>12}{'':>14}{own}")
        else:
            print(f"{found.name:<9}{found.least:>12.6g}{found.best:>12.6g}{found.rho:>14.6g}{own}")
    if args.run:
        _follow(args.run, setting)
    return 0


def _mu(args: argparse.Namespace) -> float:
    from fpsverify.errors import BadInput

    if not args.mu > args.L_minus:
        raise BadInput("mu", args.mu, f"above L_minus = {args.L_minus:g}")
    return float(args.mu)


def _follow(path: Path, setting: Setting) -> None:
    """γ and B as measured, the gain per squared gradient, and ρ by R1 for the mean over all devices."""
    from dataclasses import replace

    from empirical.constants.inexactness import follow
    from fpsverify import config as configs
    from fpsverify.errors import BadInput

    config = configs.load(path)
    if not config.local.mu > setting.L_minus:
        raise BadInput("local.mu", config.local.mu, f"above L_minus = {setting.L_minus:g}")
    print(f"\n{'round':>5}{'gamma':>10}{'B':>10}{'|grad f|^2':>14}{'gain':>14}{'R1':>14}")
    held = total = 0
    for each in follow(config):
        here = replace(setting, B=max(each.B, 1.0), gamma=each.gamma)
        rho = here.rho_r1(config.local.mu)
        held, total = held + (each.gain >= rho), total + 1
        print(
            f"{each.t:>5}{each.gamma:>10.4f}{each.B:>10.4f}{each.squared_gradient:>14.6g}"
            f"{each.gain:>14.6g}{rho:>14.6g}"
        )
    print(
        f"gain >= rho of R1 in {held} of {total} rounds" + (_NOISE if config.channel.kind != "ideal" else "")
    )


_NOISE = " (the theory knows no channel noise)"
