"""`fpsverify fedprox`: which proximal parameters Theorem 4 of FedProx allows, and what a run does."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from empirical.constants.inexactness import ProximalRound
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
    command.add_argument("--json", action="store_true", help="JSON on standard output")
    command.set_defaults(func=fedprox_command)


def fedprox_command(args: argparse.Namespace) -> int:
    """Print the table; with --run also one line per round."""
    from theory.papers.fedprox.parameters import Setting, admissible

    setting = Setting(args.L, args.B, args.gamma, args.K, args.L_minus, args.N)
    rules = {"printed": setting.rho_printed, "R1": setting.rho_r1, "R_K": setting.rho_k}
    here = {name: rule(_above(args.mu, "mu", setting)) for name, rule in rules.items()} if args.mu else {}
    found = admissible(setting)
    rounds = _followed(args.run, setting) if args.run else []
    if args.json:
        listed = [{**asdict(each), "rho_at_mu": finite(here.get(each.name))} for each in found]
        shown = {"setting": asdict(setting), "possible": setting.possible, "rules": listed}
        print(json.dumps({**shown, "rounds": [{**asdict(r), "rho": rho} for r, rho in rounds]}, indent=2))
        return 0
    if not setting.possible:
        print(f"impossible: gamma B = {args.gamma * args.B:g} >= 1; some losses rise for every mu (FP.R5n)")
    print(f"{'rule':<9}{'mu above':>12}{'best mu':>12}{'rho':>14}{'rho at --mu' if here else '':>14}")
    for each in found:
        numbers = [each.least, each.best, each.rho]
        cells = [f"{'none' if x is None else format(x, '.6g'):>13}" for x in numbers]
        own = f"{here[each.name]:>14.6g}" if here else ""
        print(f"{each.name:<8}{''.join(cells)}{own}")
    if rounds:
        print(_rounds_text(rounds))
    return 0


def finite(value: float | None) -> float | None:
    """JSON has no infinity: a rule that says nothing there has no number."""
    return value if value is not None and isfinite(value) else None


def _above(mu: float, field: str, setting: Setting) -> float:
    from fpsverify.errors import BadInput

    if not mu > setting.L_minus:
        raise BadInput(field, mu, f"above L_minus = {setting.L_minus:g}")
    return mu


def _followed(path: Path, setting: Setting) -> list[tuple[ProximalRound, float]]:
    """Each round with ρ of R1 at its own γ and B: what the mean over all devices has to gain."""
    from empirical.constants.inexactness import follow
    from fpsverify import config as configs

    config = configs.load(path)
    mu = _above(config.local.mu, "local.mu", setting)
    return [
        (each, replace(setting, B=max(each.B, 1.0), gamma=each.gamma).rho_r1(mu)) for each in follow(config)
    ]


def _rounds_text(rounds: list[tuple[ProximalRound, float]]) -> str:
    """γ and B as measured, the gain per squared gradient, and ρ; the theory knows no channel noise."""
    head = f"\n{'round':>5}{'gamma':>10}{'B':>10}{'|grad f|^2':>14}{'gain':>14}{'rho of R1':>14}"
    lines = [
        f"{r.t:>5}{r.gamma:>10.4f}{r.B:>10.4f}{r.squared_gradient:>14.6g}{r.gain:>14.6g}{rho:>14.6g}"
        for r, rho in rounds
    ]
    held = sum(r.gain >= rho for r, rho in rounds)
    return "\n".join([head, *lines, f"gain >= rho of R1 in {held} of {len(rounds)} rounds"])
