"""`rulebook replay`, `rulebook record`: a game that was played, looked at again, or made a scenario."""

from __future__ import annotations

import os
import shlex
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulebook.commands import folders, games
from rulebook.commands.console import (
    BadRequest,
    RulesFailed,
    Whole,
    color_option,
    make_renderer,
    name_command,
    plain_option,
)
from rulebook.commands.play import word_standings
from rulebook.commands.saved import load_save, read_save, rules_of, word_gap
from rulebook.diagnostics.render import count_noun
from rulebook.files import open_ordinary
from rulebook.interpreter.decisions import Refused, RuleError
from rulebook.interpreter.game import Game
from rulebook.interpreter.journal import CHANCE, BadSave, Header, Journal, impossible
from rulebook.interpreter.program import Program
from rulebook.library import RULES
from rulebook.printing import visible
from rulebook.table import replaying, saves
from rulebook.table.renderer import Renderer
from rulebook.table.replaying import Eyes, Replay
from rulebook.table.screen import Screen

if TYPE_CHECKING:
    from rulebook.playtest.series.store import Kept


@click.command(name="replay")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--game", "number", type=Whole(0), metavar="NUMBER", help="Which game of a file of games.")
@click.option("--series", type=Whole(1), metavar="S", help="Of which series, if the file has several.")
@click.option("--at", type=Whole(0), metavar="N", help="Up to the answer with this number; 0 is before any.")
@click.option("--seat", metavar="NAME", help="As this player saw it.")
@click.option("--public", is_flag=True, help="As everyone at the table saw it.")
@click.option("--fork", is_flag=True, help="Begin a new game that goes on from there: same rules, same deal.")
@plain_option
@color_option
def replay_command(
    file: Path,
    number: int | None,
    series: int | None,
    at: int | None,
    seat: str | None,
    public: bool,
    fork: bool,
    is_plain: bool,
) -> None:
    """Look again at a saved game, or at one that `simulate --out` has kept.

    Without --seat or --public it is told with all that was hidden.
    """
    if seat is not None and public:
        raise BadRequest("--seat and --public both say through whose eyes. Give one of them.")
    try:
        if _is_database(file):
            replayed = _read_game_of_series(file, number, series)
        elif number is not None or series is not None:
            raise BadRequest(f"{file} is one game; --game and --series are for a file of many games.")
        else:
            replayed = _read_saved_game(file)
        game, broken = _play_again(*replayed, file)
        _show_game(game, broken, file, at, seat, public, fork, make_renderer(is_plain))
        if broken is not None:
            raise broken
    except BadSave as error:
        raise BadRequest(str(error)) from None
    except RuleError as error:
        raise games.word_failure(error) from None


def _is_database(file: Path) -> bool:
    try:
        with os.fdopen(open_ordinary(file), "rb") as opened:
            return opened.read(16).startswith(b"SQLite format 3")
    except OSError as error:
        raise BadRequest(f"{file} cannot be read: {error.strerror}.") from None


def _read_saved_game(file: Path) -> tuple[Program, Journal]:
    saved = read_save(file)
    if saved.notice:
        click.echo(saved.notice, err=True)
    return rules_of(saved.header, file)[1], saved


def _read_game_of_series(file: Path, number: int | None, series: int | None) -> tuple[Program, Journal]:
    """Read a game of a series, which comes again from its number."""
    from rulebook.commands.series import refused
    from rulebook.playtest.series.plan import plan_of
    from rulebook.playtest.series.store import Store
    from rulebook.playtest.series.table import Table

    with refused(), Store(file, only_read=True) as store:
        kept = _choose_series(file, store.all_series(), series)
    if number is None:
        raise BadRequest(f"{file} holds many games. Say which: --game 0 is the first.")
    names = tuple(f"Bot {seat + 1}" for seat in range(kept.players))
    header = Header(kept.game, kept.rules_hash, names, kept.seed, kept.rules, kept.options, kept.variants)
    rulebook, _ = rules_of(header, file)
    plan = plan_of(rulebook, kept.players, kept.seed, kept.options, kept.bots, kept.rotations > 1)
    if not plan.can_be_repeated:
        raise BadRequest(f"Programs played in {file}; their games cannot be played again.")
    with refused():
        table = Table(plan)
    return table.program, table.save(number)


def _choose_series(file: Path, series_kept: list[Kept], series: int | None) -> Kept:
    if not series_kept:
        raise BadRequest(f"There are no games in {file}.")
    if series is None and len(series_kept) > 1:
        raise BadRequest(f"{file} has {len(series_kept)} series. Say which: --series 1 is the first.")
    chosen = [kept for kept in series_kept if kept.id == (series or series_kept[0].id)]
    if not chosen:
        raise BadRequest(f"{file} has no series {series}; it has {len(series_kept)}.")
    return chosen[0]


def _play_again(program: Program, saved: Journal, file: Path) -> tuple[Game, RuleError | None]:
    """The game after all of its answers, or after those before the first that cannot have been given there, as is said;
    or after those before the one at which the rules went wrong, and how.
    """
    header = saved.header
    asks_chance = any(entry.seat == CHANCE for entry in saved.entries)
    game = Game(program, header.seed, header.seats, chance="ask" if asks_chance else "sample", header=header)
    for line, entry in enumerate(saved.entries, 2):
        try:
            game.repeat(entry)
        except RuleError as broken:
            return game, broken
        except Refused as refused:
            click.echo(visible(word_gap(impossible(str(file), line, refused))), err=True)
            break
    return game, None


