"""Players that need nobody: which words are such a player, and the bots that do not think.

In: a word like `random`, `flat:100`, `ismcts:200:epsilon=0.1`, `greedy:never=action:buy`, `learned:guess=Who pays?`,
`learned:helps=1` or `exec:COMMAND`, the seed of a game, a seat. Out: a `Bot`, which answers what its seat is asked, or
`BadSpec` with a sentence. Each bot has random streams of its own, outside of the game's, so the same seed and the same
bots play the same game. Never: uses what its seat may not know; knows a game.
"""

from __future__ import annotations

import re
import shlex
import shutil
from array import array
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from rulebook.classes import frozen
from rulebook.diagnostics import did_you_mean
from rulebook.interpreter.choosing import Choices
from rulebook.interpreter.decisions import Ask
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import State
from rulebook.playtest.bots.ways import ALWAYS, GUESS, HELPS, NEVER

if TYPE_CHECKING:
    from rulebook.interpreter.core.door import Core, Table
    from rulebook.playtest.bots.knowledge import Knowledge
    from rulebook.playtest.bots.thinking import Thinking

__all__ = [
    "ALWAYS",
    "BEST",
    "EXEC",
    "GUESS",
    "HELPS",
    "KINDS",
    "NEVER",
    "BadSpec",
    "Bot",
    "check_options",
    "check_spec",
    "command_of",
    "is_command",
    "learn_game",
    "learns",
    "looks",
    "make_bot",
    "ready_bots",
    "restrict",
    "split_spec",
]


T = TypeVar("T", bound="Thinking")
_INSTEAD = 2
"""The start of a seat's stream from which what comes instead of an answer is drawn, as in `restricting.c`."""


class BadSpec(ValueError):
    """No bot is called that; the sentence says which ones there are."""


class Bot(Protocol):
    """Answers for one seat."""

    spec: str

    def answer(self, machine: Machine, state: State, ask: Ask) -> list[str]:
        """The keys of a legal answer."""

    def value(self, machine: Machine, state: State, seat: int) -> Any:
        """The same as a value for `Machine.answer_value`, for who plays very many games."""

    def value_among(self, machine: Machine, state: State, choices: Choices, fits: Callable[[Any], bool]) -> Any:
        """Another answer, of those that fit; UNFIT if none does."""

    def play(self, table: Table, seat: int, number: int, picked: int) -> int:
        """Give the same answer at a table of the core, to this decision of its seat, after so many picks; what stopped
        the core, or 0.
        """


class Drawing:
    """Answers by drawing numbers below a bound, from a source; without one, always 0. What comes instead of an answer
    that does not fit is drawn from another source, so that all further answers are as they would have been.
    """

    def __init__(self, spec: str, source: Source | None, instead: Source | None = None) -> None:
        self.spec, self.source = spec, source
        self.below, self._instead = (_draw_first if drawn is None else drawn.below for drawn in (source, instead))
        # A stream that is 0 stays so.
        self._stream = array("Q", (0, 0) if source is None else source.halves)

    def answer(self, machine: Machine, state: State, ask: Ask) -> list[str]:
        """The keys of a legal answer."""
        return machine.random_answer(state, ask, self.below)

    def value(self, machine: Machine, state: State, seat: int) -> Any:
        """The same as a value of the machine."""
        return machine.random_value(state, seat, self.below)

    def value_among(self, machine: Machine, state: State, choices: Choices, fits: Callable[[Any], bool]) -> Any:
        """Another answer, of those that fit."""
        return choices.random(self._instead, fits)

    def play(self, table: Table, seat: int, number: int, picked: int) -> int:
        """The same at a table of the core."""
        return table.answer_at_random(seat, self._stream)


def _draw_first(bound: int) -> int:
    return 0


