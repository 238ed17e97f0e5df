"""The frozen, validated description of a run: everything that decides its numbers, and nothing else.

Sections follow the flow: problem → devices → local steps → algorithm → channel → record. Unknown keys are
refused, so a misspelt option can never be silently ignored.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from pathlib import Path
from typing import Any, Literal

import tomli_w
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    ValidationError,
    model_serializer,
    model_validator,
)

from fpsverify.config_keys import flat, instead_of, is_section
from fpsverify.errors import BadInput


class Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, strict=True)


class ProblemConfig(Section):
    """What is learned: the data and the loss. For a federation of your own both are `own`."""

    data: Literal["blobs", "synthetic", "mnist", "fashion", "kdd12", "kdd10", "own"] = Field(
        "blobs",
        description="blobs: generated classes; synthetic: generated regression (Appendix D.1); mnist, "
        "fashion: images; kdd12, kdd10: clicks; own: a federation given from Python or with --problem",
    )
    objective: Literal["least_squares", "logistic", "softmax", "mlp", "sparse_logistic", "own"] = Field(
        "softmax",
        description="the loss: softmax or mlp (two layers) for classes, logistic for two classes, "
        "least_squares for regression, sparse_logistic for clicks",
    )
    federation: str | None = Field(None, description="own: digests of the module, the loss and the data")
    source: str | None = Field(
        None, description="own: FILE.py:FUNCTION that makes the federation (--problem)"
    )
    source_digest: str | None = Field(None, description="own: digest of that file")
    samples: int = Field(4000, ge=10, description="training rows; generated or a subset")
    test_samples: int = Field(1000, ge=2, description="test rows; generated or a subset")
    validation: int = Field(
        0, ge=0, description="training rows held out and evaluated on instead of the test rows (tuning)"
    )
    features: int = Field(64, ge=1, description="columns of generated dense data")
    classes: int = Field(10, ge=2, description="classes of generated dense data")
    hidden: int = Field(128, ge=1, description="hidden units of the two-layer network")
    power_law: float = Field(5.0, gt=0, description="p of the synthetic covariance, Σ_ii = i^-p")


class DevicesConfig(Section):
    """Who holds which rows, and who takes part."""

    M: int = Field(10, ge=1, description="number of devices")
    scenario: Literal[1, 2, 3, 4] = Field(
        1,
        description="how rows are spread: 1 evenly (IID), 2 few classes per device, 3 Dirichlet(0.1), "
        "4 Dirichlet(1)",
    )
    classes_per_device: int | None = Field(
        None, ge=1, description="classes on each device in scenario 2; default: the fewest that cover all"
    )
    alpha: float | None = Field(
        None,
        gt=0,
        description="Dirichlet(alpha) over the classes in place of a scenario; small: unlike devices",
    )
    partition: str | None = Field(
        None, description="a JSON file with a list of row numbers per device, in place of a scenario"
    )
    partition_digest: str | None = Field(None, description="digest of that file; filled in when it is read")
    participation: float | None = Field(
        None,
        gt=0,
        description="devices that take part in a round: a share of M up to 1, or a number above 1; "
        "default: all. n of M devices, drawn anew each round, add noise of energy at most "
        "(M−n)/(n(M−1)) · (G² + (B²−1)‖∇f‖²) at E = 1, and ν is 1/n",
    )

    @property
    def per_round(self) -> int:
        """How many devices take part in a round."""
        asked = 1.0 if self.participation is None else self.participation
        return int(asked) if asked > 1 else max(1, round(asked * self.M))


class LocalConfig(Section):
    """What a device does in a round: E times w ← w − γ(g + μ(w − w_gb)), with w_gb the broadcast."""

    E: int = Field(5, ge=1, description="local steps (or epochs, see local.unit) per round")
    unit: Literal["steps", "epochs"] = Field("steps", description="what E counts")
    batch: int = Field(32, ge=0, description="rows of a mini-batch; 0: the device's full gradient")
    gamma: float = Field(0.01, gt=0, description="the learning rate γ")
    mu: float = Field(0.0, ge=0, description="weight μ of the proximal term, which holds devices together")
    mu_step: float | None = Field(
        None, gt=0, description="fps, fedprox: μ follows the loss in such steps; default: μ is fixed"
    )


class AlgorithmConfig(Section):
    """Which algorithm, how large its sketch, and how sentences of the paper that leave a choice are read.

    `fresh` has defaults of its own, and no k: it reads out all coordinates.
    """

    name: str = Field(
        "fps", description="fps, fresh, fedavg, fedprox, scaffold, fetchsgd, blcd, topk or mission"
    )
    rows: int = Field(
        5, ge=1, description="rows of the sketch; its size is rows x buckets; default of fresh: 1"
    )
    buckets: int = Field(
        400,  # pragma: no mutate: a default
        ge=1,
        description="buckets in each row of the sketch",
    )
    k: int = Field(
        200,  # pragma: no mutate: a default
        ge=1,
        description="coordinates read out (sketches) or sent (blcd, topk) per round; not for fresh",
    )
    compressor: Literal["count_sketch", "identity", "fold", "balanced"] = Field(
        "count_sketch",
        description="identity: whole vectors are sent, no sketch; fresh: fold (its default: one permutation "
        "for the run, new signs every round), balanced or count_sketch (all new every round)",
    )
    memory_share: float = Field(
        0.0,
        ge=0,
        lt=1,
        description="fresh: ρ, the share of what the sketch has lost that a device keeps for the next round; "
        "0: devices keep nothing; 0.8 trains best where gamma is tuned",
    )
    device_sketch: Literal["persist", "accum", "resync"] = Field(
        "persist",
        description="fps: a device's sketch is never reset; accum: the server adds up the rounds; resync: it "
        "is replaced by that of the broadcast (diverges at large k/buckets)",
    )
    initial_model: Literal["beside", "sketch", "zero"] = Field(
        "beside", description="fps: the initial model is added to the read-out, sketched too, or zero"
    )
    local_iterate: Literal["dense", "mission"] = Field(
        "dense", description="fps: plain local steps; mission: sketch and read out after every step"
    )
    recovery: Literal["median", "mean"] = Field("median", description="over the rows of the sketch")
    scan: Literal["full", "support"] = Field(
        "full", description="coordinates that may be read out: all, or only those that occur in the data"
    )
    simulate: Literal["batched", "averaged"] = Field(
        "batched", description="fps: M sketches, or their mean alone (equal up to rounding, less memory)"
    )
    transmit: Literal["gradient", "update", "full_power"] | None = Field(
        None,
        description="scale of what is sent; default: gradient for fetchsgd, blcd, topk, else update; "
        "full_power: each round at channel.power (with fading always)",
    )
    memory: bool = Field(True, description="blcd, topk: what was not sent is added to later gradients")
    momentum: float = Field(0.9, ge=0, lt=1, description="fetchsgd: ρ of the momentum sketch")
    momentum_masking: bool = Field(True, description="fetchsgd: momentum forgets what was extracted")
    error_feedback: Literal["zero", "subtract"] = Field(
        "zero",
        description="fetchsgd: what was read out is set to 0 in the sketch, or subtracted",
    )

    @model_validator(mode="before")
    @classmethod
    def _defaults_of_fresh(cls, values: Any) -> Any:
        if not isinstance(values, dict) or values.get("name") != "fresh":
            return values
        if "k" in values:
            raise BadInput("algorithm.k", values["k"], "unset with fresh: all coordinates are read out")
        return {"rows": 1, "compressor": "fold"} | values

    @model_validator(mode="after")
    def _only_with_fresh(self) -> AlgorithmConfig:
        if self.name != "fresh" and self.compressor in ("fold", "balanced"):
            raise BadInput(
                "algorithm.compressor", self.compressor, "count_sketch or identity, except for fresh"
            )
        if self.name != "fresh" and self.memory_share:
            raise BadInput("algorithm.memory_share", self.memory_share, "0, except for fresh")
        return self

    @model_serializer(mode="wrap")
    def _without_what_it_has_not(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        found: dict[str, Any] = handler(self)
        found.pop("k" if self.name == "fresh" else "memory_share", None)
        return found


class ChannelConfig(Section):
    """The wireless channel that adds up what devices send."""

    kind: Literal["ideal", "gaussian", "rayleigh"] = Field(
        "gaussian", description="ideal: no noise; gaussian: noise; rayleigh: fading and noise"
    )
    sigma: float = Field(0.0, ge=0, description="standard deviation of the noise per subcarrier")
    noise_on: Literal["sum", "avg", "grad"] = Field(
        "sum", description="where noise enters: the sum over devices, their mean, or the mean scaled by γ"
    )
    power: float = Field(
        1.0, gt=0, description="rayleigh, full_power: mean transmit power per subcarrier and device"
    )
    gain_threshold: float = Field(0.1, ge=0, description="rayleigh: devices with |h|² below it stay silent")


class RecordConfig(Section):
    """What is evaluated and kept."""

    evaluate_every: int = Field(10, ge=1, description="rounds between two tests of the model")
    checkpoint_every: int = Field(
        50, ge=1, description="rounds between checkpoints: a killed run resumes there, estimate looks at them"
    )
    keep_checkpoints: Literal["all", "last"] = Field("all", description="last: `estimate` sees less")
    verify: bool = Field(
        False,
        description="also record the loss, the gradient and the error of the sketch in every round (slower)",
    )
    tie_rule: Literal["negative", "positive", "half"] = Field(
        "negative",
        description="of classes with equal scores: the lowest is predicted, the highest, or either",
    )
    average: Literal["last_half", "exponential"] | None = Field(
        None, description="also evaluate and keep the mean of the broadcasts; default: only the last one"
    )
    readout_k: int | None = Field(
        None, ge=1, description="at the end, also evaluate and keep the k largest coordinates of the model"
    )


class RunConfig(Section):
    """A run. `fpsverify config` lists all keys."""

    seed: int = Field(1, ge=0, description="decides every random draw")
    rounds: int = Field(100, ge=1, description="communication rounds T")
    dtype: Literal["float32", "float64"] = Field("float32", description="precision of all arithmetic")
    device: str = Field("cpu", description="a torch device, such as cpu or cuda")
    problem: ProblemConfig = ProblemConfig()
    devices: DevicesConfig = DevicesConfig()
    local: LocalConfig = LocalConfig()
    algorithm: AlgorithmConfig = AlgorithmConfig()
    channel: ChannelConfig = ChannelConfig()
    record: RecordConfig = RecordConfig()

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise _first_line(error) from None

    @model_validator(mode="after")
    def _parts_fit_together(self) -> RunConfig:
        sparse = self.problem.data in ("kdd12", "kdd10")
        if sparse != (self.problem.objective == "sparse_logistic"):
            raise BadInput(
                "problem.objective",
                self.problem.objective,
                f"sparse_logistic for kdd12 and kdd10, a dense objective for {self.problem.data}",
            )
        if self.problem.data == "synthetic" and self.problem.objective != "least_squares":
            raise BadInput("problem.objective", self.problem.objective, "least_squares for synthetic data")
        _check_own(self.problem)
        _check_devices(self.devices)
        if self.device.split(":")[0] == "meta":
            raise BadInput("device", self.device, "a device that holds data, such as 'cpu'")
        if self.local.mu_step is not None and self.algorithm.name not in ("fps", "fedavg", "fedprox"):
            raise BadInput("local.mu_step", self.local.mu_step, "unset, except for fps, fedavg and fedprox")
        _check_channel(self)
        _check_precision(self)
        return self

    @model_serializer(mode="wrap")
    def _without_what_says_nothing(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """A federation brings its own data and devices: keys that describe generated ones are left out."""
        found: dict[str, Any] = handler(self)
        if self.problem.data == "own":
            said = {
                "problem": ("data", "objective", "federation", "source", "source_digest"),
                "devices": ("M", "participation"),
            }
            for section, keys in said.items():
                found[section] = {key: found[section][key] for key in keys if key in found[section]}
        return found

    def __repr__(self) -> str:
        """Only what differs from the defaults."""
        mine, usual = flat(self.model_dump(mode="json")), flat(RunConfig().model_dump(mode="json"))
        changed = [f"{key}={value!r}" for key, value in mine.items() if usual.get(key) != value]
        return f"RunConfig({', '.join(changed)})"

    __str__ = __repr__

    def digest(self) -> str:
        """A hash of all that decides the numbers; equal configs have equal digests.

        Options at None are left out as in TOML, so that a new optional one leaves old results valid. Where
        the file of an own problem lies decides nothing; its digest does.
        """
        values = self.model_dump(mode="json", exclude_none=True)
        values["problem"].pop("source", None)
        if "partition_digest" in values["devices"]:
            values["devices"].pop("partition", None)
        text = json.dumps(values, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def lineage(self) -> str:
        """The same without the number of rounds: equal for a run and for the longer one that continues it."""
        return self.model_copy(update={"rounds": 1}).digest()

    def to_toml(self) -> str:
        """TOML has no null: options at None are left out, which reads back as None."""
        return tomli_w.dumps(self.model_dump(mode="json", exclude_none=True))


def _check_own(problem: ProblemConfig) -> None:
    own = (problem.data == "own", problem.objective == "own", problem.federation is not None)
    if any(own) and not all(own):
        right = (
            "'own' for data and objective, with the digests of a federation (from Python or --problem), "
            "or none of these"
        )
        raise BadInput("problem.data", problem.data, right)


def _check_devices(devices: DevicesConfig) -> None:
    if devices.alpha is not None and devices.partition is not None:
        raise BadInput("devices.alpha", devices.alpha, "unset with devices.partition: one of them decides")
    asked = devices.participation
    if asked is not None and asked > 1 and (asked > devices.M or asked != int(asked)):
        right = f"a share of the devices up to 1, or a whole number of them up to devices.M = {devices.M}"
        raise BadInput("devices.participation", asked, right)


def _check_channel(config: RunConfig) -> None:
    channel, algorithm = config.channel, config.algorithm
    if channel.kind == "ideal" and channel.sigma:
        raise BadInput(
            "channel.sigma", channel.sigma, "0 on the ideal channel (or channel.kind = 'gaussian')"
        )
    if channel.kind == "rayleigh" and channel.noise_on != "sum":
        raise BadInput("channel.noise_on", channel.noise_on, "'sum' with fading: noise enters at the antenna")
    if channel.kind == "rayleigh" and algorithm.simulate == "averaged":
        raise BadInput("algorithm.simulate", "averaged", "'batched' with fading: devices differ in gain")


LARGEST = {"float32": 3.4e38, "float64": 1.79e308}
SMALLEST = {"float32": 1.2e-38, "float64": 2.3e-308}  # normal numbers: below, products vanish


def _check_precision(config: RunConfig) -> None:
    """Numbers that the run's arithmetic holds: others become 0 or infinite without a word."""
    local, channel, dtype = config.local, config.channel, config.dtype
    least, most = SMALLEST[dtype], LARGEST[dtype]
    squared = most**0.5  # the energy of the noise is recorded
    given = {"local.gamma": (local.gamma, most), "local.mu": (local.mu, most)}
    given |= {"channel.sigma": (channel.sigma, squared), "channel.power": (channel.power, most)}
    for field, (value, limit) in given.items():
        if value and not least <= value <= limit:
            raise BadInput(field, value, f"{least:.2g} to {limit:.2g}, numbers that {dtype} can work with")