def _show_game(
    game: Game,
    broken: RuleError | None,
    file: Path,
    at: int | None,
    seat: str | None,
    public: bool,
    fork: bool,
    drawn: Renderer,
) -> None:
    screen = Screen(looks=drawn)
    replay = replaying.Replay(game, screen.columns)
    if at is not None and at > len(replay.entries):
        raise _too_far(replay.game, file, at)
    try:
        eyes = replaying.Eyes(is_open=not public) if seat is None else replaying.parse_eyes(game.names, seat)
    except replaying.NoSuchEyes as nobody:
        raise BadRequest(str(nobody)) from None
    if fork:
        _fork(replay, len(replay.entries) if at is None else at)
    elif screen.is_terminal:
        if not game.over and seat is None and not public:
            eyes = _ask_for_eyes(screen)
        replay.go(0 if at is None else at)
        forked = replaying.look(replay, screen, eyes, "The rules went wrong here." if broken is not None else "")
        if forked is not None:
            _fork(replay, forked)
    else:
        replay.go(len(replay.entries) if at is None else at)
        _print(replay, screen, eyes, with_table=not eyes.is_open or at is not None, is_whole=broken is None)


def _too_far(game: Game, file: Path, at: int) -> BadRequest:
    held = count_noun(len(game.entries), "answer")
    return BadRequest(f"{visible(str(file))} holds {held}, and --at asks for number {at}.")


def _ask_for_eyes(screen: Screen) -> Eyes:
    """Ask before what is hidden is shown of a game that may still be played on."""
    screen.show_lines(["This game is not over. Shall all that is hidden be shown, hands and all?"])
    typed = screen.pause("y shows it, Enter shows what everybody saw > ")
    if typed is None:
        raise click.exceptions.Exit(0)
    return Eyes(is_open=typed.strip().casefold() in ("y", "yes"))


def _print(replay: Replay, screen: Screen, eyes: Eyes, with_table: bool, is_whole: bool) -> None:
    """The story as text; with the table, if it is not only about how the game went."""
    game = replay.game
    screen.show_lines([screen.paint("title", game.program.name), ""])
    screen.show_lines([line for sentence in replay.tell_story(eyes, 0) for line in sentence.wrap_lines(screen.columns)])
    if with_table:
        screen.show_lines(
            [
                screen.draw_rule(),
                *screen.looks.draw_blocks([replay.headline(eyes), replay.collect_table(eyes)], screen.size),
            ]
        )
    if game.over:
        click.echo("\n" + "\n".join(word_standings(game, screen)))
    elif is_whole and replay.at == len(replay.entries):
        click.echo("\nThe file ends here; the game was not over.")


def _fork(replay: Replay, at: int) -> None:
    """Write a new save with the first answers of a game, and say how it goes on."""
    replay.go(at)
    game = replay.game
    try:
        path = saves.create(game.program.id, datetime.now(), lambda new: game.save(new, is_new=True))
    except OSError as error:
        raise BadRequest(f"The new game cannot be saved in {saves.folder()}: {error.strerror}.") from None
    click.echo(f"A new game begins after {count_noun(at, 'answer')}. Play it with:")
    click.echo(f"{name_command()} play --resume {shlex.quote(str(path))}")


@click.command(name="record")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--at", type=Whole(0), metavar="N", help="Up to the answer with this number; else to the last.")
@click.option("--title", metavar="TEXT", help="What the scenario is called.")
@click.option("--to", type=click.Path(path_type=Path), metavar="FILE", help="A new file, in `scenarios/` of the game.")
@color_option
def record_command(file: Path, at: int | None, title: str | None, to: Path | None) -> None:
    """Make a scenario of the game that was saved in FILE.

    It has the same deal and the same answers, and expects what was so then. Without --to it is printed.
    """
    from rulebook.commands.authoring import write_new
    from rulebook.playtest.scenarios.ground import Grounds
    from rulebook.playtest.scenarios.recording import CannotRecord, record

    save = load_save(file)
    game = save.game
    if save.gap:
        click.echo(visible(save.gap), err=True)
    if at is not None and at > len(game.entries):
        raise _too_far(game, file, at)
    if at is not None and at < len(game.entries):
        game.undo(len(game.entries) - at)
    if title is not None and not (title.strip() and title.isprintable()):
        raise BadRequest("A scenario needs a title of one line.")
    if to is not None and os.path.lexists(to):
        raise BadRequest(f"{to} is there already. Nothing was written.")
    folder = _folder(to, save.at, game.header.at, file)
    answers = count_noun(len(game.entries), "answer")
    remark = f"Recorded by `rulebook record` from {visible(file.name)}, after {answers}."
    try:
        text = record(Grounds(folder, use_cache=True), save.rulebook, game, title or f"A game of {answers}", remark)
    except CannotRecord as failed:
        raise RulesFailed(str(failed)) from None
    if to is None:
        click.echo(text, nl=False)
        return
    write_new({to: text})
    click.echo(f"Written: {to}")
    click.echo(f"Run it: {name_command()} test {shlex.quote(str(to))}")


def _folder(to: Path | None, at: tuple[str, ...], named: tuple[str, ...], file: Path) -> Path:
    """The game beside which the scenario passes: that of the file which is written, or else the one that was played,
    if the save names one and one may look there.
    """
    if to is not None:
        for parent in Path(os.path.realpath(to)).parents:
            if os.path.isfile(parent / RULES):
                return parent
        raise BadRequest(f"{to} belongs to no game: there is no {RULES} in the folder above it.")
    if not at:
        strange = f"lies outside of {saves.folder()}, so no path that it names is looked at"
        why = strange if named else "does not say which game was played"
        raise BadRequest(f"{file} {why}. Give --to, a file in `scenarios/` of that game.")
    return folders.folder_of(at[0])
