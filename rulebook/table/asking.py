"""One person is asked, until there is an answer that the game takes; with what the page says, and what `?` explains.

No mistake costs anything: whatever is no answer is said, and the question comes again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from rulebook.classes import frozen
from rulebook.interpreter.account import Teller, merge_names
from rulebook.interpreter.decisions import Ask, NotKept, Option, Refused, not_met
from rulebook.interpreter.wording import join_texts
from rulebook.printing import visible
from rulebook.table import answers, grids, story, view
from rulebook.table.blocks import HEAVY, Block, Page, Part, row
from rulebook.table.faces import Texts, find_id
from rulebook.table.handbook import Handbook
from rulebook.table.scores import count_rounds, find_scores
from rulebook.table.screen import Screen
from rulebook.table.sitting import DeviceSitting, lend, regain
from rulebook.table.telling import titled
from rulebook.table.undoing import SECRET, undo_answer, undo_together
from rulebook.table.view import sort_options

_COMMANDS = {
    "l": "log", "v": "view", "u": "undo", "h": "hint", "b": "bot", "s": "save", "q": "quit", "?": "help",
    "scores": "scores",
}  # fmt: skip
_WITH_MORE = {"u": "undo", "undo": "undo", "b": "bot", "bot": "bot", "help": "help"}
"""Commands behind which more may stand."""


def ask_person(sitting: DeviceSitting, seat: int) -> None:
    """Ask this person until there is an answer that the game takes, or a step back."""
    fresh, notice, meant = True, "", ""
    ahead: list[str] = []  # what was typed where something was to be read
    while True:
        decision = sitting.game.decision
        ask = decision.find_ask(seat) if decision is not None else None
        if ask is None or seat in sitting.bots:
            return  # after an undo somebody else may be asked; a bot may play now
        question = word_ask(sitting, ask)
        was_ahead = bool(ahead)
        typed = ahead.pop() if was_ahead else _draw_and_read(sitting, question, fresh, notice)
        fresh, notice = was_ahead, ""
        if typed is None:
            sitting.leave_table()
        typed, meant = (meant if meant and typed.strip().casefold() in answers.YES else typed), ""
        command = _find_command(question.ask, typed)
        if command:
            try:
                notice, fresh = _obey(sitting, command, typed, question, ahead)
            except NotKept as why:
                notice, fresh = str(why), True
            continue
        try:
            keys = answers.parse_answer(question.ask, typed, question.spots)
            mark = sitting.make_mark(seat)
            sitting.game.answer(seat, keys, ask.number)
        except (answers.Unclear, Refused) as refused:
            barred = why_barred(sitting, ask, typed)
            meant = refused.meant if isinstance(refused, answers.Unclear) and not barred else ""
            notice = barred or f"{refused}{' y takes it.' if meant else ''}"
            sitting.screen.refused(notice)
            continue
        sitting.marks.append(mark)
        sitting.seen[seat] = mark.seen[seat]
        return


def _draw_and_read(sitting: DeviceSitting, question: Asked, fresh: bool, notice: str) -> str | None:
    """Show the question, and what happened before if it is `fresh`; return what is typed, None at the end of input."""
    screen, seat = sitting.screen, question.ask.seat
    if fresh or screen.is_capable:
        page = make_page(sitting, question, notice)
        if fresh and not notice and tell_turns(sitting, seat, page):
            page = make_page(sitting, question, notice)
        screen.draw(partial(_draw_page, screen, page))
    elif notice:
        screen.show_lines(screen.looks.draw_notes(notice, screen.columns))
    return screen.read_line(f"{sitting.name_seat(seat)} [{answers.word_span(question.ask, question.spots)}] > ")


def tell_turns(sitting: DeviceSitting, seat: int, page: Page) -> bool:
    """Show the turns since the last question on a page of their own, whole, if the question leaves no room for them;
    return whether there was such a page."""
    screen = sitting.screen
    if not screen.is_terminal or screen.looks.has_room(page, screen.size):
        return False
    lines = [line for line in page.happened if line.is_turn or line.weight >= HEAVY]
    head = [page.aim, ""] if page.aim else []
    if not screen.read_through(page.headline, [*head, *lines], goes_on="Enter goes on"):
        sitting.leave_table()
    sitting.seen[seat] = len(sitting.game.events(seat))
    return True


def _draw_page(screen: Screen, page: Page) -> list[str]:
    return screen.looks.draw_page(page, screen.size)


def _obey(sitting: DeviceSitting, command: str, typed: str, question: Asked, ahead: list[str]) -> tuple[str, bool]:
    """Do what is no answer; what to say about it, and whether the page has to be made again. What is typed meanwhile
    is kept `ahead`.
    """
    seat, screen = question.ask.seat, sitting.screen
    match command:
        case "help":
            words = typed.strip()
            name = words[1:] if words.startswith("?") else words.partition(" ")[2]
            part = _look_up(sitting, question, name.strip())
            if part is None:
                return f"There is nothing called “{name.strip()}” here to say anything about.", screen.is_terminal
            _leaf_through(sitting, *part, ahead)
        case "log":
            lines = story.sentences(sitting.game, seat, sitting.game.events(seat))
            _leaf_through(sitting, "Log", lines or ["Nothing has happened yet."], ahead, newest_first=True)
        case "view":
            program, facts = sitting.game.program, question.facts
            headline, seen = view.headline(program, facts), view.lay_out(program, facts, question.grids)
            _leaf_through(sitting, "The table", [headline, seen], ahead)
        case "scores":
            program, facts = sitting.game.program, question.facts
            scores = find_scores(program, facts, count_rounds(program, facts, sitting.game.events(seat)))
            if scores is None:
                if program.looks.scores:
                    return "Nobody has points that you know of.", False
                named = "`display: {scores: [NAME]}` names a memory, or a value of a player"
                return f"The rules do not say what is points: {named}.", False
            _leaf_through(sitting, "Scores", scores.lay_out(), ahead)
        case "undo":
            if typed.split()[1:] == []:
                return undo_answer(sitting, seat), True
            if question.ask.quiet and sitting.is_shared:
                return SECRET, False
            return undo_together(sitting, seat), True
        case "hint":
            return find_hint(sitting, question), False
        case "bot":
            name = " ".join(typed.split()[1:])
            if name:
                return regain(sitting, name), False
            lend(sitting, seat)
        case "save":
            return f"Saved in\n{sitting.save()}", False
        case _:
            sitting.leave_table()
    return "", True


def _look_up(sitting: DeviceSitting, question: Asked, name: str) -> tuple[str, list[Block]] | None:
    """Find a title and what stands below it; None if there is nothing of that name."""
    if not name:
        return "Keys", list_everything(sitting, question)
    if name.casefold() == "rules" and sitting.handbook is not None:
        return "The rules", list_rules(sitting.handbook)
    part = make_part_about(sitting, question, name)
    return None if part is None else ("What it says", [part])


def _leaf_through(
    sitting: DeviceSitting, title: str, blocks: Sequence[Block], ahead: list[str], newest_first: bool = False
) -> None:
    """Show something to read; what is typed there, be it to look up more or an answer, is done next."""
    if not sitting.screen.read_through(title, blocks, newest_first, takes=ahead.append):
        sitting.leave_table()


def _find_command(ask: Ask, typed: str) -> str:
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


@frozen
class Asked:
    """A question to one person, in words, with the table as that person sees it meanwhile."""

    ask: Ask
    facts: Mapping[str, Any]
    grids: Sequence[grids.Grid]
    spots: answers.Spots


def word_ask(sitting: DeviceSitting, ask: Ask) -> Asked:
    facts = sitting.game.view(ask.seat).facts
    laid = grids.find_grids(sitting.game.program, facts)
    ask = grids.word_positions(sitting.game.program, facts, laid, sort_options(sitting.game.program, ask))
    return Asked(ask, facts, laid, grids.map_options(laid, ask))


def make_page(sitting: DeviceSitting, question: Asked, notice: str) -> Page:
    program, ask, facts = sitting.game.program, question.ask, question.facts
    happened = story.told_to(sitting, ask.seat, sitting.seen.get(ask.seat, 0))
    while happened and happened[-1].text in map(titled, facts["stages"]):
        happened.pop()  # the headline says it
    return Page(
        view.headline(program, facts),
        _aim(sitting, ask.seat),
        happened,
        story.private(sitting, ask.seat),
        view.lay_out(program, facts, question.grids),
        answers.make_menu(Teller(program, sitting.game.names, ask.seat), ask, question.spots, question.grids),
        notice,
    )


def _aim(sitting: DeviceSitting, seat: int) -> str:
    """Return the aim of the game, for somebody who has not answered anything yet."""
    if any(entry.seat == seat for entry in sitting.game.entries):
        return ""
    return visible(sitting.game.program.looks.aim)


_KEYS = (
    ("1 … or a name", "choose it; the beginning of a word is enough"),
    ("1 3 3", "where several are wanted: their numbers, or names with commas; also all, none"),
    ("?", "this help, and what the options say; ? 2 or ? name for one of them"),
    ("? rules", "the rules; ? and any name: what a card, place, house rule or word is"),
    ("l", "the log: all that you have seen happen"),
    ("v", "the table again, as you see it"),
    ("scores", "the points of everybody, now and after each round"),
    ("u", "undo your last answer, if nothing has been drawn or revealed since"),
    ("u all", "undo it all the same, if everybody here agrees; each is asked"),
    ("h", "a hint: what a bot would choose for you"),
    ("b", "let a bot play for you; b and a name: play again yourself"),
    ("s", "save, and play on"),
    ("q", "save and leave; Ctrl-D does the same"),
)
_NO_TEXT = "nothing more than its name"
_MOST_FOUND = 12


def list_everything(sitting: DeviceSitting, question: Asked) -> list[Block]:
    """The keys, what may not be chosen, what the options say."""
    ask, labels = question.ask, _find_texts(sitting)
    texts = [(answers.word_option(option), visible(labels.find(option.key, option.label))) for option in ask.options]
    aim = sitting.game.program.looks.aim
    blocks: list[Block] = [*([visible(aim), ""] if aim else []), _make_part("", _KEYS)]
    barred: dict[str, list[str]] = {}
    for option, why in sitting.game.barred(ask.seat):
        barred.setdefault(not_met(why), []).append(visible(option.label))
    if barred:
        # On a grid much may not be chosen for one reason.
        few = {why: names if len(names) < 4 else [names[0], f"{len(names) - 1} more"] for why, names in barred.items()}
        pairs = [(join_texts(names), why) for why, names in few.items()]
        blocks += ["", _make_part("What may not be chosen now", pairs)]
    if any(text for _, text in texts):
        blocks += ["", _make_part("The options", [pair for pair in texts if pair[1]], is_texts=True)]
    return blocks


def make_part_about(sitting: DeviceSitting, question: Asked, name: str) -> Part | None:
    """Look up a position or sign of a grid, an option, or anything in the game by its name; None if it is nothing."""
    laid = [pair for grid in question.grids for pair in grid.explain(name)]
    meant = answers.find_matching(question.ask, name, question.spots)
    if meant:
        texts = [(answers.word_option(option), visible(_describe_option(sitting, option))) for option in meant]
        return _make_part("", [*laid, *texts], is_texts=True)
    if name.isdecimal() and len(name) < 3:
        return None  # the number of an option that is not there, and not the beginning of names
    book = sitting.handbook
    name = next(filter(None, (grid.name_at(name) for grid in question.grids)), name)
    known = (book.find_entries(name) or book.find_nearly(name)) if book is not None else []
    pairs = [*laid, *((f"{visible(entry.name)} ({entry.sort})", visible(entry.text)) for entry in known[:_MOST_FOUND])]
    if len(known) > _MOST_FOUND:
        pairs.append(("…", f"and {len(known) - _MOST_FOUND} more; type more of the name"))
    return _make_part("", pairs, is_texts=True) if pairs else None


def list_rules(handbook: Handbook) -> list[Block]:
    """The rules to read, without what every card says: that can be asked for by its name."""
    blocks: list[Block] = []
    for heading, paragraphs in handbook.list_rules(whole=False):
        texts = [visible(paragraph) for name, text in paragraphs if not name for paragraph in text.split("\n\n")]
        named = [(visible(name), visible(" ".join(text.split("\n")))) for name, text in paragraphs if name]
        blocks += ["", _make_part(heading, named, is_texts=True)] if named else ["", f"{heading}:", *texts]
    return [*blocks[1:], "", "? and a name says what a card, place, house rule or word is."]


def _make_part(heading: str, pairs: Iterable[tuple[str, str]], is_texts: bool = False) -> Part:
    return Part(heading, [row(*pair) for pair in dict.fromkeys(pairs)], is_texts)


def find_hint(sitting: DeviceSitting, question: Asked) -> str:
    """Return the choice of a bot that knows what this person may know."""
    if sitting.advice is None:
        return "There is no bot here that plays well enough to give a hint."
    with sitting.screen.say_waiting("A bot thinks …"):
        keys = sitting.advice(question.ask)
    labels = {option.key: option.label for option in question.ask.options}
    chosen = join_texts(merge_names([visible(labels[key]) for key in keys])) or "nothing"
    return f"A bot would choose: {chosen}."


def why_barred(sitting: DeviceSitting, ask: Ask, typed: str) -> str:
    """Say which rule forbids what somebody typed, if it is one thing that is there and may not be chosen."""
    barred = dict(sitting.game.barred(ask.seat))
    meant = answers.find_named(tuple(barred), typed)
    return f"{meant[0].label} may not be chosen. {not_met(barred[meant[0]])}" if len(meant) == 1 else ""


def _describe_option(sitting: DeviceSitting, option: Option) -> str:
    """Describe an option: by its text, or by what is printed on the card that it is."""
    text = _find_texts(sitting).find(option.key, option.label)
    if text or sitting.handbook is None:
        return text or _NO_TEXT
    id = find_id(option.key)
    return next((entry.text for entry in sitting.handbook.entries if id == entry.ids[0]), _NO_TEXT) if id else _NO_TEXT


def _find_texts(sitting: DeviceSitting) -> Texts:
    return Texts(sitting.game.program.definitions, sitting.texts)
