"""The folders of each system for the person at the keyboard: data that lasts, and a cache.

A folder that `$XDG_DATA_HOME` or `$XDG_CACHE_HOME` names with an absolute path goes first, on every system: a relative
one is to be ignored, as the people say who invented the variables.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def find_data_folder(system: str = sys.platform) -> Path:
    """Return the folder of the data. Raises RuntimeError if nobody knows where the person is at home."""
    return _find("XDG_DATA_HOME", system, ".local/share/rulebook", "Library/Application Support/rulebook", "rulebook")


def find_cache_folder(system: str = sys.platform) -> Path:
    """Return the folder of what could be made again. Raises RuntimeError as above."""
    return _find("XDG_CACHE_HOME", system, ".cache/rulebook", "Library/Caches/rulebook", "rulebook/Cache")


def _find(variable: str, system: str, plain: str, on_macos: str, on_windows: str) -> Path:
    chosen = os.environ.get(variable, "")
    if os.path.isabs(chosen):
        return Path(chosen) / "rulebook"
    if system == "win32":
        local = os.environ.get("LOCALAPPDATA", "")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / on_windows
    return Path.home() / (on_macos if system == "darwin" else plain)
