"""A rulebook's folder as one map: `rulebook.yaml`, and every other `.yaml` beside it."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as MappingOf
from pathlib import Path

from attrs import evolve

from rulebook.diagnostics import Diagnostic, Label, diagnose
from rulebook.dsl.document import Mapping, Node, is_nothing, kind_of
from rulebook.dsl.reading.reader import LEADS_OUT, NOTHING_OUTSIDE, read_file
from rulebook.dsl.reading.reader import read_map as read_text
from rulebook.dsl.reading.spreadsheets import Fetch, fetch_file, fetch_text, is_row, join_row, lay_sheets
from rulebook.dsl.structuring.misfits import NO_LIST
from rulebook.library import RULES, SCENARIOS, SHEETS, VARIANTS, leads_out
from rulebook.source import SourceFile, Span, show_path

# Sections of sections: two files may both say something about `places.player`.
IN_TWO = ("memory", "places")
COPIED = 5
"""From so many names on that stand in another file, too, a file is a copy."""


def read_folder(path: Path) -> tuple[Mapping | None, dict[str, str], list[Diagnostic]]:
    """Read a game's folder: the merged map, the text of each file by its name there, and the messages.

    There is no map if any of the files could not be read: what it declares would be missing everywhere else.
    """
    maps, sources, problems = read_files(path)
    whole = [mapping for mapping in maps if mapping is not None]
    if len(whole) < len(maps) or not whole:
        return None, sources, problems
    merged, twice = merge(whole)
    return merged, sources, problems + twice


def read_files(path: Path) -> tuple[list[Mapping | None], dict[str, str], list[Diagnostic]]:
    """Read each file of a game: its map, or None if it could not be read; the texts and messages as above."""
    if not (path / RULES).is_file():
        problem = f"there is no `{RULES}` in this folder" if path.is_dir() else "there is no such folder"
        help = f"A rulebook is a folder with a file `{RULES}`, which names the game."
        return [], {}, [_report_file(show_path(path / RULES), problem, help)]
    others = sorted(file for file in path.iterdir() if _belongs(file))
    maps: list[Mapping | None] = []
    sources: dict[str, str] = {}
    messages: list[Diagnostic] = []
    folder = show_path(path / RULES).removesuffix(RULES)
    for file in [path / RULES, *others]:
        if file.suffix != ".yaml":
            # Nobody would notice that such a file does nothing.
            problem = "the files of a rulebook end in `.yaml`"
            messages.append(_report_file(show_path(file), problem, f"Rename it to `{file.stem}.yaml`."))
            continue
        read, problems = read_file(file, folder + file.name)
        maps.append(read)
        messages += problems
        if read is not None:
            sources[file.name] = read.span.file.text
            _take_sheets(read, fetch_file(path), folder, maps, sources, messages)
    for name in (VARIANTS, SCENARIOS):
        if leads_out(path / name):
            messages.append(_report_file(show_path(path / name), LEADS_OUT, NOTHING_OUTSIDE))
    return maps, sources, messages


def read_texts(
    folder: str, texts: MappingOf[str, str]
) -> tuple[list[Mapping | None], dict[str, str], list[Diagnostic]]:
    """Read the files of a game that are no files any more, only their texts by name; `folder` stands before
    their names in messages.
    """
    if RULES not in texts:
        return [], {}, [_report_file(folder + RULES, f"there is no `{RULES}`", "It names the game.")]
    others = sorted(name for name in texts if name != RULES and not name.lower().endswith(SHEETS))
    maps: list[Mapping | None] = []
    messages: list[Diagnostic] = []
    for name in (RULES, *others):
        top, problems = read_text(SourceFile(folder + name, texts[name]))
        maps.append(top)
        messages += problems
        if top is not None:
            _take_sheets(top, fetch_text(dict(texts)), folder, maps, {}, messages)
    return maps, dict(texts), messages


def _take_sheets(
    top: Mapping,
    fetch: Fetch,
    folder: str,
    maps: list[Mapping | None],
    texts: dict[str, str],
    messages: list[Diagnostic],
) -> None:
    """Put the cards of the spreadsheets that a file names among its own; one that cannot be read is None among maps."""
    laid = lay_sheets(top, fetch, folder)
    messages += laid.messages
    texts |= laid.texts
    maps += [None for _ in laid.unread]


def merge(maps: Iterable[Mapping]) -> tuple[Mapping, list[Diagnostic]]:
    """One map of several files' maps: sections of one name flow together, anything else may be given once."""
    messages: list[Diagnostic] = []
    first, *others = maps
    merged = _open_sections(first)
    for other in others:
        told: list[Diagnostic] = []
        _merge_entries(merged, other, True, told)
        messages += _fold_copy(told)
    return merged, messages


def _fold_copy(messages: list[Diagnostic]) -> list[Diagnostic]:
    """Make one message of many about names that a file gives once more."""
    twice = [message for message in messages if message.code == "RB113"]
    if len(twice) < COPIED:
        return messages
    help = f"So are {len(twice) - 1} more names of this file. If it is a copy, keep it in another folder."
    return [evolve(twice[0], help=help), *(message for message in messages if message.code != "RB113")]


def _merge_entries(into: Mapping, other: Mapping, sections: bool, messages: list[Diagnostic]) -> None:
    """Add the entries of a map: sections are joined, things with a name (and `name:` itself) come once."""
    for name, node in other.items():
        before = into.get(name)
        if before is None or (sections and is_nothing(before)):
            into.put(other.keys_at[name], _copy_node(node))
        elif sections and isinstance(before, Mapping) and isinstance(node, Mapping):
            _merge_entries(before, node, name in IN_TWO, messages)
        elif isinstance(before, Mapping) and isinstance(node, Mapping) and is_row(before) != is_row(node):
            into[name] = join_row(before, node, messages)
        elif sections and isinstance(before, Mapping) != isinstance(node, Mapping) and not is_nothing(node):
            # What the other files say of this section holds all the same.
            lost = node if isinstance(before, Mapping) else before
            wanted, help = "a map, lines of the form `key: value`", NO_LIST if name == "cards" else None
            what = f"`{name}`"
            messages.append(diagnose("RB112", lost.span, what=what, wanted=wanted, got=kind_of(lost), help=help))
            if lost is before:
                into.put(other.keys_at[name], _copy_node(node))
        elif not (sections and is_nothing(node)):
            label = Label(into.keys_at[name].span, "the first one is here")
            help = f"All files of a folder together give `{name}` once. Keep one of them." if sections else None
            key = other.keys_at[name].span
            messages.append(diagnose("RB113", key, labels=[label], name=name, help=help))


def _copy_node(node: Node) -> Node:
    """A node that can be added to; what was read stays as it is."""
    return _open_sections(node) if isinstance(node, Mapping) else node


def _open_sections(node: Mapping) -> Mapping:
    copy = Mapping(node.span)
    for name, value in node.items():
        copy.put(node.keys_at[name], _copy_node(value))
    return copy


def _belongs(file: Path) -> bool:
    """Tell whether a file is, or looks like, a part of the rulebook. Editors leave hidden files behind."""
    wanted = file.suffix.lower() in (".yaml", ".yml") and not file.name.startswith(".")
    return wanted and file.name != RULES and not file.is_dir()


def _report_file(name: str, problem: str, help: str) -> Diagnostic:
    return diagnose("RB101", Span(SourceFile(name, ""), 0, 0), problem=problem, help=help)
