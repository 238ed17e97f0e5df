"""Put MathJax beside the book, so that its pages show formulas without any network.

The script comes from the PyPI package sphinx-mathjax-offline; nothing is downloaded here.
"""

from __future__ import annotations

import shutil
from importlib.metadata import distribution
from pathlib import Path

WANTED = "static/mathjax/tex-svg-full.js"
TARGET = Path(__file__).parent / "_vendor" / "mathjax" / "tex-svg-full.js"


def main() -> None:
    files = distribution("sphinx-mathjax-offline").files or []
    source = next(Path(str(f.locate())) for f in files if str(f).endswith(WANTED))
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, TARGET)


if __name__ == "__main__":
    main()
