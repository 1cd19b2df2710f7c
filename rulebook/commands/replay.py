"""`rulebook replay`: a game that was played, told from its first answer to its last.

In: a save, or a file of games and the number of one. Out: the story of the game and how it ended; where the rules went
wrong, the story up to there, why, and exit code 1. Never: asks anybody; changes a file.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulebook.commands import games
from rulebook.commands.colours import color_option, is_wanted
from rulebook.commands.failures import BadRequest, RulesFailed
from rulebook.commands.resuming import rules_of
from rulebook.commands.standings import standings

if TYPE_CHECKING:
    from rulebook.interpreter.journal import Journal
    from rulebook.interpreter.program import Program
    from rulebook.playtest.series.store import Kept


@click.command(name="replay")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--game", "number", type=click.IntRange(0), metavar="NUMBER", help="Which game of a file of games.")
@click.option("--series", type=click.IntRange(1), metavar="S", help="Of which series, if the file has several.")
@color_option
def replay_command(file: Path, number: int | None, series: int | None) -> None:
    """Tell a saved game, or one that `simulate --out` has kept, from its first answer to its last."""
    from rulebook.interpreter.decisions import RuleError
    from rulebook.interpreter.journal import BadSave

    with tempfile.TemporaryDirectory() as parent:
        try:
            if _is_database(file):
                told = _of_series(file, number, series, Path(parent))
            elif number is not None or series is not None:
                raise BadRequest(f"{file} is one game; --game and --series are for a file of many games.")
            else:
                told = _of_save(file, Path(parent))
            _tell(*told, file)
        except BadSave as error:
            raise BadRequest(str(error)) from None
        except RuleError as error:
            # Its rules were unpacked for a moment; where, says nothing to anybody.
            raise RulesFailed(games.failure(error).message.replace(f"{parent}/", "")) from None


def _is_database(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(16).startswith(b"SQLite format 3")


def _of_save(file: Path, parent: Path) -> tuple[Program, Journal]:
    """The program that a save speaks of, and its answers."""
    from rulebook.interpreter import journal

    saved = journal.read(file)
    if saved.header.given is not None:
        raise BadRequest(f"{file} began with a table that somebody laid; only a scenario can lay it again.")
    return rules_of(saved.header, parent, file)[1], saved


def _of_series(file: Path, number: int | None, series: int | None, parent: Path) -> tuple[Program, Journal]:
    """The same of a game that comes again from its number."""
    from rulebook.commands.series import refused
    from rulebook.interpreter.journal import Header, Journal
    from rulebook.playtest.series import logs
    from rulebook.playtest.series.plan import plan_of
    from rulebook.playtest.series.store import Store
    from rulebook.playtest.series.table import Table

    with refused(), Store(file) as store:
        kept = _chosen(file, store.all_series(), series)
    if number is None:
        raise BadRequest(f"{file} holds many games. Say which: --game 0 is the first.")
    names = tuple(f"Bot {seat + 1}" for seat in range(kept.players))
    header = Header(kept.game, kept.rules_hash, names, kept.seed, kept.rules, kept.options, kept.variants)
    rulebook, _ = rules_of(header, parent, file)
    plan = plan_of(rulebook, kept.players, kept.seed, kept.options, kept.bots, kept.rotations > 1)
    if not logs.can_be_logged(plan):
        raise BadRequest(f"Programs played in {file}; their games cannot be played again.")
    with refused():
        table = Table(plan)
    return table.program, Journal(logs.header_of(table, number), tuple(logs.log(table, number)))


def _chosen(file: Path, found: list[Kept], series: int | None) -> Kept:
    if series is None and len(found) > 1:
        raise BadRequest(f"{file} has {len(found)} series. Say which: --series 1 is the first.")
    chosen = [one for one in found if one.id == (series or found[0].id)]
    if not chosen:
        raise BadRequest(f"{file} has no series {series}; it has {len(found)}.")
    return chosen[0]


def _tell(program: Program, saved: Journal, file: Path) -> None:
    from rulebook.interpreter.decisions import Refused, RuleError
    from rulebook.interpreter.game import Game
    from rulebook.interpreter.journal import CHANCE, BadSave
    from rulebook.table.account import Account
    from rulebook.table.screen import Screen

    header, screen = saved.header, Screen(is_wanted())
    screen.show([screen.paint("title", f"{program.name}, seed {header.seed}"), ""])
    asks_chance = any(entry.seat == CHANCE for entry in saved.entries)
    account: Account | None = None
    try:
        game = Game(program, header.seed, header.seats, chance="ask" if asks_chance else "sample", header=header)
        account = Account(game, screen.columns)
        for line, entry in enumerate(saved.entries, 2):
            if entry.seat == CHANCE:
                game.answer_chance(*entry.answer)
            else:
                try:
                    game.answer(entry.seat, entry.answer, entry.number)
                except Refused as refused:
                    reason = f"The answer in this line is not possible at that point. ({refused})"
                    raise BadSave(str(file), line, reason, "Keep only the lines before it.") from None
    except RuleError:
        screen.show([] if account is None else account.lines())
        raise
    screen.show(account.lines())
    if game.over:
        click.echo("\n" + "\n".join(standings(game, screen)))
    else:
        click.echo("\nThe file ends here; the game was not over.")
