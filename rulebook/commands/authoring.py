"""`rulebook new`, `rulebook schema`: files to begin with, and what an editor must know to complete and check them.

What a person wrote is never replaced; `overwrite` is for what the program made itself.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from rulebook import files
from rulebook.authoring import beginnings
from rulebook.authoring.beginnings import NoValue
from rulebook.authoring.knobs import BadKnob, Knob, read_knobs, write_variant
from rulebook.authoring.schema import dump_schema, find_schema_path, make_schema, modeline
from rulebook.commands.console import BadRequest, RulesFailed, color_option, name_command, suggestion, writing
from rulebook.commands.folders import as_typed, folder_of, game_argument, game_options, optional_game_argument
from rulebook.commands.games import find_game, load_game, settings, show_messages
from rulebook.diagnostics.render import count_noun
from rulebook.dsl.passes import check_rulebook
from rulebook.dsl.reading.folder import read_folder
from rulebook.dsl.settling.options import write_settings
from rulebook.dsl.structuring.declarations import BANNED, SNAKE
from rulebook.dsl.structuring.structure import structure
from rulebook.dsl.world import World
from rulebook.library import RULES, SCENARIOS, is_installed

_MOST_NAMED = 5
"""The most new files that are named one by one, and the most of what stays behind for one reason."""


@click.group(name="new")
@color_option
def new_command() -> None:
    """Begin a game, a card, a scenario or a variant, with files that validate."""


@new_command.command(name="game")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--from", "source", metavar="GAME", help="As a copy of this game, with all that is beside it.")
@game_options
def new_game(folder: Path, source: str | None, variants: tuple[str, ...], given: tuple[str, ...]) -> None:
    """Begin a small game, which can be played at once, in a new FOLDER.

    With --from it is a copy. What --variant and --set say is then written into its rules; scenarios that do not hold
    any more, and variants that do not go with it, stay behind.
    """
    if source is None and (variants or given):
        raise BadRequest("--variant and --set say what is different from another game: name that one with --from.")
    with writing(folder):
        is_taken = folder.exists() and (not folder.is_dir() or any(folder.iterdir()))
    if is_taken:
        raise BadRequest(f"{folder} is there already. Nothing was written.")
    if source is None:
        _write_files(folder, beginnings.begin_game(folder))
    elif variants or given:
        _write_own_game(folder, source, variants, given)
    else:
        original = folder_of(source)
        # The rules are read for the schema, and what they name has to be there then.
        beside = beginnings.copy_pictures(original, folder) | beginnings.copy_sheets(original, folder)
        for file, data in beside.items():
            with writing(file):
                file.parent.mkdir(parents=True, exist_ok=True)
                files.create(file, data)
        _write_files(folder, beginnings.copy_game(original, folder))
    if (folder / SCENARIOS).is_dir():
        held = folder / SCENARIOS
        click.echo(f"The scenarios in {held} hold the rules as they are now: change or delete them with the rules.")
    click.echo(f"Play it: {name_command()} play {_quote_path(folder)}")


def _write_own_game(folder: Path, source: str, variants: tuple[str, ...], given: tuple[str, ...]) -> None:
    """Write a game with variants and house rules into a new folder, and say what of it stays behind."""
    # Only this needs scenarios and what runs them.
    from rulebook.authoring.own_game import CannotWriteOut, settle_in_text, write_out

    asked = find_game(source, variants, given)
    with TemporaryDirectory() as scratch:
        laid = list(asked.variants)
        if given:
            file = Path(scratch, "house_rules.yaml")
            file.write_text(settle_in_text(asked.folder.resolve().name, laid, settings(given)), "utf-8")
            laid.append(file)
        try:
            own = write_out(asked.folder, load_game(asked.folder, laid), laid, folder.resolve().name, Path(scratch))
        except CannotWriteOut as refused:
            raise RulesFailed(f"{refused} Nothing was written.") from None
    for name, data in own.files.items():
        with writing(folder / name):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            files.create(folder / name, data)
    click.echo(f"Written: {len(own.files)} files in {folder}")
    overwrite(find_schema_path(folder), dump_schema(make_schema(names_of(folder))))
    titles = [(f"{title} ({name})", why) for name, left in own.scenarios_left.items() for title, why in left]
    _list_left("scenario", titles, "would not hold")
    _list_left("variant", [*own.variants_left.items()], "would not fit")
    if titles or own.variants_left:
        click.echo()


def _list_left(what: str, left: Sequence[tuple[str, str]], why_not: str) -> None:
    """Name what stays behind, by the reasons: a few of each."""
    if not left:
        return
    click.echo(f"\n{count_noun(len(left), what)} not taken along, which {why_not}:")
    by_reason: dict[str, list[str]] = {}
    for name, why in left:
        by_reason.setdefault(why, []).append(name)
    for why, names in by_reason.items():
        click.echo(f"  {why}")
        for name in names[:_MOST_NAMED]:
            click.echo(f"    {name}")
        if len(names) > _MOST_NAMED:
            click.echo(f"    and {len(names) - _MOST_NAMED} more")


@new_command.command(name="card")
@game_argument
@click.argument("id")
@click.option("--kind", metavar="KIND", help="What it is: one of the game's kinds.")
def new_card(game: str, id: str, kind: str | None) -> None:
    """Begin a card called ID in a GAME, with all that a card of its KIND must say."""
    folder = _own_folder(game)
    world = names_of(folder)
    listed = f"The kinds are: {', '.join(world.concrete)}." if world.concrete else "The game has no kinds."
    if kind is None:
        raise BadRequest(f"Say with --kind what {id} is. {listed}")
    if not SNAKE.fullmatch(id) or id in BANNED:
        raise BadRequest(f"{id} cannot name a card: small letters, digits and _, and no word of the language.")
    if kind not in world.concrete:
        raise BadRequest(f"There is no kind {kind}. {suggestion(kind, world.concrete) or listed}")
    taken = _find_section(world, id)
    if taken:
        raise BadRequest(f"{id} is there already, among the {taken} of the game. Nothing was written.")
    try:
        files = beginnings.begin_card(world, folder, kind, id)
    except NoValue as missing:
        raise BadRequest(f"A card of kind {kind} cannot be begun: {missing}") from None
    _write_files(folder, files)


@new_command.command(name="scenario")
@game_argument
@click.argument("title")
def new_scenario(game: str, title: str) -> None:
    """Begin a scenario of a GAME with this TITLE, in a file of its own."""
    if not title.strip() or not title.isprintable():
        raise BadRequest("A scenario needs a title of one line.")
    folder = _own_folder(game)
    files = beginnings.begin_scenario(names_of(folder), folder, " ".join(title.split()))
    _write_files(folder, files)
    for file in files:
        click.echo(f"Run it: {name_command()} test {_quote_path(file)}")


@new_command.command(name="variant")
@game_argument
@click.argument("id")
@click.option(
    "--change", "changes", multiple=True, metavar="NAME=VALUE",
    help="Begin with another value of a house rule, of copies(CARD) or of the number at a path, as tune --vary has it.",
)  # fmt: skip
def new_variant(game: str, id: str, changes: tuple[str, ...]) -> None:
    """Begin a variant of a GAME called ID, in a file of its own: beside the game, or here if the game is part of the
    program.
    """
    if not SNAKE.fullmatch(id):
        raise BadRequest(f"{id} cannot name a variant: small letters, digits and _.")
    folder = folder_of(game)
    text = _write_changes(game, id, changes) if changes else beginnings.word_variant(names_of(folder), folder, id)
    if is_installed(folder):
        # Its next version would take away whatever lies there.
        file = Path(f"{id}.yaml")
        write_new({file: text})
        click.echo(f"Written: {file}")
        click.echo(f"Play it: {name_command()} play {as_typed(game, f'./{file}')}")
        return
    _write_files(folder, beginnings.begin_variant(folder, id, text))
    click.echo(f"Play it: {name_command()} play {_quote_path(folder)} --variant {id}")


def _write_changes(game: str, id: str, changes: Sequence[str]) -> str:
    """Write a variant that has other values; BadRequest where there is no such number, or it has that value."""
    asked = find_game(game, (), ())
    now = write_settings(asked.rulebook.options, asked.options, asked.rulebook.units)
    try:
        knobs = read_knobs(asked.game, changes, now)
    except BadKnob as bad:
        raise BadRequest(str(bad)) from None
    for knob in knobs:
        if len(knob.values) > 1:
            raise BadRequest(f"`{knob.name}` can have one value in a variant, and not {len(knob.values)}.")
        if knob.here is not None:
            raise BadRequest(f"`{knob.name}` is {knob.values[0]} already.")
    about = f"{', '.join(map(_word_change, knobs))}."
    title, extends = id.replace("_", " ").capitalize(), asked.folder.resolve().name
    return write_variant(id, title, about, extends, [], [(knob, 0) for knob in knobs], sets=True)


def _word_change(knob: Knob) -> str:
    """Word the only value of a knob: of a number in a script the sentence in which it stands."""
    [value] = knob.values
    written = knob.turns[0].spell_value(value) if knob.turns and knob.turns[0].before else f"{knob.name} is {value}"
    return " ".join(written.split())


def _own_folder(game: str) -> Path:
    """The folder of a game to which something is added; BadRequest if that is part of the program."""
    folder = folder_of(game)
    if is_installed(folder):
        copy = shlex.join([name_command(), "new", "game", f"./{folder.name}", "--from", game])
        why = f"{game} is part of the program, and goes with its next version. Nothing was written."
        raise BadRequest(f"{why} Add it to a copy of your own: {copy}")
    return folder


def _find_section(world: World, id: str) -> str:
    """The section in which a name is given already; empty if it is free."""
    shared = ("kinds", "places", "memory", "values", "rules", "actions", "cards")
    return next((section for section in shared if (section, id) in world.authored.keys), "")


def _write_files(folder: Path, files: dict[Path, str]) -> None:
    write_new(files)
    for file in files if len(files) <= _MOST_NAMED else ():
        click.echo(f"Written: {file}")
    if len(files) > _MOST_NAMED:
        click.echo(f"Written: {len(files)} files in {folder}")
    # Their first line names it; and it knows the new names only if it is made now.
    overwrite(find_schema_path(folder), dump_schema(make_schema(names_of(folder))))


def _quote_path(path: Path) -> str:
    words = str(path)
    return shlex.quote(words if re.match(r"[./\\]", words) or path.is_absolute() else f"./{words}")


_STDOUT = Path("-")


@click.command(name="schema")
@optional_game_argument
@click.option("--out", metavar="FILE", type=click.Path(path_type=Path), help="Where to write it; - is stdout.")
@color_option
def schema_command(game: str | None, out: Path | None) -> None:
    """Write the JSON Schema of a GAME's files, for completion and hints in editors.

    It lies beside the game, in .rulebook/schema.json. Without a GAME it fits any game, and is printed. Write it again
    when the game has new names.
    """
    folder = None if game is None else folder_of(game)
    if folder is not None and out is None and is_installed(folder):
        raise BadRequest(f"{game} is part of the program, where nothing is written: say with --out where to write it.")
    text = dump_schema(make_schema(None if folder is None else names_of(folder)))
    file = out or (_STDOUT if folder is None else find_schema_path(folder))
    if file == _STDOUT:
        click.echo(text, nl=False)
        return
    overwrite(file, text)
    click.echo(f"Written: {file}")
    if folder is not None:
        click.echo(f"\nFor completion in an editor, {RULES} and the files beside it begin with\n")
        click.echo(f"  {modeline(folder / RULES, file)}\n\nand files of scenarios and of variants with\n")
        click.echo(f"  {modeline(folder / SCENARIOS / RULES, file)}")


def names_of(folder: Path) -> World:
    """The names that a game declares; its scripts may have mistakes.

    A game that cannot be read, or an entry that does not fit, ends the command with all messages.
    """
    merged, source, messages = read_folder(folder)
    if merged is not None:
        authored, more = structure(merged, folder.resolve().name, source)
        messages += more
        if authored is not None:
            return check_rulebook(authored).world
    show_messages(messages)
    raise RulesFailed(f"The names in {folder} cannot be read before this is put right.")


def overwrite(file: Path, text: str) -> None:
    """Write a file that the program makes, anew if it was there."""
    with writing(file):
        os.makedirs(file.parent, exist_ok=True)
        files.replace(file, text.encode())


def write_new(texts: Mapping[Path, str]) -> None:
    """Write new files: all of them, or none if one is there already. BadRequest says which."""
    there = [str(file) for file in texts if os.path.lexists(file)]
    if there:
        are = "is" if len(there) == 1 else "are"
        raise BadRequest(f"{' and '.join(there)} {are} there already. Nothing was written.")
    paths: list[Path] = []
    for file, lines in texts.items():
        try:
            with writing(file):
                os.makedirs(file.parent, exist_ok=True)
                files.create(file, lines.encode())
        except BadRequest:
            for path in paths:
                path.unlink()
            raise
        paths.append(file)
