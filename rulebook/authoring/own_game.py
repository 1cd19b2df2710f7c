"""A game with variants laid over it, written out as the files of a game of its own.

What is written is loaded again, and must be the same rules: nobody gets a copy that is only nearly what was asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Mapping as MappingOf
from pathlib import Path

from attrs import define, field, fields

from rulebook.authoring.beginnings import begin_with_schema, copy_game, copy_pictures, copy_sheets
from rulebook.authoring.editing import Edits, edit_map, say_same, write_entry
from rulebook.authoring.joining import CannotJoin, Joiner, make_text
from rulebook.authoring.primer import SHEET, write_primer
from rulebook.authoring.same_rules import find_asked_behind, find_difference, leaves_early
from rulebook.cells import SheetFile
from rulebook.dsl import schema
from rulebook.dsl.document import Layered, Mapping, Node, Scalar, find_node
from rulebook.dsl.document import Sequence as Listed
from rulebook.dsl.overlay.applying import overlay
from rulebook.dsl.overlay.paths import Keys
from rulebook.dsl.overlay.variant import Variant, read_variant
from rulebook.dsl.reading.folder import merge, read_files
from rulebook.dsl.reading.reader import read_map
from rulebook.library import RULES, VARIANTS, rule_files, scenario_files, variants_of
from rulebook.loading import CheckedGame, load
from rulebook.playtest.scenarios.ground import Grounds
from rulebook.playtest.scenarios.reading import scenarios_on
from rulebook.playtest.scenarios.trial import run
from rulebook.source import SourceFile, show_path

_EARLY = "may end early, with `return`, and what hangs on it is done all the same: no single script says both."


class CannotWriteOut(Exception):
    """A game with variants that cannot be written out; the text says why."""


@define
class OwnGame:
    """The files of a new game by their names in its folder, and what of the old one is not among them."""

    files: dict[str, bytes] = field(factory=dict)
    scenarios_left: dict[str, list[tuple[str, str]]] = field(factory=dict)
    """By the name of a file, the titles of scenarios that do not hold any more, each with the reason."""
    variants_left: dict[str, str] = field(factory=dict)
    """The variants that do not go with the new game, each with the reason."""


def write_out(source: Path, game: CheckedGame, variants: Sequence[Path], name: str, scratch: Path) -> OwnGame:
    """Write a game out with its variants, for a folder of this name; `game` is that game, loaded under them.

    `scratch` is an empty folder to try it in. Raises CannotWriteOut.
    """
    folder = scratch / name
    folder.mkdir()
    for file, data in (copy_pictures(source, folder) | copy_sheets(source, folder)).items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    laid = [variant for variant in (read_variant(file)[0] for file in variants) if variant is not None]
    write_rules(source, folder, game, laid)
    own = OwnGame()
    grounds = _take_variants(source, folder, laid, own)
    _take_scenarios(source, grounds, laid, own)
    _write_file(folder / SHEET, write_primer())
    own.files = {
        file.relative_to(folder).as_posix(): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()
    }
    return own


def settle_in_text(game: str, variants: Sequence[Path], given: MappingOf[str, str]) -> str:
    """Write a variant that comes behind these and settles house rules, as somebody typed them."""
    ids = [variant.id for file in variants if (variant := read_variant(file)[0]) is not None]
    values = {name: f"{{{value.replace(':', ': ')}}}" if ":" in value else value for name, value in given.items()}
    return "\n".join(
        [
            "variant: house_rules",
            "name: House rules",
            f"about: {', '.join(f'{name}={value}' for name, value in given.items())}",
            *write_entry(make_text("extends"), make_text(game), 0),
            *([f"follows: [{', '.join(ids)}]"] if ids else []),
            f"set: {{{', '.join(f'{name}: {value}' for name, value in values.items())}}}",
            "",
        ]
    )


# ── the rules ────────────────────────────────────────────────────────────────────────────────────────────────────────


def write_rules(source: Path, folder: Path, game: CheckedGame, laid: Sequence[Variant]) -> None:
    """Write the rules, with the scripts that hang on each other as one wherever that is the same."""
    hung = [keys for keys, done in game.origins.items() if any(isinstance(origin.now, Layered) for origin in done)]
    joiner, first = Joiner(), ""
    while True:
        reason = _try_rules(source, folder, game, laid, joiner)
        if reason is None:
            return
        wrong, why = reason
        first = first or why
        left = [keys for keys in hung if keys not in joiner.apart]
        meant = [keys for keys in left if wrong in (".".join(keys), _name_script(keys))] or left
        if not meant:
            raise CannotWriteOut(first)
        joiner = Joiner({*joiner.apart, *meant})


def _name_script(keys: Keys) -> str:
    return ".".join((keys[0], keys[1].partition("(")[0].rstrip(), *keys[2:]))


def _try_rules(
    source: Path, folder: Path, game: CheckedGame, laid: Sequence[Variant], joiner: Joiner
) -> tuple[str, str] | None:
    """Write the rules, and load them; return what is not the same, and the sentence about it."""
    maps, texts, _ = read_files(source)
    before, _ = merge(one for one in maps if one is not None)
    done = overlay(before, laid, source.resolve().name, None)
    try:
        now = _write_copies(before, joiner.join_all(done.merged))
    except CannotJoin as refused:
        return refused.path, str(refused)
    for file in rule_files(folder):
        file.unlink()
    for name, text in _edit_files(texts, before, now, laid, game).items():
        _write_file(folder / name, begin_with_schema(folder, folder / name, text) if name.endswith(".yaml") else text)
    read, _, _ = read_files(folder)
    whole = [one for one in read if one is not None]
    merged = merge(whole)[0] if len(whole) == len(read) else None
    for section, node in now.items() if merged is not None else ():
        there = None if merged is None else merged.get(section)
        if there is None or not say_same(there, node):
            return section, f"What its section `{section}` says cannot be brought into the files of this game."
    loaded = load(folder)
    if loaded.game is None:
        error = next(one for one in loaded.messages if one.severity == "error")
        early = next((name for name in map(_name_script, joiner.joined) if leaves_early(game.rulebook, name)), None)
        if early is not None:
            return early, f"`{early}` {_EARLY}"
        return "", f"Put together, the rules have a mistake: {error.message}"
    differs = find_difference(game.rulebook, loaded.game.rulebook, joiner.called)
    if differs is None:
        differs = find_asked_behind(game.rulebook, joiner.called)
    if differs is None:
        return None
    if leaves_early(game.rulebook, differs):
        return differs, f"`{differs}` {_EARLY}"
    return differs, f"Written as one script, `{differs}` would be another rule than it is under the variant."


def _write_copies(before: Mapping, now: Mapping) -> Mapping:
    """Return the map with new cards as copies of others where a variant made them so."""
    cards = now.get("cards")
    if not isinstance(cards, Mapping):
        return now
    written = Mapping(cards.span)
    there = before.get("cards")
    for id, card in cards.items():
        is_new = isinstance(card, Mapping) and not (isinstance(there, Mapping) and id in there)
        copied = _find_copied(card, cards) if is_new and isinstance(card, Mapping) else None
        written.put(cards.keys_at[id], card if copied is None else copied)
    if all(written[id] is cards[id] for id in cards):
        return now
    whole = Mapping(now.span)
    whole.take_entries(now)
    whole.put(now.keys_at["cards"], written)
    return whole


def _find_copied(card: Mapping, cards: Mapping) -> Mapping | None:
    """Return a card as a copy of another one, whose very values it has; None if it is none."""
    for id, other in cards.items():
        if other is card or not isinstance(other, Mapping) or not other.keys() <= card.keys():
            continue
        if sum(card[name] is other[name] for name in other) > 1:
            copy = Mapping(card.span)
            copy.put(make_text("copy"), make_text(id))
            for name, value in card.items():
                if value is not other.get(name):
                    copy.put(card.keys_at[name], value)
            return copy
    return None


def _edit_files(
    texts: dict[str, str], before: Mapping, now: Mapping, laid: Sequence[Variant], game: CheckedGame
) -> dict[str, str]:
    """Return the texts of the game's files, so edited that together they say what the map says."""
    written: dict[str, tuple[Edits, Mapping]] = {}
    for name, text in texts.items():
        file = SourceFile(name, text)
        top = read_map(file)[0] if name.endswith(".yaml") else None
        if top is not None:
            written[name] = Edits(file), top
    last: dict[int, bool] = {}
    for keys in _list_maps(now):
        holders = [one for _, top in written.values() if isinstance(one := find_node(top, keys), Mapping) and one]
        if holders:
            last[id(holders[-1])] = True
    files: dict[str, str] = {}
    for name, (edits, top) in written.items():
        _add_sections(edits, top, before, now, is_first=name == RULES)
        nothing_left = edit_map(edits, top, before, _without_new(before, now), lambda one: id(one) in last)
        if not nothing_left or name == RULES:
            files[name] = edits.apply()
    files |= _edit_sheets(texts, before, now)
    files[RULES] = _tell_origin(files[RULES], game, laid)
    return files


