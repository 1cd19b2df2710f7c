"""Messages about a rulebook of which a part cannot be used: those that would be the same with that part."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic, Edit
from rulebook.dsl import schema
from rulebook.dsl.document import Mapping, Node, Scalar, find_words, walk_nodes
from rulebook.dsl.document import Sequence as Listed
from rulebook.dsl.overlay.paths import Draft, Place, find_path
from rulebook.dsl.overlay.variant import Deed
from rulebook.dsl.passes import check_rulebook
from rulebook.dsl.reading.folder import IN_TWO, merge
from rulebook.dsl.reading.reader import read_map
from rulebook.dsl.reading.rest import OF_ONE_NAME, STAGE, Rest, list_rests
from rulebook.dsl.reading.spreadsheets import Fetch, lay_sheets
from rulebook.dsl.structuring.forms import FIELDS
from rulebook.dsl.structuring.structure import structure
from rulebook.source import SourceFile, Span

_OF_ITS_OWN = frozenset(f"RB{n}" for n in (103, 104, 105, 106, 107, 108, 113, 114, 115, 201, 202, 203, 204, 305))
"""Codes of what is wrong in a line, whatever else is missing."""
_OF_ITS_ENTRY = _OF_ITS_OWN | {"RB110", "RB112"}
"""The same for what does not fit a section; what is missing may stand in another file."""
_OF_A_NAME = frozenset({"RB301", "RB304", "RB306"})
"""Codes about one name: they hold unless that name was declared in what is gone."""
_OF_A_THING = _OF_A_NAME | {"RB110", "RB303"}
"""The same, with those about what a thing has: of a game that is whole but for a few deeds of a variant."""
_OF_A_MAP = frozenset({"RB110", "RB111", "RB112"})
"""Codes about what an entry has: they hold if all of it is there."""
_TYPED = ("kinds", "memory", "options", "places", "units", "values", "words")
"""Sections whose entries say of what type something is."""
_DECLARING = ("cards", "kinds", "memory", "places", "rules", "values", "words")
"""Sections whose entries declare what scripts name. The same word may be a choice of an option, and stand in what is
shown."""
_TELL_THE_TYPE = {"options": {"type"}, "places": {"holds", "kept"}}
"""Fields from which the type of an entry follows: it is known as long as these are there."""
_WORD = re.compile(r"\w+")
_QUOTED = re.compile(r"`([^`]*)`")
_FIRST_LINES = "format: 1\nname: Salvaged\nplayers: 2..4\n"
_MOST_ROUNDS = 8  # an entry that hides another misfit of its own is rare


def check_beside_unreadable(
    maps: Sequence[Mapping], messages: Iterable[Diagnostic], source: dict[str, str], fetch: Fetch
) -> list[Diagnostic]:
    """Check the files that can be read, and what stands around the mistakes `found` in those that cannot; their
    spreadsheets are read by `fetch`.
    """
    readable = {top.span.file for top in maps}
    broken: dict[SourceFile, list[Diagnostic]] = {}
    for message in messages:
        if message.span is not None and message.span.file not in readable:
            broken.setdefault(message.span.file, []).append(message)
    more: list[Diagnostic] = []
    whole: list[Rest] = []
    is_all = True  # what else there is can be told from what is read
    for file, problems in broken.items():
        rests = list_rests(file, problems)
        for rest in rests:
            laid = lay_sheets(rest.top, fetch, file.name.removesuffix(file.name.rpartition("/")[2]))
            rest.messages.extend(laid.messages)
            is_all = is_all and not laid.unread
            source = source | laid.texts
        is_all = is_all and bool(rests)
        if rests:
            whole.append(min(rests, key=partial(_count_misfits, maps, source)))
            more += whole[-1].messages
    maps = [*maps, *(beside.top for beside in whole)]
    if not maps:
        return more
    merged, twice = merge(maps)
    gone = set().union(*(beside.lost for beside in whole))
    mended = [beside.mended for beside in whole if beside.mended is not None]
    authored, misfits = structure(_put_head(merged), "salvaged", source)
    kept = [*more, *twice, *(misfit for misfit in misfits if misfit.code in _OF_ITS_ENTRY)]
    if authored is None:
        found = check_beside_misfits(merged, misfits, source, gone, mended)
    else:
        found = _Doubts(merged, gone, mended).find_sure(check_rulebook(authored).messages)
    kept += found if is_all else [message for message in found if message.code in _OF_ITS_OWN]
    return [message for message in kept if not any(_is_in_line(message, line) for line in mended)]


def _count_misfits(maps: Sequence[Mapping], source: dict[str, str], rest: Rest) -> int:
    """Count what does not fit in a reading: the less, the likelier it is that a line was mended as it was meant."""
    merged, twice = merge([*maps, rest.top])
    return len(rest.messages) + len(twice) + len(structure(_put_head(merged), "salvaged", source)[1])


def _is_in_line(message: Diagnostic, line: Span) -> bool:
    span = message.span
    return span is not None and span.file is line.file and span.line <= line.line <= span.end_line


def check_beside_misfits(
    merged: Mapping,
    misfits: Sequence[Diagnostic],
    source: dict[str, str],
    gone: Iterable[str] = (),
    mended: Iterable[Span] = (),
) -> list[Diagnostic]:
    """Check the scripts of a rulebook, some entries of which do not fit; `gone` are names lost before, `mended` places
    that may say something else.
    """
    gone = set(gone)
    damaged: list[Span] = [*mended]
    # What can only mean one thing means that.
    edits = {(edit.span.file, edit.span.start, edit.span.end): edit.text for edit in _list_edits(misfits)}
    merged = _write_edits(merged, edits) if edits else merged
    misfits = [misfit for misfit in misfits if not list(_list_edits([misfit]))]
    for number in range(_MOST_ROUNDS):
        spans = [misfit.span for misfit in misfits if misfit.span is not None]
        damaged += spans
        # At first only the field that does not fit: what else a thing says may be right.
        merged = _drop_entries(merged, spans, gone, whole=number > 0)
        authored, misfits = structure(_put_head(merged), "salvaged", source)
        if authored is not None:
            return _Doubts(merged, gone, damaged).find_sure(check_rulebook(authored).messages)
    return []


def _list_edits(misfits: Iterable[Diagnostic]) -> Iterator[Edit]:
    for misfit in misfits:
        if misfit.code == "RB112" and misfit.fix is not None and misfit.fix.safe:
            yield from misfit.fix.edits


def _write_edits(node: Mapping, edits: dict[tuple[SourceFile, int, int], str]) -> Mapping:
    """The map with plain texts in the place of the values that are mended."""
    written = Mapping(node.span)
    for name, value in node.items():
        span = value.span
        text = edits.get((span.file, span.start, span.end))
        if text is not None:
            value = Scalar(text, "plain", span)
        elif isinstance(value, Mapping):
            value = _write_edits(value, edits)
        written.put(node.keys_at[name], value)
    return written


class _Starts:
    """The offsets at which places begin, by file and in order."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._starts: dict[SourceFile, list[int]] = {}
        for span in spans:
            self._starts.setdefault(span.file, []).append(span.start)
        for starts in self._starts.values():
            starts.sort()

    def touch(self, span: Span) -> bool:
        """Tell whether one of the places begins in this span."""
        starts = self._starts.get(span.file, [])
        at = bisect_left(starts, span.start)
        return at < len(starts) and starts[at] <= max(span.end - 1, span.start)

    def touch_entry(self, key: Scalar, node: Node) -> bool:
        """Tell whether one of them is in an entry. What variants put into it stands in other files than the entry."""
        return any(self.touch(walk_node.span) for walk_node in walk_nodes(key, node))


