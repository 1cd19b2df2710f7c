"""The one way to load a game: from its files, or as it was loaded the last time if nothing has changed since.

A game that was kept needs no part of the language but its IR, so all that reads and checks is imported only when it is
needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulebook.loading.load_cache import LoadCache
from rulebook.loading.loaded import CheckedGame, Declared, Loaded

if TYPE_CHECKING:
    from rulebook.loading.frontend import Shared

__all__ = ["CheckedGame", "Loaded", "load"]


def load(
    path: Path,
    variants: Sequence[Path] = (),
    *,
    meant: bool = False,
    use_cache: bool = False,
    shared: Shared | None = None,
) -> Loaded:
    """Read, structure and check the game in a folder, under the variants in these files, laid over it in this order.

    With `meant`, the messages are also about what can be played and says nothing: what an author wants to know, and a
    player does not. With `use_cache`, a game about which there was nothing to say is kept and found again; not with
    `meant`, which is about more. `shared` holds what several loads of one game have in common.
    """
    kept = LoadCache("loaded", path, variants) if use_cache and not meant else None
    if kept is not None and (game := _recall(kept.recall(), path, variants)) is not None:
        kept.mark(game.rulebook)
        return Loaded(game, [])
    from rulebook.loading.frontend import load_files

    loaded = load_files(path, variants, meant=meant, shared=shared)
    if kept is not None and loaded.game is not None and not loaded.messages:
        from rulebook.dsl.flat import flatten

        rows = {"rulebook": flatten(loaded.game.rulebook), "stages": sorted(loaded.game.world.stages)}
        if kept.keep(rows):
            kept.mark(loaded.game.rulebook)
    return loaded


def _recall(data: Any, path: Path, variants: Sequence[Path]) -> CheckedGame | None:
    match data:
        case {"rulebook": rows, "stages": [*stages]}:
            from rulebook.dsl.flat import unflatten

            try:
                rulebook = unflatten(rows)
            except ValueError:
                return None

            def declare() -> Declared:
                from rulebook.loading.frontend import declare_again

                return declare_again(rulebook, path, variants, stages)

            return CheckedGame(rulebook, declare)
    return None
