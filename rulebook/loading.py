"""From a folder to a checked rulebook: the compile-time half of the pipeline, in order.

In: a path, and those of the variants to lay over the game. Out: the rulebook, or None, and everything that is wrong
with it. Never: plays, prints, or raises for what an author wrote.
"""

from __future__ import annotations

from collections.abc import Mapping as MappingOf
from collections.abc import Sequence
from pathlib import Path

from attrs import evolve, field, frozen

from rulebook.diagnostics import Diagnostic
from rulebook.dsl import ir
from rulebook.dsl.document import Mapping
from rulebook.dsl.lint import CODES as LINT_CODES
from rulebook.dsl.naming.gathering import gather
from rulebook.dsl.overlay import Origins, Variant, by_path, labelled, overlay, read_variant, variant_of
from rulebook.dsl.passes import Checked, check
from rulebook.dsl.reading.folder import merge, read_files, read_texts
from rulebook.dsl.reading.reader import read
from rulebook.dsl.salvage import beside_lost, beside_misfits, beside_unreadable
from rulebook.dsl.structuring.structure import structure
from rulebook.dsl.world import World
from rulebook.library import VARIANTS, variants_of
from rulebook.source import SourceFile
from rulebook.suppressions import settle


@frozen
class Loaded:
    """A rulebook that can be played, and the names it declares.

    `merged` is all that its files say, as one map. `variants` are those that were laid over the game, in order, and
    `origins` what they did, by the path at which they did it.
    """

    rulebook: ir.Rulebook
    world: World
    merged: Mapping = field(repr=False)
    variants: tuple[Variant, ...] = ()
    origins: Origins = field(factory=dict, repr=False)


def load(
    path: Path, variants: Sequence[Path] = (), *, meant: bool = False
) -> tuple[ir.Rulebook | None, list[Diagnostic]]:
    """Reads, structures and checks the game in a folder. The rulebook is None when there is any error.

    `variants` are the paths of variants' files, laid over the game in this order. With `meant`, the messages are also
    about what can be played and says nothing: what an author wants to know, and a player does not.
    """
    loaded, found = load_with_names(path, variants, meant=meant)
    return (None if loaded is None else loaded.rulebook), found


def load_with_names(
    path: Path, variants: Sequence[Path] = (), *, meant: bool = False
) -> tuple[Loaded | None, list[Diagnostic]]:
    """The same, with the names: for whoever reads more that is written in the words of the game."""
    maps, source, found = read_files(path)
    over, unread, more = _variants(variants)
    known = _known(path, variants)
    return _examined(_Written(path.resolve().name, maps, source, over, unread, known, found, more), meant)


def load_texts(
    game: str, texts: MappingOf[str, str], variants: Sequence[str] = ()
) -> tuple[ir.Rulebook | None, list[Diagnostic]]:
    """The game whose files are only texts any more, by the names that `ir.Rulebook.source` has for them: as a save
    carries it, and not one file of it is on the disk.

    `game` is what its folder was called; `variants` are the names of those that were laid over it, in order. Their
    texts are there too.
    """
    own = {name: text for name, text in texts.items() if not name.startswith(f"{VARIANTS}/")}
    over: list[Variant] = []
    maps, source, found = read_texts(game, own)
    more: list[Diagnostic] = []
    for id in variants:
        file = f"{VARIANTS}/{id}.yaml"
        top, problems = read(SourceFile(f"{game}/{file}", texts[file]))
        more += problems
        if top is not None:
            variant, problems = variant_of(top, id)
            over.append(variant)
            more += problems
    # Variants that were not played were left behind, and those that were may speak of them.
    written = _Written(game, maps, source, over, len(over) < len(variants), None, found, more)
    loaded, found = _examined(written, False)
    return (None if loaded is None else loaded.rulebook), found


@frozen
class _Written:
    """All that was read of a game: what its folder is called, its files and their texts, the variants that are laid
    over it, whether one of them cannot be read, which others there are if anybody can tell, and what is wrong in the
    game's files and in the variants'.
    """

    game: str
    maps: list[Mapping | None]
    source: dict[str, str]
    over: list[Variant]
    is_one_unread: bool
    known: set[str] | None
    found: list[Diagnostic]
    found_in_variants: list[Diagnostic]