@frozen(eq=False)
class _Entry:
    """An entry of a section, with all its nodes and their words."""

    section: str
    key: Scalar
    node: Node
    nodes: list[Node]
    words: set[str]

    @classmethod
    def make(cls, section: str, key: Scalar, node: Node) -> _Entry:
        return cls(section, key, node, list(walk_nodes(key, node)), {*_WORD.findall(key.text), *find_words(node)})


class _Doubts:
    """The unknowns of a rulebook that has lost entries: their names, and all that is of a type that hangs on them."""

    def __init__(self, merged: Mapping, gone: set[str], damaged: Sequence[Span]) -> None:
        self._gone, self._damaged = gone, _Starts(damaged)
        self._entries = [_Entry.make(*entry) for entry in _list_things(merged)]
        self._scalars: dict[SourceFile, list[tuple[int, int, int]]] = {}
        """By file, where each scalar of an entry begins and ends, and the number of the entry, in order."""
        for number, item in enumerate(self._entries):
            for span in (node.span for node in item.nodes if isinstance(node, Scalar)):
                self._scalars.setdefault(span.file, []).append((span.start, max(span.end - 1, span.start), number))
        for scalars in self._scalars.values():
            scalars.sort()
        # A word of a list may be one of several lists.
        self._doubtful = gone - {
            name
            for item in self._entries
            if item.section in _DECLARING
            for name in _find_declared_in(item.section, item.key, item.node)
        }
        for item in self._entries:
            if self._is_damaged(item) and not _is_type_told(item):
                self._doubtful |= _find_declared_in(item.section, item.key, item.node)
        typed = [entry for entry in self._entries if entry.section in _TYPED]
        self._is_typed = not any(self._is_damaged(entry) or entry.words & gone for entry in typed)
        by_word: dict[str, list[_Entry]] = {}
        for item in typed:
            for word in item.words:
                by_word.setdefault(word, []).append(item)
        ahead = [*self._doubtful]
        while ahead:
            for item in by_word.pop(ahead.pop(), ()):
                more = _find_declared_in(item.section, item.key, item.node) - self._doubtful
                self._doubtful |= more
                ahead += more

    def _is_damaged(self, entry: _Entry) -> bool:
        return any(map(self._damaged.touch, (entry.key.span, entry.node.span)))

    def _find_entry(self, span: Span) -> _Entry | None:
        """Find the entry with the scalar in which a place begins."""
        scalars, touching = self._scalars.get(span.file, []), list[int]()
        at = bisect_right(scalars, (span.start, len(span.file.text), 0)) - 1
        while at >= 0 and scalars[at][1] >= span.start:
            touching.append(scalars[at][2])
            at -= 1
        return self._entries[min(touching)] if touching else None

    def find_sure(self, messages: Iterable[Diagnostic]) -> list[Diagnostic]:
        """The messages that hold, whatever was lost."""
        return [message for message in messages if self._is_sure(message)]

    def _is_sure(self, message: Diagnostic) -> bool:
        if message.code in _OF_ITS_OWN:
            return True
        if message.span is None:
            return False
        if message.code.startswith("RB6") and not self._is_typed:
            return False  # who may look somewhere may be what was lost
        entry = self._find_entry(message.span)
        if entry is not None and entry.section == "display" and (message.code == "RB401" or not message.help):
            return False  # what nobody chooses here may be chosen in a script that was lost
        if message.code in _OF_A_NAME:
            return not self._gone & set(_WORD.findall(message.span.text))
        if entry is not None:
            if message.code in _OF_A_MAP:
                named = {word for quoted in _QUOTED.findall(message.message) for word in _WORD.findall(quoted)}
                return not self._is_damaged(entry) and not self._doubtful & entry.words and not self._gone & named
            # What hangs on a doubtful name in another line is of no known type, and gives no message.
            file, lines = message.span.file, range(message.span.line, message.span.end_line + 1)
            return not self._doubtful & {word for line in lines for word in _WORD.findall(file.line(line))}
        return False


