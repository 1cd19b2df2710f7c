"""Options by what people call them, and by numbers: which answers have one of them in it.

In: a program, words. Out: what may be chosen under these rules, the options that a word means, and which of them the
values are that somebody may choose from. Never: tells a hidden card from others to a seat that is not told which it is.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

from rulebook.classes import frozen
from rulebook.diagnostics import did_you_mean
from rulebook.interpreter.choosing import Choices
from rulebook.interpreter.decisions import PASS
from rulebook.interpreter.program import Choice, Pick, Program, Source
from rulebook.interpreter.wording import key_option
from rulebook.playtest.series.naming import option_name

__all__ = ["NoSuchOption", "Option", "OptionTable", "find_option", "list_choices", "list_options"]

_NOTHING, _OBJECTS, _WORDS, _ANSWERS = -1, -2, -3, -4
"""Sorts of values in the core."""


class NoSuchOption(ValueError):
    """Nothing that can be chosen is called that, or several things are; the sentence says which are near."""


@frozen
class Option:
    """A subject of questions: one option of a game, or all cards of a family. `about` is its key, `name` its name for
    people, `keys` are the keys of its options, and by `word` it is found again.
    """

    about: str
    name: str
    keys: tuple[str, ...]
    word: str


def list_options(program: Program) -> dict[str, Option]:
    """Everything that a rule names one by one and lets players choose: cards, actions, words, labels, to pass."""
    keys: dict[str, None] = {}
    for choice in list_choices(program):
        for pick in choice.picks:
            for source in () if pick.is_button else pick.sources:
                keys |= dict.fromkeys(_keys_of(program, source))
        if choice.may:
            keys[PASS] = None
    return {key: Option(key, option_name(program, key), (key,), key) for key in sorted(keys)}


def list_choices(program: Program) -> Iterator[Choice]:
    """List the decisions of a program."""
    steps = (step for code in program.codes for step in code.steps)
    return (step["choice"] for step in steps if "choice" in step.op.operands)


def _keys_of(program: Program, source: Source) -> Iterator[str]:
    sort = source.sort
    if sort in ("card", "object"):
        yield from (f"card:{id}" for id in program.definitions)
    if sort in ("action", "object"):
        yield from (f"action:{id}" for id in program.actions)
    if sort.startswith("word "):
        yield from (f"word:{word}" for word in program.words.get(sort.removeprefix("word "), ()))
    if sort == "yes_no":
        yield from ("word:yes", "word:no")
    yield from (f"label:{label}" for label in source.written)


def find_option(program: Program, word: str) -> Option:
    """Find what is called so: by its key, its id, the name of a family of cards, its name, or a part of that.

    Raises NoSuchOption.
    """
    there = list_options(program)
    if word in there:
        return there[word]
    families = {
        name: [key for key in map("card:{}".format, ids) if key in there]
        for name, ids in program.lowering.tables.rulebook.families.items()
    }
    wanted = word.casefold()
    ways: tuple[Callable[[Option], bool], ...] = (
        lambda option: option.about.partition(":")[2].casefold() == wanted,
        lambda option: option.name.casefold() == wanted,
        lambda option: wanted in option.name.casefold(),
    )
    for number, fits in enumerate(ways):
        meant = [option for option in there.values() if fits(option)]
        if not meant and number == 0 and families.get(word):
            return Option(f"card:{word}", word.replace("_", " "), tuple(families[word]), word)
        names, sorts = {option.name for option in meant}, {option.about.partition(":")[0] for option in meant}
        if len(names) == len(sorts) == 1:
            keys = tuple(option.about for option in meant)
            is_one, name = len(keys) == 1, meant[0].name
            return meant[0] if is_one else Option(f"{next(iter(sorts))}:{name}", name, keys, name)
        if meant:
            meanings = " or ".join(option.about for option in meant[:4])
            raise NoSuchOption(f"`{word}` may mean several things that can be chosen. Say which: {meanings}.")
    names = {name for option in there.values() for name in (option.about.partition(":")[2], option.name)} | {*families}
    raise NoSuchOption(f"Nothing that can be chosen is called `{word}`. {did_you_mean(word, names)}".rstrip())


class OptionTable:
    """Some options, each of which has a number; no key belongs to two of them."""

    def __init__(self, program: Program, options: Sequence[Option]) -> None:
        self.program, self.options = program, options
        self._numbers = {key: number for number, option in enumerate(options) for key in option.keys}
        self._known: dict[tuple[int, Any], int] = {}

    def number_values(self, choices: Choices) -> dict[Any, int]:
        """The number of each value that is one of the options, as far as who is asked is told."""
        pairs = zip(choices.values, choices.sources, strict=True)
        numbers = ((value, self._number(source, value, choices)) for value, source in pairs)
        return {value: number for value, number in numbers if number >= 0}

    def _number(self, source: Source, value: Any, choices: Choices) -> int:
        at = id(source), value
        if at not in self._known:
            key = key_option(self.program, choices.run.names, source, value)
            self._known[at] = self._numbers.get(key, -1)
        number = self._known[at]
        is_card = number >= 0 and source.sort in ("card", "object") and value < self.program.cards
        return -1 if is_card and not choices.is_told(value, source) else number

    @property
    def of_pass(self) -> int:
        """The number of passing; -1 if that is none of them."""
        return self._numbers.get(PASS, -1)

    def in_answer(self, numbers: dict[Any, int], answer: Any, *, is_set: bool) -> set[int]:
        """The numbers of the options that are in an answer."""
        if answer is None:
            return {self.of_pass} - {-1}
        chosen: Collection[Any] = answer if is_set else (answer,)
        return {numbers[value] for value in chosen if value in numbers}

    def pack(self, picks: Iterable[Pick], words: Sequence[str]) -> array[int]:
        """The same for the core, which has these picks and words."""
        program, find = self.program, self._numbers.get
        sources, labels = list[int](), list[int]()
        for pick in picks:
            for source in pick.sources:
                sort = source.sort.partition(" ")[0]
                if sort == "label":
                    sources.append(len(labels))
                    labels += [find(f"label:{label}", -1) for label in source.written]
                else:
                    sources.append(_SORTS.get(sort, _NOTHING))
        objects = [find(f"card:{id}", -1) for id in program.definition]
        objects += [find(f"action:{id}", -1) for id in program.actions]
        of_words = [find(f"word:{word}", -1) for word in words]
        answers = [find(f"word:{answer}", -1) for answer in ("no", "yes")]
        head = [len(self.options), self.of_pass, len(sources), len(objects), len(of_words)]
        return array("i", [*head, *sources, *objects, *of_words, *answers, *labels])


_SORTS = {
    "card": _OBJECTS,
    "object": _OBJECTS,
    "action": _OBJECTS,
    "word": _WORDS,
    "text": _WORDS,
    "any": _WORDS,
    "yes_no": _ANSWERS,
}
