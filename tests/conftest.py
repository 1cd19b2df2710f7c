"""What all tests share: the bundled games, one by one, and what the program is told by the environment.

What the program remembers between two starts stands in a folder of its own while tests run, the same for all workers.
"""

import gc
import os
import random
import secrets
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest
from browsers import CHROMIUM, playwright

from rulebook import library

MOST = 3.0
"""Seconds of the processor for a test without the mark `slow`, which those over half a second have: machines differ."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes more than half a second, and `run.py test --quick` leaves it out")
    config.addinivalue_line("markers", "needs(is_there, reason): a program, and how to install it")
    config.addinivalue_line("markers", "extra(name, *modules): what an extra installs; its lowest versions run it too")
    if "PYTEST_XDIST_WORKER" not in os.environ:
        folder = tempfile.TemporaryDirectory(prefix="rulebook-")
        config.add_cleanup(folder.cleanup)
        os.environ["RULEBOOK_CACHE"] = folder.name


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose program is not here; where CI=true nothing may stay untested, and it fails."""
    needed = [mark.args for mark in item.iter_markers("needs")]
    for mark in item.iter_markers("extra"):
        name, *modules = mark.args
        needed.append((all(map(find_spec, modules)), f"there is no {modules[0]} here: install the extra `{name}`"))
    for is_there, reason in needed:
        if not is_there and os.environ.get("CI") == "true":
            pytest.fail(f"{reason} (with CI=true this test has to run)", pytrace=False)
        elif not is_there:
            pytest.skip(reason)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Warn of a test that is slow and not marked so."""
    before = sum(os.times()[:4])
    yield
    spent = sum(os.times()[:4]) - before
    if spent > MOST and item.get_closest_marker("slow") is None:
        item.warn(pytest.PytestWarning(f"{item.nodeid} took {spent:.1f} s of the processor: mark it with `slow`"))


@pytest.fixture(autouse=True)
def _same_seeds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw the seeds that nobody gives from a stream of each test's own: what fails once fails again."""
    monkeypatch.setattr(secrets, "randbelow", random.Random(request.node.nodeid).randrange)


def pytest_collection_finish() -> None:
    """Keep the collector from going over thousands of tests again and again: that takes a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "bundled_game" in metafunc.fixturenames:
        games = library.find_games()
        metafunc.parametrize("bundled_game", games, ids=[game.name for game in games])


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """One Chromium for all tests of a file."""
    without = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic")
    with playwright.sync_playwright() as driver:
        yield driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", *without])


@pytest.fixture
def browser(chromium: Any) -> Iterator[Any]:
    """Chromium, without the devices that a test has opened once it is over."""
    yield chromium
    for device in chromium.contexts:
        device.close()
