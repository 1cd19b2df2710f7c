"""`rulebook play`: a person at the keyboard, several who share it, or bots alone with an account of their game.

In: a game, seats, house rules, a seed, or a save. Out: the game as it is played, and its result in words or
as JSON. Never: loses a game: every answer of a game in which persons play is written down at once.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulebook.commands import games
from rulebook.commands.colours import color_option, is_wanted
from rulebook.commands.failures import BadRequest, RulesFailed
from rulebook.commands.names import command
from rulebook.commands.seats import Seat, resumed, seats, timeout_option

if TYPE_CHECKING:
    from rulebook.dsl.ir import Rulebook
    from rulebook.interpreter.game import Game
    from rulebook.interpreter.journal import Header
    from rulebook.table.account import Account
    from rulebook.table.screen import Screen
    from rulebook.table.sitting import Bot


@click.command(name="play")
@click.argument("game", required=False)
@click.option("--players", type=click.IntRange(1), metavar="N", help="How many play: you, and bots.")
@click.option("--seats", "listed", metavar="SEAT,…", help="Who plays: names of people, bot, bot:KIND, exec:COMMAND.")
@click.option("--bots", metavar="KIND,…", help="Bots in all seats: random, first, exec:COMMAND.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="The same seed gives the same game.")
@games.game_options
@timeout_option
@click.option("--resume", type=click.Path(path_type=Path), metavar="FILE", help="Go on with a saved game.")
@click.option("--json", "as_json", is_flag=True, help="At the end, print one JSON object.")
@color_option
def play_command(
    game: str | None,
    players: int | None,
    listed: str | None,
    bots: str | None,
    seed: int | None,
    variants: tuple[str, ...],
    given: tuple[str, ...],
    timeout: float,
    resume: Path | None,
    as_json: bool,
) -> None:
    """Play GAME, a bundled game or a folder that holds one.

    Without --seats or --bots you play against bots.
    """
    if resume is not None:
        if game is not None or players is not None or listed is not None or seed is not None or variants or given:
            raise BadRequest("A saved game brings its rules, seats and seed; --resume goes with --bots alone.")
        rulebook, started = _load(resume)
        seated = resumed(started.names, bots)
        kept = _Kept(resume, asked_for=True)
    elif game is None:
        raise click.UsageError(f"Say which game: {command()} play wallet. {command()} list shows the games.")
    else:
        asked = games.asked(game, variants, given)
        rulebook = asked.rulebook
        seated = seats(rulebook.players, players, listed, bots)
        started = _begin(rulebook, seated, asked.options, seed)
        kept = _Kept()
    from rulebook.interpreter.decisions import RuleError
    from rulebook.playtest.bots import BadSpec
    from rulebook.playtest.partners import PartnerFailed

    try:
        _play(rulebook, started, seated, kept, as_json, timeout)
    except RuleError as error:
        raise games.failure(error) from error
    except PartnerFailed as failed:
        raise RulesFailed(str(failed)) from None
    except BadSpec as refused:
        raise BadRequest(str(refused)) from None


def _begin(rulebook: Rulebook, seated: list[Seat], options: dict[str, Any], seed: int | None) -> Game:
    import secrets

    from rulebook.interpreter.decisions import RuleError
    from rulebook.interpreter.game import Game
    from rulebook.interpreter.journal import Header

    program = games.lowered(rulebook, len(seated), options)
    seed = secrets.randbelow(1_000_000_000) if seed is None else seed
    names = tuple(seat.name for seat in seated)
    # The rules travel with the save, those of variants too: it can be played on when the files have changed.
    rules, settled = dict(rulebook.source), dict(program.options)
    header = Header(rulebook.id, program.rules_hash, names, seed, rules, settled, rulebook.variants)
    try:
        return Game(program, seed, names, header=header)
    except RuleError as error:
        raise games.failure(error) from error


def _play(rulebook: Rulebook, game: Game, seated: list[Seat], kept: _Kept, as_json: bool, timeout: float) -> None:
    from rulebook.playtest import partners
    from rulebook.playtest.bots import is_command, make_bot
    from rulebook.table.account import Account
    from rulebook.table.screen import Screen

    specs = {i: seat.bot for i, seat in enumerate(seated) if seat.bot is not None}
    made = {i: make_bot(spec, game.seed, i) for i, spec in specs.items() if not is_command(spec)}
    programs = {i: spec for i, spec in specs.items() if is_command(spec)}
    screen = Screen(is_wanted())
    account = Account(game, screen.columns)
    with partners.seated(game, programs, timeout) as started:
        bots: dict[int, Bot] = {
            **{seat: _answering(game, bot) for seat, bot in made.items()},
            **{seat: partner.answer for seat, partner in started.items()},
        }
        if len(bots) == len(seated):
            _watch(game, bots, account, screen, quiet=as_json)
        else:
            _sit_down(rulebook, game, bots, screen, kept)
    result = results(game)
    if not as_json:
        click.echo()
    click.echo(json.dumps(result, ensure_ascii=False, indent=2) if as_json else "\n".join(standings(game, screen)))


def _answering(game: Game, bot: Any) -> Bot:
    return lambda ask: game.answer(ask.seat, bot.answer(game.machine, game.state, ask), ask.number)


def _watch(game: Game, bots: dict[int, Bot], account: Account, screen: Screen, quiet: bool) -> None:
    """Bots alone."""
    if not quiet:
        screen.show([screen.paint("title", f"{game.program.name}, seed {game.seed}"), ""])
    while True:
        if not quiet:
            screen.show(account.lines())
        decision = game.decision
        if decision is None:
            break
        ask = decision.asks[0]
        bots[ask.seat](ask)


def _sit_down(rulebook: Rulebook, game: Game, bots: dict[int, Bot], screen: Screen, kept: _Kept) -> None:
    """Persons at the keyboard; the command ends here if they leave before the game does."""
    from rulebook.table import terminal
    from rulebook.table.sitting import Sitting

    kept.begin(game)
    try:
        texts = games.texts(rulebook, game.program.options)
        ended = terminal.play(Sitting(game, bots, screen, texts, kept.explicitly))
    except BaseException:
        # Ctrl-C, rules that go wrong, a bug of ours: what was played so far is in the save already.
        click.echo(f"\n{kept.words()}", err=True)
        raise
    if not ended:
        click.echo(kept.words())
        raise click.exceptions.Exit(0)
    kept.end()


class _Kept:
    """Where the game is kept while it goes on. When it is over, it stays only if somebody asked for that."""

    def __init__(self, path: Path | None = None, asked_for: bool = False) -> None:
        self.path, self.asked_for = path, asked_for

    def begin(self, game: Game) -> None:
        """Write the game down, and every answer from now on."""
        from datetime import datetime

        from rulebook.table import saves

        try:
            if self.path is None:
                self.path = saves.new(game.program.id, datetime.now())
            game.save(self.path, keep=True)
        except OSError as error:
            raise BadRequest(f"The game cannot be saved in {self.path or saves.folder()}: {error.strerror}.") from None

    def explicitly(self) -> Path:
        """Somebody wants it to stay; where it is."""
        assert self.path is not None
        self.asked_for = True
        return self.path

    def words(self) -> str:
        """Where the game is, and how to go on: a command on a line of its own, to be copied."""
        return f"The game is saved. Go on with:\n{command()} play --resume {_quoted(self.path)}"

    def end(self) -> None:
        """The game is over."""
        if not self.asked_for and self.path is not None:
            self.path.unlink(missing_ok=True)


def _quoted(path: Path | None) -> str:
    import shlex

    return shlex.quote(str(path))


def _load(path: Path) -> tuple[Rulebook, Game]:
    """A saved game, by the rules that it carries."""
    import tempfile

    from rulebook.interpreter.decisions import RuleError
    from rulebook.interpreter.game import Game
    from rulebook.interpreter.journal import BadSave
    from rulebook.interpreter.program import Program
    from rulebook.library import VARIANTS

    found: list[Rulebook] = []
    unpacked = ""

    def build(header: Header) -> Program:
        nonlocal unpacked
        if not header.rules:
            folder = games.folder_of(header.game)
            found.append(games.checked(folder, games.variants_at(folder, header.variants)))
            return games.lowered(found[0], len(header.seats), dict(header.options))
        with tempfile.TemporaryDirectory() as parent:
            unpacked = f"{parent}/"
            # A game's id is the name of its folder; of a save that somebody made up, it may be anything.
            folder = Path(parent) / Path(header.game).name
            (folder / VARIANTS).mkdir(parents=True)
            for name, text in header.rules.items():
                of_variant = name.startswith(f"{VARIANTS}/")
                file = (folder / VARIANTS if of_variant else folder) / Path(name).name
                file.write_text(text, "utf-8", newline="")
            variants = [folder / VARIANTS / f"{Path(id).name}.yaml" for id in header.variants]
            missing = next((file.stem for file in variants if not file.is_file()), None)
            if missing is not None:
                reason = f"The variant `{missing}` was played, and its text is not there."
                raise BadSave(str(path), 1, reason, "Take the file from a backup.")
            found.append(games.checked(folder, variants))
        return games.lowered(found[0], len(header.seats), dict(header.options))

    try:
        game = Game.load(path, build)
    except BadSave as error:
        raise BadRequest(str(error)) from None
    except RuleError as error:
        # Its rules were unpacked for a moment; where, says nothing to anybody.
        raise RulesFailed(games.failure(error).message.replace(unpacked, "") if unpacked else str(error)) from error
    except OSError as error:
        raise BadRequest(f"There is no saved game in {path}: {error.strerror}.") from None
    return found[0], game


# ── the result
# ───────────────────────────────────────────────────────────────────────────────────────────────────────


def results(game: Game) -> dict[str, Any]:
    """What `--json` prints."""
    from rulebook.interpreter.state import COUNTS

    outcome = game.outcome
    return {
        "game": game.program.id,
        "variants": list(game.header.variants),
        "seed": game.seed,
        "rules": game.program.rules_hash,
        "players": list(game.names),
        "winners": [game.names[seat] for seat in outcome.winners],
        "scores": list(outcome.scores),
        "decisions": sum(game.state[COUNTS][: game.program.players]),
        "rounds": _rounds(game),
    }


def _rounds(game: Game) -> int:
    """How many stages at the outermost level have begun; every player notices each."""
    depth = found = 0
    for event in game.events(0):
        if event.kind == "stage_began":
            found += depth == 0
        depth += (event.kind == "stage_began") - (event.kind == "stage_ended")
    return found


def standings(game: Game, screen: Screen) -> list[str]:
    """Who won, and how everybody stands."""
    from rulebook.interpreter.wording import label
    from rulebook.table.columns import labelled, visible

    outcome = game.outcome
    winners = [visible(game.names[seat]) for seat in outcome.winners]
    if not outcome.finished:
        head = "The game was stopped: it had gone on for too long."
    elif not winners:
        head = "Nobody wins."
    elif len(winners) == 1:
        head = f"{winners[0]} wins."
    else:
        head = f"{', '.join(winners[:-1])} and {winners[-1]} share the victory."
    order = sorted(range(len(game.names)), key=lambda seat: outcome.places[seat])
    scores = [visible(label(game.program, (), score, game.program.score_sort)) for score in outcome.scores]
    rows = [(f"{outcome.places[seat]}. {visible(game.names[seat])}", scores[seat]) for seat in order]
    return [screen.paint("title", head), *labelled(rows, screen.columns), f"seed {game.seed}"]
