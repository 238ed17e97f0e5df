"""Does the advice work? Ask for a learning rate, then find out by runs what it is worth.

    python -m benchmarks.estimates.advice [--out runs/advice] [--seconds 300]

For each problem: the advice (short pilots only), then runs of 300 rounds at the advised γ, at the rivals' and
on a grid of powers of 2 around them. Runs are kept in OUT/curves.jsonl, advice in OUT/advice.jsonl; a second
call continues where the first stopped. The runs of the stored result are kept where every γ that is asked for
came out the same.

    safe        the run at γ stays finite, and its last tenth lies below f(w_0) in the mean
    limit       the largest safe γ of 300 rounds, to within 2^(1/4)
    regret      (f(γ) − best)/(f(w_0) − best) over the last tenth of T rounds; best: over all γ that were run

Pilots and runs share their draws: hash, mini-batches, noise, devices that take part. So held-out problems are
also run at the recommended γ with other draws (`fresh`).
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from benchmarks.estimates.advice_problems import ROUNDS, Problem, case, images, problems
from benchmarks.estimates.advice_runs import HORIZONS, Curves, final, is_safe, search, true_limit
from benchmarks.estimates.advice_table import HALVES, summary
from benchmarks.provenance import ROOT, made
from empirical.advice.advise import advice_for
from empirical.advice.case import Case
from fpsverify.data.mnist import load_images
from fpsverify.files import make_folder, write_json
from fpsverify.methods import METHODS
from theory.rates.parameters import Parameters
from theory.rates.ranges import supremum

RESULT = ROOT / "book" / "results" / "advice.json"
PAPER_GAMMA = 0.01
SAME = 1e-9  # relative difference of two rates that differ by rounding alone
DRAWS = (1, 2, 3)  # other seeds than a problem's own


def rivals(subject: Case, advice: Any) -> dict[str, float | None]:
    """What else one might use: half of the limits, the certified range, Theorem A, the paper, its γ."""
    at, noise = advice.at_estimates, advice.facts["P_n"]
    q = Parameters(L=advice.facts["L"], mu=subject.mu, E=subject.E, B=1.0, P_b=0.0, P_n=noise, M=subject.n)
    limits = [x for x in (at.certified, at.edge) if x is not None]
    return {
        "half": min(limits) / 2 if limits else None,
        "certified": at.certified,
        "guaranteed": advice.guaranteed,
        "theorem_a": _positive(supremum("repaired_sharp", q)),
        "paper": _positive(supremum("paper", q)),
        "gamma_0.01": PAPER_GAMMA,
    }


def _positive(gamma: float) -> float | None:
    return gamma if 0 < gamma < math.inf else None


def ask(problem: Problem, subject: Case) -> dict[str, Any]:
    """The advice for each horizon from the same pilots, and the rivals'."""
    started = time.process_time()
    advised = {T: advice_for(of_length(subject, T)) for T in HORIZONS}
    seconds, advice = time.process_time() - started, advised[ROUNDS]
    chosen = {f"recommended_{T}": each.recommended for T, each in advised.items()}
    return {
        "problem": problem.name,
        "held_out": problem.held_out,
        "loss": problem.loss,
        "sketched": subject.compresses,
        "part": not subject.all_take_part,
        "proximal": subject.mu > 0,
        "gammas": chosen | rivals(subject, advice),
        "edge": advice.edge,
        "pilots": [vars(pilot) for pilot in advice.pilots],
        "pilot_rounds": sum(each.rounds[-1] for each in (*advice.pilots, *advice.draws)),
        "seconds": round(seconds, 2),
        "rule": METHODS["advice"],
    }


def of_length(subject: Case, T: int) -> Case:
    """The same problem for T rounds."""
    setup = subject.setup
    return replace(subject, setup=replace(setup, config=setup.config.model_copy(update={"rounds": T})))


def judge(name: str, subject: Case, asked: dict[str, Any], curves: Curves) -> dict[str, Any]:
    """What the runs say about every γ that was asked for."""
    given = [gamma for gamma in asked["gammas"].values() if gamma]
    for gamma in given:
        curves.losses(name, subject, gamma)
    middle = round(math.log2(asked["gammas"]["half"] or given[0]))
    of_power = lambda j: curves.losses(name, subject, 2.0**j)  # noqa: E731
    grid = search(of_power, middle)
    if not any(is_safe(losses, ROUNDS) for losses in grid.values()):  # lower, then: from the smallest rate on
        grid |= search(of_power, math.floor(math.log2(min(given))))
    limit = true_limit(grid, lambda gamma: curves.losses(name, subject, gamma))
    known = {gamma: losses for (n, gamma), losses in curves.known.items() if n == name}
    return asked | {
        "f_0": next(iter(known.values()))[0],
        "limit": limit,
        "best": {str(T): _best(known, T) for T in HORIZONS},
        "forms": {form: _figures(known, gamma) for form, gamma in asked["gammas"].items() if gamma},
    }


