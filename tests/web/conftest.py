"""One Chromium for all tests of a file, each with devices of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from browsers import CHROMIUM, playwright

NO_NETWORK = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        yield driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", *NO_NETWORK])


@pytest.fixture
def browser(chromium: Any) -> Iterator[Any]:
    """Chromium, without the devices that a test has opened once it is over."""
    yield chromium
    for device in chromium.contexts:
        device.close()
