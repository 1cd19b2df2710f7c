"""Seating options: `--seats Ana,bot,bot:first,exec:./mine`, `--bots random`, `--players 4`, alike in every command.

An unknown kind of bot is refused here, so that nobody learns of it in the middle of a game.
"""

from __future__ import annotations

import getpass
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import click

from rulebook.commands.console import BadRequest, Command, Number, suggestion
from rulebook.dsl.ir import Rulebook
from rulebook.dsl.settling.forbidding import list_numbers
from rulebook.dsl.settling.options import Settled
from rulebook.dsl.words import word_players
from rulebook.interpreter.wording import join_texts
from rulebook.playtest.bots import EXEC, KINDS, BadSpec, check_spec, is_command
from rulebook.playtest.partners import TIMEOUT

_BOT_NAME = re.compile(r"Bot [1-9][0-9]*")
_LONGEST_NAME = 30
PROGRAM = "exec"
"""The word in a save for a program that played; one that somebody else made may name a command."""


def timeout_option(command: Command) -> Command:
    """Add `--timeout`."""
    return click.option(
        "--timeout",
        type=Number(0, min_open=True),
        default=TIMEOUT,
        show_default=True,
        metavar="SECONDS",
        help="How long a program that plays (exec:COMMAND) may take for an answer.",
    )(command)


class Seat(NamedTuple):
    """A player's name, and what kind of bot or which command it is, or None for a person at this keyboard."""

    name: str
    bot: str | None = None


def choose_numbers(
    rulebook: Rulebook, options: Mapping[str, Settled], players: int | None = None, listed: str | None = None,
    bots: str | None = None,
) -> tuple[int, ...]:  # fmt: skip
    """Find how many can play, in order; where nobody has said how many do, only as many as by these house rules."""
    is_said = players is not None or listed is not None or "," in (bots or "")
    return rulebook.players if is_said else list_numbers(rulebook, options) or rulebook.players


def seat_players(
    numbers: tuple[int, ...], players: int | None, listed: str | None, bots: str | None, persons: int = 1
) -> list[Seat]:
    """The seats in order, of one of these numbers of players. `persons` is how many people play if nothing says who
    does: the first seats are theirs.
    """
    if listed is not None and bots is not None:
        raise BadRequest("--seats and --bots both say who plays. Give one of them; a seat may be bot:random.")
    if listed is not None:
        words = _split_words(listed, "--seats")
        if players is not None and players != len(words):
            raise BadRequest(f"--players says {players}, and --seats names {len(words)}. Give one of them.")
        return _make_seats(words, numbers)
    if bots is not None:
        specs = _split_words(bots, "--bots")
        _check_number(players, numbers)
        fitting = [number for number in numbers if number >= len(specs)]
        count = players if players is not None else min(fitting, default=len(specs))
        if len(specs) not in (1, count):
            raise BadRequest(f"--bots names {len(specs)} bots for {count} players. Name one, or as many as there are.")
        seated = [specs[i % len(specs)] for i in range(count)]
        return _make_seats([spec if spec.startswith("exec:") else f"bot:{spec}" for spec in seated], numbers)
    _check_number(players, numbers)
    count = players if players is not None else numbers[0]
    return _make_seats([_own_name()] * min(persons, count) + ["bot"] * (count - persons), numbers)


def seat_again(
    names: Sequence[str], bots: str | None, kept: Sequence[str] = (), taken: str | None = None
) -> list[Seat]:
    """The seats of a saved game: bots are known by their names, unless persons have `taken` these seats and no others.
    `kept` is what kind of bot was in each seat, and may be empty. A program is started for nobody but who names it
    in `bots`: a save that names one is refused, whatever else it says.
    """
    specs = [_spec(word) for word in _split_words(bots, "--bots")] if bots is not None else []
    persons = None if taken is None else {_find_seat(names, word) for word in _split_words(taken, "--as")}
    seats: list[Seat] = []
    for seat, name in enumerate(names):
        if seat in persons if persons is not None else not _BOT_NAME.fullmatch(name):
            seats.append(Seat(name))
        elif specs:
            bots_before = sum(seat.bot is not None for seat in seats)
            seats.append(Seat(name, specs[bots_before % len(specs)]))
        else:
            seats.append(Seat(name, (kept[seat] if seat < len(kept) else "") or "random"))
    if not specs:
        if any(seat.bot is not None and _is_program(seat.bot) for seat in seats):
            raise BadRequest(_refuse_programs(seats))
        for seated in seats:
            _spec(seated.bot or "random")
    return seats


