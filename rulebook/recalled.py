"""A game as it was loaded the last time, if nothing has changed since: for whoever plays it.

In: what `loading.load` is given. Out: what it gives, from the user's cache folder if the same was loaded before and
nothing was said about it, else by loading. Never: a game of which a file has changed, by however little: what is kept
lies under the fingerprint of every byte that is read, and under that of this program. What changed while the game was
loaded is not kept, and what is kept is data: nothing of it is ever run.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rulebook import cache
from rulebook.collector import all_kept
from rulebook.fingerprints import fingerprint, program_as_translated
from rulebook.library import VARIANTS

if TYPE_CHECKING:
    from rulebook.diagnostics import Diagnostic
    from rulebook.dsl.ir import Rulebook
    from rulebook.dsl.world import World

__all__ = ["Named", "load", "load_with_world"]


class Named(NamedTuple):
    """A rulebook, and the names that it declares."""

    rulebook: Rulebook
    world: World


def load(path: Path, variants: Sequence[Path] = ()) -> tuple[Rulebook | None, list[Diagnostic]]:
    """As `loading.load` does it."""
    with all_kept():
        found = _Kept(path, variants)
        rulebook = found.rulebook()
        if rulebook is not None:
            return rulebook, []
        named, said = found.loaded()
        return (None if named is None else named.rulebook), said


def load_with_world(path: Path, variants: Sequence[Path] = ()) -> tuple[Named | None, list[Diagnostic]]:
    """The same, with the names: for whoever reads more that is written in the words of the game."""
    with all_kept():
        found = _Kept(path, variants)
        rulebook = found.rulebook()
        world = None if rulebook is None else found.world()
        if rulebook is not None and world is not None:
            return Named(rulebook, world), []
        return found.loaded()


class _Kept:
    """What lies in the cache folder about one game."""

    def __init__(self, path: Path, variants: Sequence[Path]) -> None:
        self.path, self.variants = path, variants
        self.asked = [os.getcwd(), str(path), str(path.resolve()), *map(str, variants)]
        self.key = None if cache.folder() is None else self._fingerprint()
        self.stages: list[str] = []

    def _fingerprint(self) -> str | None:
        """Of all that is read, and beside a variant of what is there: messages name what could have been meant."""
        beside = [self.path / VARIANTS, *(file.parent for file in self.variants)] if self.variants else []
        return fingerprint(self.asked, [self.path, *beside], self.variants, program_as_translated())

    @property
    def name(self) -> str:
        """One file for whoever asks the same, however often the game changes."""
        from hashlib import blake2b

        asked = repr(self.asked).encode(errors="surrogateescape")
        return f"loaded-{blake2b(asked, digest_size=12).hexdigest()}.json"

    def rulebook(self) -> Rulebook | None:
        """The rulebook that was kept."""
        match None if self.key is None else cache.read(self.name, self.key):
            case {"rulebook": rows, "stages": [*stages]}:
                from rulebook.dsl.flat import unflat

                self.stages = stages
                try:
                    return unflat(rows)
                except ValueError:
                    return None
        return None

    def world(self) -> World | None:
        """The names of the game, which are read again; none if it has changed since the rulebook was found."""
        from rulebook.loading import names

        world = names(self.path, self.variants)
        if world is None or self._fingerprint() != self.key:
            return None
        world.stages |= set(self.stages)
        return world

    def loaded(self) -> tuple[Named | None, list[Diagnostic]]:
        """The game as it is now, kept if there is nothing to say about it."""
        # It reads the whole language, which takes longer than all that is done here.
        from rulebook.loading import load_with_names

        game, found = load_with_names(self.path, self.variants)
        if game is None:
            return None, found
        if not found and self.key is not None and self._fingerprint() == self.key:
            from rulebook.dsl.flat import flat

            plain = {"rulebook": flat(game.rulebook), "stages": sorted(game.world.stages)}
            cache.write(self.name, self.key, plain)
        return Named(game.rulebook, game.world), found
