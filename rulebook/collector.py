"""Python's garbage collector, which may rest while much is made of which nothing is let go.

In: nothing. Out: a stretch of work during which nobody looks for what could be thrown away. Never: leaves the collector
off where it was on.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["all_kept"]


@contextmanager
def all_kept() -> Iterator[None]:
    """The collector would go again and again through all that is read and made, of which nothing is let go."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            # Else the collector would look through all of it at once.
            gc.freeze()
            gc.enable()
            gc.unfreeze()
