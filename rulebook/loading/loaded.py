"""Results of loading: a game without mistakes, or the messages about it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import define, field

if TYPE_CHECKING:
    from rulebook.diagnostics import Diagnostic
    from rulebook.dsl.document import Mapping
    from rulebook.dsl.ir import Rulebook
    from rulebook.dsl.overlay.origins import Origins
    from rulebook.dsl.overlay.variant import Variant
    from rulebook.dsl.world import World


@define(eq=False)
class Declared:
    """The declarations of a game's files.

    `merged` is all that they say, as one map. `variants` are those that were laid over the game, in order, and
    `origins` what they did, by the path at which they did it.
    """

    world: World
    merged: Mapping
    variants: tuple[Variant, ...]
    origins: Origins


@define(eq=False)
class CheckedGame:
    """A game without mistakes: its rulebook, and what its files declare.

    Of a game that was kept, the declarations are read again from the texts in the rulebook when somebody asks for them.
    """

    rulebook: Rulebook
    _declare: Callable[[], Declared] = field(repr=False)

    @cached_property
    def _declared(self) -> Declared:
        return self._declare()

    @property
    def world(self) -> World:
        """The names that it declares."""
        return self._declared.world

    @property
    def merged(self) -> Mapping:
        """All that its files say, under its variants, as one map."""
        return self._declared.merged

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The variants that were laid over the game, in order."""
        return self._declared.variants

    @property
    def origins(self) -> Origins:
        """The deeds of the variants, by the path at which they did them."""
        return self._declared.origins


@define(eq=False)
class Loaded:
    """The result of loading a game's files: a game if there is no error, and all messages about it."""

    game: CheckedGame | None
    messages: list[Diagnostic]

    @property
    def rulebook(self) -> Rulebook | None:
        return None if self.game is None else self.game.rulebook
