"""`rulebook tree`: a small game walked whole, and counted exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import click

from rulebook.commands import folders, games
from rulebook.commands.console import BadRequest, Progress, RulesFailed, Whole, color_option, echo_lines
from rulebook.commands.seats import choose_numbers, seat_players
from rulebook.dsl.ir import Rulebook
from rulebook.playtest.small_games.counting import MOST_HISTORIES, Astray, Tree, count_tree
from rulebook.playtest.small_games.game_tree import TooLarge
from rulebook.plurals import name_unit
from rulebook.printing import dump_json


@click.command(name="tree")
@folders.game_argument
@click.option("--players", type=Whole(1), metavar="N", help="How many players; the fewest if not given.")
@folders.game_options
@click.option(
    "--limit",
    type=Whole(1),
    metavar="H",
    default=MOST_HISTORIES,
    show_default=True,
    help="Most histories to walk.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@color_option
def tree_command(
    game: str, players: int | None, variants: tuple[str, ...], given: tuple[str, ...], limit: int, as_json: bool
) -> None:
    """Walk every course that GAME can take, and count.

    For small games: all histories and information states, how often each seat wins, and the exact value of playing
    as the bot `random` does.
    """
    chosen = games.find_game(game, variants, given)
    rulebook, options = chosen.rulebook, chosen.options
    numbers = choose_numbers(rulebook, options, players)
    count = len(seat_players(numbers, players, None, "random"))
    program = games.lower_game(rulebook, count, options)
    try:
        tree = count_tree(program, limit, on_progress=lambda done: Progress.say(f"{done:,} histories"))
    except TooLarge as large:
        advice = f"Walk a smaller game (fewer players, other house rules), or allow more with --limit {limit * 10}."
        raise BadRequest(f"{rulebook.title} is too large to be walked whole. {large} {advice}") from None
    except Astray as astray:
        raise RulesFailed("\n".join([f"The rules went wrong: {astray}", *games.word_place(astray.error)])) from astray
    finally:
        Progress.say("")
    if as_json:
        changed = {name: value for name, value in options.items() if rulebook.options[name].default != value}
        answer: dict[str, Any] = {"game": rulebook.id, "variants": list(rulebook.variants), "options": changed}
        answer |= tree.to_json()
        click.echo(dump_json(answer))
    else:
        echo_lines(_print_tree(rulebook, tree))


def _print_tree(rulebook: Rulebook, tree: Tree) -> list[str]:
    decisions = tree.histories - tree.terminal - tree.chance
    unit = min(rulebook.units, key=rulebook.units.__getitem__) if tree.is_amount else ""
    lines = [
        f"{rulebook.title}, {tree.players} players",
        "",
        f"  {tree.histories:>12,} histories, the empty one counted",
        f"  {tree.terminal:>12,} of them are finished games",
        f"  {tree.chance:>12,} of them wait for chance",
        f"  {decisions:>12,} of them wait for a player"
        + (f", {tree.forced:,} with one answer only (at a table nobody is asked)" if tree.forced else ""),
        "",
        "  Information states and finished games; then, if everyone answers at random:",
        "",
        f"  {'seat':<12} {'states':>10} {'wins':>12} {'wins then':>10}   on average",
    ]
    for seat in range(tree.players):
        value = tree.values[seat]
        lines.append(
            f"  {f'{seat + 1}':<12} {tree.states[seat]:>10,} {tree.wins[seat]:>12,} "
            f"{_word_share(tree.win_chances[seat]):>10}   {_word_value(value)} {name_unit(float(value), unit)}".rstrip()
        )
    lines.append(f"  {'nobody alone':<12} {'':>10} {tree.draws:>12,} {_word_share(tree.draw_chance):>10}")
    if tree.unfinished:
        lines += ["", f"  {tree.unfinished:,} finished games were ended by the limit of decisions."]
    lines += ["", f"  {tree.seconds:.1f} seconds"]
    return lines


def _word_share(probability: Fraction) -> str:
    return f"{float(probability):.2%}"


def _word_value(value: Fraction) -> str:
    """Exactly, and where that is no whole number, about how much it is."""
    return str(value) if value.denominator == 1 else f"{value} = {float(value):.4f}"
