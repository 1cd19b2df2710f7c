"""`rulebook dis`: what the engine makes of a rule, a hook, a value or a stage.

In: a name. Out: its typed tree, the places at which it may wait with what each leaves to do, and the Python that runs.
Never: runs any of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import click

from rulebook.commands import games
from rulebook.commands.console import (
    BadRequest,
    bold,
    color_option,
    columns,
    command,
    echo_lines,
    suggestion,
)
from rulebook.table.columns import labelled

if TYPE_CHECKING:
    from rulebook.dsl.ir import Function, Rulebook, Script, Stage
    from rulebook.dsl.syntax import At
    from rulebook.interpreter.compiled.listing import Place
    from rulebook.interpreter.program import Program

_WHY = {"answer": "after the answer to", "call": "after", "round": "at the next round of", "behind": "behind"}


class Piece(NamedTuple):
    """A script or question of a game, or one stage of a script."""

    root: Script | Function
    stage: Stage | None = None


@click.command(name="dis")
@click.argument("game")
@click.argument("about", metavar="RULE")
@click.option("-n", "--players", type=int, metavar="N", help="As it runs with N players; the fewest if not said.")
@click.option("--watched", is_flag=True, help="As it runs while somebody watches, with events and knowledge.")
@games.game_options
@color_option
def dis_command(
    game: str, about: str, players: int | None, watched: bool, variants: tuple[str, ...], given: tuple[str, ...]
) -> None:
    """Show what the engine makes of RULE: a rule, a value, a card, an action, one of their hooks, or a stage.

    First what it means: each sentence with its parts and their types. Then where it may wait for somebody, and what is
    left to do at each of these places. Then the Python that runs.
    """
    asked = games.asked(game, variants, given)
    rulebook = asked.with_settings(given)
    pieces = list(dict.fromkeys(_pieces(rulebook, about.casefold())))
    if not pieces:
        raise _no_such(rulebook, about, asked.called)
    program = games.lowered(rulebook, players or rulebook.players[0], asked.options)
    for number, piece in enumerate(pieces):
        echo_lines(([""] if number else []) + _piece(program, piece, watched))


# ── names ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _named(rulebook: Rulebook) -> Iterator[tuple[tuple[str, ...], Piece]]:
    """Every piece, with all that it may be called by: in full, without its section, by its card or action."""
    from rulebook.dsl.ir import Stage
    from rulebook.dsl.naming.layer_names import plain
    from rulebook.dsl.walk import nodes

    roots: list[Script | Function] = [*rulebook.scripts.values(), *rulebook.functions.values()]
    for root in roots:
        rest = plain(root.name).partition(".")[2]
        names = (root.name, plain(root.name), rest, rest.rpartition(".")[0])
        yield tuple(name for name in names if name), Piece(root)
    for script in rulebook.scripts.values():
        for node in nodes(script.body):
            if isinstance(node, Stage):
                yield (node.name,), Piece(script, node)


def _pieces(rulebook: Rulebook, wanted: str) -> Iterator[Piece]:
    for names, piece in _named(rulebook):
        if wanted in map(str.casefold, names):
            yield piece


def _no_such(rulebook: Rulebook, about: str, called: str) -> BadRequest:
    names = dict.fromkeys(name for names, _ in _named(rulebook) for name in names)
    advice = suggestion(about, names) or f"{command()} show {called} lists the names."
    return BadRequest(f"There is no rule, value, hook or stage {about!r} in {rulebook.title}. {advice}")


# ── one piece ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _piece(program: Program, piece: Piece, watched: bool) -> list[str]:
    from rulebook.dsl.disassembly import disassembled
    from rulebook.interpreter.compiled.listing import listed

    root, stage = piece
    at = root.at if stage is None else stage.at
    where = "" if at is None else f"  # {at.span.file.name}:{at.span.line}"
    title = root.name if stage is None else f"{root.name}, stage {stage.name}"
    found = listed(program, root.name, watched)
    places, text = found.places, found.text
    if stage is not None and stage.at is not None:
        places = [place for place in places if place.at is not None and _inside(place.at, stage.at)]
        text = {name: text[name] for name in [*list(text)[:1], *(place.function for place in places)]}
    tier = "watched" if watched else "blind"
    lines = [bold(title) + where, "", bold("What it means"), "", *_indented(disassembled(root, stage))]
    lines += ["", bold("Where it may wait"), ""]
    lines += [line for place in places for line in _place(place)] or ["  Nowhere: it runs to its end at once."]
    lines += ["", bold(f"What runs ({tier}, {program.layout.players} players)"), ""]
    lines += _indented([line for function in text.values() for line in function])
    names = {name: said for name, said in found.names.items() if _speaks(text, name)}
    return [*lines, "", *labelled(list(names.items()), columns())]


def _speaks(text: dict[str, list[str]], name: str) -> bool:
    word = re.compile(rf"(?<![\w.]){re.escape(name.rstrip(']'))}(?!\w)")
    return any(word.search(line) for lines in text.values() for line in lines)


def _inside(at: At, around: At) -> bool:
    return at.scalar is around.scalar and around.start <= at.start < around.end


def _place(place: Place) -> list[str]:
    from rulebook.dsl.disassembly import first_line

    line = "" if place.at is None else f"  # line {place.at.span.line}"
    lines = [f"  {place.function}  {_WHY[place.why]} `{first_line(place.at)}`{line}"]
    lines += [f"      {first_line(at)}" for at in place.remains]
    lines += [f"      then {place.then}" if place.then else "      then it is over"]
    return lines


def _indented(lines: list[str]) -> list[str]:
    return [f"  {line}".rstrip() for line in lines]
