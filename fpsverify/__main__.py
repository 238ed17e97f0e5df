"""`python -m fpsverify` is the same program as `fpsverify`."""

from __future__ import annotations

import sys

from fpsverify.cli import main

if __name__ == "__main__":
    sys.exit(main())
