"""Laws of the channel: what arrives on average, with which variance, and within which power."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fpsverify.channel import decibel, inversion, rayleigh_gains, superpose
from fpsverify.config import ChannelConfig
from fpsverify.errors import RunFailed
from property_tests.support.assertions import with_each_number_of_threads

# One two-sided z- or chi-square test per statement; a right program fails with this probability.
FALSE_ALARM = 1e-6

tables = st.tuples(st.integers(1, 6), st.integers(1, 4), st.integers(1, 9), st.integers(0, 2**31)).map(
    lambda s: torch.randn(s[:3], generator=torch.Generator().manual_seed(s[3]), dtype=torch.float64)
)
NOISE_SCALE = {"sum": lambda M, gamma: 1 / M, "avg": lambda M, gamma: 1.0, "grad": lambda M, gamma: gamma}


@given(tables, st.integers(0, 1000))
def test_the_ideal_channel_delivers_the_mean(x, t):
    got = superpose(ChannelConfig(kind="ideal"), x, gamma=0.1, seed=1, t=t)
    torch.testing.assert_close(got.table, x.mean(dim=0), rtol=1e-14, atol=1e-14)
    assert (got.noise_energy, got.snr_db, got.active) == (0.0, math.inf, x.shape[0])
    assert got.uses == x[0].numel()
    energies = [float(table.square().sum()) for table in x]
    assert got.max_power == pytest.approx(max(energies) / got.uses, rel=1e-12)


def assert_chi_square(energy: float, n: int) -> None:
    low, high = stats.chi2.ppf([FALSE_ALARM / 2, 1 - FALSE_ALARM / 2], n)
    assert low <= energy <= high


@pytest.mark.parametrize("noise_on", ["sum", "avg", "grad"])
@pytest.mark.parametrize("M", [1, 4, 10])
def test_noise_has_the_variance_of_its_reading(noise_on, M):
    """n/M, n or γn: Σ noise² / variance is chi-square with as many degrees as buckets."""
    sigma, gamma, shape = 0.8, 0.03, (M, 5, 4000)
    channel = ChannelConfig(kind="gaussian", sigma=sigma, noise_on=noise_on)
    x = torch.ones(shape, dtype=torch.float64)
    got = superpose(channel, x, gamma=gamma, seed=5, t=7)
    noise = got.table - 1.0
    std = sigma * NOISE_SCALE[noise_on](M, gamma)
    n = noise.numel()
    energy = float(noise.square().sum())
    assert_chi_square(energy / std**2, n)
    assert abs(float(noise.sum())) <= stats.norm.isf(FALSE_ALARM / 2) * std * math.sqrt(n)
    assert got.noise_energy == pytest.approx(energy, rel=1e-9)
    assert got.snr_db == pytest.approx(10 * math.log10(n / energy), abs=1e-9)


@given(tables, st.integers(0, 50), st.integers(0, 50))
def test_noise_is_a_function_of_seed_and_round(x, t, seed):
    channel = ChannelConfig(kind="gaussian", sigma=1.0)
    first, again = (superpose(channel, x, gamma=0.1, seed=seed, t=t).table for _ in range(2))
    assert torch.equal(first, again)
    assert not torch.equal(first, superpose(channel, x, gamma=0.1, seed=seed, t=t + 1).table)
    assert not torch.equal(first, superpose(channel, x, gamma=0.1, seed=seed + 1, t=t).table)


def test_gains_are_exponential_with_mean_one():
    gains = torch.cat([rayleigh_gains(10, seed=2, t=t) for t in range(2000)]).numpy()
    assert stats.kstest(gains, "expon").pvalue > FALSE_ALARM


@given(tables, st.floats(0.01, 10), st.sampled_from([0.0, 0.3, 1.5]), st.integers(0, 200))
def test_power_is_used_up_and_never_exceeded(x, power, threshold, t):
    """By some active device: otherwise η could be larger and the noise smaller."""
    channel = ChannelConfig(kind="rayleigh", sigma=0.5, power=power, gain_threshold=threshold)
    got = superpose(channel, x, gamma=0.1, seed=9, t=t)
    assert got.active == int((rayleigh_gains(x.shape[0], seed=9, t=t) >= threshold).sum())
    assert got.max_power <= power and (not got.active or got.max_power == pytest.approx(power, rel=1e-9))


@given(tables, st.integers(0, 200))
def test_inversion_recovers_the_mean_of_active_devices(x, t):
    channel = ChannelConfig(kind="rayleigh", sigma=0.0, gain_threshold=0.5)
    got = superpose(channel, x, gamma=0.1, seed=4, t=t)
    active = rayleigh_gains(x.shape[0], seed=4, t=t) >= 0.5
    expected = x[active].mean(dim=0) if bool(active.any()) else torch.zeros_like(x[0])
    torch.testing.assert_close(got.table, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("threshold", [0.0, 0.5])
def test_noise_after_inversion_is_shared_by_the_active_devices_at_the_power_of_the_weakest(threshold):
    """n/(√η A), A active devices and η = power·min |h|², because ‖S‖² is the number of uses."""
    channel = ChannelConfig(kind="rayleigh", sigma=0.8, power=2.0, gain_threshold=threshold)
    got = superpose(channel, torch.ones(6, 5, 4000, dtype=torch.float64), gamma=0.1, seed=5, t=7)
    gains = rayleigh_gains(6, seed=5, t=7)
    active = gains[gains >= threshold]
    assert (len(active) < 6) == (threshold > 0) and len(active) > 1
    variance = 0.8**2 / (2.0 * float(active.min()) * len(active) ** 2)
    assert_chi_square(float((got.table - 1).square().sum()) / variance, got.table.numel())


@given(tables, st.integers(-20, 20), st.sampled_from(["gaussian", "rayleigh"]), st.integers(0, 50))
def test_at_full_power_noise_is_relative_to_what_is_sent(x, power_of_two, kind, t):
    """Bit for bit where tables are scaled by a power of two."""
    channel, scale = ChannelConfig(kind=kind, sigma=0.7, power=2.0), 2.0**power_of_two

    def received(tables):
        return superpose(channel, tables, gamma=0.1, seed=3, t=t, full_power=True)

    one, other = received(x), received(x * scale)
    assert torch.equal(one.table * scale, other.table) and one.max_power == other.max_power
    assert not one.active or one.noise_energy > 0


def test_noise_at_full_power_has_the_variance_of_the_loudest_device():
    """n/(M√η) with η = power·uses/max ‖S‖²."""
    channel = ChannelConfig(kind="gaussian", sigma=0.8, power=2.0)
    x = torch.ones(4, 5, 4000, dtype=torch.float64) * torch.tensor([1.0, 3.0, 0.0, 2.0])[:, None, None]
    got = superpose(channel, x, gamma=0.1, seed=5, t=7, full_power=True)
    variance = 0.8**2 * 3.0**2 / (2.0 * 4**2)
    assert_chi_square(float((got.table - 1.5).square().sum()) / variance, got.table.numel())


def test_silent_tables_and_outage_are_defined():
    channel = ChannelConfig(kind="rayleigh", sigma=1.0, gain_threshold=0.0)
    nothing = superpose(channel, torch.zeros(3, 2, 4), gamma=0.1, seed=1, t=0)
    assert not nothing.table.any() and nothing.max_power == 0 and nothing.active == 3
    deaf = ChannelConfig(kind="rayleigh", sigma=1.0, gain_threshold=1e9)
    got = superpose(deaf, torch.ones(3, 2, 4), gamma=0.1, seed=1, t=0)
    assert got.active == 0 and not got.table.any()
    assert (got.snr_db, got.noise_energy, got.max_power) == (-math.inf, 0.0, 0.0)
    active, eta = inversion(channel, torch.ones(3).double(), torch.zeros(3).double(), 8)
    assert bool(active.all()) and eta == math.inf


@pytest.mark.parametrize("kind", ["ideal", "gaussian", "rayleigh"])
def test_a_table_that_is_not_finite_stops_the_run_naming_round_and_device(kind):
    x = torch.ones(3, 2, 4)
    x[1, 0, 2] = math.inf
    with pytest.raises(RunFailed, match="round 12, device 1"):
        superpose(ChannelConfig(kind=kind), x, gamma=0.1, seed=1, t=12)


@pytest.mark.parametrize("seed", range(1, 5))
def test_the_report_has_the_same_bits_for_any_number_of_threads(seed):
    """One device with a long table: torch would cut its sums into one part per thread."""
    table = torch.randn(1, 1, 200_003, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    fading = ChannelConfig(kind="rayleigh", sigma=0.5, gain_threshold=0.0)
    rows = with_each_number_of_threads(
        (1, 2, 3), lambda: superpose(fading, table, gamma=0.1, seed=4, t=2).as_row()
    )
    assert rows[0] == rows[1] == rows[2]


def test_the_snr_of_energies_whose_ratio_is_no_float():
    assert decibel(1e-300, 1e300) == pytest.approx(-6000, rel=1e-12)
    assert decibel(1e300, 1e-300) == pytest.approx(6000, rel=1e-12)
    assert decibel(100.0, 1.0) == pytest.approx(20) and decibel(0.0, 1.0) == -math.inf
