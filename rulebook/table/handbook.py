"""The rules of one game as somebody reads them at the table, and an entry for everything in it that has a name.

Apart from what the page of a question shows: nothing here depends on how the game stands, or on who asks.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import define

from rulebook.classes import frozen
from rulebook.diagnostics.spelling import near
from rulebook.dsl import types as t
from rulebook.dsl.ir import CardDef, Const, OptionDef, Rulebook
from rulebook.dsl.settling.options import Settled, setting_text
from rulebook.dsl.words import readable
from rulebook.interpreter.layout import PlaceSlot
from rulebook.interpreter.program import Program
from rulebook.interpreter.wording import join_texts
from rulebook.plurals import plural
from rulebook.seats import is_of_a_seat
from rulebook.table.faces import Faces, make_faces, value_text

if TYPE_CHECKING:
    from rulebook.english.sheet import Sheet

_KEPT = {
    "bag": "cards in no order",
    "loose": "cards in no order",
    "pile": "a pile",
    "row": "a row of cards",
    "slot": "room for one card",
    "pool": "a supply of pieces",
    "grid": "a grid of positions",
}
_SEEN_BY = {
    "everyone": "everybody may look at it",
    "nobody": "nobody may look at it, and what one knows to lie there is shown",
    "owner": "only its owner may look at it",
    "others": "all but its owner may look at it",
    "top": "only the card on top is seen",
}
_MOST_NAMED = 12
_MOST_QUOTED = 2


@frozen
class Entry:
    """One thing that has a name: what people call it, what it is, and what else finds it, first what files call it."""

    sort: str
    name: str
    text: str
    ids: tuple[str, ...]


Chapter = tuple[str, list[tuple[str, str]]]
"""A heading, and names with texts below it. A name may be empty, a text may have several lines."""


@define(slots=False)
class Handbook:
    """`texts` is what cards and actions say, by id, under the house rules of the program."""

    rulebook: Rulebook
    program: Program
    texts: Mapping[str, str]

    @cached_property
    def faces(self) -> Faces:
        return make_faces(self.rulebook, self.program, self.texts)

    @cached_property
    def entries(self) -> list[Entry]:
        """Everything that has a name."""
        things = [*self._list_cards(), *self._list_options(), *self._list_places(), *self._list_kept()]
        return [*things, *self._list_kinds(), *self._list_words(), *self._list_printed(), *self._list_units()]

    def find_entries(self, wanted: str) -> list[Entry]:
        """Find what has this name; else what has a word that begins with it."""
        sought = _fold(wanted)
        if not sought:
            return []
        exact = [entry for entry in self.entries if sought in map(_fold, (entry.name, *entry.ids))]
        return exact or [
            item for item in self.entries if any(f" {sought}" in f" {_fold(name)}" for name in (item.name, *item.ids))
        ]

    def find_nearly(self, wanted: str) -> list[Entry]:
        """Find what has this name but for a slip."""
        spelt = [(entry, [*map(_fold, (entry.name, *entry.ids)), *_fold(entry.name).split()]) for entry in self.entries]
        nearly = near(_fold(wanted), dict.fromkeys(name for _, names in spelt for name in names))[:1]
        return [entry for entry, names in spelt if set(nearly) & set(names)]

    def list_rules(self, *, whole: bool = True) -> list[Chapter]:
        """List the rules in the game's own words, the house rules in force, and the `whole` of what cards and actions
        say, which stands last. What the rules do is told from their scripts where the game has no words of its own.
        """
        about = self.rulebook.display.about
        aim = {"What it is about": self.rulebook.display.aim} if self.rulebook.display.aim else {}
        chapters: list[Chapter] = [(heading, [("", text)]) for heading, text in {**aim, **about}.items()]
        parts: dict[str, list[tuple[str, str]]] = {}
        things: dict[str, list[tuple[str, str]]] = {}
        for is_thing, sort, kind, name, text in self._tell_sheet():
            if whole if is_thing else not about:
                heading = f"{sort}: {readable(kind)}" if kind else sort
                (things if is_thing else parts).setdefault(heading, []).append((name, text))
        if not about and (result := self._tell_result()):
            parts["Who wins"] = [("", result)]
        settings = [(option.name, option.text) for option in self._list_options()]
        return [*chapters, *parts.items(), *([("House rules", settings)] if settings else []), *things.items()]

    def list_house_rules(self, names: Collection[str]) -> list[str]:
        """List the variants that are played, and what these house rules are set to, in words."""
        settings = [option.name for option in self._list_options() if {*names} & {*option.ids}]
        return [*self.rulebook.variants.values(), *settings]

    @cached_property
    def best(self) -> str:
        """The standard by which somebody is first, in words: "the most points"; nothing where scripts say who wins."""
        return self._sheet.describe_best()

    def _tell_result(self) -> str:
        """Tell who wins; nothing where scripts alone say it."""
        return "\n".join(line.text for line in self._sheet.tell_result())

    @cached_property
    def _sheet(self) -> Sheet:
        """The rules, told in English. To learn that takes time, and most games are played without a look at it."""
        from rulebook.english.lexicon import HouseRules
        from rulebook.english.sheet import Sheet

        return Sheet(self.rulebook, HouseRules(self.rulebook.options, self.program.options))

    def _tell_sheet(self) -> Iterator[tuple[bool, str, str, str, str]]:
        from rulebook.english.sheet import ACTIONS, CARDS

        for entry in self._sheet.list_entries():
            is_thing = entry.sort in (CARDS, ACTIONS)
            face = self.faces.get(entry.about) if is_thing else None
            lines = [f"{'• ' if line.depth else ''}{line.text}" for line in self._sheet.tell_entry(entry)]
            text = face.text if face is not None and face.text else "\n".join(lines)
            if text:
                yield is_thing, entry.sort, entry.kind, entry.name, text

    def _list_cards(self) -> Iterator[Entry]:
        for id, face in self.faces.items():
            printed = " · ".join(filter(None, (face.kind, face.attributes)))
            about = ". ".join(filter(None, (printed, face.text))) or "nothing more than its name"
            words = _list_own_words(self.rulebook.cards[id]) if face.kind else ()
            yield Entry("card" if face.kind else "action", face.title, about, (id, *words))

    def _list_options(self) -> Iterator[Entry]:
        for name, option in self.rulebook.options.items():
            called = self.program.looks.called(name)
            setting = self._word_setting(option, self.program.options[name])
            yield Entry("house rule", f"{called}: {setting}", option.text, (name, readable(name), called))

    def _word_setting(self, option: OptionDef, value: Settled) -> str:
        """Word what an option is set to; a choice is called as `display` or its list of words says."""
        text = setting_text(option, value, self.rulebook.units)
        if value is not None and not isinstance(value, str):
            return text
        lists = [
            self.rulebook.words.get(kind.enumeration, {})
            for kind in t.members(option.type)
            if isinstance(kind, t.Symbol)
        ]
        titles = self.program.looks.titles
        return titles.get(text) or next((words[text] for words in lists if text in words), readable(text))

    def _list_places(self) -> Iterator[Entry]:
        first: dict[str, PlaceSlot] = {}
        for place in self.program.layout.places:
            first.setdefault(place.name, place)
        for name, place in first.items():
            if name == "box":
                continue
            owner = "of the table" if place.owned_by == "table" else f"of each {place.owned_by}"
            kinds = join_texts([plural(self._call_kind(kind)) for kind in sorted(place.holds)]) or "anything"
            holds = "" if place.kept == "pool" else f", for {kinds}"
            text = f"{owner}: {_KEPT[place.kept]}{holds}; {_SEEN_BY.get(place.seen_by, place.seen_by)}"
            called = self.program.looks.called(name)
            yield Entry("place", called, self._add_rules(text, called), (name,))

    def _list_kept(self) -> Iterator[Entry]:
        """Yield an entry for each memory, and for each state of cards."""
        called = self.program.looks.called
        for name, memory in self.rulebook.memories.items():
            owner = "of each player" if memory.owner == "player" else "of the table"
            start = "" if memory.start in (None, (), "") else f"; it begins with {_word_start(memory.start)}"
            text = f"{owner}: {_name_sort(memory.type)}{start}"
            yield Entry("noted", called(name), self._add_rules(text, called(name)), (name,))
        for name in self.rulebook.states:
            yield Entry("noted", called(name), self._add_rules("changes on cards", called(name)), (name,))

    def _add_rules(self, text: str, name: str) -> str:
        """Add to what something is the first sentences of the game's own rules that name it."""
        sentences = re.split(r"(?<=[.!?])\s+", " ".join(" ".join(self.rulebook.display.about.values()).split()))
        named = [sentence for sentence in sentences if re.search(rf"\b{re.escape(name)}\b", sentence, re.IGNORECASE)]
        return ". ".join([text, " ".join(named[:_MOST_QUOTED])]) if named else text

    def _list_kinds(self) -> Iterator[Entry]:
        cards, definitions = self.rulebook.cards, self.program.definitions
        for name in self.rulebook.kinds:
            ids = [id for id in definitions if name in _list_kinds_of(self.rulebook, cards[id].kind)]
            named = (definitions[id] for id in ids)
            names = list(dict.fromkeys(name for name in named if not (self.program.seats and is_of_a_seat(name))))
            more = [f"{len(names) - _MOST_NAMED} more"] if len(names) > _MOST_NAMED else []
            listed = join_texts([*names[:_MOST_NAMED], *more]) or "none here"
            yield Entry("kind of cards", self._call_kind(name), listed, (name,))

    def _list_words(self) -> Iterator[Entry]:
        for name, words in self.rulebook.words.items():
            yield Entry("words", readable(name), join_texts(list(words.values())), (name,))
            for word, spoken in words.items():
                yield Entry("word", spoken, f"one of: {readable(name)}", (word,))

    def _list_printed(self) -> Iterator[Entry]:
        """List what is printed on cards beside their names, and is told nowhere else."""
        for name in self.program.attributes:
            if name in self.rulebook.words or name in self.rulebook.states:
                continue
            printed, kinds = set[str](), dict[str, None]()
            for id in self.program.definitions:
                card = self.rulebook.cards[id]
                values = [row[name] for row in (card.attributes, *(own for _, own in card.copies)) if name in row]
                words = {value_text(self.rulebook, "", value).strip() for value in values} - {""}
                printed |= words
                kinds |= dict.fromkeys([plural(self._call_kind(card.kind))] if words else [])
            if printed:
                texts = join_texts(sorted(printed, key=lambda word: (len(word), word)))
                listed = f": {texts}" if len(printed) <= _MOST_NAMED else ""
                text = f"on {join_texts(list(kinds))}{listed}"
                yield Entry("printed", self.program.looks.called(name), text, (name,))

    def _list_units(self) -> Iterator[Entry]:
        smaller = ("", 0)
        for name, worth in sorted(self.rulebook.units.items(), key=lambda unit: unit[1]):
            about = f"{worth // smaller[1]} {plural(smaller[0])}" if smaller[1] else "the smallest amount"
            yield Entry("unit", name, about, (name,))
            smaller = (name, worth)

    def _call_kind(self, kind: str) -> str:
        return self.rulebook.phrases.get(kind, readable(kind))


def _list_kinds_of(rulebook: Rulebook, kind: str) -> Sequence[str]:
    return kind, *rulebook.kinds[kind].ancestors


def _list_own_words(card: CardDef) -> Iterator[str]:
    """List the texts that are printed on a card: questions may name what it does by them."""
    for printed in (value for group in (card.attributes, *(own for _, own in card.copies)) for value in group.values()):
        if isinstance(printed, Const) and isinstance(printed.type, t.Text) and printed.value:
            yield str(printed.value)


def _name_sort(of: t.Type) -> str:
    names = {t.NUMBER: "a number", t.YES_NO: "yes or no", t.AMOUNT: "an amount", t.PLAYER: "a player"}
    return names.get(t.surely(of), "something that is remembered")


def _word_start(start: object) -> str:
    return {True: "yes", False: "no"}[start] if isinstance(start, bool) else str(start)


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())