def _is_program(kind: str) -> bool:
    return kind == PROGRAM or is_command(kind)


def _refuse_programs(seated: Sequence[Seat]) -> str:
    """Say for which seats a save names a program, and which; and how everybody is seated again."""
    named = [(seat.name, seat.bot) for seat in seated if seat.bot is not None and _is_program(seat.bot)]
    words = []
    for name, kind in named:
        command = "" if kind == PROGRAM else kind.removeprefix(EXEC).strip()
        words.append(f"{name} (`{command}`)" if command else name)
    bots = [seat.bot for seat in seated if seat.bot is not None]
    again = ",".join(f"{EXEC}COMMAND" if _is_program(kind) else kind for kind in bots)
    people = ",".join([*(seat.name for seat in seated if seat.bot is None), *(name for name, _ in named)])
    return (
        f"A program played for {join_texts(words)}, and a save starts none. If you have it and trust it, name it "
        f"yourself: --bots '{again}'. A bot instead: --bots random. People instead: --as {shlex.quote(people)}."
    )


def _find_seat(names: Sequence[str], word: str) -> int:
    """The seat of the player who is called so, or by the beginning of the name."""
    wanted = word.casefold()
    exact = [seat for seat, name in enumerate(names) if name.casefold() == wanted]
    matching = exact or [seat for seat, name in enumerate(names) if name.casefold().startswith(wanted)]
    if len(matching) != 1:
        raise BadRequest(f"--as {word!r} is no player of this game. Its players are {join_texts(list(names))}.")
    return matching[0]


def list_kinds(seated: Sequence[Seat]) -> tuple[str, ...]:
    """The kind of bot in each seat as a save says it."""
    return tuple("" if seat.bot is None else PROGRAM if seat.bot.startswith("exec:") else seat.bot for seat in seated)


def _split_words(text: str, option: str) -> list[str]:
    words = [word.strip() for word in text.split(",")]
    if not all(words):
        raise BadRequest(f"{option} {text!r} leaves a seat empty. Write names with commas between them.")
    return words


def _check_number(players: int | None, numbers: tuple[int, ...]) -> None:
    if players is not None and players not in numbers:
        raise BadRequest(f"This game is for {word_players(numbers)} players, not {players}.")


def _make_seats(words: Sequence[str], numbers: tuple[int, ...]) -> list[Seat]:
    _check_number(len(words), numbers)
    seats: list[Seat] = []
    for word in words:
        if word == "bot" or word.startswith(("bot:", "exec:")):
            number = 1 + sum(seat.bot is not None for seat in seats)
            seats.append(Seat(f"Bot {number}", _spec(word.removeprefix("bot").removeprefix(":") or "random")))
        else:
            seats.append(Seat(check_name(word, [seat.name for seat in seats])))
    return seats


def _spec(word: str) -> str:
    kind = word.partition(":")[0]
    if not is_command(word) and kind not in KINDS:
        known = f"The kinds of bots are: {', '.join(KINDS)}, exec:COMMAND."
        raise BadRequest(f"There is no bot {kind!r}. {suggestion(kind, KINDS) or known}")
    try:
        check_spec(word)
    except BadSpec as refused:
        raise BadRequest(str(refused)) from None
    return word


def check_name(name: str, others: Sequence[str]) -> str:
    """Return the name, if a person may be called so beside these others. Raises BadRequest."""
    if not name.isprintable() or not 0 < len(name) <= _LONGEST_NAME:
        raise BadRequest(f"A name is one line of 1 to {_LONGEST_NAME} letters; {name[:40]!r} is not.")
    if re.search(r"[.:=@#\[\]]", name):
        # They separate the parts of what is written about players: Ana.hand, player:Ana.
        near = suggestion(name.partition(":")[0], ["bot", "exec"])
        raise BadRequest(f"A name has none of the signs . : = @ # [ ] in it; {name!r} has. {near}".rstrip())
    if _BOT_NAME.fullmatch(name):
        raise BadRequest(f"{name!r} is what bots are called. Write bot for a bot, or choose another name.")
    if name.casefold() == "you":
        raise BadRequest("“You” is what everybody is called on their own page. Choose another name.")
    if name.casefold() in map(str.casefold, others):
        raise BadRequest(f"Two players are called {name!r}. Choose names that are different.")
    return name


def _own_name() -> str:
    """Return the computer's name for its user, if that can name a player, for a person who gave none."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "Player"
    try:
        return check_name(name.capitalize(), []) if name != "root" and name[:1].isalpha() else "Player"
    except BadRequest:
        return "Player"
