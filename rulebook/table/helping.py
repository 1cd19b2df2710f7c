"""`?`: what may be typed, what the options and cards say, and what may not be chosen now and why.

In: a sitting, what somebody is asked, a name or none. Out: lines to read. Never: answers.
"""

from __future__ import annotations

from rulebook.interpreter.account import counted, joined
from rulebook.interpreter.decisions import Ask, not_met
from rulebook.table import answers, menu
from rulebook.table.columns import labelled, visible, wrapped
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


def everything(sitting: Sitting, asked: Asked) -> list[str]:
    """The keys, what may not be chosen, what the options say."""
    ask, columns = asked.ask, sitting.screen.columns
    rows = [(menu.label(option), visible(_text(sitting, option.key))) for option in ask.options]
    texts = list(dict.fromkeys(row for row in rows if row[1]))
    aim = sitting.game.program.looks.aim
    lines = [*([*wrapped(visible(aim), columns), ""] if aim else []), *labelled(_KEYS, columns)]
    barred = [(visible(option.label), not_met(why)) for option, why in sitting.game.barred(ask.seat)]
    if barred:
        lines += ["", "What may not be chosen now", *labelled(barred, columns)]
    if texts:
        lines += ["", "The options", *labelled(texts, columns)]
    return lines


def about(sitting: Sitting, asked: Asked, name: str) -> list[str]:
    """The text of an option, or of any card of the game by its name; nothing if there is none."""
    columns = sitting.screen.columns
    meant = answers.matching(asked.ask, name, asked.spots)
    if meant:
        rows = [(menu.label(option), visible(_text(sitting, option.key) or _NO_TEXT)) for option in meant]
        return labelled(dict.fromkeys(rows), columns)
    if name.isdecimal() and len(name) < 3:
        return []  # the number of an option that is not there, and not the beginning of names
    wanted, program = name.casefold(), sitting.game.program
    actions = zip(program.actions, program.names[program.cards :], strict=True)
    named = {**program.definitions, **dict(actions)}
    found = [
        (visible(name), visible(sitting.texts.get(one) or _NO_TEXT))
        for one, name in named.items()
        if name.casefold().startswith(wanted) or one == wanted
    ]
    return labelled(dict.fromkeys(found), columns)


def hinted(sitting: Sitting, asked: Asked) -> str:
    """What a bot would choose that knows what this person may know."""
    if sitting.advice is None:
        return "There is no bot here that plays well enough to give a hint."
    keys = sitting.advice(asked.ask)
    labels = {option.key: option.label for option in asked.ask.options}
    chosen = joined(counted([visible(labels[key]) for key in keys])) or "nothing"
    return f"A bot would choose: {chosen}."


def why_barred(sitting: Sitting, ask: Ask, typed: str) -> str:
    """Which rule forbids what somebody typed, if it is one thing that is there and may not be chosen."""
    barred = dict(sitting.game.barred(ask.seat))
    meant = answers.named(tuple(barred), typed)
    return f"{meant[0].label} may not be chosen. {not_met(barred[meant[0]])}" if len(meant) == 1 else ""


def _text(sitting: Sitting, key: str) -> str:
    """What the card or action of an option says; its key may be longer than its id, to tell copies apart."""
    sort, _, id = key.partition(":")
    if sort not in ("card", "action"):
        return ""
    return sitting.texts.get(id.partition("[")[0].partition("@")[0].partition("#")[0], "")