def _examined(written: _Written, meant: bool) -> tuple[Loaded | None, list[Diagnostic]]:
    maps, over, more = written.maps, written.over, written.found_in_variants
    source = written.source | {f"{VARIANTS}/{one.file.name.rpartition('/')[2]}": one.file.text for one in over}
    found = [*written.found, *more]
    checked, overlaid = None, None
    readable = [one for one in maps if one is not None]
    files = [one.span.file for one in readable]
    if not maps or len(readable) < len(maps):
        found += beside_unreadable(readable, source)
    else:
        merged, twice = merge(readable)
        overlaid = overlay(merged, over, written.game, written.known)
        broken = _is_broken([*more, *overlaid.found])
        found += [*twice, *overlaid.found]
        # What is wrong with the game alone holds, whatever a variant was to do to it.
        checked, more = _checked(
            merged if broken else overlaid.merged,
            written.game,
            source,
            meant and not twice,
        )
        if broken:
            checked, found = None, found + more
            more = _new(beside_lost(overlaid.merged, overlaid.left, source, whole=not written.is_one_unread), found)
        found += labelled(more, overlaid.done)
    complete = checked is not None and checked.rulebook is not None and not _is_broken(found, certain=True)
    unlooked = frozenset() if meant else LINT_CODES | {"RB505"}
    # A variant may take away what a comment in the game is about: only the game alone says whether it is needed.
    found = settle(found, files, complete=complete and not over, unlooked=unlooked)
    found = settle(found, [one.file for one in over], complete=complete, unlooked=unlooked, labelled=True)
    if checked is None or checked.rulebook is None or _is_broken(found):
        return None, found
    assert overlaid is not None
    rulebook = evolve(checked.rulebook, variants=tuple(one.id for one in over))
    return Loaded(rulebook, checked.world, overlaid.merged, tuple(over), by_path(overlaid.done)), found


def names(path: Path, variants: Sequence[Path] = ()) -> World | None:
    """The names that a game without mistakes declares, but for those of its stages, which stand in its scripts; none if
    it has mistakes.
    """
    maps, source, _ = read_files(path)
    over, _, _ = _variants(variants)
    readable = [one for one in maps if one is not None]
    if not readable:
        return None
    merged, _ = merge(readable)
    overlaid = overlay(merged, over, path.resolve().name, _known(path, variants))
    source |= {f"{VARIANTS}/{one.file.name.rpartition('/')[2]}": one.file.text for one in over}
    authored, _ = structure(overlaid.merged, path.resolve().name, source)
    return None if authored is None else gather(authored)[0]


def _variants(paths: Sequence[Path]) -> tuple[list[Variant], bool, list[Diagnostic]]:
    """The variants that can be read, whether one cannot, and what is wrong in their files."""
    read = [read_variant(path) for path in paths]
    variants = [one for one, _ in read if one is not None]
    return variants, len(variants) < len(read), [problem for _, problems in read for problem in problems]


def _known(path: Path, variants: Sequence[Path]) -> set[str]:
    """The names of the variants that lie beside the game, or beside those that are asked for."""
    return {one.stem for file in variants for one in (*variants_of(path), *file.parent.glob("*.yaml"))}


def _checked(
    merged: Mapping, game: str, source: dict[str, str], meant: bool
) -> tuple[Checked | None, list[Diagnostic]]:
    """A map, structured and checked, with what can still be said if parts of it do not fit."""
    authored, found = structure(merged, game, source)
    if authored is None:
        return None, found + beside_misfits(merged, found, source)
    checked = check(authored, meant=meant)
    if checked.texts_to_write:
        # Most games leave no text to be written, and to learn English takes time.
        from rulebook.english.sheet import write_texts

        checked = write_texts(checked)
    found += checked.found
    if meant and checked.rulebook is not None and not _is_broken(found):
        # Who only plays needs no game set up beforehand.
        from rulebook.shortages import find_shortages

        found += find_shortages(checked.rulebook, checked.world)
    return checked, found


def _is_broken(found: Sequence[Diagnostic], *, certain: bool = False) -> bool:
    """Whether there is an error; one that is only likely may be hidden by a comment."""
    return any(one.severity == "error" and (not certain or one.confidence == "certain") for one in found)


def _new(found: Sequence[Diagnostic], known: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The messages that have not been given."""
    said = {(one.code, one.message, one.span) for one in known}
    return [one for one in found if (one.code, one.message, one.span) not in said]