@frozen
class Kind:
    """A kind of bot: its word, how one is made, and a sentence about it.

    What a bot that `thinks` imagines games with is loaded when one is made: who plays without it need not know that.
    `budget` is the default number of games that it imagines for one answer, 0 if there is none.
    """

    word: str
    make: Callable[[_Making], Bot]
    about: str
    thinks: bool = False
    budget: int = 0


@frozen
class _Making:
    """The words and the numbers with which a bot of any kind is made."""

    spec: str
    seed: int
    seat: int
    epsilon: float
    budget: int
    is_hurried: Callable[[], bool]
    helps: int = 0
    """The number of seats further on at which somebody sits whom it helps."""


def _make_random(making: _Making) -> Bot:
    name = f"bot:{making.seat}"
    return Drawing("random", Source(making.seed, name), Source(making.seed, name, times=_INSTEAD))


def _make_first(making: _Making) -> Bot:
    # Of every list the first option, of sets the smallest; where that is not allowed, the first that is.
    return Drawing("first", None)


def _make_greedy(making: _Making) -> Bot:
    from rulebook.playtest.bots.greedy import Greedy

    return _make_thinking(Greedy, making)


def _make_learned(making: _Making) -> Bot:
    from rulebook.playtest.bots.learned import Learned

    bot = _make_thinking(Learned, making)
    bot.helps = making.helps
    return bot


def _make_flat(making: _Making) -> Bot:
    from rulebook.playtest.bots.flat import Flat

    return _make_thinking(Flat, making)


def _make_ismcts(making: _Making) -> Bot:
    from rulebook.playtest.bots.ismcts import Ismcts

    return _make_thinking(Ismcts, making)


def _make_thinking(kind: type[T], making: _Making) -> T:
    return kind(making.spec, making.seed, making.seat, making.epsilon, making.budget, making.is_hurried)


_KINDS = (
    Kind("random", _make_random, "every legal answer is as likely as any other; equal cards count one by one"),
    Kind("first", _make_first, "always the first option"),
    Kind(
        "greedy",
        _make_greedy,
        "imagines one table that may be the true one, and gives the answer after which it stands best there",
        thinks=True,
    ),
    Kind(
        "learned",
        _make_learned,
        "learned:4000 plays 4000 games against itself first, and takes the answer that leads to what was worth most",
        thinks=True,
        budget=4000,
    ),
    Kind(
        "flat",
        _make_flat,
        "flat:100 plays 100 imagined games to their end, as many after each answer, and takes what went best",
        thinks=True,
        budget=100,
    ),
    Kind(
        "ismcts",
        _make_ismcts,
        "ismcts:200 plays 200 imagined games, more of them after answers that went well, and plans ahead",
        thinks=True,
        budget=200,
    ),
)
KINDS = {kind.word: kind for kind in _KINDS}
"""The kinds of bots by their words, in the order in which they are listed."""
BEST = "ismcts"
"""Gives hints, and plays on for who leaves."""

_LEARNS = "learned"
_MOST = 1_000_000

EXEC = "exec:"
"""The prefix of a command line that plays in a seat; `partners` starts it."""


@frozen
class _Words:
    """A word for a bot, taken apart."""

    word: str
    budget: int
    epsilon: float
    way: str = ""
    option: str = ""
    """The name that people call the thing which it never does, or always; or the question at which it guesses; or how
    many seats further on who is helped sits."""


def is_command(spec: str) -> bool:
    """True if a program of somebody else's plays."""
    return spec.startswith(EXEC)


def command_of(spec: str) -> list[str]:
    """The words of a command, which exists. Raises BadSpec."""
    command = spec.removeprefix(EXEC)
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadSpec(f"The command in `{spec}` cannot be read: {error}.") from None
    if not words:
        raise BadSpec(f"`{spec}` has no command. Write one behind the colon: exec:python3 my_bot.py")
    if shutil.which(words[0]) is None:
        raise BadSpec(f"There is no program `{words[0]}` that could be started.")
    return words