def parse(values: dict[str, Any]) -> RunConfig:
    """A config from nested dictionaries; the first problem found becomes one clear line."""
    _demand_machine_integers(values)
    try:
        return RunConfig.model_validate(_integers_as_floats(RunConfig, values))
    except ValidationError as error:
        raise _first_line(error) from None


def _demand_machine_integers(values: Any, path: str = "") -> None:
    """TOML knows integers of any size; no array does."""
    if isinstance(values, dict):
        for name, value in values.items():
            _demand_machine_integers(value, f"{path}.{name}" if path else str(name))
    elif isinstance(values, int) and not -(2**63) <= values < 2**63:
        raise BadInput(path, f"an integer of {values.bit_length()} bits", "one of at most 63 bits")


def load(path: Path, overrides: list[str] | None = None) -> RunConfig:
    """Read a TOML file and apply `section.key=value` overrides (values in TOML syntax, or bare words)."""
    try:
        values = tomllib.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise BadInput("config", str(path), f"a readable TOML file ({error.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput("config", str(path), f"valid TOML ({str(error).splitlines()[0]})") from None
    return _with_partition(parse(apply_overrides(values, overrides or [])), path.parent)


def _with_partition(config: RunConfig, folder: Path) -> RunConfig:
    """The place of a partition file is relative to the config; its content belongs to the run's identity."""
    devices = config.devices
    if devices.partition is None or devices.partition_digest is not None:
        return config
    from fpsverify.data.partition import digest_of

    path = (folder / devices.partition).absolute()
    found = {"partition": str(path), "partition_digest": digest_of(path)}
    return config.model_copy(update={"devices": devices.model_copy(update=found)})


def apply_overrides(values: dict[str, Any], overrides: list[str]) -> dict[str, Any]:
    out = json.loads(json.dumps(values, default=str))
    for item in overrides:
        key, separator, text = item.partition("=")
        if not separator or not key.strip():
            raise BadInput("--set", item, "key=value, for example local.gamma=0.05")
        place = out
        *path, last = key.strip().split(".")
        for name in path:
            place = place.setdefault(name, {})
            if not isinstance(place, dict):
                raise BadInput("--set", item, f"{name} to be a section")
        place[last] = _toml_value(text.strip())
    return out


def _toml_value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _integers_as_floats(model: type[BaseModel], values: Any) -> Any:
    """TOML users write `gamma = 1`; strict mode would refuse it. Only int → float, nothing else, is eased."""
    if not isinstance(values, dict):
        return values
    out = dict(values)
    for name, field in model.model_fields.items():
        value = out.get(name)
        if field.annotation in (float, float | None) and type(value) is int and abs(value) <= 2**53:
            out[name] = float(value)
        elif name in out and is_section(field.annotation):
            out[name] = _integers_as_floats(field.annotation, value)
    return out


def _first_line(error: ValidationError) -> BadInput:
    first = error.errors()[0]
    field = ".".join(str(part) for part in first["loc"]) or "config"
    if first["type"] == "extra_forbidden":
        return BadInput(field, first["input"], instead_of(RunConfig, [str(part) for part in first["loc"]]))
    right = first["msg"].removeprefix("Input should be ").strip()
    several = isinstance(first["input"], str) and "," in first["input"]
    return BadInput(
        field, first["input"], right + (" (fpsverify sweep --over runs several)" if several else "")
    )
