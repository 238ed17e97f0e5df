"""The claims of Section 6 and Appendix D.1-D.3 that the grids can judge."""

from __future__ import annotations

from collections.abc import Mapping

from fpsverify.reproduce.claims import (
    EVERYWHERE,
    Claim,
    Verdict,
    among_readings,
    below,
    better_with_noise,
    close_to_fps,
    fps_beats,
    rises_then_falls,
    scores_mean_something,
)
from fpsverify.reproduce.tables import Results
from fpsverify.reproduce.ties import AS_CLICKS, ties_as_clicks

OTHERS = ("FetchSGD", "BLCD", "Top-k", "FedProx")

CLAIMS: tuple[Claim, ...] = (
    Claim(
        "mnist-best-in-noise",
        "mnist",
        "Table 2 (MNIST), σ = 0.8",
        "FPS has the highest accuracy in every noisy row",
        fps_beats("mnist", OTHERS, EVERYWHERE, 0.8),
    ),
    Claim(
        "mnist-iid-comparable",
        "mnist",
        "Section 6.2",
        "in the noisy IID case FPS and FetchSGD exhibit comparable accuracies (within 10 points)",
        close_to_fps("mnist", "FetchSGD", (1,), 0.8, 0.10),
    ),
    Claim(
        "mnist-blcd-rises-and-falls",
        "mnist",
        "Section 6.2",
        "under noise BLCD rises quickly and then declines (by more than 5 points)",
        rises_then_falls("mnist", "BLCD", 1, 0.8, 0.05),
    ),
    Claim(
        "mnist-collapse-of-baselines",
        "mnist",
        "Table 2 (MNIST), Scenario 2, σ = 0",
        "without noise all baselines stay below 15 % when each device holds one class",
        below("mnist", OTHERS, 2, 0.0, 0.15),
    ),
    Claim(
        "mnist-fetchsgd-better-with-noise",
        "mnist",
        "Table 2 (MNIST), Scenario 2",
        "FetchSGD is better with noise (71.8 %) than without (13.2 %)",
        better_with_noise("mnist", "FetchSGD", 2),
    ),
    Claim(
        "mnist-noise-free-heterogeneous",
        "mnist",
        "Table 2 (MNIST), Scenarios 2 and 3, σ = 0",
        "FPS is best without noise under strong heterogeneity",
        fps_beats("mnist", OTHERS, (2, 3), 0.0),
    ),
    Claim(
        "kdd12-best-in-noise",
        "kdd12",
        "Section 6.1",
        "FPS significantly outperforms FetchSGD and BLCD in all scenarios under noise",
        fps_beats("kdd12", ("FetchSGD", "BLCD"), EVERYWHERE, 1.0),
    ),
    Claim(
        "kdd12-noise-free-comparable",
        "kdd12",
        "Section 6.1",
        "without noise FetchSGD is comparable to FPS in Scenarios 1 and 4 (within 2 points)",
        close_to_fps("kdd12", "FetchSGD", (1, 4), 0.0, 0.02),
    ),
    Claim(
        "kdd12-blcd-poor",
        "kdd12",
        "Section 6.1",
        "BLCD performs poorly: below 20 % accuracy in Scenario 1 without noise",
        below("kdd12", ("BLCD",), 1, 0.0, 0.20),
    ),
    Claim(
        "kdd12-others-fail-when-heterogeneous",
        "kdd12",
        "Section 6.1",
        "FedProx and Top-k stay below 60 % in Scenario 2 without noise",
        below("kdd12", ("FedProx", "Top-k"), 2, 0.0, 0.60),
    ),
    Claim(
        "kdd12-accuracy-means-something",
        "kdd12",
        "implied by Table 1 (KDD12), σ = 1",
        "the accuracies of FPS near the majority rate reflect learning, not ties",
        scores_mean_something("kdd12", "FPS", 1.0),
        ours=True,
    ),
    Claim(
        "kdd10-best-in-noise",
        "kdd10",
        "Appendix D.2",
        "FPS significantly outperforms FetchSGD and BLCD in all scenarios under noise",
        fps_beats("kdd10", ("FetchSGD", "BLCD"), EVERYWHERE, 1.0),
    ),
    Claim(
        "kdd10-noise-free-better-than-fetchsgd",
        "kdd10",
        "Appendix D.2",
        "without noise FPS is better than FetchSGD in all scenarios",
        fps_beats("kdd10", ("FetchSGD",), EVERYWHERE, 0.0),
    ),
    Claim(
        "kdd10-noise-free-blcd-equal",
        "kdd10",
        "Appendix D.2",
        "without noise BLCD and FPS perform equally well (within 2 points)",
        close_to_fps("kdd10", "BLCD", EVERYWHERE, 0.0, 0.02),
    ),
    Claim(
        "kdd10-accuracy-means-something",
        "kdd10",
        "implied by Table 3 (KDD10), σ = 1",
        "the accuracies of FPS near the majority rate reflect learning, not ties",
        scores_mean_something("kdd10", "FPS", 1.0),
        ours=True,
    ),
    Claim(
        "synthetic-lowest-loss",
        "synthetic",
        "Appendix D.1",
        "FPS has the lowest test loss in all scenarios under noise",
        fps_beats("synthetic", ("FetchSGD", "BLCD"), EVERYWHERE, 1.0),
    ),
    Claim(
        "synthetic-blcd-comparable",
        "synthetic",
        "Appendix D.1",
        "BLCD is comparable to FPS in Scenario 2 (log loss within 0.5)",
        close_to_fps("synthetic", "BLCD", (2,), 1.0, 0.5),
    ),
)


def verdicts(
    results: Results, dataset: str, otherwise: Mapping[str, Results] | None = None
) -> list[tuple[Claim, Verdict]]:
    """Every claim about a data set, by the default readings, the other tie rule and those of `otherwise`
    (words → results).
    """
    found = []
    readings = {AS_CLICKS: ties_as_clicks(results), **(otherwise or {})}
    for claim in CLAIMS:
        if claim.dataset == dataset:
            others = {words: claim.judge(read) for words, read in readings.items()}
            found.append((claim, among_readings(claim.judge(results), others)))
    return found


def render(judged: list[tuple[Claim, Verdict]]) -> str:
    lines = ["| claim | where | verdict | why |", "|---|---|---|---|"]
    lines += [f"| {c.text} | {c.where} | **{v.status}** | {v.reason.replace('|', '/')} |" for c, v in judged]
    return "\n".join(lines)
