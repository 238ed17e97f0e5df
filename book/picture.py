"""The picture of the README: the first figure as Chromium draws it at its first preset, in the light mode.

`python -m book.picture` makes `book/_static/figure.png` anew. A text of the file holds a digest of what it is
drawn from, so that a law sees when it is older than the figure.
"""

from __future__ import annotations

import base64
import hashlib
import io
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from book import browser
from book.bookkit import js_formulas
from book.bookkit.palette import BACKGROUND, LETTERS, style_sheet

STATIC = Path(__file__).parent / "_static"
PICTURE, COMMAND = STATIC / "figure.png", "make picture"
KEY, WIDTH = "drawn from", 1078
# What is drawn is the map, the run and the words about it: not the fields to play with.
STYLE = (
    "body { margin: 0; font: 20px system-ui, sans-serif; }"
    ".fps-calc { border: 0; margin: 0; padding: .3rem .5rem; }"
    ".fps-fields, .fps-message, .fps-calc button, .fps-calc > details { display: none; }"
)


def stand_alone(body: str, style: str = "", mode: int = 0) -> str:
    """A page with the book's style sheet and palette but without its theme."""
    theme = (
        f":root {{ --pst-color-background: {BACKGROUND[mode][0]}; }}"
        f"body {{ color: {LETTERS[mode]}; background: var(--pst-color-background); }}"
    )
    sheets = "\n".join([style_sheet(), (STATIC / "fps.css").read_text("utf-8"), theme, style])
    name = ("light", "dark")[mode]
    return (
        f'<!doctype html><html lang="en" data-theme="{name}"><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><style>{sheets}</style>{body}</html>'
    )


def drawn() -> str:
    return stand_alone(js_formulas.hero(), STYLE)


def digest() -> str:
    return hashlib.sha256(drawn().encode()).hexdigest()


def stored() -> str | None:
    """What the picture says that it is drawn from."""
    with Image.open(PICTURE) as image:
        return image.info.get(KEY)


def main() -> None:
    with browser.browser() as tab:
        tab.open("data:text/html;base64," + base64.b64encode(drawn().encode()).decode(), WIDTH, 400)
        height = tab.run("Math.ceil(document.querySelector('.fps-calc').getBoundingClientRect().bottom)")
        area = {"x": 0, "y": 0, "width": WIDTH, "height": height, "scale": 1}
        shot = tab.call("Page.captureScreenshot", clip=area, captureBeyondViewport=True)["data"]
    note = PngInfo()
    note.add_text(KEY, digest())
    image = Image.open(io.BytesIO(base64.b64decode(shot))).convert("RGB")
    image.quantize(128).save(PICTURE, pnginfo=note, optimize=True)
    print(f"{PICTURE.name}: {image.width} x {image.height}")


if __name__ == "__main__":
    main()
