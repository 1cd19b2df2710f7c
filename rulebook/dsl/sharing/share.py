"""A share of a game: some of its cards, with what they do, where others look at the other ones.

In: nothing. Out: which cards, and how a script that may lie in another share is spoken of. Never: a script.
"""

from __future__ import annotations

from typing import TypeAlias

from rulebook.dsl import types as t
from rulebook.record import Record, record

Hooked: TypeAlias = tuple[str, tuple[str, ...], bool]
"""A hook, and of whom: which kinds of cards, and whether of actions."""
Callee: TypeAlias = str | Hooked
"""What is run or asked: a script or question by its name, or a hook."""




@record
class Share(Record):
    """The cards that are looked at: `families` as they are declared, `definitions` as `each` has made them; `scripts`
    are the names of what they do.

    The first share is also where all that is said once is said.
    """

    number: int
    families: tuple[str, ...]
    definitions: frozenset[str]
    scripts: frozenset[str]

    @property
    def first(self) -> bool:
        """Whether what belongs to no share is said here."""
        return self.number == 0

    def is_common(self, home: str) -> bool:
        """Whether a home belongs to no share."""
        section, _, rest = home.partition(".")
        return section != "cards" or (rest not in self.definitions and home not in self.scripts)


def answering(hook: str, target: t.Type) -> Hooked:
    """A hook of a target of this type."""
    kinds: frozenset[str] = frozenset()
    for one in t.members(target):
        kinds |= one.kinds if isinstance(one, t.Card) else frozenset()
    return hook, tuple(sorted(kinds)), t.ACTION in t.members(target)
