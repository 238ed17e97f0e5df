"""MNIST and Fashion-MNIST from IDX files on disk, checked against the sha256 of their uncompressed content.

Looked for in $FPSVERIFY_DATA/<name>, then in the user's cache directory under fpsverify/<name>. Pixels are
scaled to [0, 1]; nothing else is done to them.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from fpsverify.data.idx import parse_idx, read_bytes
from fpsverify.data.labelled import DenseData
from fpsverify.errors import BadInput

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
    chosen = os.environ.get("FPSVERIFY_DATA")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return [*([Path(chosen) / name] if chosen else []), cache / "fpsverify" / name]


def _find(folder: Path, part: str) -> Path | None:
    """The file under its usual name, with the dot that some copies have, or compressed."""
    plain = FILES[part]
    dotted = plain.replace("-idx", ".idx")
    names = (plain, dotted, plain + ".gz", dotted + ".gz")
    return next((folder / n for n in names if (folder / n).is_file()), None)


def _load(folder: Path, part: str, sha256: str) -> NDArray[np.generic]:
    path = _find(folder, part)
    if path is None:
        raise BadInput("data", str(folder), f"the file {FILES[part]} in it")
    content = read_bytes(path)
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise BadInput(path.name, f"sha256 {found[:16]}…", f"{sha256[:16]}…; damaged or another file")
    return parse_idx(content, path.name)


def _pair(
    images: NDArray[np.generic], labels: NDArray[np.generic], part: str
) -> tuple[torch.Tensor, torch.Tensor]:
    """Images (N, rows, columns) and labels (N,) as scaled float32 rows and int64 classes."""
    if images.ndim != 3 or labels.ndim != 1 or len(images) != len(labels) or len(labels) == 0:
        raise BadInput(f"{part} files", f"{images.shape} and {labels.shape}", "N images and N labels")
    y = labels.astype(np.int64)
    if y.min() < 0 or y.max() >= CLASSES:
        raise BadInput(f"{part} labels", f"{y.min()} to {y.max()}", f"0 to {CLASSES - 1}")
    X = images.reshape(len(images), -1).astype(np.float32) / np.float32(255)
    return torch.from_numpy(X), torch.from_numpy(y)