def check_beside_lost(
    merged: Mapping, left: Iterable[Deed], source: dict[str, str], *, whole: bool
) -> list[Diagnostic]:
    """Check a game with variants, some deeds of which were left out.

    `whole` says that nothing else is missing, so that it is known which names are.
    """
    left = tuple(left)
    gone = {word for deed in left for word in _find_declared(deed)}
    merged = _remove_removed(merged, left)
    authored, misfits = structure(_put_head(merged), "salvaged", source)
    kept = [misfit for misfit in misfits if misfit.code in _OF_ITS_ENTRY]
    if authored is None:
        kept += check_beside_misfits(merged, misfits, source)
    else:
        kept += [message for message in check_rulebook(authored).messages if _is_sure(message, gone, _OF_A_THING)]
    return [message for message in kept if whole or message.code in _OF_ITS_ENTRY]


def _remove_removed(merged: Mapping, left: Iterable[Deed]) -> Mapping:
    """The map without what was to be removed: nobody meant it to stay, and ask for what else is gone."""
    lighter = Draft(merged)
    for deed in left:
        place = find_path(lighter.root, deed.path.text) if deed.verb == "remove" else None
        if isinstance(place, Place):
            lighter.remove(place.keys)
    return lighter.root


def _find_declared(deed: Deed) -> Iterator[str]:
    """Every word of a path and of what was to stand there that may be a name; scripts and sentences declare nothing."""
    nodes = [] if deed.node is None else [deed.node]
    yield from re.findall(r"\w+", deed.path.text)
    while nodes:
        match nodes.pop():
            case Mapping() as mapping:
                yield from (word for key in mapping for word in re.findall(r"\w+", key))
                nodes += mapping.values()
            case Listed() as mapping:
                nodes += mapping
            case Scalar(text=text) if text.isidentifier():
                yield text