def _tell_origin(text: str, game: CheckedGame, laid: Sequence[Variant]) -> str:
    """Say above the rules which variants are in them, and what those are for."""
    lines = [
        f"# {game.rulebook.name} with {variant.name}{f': {variant.about}' if variant.about else ''}" for variant in laid
    ]
    return "".join(f"{' '.join(line.split())}\n" for line in lines) + text


def _list_maps(node: Node, keys: Keys = ()) -> Iterator[Keys]:
    """Yield the path of every map."""
    if isinstance(node, Mapping):
        yield keys
        for name, inner in node.items():
            yield from _list_maps(inner, (*keys, name))


_SECTIONS = tuple(section.name for section in fields(schema.Document))


def _without_new(before: Mapping, now: Mapping) -> Mapping:
    """Return the map without sections that no file has yet: those are put in their places."""
    known = Mapping(now.span)
    for name in before:
        if name in now:
            known.put(now.keys_at[name], now[name])
    return known


def _add_sections(edits: Edits, top: Mapping, before: Mapping, now: Mapping, *, is_first: bool) -> None:
    """Add sections that no file has yet to the first one, each behind the one that is usually before it."""
    for name in now if is_first else ():
        if name in before:
            continue
        number = _SECTIONS.index(name)
        above = [one for one in top if one in _SECTIONS and _SECTIONS.index(one) < number]
        nearest = max(above, key=_SECTIONS.index)
        _, end = edits.find_lines(top.keys_at[nearest], top[nearest])
        edits.put(end, end, "\n" + "\n".join(write_entry(now.keys_at[name], now[name], 0)) + "\n")