def check_spec(spec: str) -> None:
    """Raise BadSpec if there is no such bot."""
    if is_command(spec):
        command_of(spec)
    else:
        _read(spec)


def check_options(program: Program, specs: Iterable[str]) -> None:
    """Raise BadSpec if a bot shall never, or always, do what nobody can do in this game, or guess what nobody is asked,
    or help somebody who does not play.
    """
    for words in (_read(spec) for spec in specs if not is_command(spec)):
        if words.way == HELPS and int(words.option) >= program.players:
            raise BadSpec(f"A bot shall help whoever sits {words.option} seats further on, and {program.players} play.")
        if words.way in ("", HELPS):
            continue
        # Where nobody is restricted, nobody need know options by their names.
        from rulebook.playtest.options import NoSuchOption, find_option
        from rulebook.playtest.prompts import find_prompt

        try:
            if words.way == GUESS:
                find_prompt(program, words.option)
            else:
                find_option(program, words.option)
        except NoSuchOption as refused:
            said = "guess at that" if words.way == GUESS else f"{words.way} do that"
            raise BadSpec(f"A bot shall {said}. {refused}") from None


def ready_bots(
    program: Program, specs: Iterable[str], tell: Callable[[str], None] = lambda line: None, jobs: int = 1
) -> list[str]:
    """Let bots that learn play against themselves first, with so many processes, which `tell` is told; return how well
    each plays then, in sentences. Raises Killed.
    """
    told: list[str] = []
    for budget in dict.fromkeys(words.budget for words in map(_read, filter(learns, specs))):
        from rulebook.playtest.bots.knowledge import word_standings

        told += word_standings(_find_knowledge(program, budget, tell, jobs))
    return told


def learn_game(program: Program, spec: str, tell: Callable[[str], None], jobs: int = 1) -> Knowledge:
    """Let a bot learn, with so many processes, which `tell` is told; return what it knows, and how well it plays by
    that. Raises Killed."""
    return _find_knowledge(program, _read(spec).budget, tell, jobs)


def _find_knowledge(program: Program, games: int, tell: Callable[[str], None], jobs: int) -> Knowledge:
    # Who plays without bots that learn need not know how.
    from rulebook.playtest.bots.self_play import MEMBERS, find_knowledge

    said = f"learned plays against itself first, {MEMBERS} times {games:,} games at most."
    return find_knowledge(program, games, lambda: tell(said), jobs)


def looks(spec: str) -> bool:
    """True if such a bot looks at what its seat knows, and imagines the rest."""
    return not is_command(spec) and KINDS[_read(spec).word].thinks


def learns(spec: str) -> bool:
    """True if such a bot has to learn a game before it plays."""
    return not is_command(spec) and _read(spec).word == _LEARNS


def teach_core(core: Core, specs: Iterable[str], by: Program | None = None) -> str | None:
    """Let the core answer as one of these bots does that learn, and say which; it keeps what one has learned, of other
    rules if they are taught `by` these. None if there is none, or none that the core can be: who never, or always, does
    something is not."""
    plain = (spec for spec in specs if not is_command(spec) and learns(spec))
    taught = next((spec for spec in plain if not (_read(spec).epsilon or _read(spec).way)), None)
    if taught is not None:
        from rulebook.playtest.bots import self_play

        self_play.teach_core(core, learn_game(by or core.program, taught, lambda line: None))
    return taught


def make_bot(spec: str, seed: int, seat: int, is_hurried: Callable[[], bool] = lambda: False) -> Bot:
    """The bot of a seat in the game with that seed; BadSpec if there is no such bot. Commands are not made here.

    A bot that thinks for long asks now and then whether it `is_hurried`, and then answers at once.
    """
    if is_command(spec):
        raise BadSpec(f"`{spec}` is a program, which needs a game to play in.")
    words = _read(spec)
    helps = int(words.option) if words.way == HELPS else 0
    free = KINDS[words.word].make(_Making(spec, seed, seat, words.epsilon, words.budget, is_hurried, helps))
    if words.way in ("", HELPS):
        return free
    # Who plays without them need not know options by their names.
    from rulebook.playtest.bots.restricted import Guessing, Restricted

    if words.way == GUESS:
        return Guessing(free, spec, make_bot("random", seed, seat), words.option)
    return Restricted(free, spec, words.way, words.option)


