"""`rulebook leaks`: secrets that a game gives away, found by playing it twice."""

from __future__ import annotations

import click

from rulebook.commands import folders, games
from rulebook.commands.console import Whole, color_option, is_wanted, name_command, terminal_width
from rulebook.commands.seats import seat_players
from rulebook.diagnostics.render import count_noun, render_text, sort_messages
from rulebook.playtest.leaking.messages import search_leaks
from rulebook.printing import one_line


@click.command(name="leaks")
@folders.game_argument
@click.option("--games", "count", type=Whole(1), metavar="N", default=20, show_default=True, help="How many games.")
@click.option("--players", type=Whole(1), metavar="N", help="How many players; two numbers of them if not given.")
@click.option("--seed", type=Whole(0), metavar="N", default=0, show_default=True, help="The seed of the first game.")
@click.option(
    "--limit", type=Whole(1), metavar="N", default=5_000, show_default=True, help="Most answers to compare."
)
@folders.game_options
@color_option
def leaks_command(
    game: str,
    count: int,
    players: int | None,
    seed: int,
    limit: int,
    variants: tuple[str, ...],
    given: tuple[str, ...],
) -> None:
    """Play GAME and its twins, and show what gives a secret away.

    In a twin one thing is another that somebody may not know: two hidden cards lie in each other's place, or a secret
    answer is another. All answers are the same. What that player is sent must be the same, too.
    """
    found = games.find_game(game, variants, given)
    if players is not None:
        seat_players(found.rulebook.players, players, None, "random")
    searched = search_leaks(
        found.rulebook, found.folder, found.options, count, limit, seed, players, name_command()
    )
    if searched.messages:
        click.echo(render_text(sort_messages(searched.messages), terminal_width(), is_wanted()), nl=False)
    played, compared = count_noun(searched.games, "game"), f"{searched.compared:,} answers compared"
    outcome = count_noun(len(searched.messages), "leak") if searched.messages else "no leak"
    result = f"{compared}, {outcome}" if searched.compared else "nothing was hidden in them that could be another"
    click.echo(f"{one_line(found.rulebook.title)}: {played} played, {result}.")
    if searched.messages:
        raise click.exceptions.Exit(1)
