"""Files that are either whole or absent: written to a temporary name beside the target, then renamed."""

from __future__ import annotations

import contextlib
import fcntl
import json
import math
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from fpsverify.errors import BadInput, FpsError


def write_atomically(path: Path, write: Callable[[Path], None]) -> None:
    """Call `write` on a temporary path in the same folder, flush it to disk, and rename it onto `path`.

    A link stays a link: what it points to is replaced. Renaming onto a device or a pipe (/dev/stdout) would
    destroy it, so there is nothing but writing straight into it.
    """
    path = path.resolve()
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            return write(path)
        write(temporary)
        with open(temporary, "rb") as handle:
            os.fsync(handle.fileno())
        os.replace(temporary, path)
    except OSError as error:
        raise BadInput("file", str(path), f"a writable place ({error.strerror})") from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def write_bytes(path: Path, content: bytes) -> None:
    write_atomically(path, lambda p: _write_bytes(p, content))


def _write_bytes(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def write_text(path: Path, text: str) -> None:
    write_bytes(path, text.encode("utf-8"))


def write_json(path: Path, value: Any) -> None:
    write_text(path, json.dumps(json_safe(value), indent=2, sort_keys=True, allow_nan=False) + "\n")


def json_safe(value: Any) -> Any:
    """JSON has no infinity and no NaN: such numbers become null."""
    if isinstance(value, dict):
        return {str(k): json_safe(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [json_safe(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def make_folder(path: Path, field: str) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(field, str(path), f"a folder that can be created ({error.strerror})") from None


class InUse(FpsError):
    """A folder that another process works in."""


@contextlib.contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Hold the folder for this process; the lock vanishes with the process, also after SIGKILL."""
    with open(folder / ".lock", "w", encoding="utf-8") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InUse(
                f"{folder}: another process is running here; wait for it or choose another --out"
            ) from None
        yield
