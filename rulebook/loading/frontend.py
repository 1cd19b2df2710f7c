"""The front end: from a game's files to a checked rulebook, the compile-time half of the pipeline, in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Mapping as MappingOf
from pathlib import Path

from attrs import define, evolve, field

from rulebook.cells import SheetFile
from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic, diagnose, has_errors
from rulebook.dsl import ir
from rulebook.dsl.document import Mapping
from rulebook.dsl.naming.gathering import gather
from rulebook.dsl.overlay.applying import overlay
from rulebook.dsl.overlay.origins import by_path, label_messages
from rulebook.dsl.overlay.variant import Variant, read_variant, read_variant_text
from rulebook.dsl.parsing.parser import Parses, remember_parses
from rulebook.dsl.passes import Checked, check_rulebook
from rulebook.dsl.reading.folder import merge, read_files, read_texts
from rulebook.dsl.reading.spreadsheets import fetch_file, fetch_text, label_cells
from rulebook.dsl.salvage import check_beside_lost, check_beside_misfits, check_beside_unreadable
from rulebook.dsl.structuring.structure import structure
from rulebook.library import RULES, VARIANTS, sheet_files, variants_of
from rulebook.loading.loaded import CheckedGame, Declared, Loaded
from rulebook.loading.suppressions import heed_comments
from rulebook.pictures import read_pictures
from rulebook.source import SourceFile, Span, show_path


@define(eq=False)
class Shared:
    """The cache of loads of one game under several variants: its files, each read once, and so each text parsed once,
    since a variant leaves the nodes that it does not change as they are.
    """

    parses: Parses = field(factory=dict)
    _files: dict[Path, tuple[Sequence[Mapping | None], dict[str, str], list[Diagnostic]]] = field(factory=dict)
    _variants: dict[Path, tuple[Variant | None, list[Diagnostic]]] = field(factory=dict)

    def read_files(self, path: Path) -> tuple[Sequence[Mapping | None], dict[str, str], list[Diagnostic]]:
        if path not in self._files:
            self._files[path] = read_files(path)
        return self._files[path]

    def lay_beside(self, path: Path, text: str) -> None:
        """Take a text for the variant at a path at which there is no file."""
        self._variants[path] = read_variant_text(path.name, path.name, {path.name: text})

    def read_variant(self, path: Path) -> tuple[Variant | None, list[Diagnostic]]:
        if path not in self._variants:
            self._variants[path] = read_variant(path)
        return self._variants[path]


@frozen
class _Sources:
    """All that was read of a game: what its folder is called, its files and their texts, the variants that are laid
    over it, whether one of them cannot be read, which others there are if anybody can tell, and what is wrong in the
    game's files and in the variants'.
    """

    game: str
    maps: Sequence[Mapping | None]
    texts: dict[str, str]
    variants: Sequence[Variant]
    is_one_unread: bool
    known: set[str] | None
    messages: list[Diagnostic]
    found_in_variants: list[Diagnostic]
    folder: Path | None = None
    """The folder in which its pictures lie; none of a game that is only texts any more."""

    @property
    def source(self) -> dict[str, str]:
        """Every text, by its name in `ir.Rulebook.source`."""
        return self.texts | texts_of_variants(self.variants)


def texts_of_variants(variants: Sequence[Variant]) -> dict[str, str]:
    """The texts of variants and of their spreadsheets, by their names in `ir.Rulebook.source`."""
    texts = {f"{VARIANTS}/{over.id}.yaml": over.file.text for over in variants}
    return texts | {f"{VARIANTS}/{name}": text for over in variants for name, text in over.sheets.items()}


def load_files(path: Path, variants: Sequence[Path], *, meant: bool, shared: Shared | None = None) -> Loaded:
    """Load the game in a folder under the variants in these files; `meant` and `shared` as `loading.load` has them."""
    shared = shared or Shared()
    maps, texts, unread = shared.read_files(path)
    over = [shared.read_variant(file) for file in variants]
    sources = _Sources(
        game=path.resolve().name,
        maps=maps,
        texts=texts,
        variants=[variant for variant, _ in over if variant is not None],
        is_one_unread=any(variant is None for variant, _ in over),
        # Messages name what could have been meant: what lies beside the game, or beside those that are asked for.
        known={beside.stem for file in variants for beside in (*variants_of(path), *file.parent.glob("*.yaml"))},
        messages=unread,
        found_in_variants=[problem for _, problems in over for problem in problems],
        folder=path,
    )
    with remember_parses(shared.parses):
        return _build(sources, meant)


def load_texts(game: str, texts: MappingOf[str, str], variants: Sequence[str] = ()) -> Loaded:
    """Load a game whose files are only texts any more, by the names that `ir.Rulebook.source` has for them: as a save
    carries it, and not one file of it is on the disk.

    `game` is what its folder was called; `variants` are the names of those that were laid over it, in order. Their
    texts are there too.
    """
    names = (f"{VARIANTS}/{id}.yaml" for id in variants)
    return _build(_read_texts(f"{game}/", game, texts, {name: f"{game}/{name}" for name in names}), False)


def declare_again(rulebook: ir.Rulebook, path: Path, variants: Sequence[Path], stages: Sequence[str]) -> Declared:
    """Read what a checked game declares from the texts in its rulebook; its stages, which stand in scripts, are given.

    `path` and `variants` are the files from which it was loaded.
    """
    folder = show_path(path / RULES).removesuffix(RULES)
    ids = zip(rulebook.variants, variants, strict=True)
    names = {f"{VARIANTS}/{id}.yaml": show_path(variant) for id, variant in ids}
    sources = _read_texts(folder, path.resolve().name, rulebook.source, names)
    merged, _ = merge([mapping for mapping in sources.maps if mapping is not None])
    overlaid = overlay(merged, sources.variants, sources.game, None)
    authored, _ = structure(overlaid.merged, sources.game, sources.source)
    assert authored is not None, "it was structured before"
    world, _ = gather(authored)
    world.stages |= set(stages)
    return Declared(world, overlaid.merged, tuple(sources.variants), by_path(overlaid.done))


def _read_texts(folder: str, game: str, texts: MappingOf[str, str], variants: MappingOf[str, str]) -> _Sources:
    """Read a game from its texts. `folder` stands before the names of its files in messages; `variants` are the paths
    of those laid over it, in messages too, by the names of their texts.
    """
    own = {name: text for name, text in texts.items() if not name.startswith(f"{VARIANTS}/")}
    maps, own, unread = read_texts(folder, own)
    over: list[Variant] = []
    more: list[Diagnostic] = []
    for name, shown_as in variants.items():
        variant, problems = read_variant_text(shown_as, name, texts)
        more += problems
        if variant is not None:
            over.append(variant)
    # Variants that were not played were left behind, and those that were may speak of them.
    return _Sources(game, maps, own, over, len(over) < len(variants), None, unread, more)


def find_bad_pictures(display: ir.Display, folder: Path) -> Iterator[Diagnostic]:
    """Yield a message about each picture that a game names and that cannot be shown, once each."""
    places = {sign.said: sign.at for sign in reversed(display.signs) if sign.form == "file" and sign.at is not None}
    for name, problem in read_pictures(folder, sorted(places))[1].items():
        yield diagnose("RB118", places[name].span, name=name, problem=problem)


def find_unread_sheets(folder: Path, source: MappingOf[str, str]) -> Iterator[Diagnostic]:
    """Yield a message about each spreadsheet beside the rules that no file names."""
    for file in sheet_files(folder):
        if file.parent == folder and file.name not in source:
            help = f"To read cards from it, write `cards: {{from: {file.name}}}`; else put it elsewhere."
            yield diagnose("RB116", Span(SourceFile(show_path(file), ""), 0, 0), name=file.name, help=help)


def _drop_covered(messages: list[Diagnostic]) -> list[Diagnostic]:
    """Leave out that a value is only a comment, where an error at the key or behind it says that it may not be."""
    errors = {
        _place_of(error.span, error.span.text)
        for error in messages
        if error.severity == "error" and error.span is not None
    }
    return [
        message
        for message in messages
        if message.code != "RB105"
        or message.span is None
        or errors.isdisjoint((_place_of(message.span, ""), _place_of(message.span, message.span.text)))
    ]


def _place_of(span: Span, text: str) -> tuple[str, int, str]:
    return span.file.name, span.line, text


def _build(sources: _Sources, meant: bool) -> Loaded:
    maps, over, more = sources.maps, sources.variants, sources.found_in_variants
    source = sources.source
    messages = [*sources.messages, *more]
    checked, overlaid = None, None
    readable = [mapping for mapping in maps if mapping is not None]
    read = [mapping.span.file for mapping in readable]
    spans = (message.span for message in sources.messages)
    files = list(dict.fromkeys([*read, *(span.file for span in spans if span is not None)]))
    files = [file for file in files if not isinstance(file, SheetFile)]  # in a cell a comment is a text
    if not maps or len(readable) < len(maps):
        unread = [one for one in sources.messages if one.span is None or not isinstance(one.span.file, SheetFile)]
        fetch = fetch_text(sources.texts) if sources.folder is None else fetch_file(sources.folder)
        messages += check_beside_unreadable(readable, unread, source, fetch)
    else:
        merged, twice = merge(readable)
        overlaid = overlay(merged, over, sources.game, sources.known)
        broken = has_errors([*more, *overlaid.messages])
        messages += [*twice, *overlaid.messages]
        # What is wrong with the game alone holds, whatever a variant was to do to it.
        resolved = merged if broken else overlaid.merged
        checked, more = check_map(resolved, sources.game, source, meant=meant and not twice)
        if broken:
            checked, messages = None, messages + more
            keys = {message.key for message in messages}
            more = check_beside_lost(overlaid.merged, overlaid.left, source, whole=not sources.is_one_unread)
            more = [message for message in more if message.key not in keys]
        if meant and sources.folder is not None and checked is not None and checked.rulebook is not None:
            more = [*more, *find_bad_pictures(checked.rulebook.display, sources.folder)]
            more += find_unread_sheets(sources.folder, source)
        messages += label_messages(more, overlaid.done)
    messages = label_cells(_drop_covered(messages))
    complete = checked is not None and checked.rulebook is not None and not has_errors(messages, certain=True)
    # Who plays is not told of a comment that ignores nothing: not all was looked for.
    looked = complete and meant
    # A variant may take away what a comment in the game is about: only the game alone says whether it is needed.
    messages = heed_comments(messages, files, complete=looked and not over)
    messages = heed_comments(messages, [variant.file for variant in over], complete=looked, labelled=True)
    if checked is None or checked.rulebook is None or has_errors(messages):
        return Loaded(None, messages)
    assert overlaid is not None
    rulebook = evolve(checked.rulebook, variants={variant.id: variant.name for variant in over})
    declared = Declared(checked.world, overlaid.merged, tuple(over), by_path(overlaid.done))
    return Loaded(CheckedGame(rulebook, lambda: declared), messages)


def check_map(
    merged: Mapping, game: str, source: dict[str, str], *, meant: bool
) -> tuple[Checked | None, list[Diagnostic]]:
    """Structure and check a map; say what can be said if parts of it do not fit."""
    authored, messages = structure(merged, game, source)
    if authored is None:
        return None, messages + check_beside_misfits(merged, messages, source)
    checked = check_rulebook(authored, meant=meant)
    if checked.texts_to_write:
        # Most games leave no text to be written, and to learn English takes time.
        from rulebook.english.sheet import write_texts

        checked = write_texts(checked)
    messages += checked.messages
    if meant and checked.rulebook is not None and not has_errors(messages, certain=True):
        # Who only plays needs no game set up beforehand.
        from rulebook.loading.shortages import find_shortages

        messages += find_shortages(checked.rulebook, checked.world)
    return checked, messages