# ── spreadsheets ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _edit_sheets(texts: dict[str, str], before: Mapping, now: Mapping) -> dict[str, str]:
    """Return the texts of the spreadsheets in which the map says something else. Raises CannotWriteOut."""
    cards, changed = before.get("cards"), now.get("cards")
    edits: dict[str, Edits] = {}
    if not isinstance(cards, Mapping) or not isinstance(changed, Mapping):
        return {}
    for id, card in cards.items():
        there = changed.get(id)
        key = cards.keys_at[id]
        for old, new in [(key, None)] if there is None else _find_new_cells(card, there):
            file = old.span.file
            if not isinstance(file, SheetFile):
                continue
            name = Path(file.name).name
            if not name.lower().endswith((".csv", ".tsv")):
                problem = f"The variant changes cards that stand in `{name}`, and a workbook is not written anew."
                raise CannotWriteOut(f"{problem} Export it as CSV, and name that file in the game.")
            edit = edits.setdefault(name, Edits(SourceFile(name, texts[name])))
            if new is None and old is not key:
                raise CannotWriteOut(f"The variant gives `{id}` something for which `{name}` has no column.")
            if new is None:
                edit.put(*_find_row(file, key), "")
            else:
                edit.put(old.span.start, old.span.end, _write_cell(file, old, new))
    return {name: edit.apply() for name, edit in edits.items()}


def _find_new_cells(before: Node, now: Node) -> Iterator[tuple[Scalar, Scalar | None]]:
    """Yield the cells of a card whose text is another one, with what they say now; None if that is no text."""
    if isinstance(before, Mapping):
        for name, node in before.items():
            inner = now.get(name) if isinstance(now, Mapping) else None
            if inner is not node:
                yield from _find_new_cells(node, before.keys_at[name] if inner is None else inner)
    elif isinstance(before, Scalar):
        yield before, now if isinstance(now, Scalar) else None


def _find_row(file: SheetFile, key: Scalar) -> tuple[int, int]:
    """Find where the row of a card begins, and where the next one does."""
    number, _ = file.find_cell(key.span.start) or (0, 0)
    starts = [file.text.rfind("\n", 0, row[0].start) + 1 for row in file.rows]
    return starts[number], starts[number + 1] if number + 1 < len(starts) else len(file.text)


def _write_cell(file: SheetFile, old: Scalar, new: Scalar) -> str:
    text = new.text.rstrip("\n")
    is_quoted = file.text[old.span.start - 1 : old.span.start] == '"'
    if not is_quoted and not any(sign in text for sign in ',;\t"\n'):
        return text
    doubled = text.replace('"', '""')
    return doubled if is_quoted else f'"{doubled}"'


# ── what stands beside the rules ─────────────────────────────────────────────────────────────────────────────────────


