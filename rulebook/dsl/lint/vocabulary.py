"""The names of a game as texts on cards say them.

A name that could be something else is none: a place stands behind "into the", a card has its capital in the middle of
a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from rulebook.dsl import ir
from rulebook.dsl.words import readable
from rulebook.plurals import is_plural, plural

_BEFORE_PLACES = r"(?:from|into|onto|to|in|on|of|under|among)\s+(?:the|your|their|his|her|its|that player's)\s+"


class Vocabulary:
    """The words by which texts of one game can name its places, kinds, memories and cards."""

    def __init__(self, rulebook: ir.Rulebook) -> None:
        self.rulebook = rulebook

    @cached_property
    def _places(self) -> dict[str, set[str]]:
        names: dict[str, set[str]] = {}
        for name in self.rulebook.places:
            for words in self.nouns(name) - self._kinds:
                names.setdefault(words, set()).add(name)
        return names

    def nouns(self, name: str) -> set[str]:
        """Return the nouns for a kind, place or memory, of one and of many, in small letters."""
        phrase = self.rulebook.phrases.get(name)
        phrases = {readable(name), *(noun.strip() for noun in phrase.split("/"))} if phrase else {readable(name)}
        return {words.lower() for noun in phrases for words in (noun, noun if is_plural(noun) else plural(noun))}

    @cached_property
    def _in_places(self) -> re.Pattern[str]:
        return re.compile(f"{_BEFORE_PLACES}({_either(self._places)})\\b", re.IGNORECASE)

    def places(self, text: str) -> Iterator[tuple[str, set[str]]]:
        """The places that something lies in, goes to or comes from."""
        for match in self._in_places.finditer(text) if self._places else ():
            yield match.group(1), self._places[match.group(1).lower()]

    def sources(self, text: str) -> Iterator[tuple[str, set[str]]]:
        """The places that something comes from."""
        for match in self._in_places.finditer(text) if self._places else ():
            if match.group(0).lower().startswith("from"):
                yield match.group(0), self._places[match.group(1).lower()]

    @cached_property
    def _things(self) -> dict[str, set[str]]:
        ids_of: dict[str, set[str]] = {}
        things: list[ir.CardDef | ir.ActionDef] = [*self.rulebook.cards.values(), *self.rulebook.actions.values()]
        for thing in things:
            for name in _names(thing.name):
                ids_of.setdefault(name, set()).add(thing.id)
        taken = {words.lower() for words in (*self._places, *self._kinds)}
        taken |= {shown.lower() for words in self.rulebook.words.values() for shown in words.values()}
        return {name: ids for name, ids in ids_of.items() if name.lower() not in taken and name[:1].isupper()}

    @cached_property
    def _names_of_things(self) -> re.Pattern[str]:
        return re.compile(rf"(?<![\w-])({_either(self._things)})(?![\w-])")

    def things(self, text: str) -> Iterator[tuple[str, set[str]]]:
        """The cards and actions that are called by their names; a single word only in the middle of a sentence."""
        for match in self._names_of_things.finditer(text) if self._things else ():
            name = match.group(1)
            if " " in name or re.search(r"[a-z,]\s+$", text[: match.start()]):
                yield name, self._things[name]

    def words(self, text: str) -> Iterator[tuple[str, str, frozenset[str]]]:
        """The words of lists as players read them: the word, and all words of its list."""
        for words in self.rulebook.words.values():
            for word, shown in words.items():
                if shown[:1].isupper() and re.search(rf"(?<![\w-]){re.escape(shown)}(?![\w-])", text):
                    yield shown, word, frozenset(words)

    @cached_property
    def _kinds(self) -> set[str]:
        """The nouns of kinds: a text that says one may mean what lies in a place of the same name."""
        return {noun for name in self.rulebook.kinds for noun in self.nouns(name)}

    @cached_property
    def numbers(self) -> dict[str, str]:
        """Names of memories of numbers, by the nouns for one and for many."""
        return {noun: name for name in self.rulebook.memories for noun in self.nouns(name)}

    @cached_property
    def for_discarding(self) -> frozenset[str]:
        """The places where what is discarded goes."""
        return frozenset(name for name in self.rulebook.places if "discard" in name)


def _either(words: dict[str, set[str]]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def _names(name: ir.Expr) -> list[str]:
    """Return the names of something, under any house rule."""
    match name:
        case ir.Const(str(text)):
            return [text]
        case ir.ByOption(_, cases):
            return [name for _, case in cases for name in _names(case)]
    return []
