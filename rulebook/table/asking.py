"""One person is asked, until there is an answer that the game takes.

In: a sitting, a seat that is asked. Out: its answer, in the game. Never: lets a mistake cost anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rulebook.interpreter.decisions import Ask, Refused
from rulebook.table import answers, helping, menu, page, story, view
from rulebook.table.blocks import Block, Page
from rulebook.table.lending import lend, regain
from rulebook.table.page import Asked
from rulebook.table.screen import Screen
from rulebook.table.sitting import Sitting
from rulebook.table.undoing import SECRET, undo, undo_together

_COMMANDS = {"l": "log", "v": "view", "u": "undo", "h": "hint", "b": "bot", "s": "save", "q": "quit", "?": "help"}
_WITH_MORE = {"u": "undo", "undo": "undo", "b": "bot", "bot": "bot"}  # commands behind which more may stand


def turn(sitting: Sitting, seat: int) -> None:
    """Ask this person until there is an answer that the game takes, or a step back."""
    screen, fresh, notice = sitting.screen, True, ""
    while True:
        decision = sitting.game.decision
        ask = decision.of(seat) if decision is not None else None
        if ask is None or seat in sitting.bots:
            return  # after an undo somebody else may be asked; a bot may play now
        asked = page.asked(sitting, ask)
        if fresh or screen.is_capable:
            made = page.page(sitting, asked, notice)
            screen.draw(partial(_page, screen, made))
        elif notice:
            screen.show(screen.looks.notes(notice, screen.columns))
        fresh, notice = False, ""
        typed = screen.ask(f"{sitting.name(seat)} [{menu.span(asked.ask, asked.spots)}] > ")
        if typed is None:
            sitting.leave()
        command = _command(asked.ask, typed)
        if command:
            notice, fresh = _obey(sitting, command, typed, asked)
            continue
        try:
            keys = answers.parse(asked.ask, typed, asked.spots)
            mark = sitting.mark(seat)
            sitting.game.answer(seat, keys, ask.number)
        except (answers.Unclear, Refused) as refused:
            notice = helping.why_barred(sitting, ask, typed) or str(refused)
            screen.refused(notice)
            continue
        sitting.marks.append(mark)
        sitting.seen[seat] = mark.seen[seat]
        return


def _page(screen: Screen, made: Page) -> list[str]:
    return screen.looks.page(made, screen.size)


def _obey(sitting: Sitting, command: str, typed: str, asked: Asked) -> tuple[str, bool]:
    """Do what is no answer; what to say about it, and whether the page has to be made again."""
    seat = asked.ask.seat
    match command:
        case "help":
            return _help(sitting, asked, typed.strip().removeprefix("?").strip())
        case "log":
            _leaf(sitting, "Log", story.told(sitting, seat, 0) or ["Nothing has happened yet."], newest_first=True)
        case "view":
            program, facts = sitting.game.program, asked.facts
            _leaf(sitting, "The table", [view.headline(program, facts), view.seen(program, facts, asked.grids)])
        case "undo":
            if typed.split()[1:] == []:
                return undo(sitting, seat), True
            if asked.ask.quiet and sitting.is_shared:
                return SECRET, False
            return undo_together(sitting, seat), True
        case "hint":
            return helping.hinted(sitting, asked), False
        case "bot":
            name = " ".join(typed.split()[1:])
            if name:
                return regain(sitting, name), False
            lend(sitting, seat)
        case "save":
            return f"Saved in\n{sitting.save()}", False
        case _:
            sitting.leave()
    return "", True


def _help(sitting: Sitting, asked: Asked, name: str) -> tuple[str, bool]:
    if not name:
        _leaf(sitting, "Keys", helping.everything(sitting, asked))
        return "", True
    found = helping.about(sitting, asked, name)
    if not found:
        return f"There is no card or option “{name}” here to say anything about.", False
    _leaf(sitting, "What it says", [found])
    return "", True


def _leaf(sitting: Sitting, title: str, blocks: Sequence[Block], newest_first: bool = False) -> None:
    """Something to read before going on."""
    if not sitting.screen.read_through(title, blocks, newest_first):
        sitting.leave()


def _command(ask: Ask, typed: str) -> str:
    """The command that was typed, or nothing. The whole name of an option goes before a command."""
    word = typed.strip().casefold()
    if word in {option.label.casefold() for option in ask.options}:
        return ""
    if word.startswith("?"):
        return "help"
    if word in _COMMANDS:
        return _COMMANDS[word]
    first, _, rest = word.partition(" ")
    if first in _WITH_MORE and rest and not _begins(ask, word):
        return _WITH_MORE[first] if first != "u" or rest == "all" else ""
    return word if word in _COMMANDS.values() and not _begins(ask, word) else ""


def _begins(ask: Ask, word: str) -> bool:
    return any(option.label.casefold().startswith(word) for option in ask.options)
