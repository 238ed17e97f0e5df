"""Which devices exist and how they behave. The only file that names a kind of accelerator.

Everything else follows the device of the tensors it is given.
"""

from __future__ import annotations

import os

import torch

from fpsverify.errors import BadInput


def present_devices() -> list[torch.device]:
    """Every device this machine can compute on, the CPU first."""
    devices = [torch.device("cpu")]
    if torch.cuda.is_available():  # pragma: no cover: needs an accelerator
        devices += [torch.device("cuda", i) for i in range(torch.cuda.device_count())]
    return devices


def devices_to_test() -> list[torch.device]:
    """The comma-separated list in FPSVERIFY_DEVICES, or every device present."""
    listed = os.environ.get("FPSVERIFY_DEVICES", "").strip()
    if not listed:
        return present_devices()
    return [parse_device(name.strip()) for name in listed.split(",") if name.strip()]


def parse_device(name: str) -> torch.device:
    """A device by its name, refused in one line if torch does not know it or it is not there."""
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:
        raise BadInput("device", name, "a device that is present, such as 'cpu'") from error
    return device


def block_bytes(device: torch.device) -> int:
    """How much data to take at a time: what stays in a core's cache; an accelerator wants all at once."""
    return 2**20 if device.type == "cpu" else 2**62


def holds_data(device: torch.device) -> bool:
    """False on torch's `meta` device, whose tensors have a shape and no values to look at."""
    return device.type != "meta"
