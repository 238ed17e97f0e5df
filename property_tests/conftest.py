"""Hypothesis profiles, and what pytest says about a law that fails.

`dev`: the core laws, in seconds (a file that is named is run whole). `default`: what `make test` runs.
`thorough`: many examples. `mutants`: dev without shrinking. `fuzz`: `make fuzz`.
Choose with `FPSVERIFY_PROFILE=thorough pytest property_tests`.
`pytest property_tests --laws FILE.json` lists the laws and runs nothing.
"""

import os
import shlex
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, Phase, settings

from property_tests import laws

_COMMON = {"deadline": None, "print_blob": True, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("dev", max_examples=10, derandomize=True, **_COMMON)
settings.register_profile("default", max_examples=50, derandomize=True, **_COMMON)
settings.register_profile("thorough", max_examples=2000, **_COMMON)
settings.register_profile("fuzz", **_COMMON)
# That a mutant fails is enough: nobody reads its shrunk input.
settings.register_profile(
    "mutants",
    settings.get_profile("dev"),
    phases=(Phase.explicit, Phase.generate),
    report_multiple_bugs=False,
)
PROFILE = os.environ.get("FPSVERIFY_PROFILE", "default")
settings.load_profile(PROFILE)

# Two workers share two cores: one torch thread each, or they fight. FPSVERIFY_THREADS asks for more.
torch.set_num_threads(int(os.environ.get("FPSVERIFY_THREADS", "1")))


@pytest.fixture(scope="session")
def judged() -> Sequence[Any]:
    """The judgements of the whole ledger, once for all tests of a process."""
    from theory.ledger import collection as ledger

    return ledger.run(ledger.entries(), workers=2)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Under `dev` a folder means its core laws, if it has any; whatever else is named is run as it is."""
    core = [item for item in items if getattr(item.module, "CORE", False)]
    if PROFILE != "dev" or not core or not all(Path(arg).is_dir() for arg in config.args):
        return
    config.hook.pytest_deselected(items=[item for item in items if item not in core])
    items[:] = core


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--laws", metavar="FILE", type=Path, help="write the list of laws as JSON, run nothing")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """With --laws the collected tests are listed instead of run."""
    path = session.config.getoption("--laws")
    if path is None:
        return None
    count = laws.write(path, session.items)
    session.config.get_terminal_writer().line(f"{count} laws written to {path}")
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failure names its law and the line that repeats it; hypothesis adds the shrunk input and its blob."""
    report = yield
    if report.failed:
        report.sections.append(("law", laws.sentence(item)))
        report.sections.append(("reproduce", reproducing_line(item.nodeid)))
    return report


def reproducing_line(nodeid: str) -> str:
    """A command for the same test under the same profile and hash seed."""
    kept = {name: os.environ[name] for name in ("PYTHONHASHSEED",) if name in os.environ}
    settings_of_run = " ".join(
        f"{name}={value}" for name, value in {**kept, "FPSVERIFY_PROFILE": PROFILE}.items()
    )
    return f"{settings_of_run} python -m pytest {shlex.quote(nodeid)}"
