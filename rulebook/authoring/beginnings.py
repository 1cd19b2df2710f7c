"""Texts of new files that validate as they stand: a game, a card, a scenario, a variant."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from rulebook.authoring.primer import SHEET, write_primer
from rulebook.authoring.schema import find_lacking, find_needed_hooks, find_schema_path, modeline
from rulebook.dsl import types as t
from rulebook.dsl.document import Scalar
from rulebook.dsl.overlay.variant import read_variant
from rulebook.dsl.settling.options import choices_of, value_text
from rulebook.dsl.world import World
from rulebook.files import read_bytes
from rulebook.library import (
    RULES,
    SCENARIOS,
    VARIANTS,
    leads_out,
    picture_files,
    rule_files,
    scenario_files,
    sheet_files,
    variants_of,
)
from rulebook.pictures import BadPicture, read_picture
from rulebook.playtest.settings import NAMES
from rulebook.source import LARGEST_FILE

_START = Path(__file__).parent / "start"
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9 ]*")


def begin_game(folder: Path) -> dict[Path, str]:
    """A small whole game in a folder that is not there yet, with scenarios that pass and a sheet for assistants."""
    title = " ".join(re.split(r"[\W_]+", folder.resolve().name)).strip().capitalize() or "New game"
    head = f"format: 1\nname: {_quote_text(title)}\n"
    rules, tests = folder / RULES, folder / SCENARIOS / "first.yaml"
    return {
        rules: _with_modeline(folder, rules, head + _read_template("rulebook.yaml")),
        tests: _with_modeline(folder, tests, _read_template("scenarios.yaml")),
        folder / SHEET: write_primer(),
    }


def copy_game(source: Path, folder: Path) -> dict[Path, str]:
    """The rules, variants and scenarios of a game, for a folder that is not there yet, with a sheet for assistants;
    variants extend the copy.
    """
    copies = dict[Path, str]()
    for file in (*rule_files(source), *variants_of(source), *scenario_files(source)):
        copy, text = folder / file.relative_to(source), file.read_text("utf-8")
        variant = read_variant(file)[0] if file.parent.name == VARIANTS else None
        if variant is not None and variant.extends is not None:
            span = variant.extends.span
            text = text[: span.start] + _quote_text(folder.resolve().name) + text[span.end :]
        copies[copy] = begin_with_schema(folder, copy, text)
    return copies | {folder / SHEET: write_primer()}


def begin_with_schema(folder: Path, file: Path, text: str) -> str:
    """Name the schema in the first line of a file, if it does not yet."""
    return text if text.startswith("# yaml-language-server:") else _with_modeline(folder, file, text)


def copy_pictures(source: Path, folder: Path) -> dict[Path, bytes]:
    """The pictures of a game, for such a copy; what is none stays behind."""
    copies = dict[Path, bytes]()
    for file in picture_files(source):
        name = file.relative_to(source)
        with suppress(BadPicture):
            copies[folder / name] = read_picture(source, name.as_posix()).data
    return copies


def copy_sheets(source: Path, folder: Path) -> dict[Path, bytes]:
    """The spreadsheets of a game, for such a copy; a link that leads elsewhere stays behind."""
    files = (file for file in sheet_files(source) if not leads_out(file))
    return {folder / file.relative_to(source): read_bytes(file, LARGEST_FILE) for file in files}


def begin_card(world: World, folder: Path, kind: str, id: str) -> dict[Path, str]:
    """A card of a kind, in a file of its own; NoValue if it needs what the game has not."""
    file = folder / f"{id}.yaml"
    return {file: _with_modeline(folder, file, f"cards:\n{_make_entry(world, kind, id)}")}


def begin_scenario(world: World, folder: Path, title: str) -> dict[Path, str]:
    """A scenario of a whole random game, in a file of its own."""
    names = NAMES[: world.authored.players[0]]
    slug = "_".join(re.findall(r"[a-z0-9]+", title.lower())) or "scenario"
    file = folder / SCENARIOS / f"{slug}.yaml"
    lines = [
        "scenarios:",
        f"  {_quote_text(title)}:",
        "    about: To be written",
        "    from: start                          # or say below what lies where, and what is done",
        f"    given: {{players: [{', '.join(names)}]}}",
        "    seed: 1",
        "    do: game",
        "    rest: random",
        "    expect:",
        f"      - count(seats) is {len(names)}",
    ]
    return {file: _with_modeline(folder, file, "\n".join(lines) + "\n")}


def begin_variant(folder: Path, id: str, text: str) -> dict[Path, str]:
    """A variant of a game, in the folder of its variants."""
    file = folder / VARIANTS / f"{id}.yaml"
    return {file: _with_modeline(folder, file, text)}


def word_variant(world: World, folder: Path, id: str) -> str:
    """A variant that goes by another name, and says in a comment how a house rule of the game would be settled."""
    title, game = id.replace("_", " ").capitalize(), world.authored.name
    lines = [
        f"variant: {id}",
        f"name: {_quote_text(title)}",
        "about: To be written",
        f"extends: {folder.resolve().name}",
        "change:",
        f"  name: {{was: {_quote_text(game)}, now: {_quote_text(f'{game}, {title}')}}}",
        *_settle_otherwise(world),
        "# There are `set`, `change`, `add`, `remove`, `before`, `after` and `instead of`.",
    ]
    return "\n".join(lines) + "\n"


def _settle_otherwise(world: World) -> list[str]:
    """A comment with an option and another value than the game has; nothing if no option can be counted up."""
    for name, option in world.authored.options.items():
        choices = [value_text(choice) for choice in choices_of(option.type, world.words)]
        default = option.default.text if isinstance(option.default, Scalar) else ""
        if default in choices and len(choices) > 1:
            after = choices.index(default) + 1
            other = choices[after] if after < len(choices) else choices[after - 2]
            return [f"# set: {{{name}: {other}}}"]
    return []


def _with_modeline(folder: Path, file: Path, text: str) -> str:
    return f"{modeline(file, find_schema_path(folder))}\n{text}"


def _read_template(name: str) -> str:
    return (_START / name).read_text("utf-8")


def _quote_text(words: str) -> str:
    """A text as YAML, in quotes if it holds anything but letters, digits and spaces."""
    if _PLAIN.fullmatch(words) and words.lower() not in ("yes", "no", "true", "false", "null", "on", "off"):
        return words
    escaped = words.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


class NoValue(Exception):
    """The game has no value of this type yet; the sentence says what is missing."""


def _make_entry(world: World, kind: str, id: str) -> str:
    """The lines of a card below `cards:`, indented by two; NoValue if something that it needs cannot be made up."""
    name = id.replace("_", " ").capitalize()
    lines = [f"{id}:", f"  kind: {kind}", f"  name: {name}"]
    for attribute in find_lacking(world, kind):
        info = world.attributes[attribute]
        value = value_text(info.values[0]) if info.values else _make_up_value(world, info.type, f"`{attribute}`")
        lines.append(f"  {attribute}: {value}")
    for hook, declared in find_needed_hooks(world, kind):
        answer = world.hooks[hook].answer
        if answer is None:
            lines += [f"  {hook}: |", f'    say "{name} does nothing yet."']
        elif declared.type is not None and declared.type.words == "conditions":
            lines += [f"  {hook}:", "    to be written: yes"]
        else:
            lines.append(f"  {hook}: {_make_up_value(world, answer, f'`{hook}`')}")
    return "".join(f"  {line}\n" for line in lines)


def _make_up_value(world: World, of: t.Type, what: str) -> str:
    if t.may_be_nothing(of):
        return "none"
    match of:
        case t.Number():
            return "0"
        case t.Amount():
            smallest = min(world.units, key=world.units.__getitem__, default=None)
            return "0" if smallest is None else f"0 {smallest}"
        case t.YesNo():
            return "yes"
        case t.Text():
            return "To be written"
        case t.Symbol(enumeration):
            return next(iter(world.words[enumeration]))
        case t.ListOf():
            return "[]"
        case t.TableOf():
            return "{}"
        case t.Player():
            return "first(players)"
        case t.Card(kinds):
            card = next((card.id for card in world.cards.values() if card.kind in kinds), None)
            if card is not None:
                return card
    raise NoValue(f"{what} wants {world.describe_type(of)}, and there is none in the game yet.")