def _is_sure(message: Diagnostic, gone: set[str], named: frozenset[str] = _OF_A_NAME) -> bool:
    if message.code in named:
        return message.span is not None and not gone & set(message.span.text.replace(".", " ").split())
    return message.code in _OF_ITS_OWN


def _drop_entries(merged: Mapping, spans: Sequence[Span], gone: set[str], whole: bool) -> Mapping:
    """The map without the entries in which these places are, or only without their fields there, unless all of an entry
    is to go; the names that it declared are added to `gone`.
    """
    kept, starts = Mapping(merged.span), _Starts(spans)
    for section, node in merged.items():
        key = merged.keys_at[section]
        if isinstance(node, Mapping) and not starts.touch(key.span):
            depth = 0 if not whole else 2 if _is_in_two(section, node) else 1
            kept.put(key, _lighter(section, node, starts, gone, depth))
        elif starts.touch_entry(key, node):
            gone |= _find_declared_in(section, key, node)
        else:
            kept.put(key, node)
    return kept


def _lighter(section: str, node: Mapping, starts: _Starts, gone: set[str], depth: int) -> Mapping:
    """A map without what these places touch: entries so many levels deep, or what lies deepest if that is 0."""
    kept = Mapping(node.span)
    for name, value in node.items():
        key = node.keys_at[name]
        if not starts.touch_entry(key, value):
            kept.put(key, value)
        elif depth != 1 and isinstance(value, Mapping) and not starts.touch(key.span):
            kept.put(key, _lighter(section, value, starts, gone, max(depth - 1, 0)))
        else:
            gone |= _find_declared_in(section, key, value)
    return kept


def _is_type_told(entry: _Entry) -> bool:
    wanted = _TELL_THE_TYPE.get(entry.section)
    return wanted is not None and isinstance(entry.node, Mapping) and wanted <= set(entry.node)


def _is_in_two(section: str, node: Mapping) -> bool:
    return section in IN_TWO and any(isinstance(value, Mapping) for value in node.values())


def _list_things(merged: Mapping) -> Iterator[tuple[str, Scalar, Node]]:
    for section, node in merged.items():
        if isinstance(node, Mapping):
            sides = (
                [value for value in node.values() if isinstance(value, Mapping)]
                if _is_in_two(section, node)
                else [node]
            )
            yield from ((section, side.keys_at[name], value) for side in sides for name, value in side.items())


def _find_declared_in(section: str, key: Scalar, node: Node) -> set[str]:
    """Find the names that an entry may declare, or a field of one."""
    inside = list(walk_nodes(node))
    stages = {name for inner in inside if isinstance(inner, Scalar) for name in STAGE.findall(inner.text)}
    names = {schema.name_in_key(key.text)}
    if section not in OF_ONE_NAME:
        names |= {schema.name_in_key(name) for inner in inside if isinstance(inner, Mapping) for name in inner}
        names |= {item.text for part in inside if isinstance(part, Listed) for item in part if isinstance(item, Scalar)}
    return {name for name in names - FIELDS if name.isidentifier()} | stages


def _put_head(merged: Mapping) -> Mapping:
    """Put the lines that every rulebook begins with into a map, made up where they are missing."""
    top, _ = read_map(SourceFile("", _FIRST_LINES))
    assert top is not None
    headed = Mapping(merged.span)
    headed.take_entries(top)
    headed.take_entries(merged)
    return headed