def restrict(spec: str, way: str, option: str) -> str:
    """The word for the same bot that never, or always, does something; a comma would end it."""
    return f"{spec}:{way}={option.replace('%', '%25').replace(',', '%2C')}"


def guess_at(spec: str, question: str) -> str:
    """The word for the same bot that guesses at a question."""
    return restrict(spec, GUESS, question)


def split_spec(spec: str) -> tuple[str, str, str]:
    """Split the word for a bot: that for the same bot when free, the way in which it is not, and with what; "" if none.
    """
    return (spec, "", "") if is_command(spec) else _split_restriction(spec)


def _read(spec: str) -> _Words:
    free, way, option = _split_restriction(spec)
    word, *rest = free.split(":")
    kind = KINDS.get(word)
    if kind is None:
        help = did_you_mean(word, KINDS)
        raise BadSpec(f"There is no bot called `{spec}`. {help}{'' if help.endswith('?') else '.'}")
    budget, epsilon = kind.budget, 0.0
    for number, part in enumerate(rest):
        if kind.thinks and part.startswith("epsilon="):
            epsilon = _share(spec, part.removeprefix("epsilon="))
        elif kind.budget and number == 0:
            budget = _number(spec, kind, part)
        else:
            raise BadSpec(f"`{spec}` says more than there is to say: {_form(kind)}.")
    if way == HELPS and word != _LEARNS:
        raise BadSpec(f"Only bots that learned can help somebody: write learned:{HELPS}={option}.")
    if way == HELPS and not re.fullmatch(r"[1-9][0-9]?", option):
        raise BadSpec(f"In `{spec}`, `{option}` is no number of seats: write learned:{HELPS}=1 for who sits next.")
    return _Words(word, budget, epsilon, way, option)


_MISSING = {
    NEVER: ("what is never done", "pass"),
    ALWAYS: ("what is always done", "pass"),
    GUESS: ("at which question it guesses", "Who pays?"),
    HELPS: ("who is helped", "1"),
}
"""The missing part of a word for a bot that ends with a sign, by its way, and an example of it."""


def _split_restriction(spec: str) -> tuple[str, str, str]:
    """Split off what the bot never does, or always, or at what it guesses: all that follows, with colons."""
    match = re.fullmatch(rf"(.*?):({NEVER}|{ALWAYS}|{GUESS}|{HELPS})=(.*)", spec, re.DOTALL)
    if match is None:
        return spec, "", ""
    free, way, option = match.groups()
    if not option:
        missing, example = _MISSING[way]
        raise BadSpec(f"`{spec}` does not say {missing}. Write it behind the sign, such as {way}={example}.")
    return free, way, option.replace("%2C", ",").replace("%25", "%")


def _form(kind: Kind) -> str:
    if not kind.thinks:
        return f"the bot is called `{kind.word}` and nothing else"
    plain = f"{kind.word}:{kind.budget}" if kind.budget else kind.word
    return f"write `{plain}`, or `{plain}:epsilon=0.1` for one that answers at random one time in ten"


def _number(spec: str, kind: Kind, text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,6}", text) or int(text) > _MOST:
        raise BadSpec(f"In `{spec}`, `{text}` is no number of games from 1 to {_MOST:,}: {_form(kind)}.")
    return int(text)


def _share(spec: str, text: str) -> float:
    if not re.fullmatch(r"[01]|[01]?\.[0-9]{1,6}", text) or float(text) > 1:
        raise BadSpec(f"In `{spec}`, epsilon is a share from 0 to 1, such as epsilon=0.1.")
    return float(text)
