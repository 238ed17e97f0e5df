"""Files that are either whole or absent, and that no link can redirect.

A file is written to a temporary name beside its place and then renamed. A link that stands there is replaced
and never followed, so a folder that somebody else made cannot send a write elsewhere. Results carry a
checksum: one that was changed after it was written is refused.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import json
import math
import os
import re
import shutil
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from fpsverify.errors import BadInput, FpsError

TEMPORARY = re.compile(r"\..*\.(\d+)\.(tmp|scratch)")
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, None)  # None: a library that keeps the number to itself
CHECKSUM, MARK = "checksum", "sha256:"


def write_atomically(path: Path, write: Callable[[Path], None]) -> None:
    """Call `write` on a temporary file in the same folder, flush it to disk, and rename it onto `path`.

    Renaming onto a device or a pipe (/dev/stdout) would destroy it, so there is nothing but writing straight
    into it.
    """
    try:
        if _is_stream(path):
            return write(path)
        with temporary_beside(path) as temporary:
            write(temporary)
            with open(temporary, "rb") as handle:
                os.fsync(handle.fileno())
            os.replace(temporary, path)
    except OSError as error:
        raise _not_written(path, error.errno, error.strerror or str(error)) from None
    except Exception as error:
        if type(error).__name__ != "SafetensorError":  # whose library is not loaded here
            raise
        raise _not_written(path, None, str(error)) from None


@contextlib.contextmanager
def temporary_beside(path: Path) -> Iterator[Path]:
    """A new empty file: what stands under its name, left over or planted, is removed and not opened."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with contextlib.suppress(FileNotFoundError):
            temporary.unlink()
        os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666))
        yield temporary
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _is_stream(path: Path) -> bool:
    """A pipe, a device, or a link in /dev to whatever it may be; links elsewhere are not asked where to."""
    place = os.path.abspath(path)
    if place.startswith("/dev/") and not place.startswith("/dev/shm/"):
        return True
    try:
        mode = path.lstat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode))


def _not_written(path: Path, number: int | None, why: str) -> BadInput:
    if number in FULL:
        with contextlib.suppress(OSError):
            why += f"; {size(shutil.disk_usage(path.parent).free)} free"
    return BadInput("file", str(path), f"a writable place ({' '.join(why.split())})")


def size(count: float) -> str:
    """Bytes as a reader says them.

    >>> size(999), size(48 * 2**30)
    ('999 bytes', '51.5 GB')
    """
    for unit, name in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if count >= unit:
            return f"{count / unit:.3g} {name}"
    return f"{count:.0f} bytes"


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


def write_result(path: Path, result: dict[str, Any], ordered: bool = False) -> None:
    """JSON with a checksum of all that it says; `ordered`: keys stay in the order that they have."""
    plain = json_safe(result)
    summed = {**plain, CHECKSUM: _checksum(plain)}
    write_text(path, json.dumps(summed, indent=2, sort_keys=not ordered, allow_nan=False) + "\n")


def read_result(path: Path) -> dict[str, Any]:
    """What `write_result` wrote; ValueError where it is no JSON object or was changed since.

    No single flipped bit hides the checksum: either its name or its mark stays.
    """
    found = json.loads(path.read_bytes().decode("utf-8"))
    if not isinstance(found, dict):
        raise ValueError("not a JSON object")
    marked = any(isinstance(value, str) and value.startswith(MARK) for value in found.values())
    stored = found.pop(CHECKSUM, None)
    if stored is None and not marked:
        raise ValueError("it has no checksum: an older version wrote it")
    if stored != _checksum(found):
        raise ValueError("its bytes were changed after it was written")
    return found


def _checksum(plain: Any) -> str:
    return MARK + hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def make_folder(path: Path, field: str) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(field, str(path), f"a folder that can be created ({error.strerror})") from None


def demand_creatable(path: Path, field: str) -> None:
    """Before any work: can this folder be made, or written to?"""
    there = path.absolute()
    while not os.path.lexists(there) and there != there.parent:
        there = there.parent
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        raise BadInput(field, str(path), f"a folder that can be written to ({there} cannot)")


class InUse(FpsError):
    """A folder that another process works in."""


@contextlib.contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Hold the folder for this process; the lock vanishes with the process, also after SIGKILL.

    The lock is neither followed, should it be a link, nor emptied. What killed processes left half-written
    is removed.
    """
    path, how = folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        handle = os.open(path, how, 0o666)
    except OSError as error:
        why = "it is a link" if error.errno == errno.ELOOP else error.strerror
        raise BadInput("file", str(path), f"a lock of this program ({why}); remove it") from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InUse(
                f"{folder}: another process is running here; wait for it or choose another --out"
            ) from None
        for place in (folder, *_own_folders(folder)):
            remove_left_over(place)
        yield
    finally:
        os.close(handle)


def _own_folders(folder: Path) -> list[Path]:
    """The folders in it, none of which may be a link to another place."""
    inside = [path for path in folder.iterdir() if path.is_dir()]
    for path in inside:
        if path.is_symlink():
            raise BadInput("file", str(path), "a folder; it is a link, which a run does not write through")
    return inside


def remove_left_over(folder: Path) -> None:
    """The temporary files of processes that are gone."""
    for path in folder.iterdir():
        found = TEMPORARY.fullmatch(path.name)
        if found is None or _alive(int(found[1])):
            continue
        with contextlib.suppress(OSError):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return process > 0 and process != os.getpid()
