"""What can still be said about a rulebook of which a part cannot be used: what would be the same with the rest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from rulebook.diagnostics import Diagnostic
from rulebook.dsl import schema
from rulebook.dsl.document import Mapping, Node, Scalar, walk
from rulebook.dsl.document import Sequence as Listed
from rulebook.dsl.overlay.paths import Draft, Place, find
from rulebook.dsl.overlay.variant import Deed
from rulebook.dsl.passes import check
from rulebook.dsl.reading.folder import IN_TWO, merge
from rulebook.dsl.reading.reader import read
from rulebook.dsl.structuring.structure import structure
from rulebook.source import SourceFile, Span

_OF_ITS_OWN = frozenset(f"RB{n}" for n in (103, 104, 105, 106, 107, 108, 113, 114, 115, 201, 202, 203, 204))
"""Codes of what is wrong in a line, whatever other lines say."""
_OF_ITS_ENTRY = _OF_ITS_OWN | {"RB110", "RB112"}
"""The same for what does not fit a section; what is missing may stand in another file."""
_OF_A_NAME = frozenset({"RB301", "RB304"})
"""Codes about one name: they hold unless that name was declared in what is gone."""
_OF_A_THING = _OF_A_NAME | {"RB110", "RB303"}
"""The same, with those about what a thing has: of a game that is whole but for a few deeds of a variant."""
_FIRST_LINES = "format: 1\nname: Salvaged\nplayers: 2..4\n"
_MOST_ROUNDS = 8  # an entry that hides another misfit of its own is rare


def beside_unreadable(maps: Sequence[Mapping], source: dict[str, str]) -> list[Diagnostic]:
    """What is wrong in the files that can be read, when others cannot."""
    if not maps:
        return []
    merged, found = merge(maps)
    authored, more = structure(_headed(merged), "salvaged", source)
    found += more
    kept = [one for one in found if one.code in _OF_ITS_ENTRY]
    if authored is not None:
        return kept + [one for one in check(authored).found if one.code in _OF_ITS_OWN]
    return kept + [one for one in beside_misfits(merged, more, source) if one.code in _OF_ITS_OWN]


def beside_misfits(merged: Mapping, misfits: Sequence[Diagnostic], source: dict[str, str]) -> list[Diagnostic]:
    """What is wrong in the scripts of a rulebook, some entries of which do not fit."""
    gone: set[str] = set()
    for _ in range(_MOST_ROUNDS):
        spans = [one.span for one in misfits if one.span is not None]
        merged = _without(merged, spans, gone)
        authored, misfits = structure(_headed(merged), "salvaged", source)
        if authored is not None:
            return [one for one in check(authored).found if _holds(one, gone)]
    return []


def beside_lost(merged: Mapping, left: Iterable[Deed], source: dict[str, str], *, whole: bool) -> list[Diagnostic]:
    """What is wrong in a game with variants, some deeds of which were left out.

    `whole` says that nothing else is missing, so that it is known which names are.
    """
    left = tuple(left)
    gone = {word for deed in left for word in _declared(deed)}
    merged = _as_removed(merged, left)
    authored, misfits = structure(_headed(merged), "salvaged", source)
    kept = [one for one in misfits if one.code in _OF_ITS_ENTRY]
    if authored is None:
        kept += beside_misfits(merged, misfits, source)
    else:
        kept += [one for one in check(authored).found if _holds(one, gone, _OF_A_THING)]
    return [one for one in kept if whole or one.code in _OF_ITS_ENTRY]


def _as_removed(merged: Mapping, left: Iterable[Deed]) -> Mapping:
    """The map without what was to be removed: nobody meant it to stay, and ask for what else is gone."""
    lighter = Draft(merged)
    for deed in left:
        place = find(lighter.root, deed.path.text) if deed.verb == "remove" else None
        if isinstance(place, Place):
            lighter.remove(place.keys)
    return lighter.root


def _declared(deed: Deed) -> Iterator[str]:
    """Every word of a path and of what was to stand there that may be a name; scripts and sentences declare nothing."""
    nodes = [] if deed.node is None else [deed.node]
    yield from re.findall(r"\w+", deed.path.text)
    while nodes:
        match nodes.pop():
            case Mapping() as one:
                yield from (word for key in one for word in re.findall(r"\w+", key))
                nodes += one.values()
            case Listed() as one:
                nodes += one
            case Scalar(text=text) if text.isidentifier():
                yield text


def _holds(found: Diagnostic, gone: set[str], named: frozenset[str] = _OF_A_NAME) -> bool:
    if found.code in named:
        return found.span is not None and not gone & set(found.span.text.replace(".", " ").split())
    return found.code in _OF_ITS_OWN


def _without(merged: Mapping, spans: Sequence[Span], gone: set[str]) -> Mapping:
    """The map without the entries in which these places are; all names in them are added to `gone`."""
    kept = Mapping(merged.span)
    for name, node in merged.items():
        key = merged.keys_at[name]
        inside = isinstance(node, Mapping) and not _touches(key.span, spans)
        if inside and isinstance(node, Mapping):
            deeper = name in IN_TWO and any(isinstance(one, Mapping) for one in node.values())
            kept.put(key, _without(node, spans, gone) if deeper else _whole_entries(node, spans, gone))
        elif _entry_touches(key, node, spans):
            gone |= {name, *_names(node)}
        else:
            kept.put(key, node)
    return kept


def _whole_entries(section: Mapping, spans: Sequence[Span], gone: set[str]) -> Mapping:
    kept = Mapping(section.span)
    for name, node in section.items():
        key = section.keys_at[name]
        if _entry_touches(key, node, spans):
            gone |= {schema.named(name), *_names(node)}
        else:
            kept.put(key, node)
    return kept


def _entry_touches(key: Scalar, node: Node, spans: Sequence[Span]) -> bool:
    """Whether one of the places is in an entry. What variants put into it stands in other files than the entry."""
    return any(_touches(one.span, spans) for one in walk(key, node))


def _touches(span: Span, spans: Iterable[Span]) -> bool:
    return any(one.file is span.file and span.start <= one.start <= max(span.end - 1, span.start) for one in spans)


def _names(node: Node) -> Iterator[str]:
    """Every word in a node that may be a name somewhere else."""
    return (word for one in walk(node) if isinstance(one, Scalar) for word in one.text.split())


def _headed(merged: Mapping) -> Mapping:
    """The map with the lines that every rulebook begins with, made up where they are missing."""
    top, _ = read(SourceFile("", _FIRST_LINES))
    assert top is not None
    headed = Mapping(merged.span)
    headed.take(top)
    headed.take(merged)
    return headed
