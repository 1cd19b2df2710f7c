"""`?`: what may be typed, what the options and cards say, and what may not be chosen now and why.

In: a sitting, what somebody is asked, a name or none. Out: something to read. Never: answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rulebook.interpreter.account import counted, joined
from rulebook.interpreter.decisions import Ask, Option, not_met
from rulebook.printing import visible
from rulebook.table import answers, menu
from rulebook.table.blocks import Block, Part, row
from rulebook.table.page import Asked
from rulebook.table.sitting import Sitting

_KEYS = (
    ("1 … or a name", "choose it; the beginning of a name is enough"),
    ("1 3 3", "where several are wanted: their numbers, or names with commas; also all, none"),
    ("?", "this help, and what the options say; ? 2 or ? name for one of them"),
    ("l", "the log: all that you have seen happen"),
    ("v", "the table again, as you see it"),
    ("u", "undo your last answer, if nothing has been drawn or revealed since"),
    ("u all", "undo it all the same, if everybody here agrees; each is asked"),
    ("h", "a hint: what a bot would choose for you"),
    ("b", "let a bot play for you; b and a name: play again yourself"),
    ("s", "save, and play on"),
    ("q", "save and leave; Ctrl-D does the same"),
)
_NO_TEXT = "nothing more than its name"


def everything(sitting: Sitting, asked: Asked) -> list[Block]:
    """The keys, what may not be chosen, what the options say."""
    ask = asked.ask
    texts = [(menu.label(option), visible(_says(sitting, option))) for option in ask.options]
    aim = sitting.game.program.looks.aim
    found: list[Block] = [*([visible(aim), ""] if aim else []), _part("", _KEYS)]
    barred = [(visible(option.label), not_met(why)) for option, why in sitting.game.barred(ask.seat)]
    if barred:
        found += ["", _part("What may not be chosen now", barred)]
    if any(text for _, text in texts):
        found += ["", _part("The options", [pair for pair in texts if pair[1]], is_texts=True)]
    return found


def about(sitting: Sitting, asked: Asked, name: str) -> Part | None:
    """The text of an option, or of any card of the game by its name; nothing if there is none."""
    meant = answers.matching(asked.ask, name, asked.spots)
    if meant:
        texts = [(menu.label(option), visible(_says(sitting, option) or _NO_TEXT)) for option in meant]
        return _part("", texts, is_texts=True)
    if name.isdecimal() and len(name) < 3:
        return None  # the number of an option that is not there, and not the beginning of names
    wanted, program = name.casefold(), sitting.game.program
    actions = zip(program.actions, program.names[program.cards :], strict=True)
    named = {**program.definitions, **dict(actions)}
    found = [
        (visible(name), visible(sitting.texts.get(one) or _NO_TEXT))
        for one, name in named.items()
        if name.casefold().startswith(wanted) or one == wanted
    ]
    return _part("", found, is_texts=True) if found else None


def _part(heading: str, pairs: Iterable[tuple[str, str]], is_texts: bool = False) -> Part:
    return Part(heading, [row(*pair) for pair in dict.fromkeys(pairs)], is_texts)


def hinted(sitting: Sitting, asked: Asked) -> str:
    """What a bot would choose that knows what this person may know."""
    if sitting.advice is None:
        return "There is no bot here that plays well enough to give a hint."
    with sitting.screen.waiting("A bot thinks …"):
        keys = sitting.advice(asked.ask)
    labels = {option.key: option.label for option in asked.ask.options}
    chosen = joined(counted([visible(labels[key]) for key in keys])) or "nothing"
    return f"A bot would choose: {chosen}."


def why_barred(sitting: Sitting, ask: Ask, typed: str) -> str:
    """Which rule forbids what somebody typed, if it is one thing that is there and may not be chosen."""
    barred = dict(sitting.game.barred(ask.seat))
    meant = answers.named(tuple(barred), typed)
    return f"{meant[0].label} may not be chosen. {not_met(barred[meant[0]])}" if len(meant) == 1 else ""


def _says(sitting: Sitting, option: Option) -> str:
    """What an option says: the card or action that it is, or the cards that its words name."""
    return _text(sitting, option.key) or "; ".join(_named_in(sitting, option.label))


def _named_in(sitting: Sitting, label: str) -> list[str]:
    """What the cards say whose names stand in a label, each behind its name; "Old Ruby" names no "Ruby"."""
    texts = {name: sitting.texts.get(one, "") for one, name in sitting.game.program.definitions.items() if name}
    names = "|".join(re.escape(name) for name in sorted(texts, key=len, reverse=True))
    found = dict.fromkeys(re.findall(rf"(?<!\w)(?:{names})(?!\w)", label)) if names else {}
    return [f"{name}: {texts[name]}" for name in found if texts[name]]


def _text(sitting: Sitting, key: str) -> str:
    """What the card or action of an option says; its key may be longer than its id, to tell copies apart."""
    sort, _, id = key.partition(":")
    if sort not in ("card", "action"):
        return ""
    return sitting.texts.get(id.partition("[")[0].partition("@")[0].partition("#")[0], "")
