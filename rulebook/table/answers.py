"""Questions in words, and the matching of what a person typed to the keys of an answer."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType

from rulebook.interpreter.account import Teller
from rulebook.interpreter.decisions import PASS, Ask, Option
from rulebook.interpreter.wording import join_texts
from rulebook.plurals import plural
from rulebook.printing import visible
from rulebook.table.blocks import Menu
from rulebook.table.grids import Grid

ALL, NONE = "all", "none"
NO_OPTION = "is none of the options."
_NOUNS = {"card": "card", "player": "player", "number": "number", "place": "place", "cell": "space", "amount": "amount"}
_PARTICIPLES = re.compile(
    "bought|chosen|drawn|found|given|hidden|kept|left|lost|new|old|other|paid|sent|sold|stolen|taken|thrown|won|"
    r"\w{2,}[^\We]ed"
)


YES, NO = ("y", "yes"), ("n", "no")
_FEW = 8
_SPOT = re.compile(r"[a-z]+\d+,?|\d+,?")

Spots = Mapping[str, tuple[str, str]]
"""The words for options that lie in a grid, besides their names, by key: the position as people call it, such as `c2`,
and its number from 1, row by row."""
NOWHERE: Spots = MappingProxyType({})


class Unclear(ValueError):
    """An answer that names no option, or more than one, or too many or too few of them. `meant` is the name that the
    message asks about, if it asks whether that was meant.
    """

    def __init__(self, message: str, meant: str = "") -> None:
        super().__init__(message)
        self.meant = meant


def is_single(ask: Ask) -> bool:
    """Tell whether one key is wanted, not a set of them."""
    return ask.at_least == ask.at_most == 1


def make_tags(ask: Ask, spots: Spots = NOWHERE) -> list[str]:
    """Return the tag to type for each option: its place in the list, from 1; where all options are numbers, the number;
    where all lie in a grid, the name of the position.
    """
    if spots:
        return [spots[option.key][0] if option.key in spots else PASS for option in ask.options]
    labels = [option.label for option in ask.options if option.key != PASS]
    if labels and all(re.fullmatch(r"-?\d+", label) for label in labels):
        return [option.label if option.key != PASS else PASS for option in ask.options]
    return [str(number) for number, _ in enumerate(ask.options, 1)]


def word_question(ask: Ask) -> str:
    """Word the question; a choice for which the rules have none is named after what there is to choose."""
    sorts = {option.key.partition(":")[0] for option in ask.options} - {PASS}
    noun = _NOUNS.get(sorts.pop(), "option") if len(sorts) == 1 else "option"
    if ask.prompt:
        return ask.prompt if is_single(ask) else f"{ask.prompt} ({word_wanted(ask, f'{noun}s')})"
    name = ask.name.replace("_", " ")
    if is_single(ask) and noun == "option" and not name:
        return "What do you do?"
    if len(name) == 1:
        # “Choose a n” is no English: a letter is no noun.
        what = "one" if is_single(ask) else word_wanted(ask, plural(noun))
    elif _is_participle(name):
        # “Choose a kept” is no English.
        what = f"a {noun} that is {name}" if is_single(ask) else f"{word_wanted(ask, f'{noun}s')} that are {name}"
    else:
        noun = name or noun
        what = _with_article(noun) if is_single(ask) else word_wanted(ask, plural(noun))
    return f"Choose {what}{_word_declining(ask)}."


def _word_declining(ask: Ask) -> str:
    """Word what else may be answered than to choose: to pass, or that nothing fits."""
    declining = next((option for option in ask.options if option.key == PASS), None)
    if declining is None:
        return ""
    label = declining.label
    return ", or pass" if label == "Pass" else f", or say that {label[0].lower()}{label[1:]}"


def _is_participle(name: str) -> bool:
    """Tell whether a name says what happens to the thing rather than what it is."""
    return _PARTICIPLES.fullmatch(name.rpartition(" ")[2]) is not None


def _with_article(noun: str) -> str:
    return f"{'an' if noun[0].lower() in 'aeiou' else 'a'} {noun}"


def parse_answer(ask: Ask, line: str, spots: Spots = NOWHERE) -> list[str]:
    """The keys that a line means. Raises Unclear."""
    text = line.strip()
    if is_single(ask):
        if not text:
            sign = "position" if spots else "number"
            raise Unclear(f"Type a {sign} or a name{_word_declining(ask)}.")
        if not find_matching(ask, text, spots):
            if _fold_text(text) in (PASS, NONE, *NO):
                raise Unclear("You cannot pass here: choose one.")
            if len(set(_split_names(ask, text.replace(",", " "), spots))) > 1:
                raise Unclear("Only one can be chosen here.")
        return [find_option(ask, text, spots).key]
    keys = _parse_several(ask, text, spots)
    if keys == [PASS]:
        return keys
    _refuse_unclear(ask, keys)
    return keys


def find_option(ask: Ask, text: str, spots: Spots = NOWHERE) -> Option:
    """The one option that a number, a name or the beginning of one means. Raises Unclear."""
    options = ask.options
    typed = make_tags(ask, spots)
    wanted = _fold_text(text)
    matching = find_matching(ask, text, spots)
    if len(matching) == 1:
        return matching[0]
    if len({option.label for option in matching}) == 1:
        sign, tags = "position" if spots else "number", [typed[options.index(option)] for option in matching]
        named = f"{len(tags)} options are called {_name_option(matching[0])}"
        raise Unclear(f"{named}. Type the {sign} of one: {join_texts(tags)}.")
    if matching:
        names = " or ".join(_name_option(option) for option in matching[:4])
        raise Unclear(f"“{text}” may mean {names}. Type more of the name, or its number.")
    if text.isdecimal():
        raise Unclear(f"There is no option {text}; type one of {typed[0]} to {typed[-1]}.")
    if spots and _SPOT.fullmatch(wanted):
        raise Unclear(f"{text} {NO_OPTION} Type one of {join_texts(typed) if len(typed) <= _FEW else 'those listed'}.")
    near = get_close_matches(wanted, [_fold_text(option.label) for option in options], n=1)
    meant = next((_name_option(option) for option in options if near and _fold_text(option.label) == near[0]), "")
    advice = (
        f"Did you mean {meant}?" if meant else f"Type one of the {'positions' if spots else 'numbers'}, or ? for help."
    )
    raise Unclear(f"“{text}” {NO_OPTION} {advice}", meant)


def find_matching(ask: Ask, text: str, spots: Spots = NOWHERE) -> list[Option]:
    """All options that a number, a name or the beginning of one may mean."""
    typed = make_tags(ask, spots)
    if text.casefold() in typed:
        # An option may be called 4: what stands on the screen before it goes first.
        return [ask.options[typed.index(text.casefold())]]
    counted = [option for option in ask.options if text in spots.get(option.key, ())]
    if counted:
        return counted
    # `a` may begin a name as well as a position, and what is chosen is chosen for good.
    column = [
        option for option in ask.options if text.isalpha() and _find_spot(option, spots).startswith(text.casefold())
    ]
    options = [*find_named(ask.options, text), *column, *_find_said(ask, _fold_text(text))]
    return [option for number, option in enumerate(options) if option not in options[:number]]


def _find_spot(option: Option, spots: Spots) -> str:
    return spots[option.key][0] if option.key in spots else ""


def _find_said(ask: Ask, wanted: str) -> list[Option]:
    """Find the option that yes or no means where one thing may be taken or passed."""
    declined = [option for option in ask.options if option.key == PASS]
    others = [option for option in ask.options if option.key != PASS]
    if not declined:
        return []
    return declined if wanted in NO else others if wanted in YES and len(others) == 1 else []


def find_named(options: Sequence[Option], text: str) -> list[Option]:
    """All of these options that a name or the beginning of one may mean."""
    wanted = _fold_text(text)
    exact = [option for option in options if _is_name_of(option, wanted, True)]
    return exact or [option for option in options if wanted and _is_name_of(option, wanted, False)]


def word_wanted(ask: Ask, nouns: str = "of them") -> str:
    """Word how many options are wanted."""
    least, most = ask.at_least, ask.at_most
    total = sum(option.count for option in ask.options if option.key != PASS)
    if ask.ordered:
        number = f"all {nouns}" if least == most == total else f"{least} to {most} {nouns}"
        return f"{number} in the order you want"
    if least == most:
        return f"{least} {nouns}"
    if most >= total:
        return (
            f"any number {'' if nouns.startswith('of ') else 'of '}{nouns}"
            if least == 0
            else f"{least} or more {nouns}"
        )
    return f"up to {most} {nouns}" if least == 0 else f"{least} to {most} {nouns}"


def _parse_several(ask: Ask, text: str, spots: Spots) -> list[str]:
    if _fold_text(text) == ALL:
        return [option.key for option in ask.options if option.key != PASS for _ in range(option.count)]
    if _fold_text(text) == NONE or (_fold_text(text) in (PASS, *NO) and not find_named(ask.options, text)):
        # Where declining is an option of its own, that is what somebody means who wants none.
        return [PASS] if PASS in ask.keys and ask.at_least > 0 else []
    if not text:
        none = f", or {NONE}" if ask.at_least == 0 else ""
        raise Unclear(f"Choose {word_wanted(ask)}: type their numbers, with spaces between them{none}.")
    if re.fullmatch(r"[-\d\s,]+", text) or (spots and all(_SPOT.fullmatch(word) for word in text.casefold().split())):
        words = re.split(r"[\s,]+", text.strip(" ,"))
    else:
        words = [word.strip() for word in text.split(",") if word.strip()]
    names = [_split_names(ask, word, spots) or [word] for word in words]
    return [find_option(ask, name, spots).key for name in itertools.chain.from_iterable(names)]


def _split_names(ask: Ask, text: str, spots: Spots) -> list[str]:
    """Split words into names of options, the longest that there are first; nothing if a word is of none of them."""
    words, names = text.split(), list[str]()
    while words:
        starts = (" ".join(words[:size]) for size in range(len(words), 0, -1))
        name = next((start for start in starts if len(find_matching(ask, start, spots)) == 1), None)
        if name is None:
            return []
        names.append(name)
        words = words[len(name.split()) :]
    return names


def _refuse_unclear(ask: Ask, keys: Sequence[str]) -> None:
    """Check what can be seen without the rules; sentences about names are better than those about keys."""
    if PASS in keys:
        raise Unclear("Pass alone, or choose without it.")
    counts = {option.key: option for option in ask.options}
    for key, number in Counter(keys).items():
        option = counts[key]
        if number > option.count:
            times = "only once" if option.count == 1 else f"{option.count} times at most"
            raise Unclear(f"{option.label} can be chosen {times}.")
    if not ask.at_least <= len(keys) <= ask.at_most:
        raise Unclear(f"You chose {len(keys)}; choose {word_wanted(ask)}.")


def _is_name_of(option: Option, wanted: str, exact: bool) -> bool:
    if exact:
        # A key is a name too: it is what logs and saves show.
        key = option.key.casefold()
        return wanted in (_fold_text(option.label), key, key.partition(":")[2])
    return f" {_fold_text(option.label)}".find(f" {wanted}") >= 0


def _fold_text(text: str) -> str:
    return " ".join(text.casefold().split())


_FEW_NAMED = 8  # so many options are named once more, though they stand in a grid


def word_option(option: Option) -> str:
    name = _name_option(option)
    return f"{name} ×{option.count}" if option.count > 1 else name


def _name_option(option: Option) -> str:
    return "pass" if option.key == PASS and option.label == "Pass" else visible(option.label)


def word_span(ask: Ask, spots: Spots) -> str:
    """Word what may be typed, for the prompt."""
    typed = make_tags(ask, spots)
    if spots and len(typed) > 1:
        return f"{typed[0]} …, ? help"
    return f"{typed[0]}-{typed[-1]}, ? help" if len(typed) > 1 else f"{typed[0]}, ? help"


def is_brief(ask: Ask, spots: Spots) -> bool:
    """Tell whether there are so many options in a grid that their names, which stand there, are not said again."""
    return bool(spots) and len(ask.options) > _FEW_NAMED


def make_menu(teller: Teller, ask: Ask, spots: Spots, grids: Sequence[Grid] = ()) -> Menu:
    """The question and the options; `grids` are those that are seen meanwhile."""
    picked = f"So far: {join_texts([teller.describe_key(key) for key in ask.picked])}" if ask.picked else ""
    options = [(tag, word_option(option)) for tag, option in zip(make_tags(ask, spots), ask.options, strict=True)]
    where = _word_positions(ask, spots, grids) if is_brief(ask, spots) and grids else ""
    return Menu(visible(word_question(ask)), visible(picked), options, where)


def _word_positions(ask: Ask, spots: Spots, grids: Sequence[Grid]) -> str:
    """Say where the options lie; of a whole grid, how to name a position of it."""
    typed = [spots[key][0] for key in ask.keys if key in spots]
    whole = any(set(typed) == set(grid.list_typed()) for grid in grids)
    text = f"any of {typed[0]} to {typed[-1]}" if whole else " ".join(typed)
    return f"{text}, or a name{_word_declining(ask)}"
