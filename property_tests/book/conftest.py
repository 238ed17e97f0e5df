"""What the templates of the article print."""

from typing import Any

import pytest

from book.article import build


class Printed(dict[str, Any]):
    """What the templates print, each part computed when it is first asked for."""

    def __missing__(self, part: str) -> Any:
        self[part] = build.PARTS[part].numbers()
        return self[part]


@pytest.fixture(scope="module")
def printed() -> Printed:
    return Printed()
