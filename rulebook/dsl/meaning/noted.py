"""Tables that know who has looked up what, so that only what depends on a change is worked out again.

In: what is looked up, what is added, and who is at work. Out: who is `stale`: whoever has looked up what is another
thing now; and what was changed in a round. Never: forgets one who may be stale; one who is not may be among them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from typing import Any, Generic, TypeVar

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
_Set = TypeVar("_Set", int, frozenset[str])


class Work:
    """Who is at work, and who has to work again: sentences by their numbers, questions by their keys in `answers`."""

    def __init__(self) -> None:
        self.worker: Hashable = None
        self.stale: set[int] = set()
        self.answers = Answers(self)

    def again(self, workers: Iterable[Hashable]) -> None:
        """What these have looked up is another thing now."""
        for worker in workers:
            if isinstance(worker, int):
                self.stale.add(worker)
            elif worker in self.answers:
                self.answers.forget(worker)


class _Read(dict[_Key, _Value], Generic[_Key, _Value]):
    """A table whose readers are noted."""

    def __init__(self, work: Work) -> None:
        super().__init__()
        self._work = work
        self._readers: defaultdict[_Key, set[Hashable]] = defaultdict(set)

    def __getitem__(self, key: _Key) -> _Value:
        self._readers[key].add(self._work.worker)
        return super().__getitem__(key)

    def known(self, key: _Key, otherwise: _Value) -> _Value:
        """What is there, or what is to be taken for it where nothing is."""
        self._readers[key].add(self._work.worker)
        return super().get(key, otherwise)


class Answers(_Read[Hashable, Any]):
    """What questions answer, as long as nothing is changed that they have looked up."""

    def forget(self, key: Hashable) -> None:
        """It may be another answer now, so whoever was given it works again."""
        del self[key]
        self._work.again(self._readers.pop(key, ()))


class Noted(_Read[_Key, _Value]):
    """What is possible so far. `nothing` is what is possible where nothing was added; `both` adds, and answers with the
    first itself if nothing is new.
    """

    def __init__(self, work: Work, nothing: _Value, both: Callable[[_Value, _Value], _Value]) -> None:
        super().__init__(work)
        self._nothing, self._both = nothing, both
        self.before: dict[_Key, _Value] = {}
        """What was changed in this round, as it was when the round began."""

    def __setitem__(self, key: _Key, value: _Value) -> None:
        known = self.get(key, self._nothing)
        if known is not value and known != value:
            self._change(key, known)
        super().__setitem__(key, value)

    def add(self, key: _Key, value: _Value) -> None:
        """This is possible too."""
        # No reader: who only adds need not know what others have added.
        known = self.get(key, self._nothing)
        now = self._both(known, value)
        if now is not known:
            self._change(key, known)
            super().__setitem__(key, now)

    def _change(self, key: _Key, known: _Value) -> None:
        self.before.setdefault(key, known)
        if key in self._readers:
            self._work.again(self._readers.pop(key))

    def has_changed(self) -> bool:
        """Whether this round has made a difference. The next one begins."""
        before, self.before = self.before, {}
        return any(self.get(key) != was for key, was in before.items())


def either(one: _Set, other: _Set) -> _Set:
    """All of two sets, for tables of sets; the first itself if it has all of the other."""
    both = one | other
    return one if both == one else both
