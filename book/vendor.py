"""Put what the pages load beside the book: MathJax from a package, the palette from `bookkit.palette`.

The script comes from the PyPI package sphinx-mathjax-offline; nothing is downloaded here.
"""

from __future__ import annotations

import shutil
from importlib.metadata import distribution
from pathlib import Path

from book.bookkit.palette import style_sheet

WANTED = "static/mathjax/tex-svg-full.js"
VENDOR = Path(__file__).parent / "_vendor"


def main() -> None:
    files = distribution("sphinx-mathjax-offline").files or []
    source = next(Path(str(f.locate())) for f in files if str(f).endswith(WANTED))
    (VENDOR / "mathjax").mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, VENDOR / "mathjax" / "tex-svg-full.js")
    (VENDOR / "palette.css").write_text(style_sheet(), encoding="utf-8")


if __name__ == "__main__":
    main()