def fresh(name: str, subject: Case, asked: dict[str, Any], curves: Curves) -> dict[str, list[float | None]]:
    """The last tenth over the first loss with other draws, for each horizon; None where it is not finite."""
    found = {}
    for T in HORIZONS:
        gamma = asked["gammas"][f"recommended_{T}"]
        runs = [curves.losses(name, subject, gamma, draw) for draw in DRAWS] if gamma else []
        found[str(T)] = [_finite(final(losses, T) / losses[0]) for losses in runs]
    return found


def _best(known: dict[float, list[float]], T: int) -> dict[str, float]:
    gamma = min(known, key=lambda each: final(known[each], T))
    return {"gamma": gamma, "loss": final(known[gamma], T)}


def _figures(known: dict[float, list[float]], gamma: float) -> dict[str, Any]:
    losses = known[gamma]
    return {
        "gamma": gamma,
        **{f"loss_{T}": _finite(final(losses, T)) for T in HORIZONS},
        **{f"safe_{T}": is_safe(losses, T) for T in HORIZONS},
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def collect(
    chosen: Iterable[Problem],
    folder: Path,
    seconds: float,
    say: Callable[[str], None],
    earlier: dict[str, dict[str, Any]] | None = None,
) -> bool:
    """Work on the problems until done or out of time, the new ones first; True when all are done."""
    curves, path = Curves.at(folder / "curves.jsonl"), folder / "advice.jsonl"
    done = {(row["problem"], row["rule"]) for row in stored(path)}
    started = time.process_time()
    earlier = earlier or {}
    for problem in sorted(chosen, key=lambda each: each.name in earlier):
        if (problem.name, METHODS["advice"]) in done:
            continue
        if time.process_time() - started > seconds:
            return False
        subject = case(problem)
        asked = ask(problem, subject)
        row = kept(asked, earlier.get(problem.name)) or judge(problem.name, subject, asked, curves)
        if problem.held_out and "fresh" not in row:
            row |= {"fresh": fresh(problem.name, subject, asked, curves)}
        with path.open("a") as handle:
            handle.write(json.dumps(_plain(row)) + "\n")
        say(f"{time.process_time() - started:6.0f} s  {problem.name}  {row['gammas']['recommended_300']}")
    return True


def kept(asked: dict[str, Any], before: dict[str, Any] | None) -> dict[str, Any] | None:
    """The runs of an earlier result, if each rate that is asked for now is among theirs."""
    if before is None or before["limit"] is None:
        return None
    now = {name: gamma for name, gamma in asked["gammas"].items() if gamma}
    if any(abs(gamma - (before["gammas"].get(name) or 0)) > SAME * gamma for name, gamma in now.items()):
        return None
    forms = {name: before["forms"][name] for name in now}
    return before | asked | {"forms": forms}


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    return row | {"limit": "inf" if row["limit"] == math.inf else row["limit"]}


def stored(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def result(folder: Path) -> dict[str, Any]:
    """What the book shows, for the present rule: rows without their pilots' losses, and the table."""
    rows = [row for row in stored(folder / "advice.jsonl") if row["rule"] == METHODS["advice"]]
    kept = [{name: value for name, value in row.items() if name != "pilots"} for row in rows]
    done = {row["problem"] for row in kept}
    missing = {
        half: [p.name for p in problems() if p.held_out == held and p.name not in done]
        for half, held in HALVES.items()
    }
    found = {"criteria": __doc__, "rule": METHODS["advice"], "summary": summary(kept), "rows": kept}
    return found | {"not_run": missing}


def main() -> None:
    parser = argparse.ArgumentParser(description="What is the advised learning rate worth?")
    parser.add_argument("--out", type=Path, default=Path("runs/advice"), help="where runs are kept")
    parser.add_argument("--seconds", type=float, default=math.inf, help="stop after so much CPU time")
    args, start = parser.parse_args(), time.process_time()
    load_images("mnist")  # or one line that says how to get it; `problems` would take generated images
    torch.set_num_threads(1)
    make_folder(args.out, "--out")
    before = json.loads(RESULT.read_text(encoding="utf-8"))["rows"] if RESULT.exists() else []
    earlier = {row["problem"]: row for row in before}
    if not collect(problems(), args.out, args.seconds, lambda line: print(line, flush=True), earlier):
        raise SystemExit("out of time: call again to continue")
    about = made("python -m benchmarks.estimates.advice", time.process_time() - start, METHODS)
    write_json(RESULT, result(args.out) | {"images": images()[2], "provenance": about})


if __name__ == "__main__":
    main()
