"""The wireless multiple-access channel: M tables go in, one average comes out, with noise.

Where noise n ~ N(0, σ²) per subcarrier enters is a reading of the paper (its equations differ):
    sum   (Σ_m S^m + n) / M      noise at the receiving antenna, before the division by M
    avg   (1/M) Σ_m S^m + n      Algorithm 1, step 8, as printed
    grad  (1/M) Σ_m S^m + γ n    Section 3.1: noise on the received gradient, scaled by the step
Full power: all devices send √η S^m, with the one η of the round that brings the loudest of them to its
power, ‖√η S^m‖² = power · uses, and the server divides by √η. So noise is relative to what is sent. Without
full power S^m is sent as it is, and `max_power` says which power that takes.

Fading: block-Rayleigh gains h_m ~ CN(0, 1), constant over a round, known at the devices. A device with
|h_m|² below the threshold stays silent; the others invert their channel, x_m = √η S^m / h_m, always at full
power, ‖x_m‖² ≤ power · uses. The server divides by √η |active|. Where all tables are 0 nothing is sent, and
nothing arrives, noise included: η is infinite.

Devices may be shared out over ranks: then Σ_m goes over their wire, and the one noise n is drawn after it, by
every rank alike, from the run's seed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from fpsverify.config import ChannelConfig
from fpsverify.distributed.ranks import Ranks, alone
from fpsverify.errors import RunFailed
from fpsverify.rng import torch_generator
from fpsverify.vectors import is_finite, norm_squared, sum_over


@dataclass(frozen=True)
class Received:
    """What the server holds after one use of the channel, and how it came about.

    `heard`: which of the M devices were not silent; None: all of them.
    """

    table: Tensor
    noise_energy: float
    snr_db: float
    uses: int
    active: int
    max_power: float
    heard: Tensor | None = None

    def as_row(self) -> dict[str, float]:
        return {
            "noise_energy": self.noise_energy,
            "snr_db": self.snr_db,
            "channel_uses": float(self.uses),
            "active_devices": float(self.active),
            "max_power": self.max_power,
        }


def superpose(
    channel: ChannelConfig,
    tables: Tensor,
    *,
    gamma: float,
    seed: int,
    t: int,
    ranks: Ranks | None = None,
    full_power: bool = False,
) -> Received:
    """Average of the tables of all M devices as the server receives it in round t.

    `tables` holds those of this rank's devices, (M, …) without ranks.

    >>> tables, draw = torch.ones(2, 8), {"gamma": 0.1, "seed": 1, "t": 1, "full_power": True}
    >>> channels = [ChannelConfig(kind="gaussian", sigma=1.0, power=power) for power in (1.0, 100.0)]
    >>> quiet, loud = (superpose(channel, tables, **draw) for channel in channels)
    >>> round(quiet.max_power), round(loud.max_power), round(quiet.noise_energy / loud.noise_energy)
    (1, 100, 100)
    """
    ranks = ranks or alone(tables.shape[0])
    if not is_finite(tables):
        m = ranks.mine[int(torch.isfinite(tables).flatten(1).all(dim=1).int().argmin())]
        raise RunFailed(f"round {t}, device {m}: what it transmits is not finite; use a smaller local.gamma")
    if channel.kind == "rayleigh":
        return _faded(channel, tables, seed, t, ranks)
    M, uses = ranks.M, tables[0].numel()
    signal = ranks.sum(tables) / M
    energies = _energies(tables, ranks)
    eta = inversion(channel, torch.ones_like(energies), energies, uses)[1] if full_power else 1.0
    max_power = _power(eta, energies) / uses
    if channel.kind == "ideal" or channel.sigma == 0:
        return Received(signal, 0.0, math.inf, uses, M, max_power)
    scale = {"sum": 1.0 / M, "avg": 1.0, "grad": gamma}[channel.noise_on]
    noise = _gaussian(signal, channel.sigma, seed, t) * (scale / math.sqrt(eta))
    return _received(signal, noise, uses, M, max_power)


def rayleigh_gains(M: int, seed: int, t: int) -> Tensor:
    """|h_m|² of M independent CN(0, 1) gains: exponential with mean 1."""
    u = torch.rand(M, generator=torch_generator(seed, "fading", t), dtype=torch.float64)
    return -torch.log1p(-u)


def inversion(channel: ChannelConfig, gains: Tensor, energies: Tensor, uses: int) -> tuple[Tensor, float]:
    """Active devices and the largest η with η‖S^m‖²/|h_m|² ≤ power·uses for each; ∞ if all are 0."""
    active = gains >= max(channel.gain_threshold, torch.finfo(torch.float64).tiny)
    loud = active & (energies > 0)
    if not bool(loud.any()):
        return active, math.inf
    limit = float((channel.power * uses * gains[loud] / energies[loud]).min())
    return active, limit * (1 - 2**-48)  # room for the rounding of the products that form the power


def _faded(channel: ChannelConfig, tables: Tensor, seed: int, t: int, ranks: Ranks) -> Received:
    uses = tables[0].numel()
    gains, energies = rayleigh_gains(ranks.M, seed, t), _energies(tables, ranks)
    active, eta = inversion(channel, gains, energies, uses)
    count = int(active.sum())
    if count == 0:
        return Received(torch.zeros_like(tables[0]), 0.0, -math.inf, uses, 0, 0.0, active)
    signal = ranks.sum(tables, active) / count
    noise = _gaussian(signal, channel.sigma, seed, t) / (math.sqrt(eta) * count)
    max_power = _power(eta, energies[active] / gains[active]) / uses
    return _received(signal, noise, uses, count, max_power, active)


def _power(eta: float, energies: Tensor) -> float:
    """The largest energy that a device sends; 0 where nothing is to be sent."""
    most = float(energies.max())
    return eta * most if most else 0.0


def _received(
    signal: Tensor, noise: Tensor, uses: int, active: int, max_power: float, heard: Tensor | None = None
) -> Received:
    noise_energy, signal_energy = (norm_squared(x.flatten()) for x in (noise, signal))
    snr_db = decibel(signal_energy, noise_energy)
    received = signal + noise  # pragma: no mutate: n and -n have the same law
    return Received(received, noise_energy, snr_db, uses, active, max_power, heard)


def decibel(signal_energy: float, noise_energy: float) -> float:
    if noise_energy == 0:
        return math.inf
    if signal_energy == 0:
        return -math.inf
    return 10 * (math.log10(signal_energy) - math.log10(noise_energy))  # their ratio may not be a float


def _energies(tables: Tensor, ranks: Ranks) -> Tensor:
    """‖S^m‖² of all M devices."""
    own = ranks.per_device(lambda x: sum_over(x.double().square().flatten(1), dim=-1), tables)
    return ranks.every(own.cpu())


def _gaussian(like: Tensor, sigma: float, seed: int, t: int) -> Tensor:
    generator = torch_generator(seed, "channel", t, device=like.device)
    return sigma * torch.randn(like.shape, generator=generator, dtype=like.dtype, device=like.device)
