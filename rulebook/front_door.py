"""The front door for programs: a game opened by its name or folder, its cards, and plays of it.

In: names, folders, words as people write them. Out: records of plain values. Arguments that cannot be so raise
BadArgument. Never: prints, exits, or lets a seat see what it may not know; who wants the whole truth asks the
interpreter.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any

from attrs import evolve, field

from rulebook import library
from rulebook.arguments import (
    MOST_SEED,
    BadArgument,
    read_list,
    read_map,
    read_name,
    read_text,
    read_texts,
    read_whole,
    read_word,
)
from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic
from rulebook.diagnostics.render import count_noun, render_text
from rulebook.dsl.ir import AllCards, Rulebook
from rulebook.dsl.settling.options import settle_options
from rulebook.dsl.settling.texts import list_texts
from rulebook.interpreter.decisions import Ask, BadSetup, Chance, Refused
from rulebook.interpreter.events import Event
from rulebook.interpreter.game import Draws
from rulebook.interpreter.game import Game as PlayedGame
from rulebook.interpreter.journal import CHANCE, BadSave
from rulebook.interpreter.lower import lower
from rulebook.interpreter.lowering.tables import sort_of
from rulebook.interpreter.program import Program
from rulebook.interpreter.views import View
from rulebook.interpreter.wording import make_plain, word_value
from rulebook.loading import load
from rulebook.loading.carried import CannotPlay, read_carried, read_playable
from rulebook.playtest.bots import BadSpec, make_bot
from rulebook.playtest.bots.by_machine import keys_of, name_values
from rulebook.playtest.failures import make_header
from rulebook.playtest.knowing import find_crowds, recall_event
from rulebook.playtest.vector import Games
from rulebook.table.faces import make_faces
from rulebook.table.looks import CardLook

if TYPE_CHECKING:
    from rulebook.reporting.notebook import Report

__all__ = ["CannotOpen", "Card", "Game", "Play", "open", "resume", "vector"]

Name = str | PathLike[str]


class CannotOpen(ValueError):
    """A game that cannot be opened: there is none of that name, its rules have mistakes, or a house rule cannot be so.

    The text says all of it as `rulebook validate` does; `diagnostics` are the mistakes one by one, with their places.
    """

    def __init__(self, said: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(said)
        self.diagnostics = tuple(diagnostics)


@frozen
class Card:
    """A card as it is printed; `copies` are equal cards of it among so many players.

    `attributes` are values (numbers, yes and no, ids of words, lists and tables of these), `shown` the same as people
    read them. `colour` may be empty.
    """

    id: str
    kind: str
    name: str
    text: str
    attributes: Mapping[str, Any]
    shown: Mapping[str, str]
    copies: int
    colour: str = ""
    look: CardLook = field(factory=CardLook)
    """Signs of its corner and middle, its picture (a path in the game's folder), its back."""

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {
            "id": self.id,
            "kind": self.kind,
            "name": self.name,
            "text": self.text,
            "attributes": dict(self.attributes),
            "shown": dict(self.shown),
            "copies": self.copies,
            "colour": self.colour,
            "look": self.look.write_fields(),
        }


def open(name: Name, variants: Sequence[Name] = (), options: Mapping[str, Any] | None = None) -> Game:
    """Open a bundled game by its name, or the one in a folder, with variants (names or files) and house rules.

    Raises CannotOpen.
    """
    given = {} if options is None else read_map("options", options)
    try:
        folder = library.find_game(fspath(read_name("name", name)))
        laid = read_list("variants", variants, (str, PathLike))
        files = [library.find_variant(folder, fspath(variant)) for variant in laid]
    except (library.GameNotFound, library.VariantNotFound) as missing:
        raise CannotOpen(str(missing)) from None
    loaded = load(folder, files, use_cache=True)
    if loaded.rulebook is None:
        raise CannotOpen(render_text(loaded.messages), loaded.messages)
    settled, problems = settle_options(loaded.rulebook.options, given, loaded.rulebook.units)
    if problems:
        raise CannotOpen("\n".join(problems))
    return Game(loaded.rulebook, settled, folder, tuple(files))


def resume(path: Name) -> Play:
    """Read a play from a file that `Play.save` wrote, or a table, by the rules that it carries. What cannot be read of
    its end is a warning, and the play stands where it still could be; saving it there is what loses the rest.

    Raises CannotOpen where it is no save that can be played, OSError where there is no such file, and RuleError.
    """
    file = Path(fspath(read_name("path", path)))
    try:
        saved = read_playable(file)
        _, program = read_carried(saved.header, file)
        game, gap = PlayedGame.replay_sound(program, saved, name=str(file))
    except CannotPlay as broken:
        raise CannotOpen(f"{render_text(broken.messages)}{broken}", broken.messages) from None
    except (BadSave, BadSetup) as refused:
        raise CannotOpen(str(refused)) from None
    for sentence in (saved.notice, "" if gap is None else str(gap)):
        if sentence:
            warnings.warn(sentence, stacklevel=2)
    return Play(game)


def vector(
    game: Name,
    players: int,
    n: int,
    *,
    variants: Sequence[Name] = (),
    options: Mapping[str, Any] | None = None,
    answers: int = 256,
    observe: bool = True,
) -> Games:
    """Open a game, and make room for n of it, as `Game.vector` does."""
    return open(game, variants, options).vector(players, n, answers=answers, observe=observe)


class Game:
    """The rules of a game, with house rules settled; `open` makes it."""

    def __init__(self, rulebook: Rulebook, options: Mapping[str, Any], folder: Path, variants: Sequence[Path]) -> None:
        self.rulebook, self.folder, self.variants = rulebook, folder, tuple(variants)
        self.options: Mapping[str, Any] = dict(options)
        """The house rules, each with what it is settled to."""

    def __repr__(self) -> str:
        return f"<rulebook.Game {self.id}: {self.title}>"

    @property
    def id(self) -> str:
        """The name of its folder."""
        return self.rulebook.id

    @property
    def title(self) -> str:
        """The name that people call it, with its variants."""
        return self.rulebook.title

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players that it is for."""
        return tuple(self.rulebook.players)

    def cards(self, players: int | None = None) -> list[Card]:
        """List its cards as they are printed, in the order of the rules: equal ones once, with their number among so
        many players, or the most. Raises BadSetup where so many cannot play.
        """
        program = self.lower(self.players[-1] if players is None else players)
        faces, printed = make_faces(self.rulebook, program, self._texts), dict[Any, Card]()
        for number, (id, kind) in enumerate(zip(program.definition, program.kind, strict=True)):
            sorts = self._sorts[id]
            values = {name: program.attributes[name][number] for name in sorts}
            shown = {name: word_value(program, program.seats, value, sorts[name]) for name, value in values.items()}
            plain = {name: make_plain(program, program.seats, value, sorts[name]) for name, value in values.items()}
            face, text = faces[id], self._texts.get(id, "")
            card = Card(id, kind, program.definitions[id], text, plain, shown, 0, face.colour, face.look)
            key = id, tuple(shown.items())
            printed[key] = evolve(card, copies=printed[key].copies + 1 if key in printed else 1)
        return list(printed.values())

    def to_dict(self) -> dict[str, Any]:
        """Tell what it is as plain values, without its cards."""
        return {
            "id": self.id,
            "title": self.title,
            "folder": str(self.folder),
            "variants": list(self.rulebook.variants),
            "players": list(self.players),
            "options": dict(self.options),
        }

    def start(
        self,
        players: int | Sequence[str] | None = None,
        seed: int = 0,
        *,
        watch: bool = True,
        chance: Draws = "sample",
    ) -> Play:
        """Start a play, with a number of players (the fewest, if none is said) or their names. Without `watch` no
        events are kept, which is faster. With `chance="ask"` nothing is drawn: `Play.chance` says what may happen.

        Raises BadSetup where so many cannot play, and RuleError where the rules go wrong before the first question.
        """
        seed = read_whole("seed", seed, 0, MOST_SEED)
        drawn: Draws = "ask" if read_word("chance", chance, ("sample", "ask")) == "ask" else "sample"
        names = _read_players(self.players[0] if players is None else players)
        program = self.lower(len(names))
        header = make_header(self.rulebook, program, names, seed)
        return Play(PlayedGame(program, seed, names, watch, drawn, header=header))

    def simulate(
        self,
        players: int | None = None,
        games: int = 100,
        *,
        bots: str | Sequence[str] = "random",
        seed: int = 1,
        rotate: bool = False,
        details: bool = True,
    ) -> Report:
        """Play many games between bots, of one kind or one for each seat, and report what they say. Without `details`
        cards and options are not counted, which is faster.

        Raises BadSetup where so many cannot play, and BadSpec where there is no such bot. A game in which the rules go
        wrong counts for nobody, and the report says so.
        """
        # Who only opens a game need not wait for all that reports are made with.
        from rulebook.playtest.series.measured import measures
        from rulebook.playtest.series.plan import plan_of
        from rulebook.playtest.series.playing import play
        from rulebook.playtest.series.tally import Tally
        from rulebook.reporting.notebook import Report
        from rulebook.reporting.report import report_of, worded_points

        number = self.players[0] if players is None else read_whole("players", players, 1)
        games, seed = read_whole("games", games, 1), read_whole("seed", seed, 0, 2**63 - 1)
        kinds = read_texts("bots", bots)
        if len(kinds) not in (1, number):
            raise BadSpec(f"There are {number} players and {len(kinds)} bots: name one bot, or one for each seat.")
        program, called = self.lower(number), self.id if self.folder in library.find_games() else str(self.folder)
        plan = plan_of(self.rulebook, number, seed, dict(self.options), kinds, rotate, details, called=called)
        began, points = perf_counter(), worded_points(plan)
        result = play(plan, games)
        record = report_of(Tally.of(plan, result.told()), program, perf_counter() - began, points)
        return Report(evolve(record, measured=measures(result.told(), number)), points, result)

    def vector(self, players: int, n: int, *, answers: int = 256, observe: bool = True) -> Games:
        """Make room for n games in the core, for programs that learn; of each decision so many answers at most are
        told. Raises BadSetup where so many cannot play, and NoCore where no core plays it.
        """
        n, answers = read_whole("n", n, 1), read_whole("answers", answers, 2)
        return Games(self.lower(players), n, answers=answers, observe=observe)

    def lower(self, players: int) -> Program:
        """The program that the interpreter runs for so many players. Raises BadSetup."""
        players = read_whole("players", players)
        if players not in self._programs:
            self._programs[players] = lower(self.rulebook, players, dict(self.options))
        return self._programs[players]

    @cached_property
    def _programs(self) -> dict[int, Program]:
        return {}

    @cached_property
    def _texts(self) -> dict[str, str]:
        return list_texts(self.rulebook, self.options)

    @cached_property
    def _sorts(self) -> dict[str, dict[str, str]]:
        """The sort of each attribute of a card, by its id."""
        sorts = dict[str, dict[str, str]]()
        for id, card in self.rulebook.cards.items():
            printed = {**card.attributes, **{name: value for _, group in card.copies for name, value in group.items()}}
            # Of cards that come with it, each copy has one.
            sorts[id] = {name: "card" if isinstance(of, AllCards) else sort_of(of.type) for name, of in printed.items()}
        return sorts


class Play:
    """One game that is being played. It stands still until the seat that is asked has answered."""

    def __init__(self, game: PlayedGame) -> None:
        self._game = game

    def __repr__(self) -> str:
        seats = self.seats
        asked = f"seat {' and '.join(map(str, seats))} is asked" if seats else "chance is asked"
        given = count_noun(sum(entry.seat != CHANCE for entry in self._game.entries), "answer")
        return f"<rulebook.Play {self._game.program.id}: {'over' if self.over else asked}, {given}>"

    @property
    def names(self) -> tuple[str, ...]:
        """The players, by seat."""
        return self._game.names

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that are asked now, counted from 0; several where players decide at the same time."""
        return self._game.machine.find_waiting(self._game.state)

    @property
    def seat(self) -> int | None:
        """The first of the seats that are asked; None when the game is over."""
        return next(iter(self.seats), None)

    @property
    def chance(self) -> Chance | None:
        """The outcomes of chance that are asked for now, with their weights; only with `chance="ask"`."""
        return self._game.chance

    @property
    def over(self) -> bool:
        """True if nobody will be asked any more."""
        return self._game.over

    @property
    def finished(self) -> bool:
        """True if it is over by the rules, and not by the limit of answers."""
        return self._game.outcome.finished

    @property
    def payoffs(self) -> tuple[float, ...]:
        """The payoff of each seat as it stands now, or at the end: by the rules' own payoff, or how many are placed
        behind minus how many ahead.
        """
        return tuple(self._game.outcome.payoffs)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; none while it is being played."""
        return tuple(self._game.outcome.winners) if self.over else ()

    def ask(self, seat: int | None = None) -> Ask:
        """The question to a seat, or to the first that is asked: its prompt, its options with keys and labels, and how
        many are wanted. Raises Refused where that seat is not asked.
        """
        decision = self._game.decision
        ask = None if decision is None else decision.find_ask(self._pick_seat(seat))
        if ask is None:
            raise Refused("Nobody is asked." if decision is None else f"Seat {seat} is not asked now.")
        return ask

    def legal(self, seat: int | None = None) -> Iterator[tuple[str, ...]]:
        """Yield each legal answer of a seat, as keys of its options; of equal cards only one. Where several things are
        chosen there may be very many.
        """
        choices = self._game.machine.find_choices(self._game.state, self.ask(seat).seat)
        names, told = name_values(choices), set[tuple[str, ...]]()
        for value in choices.find_answers():
            keys = keys_of(choices, value, names)
            if keys not in told:
                told.add(keys)
                yield keys

    def step(self, answer: str | Sequence[str], seat: int | None = None) -> Play:
        """Answer for a seat, or for the first that is asked, with a key or several; the play itself comes back.

        Raises Refused for an answer that is not legal, and RuleError where the rules go wrong behind it; then nothing
        has changed.
        """
        keys = read_texts("answer", answer)
        self._game.answer(self.ask(seat).seat, keys)
        return self

    def happen(self, outcome: int) -> Play:
        """Say which of the outcomes of chance happens, by its number; the play itself comes back. Raises Refused."""
        self._game.answer_chance(outcome)
        return self

    def sample(self, random: Random, seat: int | None = None) -> tuple[str, ...]:
        """Draw a legal answer; each copy of a card is as likely as any other thing."""
        if not hasattr(random, "randrange"):
            raise BadArgument(f"`random` is a `random.Random`, and not {random!r}.")
        return tuple(self._game.machine.random_answer(self._game.state, self.ask(seat), random.randrange))

    def advise(self, bot: str, seat: int | None = None) -> tuple[str, ...]:
        """Return what a bot would answer, such as `greedy` or `ismcts:200`; it knows what the seat knows. Raises
        BadSpec.
        """
        ask = self.ask(seat)
        player = make_bot(read_text("bot", bot), self._game.seed, ask.seat)
        return tuple(player.answer(self._game.machine, self._game.state, ask))

    def view(self, seat: int) -> dict[str, Any]:
        """Return what a seat may know, as plain values: the table, what it noticed, what it is asked."""
        view: View = self._game.view(self._read_seat(seat))
        return view.to_json()

    def information(self, seat: int) -> str:
        """Write the information state of a seat, as JSON: all that it has noticed and answered, and what it is asked.
        Equal where somebody who forgets nothing could not tell two plays apart.
        """
        crowds = find_crowds(self._game.program, self.names)
        lines: list[Any] = [
            recall_event(step, crowds) if isinstance(step, Event) else {"answered": step}
            for step in self._game.recall(self._read_seat(seat))
        ]
        if seat in self.seats:
            lines.append({"asked": self.ask(seat).to_json()})
        return json.dumps(lines, ensure_ascii=False)

    def clone(self) -> Play:
        """Return a play of its own that goes on from here, with the same past and the same chance to come."""
        return Play(self._game.clone())

    def undo(self, answers: int = 1) -> Play:
        """Take back the last answer, or so many. Raises Refused where there are not so many."""
        answers, given = read_whole("answers", answers, 1), len(self._game.entries)
        if answers > given > 0:
            there = "is" if given == 1 else "are"
            raise Refused(f"There {there} {count_noun(given, 'answer')} to take back, and not {answers}.")
        self._game.undo(answers)
        return self

    def save(self, path: Name) -> None:
        """Write the play to a file, which `rulebook play --resume FILE` goes on with. Raises OSError."""
        self._game.save(Path(fspath(read_name("path", path))))

    def _pick_seat(self, seat: int | None) -> int:
        chosen = self.seat if seat is None else self._read_seat(seat)
        return -1 if chosen is None else chosen

    def _read_seat(self, seat: int) -> int:
        return read_whole("seat", seat, 0, len(self.names) - 1)


def _read_players(players: int | Sequence[str]) -> tuple[str, ...]:
    """Read a number of players, or their names, as names."""
    if isinstance(players, Sequence):
        return read_list("players", players)
    return tuple(f"Player {seat + 1}" for seat in range(read_whole("players", players, 1)))
