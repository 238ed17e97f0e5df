"""The communication hook on two ranks: the same model everywhere, few numbers sent, resumed bit for bit."""

import importlib.util
import io
from pathlib import Path

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel

FILE = Path(__file__).parents[2] / "examples" / "ddp_hook.py"
FORMS = ({}, {"gradient_as_bucket_view": True}, {"static_graph": True})


def hook():
    spec = importlib.util.spec_from_file_location("ddp_hook", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rows(step: int, rank: int) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(1000 * step + rank)
    y = torch.randint(0, 5, (32,), generator=generator)
    centres = 2 * torch.randn(5, 16, generator=torch.Generator().manual_seed(7))
    return centres[y] + torch.randn(32, 16, generator=generator), y


def started(code, options: dict | None, **ddp) -> tuple[DistributedDataParallel, object]:
    """A small network in several buckets, with the hook unless `options` is None."""
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(16, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 5))
    model = DistributedDataParallel(net, **{"bucket_cap_mb": 0.005, **ddp})
    state = None if options is None else code.SketchState(net.parameters(), **options)
    if state is not None:
        model.register_comm_hook(state, code.sketch_hook)
    return model, state


def trained(model: DistributedDataParallel, steps: range, halves: bool = False) -> float:
    optimiser = torch.optim.SGD(model.parameters(), 0.05)
    for step in steps:
        X, y = rows(step, dist.get_rank())
        optimiser.zero_grad()
        if halves:
            with model.no_sync():
                cross_entropy(model(X[:16]), y[:16]).backward()
            X, y = X[16:], y[16:]
        cross_entropy(model(X), y).backward()
        optimiser.step()
    X, y = rows(10**6, 0)
    return cross_entropy(model.module(X), y).item()


def flat(model: DistributedDataParallel) -> Tensor:
    return torch.cat([p.detach().flatten() for p in model.parameters()])


def same_everywhere(model: DistributedDataParallel) -> bool:
    w = flat(model)
    others = [torch.empty_like(w) for _ in range(dist.get_world_size())]
    dist.all_gather(others, w)
    return all(torch.equal(w, other) for other in others)


def rank_of_two(rank: int, address: str, results: str) -> None:
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{address}", rank=rank, world_size=2)
    code, found = hook(), {}
    plain, _ = started(code, None)
    found["start"], _ = trained(plain, range(0)), trained(plain, range(40))
    whole, _ = started(code, {"compression": 1})
    trained(whole, range(40))
    found["nothing is lost at m = d"] = float((flat(whole) - flat(plain)).abs().max())
    for feedback in (False, True):
        options = {"compression": 8, "error_feedback": feedback}
        for form in FORMS:
            model, state = started(code, options, **form)
            found[f"{feedback} {form}"] = trained(model, range(40)), same_everywhere(model)
            found["share"], found["iterations"] = state.sent / state.of, state.iter
        model, _ = started(code, options)
        found[f"{feedback} no_sync"] = trained(model, range(40), halves=True), same_everywhere(model)
        half, state = started(code, options, bucket_cap_mb=1)
        trained(half, range(20))
        file = io.BytesIO()
        torch.save((state.state_dict(), half.module.state_dict()), file)
        saved, weights = torch.load(io.BytesIO(file.getvalue()))
        again, state = started(code, options, bucket_cap_mb=1)
        again.module.load_state_dict(weights)
        state.load_state_dict(saved)
        trained(again, range(20, 40))
        straight, _ = started(code, options, bucket_cap_mb=1)
        trained(straight, range(40))
        found[f"{feedback} resumed"] = torch.equal(flat(again), flat(straight))
    if rank == 0:
        torch.save(found, results)
    dist.destroy_process_group()


def test_two_ranks_train_alike_with_an_eighth_of_the_numbers(tmp_path):
    results = tmp_path / "found"
    torch.multiprocessing.spawn(rank_of_two, (str(tmp_path / "meet"), str(results)), nprocs=2)
    found = torch.load(results)
    assert found["nothing is lost at m = d"] < 1e-5 and abs(found["share"] - 1 / 8) < 0.01
    assert found["iterations"] == 40 and found["False resumed"] and found["True resumed"]
    trained_ones = [value for value in found.values() if isinstance(value, tuple)]
    assert len(trained_ones) == 8
    for loss, alike in trained_ones:
        assert alike and loss < found["start"] / 2


def test_the_mean_over_all_signs_is_the_gradient():
    """E A g = g, counted out; and A is symmetric in which numbers it mixes."""
    code, d, m = hook(), 6, 2
    g = torch.arange(1.0, d + 1, dtype=torch.float64)
    every = torch.cartesian_prod(*[torch.tensor([-1.0, 1.0], dtype=torch.float64)] * d)
    read = torch.stack([code.unfolded(code.folded(g * signs, m), signs) for signs in every])
    assert torch.equal(read.mean(0), g)
    classes = torch.stack([g[i::m].square().sum() for i in range(m)])
    expected = (classes * -(-d // m)).sum()  # E‖A g‖²: each class is written to all of its numbers
    torch.testing.assert_close(read.square().sum(1).mean(), expected)


def test_the_hook_is_short():
    assert len(FILE.read_text(encoding="utf-8").splitlines()) <= 100