def _take_variants(source: Path, folder: Path, laid: Sequence[Variant], own: OwnGame) -> Grounds:
    """Write the variants that go with the new game, and return that game, alone and under each of them."""
    inside = {variant.id for variant in laid}
    copies = {path.stem: text for path, text in copy_game(source, folder).items() if path.parent.name == VARIANTS}
    texts = {name: text for name, text in copies.items() if name not in inside}
    for name in [*texts]:
        file = folder / VARIANTS / f"{name}.yaml"
        variant, _ = read_variant(source / VARIANTS / file.name)
        apart = [inside & {*variant.not_with}, *({one.id} for one in laid if name in one.not_with)] if variant else []
        if any(apart):
            own.variants_left[name] = f"It cannot be played with {', '.join(sorted(set().union(*apart)))}."
            del texts[name]
            continue
        texts[name] = _forget_variants(texts[name], inside)
        _write_file(file, texts[name])
    while True:
        grounds = Grounds(folder, meant=True)
        grounds.under()
        unfit = dict[str, str]()
        for name in texts:
            said = len(grounds.messages)
            grounds.under_one(folder / VARIANTS / f"{name}.yaml")
            if len(grounds.messages) > said:
                unfit[name] = grounds.messages[said].message
        own.variants_left |= unfit
        for name in unfit:
            del texts[name]
            (folder / VARIANTS / f"{name}.yaml").unlink()
        kept = {name: _forget_variants(text, own.variants_left) for name, text in texts.items()}
        if kept == texts:
            return grounds
        # What follows one that does not fit may fit without it.
        texts = kept
        for name, text in texts.items():
            _write_file(folder / VARIANTS / f"{name}.yaml", text)


def _write_file(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8", newline="\n")


def _forget_variants(text: str, names: Iterable[str]) -> str:
    """Take names of variants out of what a variant, or a file of scenarios, says of others."""
    edits = Edits(SourceFile("", text))
    top, _ = read_map(edits.file)
    names = set(names)
    for key in ("variants", "follows", "not_with"):
        node = None if top is None else top.get(key)
        if top is None or node is None:
            continue
        kept: Node
        if isinstance(node, Mapping):
            kept = Mapping(node.span)
            for name in node:
                if name not in names:
                    kept.put(node.keys_at[name], node[name])
        else:
            kept = Listed(node.span)
            kept += [
                one
                for one in (node if isinstance(node, Listed) else [node])
                if not isinstance(one, Scalar) or one.text not in names
            ]
        if not kept:
            edits.put(*edits.find_lines(top.keys_at[key], node), "")
        elif isinstance(node, Mapping | Listed) and len(kept) < len(node):
            edits.replace(top.keys_at[key], node, kept)
    return edits.apply()


def _take_scenarios(source: Path, grounds: Grounds, laid: Sequence[Variant], own: OwnGame) -> None:
    """Write the scenarios that hold in the new game, on these grounds."""
    folder = grounds.game
    known = {variant.id for variant in laid}, {file.stem for file in variants_of(folder)}
    copies = {path.relative_to(folder).as_posix(): text for path, text in copy_game(source, folder).items()}
    for file in scenario_files(source):
        name = file.relative_to(source).as_posix()
        top, _ = read_map(SourceFile(name, copies[name]))
        node = None if top is None else top.get("variants")
        named = {one.text for one in (node if isinstance(node, Listed) else [node]) if isinstance(one, Scalar)}
        if named <= set().union(*known):
            _write_file(folder / name, _forget_variants(copies[name], known[0]))
    scenarios, messages = scenarios_on(grounds)
    wrong: dict[str, dict[int, str]] = {}
    for message in messages:
        if message.span is not None:
            wrong.setdefault(message.span.file.name, {})[message.span.start] = message.message
    for scenario in scenarios:
        result = run(scenario)
        if not result.passed:
            wrong.setdefault(scenario.span.file.name, {})[scenario.span.start] = str(result.failures[0])
    for file in scenario_files(folder):
        if faults := wrong.get(show_path(file)):
            _leave_scenarios(folder, file, faults, own)


def _leave_scenarios(folder: Path, file: Path, faults: dict[int, str], own: OwnGame) -> None:
    """Take scenarios out of a file by places within them, each with what is wrong there."""
    name = file.relative_to(folder).as_posix()
    edits = Edits(SourceFile(name, file.read_text("utf-8")))
    top, _ = read_map(edits.file)
    listed = None if top is None else top.get("scenarios")
    if not isinstance(listed, Mapping):
        return
    gone: dict[str, str] = {}
    for start, why in sorted(faults.items()):
        titles = [title for title in listed if listed.keys_at[title].span.start <= start]
        if titles:
            gone.setdefault(titles[-1], why)
    for title in gone:
        edits.remove(listed.keys_at[title], listed[title])
    own.scenarios_left[name] = [*gone.items()]
    if len(gone) == len(listed):
        file.unlink()
    else:
        _write_file(file, edits.apply())
