"""`rulebook dis`: what the engine makes of a rule, a hook, a value or a stage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import click

from rulebook.commands import folders, games
from rulebook.commands.console import BadRequest, Whole, bold, color_option, echo_lines, name_command, suggestion
from rulebook.commands.seats import choose_numbers
from rulebook.dsl.disassembly import disassembled, first_line
from rulebook.dsl.document import At
from rulebook.dsl.ir import Function, Rulebook, Script, Stage
from rulebook.dsl.naming.layer_names import name_plainly
from rulebook.dsl.walk import nodes
from rulebook.interpreter.listing import list_steps
from rulebook.interpreter.program import Program


class Piece(NamedTuple):
    """A script or question of a game, or one stage of a script."""

    root: Script | Function
    stage: Stage | None = None


@click.command(name="dis")
@folders.game_argument
@click.argument("about", metavar="RULE")
@click.option("-n", "--players", type=Whole(1), metavar="N", help="As it runs with N players; the fewest if not said.")
@folders.game_options
@color_option
def dis_command(game: str, about: str, players: int | None, variants: tuple[str, ...], given: tuple[str, ...]) -> None:
    """Show what the engine makes of RULE: a rule, a value, a card, an action, one of their hooks, or a stage.

    First what it means: each sentence with its parts and their types. Then the steps that run. Locals stand there as
    name#0, what is worked out on the way as t0. A step to which others lead is marked; @7 begins at step 7 and is run
    on its own, and "or 7" is where it goes on if something is asked of nothing.
    """
    chosen = games.find_game(game, variants, given)
    rulebook = chosen.with_settings(given)
    pieces = list(dict.fromkeys(_find_pieces(rulebook, about.casefold())))
    if not pieces:
        raise _no_such(rulebook, about, chosen.called)
    numbers = choose_numbers(rulebook, chosen.options)
    program = games.lower_game(rulebook, players or numbers[0], chosen.options)
    for number, piece in enumerate(pieces):
        echo_lines(([""] if number else []) + _print_piece(program, piece))


def _name_pieces(rulebook: Rulebook) -> Iterator[tuple[tuple[str, ...], Piece]]:
    """Every piece, with all that it may be called by: in full, without its section, by its card or action."""
    roots: list[Script | Function] = [*rulebook.scripts.values(), *rulebook.functions.values()]
    for root in roots:
        rest = name_plainly(root.name).partition(".")[2]
        names = (root.name, name_plainly(root.name), rest, rest.rpartition(".")[0])
        yield tuple(name for name in names if name), Piece(root)
    for script in rulebook.scripts.values():
        for node in nodes(script.body):
            if isinstance(node, Stage):
                yield (node.name,), Piece(script, node)


def _find_pieces(rulebook: Rulebook, wanted: str) -> Iterator[Piece]:
    for names, piece in _name_pieces(rulebook):
        if wanted in map(str.casefold, names):
            yield piece


def _no_such(rulebook: Rulebook, about: str, called: str) -> BadRequest:
    names = dict.fromkeys(name for names, _ in _name_pieces(rulebook) for name in names)
    advice = suggestion(about, names) or f"{name_command()} show {called} lists the names."
    return BadRequest(f"There is no rule, value, hook or stage {about!r} in {rulebook.title}. {advice}")


def _print_piece(program: Program, piece: Piece) -> list[str]:
    root, stage = piece
    at = root.at if stage is None else stage.at
    where = "" if at is None else f"  # {at.span.file.name}:{at.span.line}"
    title = root.name if stage is None else f"{root.name}, stage {stage.name}"
    lines = [bold(title) + where, "", bold("What it means"), "", *_indent_listing(disassembled(root, stage))]
    lines += ["", bold(f"What runs ({program.layout.players} players)"), ""]
    return lines + _indent_listing(_print_steps(program, root, None if stage is None else stage.at))


def _print_steps(program: Program, root: Script | Function, within: At | None) -> Iterator[str]:
    """The steps of a code, below the first line of each sentence that they are made from."""
    codes = {code.name: code for code in program.codes}
    last: At | None = None
    for step in list_steps(program, codes.get(root.name) or program.questions[root.name]):
        at = step.at
        if within is not None and (at is None or not _is_inside(at, within)):
            continue
        if at is not None and at is not last:
            yield f"{first_line(at)}  # line {at.span.line}"
        last = at
        line, *more = step.lines
        yield f"  {'>>' if step.is_target else '  '} {step.number:>3}  {line}"
        yield from (f"{'':10}{line}" for line in more)


def _is_inside(at: At, around: At) -> bool:
    return at.scalar is around.scalar and around.start <= at.start < around.end


def _indent_listing(lines: Iterable[str]) -> list[str]:
    return [f"  {line}".rstrip() for line in lines]
